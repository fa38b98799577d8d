"""Redundant rows: the same independent ones serve a whole step, so that every method keeps its order on such loops."""

from functools import cache

import numpy as np
import pytest

import biela
import overconstrained
from loops import bennett

SETS = ("natural", "relative", "reference-point")
SPAN = 1.5
NEVER = {"sarrus", "parallel cranks"}  # these pass singular positions: test_singular_steps


def mechanism(kind: str) -> biela.Model:
    data, driven, _ = overconstrained.KINDS[kind](np.random.default_rng(3))
    return biela.Model(**data, initial={"velocity": {driven: 2.0}})


def at_end(model: biela.Model, coordinates: str, **options: object) -> np.ndarray:
    r = biela.simulate(model, SPAN, coordinates=coordinates, **options)
    assert r.ok, r.explain()
    return r.trajectory.last[1][: r.system.nq]


@cache
def truth(kind: str, coordinates: str) -> np.ndarray:
    return at_end(mechanism(kind), coordinates, formulation="projection", integrator="dopri8", tolerance=1e-12)


@pytest.mark.parametrize("kind", sorted(set(overconstrained.KINDS) - NEVER))
@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("formulation", ["lagrange", "baumgarte", "augmented"])
def test_fixed_steps_keep_their_order(kind: str, coordinates: str, formulation: str) -> None:
    """Another choice of rows at another stage, or a redundant row that pulls, costs the order, or four digits."""
    model, right = mechanism(kind), truth(kind, coordinates)
    steps = (8e-3, 4e-3, 2e-3)
    errors = [
        float(np.abs(at_end(model, coordinates, formulation=formulation, integrator="rk4", step=h) - right).max())
        for h in steps
    ]
    order = float(np.polyfit(np.log(steps), np.log(errors), 1)[0])
    assert 3.5 < order < 5.0, errors
    assert errors[-1] < 2e-8, errors


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("formulation", ["lagrange", "augmented"])
def test_bennett_keeps_its_energy(coordinates: str, formulation: str) -> None:
    """Steps of 2 ms for 5 s; left-out rows neither brake the mechanism nor come apart."""
    r = biela.simulate(bennett(), 5, coordinates=coordinates, formulation=formulation, integrator="rk4", step=2e-3)
    assert r.ok and r.verdict.grade != "bad", r.explain()
    assert r.trajectory.energy_error < 1e-6
    assert r.trajectory.violation < 1e-7


@pytest.mark.parametrize("coordinates", SETS)
def test_auto_takes_long_steps_on_redundant_loops(coordinates: str) -> None:
    r = biela.simulate(bennett(), 5, coordinates=coordinates)
    assert r.ok and r.settings.integrator.name == "dopri8"
    assert r.trajectory.seen.lower == 0 and r.trajectory.steps < 90
    assert r.trajectory.energy_error < 1e-6
    right = biela.simulate(bennett(), 5, coordinates=coordinates, formulation="projection", tolerance=1e-11)
    assert abs(float(r["J1.angle"][-1]) - float(right["J1.angle"][-1])) < 3e-7


def test_rows_left_out_are_implied_by_the_others() -> None:
    """As many as are too many; each is a sum of rows in use, none of them more than about once."""
    system = biela.assemble(mechanism("bennett"), "reference-point")
    r = biela.simulate(system, 0.5, formulation="lagrange", integrator="rk4", step=1e-3)
    s = system.arrays
    out = s.left_out[:-1] == 1
    assert s.left_out[-1] == 1 and out.sum() == len(s.active) - system.rank
    B = system.at(r.trajectory.last[1][: system.nq]).B * np.sqrt(s.weight[: system.m])[:, None]
    c, _, rank, _ = np.linalg.lstsq(B[~out].T, B[out].T, rcond=1e-9)
    assert rank == system.rank
    assert np.abs(B[~out].T @ c - B[out].T).max() < 1e-6
    assert np.abs(c).max() < 1.5


def test_a_choice_of_rows_survives_an_interruption(tmp_path) -> None:
    """Resumed bit for bit: the rows in use are part of where a run is."""
    whole = biela.simulate(bennett(), 2, formulation="augmented", integrator="rk4", step=1e-3)

    def stop(fraction: float, steps: int) -> None:
        if fraction > 0.3:
            raise KeyboardInterrupt

    file = tmp_path / "place.npz"
    part = biela.simulate(bennett(), 2, formulation="augmented", integrator="rk4", step=1e-3, progress=stop,
                          checkpoint=file)  # fmt: skip
    if not file.exists():
        pytest.skip("it was over before it could be interrupted")
    rest = biela.resume(file)
    assert not part.ok and rest.ok
    np.testing.assert_array_equal(rest.trajectory.last[1], whole.trajectory.last[1])


def test_samples_do_not_change_the_run() -> None:
    few, many = (biela.simulate(bennett(), 3, samples=n) for n in (3, 700))
    np.testing.assert_array_equal(few.trajectory.last[1], many.trajectory.last[1])
    assert few.trajectory.steps == many.trajectory.steps
