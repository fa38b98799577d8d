"""Variable steps: the accuracy asked for, what is kept all the same, the physical criterion, and what is refused."""

from functools import cache

import numpy as np
import pytest

import biela
from biela import MethodError
from biela.methods.registry import INTEGRATORS
from shared_systems import simulated

ONE_STEP = [name for name, i in INTEGRATORS.items() if not (i.multistep or i.equal_steps or i.adaptive) and i.order > 1]
PROBLEMS = {"double-pendulum": 0.5, "andrews": 0.005, "heavy-top": 0.1}


@cache
def truth(name: str) -> biela.Result:
    return biela.simulate(name, PROBLEMS[name], coordinates="natural", formulation="lagrange", integrator="dop853",
                          tolerance=1e-13, samples=10)  # fmt: skip


def share_of_tolerance(r: biela.Result, right: biela.Result, tolerance: float) -> float:
    """The largest error of positions and velocities, at any sample, in units of the tolerance."""
    size = r.system.nq + r.system.n
    y, wanted = r.trajectory.y[:, :size], right.trajectory.y[:, :size]
    return float((np.abs(y - wanted) / (min(r.system.size, 1.0) + np.abs(wanted).max(axis=0))).max() / tolerance)


def accuracies() -> list[tuple[str, str, float]]:
    """Down to 1e-10 where the order is four; two orders make do with what takes seconds."""
    finest = {"double-pendulum": 1e-6, "andrews": 1e-6, "heavy-top": 1e-5}
    out = []
    for name in ONE_STEP:
        for problem, tolerance in finest.items():
            out += [(name, problem, tol) for tol in (1e-4, 1e-10 if INTEGRATORS[name].order > 3 else tolerance)]
    return out


@pytest.mark.parametrize("integrator, problem, tolerance", accuracies())
def test_the_accuracy_asked_for_is_reached(integrator: str, problem: str, tolerance: float):
    r = simulated(problem, PROBLEMS[problem], coordinates="natural", integrator=integrator, adaptive=True,
                  tolerance=tolerance, samples=10)  # fmt: skip
    assert r.ok and r.trajectory.step is None, r.explain()
    assert share_of_tolerance(r, truth(problem), tolerance) < 10


@pytest.mark.parametrize("coordinates", ["natural", "reference-point"])
def test_conserving_conserves_with_variable_steps(coordinates: str):
    r = biela.simulate("double-pendulum", 2, coordinates=coordinates, integrator="conserving", adaptive=True,
                       tolerance=1e-5, samples=50)  # fmt: skip
    E = np.asarray(r["energy.total"])
    assert r.ok and np.abs(E - E[0]).max() < 1e-9 * r.energy_scale, r.quality()
    assert r.trajectory.violation < 1e-11


def test_decaying_decays_with_variable_steps():
    r = biela.simulate("double-pendulum", 1, integrator="decaying", adaptive=True, tolerance=1e-4, samples=50)
    E = np.asarray(r["energy.total"])
    assert r.ok and np.diff(E).max() < 1e-10 * r.energy_scale


@pytest.mark.parametrize("integrator", ["rk4", "gauss", "ali3", "dopri5", "generalized-alpha"])
def test_energy_steers_as_well(integrator: str):
    """000 4.2: the energy error of the run stays within the tolerance, and follows it."""
    found = []
    for tolerance in (1e-4, 1e-6):
        r = biela.simulate("double-pendulum", 0.5, coordinates="natural", integrator=integrator, adaptive=True,
                           criterion="energy", tolerance=tolerance, samples=10)  # fmt: skip
        assert r.ok and r.trajectory.energy_error < 10 * tolerance * r.energy_scale, r.explain()
        found.append((r.trajectory.steps, r.trajectory.energy_error))
    assert found[1][0] > found[0][0] and found[1][1] < found[0][1]


def test_the_longest_step_is_kept():
    r = biela.simulate("double-pendulum", 0.5, integrator="gauss", adaptive=True, tolerance=1e-3, step=1e-3, samples=10)
    assert r.ok and r.trajectory.steps >= 500


def test_samples_lie_on_the_constraints():
    r = biela.simulate("four-bar", 0.2, integrator="generalized-alpha", adaptive=True, tolerance=1e-4, samples=200)
    s = r.system
    worst = max(np.abs(s.at(q, v, t).Phi).max() for t, q, v in zip(r.t, r.q, r.v, strict=True))
    assert r.ok and worst < 1e-9 * max(s.size, 1.0)


@pytest.mark.parametrize("integrator", ["bdf", "lsoda"])
def test_multistep_methods_of_variable_order(integrator: str):
    r = biela.simulate("double-pendulum", 0.5, coordinates="natural", integrator=integrator, tolerance=1e-9, samples=10)
    assert r.ok and share_of_tolerance(r, truth("double-pendulum"), 1e-9) < 500, r.quality()


@pytest.mark.parametrize("options, word", [
    ({"integrator": "abm4", "adaptive": True}, "abm4 has no variable step"),
    ({"integrator": "conserving4", "adaptive": True}, "conserving4 has no variable step"),
    ({"integrator": "rk4", "tolerance": 1e-6}, "tolerance = 1e-06 has no effect"),
    ({"integrator": "rk4", "criterion": "energy"}, "criterion = energy has no effect"),
    ({"integrator": "radau", "criterion": "energy"}, "criterion = energy has no effect"),
    ({"integrator": "rk4", "adaptive": True, "criterion": "taste"}, "no criterion 'taste'"),
    ({"integrator": "conserving", "adaptive": True, "criterion": "energy"}, "keeps it whatever the step"),
    ({"integrator": "decaying", "adaptive": True, "criterion": "energy"}, "loses some where a step differs"),
])  # fmt: skip
def test_refusals(options: dict, word: str):
    with pytest.raises(MethodError, match=word):
        biela.simulate("double-pendulum", 1, **options)
