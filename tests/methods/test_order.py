"""How fast each integrator converges: the measured order is the declared one, errors follow the tolerance."""

from functools import cache

import numpy as np
import pytest

from biela.methods.registry import FORMULATIONS, INTEGRATORS
from shared_systems import simulated

FIXED = [name for name, i in INTEGRATORS.items() if not i.adaptive and not i.direct]  # those: test_direct
# (model, duration, point): smooth and not chaotic within that time
PENDULUM = ("double-pendulum", 1.0, "P2")
FOUR_BAR = ("four-bar", 0.3, "P")
SLIDER_CRANK = ("slider-crank", 1.0, "A")
# steps of the coarsest run: in the asymptotic range, and the finest one still above round-off
STEPS = {
    "euler": 1000, "symplectic-euler": 1000, "rk2": 200, "rk4": 50, "trapezoidal": 200, "trapezoidal-newton": 200,
    "midpoint": 200, "gauss": 50, "ab4": 200, "abm4": 200, "ab6": 200, "abm8": 40,
}  # fmt: skip
CLOSED = {"ab6": 400, "abm8": 120}  # the loop is quicker


def run(problem: tuple[str, float, str], formulation: str, integrator: str, **options) -> np.ndarray:
    """Where the point is at the tenths of the duration."""
    model, duration, point = problem
    result = simulated(model, duration, formulation=formulation, integrator=integrator, samples=10, **options)
    # (coarse steps of order one lose some percent of the energy, and say so: their errors are what is measured)
    assert result.finished and (result.ok or "step" in options), result.explain()
    np.testing.assert_allclose(result.t, np.linspace(0, duration, 11), atol=1e-12)
    return np.asarray(result[point])


def distance(a: np.ndarray, b: np.ndarray) -> float:
    """The largest distance of two paths. (At the end alone, errors may cancel by chance.)"""
    return float(np.hypot(*(a - b).T).max())


@cache
def truth(problem: tuple[str, float, str], formulation: str) -> np.ndarray:
    """By the reference integrator. Penalty constraints give a little: that motion is compared with its own limit."""
    if formulation == "penalty":
        return run(problem, "penalty", "dop853", tolerance=1e-12)
    return run(problem, "lagrange", "dop853", tolerance=1e-13)


def errors(problem: tuple[str, float, str], formulation: str, name: str, **options) -> list[float]:
    """Errors of four runs, each with half the step of the one before; three where round-off is near."""
    first = CLOSED.get(name, STEPS[name]) if problem == FOUR_BAR else STEPS[name]
    if INTEGRATORS[name].iterates and not INTEGRATORS[name].stages:  # solved as exactly as the accelerations are known
        options["tolerance"] = 1e-11 if formulation == "penalty" else 1e-13
    steps = [problem[1] / (first * 2**k) for k in range(4 if INTEGRATORS[name].order < 6 else 3)]
    right = truth(problem, formulation)
    return [distance(run(problem, formulation, name, step=h, **options), right) for h in steps]


def measured_order(found: list[float]) -> float:
    """Slope of log(error) over log(step)."""
    return float(np.polyfit(-np.arange(len(found)) * np.log(2), np.log(found), 1)[0])


def assert_order(found: list[float], name: str) -> None:
    """The declared one. (At order eight round-off is reached before the next term of the error is gone.)"""
    off = measured_order(found) - INTEGRATORS[name].order
    assert abs(off) < 0.25 if INTEGRATORS[name].order < 8 else -0.5 < off < 1.25, found


def test_every_fixed_step_integrator_is_measured():
    assert set(STEPS) == set(FIXED)


@pytest.mark.parametrize("formulation", [f for f in FORMULATIONS if f != "penalty"])
@pytest.mark.parametrize("name", FIXED)
def test_order_on_the_double_pendulum(name: str, formulation: str):
    found = errors(PENDULUM, formulation, name)
    assert_order(found, name)


@pytest.mark.parametrize("name", FIXED)
def test_order_without_relative_coordinates(name: str):
    """The R matrix on Cartesian points: the independent ones are chosen anew on the way."""
    found = errors(PENDULUM, "projection", name, coordinates="natural")
    assert_order(found, name)


@pytest.mark.parametrize("formulation", ["lagrange", "baumgarte", "augmented"])
@pytest.mark.parametrize("name", FIXED)
def test_order_on_a_closed_loop(name: str, formulation: str):
    found = errors(FOUR_BAR, formulation, name)
    assert_order(found, name)


@pytest.mark.parametrize("name", [name for name in FIXED if INTEGRATORS[name].order < 4])
def test_order_of_the_penalty_formulation(name: str):
    """Its own limit is known to some 1e-9 only: enough for orders one and two."""
    found = errors(PENDULUM, "penalty", name)
    assert_order(found, name)


@pytest.mark.parametrize("formulation", [f for f in FORMULATIONS if f != "penalty"])
@pytest.mark.parametrize("problem", [PENDULUM, FOUR_BAR], ids=lambda p: p[0])
def test_errors_follow_the_tolerance(formulation: str, problem: tuple[str, float, str]):
    tolerances = 10.0 ** -np.arange(5, 11)
    right = truth(problem, formulation)
    found = [distance(run(problem, formulation, "dopri5", tolerance=tol), right) for tol in tolerances]
    slope = np.polyfit(np.log(tolerances), np.log(found), 1)[0]
    assert 0.75 < slope < 1.3, found
    assert all(error < 20 * tol for error, tol in zip(found, tolerances)), found


WAYS = {
    "dopri5": {"tolerance": 1e-8}, "rk4": {"step": 1e-3}, "abm4": {"step": 1e-3}, "trapezoidal": {"step": 1e-3},
}  # fmt: skip


@pytest.mark.parametrize("problem", [PENDULUM, FOUR_BAR, SLIDER_CRANK], ids=lambda p: p[0])
@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("integrator", WAYS)
def test_relative_coordinates_cost_no_accuracy(problem: tuple[str, float, str], formulation: str, integrator: str):
    """An angle that is only measured must not pull at the bodies: what it drifts is its own affair."""
    right = truth(problem, "lagrange")
    natural, mixed = (
        distance(run(problem, formulation, integrator, coordinates=c, **WAYS[integrator]), right)
        for c in ("natural", "mixed")
    )
    assert mixed < 10 * natural + 1e-6


@pytest.mark.parametrize("problem", [PENDULUM, FOUR_BAR], ids=lambda p: p[0])
def test_the_reference_integrators_agree(problem: tuple[str, float, str]):
    """Three programs, three families of methods."""
    one = truth(problem, "lagrange")
    assert np.abs(run(problem, "lagrange", "radau", tolerance=1e-11) - one).max() < 1e-9
    assert np.abs(run(problem, "augmented", "dopri5", tolerance=1e-12) - one).max() < 1e-10


@pytest.mark.parametrize("every", [1, 5])
def test_projections_do_not_spoil_the_order(every: int):
    """Back on the constraints every k steps (000 4.4.5): order four stays order four."""
    found = errors(PENDULUM, "lagrange", "rk4", project_every=every)
    assert abs(measured_order(found) - 4) < 0.3, found
