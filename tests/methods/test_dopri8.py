"""dopri8: its order, its samples between steps, singular positions, redundant rows, and runs that go on or begin anew.

And what came with it: augmented Lagrange that stops early and is refined, projections with the matrices of the last
evaluation, and SciPy's solvers at a singular position.
"""

from functools import cache
from math import log

import numpy as np
import pytest

import biela
from biela.methods import run as runs

FIRST_SINGULAR = 0.43752
"""s: folding-four-bar, where its bars first lie on one line"""


@cache
def tight(name: str, end: float, coordinates: str = "natural", samples: int = 200) -> biela.Result:
    """By dopri5, with errors far below those looked for. (SciPy's dop853 does not return to the constraints: on the
    four-bar it drifts by 1e-10, more than what is looked for here.)"""
    return biela.simulate(name, end, coordinates=coordinates, integrator="dopri5", tolerance=1e-13, samples=samples)


def state(r: biela.Result) -> np.ndarray:
    return r.trajectory.y[:, : r.system.nq + r.system.n]


def apart(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference, as a part of the largest number."""
    assert a.shape == b.shape
    return float(np.abs(a - b).max() / np.abs(b).max())


def arrays(r: biela.Result) -> list[bytes]:
    return [getattr(r.trajectory, name).tobytes() for name in ("t", "y", "ydot", "lam", "turns")]


@pytest.mark.parametrize("name, end", [("double-pendulum", 2.0), ("four-bar", 0.5), ("heavy-top", 0.5)])
def test_the_reference_is_that_of_scipy(name: str, end: float):
    other = biela.simulate(name, end, coordinates="natural", formulation="lagrange", integrator="dop853",
                           tolerance=1e-13, samples=1)  # fmt: skip
    assert apart(state(tight(name, end))[-1], state(other)[-1]) < 1e-9


# ------------------------------------------------------------------------------------------------------------ order
@pytest.mark.parametrize("name, end", [("double-pendulum", 2.0), ("four-bar", 0.5), ("heavy-top", 0.5)])
def test_a_tolerance_a_hundred_times_smaller_takes_as_many_steps_as_order_eight_asks_for(name: str, end: float):
    steps, errors = [], []
    for tolerance in (1e-8, 1e-10, 1e-12):
        r = biela.simulate(name, end, coordinates="natural", integrator="dopri8", tolerance=tolerance, samples=1)
        assert r.ok, r.explain()
        steps.append(r.trajectory.steps)
        errors.append(apart(state(r)[-1], state(tight(name, end))[-1]))
    assert log(1e4) / log(steps[2] / steps[0]) > 7.0  # order five takes 6.3 times as many, order eight 3.2
    assert errors[0] < 1e-6 and errors[1] < 0.03 * errors[0] and errors[2] < 1e-10


def test_fewer_evaluations_than_dopri5_for_the_same_error():
    found = {}
    for integrator, tolerance in (("dopri5", 1e-11), ("dopri8", 1e-10)):
        r = biela.simulate("double-pendulum", 2, coordinates="natural", integrator=integrator, tolerance=tolerance,
                           samples=1)  # fmt: skip
        found[integrator] = apart(state(r)[-1], state(tight("double-pendulum", 2.0))[-1]), r.trajectory.evaluations
    assert found["dopri8"][0] < 10 * found["dopri5"][0] and found["dopri8"][1] < 0.5 * found["dopri5"][1]


# ---------------------------------------------------------------------------------------------------------- samples
@pytest.mark.parametrize(
    "name, end, coordinates",
    [("double-pendulum", 2.0, "natural"), ("four-bar", 0.5, "natural"), ("four-bar", 0.5, "relative"),
     ("dzhanibekov", 5.0, "reference-point"), ("heavy-top", 0.5, "reference-point")],
)  # fmt: skip
def test_samples_between_steps_are_as_good_as_the_steps(name: str, end: float, coordinates: str):
    """Positions, quaternions, velocities, accelerations and multipliers, at many samples in each step."""
    right = tight(name, end, coordinates, 1000)
    r = biela.simulate(name, end, coordinates=coordinates, formulation="lagrange", integrator="dopri8", tolerance=1e-10,
                       samples=1000)  # fmt: skip
    assert r.ok and r.trajectory.steps < 400
    assert apart(state(r), state(right)) < 3e-8
    nq = r.system.nq
    assert apart(r.trajectory.ydot[:, nq:-1], right.trajectory.ydot[:, nq:-1]) < 1e-7
    if r.system.m:
        assert apart(r.trajectory.lam, right.trajectory.lam) < 1e-7
    if coordinates == "reference-point":
        top = next(iter(r.system.resolved.bodies))
        norm = sum(np.asarray(r[f"{top}.p{k}"]) ** 2 for k in range(4))
        assert np.abs(norm - 1).max() < 1e-14


def test_work_between_steps():
    """Energy and work agree at every sample, not at the ends of steps alone."""
    r = biela.simulate("mass-spring-damper", integrator="dopri8", tolerance=1e-10, samples=2000)
    assert r.ok and r.trajectory.steps < 100
    right = biela.simulate("mass-spring-damper", integrator="dopri5", tolerance=1e-12, samples=2000)
    assert apart(r.trajectory.y[:, -1], right.trajectory.y[:, -1]) < 1e-8
    assert np.abs(np.asarray(r["energy.error"])).max() < 1e-7 * r.energy_scale


def damped(mass: float) -> biela.Model:
    model = biela.Model(name="damped", gravity=(0, -9.8)).add_ground("O", 0, 0).add_ground("X", 0, 1)
    model.add_point("A", 0, 0.5).add_point("B", 0, 1).add_mass("a", "A", mass).add_mass("b", "B", 250)
    for point in ("A", "B"):
        model.add_joint(f"guide{point}", "point-on-line", point=point, line=("O", "X"))
    model.add_force("tyre", "spring", points=("O", "A"), stiffness=160000)
    return model.add_force("suspension", "spring", points=("A", "B"), stiffness=16000, damping=15000)


def test_samples_of_a_damped_motion_are_as_good_as_the_steps():
    """With a tolerance of 1e-8, and errors below 1e-8 at the ends of steps. Its steps are at the limit of stability,
    where rounding decides which of them is taken again: the error of one run says little, that of eleven more."""
    ends = []
    for k in range(11):
        model = damped(50 * (1 + 1e-13 * k))
        right = biela.simulate(model, 2, integrator="dopri5", tolerance=1e-12)
        r = biela.simulate(model, 2, integrator="dopri8")
        assert r.ok
        ends.append(apart(state(r)[-1], state(right)[-1]))
        nq = r.system.nq
        assert apart(r.trajectory.ydot[:, nq:-1], right.trajectory.ydot[:, nq:-1]) < 1e-5
    assert np.median(ends) < 1e-8 and max(ends) < 3e-8


def test_samples_satisfy_the_constraints():
    r = biela.simulate("four-bar", 0.5, samples=500)
    system, nq = r.system, r.system.nq
    for k in range(0, 501, 25):
        here = system.at(r.trajectory.y[k, :nq], r.trajectory.y[k, nq:-1], float(r.t[k]))
        assert np.abs(here.Phi).max() < 1e-11 and np.abs(here.Phi_dot).max() < 1e-9


@pytest.mark.parametrize("name", ["double-pendulum", "four-bar", "andrews", "bricard", "heavy-top"])
def test_samples_do_not_steer_the_steps(name: str):
    few, many = (biela.simulate(name, tight_end(name), integrator="dopri8", samples=k) for k in (1, 3000))
    assert few.trajectory.steps == many.trajectory.steps
    assert apart(few.trajectory.y[-1], many.trajectory.y[-1]) < 1e-10


def tight_end(name: str) -> float:
    return {"andrews": 0.02, "bricard": 1.0}.get(name, 0.5)


def test_samples_do_not_steer_the_steps_near_singular_positions():
    few, many = (biela.simulate("folding-four-bar", integrator="dopri8", samples=k) for k in (1, 1000))
    assert few.trajectory.steps == many.trajectory.steps


def test_long_steps_lose_no_turns():
    """dopri5 takes more, shorter steps here, and counts right."""
    m = biela.Model(name="bar").add_ground("O", 0, 0).add_point("A", 1, 0).add_bar("b", "O", "A", length=1, mass=3)
    m.add_force("k", "spring", bodies=("ground", "b"), stiffness=1e-4, free=0).start(velocity={"b.angle": 1})
    r = biela.simulate(m, 60, coordinates="relative", integrator="dopri8", samples=7)
    assert r.ok and np.abs(np.asarray(r["k.angle"]) - 100 * np.sin(0.01 * r.t)).max() < 1e-6


@pytest.mark.parametrize("criterion", ["error", "energy"])
def test_nothing_else_steers_its_steps(criterion: str):
    with pytest.raises(biela.errors.MethodError, match="estimate of its own"):
        biela.simulate("double-pendulum", 2, integrator="dopri8", criterion=criterion)


# ---------------------------------------------------------------------------------- singular positions, redundant rows
@pytest.mark.parametrize("tolerance", [1e-8, 1e-9, 1e-10, 1e-11])
def test_lagrange_stops_at_the_first_singular_position(tolerance: float):
    """Long steps do not leap over it."""
    r = biela.simulate("folding-four-bar", formulation="lagrange", integrator="dopri8", tolerance=tolerance)
    assert r.status.name == "singular" and not r.ok
    assert abs(r.trajectory.stopped_at - FIRST_SINGULAR) < 1e-3 and FIRST_SINGULAR - 0.005 < r.t[-1] < FIRST_SINGULAR


def test_augmented_passes_it():
    """All the way, as well as dopri5 does with more steps."""
    right = biela.simulate("folding-four-bar", integrator="dopri5", tolerance=1e-11)
    r, five = (biela.simulate("folding-four-bar", integrator=i, tolerance=1e-8) for i in ("dopri8", "dopri5"))
    assert r.ok and r.t[-1] == right.t[-1] and r.trajectory.steps < five.trajectory.steps
    assert apart(state(r), state(right)) < apart(state(five), state(right)) < 1e-4


def test_far_from_the_origin_it_is_still_of_order_eight():
    """A first step that is far too long, and rejected, is no singular position."""
    steps = []
    for x in (0.0, 1e4):
        m = biela.Model(name="far", gravity=(0, -9.81)).add_ground("O", x, 0).add_point("A", x + 1, 0)
        m.add_point("B", x + 2, 0).add_mass("a", "A", 1).add_mass("b", "B", 1)
        m.add_joint("OA", "distance", points=("O", "A")).add_joint("AB", "distance", points=("A", "B"))
        steps.append(biela.simulate(m, 3, integrator="dopri8", samples=5).trajectory.steps)
    assert steps[1] < 1.5 * steps[0]


def test_redundant_rows_are_no_reason_for_a_lower_order():
    """Some are left out for a whole step ([F.18]); with all of them, as `penalty` has them, dopri5 does it."""
    eight, five = (biela.simulate("bricard", 1, integrator=i, samples=50) for i in ("dopri8", "dopri5"))
    assert eight.system.rank < eight.system.m
    assert eight.trajectory.seen.lower == 0 and eight.trajectory.steps < 0.7 * five.trajectory.steps
    assert apart(state(eight), state(five)) < 1e-6
    soft = biela.simulate("bricard", 0.2, formulation="penalty", integrator="dopri8", samples=5).trajectory
    assert soft.seen.lower == soft.steps


@pytest.mark.parametrize("name", ["bricard", "car-axis", "cardan", "jansen", "peaucellier", "chebyshev"])
def test_augmented_solves_the_equations_with_redundant_rows(name: str):
    """M a + B^T lam = Q and B a = gamma at every sample; and B^T lam, which is determinate, as with lagrange."""
    r = biela.simulate(name, 0.3, formulation="augmented", samples=20)
    other = biela.simulate(name, 0.3, formulation="lagrange", tolerance=1e-10, samples=20)
    assert r.ok and other.ok and r.system.rank < r.system.m
    system, nq, m = r.system, r.system.nq, r.system.m
    pulls = []
    for result in (r, other):
        pulls.append([])
        for k in range(len(result.t)):
            y, a, lam = (x[k] for x in (result.trajectory.y, result.trajectory.ydot[:, nq:-1], result.trajectory.lam))
            here = system.at(y[:nq], y[nq:-1], float(result.t[k]))
            pull = here.B.T @ lam[:m]
            pulls[-1].append(pull)
            if result is r:
                left = np.abs(here.M @ a + pull - here.Q).max()
                assert left < 1e-10 * max(np.abs(here.Q).max(), np.abs(pull).max())
                size = max(np.abs(here.gamma).max(), np.abs(here.B).max() * np.abs(a).max())
                assert np.abs(here.B @ a - here.gamma).max() < 1e-10 * size
    assert apart(np.array(pulls[0]), np.array(pulls[1])) < 1e-5


# ------------------------------------------------------------------------------------------- go on, and begin anew
@pytest.mark.parametrize(
    "name, end", [("double-pendulum", 5.0), ("n-four-bar", 3.0), ("bricard", 3.0), ("heavy-top", 1.0)]
)
def test_resumed_equals_uninterrupted(name: str, end: float, tmp_path, monkeypatch):
    """Bit for bit, in the middle of everything: among samples, between its own steps and those of dopri5."""
    monkeypatch.setattr(runs, "_first_chunk", lambda system: 13)
    monkeypatch.setattr(runs, "_next_chunk", lambda chunk, seconds: 13)
    stopped = []

    def impatient(fraction: float, steps: int) -> None:
        if 0.3 < fraction < 1.0:
            stopped.append(fraction)
            raise KeyboardInterrupt

    options = {"integrator": "dopri8", "samples": 100}
    through = biela.simulate(name, end, **options)
    file = tmp_path / "run.npz"
    half = biela.simulate(name, end, progress=impatient, checkpoint=file, **options)
    assert stopped and half.status.name == "interrupted" and half.t[-1] < end
    for whole in (biela.resume(file), biela.resume(half)):
        assert arrays(whole) == arrays(through)
        assert whole.trajectory.evaluations == through.trajectory.evaluations


@pytest.mark.parametrize("name", ["bouncing-ball", "clutch", "pendulum-stop"])
def test_a_system_with_events_begins_anew(name: str):
    system = biela.assemble(name)
    start = system.q0.copy(), system.v0.copy()
    first = biela.simulate(system, samples=50)
    biela.simulate(system, 0.5, samples=5)
    assert np.array_equal(system.q0, start[0]) and np.array_equal(system.v0, start[1])
    assert arrays(biela.simulate(system, samples=50)) == arrays(first) == arrays(biela.simulate(name, samples=50))


# ------------------------------------------------------------------------------------------------ what came with it
@pytest.mark.parametrize("integrator", ["radau", "bdf"])
def test_scipy_meets_a_singular_position_without_an_exception(integrator: str):
    r = biela.simulate("n-four-bar", formulation="lagrange", integrator=integrator, tolerance=1e-12, samples=50)
    assert not r.ok and r.status.name in ("singular", "oracle", "step_too_small", "not_finite")
    assert 0.70 < r.t[-1] < 0.73 and np.isfinite(r.trajectory.y).all() and np.isfinite(r.trajectory.ydot).all()
    assert r.trajectory.energy_error < 1e-9 * r.energy_scale and r.trajectory.violation < 1e-9
    assert "stopped at t" in r.explain()


@pytest.mark.parametrize(
    "name, end, step, allowed",
    [("double-pendulum", 1.0, 5e-4, 1e-9), ("four-bar", 0.5, 5e-4, 1e-8), ("andrews", 0.02, 1e-5, 1e-8),
     ("spatial-slider-crank", 1.0, 1e-3, 1e-7), ("folding-four-bar", 2.0, 1e-3, 1e-6)],
)  # fmt: skip
@pytest.mark.parametrize("integrator", ["abm8", "abm4"])
def test_projections_with_the_last_matrices_lead_to_the_same(name, end, step, allowed, integrator):
    """The constraints are met, and the mechanism is not moved along its freedoms."""
    r = biela.simulate(name, end, coordinates="natural", integrator=integrator, step=step, project_every=1, samples=40)
    right = biela.simulate(name, end, coordinates="natural", integrator="dopri8", tolerance=1e-11, samples=40)
    assert r.ok and r.trajectory.violation < 1e-10 * max(1.0, r.system.size)
    assert apart(state(r), state(right)) < (allowed if integrator == "abm8" else 1e-4)


def test_omega_is_nought_only_where_steps_end_on_the_constraints():
    """docs/choose.md"""
    settings = biela.simulate("double-pendulum", 0.01).settings
    assert (settings.omega, settings.project_every) == (0.0, 1)
    for options in ({"project_every": 0}, {"project_every": 5}, {"formulation": "baumgarte"}, {"integrator": "rk4"}):
        assert biela.simulate("double-pendulum", 0.01, **options).settings.omega == 10.0
    assert biela.simulate("double-pendulum", 0.01, omega=3).settings.omega == 3.0


def test_samples_of_a_smooth_motion_are_the_polynomials():
    """Its slope fulfils the equations: three stages and five slopes in a step, one evaluation in a sample, hardly a
    step of its own."""
    few, many = (biela.simulate("double-pendulum", 10, samples=n, integrator="dopri8").trajectory for n in (1, 1000))
    assert few.steps == many.steps
    assert many.evaluations - few.evaluations < 1.1 * (8 * many.steps + 1000)
