"""Lagrange multipliers through the sparse matrix of accelerations and multipliers, against the dense way."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import biela
from biela.analysis.check.mobility import mobility
from biela.errors import MethodError
from biela.methods.evaluation import functions
from biela.methods.settings import apply, choose
from biela.methods.status import Status
from biela.system import symbolic_saddle as saddle
from biela.system.system import System
from loops import crank_at, loops
from mechanisms import build, random_velocity, recipe
from space_mechanisms import build_space, space_recipe

NEVER = 10**9


@pytest.fixture
def sparse_if(monkeypatch: pytest.MonkeyPatch) -> Iterator:
    """Force sparse matrices, or dense ones, whatever the size."""

    def force(sparse: bool) -> None:
        monkeypatch.setattr(saddle, "FEW", 0 if sparse else NEVER)
        monkeypatch.setattr(saddle, "WORTH", 1e9)

    yield force


def evaluated(system: System, formulation: str = "lagrange") -> tuple[int, np.ndarray, np.ndarray]:
    """Status, q'' and Phi_q^T lam at the system's start."""
    chosen = choose(formulation, "rk4", 1e-3)
    apply(chosen, system)
    f, _ = functions(chosen, system)
    s = system.arrays
    s.q[:], s.v[:] = system.q0, system.v0
    status = f(system.header, 0.0)
    return status, s.a.copy(), system.sparse_jacobian().T @ s.lam[: system.m]


def size(x: np.ndarray) -> float:
    return float(np.abs(x).max(initial=0.0))


@pytest.mark.parametrize("coordinates", ["natural", "mixed", "reference-point", "relative"])
@pytest.mark.parametrize("space", [False, True])
def test_sparse_and_dense_agree_on_random_mechanisms(sparse_if, space: bool, coordinates: str) -> None:
    redundant = 0
    for seed in range(4 if space else 8):
        model = build_space(space_recipe(seed)) if space else build(recipe(seed))
        found = []
        for sparse in (True, False):
            sparse_if(sparse)
            system = biela.assemble(model, coordinates)
            if system.is_open_tree:
                break
            system.rank = mobility(system).rank
            system.v0 = random_velocity(system, system.q0, seed) if system.m else system.v0
            found.append(evaluated(system))
            s = system.arrays
            assert sparse == (len(s.kkt_ptr) > 0)
            if sparse:
                assert s.left_out[:-1].sum() == len(s.active) - system.rank  # the rank is what the pivots say
                redundant += int(s.left_out[:-1].sum())
        if len(found) == 2:
            (status, a, force), (other, b, reference) = found
            assert status == other == Status.finished
            assert size(a - b) < 1e-9 * max(size(b), 1e-6), seed
            assert size(force - reference) < 1e-8 * max(size(reference), size(system.arrays.Q)), seed
    assert redundant > 0


def test_the_equations_hold() -> None:
    """To rounding, at N = 200, without anything dense to compare with."""
    system = biela.assemble(loops(200), "natural")
    system.rank = mobility(system).rank
    status, a, force = evaluated(system)
    s = system.arrays
    assert status == 0 and len(s.kkt_ptr) > 0
    assert size(system.sparse_mass() @ a + force - s.Q) < 1e-12 * size(s.Q)
    assert size(system.sparse_jacobian() @ a + s.bias[: s.m]) < 1e-12 * max(size(a), size(s.bias))


@pytest.mark.parametrize("formulation", ["lagrange", "baumgarte"])
@pytest.mark.parametrize("N", [2, 40])
def test_it_stops_where_the_constraints_lose_rank(formulation: str, N: int) -> None:
    r = biela.simulate(loops(N), 2, formulation=formulation, integrator="rk4", step=2e-3, coordinates="natural",
                       samples=20)  # fmt: skip
    assert len(r.system.arrays.kkt_ptr) > 0 or N == 2
    assert r.status.name == "singular"
    assert abs(crank_at(N, r.trajectory.stopped_at or 0.0)[1]) < 1e-3  # all cranks flat


def test_it_stops_where_the_dense_way_does(sparse_if) -> None:
    times = []
    for sparse in (True, False):
        sparse_if(sparse)
        r = biela.simulate("double-four-bar", 2, formulation="lagrange", integrator="abm4", step=1e-3)
        assert r.status.name == "singular" and sparse == (len(r.system.arrays.kkt_ptr) > 0)
        times.append(r.trajectory.stopped_at)
    assert abs(times[0] - times[1]) < 1e-5


@pytest.mark.parametrize("formulation, integrator", [("lagrange", "rk4"), ("baumgarte", "ab4")])
def test_two_hundred_loops(formulation: str, integrator: str) -> None:
    r = biela.simulate(loops(200), 0.5, formulation=formulation, integrator=integrator, step=2e-3,
                       coordinates="natural", samples=2)  # fmt: skip
    x, y = crank_at(200, 0.5)
    assert r.ok and abs(np.asarray(r["B0.x"])[-1] - x) + abs(np.asarray(r["B200.y"])[-1] - y) < 1e-7


def test_large_mechanisms_are_no_longer_refused() -> None:
    system = biela.assemble(loops(1200), "natural")
    assert system.n + system.m > 4000
    r = biela.simulate(system, 0.02, formulation="lagrange", integrator="rk4", step=1e-2, samples=2)
    assert r.ok and abs(np.asarray(r["B1200.x"])[-1] - 1200 - crank_at(1200, 0.02)[0]) < 1e-7
    with pytest.raises(MethodError, match="projection works with dense matrices"):
        biela.simulate(system, 0.02, formulation="projection", integrator="rk4", step=1e-2)


def test_others_pay_nothing() -> None:
    r = biela.simulate(loops(40), 0.01, formulation="augmented", integrator="rk4", step=1e-3, coordinates="natural")
    assert all(getattr(r.system.arrays, name).size == 0 for name in r.system.arrays._fields if name.startswith("kkt"))


@pytest.mark.parametrize("coordinates", ["natural", "mixed"])
def test_redundant_rows_that_have_drifted_do_not_pull(sparse_if, coordinates: str) -> None:
    """Three parallel cranks, a long way without anything that holds the constraints."""
    model = biela.Model(name="three-cranks", gravity=(0, -9.81))
    for k in range(3):
        model.add_ground(f"A{k}", k, 0).add_point(f"B{k}", k, 1)
        model.add_bar(f"crank{k}", f"A{k}", f"B{k}", mass=1, length=1)
    model.add_body("coupler", {"B0": (0, 0), "B1": (1, 0), "B2": (2, 0)}, mass=2, center=(1, 0), inertia=2 / 3)
    model.start(velocity={"B0.x": 1})
    ends = []
    for sparse in (True, False):
        sparse_if(sparse)
        r = biela.simulate(model, 0.5, formulation="lagrange", integrator="rk2", step=5e-3, coordinates=coordinates)
        assert r.ok and sparse == (len(r.system.arrays.kkt_ptr) > 0)
        assert r.trajectory.violation > 1e-7
        ends.append(np.asarray(r["B0"])[-1])
    np.testing.assert_allclose(ends[0], ends[1], atol=20 * r.trajectory.violation)
