"""Reactions in space: the same in all coordinates and formulations, and what Newton and Euler ask of them."""

from functools import cache

import numpy as np
import pytest
from hypothesis import Phase, assume, given, settings

import biela
from biela import Model
from biela.coordinates.tree.from_poses import body_motion
from biela.results.motion import Motion
from biela.results.reactions.elements import elements
from biela.system.system import System
from mechanisms import Recipe, build, recipes
from space_mechanisms import SpaceRecipe, build_space, space_recipes
from spatial.states import COORDINATES, accelerations, at_a_state, regular, size
from spatial.twists import HELD, held

# mechanisms are dear and their seeds do not shrink
FEW = settings(max_examples=settings().max_examples // 4, phases=(Phase.explicit, Phase.generate))


def moment_of(system: System, formulation: str = "projection") -> Motion:
    """One instant of a motion: the start."""
    a, lam = accelerations(system, formulation)
    return Motion(system, [0.0], system.q0[None], system.v0[None], a[None], lam[None], None)


def reactions(r: Motion) -> dict[str, np.ndarray]:
    """All forces and moments of joints and shared points, efforts of drivers."""
    names = [c for c in r.channels() if c.endswith((".reaction", ".moment", ".effort")) or ".reaction@" in c]
    names = [c for c in names if not c.endswith((".x", ".y", ".z", ".norm"))]
    return {c: np.asarray(r[c])[0] for c in names}


def check_same(found: dict[str, dict[str, np.ndarray]], tiny: float) -> None:
    first, *rest = found
    big = max([size(np.atleast_1d(x)) for x in found[first].values()] + [1.0])
    for other in rest:
        assert found[other].keys() == found[first].keys(), other
        for name, x in found[first].items():
            assert size(np.atleast_1d(found[other][name] - x)) < tiny * big, (other, name)


def check_balance(r: Motion, tiny: float = 1e-9) -> None:
    """The equations in reference-point coordinates, and Newton-Euler of every body with all that acts on it."""
    free = r.free_bodies
    big = max(size(free.lam), size(r.a), 1.0)
    at = free.system.at(free.q[0], free.v[0], 0.0)
    assert size(at.M @ free.a[0] + at.B.T @ free.lam[0] - at.Q) < tiny * big, r.system.coordinates
    acting = [e.force(free) for e in elements(r.system.resolved).values()]
    for body in r.system.resolved.bodies:
        wrenches = [free.weight(body), free.inertia(body), *(free.wrench(g, body) for g in acting)]
        force, moment = (sum(w[k] for w in wrenches) for k in (0, 1))
        assert size(force) < tiny * big and size(moment) < tiny * big, (r.system.coordinates, body)


@settings(FEW)
@given(space_recipes())
def test_reactions_of_random_mechanisms(drawn: SpaceRecipe):
    """Balanced, and the same in every set of coordinates; of redundant constraints those of least norm."""
    systems = at_a_state(build_space(drawn), drawn.seed)
    assume(all([regular(s, 1e-2) for s in systems.values()]))
    found = {}
    for name, system in systems.items():
        r = moment_of(system)
        check_balance(r)
        found[name] = reactions(r)
    check_same(found, 1e-8)


@settings(FEW)
@given(recipes())
def test_reactions_of_random_mechanisms_in_the_plane(drawn: Recipe):
    systems = at_a_state(build(drawn), drawn.seed)
    assume(all([regular(s, 1e-2) for s in systems.values()]))
    found = {}
    for name, system in systems.items():
        r = moment_of(system)
        check_balance(r)
        found[name] = reactions(r)
    check_same(found, 1e-8)


@cache
def loaded(topology: str, seed: int) -> tuple[dict, dict]:
    """A mechanism with loads in every set of coordinates, and its reactions, for all formulations."""
    asked = SpaceRecipe(topology, 3, joints=("universal",), forces=("line", "couple"), drivers=("angle",), seed=seed)
    systems = at_a_state(build_space(asked), seed)
    assert all([regular(s, 0.1) for s in systems.values()])
    return systems, reactions(moment_of(systems["relative"]))


@pytest.mark.parametrize("formulation", ["lagrange", "baumgarte", "augmented", "projection"])
@pytest.mark.parametrize("topology, seed", [("chain", 5), ("loop", 4)])
def test_formulations_give_the_same_reactions(topology: str, seed: int, formulation: str):
    systems, truth = loaded(topology, seed)
    found = {"truth": truth}
    found |= {name: reactions(moment_of(system, formulation)) for name, system in systems.items()}
    check_same(found, 1e-8)


# --------------------------------------------------------------------- one body on one joint, by hand
@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("kind", [kind for kind in HELD if kind != "fixed"])
def test_newton_and_euler_of_one_body(kind: str, coordinates: str):
    """m a = m g + F and J alpha + w x J w = (P - G) x F + N; F and N do no work on what the joint lets through."""
    g = np.array([1.0, -2.0, -9.0])
    system = at_a_state(held(kind, gravity=tuple(g)), 3, (coordinates,))[coordinates]
    assert regular(system)
    r = moment_of(system)
    body = system.resolved.bodies["b"]
    motion = body_motion(r.posture, "b")
    R, Rd, Rdd = (x[0] for x in motion.R)
    w, alpha = axial(Rd @ R.T), axial(Rdd @ R.T)  # the symmetric part of R'' R^T is w x (w x .)
    J = R @ np.array(body.inertia) @ R.T
    F, N = np.asarray(r["J.reaction"])[0], np.asarray(r["J.moment"])[0]
    at = np.asarray(motion.p[0][0])
    where = at if kind == "angle" else np.asarray(r["P"])[0]  # an angle is nowhere: about the centre, as a couple
    big = max(size(F), size(N), 10.0)
    np.testing.assert_allclose(body.mass * (motion.p[2][0] - g), F, atol=1e-10 * big)
    np.testing.assert_allclose(J @ alpha + np.cross(w, J @ w), np.cross(where - at, F) + N, atol=1e-10 * big)
    for turn, slide in HELD[kind].twists:
        assert abs(F @ slide + N @ turn) < 1e-10 * big, (turn, slide)


def axial(W: np.ndarray) -> np.ndarray:
    return np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_action_is_reaction_along_a_chain(coordinates: str):
    """Three links: what the outer joints do to the first link, and its own joint, make its motion; by NumPy."""
    g = np.array([0.0, 0.0, -9.81])
    m = Model(gravity=tuple(g))
    for k in range(3):
        m.add_body(f"b{k}", {f"E{k}": (0.5, 0, 0)}, mass=1.0 + k, center=(0.1, 0.2, 0.0), inertia=(0.1, 0.2, 0.15),
                   position=(k, 0.2 * k, 0))  # fmt: skip
    ends = [(-0.5, 0, 0), (0.5, 0.1, 0), (1.5, 0.3, 0)]
    m.add_joint("J0", "universal", bodies=("ground", "b0"), at=ends[0], axis=[(0, 1, 0), (0, 0, 1)])
    m.add_joint("J1", "cylindrical", bodies=("b0", "b1"), at=ends[1], axis=(0.3, 1, 0.2))
    m.add_joint("J2", "revolute", bodies=("b1", "b2"), at=ends[2], axis=(0, 0.6, 0.8))
    system = at_a_state(m, 4, (coordinates,))[coordinates]
    assert regular(system)
    r = moment_of(system)
    wrench = [(np.asarray(r[f"J{k}.reaction"])[0], np.asarray(r[f"J{k}.moment"])[0]) for k in range(3)] + [(0.0, 0.0)]
    places = [np.array(x) for x in ends] + [np.zeros(3)]
    for k in range(3):
        motion, body = body_motion(r.posture, f"b{k}"), system.resolved.bodies[f"b{k}"]
        R, Rd, Rdd = (x[0] for x in motion.R)
        w, alpha, J = axial(Rd @ R.T), axial(Rdd @ R.T), R @ np.array(body.inertia) @ R.T
        (F, N), (next_F, next_N) = wrench[k], wrench[k + 1]
        at = motion.p[0][0]
        force = body.mass * g + F - next_F
        moment = N - next_N + np.cross(places[k] - at, F) - np.cross(places[k + 1] - at, next_F * np.ones(3))
        big = max(size(np.atleast_1d(x)) for pair in wrench for x in pair)
        np.testing.assert_allclose(body.mass * motion.p[2][0], force, atol=1e-10 * big)
        np.testing.assert_allclose(J @ alpha + np.cross(w, J @ w), moment, atol=1e-10 * big)


# ----------------------------------------------------------------------------------------- redundant
@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_door_hangs_on_both_hinges_alike(coordinates: str):
    """At rest, with its centre half way between two hinges: the least forces are shared equally."""
    m = Model(gravity=(0, 0, -9.81))
    m.add_body("door", {"E": (0.8, 0, 0)}, mass=20, center=(0.4, 0, 0), inertia=(2, 3, 1))
    for name, z in (("low", -1.0), ("high", 1.0)):
        m.add_joint(name, "revolute", bodies=("ground", "door"), at=(0, 0, z), axis=(0, 0, 1))
    system = biela.assemble(m, coordinates)
    system.rank = -1
    assert regular(system)
    r = moment_of(system)
    low, high = (np.asarray(r[f"{name}.reaction"])[0] for name in ("low", "high"))
    np.testing.assert_allclose([low[2], high[2]], [98.1, 98.1], atol=1e-9)
    assert low[0] == pytest.approx(-high[0], abs=1e-9) and high[0] < -10  # the upper hinge pulls the door back
    assert low[1] == pytest.approx(0, abs=1e-9)
    bend = np.asarray(r["low.moment"])[0] + np.asarray(r["high.moment"])[0]
    total = np.cross([-0.4, 0, -1], low) + np.cross([-0.4, 0, 1], high) + bend
    np.testing.assert_allclose(total, 0, atol=1e-9)


@pytest.mark.parametrize("size_", range(1, 8))
def test_least_reactions_do_not_depend_on_the_coordinates(size_: int):
    """Seven kinds of mechanisms with more constraints than needed."""
    model = build_space(SpaceRecipe("redundant", size_, seed=21))
    systems = at_a_state(model, 5)
    assert all([regular(s) for s in systems.values()])
    assert any(s.m > s.rank for s in systems.values())
    found = {}
    for name, system in systems.items():
        r = moment_of(system)
        check_balance(r)
        found[name] = reactions(r)
    check_same(found, 1e-8)
