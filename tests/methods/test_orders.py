"""The order of the implicit integrators, measured: in positions, velocities and constraint forces, in two sets of
coordinates, on a chain, a top and a closed mechanism. (Explicit and multistep ones: test_order.)"""

from functools import cache

import numpy as np
import pytest

import biela
from biela.methods.registry import INTEGRATORS
from shared_systems import simulated

IMPLICIT = [name for name, i in INTEGRATORS.items() if i.direct or i.stages]
# duration, and a step in the asymptotic range of order two (four times as long for order four: above rounding)
PROBLEMS = {"double-pendulum": (0.4, 4e-3), "heavy-top": (0.08, 2.5e-4), "andrews": (0.004, 5e-5)}
SETS = ("natural", "reference-point")


def end(r: biela.Result) -> tuple[np.ndarray, ...]:
    """q, v and B^T lam at the end: redundant rows share their load in more than one way, their sum has one."""
    # (newmark lets the rates of the constraints go, and energy with them: it may be bad, and converge)
    assert r.finished and (r.ok or r.trajectory.step), r.explain()
    q, v = r.q[-1], r.v[-1]
    return q, v, r.system.at(q, v, float(r.t[-1])).B.T @ r.trajectory.lam[-1]


@cache
def truth(name: str, coordinates: str) -> tuple[np.ndarray, ...]:
    return end(simulated(name, PROBLEMS[name][0], coordinates=coordinates, formulation="lagrange",
                         integrator="dop853", tolerance=1e-13, samples=1))  # fmt: skip


def slopes(name: str, coordinates: str, integrator: str) -> np.ndarray:
    """Of positions, velocities, constraint forces: how errors fall where the step is halved."""
    duration, step = PROBLEMS[name]
    step *= 4 if INTEGRATORS[integrator].order == 4 else 1
    formulation = None if INTEGRATORS[integrator].direct else "lagrange"
    errors = []
    for h in (step, step / 2):
        r = simulated(name, duration, coordinates=coordinates, formulation=formulation, integrator=integrator, step=h,
                      samples=1)  # fmt: skip
        errors.append([np.abs(a - b).max() for a, b in zip(end(r), truth(name, coordinates), strict=True)])
    return np.log2(np.divide(*errors))


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("integrator", IMPLICIT)
def test_order(integrator: str, name: str, coordinates: str):
    i = INTEGRATORS[integrator]
    if i.coordinates and coordinates not in i.coordinates:
        pytest.skip(f"{integrator} does not work in {coordinates} coordinates")
    found = slopes(name, coordinates, integrator)
    known = {"newmark": 2, "conserving4": 1}.get(integrator, 3)  # multipliers of the one: see below; [D.30]
    assert (found[:known] > i.order - 0.25).all(), found


def test_without_damping_multipliers_at_index_3_need_not_converge():
    """Their errors have the double root -1 and add up: [D.20]. The stabilised form with the same constants is cured."""
    weak, cured = slopes("heavy-top", "natural", "newmark"), slopes("heavy-top", "natural", "ali3")
    assert weak[0] > 1.75 and weak[1] > 1.75 and weak[2] < 0.5, weak
    assert (cured > 1.75).all(), cured
