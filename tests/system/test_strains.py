"""What force elements are laws of: rates, gradients, discrete gradients and their derivatives, by differences."""

from __future__ import annotations

import numpy as np
import pytest

import biela
from biela.kernels.strains import strain as of
from biela.model.resolved import STRAINS
from biela.system.system import System

STEP = 1e-6


def in_the_plane() -> biela.Model:
    m = biela.Model(name="strained", gravity=(0, -9.81)).add_ground("O", 0, 0).add_ground("G", 1.5, 0.4)
    m.add_point("A", 0.6, 0.5).add_point("B", 1.3, -0.2).add_bar("u", "O", "A", mass=1).add_bar("w", "A", "B", mass=2)
    m.add_coordinate("d", "distance", points=("G", "B"))
    m.add_force("line", "spring", points=("G", "A"), stiffness=30, free=0.4)
    m.add_force("turn", "spring", bodies=("u", "w"), stiffness=5, free=0.3)
    return m.add_force("on", "spring", coordinate="d", stiffness=7, free=0.2)


def in_space() -> biela.Model:
    return biela.Model.model_validate({
        "name": "strained", "dimension": 3, "gravity": [0, 0, -9.81], "ground": {"O": [0, 0, 0], "G": [0.4, 0.9, 0.3]},
        "bodies": {"b": {"mass": 2, "center": [0.3, 0.1, 0.2], "inertia": [0.3, 0.4, 0.5], "position": [0, 0, 0],
                         "points": {"A": [0, 0, 0], "P": [0.7, 0.2, -0.1]}}},
        "joints": {"J": {"type": "revolute", "bodies": ["ground", "b"], "at": ["O", "A"], "axis": [0.2, 0.3, 1.0]}},
        "forces": {"line": {"type": "spring", "points": ["G", "P"], "stiffness": 9, "free": 0.1},
                   "on": {"type": "spring", "coordinate": "J.angle", "stiffness": 2}},
    })  # fmt: skip


@pytest.fixture(scope="module", params=[in_the_plane, in_space])
def system(request) -> System:
    return biela.assemble(request.param(), "natural")


def states(system: System) -> tuple[np.ndarray, np.ndarray]:
    """Two positions, the variables x of which need no constraints here."""
    rng, x = np.random.default_rng(5), np.array(system.arrays.x)
    return x + 0.2 * rng.normal(size=len(x)), x + 0.2 * rng.normal(size=len(x))


def mean_force(system: System, l: int, xa: np.ndarray, xb: np.ndarray, force: float) -> np.ndarray:
    F = np.zeros_like(xa)
    of.mean_pull(system.header, l, force, *of.strain_at(system.header, l, xa)[1:],
                 *of.strain_at(system.header, l, xb)[1:], F)  # fmt: skip
    return F


def test_each_strain_there_is_has_an_element_here():
    found = {f.kind for m in (in_the_plane(), in_space()) for f in biela.assemble(m, "natural").equations.forces}
    assert found == set(STRAINS)


def test_rate_and_gradient_are_derivatives_of_the_value(system: System):
    x, xb = states(system)
    s = system.arrays
    s.x[:], s.xd[:] = x, xb - x
    for l in range(len(s.element_law)):
        value, rate, a, b, c, d = of.strain(system.header, l)
        ahead, behind = (of.strain_at(system.header, l, x + h * (xb - x))[0] for h in (STEP, -STEP))
        assert value == pytest.approx(of.strain_at(system.header, l, x)[0], abs=1e-14)
        assert rate == pytest.approx((ahead - behind) / (2 * STEP), rel=1e-7, abs=1e-9)
        F = np.zeros_like(x)
        of.pull(system.header, l, 2.5, a, b, c, d, F)
        steps = STEP * np.eye(len(x))
        slope = [of.strain_at(system.header, l, x + e)[0] - of.strain_at(system.header, l, x - e)[0] for e in steps]
        np.testing.assert_allclose(F, 2.5 * np.array(slope) / (2 * STEP), rtol=1e-7, atol=1e-8)


def test_work_of_the_mean_force_is_exactly_force_times_strain(system: System):
    """002 (21)"""
    xa, xb = states(system)
    for l in range(len(system.arrays.element_law)):
        for end in (xb, xa + 1e-7 * (xb - xa)):  # a long way and a short one
            start, stop = of.strain_at(system.header, l, xa)[0], of.strain_at(system.header, l, end)[0]
            work = mean_force(system, l, xa, end, 3.0) @ (end - xa)
            assert work == pytest.approx(3.0 * (stop - start), rel=1e-8, abs=1e-15)


def test_tangent_of_the_mean_force(system: System):
    xa, xb = states(system)
    n, slope = len(xa), -4.0
    for l in range(len(system.arrays.element_law)):
        for end in (xb, xa + 1e-5 * (xb - xa)):

            def force(x: np.ndarray, l: int = l, end: np.ndarray = end) -> np.ndarray:
                apart = of.strain_at(system.header, l, x)[0] - of.strain_at(system.header, l, end)[0]
                return mean_force(system, l, xa, x, 3.0 + slope * apart)

            T = np.zeros(n * n)
            of.add_mean_tangent(system.header, l, 3.0, slope, 0.5, *of.strain_at(system.header, l, xa)[1:],
                                *of.strain_at(system.header, l, end)[1:], T, n)  # fmt: skip
            told = np.array([(force(end + e) - force(end - e)) / (2 * STEP) for e in STEP * np.eye(n)]).T
            np.testing.assert_allclose(T.reshape(n, n), 0.5 * told, rtol=1e-6, atol=1e-7)
