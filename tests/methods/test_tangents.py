"""Derivatives of the accelerations by positions and velocities, against differences, in every set of coordinates."""

import numpy as np
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from numba import types

import biela
from biela.analysis.check.mobility import mobility
from biela.machine.compiled import HEADER, compiled
from biela.methods.evaluation import functions
from biela.methods.integrators.implicit.acceleration_tangent import acceleration_tangents
from biela.methods.loops import loop_calls
from biela.methods.settings import apply, choose
from biela.system.system import System
from mechanisms import FORCES as FORCES_PLANE
from mechanisms import build as build_plane
from mechanisms import recipe
from space_mechanisms import FORCES as FORCES_SPACE
from space_mechanisms import build_space, space_recipe
from spatial.states import COORDINATES, random_velocity, size

FEW = settings(max_examples=settings().max_examples // 4, phases=(Phase.explicit, Phase.generate))
NUMBERS = types.Array(types.float64, 1, "C")


@compiled(types.int64(HEADER, types.float64, NUMBERS, NUMBERS, NUMBERS, NUMBERS))
def tangents(header, t, a, lam, Aq, Av):
    return acceleration_tangents(header, t, a, lam, Aq, Av)


def compare(system: System, seed: int, t: float = 0.37) -> tuple[float, float]:
    """How far the tangents are from differences of order four, relative to the largest."""
    freedom = mobility(system)
    system.rank = freedom.rank
    s, n = system.arrays, system.n
    apply(choose("lagrange", "radau5"), system)
    f, settle = functions(choose("lagrange", "radau5"), system)
    s = system.arrays
    assert loop_calls.begin(system.header, f, settle, 0.0) == 0
    q, v = system.q0.copy(), random_velocity(system, seed, t)

    def acceleration(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        s.q[:], s.v[:] = q, v
        assert f(system.header, t) == 0
        return s.a.copy()

    a = acceleration(q, v)
    lam = s.lam.copy()
    Aq, Av = np.zeros(n * n), np.zeros(n * n)
    assert tangents(system.header, t, a, lam, Aq, Av) == 0
    assert np.array_equal(s.q, q) and np.array_equal(s.v, v)
    off = []
    for A, move in ((Aq, lambda h, e: (system.displaced(q, h * e), v)), (Av, lambda h, e: (q, v + h * e))):
        H = 1e-4
        columns = []
        for e in np.eye(n):
            w, x, y, z = (acceleration(*move(k * H, e)) for k in (-2, -1, 1, 2))
            columns.append((w - 8 * x + 8 * y - z) / (12 * H))
        right = np.array(columns).T
        off.append(size(A.reshape(n, n) - right) / max(size(right), 1.0))
    return off[0], off[1]


def check(model, seed: int) -> None:
    for coordinates in COORDINATES:
        system = biela.assemble(model, coordinates)
        if mobility(system).rank == system.m and system.n:  # (redundant rows: accelerations off them are not unique)
            assert max(compare(system, seed)) < 1e-6, coordinates


@FEW
@given(st.integers(0, 9999))
def test_in_the_plane(seed: int):
    check(build_plane(recipe(seed, forces=tuple(np.random.default_rng(seed).choice(FORCES_PLANE, 3)))), seed)


@FEW
@given(st.integers(0, 9999))
def test_in_space(seed: int):
    check(build_space(space_recipe(seed, forces=tuple(np.random.default_rng(seed).choice(FORCES_SPACE, 3)))), seed)
