"""Sparse factors against dense ones, and mechanisms of many loops against the motion they must have."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import biela
from biela.analysis.check.mobility import mobility
from biela.errors import MethodError
from biela.methods.evaluation import functions
from biela.methods.linear.static import _sparse_factor, factor_unlike, solve_unlike, sparse_solve
from biela.methods.settings import apply, choose
from biela.system.symbolic_factor import _best_order, _positions, _targets, least_products
from loops import crank_at, loops
from mechanisms import build, recipes


@st.composite
def patterns(draw: st.DrawFn) -> np.ndarray:
    n = draw(st.integers(2, 25))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    A = rng.standard_normal((n, n)) * (rng.random((n, n)) < draw(st.floats(0.0, 0.4)))
    return A


@settings(max_examples=60, deadline=None, derandomize=True)
@given(patterns())
def test_factors_of_random_patterns(A: np.ndarray) -> None:
    n = len(A)
    like = A @ A.T + np.eye(n)
    unlike = like + 0.1 * np.where(like != 0, np.random.default_rng(0).standard_normal((n, n)), 0.0)
    i, j = np.nonzero(np.tril(like))
    order, ptr, row = _best_order(n, i, j)
    place = np.argsort(order)
    to = _targets(n, ptr, row, int((np.diff(ptr) * (np.diff(ptr) + 1) // 2).sum()))
    at = _positions(n, ptr, row, place[i], place[j])
    r = np.arange(1.0, n + 1)
    packed = np.zeros(n + len(row))
    packed[at] = like[i, j]
    assert _sparse_factor(packed, n, ptr, to) == 0
    x = r[order]
    sparse_solve(packed, x, n, ptr, row)
    np.testing.assert_allclose(like[:, order] @ x, r, atol=1e-9 * n)
    lower, upper = np.zeros(n + len(row)), np.zeros(len(row))
    below = place[i] >= place[j]
    lower[at] = np.where(below, unlike[i, j], unlike[j, i])
    off = at >= n
    upper[at[off] - n] = np.where(below, unlike[j, i], unlike[i, j])[off]
    assert factor_unlike(lower, upper, n, ptr, to) == 0
    x = r[order]
    solve_unlike(lower, upper, x, n, ptr, row)
    np.testing.assert_allclose(unlike[:, order] @ x, r, atol=1e-8 * n)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(recipes())
def test_sparse_and_dense_accelerations(recipe: object) -> None:
    system = biela.assemble(build(recipe), "natural")
    system.rank = mobility(system).rank
    chosen = choose("augmented", "rk4", 1e-3)
    apply(chosen, system)
    f, _ = functions(chosen, system)
    found = []
    for dense in (False, True):
        system.lay_dense(dense)
        s = system.arrays
        s.q[:], s.v[:], s.lam[:] = system.q0, system.v0, 0.0
        assert f(system.header, 0.0) == 0
        found.append(s.a.copy())
    np.testing.assert_allclose(found[0], found[1], rtol=1e-8, atol=1e-8 * max(1.0, np.abs(found[0]).max()))


@pytest.mark.parametrize("integrator, step, bound", [
    ("conserving4", 1e-2, 5e-7), ("conserving", 1e-2, 5e-3), ("generalized-alpha", 5e-3, 6e-3), ("ali3", 5e-3, 6e-3),
])  # fmt: skip
def test_forty_loops_pass_their_singular_positions(integrator: str, step: float, bound: float) -> None:
    r = biela.simulate(loops(40), 5, integrator=integrator, step=step, coordinates="natural", samples=5)
    assert r.ok, r.message
    x, y = crank_at(40, 5)
    assert abs(np.asarray(r["B0.x"])[-1] - x) + abs(np.asarray(r["B40.y"])[-1] - y) < bound


def test_order_four() -> None:
    gaps = []
    for step in (4e-2, 2e-2):
        r = biela.simulate(loops(2), 2, integrator="conserving4", step=step, coordinates="natural", samples=2)
        gaps.append(abs(np.asarray(r["B0.x"])[-1] - crank_at(2, 2)[0]))
        assert r.trajectory.energy_error < 1e-9
    assert 3.5 < np.log2(gaps[0] / gaps[1]) < 4.7


def test_a_thousand_loops() -> None:
    system = biela.assemble(loops(1000), "natural")
    assert system.is_large and len(system.arrays.ref)
    freedom = mobility(system)
    assert (freedom.freedom, freedom.redundant) == (1, 0)
    r = biela.simulate(system, 0.5, integrator="conserving", step=1e-2, samples=2)
    x, _ = crank_at(1000, 0.5)
    assert r.ok and abs(np.asarray(r["B0.x"])[-1] - x) < 1e-4
    assert abs(np.asarray(r["B1000.x"])[-1] - 1000 - x) < 1e-4
    assert r.trajectory.violation < 1e-11
    with pytest.raises(MethodError, match="too large"):
        biela.simulate(system, 0.5, formulation="projection", integrator="rk4", step=1e-2)


def test_rows_about_the_start_are_the_same_rows() -> None:
    """What is subtracted far from the origin is exactly what the polynomials say."""
    system = biela.assemble(loops(400), "natural")
    s = system.arrays
    q = system.q0 + 0.1 * np.sin(np.arange(system.n))
    system.evaluate(q)
    P = q.reshape(-1, 2)
    crank = (P[:, 0] - np.arange(401)) ** 2 + P[:, 1] ** 2 - 1
    rod = ((P[1:] - P[:-1]) ** 2).sum(axis=1) - 1
    found = dict(zip(system.row_names, s.Phi[: system.m], strict=True))
    scale = found["crank0.length"] / crank[0] if "crank0.length" in found else 1.0
    for i in (0, 7, 400):
        name = next(k for k in found if k.startswith(f"crank{i}."))
        assert abs(found[name] - scale * crank[i]) < 1e-12
    for i in (1, 200, 400):
        name = next(k for k in found if k.startswith(f"rod{i}."))
        assert abs(found[name] - scale * rod[i - 1]) < 1e-12


def test_redundant_and_driven_large_mechanisms() -> None:
    """A row that says what others say is found by the sparse rank, too; drivers too many are refused."""
    model = loops(300, initial={}, drivers={"a": {"coordinate": "B0.x", "law": "0.1*t"}})
    system = biela.assemble(model, "natural")
    assert system.is_large
    freedom = mobility(system)
    assert freedom.freedom == 0 and freedom.redundant == 0
    r = biela.simulate(system, 1, integrator="generalized-alpha", step=1e-2, samples=2)
    assert r.ok and abs(np.asarray(r["B0.x"])[-1] - 0.1) < 1e-9
    both = {"a": {"coordinate": "B0.x", "law": "0.1*t"}, "b": {"coordinate": "B300.x", "law": "300 + 0.1*t"}}
    with pytest.raises(biela.AssemblyError, match="drives what is fixed already"):
        biela.simulate(loops(300, initial={}, drivers=both), 1, coordinates="natural")


def test_loops_in_a_row_are_eliminated_from_both_ends() -> None:
    """As few entries as from one end, and no column waits for the one just before it."""
    n = 40
    i = np.concatenate([np.arange(n)] + [np.arange(k, n) for k in (1, 2)])
    j = np.concatenate([np.arange(n)] + [np.arange(n - k) for k in (1, 2)])
    order, ptr, row = _best_order(n, i, j)
    assert sorted(order) == list(range(n)) and set(order[:2]) == {0, n - 1}
    _, plain, _ = least_products(n, i, j, [np.arange(n)])
    assert ptr[-1] <= plain[-1] + 3  # where the two ends meet
    parent = row[ptr[:-1][np.diff(ptr) > 0]]
    waits = parent - np.flatnonzero(np.diff(ptr))
    assert (waits[: n - 4] == 2).all()


@pytest.mark.parametrize("N", [1000])
def test_constraints_far_from_the_origin_are_met_as_far_as_coordinates_have_digits(N: int) -> None:
    """The last loop is N metres away: a tolerance below its rounding would be tried for in vain, at each step."""
    system = biela.assemble(loops(N), "natural")
    r = biela.simulate(system, 0.1, samples=1, formulation="penalty", integrator="ab6", step=0.01, project_every=1)
    assert r.ok and r.trajectory.violation < 4e-15 * N + 4e-12
    tolerance = system.arrays.par.position_tolerance
    assert 0.5 * np.spacing(float(N)) < tolerance < 1e-12 + 10 * np.spacing(float(N))
