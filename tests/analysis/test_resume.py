"""Interrupted and resumed runs equal uninterrupted ones, bit for bit; and what cannot be resumed says so."""

import numpy as np
import pytest

import biela
from biela import BielaError, MethodError, Model

METHODS = [
    ("double-pendulum", {"integrator": "conserving", "step": 1e-4}),
    ("double-pendulum", {"integrator": "decaying", "step": 1e-4}),
    ("double-pendulum", {"formulation": "projection", "integrator": "abm4", "step": 1e-4}),
    ("double-pendulum", {"integrator": "ab4", "step": 1e-4}),
    ("double-pendulum", {"integrator": "generalized-alpha", "coordinates": "reference-point", "step": 1e-4}),
    ("double-pendulum", {"formulation": "penalty", "integrator": "trapezoidal", "step": 1e-4}),
    ("double-pendulum", {"integrator": "dopri5", "tolerance": 1e-11}),
    ("heavy-top", {"integrator": "conserving", "coordinates": "reference-point", "step": 1e-4}),
    ("four-bar", {"integrator": "rk4", "coordinates": "relative", "step": 1e-4}),
]


class Impatient:
    """Ctrl-C after the first chunk that passes a part of the run; counts how often."""

    def __init__(self, part: float):
        self.part, self.stopped = part, 0

    def __call__(self, fraction: float, steps: int) -> None:
        if self.part < fraction < 1.0:
            self.stopped += 1
            raise KeyboardInterrupt


@pytest.fixture(autouse=True)
def short_chunks(monkeypatch):
    """Python looks in every few hundred steps, so that a short run can be interrupted."""
    from biela.methods import run

    monkeypatch.setattr(run, "_first_chunk", lambda system: 97)
    monkeypatch.setattr(run, "_next_chunk", lambda chunk, seconds: 97)


def same(a, b) -> None:
    one, other = a.trajectory, b.trajectory
    for name in ("t", "y", "ydot", "lam", "turns"):
        x, y = getattr(one, name), getattr(other, name)
        assert x.tobytes() == y.tobytes(), name
    monitors = ("steps", "evaluations", "iterations", "rejected", "rechoices", "energy_error", "violation", "margin")
    assert [getattr(one, k) for k in monitors] == [getattr(other, k) for k in monitors]


@pytest.mark.parametrize("name, options", METHODS, ids=lambda x: x if isinstance(x, str) else x["integrator"])
def test_resumed_equals_uninterrupted(name: str, options: dict, tmp_path):
    end = 3.0 if "tolerance" in options else 0.1
    through = biela.simulate(name, end, samples=30, **options)
    file = tmp_path / "run.npz"
    first, second = Impatient(0.2), Impatient(0.6)
    half = biela.simulate(name, end, samples=30, progress=first, checkpoint=file, **options)
    assert first.stopped == 1 and half.status.name == "interrupted" and half.t[-1] < end
    most = biela.resume(file, second)  # in a system of its own, put together anew from the file
    if second.stopped:  # an error-controlled run may need few steps for the rest
        assert most.status.name == "interrupted" and half.t[-1] < most.t[-1] < end
        most = biela.resume(file)
    same(through, most)
    half["energy.total"]  # looking at results uses the system's arrays; the checkpoint is a copy
    same(through, biela.resume(half))
    assert "continued at t" in biela.resume(half).explain()


def test_a_real_interrupt_is_held_back_until_the_chunk_is_done():
    import signal

    def press(fraction: float, steps: int) -> None:
        if not seen:
            seen.append(fraction)
            signal.raise_signal(signal.SIGINT)

    seen: list[float] = []
    r = biela.simulate("double-pendulum", 0.1, integrator="rk4", step=1e-4, progress=press)
    assert r.status.name == "interrupted" and r.trajectory.checkpoint is not None
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_refusals(tmp_path):
    done = biela.simulate("double-pendulum", 0.01, integrator="rk4", step=1e-4)
    with pytest.raises(MethodError, match="has reached its end"):
        biela.resume(done)
    with pytest.raises(MethodError, match=r"dop853 cannot be resumed"):
        biela.simulate("double-pendulum", 0.01, integrator="dop853", checkpoint=tmp_path / "a.npz")
    stopped = biela.simulate("double-pendulum", 1, integrator="dop853", progress=Impatient(0.01))
    with pytest.raises(MethodError, match=r"SciPy's own"):
        biela.resume(stopped)
    with pytest.raises(MethodError, match=r"end the checkpoint's name in .npz"):
        biela.simulate("double-pendulum", 0.01, integrator="rk4", step=1e-4, checkpoint=tmp_path / "a.run")
    with pytest.raises(BielaError, match="there is no file"):
        biela.resume(tmp_path / "nothing.npz")
    (tmp_path / "text.npz").write_text("no archive")
    with pytest.raises(BielaError, match="is not a checkpoint"):
        biela.resume(tmp_path / "text.npz")
    np.savez(tmp_path / "other.npz", x=np.zeros(3))
    with pytest.raises(BielaError, match="is not a checkpoint"):
        biela.resume(tmp_path / "other.npz")
    m = Model().add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("m", "P", 1)
    m.add_force("k", "actuator", points=("O", "P"), value=lambda t, x, v: -x)
    with pytest.raises(BielaError, match="Python function"):
        biela.simulate(m, 1, integrator="rk4", step=1e-3, checkpoint=tmp_path / "a.npz")
    assert not (tmp_path / "a.npz").exists()


def test_a_long_run_writes_checkpoints_as_it_goes(tmp_path, monkeypatch):
    from biela.methods import checkpoint

    monkeypatch.setattr(checkpoint, "EVERY", 0.0)
    file = tmp_path / "run.npz"
    r = biela.simulate("double-pendulum", 0.1, integrator="rk4", step=1e-4, samples=30, checkpoint=file)
    assert r.ok and file.exists()  # as if the power had failed after the last one
    same(r, biela.resume(file))


def test_a_checkpoint_that_cannot_be_written_does_not_cost_the_run(tmp_path, monkeypatch):
    from biela.methods import checkpoint

    monkeypatch.setattr(checkpoint, "EVERY", 0.0)
    gone = tmp_path / "gone"
    r = biela.simulate("double-pendulum", 0.1, integrator="rk4", step=1e-4, checkpoint=gone / "a.npz")
    assert r.ok
    r = biela.simulate("double-pendulum", 0.1, integrator="rk4", step=1e-4, checkpoint=gone / "a.npz",
                       progress=Impatient(0.2))  # fmt: skip
    assert r.status.name == "interrupted" and "no checkpoint" in r.explain()
    assert biela.resume(r).ok
