"""Fixed steps through singular positions: each method keeps its order, and what is foreseen is what it should be."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import biela
from biela.methods.integrators.explicit.adams_singular import _EIGHT, _SIX
from loops import crank_at, loops


@pytest.mark.parametrize("weights", [_SIX, _EIGHT])
def test_polynomials_are_continued_exactly(weights: np.ndarray) -> None:
    back = -np.arange(len(weights), dtype=float)
    for power in range(len(weights)):
        assert weights @ back**power == pytest.approx(1.0, abs=1e-9)
    assert abs(weights @ back ** len(weights) - 1.0) > 0.5


def error(N: int, integrator: str, step: float, formulation: str = "augmented", duration: float = 10.0) -> float:
    system = biela.assemble(loops(N), "natural")
    r = biela.simulate(system, duration, samples=1, formulation=formulation, integrator=integrator, step=step)
    assert r.ok
    return float(np.hypot(*(np.array([r["B0.x"][-1], r["B0.y"][-1]]) - crank_at(N, duration))))


# fourteen singular positions in ten seconds; the steps are such that the ends of some lie right beside them
@pytest.mark.parametrize("N, integrator, steps, last", [
    (N, *method) for numbers, *method in [
        ((2, 20), "rk4", (0.01, 0.0071, 0.005, 0.0025, 0.00125), 5e-7),
        ((7,), "ab4", (0.01, 0.0071, 0.005, 0.0025, 0.00125), 6e-6),
        ((2, 20), "abm4", (0.01, 0.0071, 0.005, 0.0025, 0.00125), 2e-6),
        ((7,), "ab6", (0.0071, 0.005, 0.0025, 0.00125), 5e-8),
        ((2, 20), "abm8", (0.0238, 0.02, 0.0168, 0.0141, 0.01, 0.0071, 0.005), 2e-8),
    ] for N in numbers
])  # fmt: skip
def test_orders_through_singular_positions(N: int, integrator: str, steps: tuple[float, ...], last: float) -> None:
    found = [error(N, integrator, h) for h in steps]
    assert found[-1] < last
    order = {"rk4": 4, "ab4": 4, "abm4": 4, "ab6": 6, "abm8": 8}[integrator]
    fall = np.log(found[0] / found[-1]) / np.log(steps[0] / steps[-1])
    assert fall > order - 1.0, found
    assert all(b < 5 * a for a, b in pairwise(found)), found


@pytest.mark.parametrize("N", [2, 10, 20, 40])
def test_penalty_gets_no_worse_with_shorter_steps(N: int) -> None:
    """Down to its own softness, and to steps of which several end within it (see [I.25])."""
    found = [error(N, "abm8", h, "penalty") for h in (0.0238, 0.02, 0.0168, 0.0141, 0.01, 0.0071, 0.005)]
    assert max(found[1:]) < 5e-4 and max(found[4:]) < 3e-5, found


@pytest.mark.parametrize("L", [1.0, 1e-3, 1e-6])
@pytest.mark.parametrize("formulation, integrator, step, bound", [
    ("augmented", "abm8", 1e-3, 1e-6), ("augmented", "abm4", 2e-3, 5e-6), ("augmented", "rk4", 1e-3, 1e-6),
])  # fmt: skip
def test_small_mechanisms_move_like_large_ones(
    L: float, formulation: str, integrator: str, step: float, bound: float
) -> None:
    """Lengths, gravity and velocities of one scale: the motion is the same, in micrometres, too."""
    m = biela.Model(gravity=(0, -9.81 * L))
    for i in range(3):
        m.add_ground(f"A{i}", i * L, 0).add_point(f"B{i}", i * L, L)
        m.add_bar(f"crank{i}", f"A{i}", f"B{i}", length=L, mass=1e-9)
    for i in range(1, 3):
        m.add_bar(f"rod{i}", f"B{i - 1}", f"B{i}", length=L, mass=1e-9)
    m.start(velocity={"B0.x": L})
    system = biela.assemble(m, "natural")
    r = biela.simulate(system, 5.0, samples=1, formulation=formulation, integrator=integrator, step=step)
    there = np.array(crank_at(2, 5.0))
    assert r.ok and np.hypot(*(np.array([r["B0.x"][-1], r["B0.y"][-1]]) / L - there)) < bound


def test_a_run_that_lost_its_branch_says_so() -> None:
    """Penalty with steps that end in its soft neighbourhood of the singular positions."""
    system = biela.assemble(loops(20), "natural")
    r = biela.simulate(system, 5.0, samples=1, formulation="penalty", integrator="ab6", step=5e-4)
    lost = r.trajectory.energy_error > 1e-3 * system.arrays.ctl.largest_energy
    assert lost == any("close to a singular position" in n for n in r.notes)
    good = biela.simulate(system, 5.0, samples=1, formulation="augmented", integrator="abm8", step=5e-3)
    assert good.ok and not any("singular" in n for n in good.notes)


@pytest.mark.parametrize("law", ["0.5*tanh((t-0.5)*100)", "0.5*(1+tanh(50*(t-0.5)))", "1e-3*exp(-(30*(t-0.5))^2)"])
@pytest.mark.parametrize("options", [{}, {"integrator": "dopri5"}, {"integrator": "rk4", "adaptive": True}])
@pytest.mark.parametrize("gravity", [-9.81, 0.0])
def test_drivers_that_begin_with_nothing(law: str, options: dict, gravity: float) -> None:
    """Motions that are rounding for a while: nobody asks for the digits of their work."""
    m = biela.Model(gravity=(0, gravity)).add_ground("O", 0, 0).add_point("A", 1, 0)
    m.add_bar("crank", "O", "A", length=1, mass=1).add_coordinate("psi", "angle", of=("O", "A"))
    m.add_driver("m", "psi", law)
    r = biela.simulate(m, 1.0, samples=50, **options)
    assert r.ok and r.trajectory.steps < 3000
    reference = biela.simulate(m, 1.0, samples=50, integrator="dop853", tolerance=1e-10)
    assert np.abs(r["A.x"] - reference["A.x"]).max() < 1e-6


@pytest.mark.parametrize("formulation", ["penalty", "augmented"])
def test_a_penalty_that_leaves_no_digits_is_told(formulation: str) -> None:
    for alpha, told in ((1e7, False), (1e14, True)):
        r = biela.simulate("double-four-bar", 0.3, formulation=formulation, integrator="rk4", step=1e-3, alpha=alpha)
        assert any("digits are left" in n for n in r.notes) == told


@pytest.mark.parametrize("integrator", ["ab6", "abm8"])
def test_quaternions_of_open_trees_keep_their_length(integrator: str) -> None:
    system = biela.assemble("dzhanibekov", "relative")
    r = biela.simulate(system, 2.0, samples=20, integrator=integrator, step=4e-3)
    assert r.ok and system.m == 0 and len(system.arrays.quat_q) == 1
    first = int(system.arrays.quat_q[0])
    length = np.linalg.norm(r.trajectory.y[:, first : first + 4], axis=1)
    assert np.abs(length - 1.0).max() < 1e-14
