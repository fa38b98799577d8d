"""All formulations give the same accelerations and the same reactions at consistent states."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings

import biela
from biela import Model, library
from biela.analysis.check.mobility import mobility
from biela.methods.loops import loop_calls
from biela.methods.registry import FORMULATIONS
from biela.methods.settings import apply, choose
from biela.methods.status import Status
from biela.system.system import System
from mechanisms import TOPOLOGIES, Recipe, build, random_velocity, recipe, recipes, reference_accelerations

SOME = 3 * settings().max_examples // 2  # a sample: `./fuzz` does the same with a hundred thousand mechanisms
EXACT = [name for name in FORMULATIONS if name != "penalty"]


def at_a_state(model: Model, coordinates: str, seed: int) -> System:
    """The system, at the positions that were drawn and a random consistent velocity."""
    system = biela.assemble(model, coordinates)
    system.v0 = random_velocity(system, system.q0, seed)
    system.rank = mobility(system).rank
    return system


def evaluate(system: System, formulation: str, t: float = 0.0, **options) -> tuple[np.ndarray, np.ndarray]:
    """(q'', Phi_q^T lam) that a formulation gives at the system's start, taken to be at the time t."""
    chosen = choose(formulation, "rk4", **options)
    apply(chosen, system)
    f, settle = chosen.formulation.functions()
    s = system.arrays
    assert Status(loop_calls.begin(system.header, f, settle, t)) == Status.finished
    np.testing.assert_allclose(s.q, system.q0, atol=1e-10)  # it has not moved away
    a, lam = s.a.copy(), s.lam[: s.m].copy()
    return a, system.at(system.q0, system.v0, t).B.T @ lam


def size(x: np.ndarray) -> float:
    return float(np.abs(x).max(initial=0.0))


def check(system: System, names: list[str], t: float = 0.0, augmented: float = 1.0) -> None:
    """Accelerations to 1e-9 and reactions to 1e-8 of their size; those of `augmented` to this many times that."""
    a, reactions = reference_accelerations(system, system.q0, system.v0, t)
    at = system.at(system.q0, system.v0, t)
    forces = max(size(reactions), size(at.Q), size(system.M @ a))
    assert size(system.M @ a + reactions - at.Q) < 1e-10 * forces  # the reference solves the equations
    free = forces / max(float(system.M.diagonal().max()), 1e-300)  # what the forces do where they do not cancel
    accelerations = max(size(a), size(at.gamma), free)
    assert size(at.B @ a - at.gamma) < 1e-10 * accelerations
    for name in names:
        got, force = evaluate(system, name, t)
        loose = augmented if name == "augmented" else 1.0
        assert size(got - a) < loose * 1e-9 * max(size(a), free), (name, t)
        assert size(force - reactions) < loose * 1e-8 * forces, (name, t)


@settings(max_examples=SOME)
@given(recipes())
def test_formulations_agree_on_random_mechanisms(drawn: Recipe):
    """In natural and in mixed coordinates, at the same state; penalty stays within its bound."""
    model = build(drawn)
    mixed, natural = at_a_state(model, "mixed", drawn.seed), at_a_state(model, "natural", 0)
    pick = [mixed.q_names.index(name) for name in natural.q_names]
    natural.v0 = mixed.v0[pick]
    for system in (natural, mixed):
        check(system, EXACT)
        check_penalty(system)
    for formulation in EXACT:
        a, b = evaluate(natural, formulation)[0], evaluate(mixed, formulation)[0]
        assert size(a - b[pick]) < 1e-9 * size(b), formulation


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("formulation", EXACT)
def test_each_formulation_on_each_topology(topology: str, formulation: str):
    for seed in range(8):
        asked = Recipe(topology, size=3, joints=("prismatic",), forces=("line", "torsion"), seed=seed)
        check(at_a_state(build(asked), "natural", seed), [formulation])


# Masses and moments so unlike, or so little inertia at such a spin, that the iteration of `augmented` stops earlier.
UNLIKE = {"puma560": 100.0, "steady-precession": 4.0, "cardan": 4.0, "double-cardan": 4.0}


CROSSED = ("spatial-slider-crank", "spatial-chain")
"""their joints add coordinates of their own to the mixed ones"""


@pytest.mark.parametrize("name, coordinates", [
    *((name, "natural") for name in library.names()),
    # where no coordinates are added to them, the mixed ones are the natural ones
    *((name, "mixed") for name in library.names() if library.load(name).coordinates or name in CROSSED),
])  # fmt: skip
def test_formulations_agree_along_the_motions_of_the_library(name: str, coordinates: str):
    """Small and large, driven and free, at ten states on the way (before the first dead point)."""
    own = biela.load(name).run
    duration = min(float(own.duration), 0.4 if "four-bar" in name else 0.6)
    step = min(float(own.step), 1e-3)
    r = biela.simulate(
        name, duration, coordinates=coordinates, formulation="projection", integrator="rk4", step=step, samples=10
    )
    assert r.ok, r.explain()
    system = r.system
    for k in range(len(r.t)):
        system.q0, system.v0 = r.q[k].copy(), r.v[k].copy()
        check(system, EXACT, float(r.t[k]), UNLIKE.get(name, 1.0))


# -------------------------------------------------------------------------------------- penalty
def active_rows(system: System) -> np.ndarray:
    """The rows that the penalty weighs: sine and cosine of an angle count as one."""
    system.at(system.q0, system.v0)
    s = system.arrays
    B = np.zeros((len(s.active), system.n))
    for p, k in enumerate(s.active):
        entries = slice(int(s.jptr[k]), int(s.jptr[k + 1]))
        B[p, s.jcol[entries]] = s.J[entries]
    return B


