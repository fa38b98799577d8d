"""Coordinates and formulations agree: accelerations and energies of random mechanisms, and their motions."""

import numpy as np
import pytest
from hypothesis import Phase, assume, given, settings

import biela
from biela import Model
from biela.coordinates.tree.from_poses import from_posture
from biela.methods.registry import FORMULATIONS
from biela.system.system import System
from mechanisms import Recipe, build, recipe, recipes
from space_mechanisms import SpaceRecipe, build_space, space_recipe, space_recipes
from spatial.joints import JOINTS
from spatial.states import (
    COORDINATES,
    accelerations,
    active_rows,
    at_a_state,
    body_energy,
    by_least_squares,
    regular,
    size,
    snapshot,
)

# mechanisms are dear and their seeds do not shrink; a sample: `./fuzz` does the same with a hundred thousand of them
FEW = settings(max_examples=settings().max_examples // 2, phases=(Phase.explicit, Phase.generate))
EXACT = [name for name in FORMULATIONS if name != "penalty"]


def check(systems: dict[str, System]) -> None:
    """The same accelerations of all bodies and points, and the same energies, whatever the coordinates and methods."""
    found = {name: accelerations(system, "projection")[0] for name, system in systems.items()}  # and counts turns
    first = next(iter(systems.values()))
    motion = next(iter(found.values()))
    truth = snapshot(first, first.q0, first.v0, motion)
    state = first.at(first.q0, first.v0)
    big = max(size(truth.xdd), 1.0)
    energy = max(abs(state.kinetic), abs(state.potential), 1.0)
    assert abs(state.kinetic - body_energy(first)) < 1e-10 * energy
    for name, system in systems.items():
        at = system.at(system.q0, system.v0)
        assert abs(at.kinetic - state.kinetic) < 1e-10 * energy, name
        assert abs(at.potential - state.potential) < 1e-10 * energy, name
        assert abs(at.power - state.power) < 1e-9 * max(energy, abs(state.power)), name
        a = found[name]
        for formulation in EXACT:
            got, lam = accelerations(system, formulation)
            here = snapshot(system, system.q0, system.v0, got)
            assert size(here.xdd - truth.xdd) < 1e-8 * big, (name, formulation)
            at = system.at(system.q0, system.v0)
            forces = max(size(at.Q), size(at.M @ got), size(at.B.T @ lam), 1.0)
            assert size(at.M @ got + at.B.T @ lam - at.Q) < 1e-8 * forces, (name, formulation)
        if system.is_open_tree:  # the recursion is what runs; the formulation itself must give the same
            assert size(accelerations(system, "lagrange", recursive=False)[0] - a) < 1e-9 * max(size(a), 1.0), name
        if system.is_tree:  # what biela makes of the first's motion is this one
            _, v, b = from_posture(system, first.posture(first.q0, first.v0, motion))
            own = system.n - len(system.equations.carried)
            assert size(b[0][:own] - a[:own]) < 1e-8 * max(size(a), 1.0), name
            assert size(v[0][:own] - system.v0[:own]) < 1e-9 * max(size(v), 1.0), name


@settings(FEW)
@given(space_recipes())
def test_coordinates_and_formulations_agree_on_random_mechanisms(drawn: SpaceRecipe):
    """And penalty stays within its bound."""
    systems = at_a_state(build_space(drawn), drawn.seed)
    assume(all([regular(s) for s in systems.values()]))
    check(systems)
    check_penalty(systems)


@pytest.mark.parametrize("kind", JOINTS)
def test_coordinates_and_formulations_agree_on_each_joint(kind: str):
    asked = SpaceRecipe(size=2, joints=(kind,), forces=("line", "moment"), seed=1)
    systems = at_a_state(build_space(asked), 1)
    assert all([regular(s) for s in systems.values()])
    check(systems)


@settings(FEW)
@given(recipes())
def test_coordinates_and_formulations_agree_in_the_plane(drawn: Recipe):
    systems = at_a_state(build(drawn), drawn.seed)
    assume(all([regular(s) for s in systems.values()]))
    check(systems)


@pytest.mark.parametrize("topology", ["chain", "tree", "loops"])
def test_coordinates_agree_on_large_mechanisms(topology: str):
    """About twelve bodies."""
    sizes = {"chain": 11, "tree": 5, "loops": 6}
    asked = SpaceRecipe(topology, sizes[topology], joints=("screw",), forces=("line",), seed=7)
    systems = at_a_state(build_space(asked), 7)
    assert all([regular(s) for s in systems.values()])
    check(systems)


def test_a_coupler_without_mass():
    """A rod between two balls: its spin has no inertia and no effect."""
    m = Model(gravity=(0, 0, -9.81)).add_ground("O", 0, 0, 0).add_ground("D", 2, 0.3, 0.1)
    m.add_point("A", 0.1, 0.2, 0.6).add_point("B", 1.8, 0.5, 1.1)
    m.add_bar("crank", "O", "A", mass=1, radius=0.05).add_rod("rod", "A", "B").add_bar("rocker", "D", "B", mass=2)
    m.add_joint("J", "revolute", bodies=("ground", "crank"), at="O", axis=(0.1, 1, 0))
    m.add_joint("K", "revolute", bodies=("ground", "rocker"), at="D", axis=(0.3, 1, 0.2))
    m.start(velocity={"J.angle": 2.0})
    ends = [end(m, 0.5, coordinates=c) for c in COORDINATES]
    for got in ends[1:]:
        assert size(got - ends[0]) < 1e-8


# ------------------------------------------------------------------------------------------ penalty
def penalty_bound(system: System, alpha: float) -> float:
    """How far penalty accelerations may be from the exact ones; see test_agreement for the derivation."""
    reactions = by_least_squares(system)[1]
    M, B = system.at(system.q0, system.v0).M, active_rows(system)
    beta = np.trace(M) / max(np.sum(B**2), 1e-300)
    values, vectors = np.linalg.eigh(M + beta * B.T @ B)
    s = np.linalg.svd(B @ (vectors / np.sqrt(values)) @ vectors.T, compute_uv=False)[: system.rank]
    lam = np.linalg.lstsq(B.T, reactions, rcond=1e-10)[0]
    return float(np.linalg.norm(lam) / ((alpha - beta) * s.min(initial=1.0) * np.sqrt(values.min())))


def check_penalty(systems: dict[str, System]) -> None:
    """Accelerations by two penalty factors, within the bound."""
    for name, system in systems.items():
        a = by_least_squares(system)[0]
        for alpha in (1e5, 1e7):
            got, _ = accelerations(system, "penalty", alpha=alpha)
            # round-off: the matrix has entries of order alpha, the accelerations come out of their differences
            assert np.linalg.norm(got - a) < penalty_bound(system, alpha) + 1e-13 * alpha * max(size(a), 1.0), name


# ------------------------------------------------------------------------------------------ motions
def end(model: Model, duration: float, **options: str) -> np.ndarray:
    """Where all bodies and points are at the end, and how they move."""
    r = biela.simulate(model, duration, integrator="dopri5", tolerance=1e-10, samples=2, **options)
    assert r.ok, r.explain()
    assert r.trajectory.energy_error < 1e-6 * max(r.energy_scale, 1.0), r.explain()
    last = snapshot(r.system, r.q[-1], r.v[-1], r.a[-1])
    return np.concatenate([last.x, last.xd])


MOTIONS = {
    "chain": SpaceRecipe("chain", 4, forces=("line",), seed=1),
    "balls": SpaceRecipe("chain", 3, links=("spherical", "universal"), seed=2),
    "tree": SpaceRecipe("tree", 2, forces=("own-moment",), drivers=("angle",), seed=3),
    "four-bar": SpaceRecipe("redundant", 1, seed=7),
    "bricard": SpaceRecipe("redundant", 4, seed=7),
    "bennett": SpaceRecipe("redundant", 5, seed=7),
    "loop": SpaceRecipe("loop", 1, seed=8),
    "couplings": SpaceRecipe("chain", 1, joints=("gear", "rack-and-pinion", "screw"), seed=5),
}


@pytest.mark.parametrize("name", MOTIONS)
def test_coordinates_give_the_same_motion(name: str):
    """Over one second, from the velocities that drivers give, or from rest."""
    model = build_space(MOTIONS[name])
    expected = end(model, 1.0, coordinates="natural", formulation="projection")
    assert size(expected) > 0.1
    for coordinates in COORDINATES[1:]:
        got = end(model, 1.0, coordinates=coordinates, formulation="projection")
        assert size(got - expected) < 1e-6 * size(expected), coordinates


@pytest.mark.parametrize("name", ["balls", "tree", "loop"])
@pytest.mark.parametrize("formulation", ["lagrange", "augmented"])
def test_formulations_give_the_same_motion(name: str, formulation: str):
    model = build_space(MOTIONS[name])
    expected = end(model, 1.0, coordinates="relative", formulation="projection")
    for coordinates in ("natural", "reference-point", "relative"):
        got = end(model, 1.0, coordinates=coordinates, formulation=formulation)
        assert size(got - expected) < 1e-6 * size(expected), coordinates


@pytest.mark.parametrize("seed", range(6))
def test_coordinates_give_the_same_motion_in_the_plane(seed: int):
    model = build(recipe(seed))
    expected = end(model, 0.3, coordinates="natural", formulation="lagrange")
    for coordinates in COORDINATES[1:]:
        got = end(model, 0.3, coordinates=coordinates, formulation="lagrange")
        assert size(got - expected) < 1e-6 * size(expected), coordinates


# ------------------------------------------------------------------------------------ not blind
def test_a_small_error_would_be_seen():
    """The comparison is not blind: gravity off by a ten-millionth, and the check fails."""
    model = build_space(space_recipe(3, topology="loop", joints=(), drivers=()))
    right = at_a_state(model, 3, ("natural",))["natural"]
    g = np.array(model.gravity, dtype=float)
    wrong = at_a_state(model.model_copy(update={"gravity": tuple(g * (1 + 1e-7) + 1e-7)}), 3, ("relative",))["relative"]
    assert regular(right) and regular(wrong)
    with pytest.raises(AssertionError):
        check({"natural": right, "relative": wrong})


@pytest.mark.parametrize(("seed", "formulation"), [(71, "lagrange"), (82, "baumgarte"), (82, "lagrange")])
def test_no_singular_position_is_seen_in_an_open_tree(seed, formulation):
    """Rows that imply one another may be left out in many ways; a poor choice is no singular position."""
    topology = ("chain", "tree")[seed % 2]
    model = build_space(space_recipe(seed, topology=topology, joints=(), drivers=(), coordinates=()))
    r = biela.simulate(model, 0.5, coordinates="natural", formulation=formulation, integrator="dopri5", samples=10)
    free = biela.simulate(model, 0.5, coordinates="relative", samples=10)
    assert r.ok, r.message
    for part in ("kinetic", "potential"):
        size = np.abs(np.asarray(free["energy.kinetic"])).max()
        assert np.asarray(r[f"energy.{part}"]) == pytest.approx(np.asarray(free[f"energy.{part}"]), abs=1e-6 * size)