def penalty_bound(system: System, alpha: float) -> float:
    """How far penalty accelerations may be from the exact ones.

    From (M + alpha B^T B) a_p = Q + alpha B^T gamma and M a + B^T lam = Q, B a = gamma:

        (M + alpha B^T B) (a_p - a) = B^T lam.

    With G = M + beta B^T B (positive definite, any 0 < beta < alpha) and the singular values s of B G^(-1/2), the
    G-norm of a_p - a is at most |lam| max s / (1 + (alpha - beta) s^2) < |lam| / ((alpha - beta) s_min), lam being
    the multipliers of least norm; and |a_p - a| is at most that over the root of the least eigenvalue of G.
    """
    B = active_rows(system)
    beta = np.trace(system.M) / np.sum(B**2)
    values, vectors = np.linalg.eigh(system.M + beta * B.T @ B)
    s = np.linalg.svd(B @ (vectors / np.sqrt(values)) @ vectors.T, compute_uv=False)[: system.rank]
    reactions = reference_accelerations(system, system.q0, system.v0)[1]
    lam = np.linalg.lstsq(B.T, reactions, rcond=1e-10)[0]
    return float(np.linalg.norm(lam) / ((alpha - beta) * s.min() * np.sqrt(values.min())))


def check_penalty(system: System) -> None:
    """Accelerations of random mechanisms, by two penalty factors, within the bound."""
    a = reference_accelerations(system, system.q0, system.v0)[0]
    for alpha in (1e5, 1e7):
        got, _ = evaluate(system, "penalty", alpha=alpha)
        # round-off: the matrix has entries of order alpha, the accelerations come out of their differences
        assert np.linalg.norm(got - a) < penalty_bound(system, alpha) + 1e-14 * alpha * size(a)


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_the_error_of_the_penalty_falls_as_alpha_grows(topology: str):
    """One over alpha, until round-off takes over."""
    for seed in range(4):
        system = at_a_state(build(Recipe(topology, size=3, seed=seed)), "natural", seed)
        a = reference_accelerations(system, system.q0, system.v0)[0]
        errors = [np.linalg.norm(evaluate(system, "penalty", alpha=10.0**k)[0] - a) for k in range(3, 8)]
        for coarse, fine in pairwise(errors):
            assert 8 < coarse / fine < 12, errors
        assert errors[0] < penalty_bound(system, 1e3)


# ------------------------------------------------------------------------------------ motions
def end(model: Model, duration: float, **options) -> np.ndarray:
    """Where all points are at the end, by name."""
    r = biela.simulate(model, duration, integrator="dopri5", tolerance=1e-9, samples=4, **options)
    assert r.ok, r.explain()
    assert r.trajectory.energy_error < 1e-4 * max(r.energy_scale, 1.0), r.explain()
    return np.array([r.final[p] for p in sorted(r.final)])


@pytest.mark.parametrize("seed", [*range(8), 124])
def test_formulations_give_the_same_motion(seed: int):
    """Over 0.3 s. (In number 124 a coordinate that the R matrix would like to keep independent turns back.) `./fuzz`
    does it for the other numbers, by all integrators."""
    model = build(recipe(seed))
    expected = end(model, 0.3, formulation="augmented", coordinates="natural")
    for formulation in EXACT:
        for coordinates in ("natural", "mixed"):
            got = end(model, 0.3, formulation=formulation, coordinates=coordinates)
            assert size(got - expected) < 1e-6, (formulation, coordinates)


COORDINATE = {
    "none": None,
    "distance": {"type": "distance", "points": ("Q", "P")},
    "position": {"type": "position", "point": "P", "along": {"body": "ground", "angle": 0.3, "through": "O"}},
    "angle": {"type": "angle", "of": ("O", "P")},
}


@pytest.mark.parametrize("kind", COORDINATE)
@pytest.mark.parametrize("coordinates", ["natural", "mixed"])
def test_the_r_matrix_changes_its_independent_coordinate(kind: str, coordinates: str):
    """A bar swings through the bottom, where P.y and the distance from a point below it turn back (000 4.4.3)."""
    m = Model(gravity=(0, -9.81)).add_ground("O", 0, 0).add_ground("Q", 0, -2).add_point("P", 1, 0)
    m.add_bar("bar", "O", "P", mass=1)
    if COORDINATE[kind]:
        m.add_coordinate("s", **COORDINATE[kind])
    expected = end(m, 2.0, formulation="lagrange", coordinates="natural")
    got = end(m, 2.0, formulation="projection", coordinates=coordinates)
    assert size(got - expected) < 1e-5


@pytest.mark.parametrize("integrator, step", [("rk2", 1e-3), ("abm4", 1e-3), ("trapezoidal", 1e-3), ("euler", 1e-4)])
def test_the_r_matrix_changes_its_coordinates_under_every_integrator(integrator: str, step: float):
    r = biela.simulate(
        "simple-pendulum", 1.0, formulation="projection", coordinates="natural", integrator=integrator, step=step
    )
    assert r.ok, r.explain()
    np.testing.assert_allclose(r.final["P"], [0.9862917511318753, -0.1650108531255412], atol=2e-3)


# ------------------------------------------------------------------------------------ not blind
def test_a_wrong_sign_would_be_seen(monkeypatch: pytest.MonkeyPatch):
    """The comparison is not blind: other gravity, other accelerations, and the check fails."""
    system = at_a_state(build(Recipe("loops", size=3, seed=1)), "natural", 1)
    check(system, EXACT)
    solve = reference_accelerations

    def wrong(system: System, q: np.ndarray, v: np.ndarray, t: float = 0.0) -> tuple:
        a, force = solve(system, q, v, t)
        return a * (1 + 1e-7), force

    monkeypatch.setitem(globals(), "reference_accelerations", wrong)
    with pytest.raises(AssertionError):
        check(system, EXACT)
