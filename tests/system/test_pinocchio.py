"""Trees in relative coordinates against Pinocchio: mass matrix, forces, forward and inverse dynamics."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pin = pytest.importorskip("pinocchio", reason="Pinocchio (the package `pin`) has no wheel for this platform")

import biela  # noqa: E402
from biela.library import load  # noqa: E402
from biela.methods.formulations.recursive import evaluate  # noqa: E402
from biela.model.resolve import resolve  # noqa: E402
from biela.system.system import System, build  # noqa: E402
from pinocchio_trees import JOINTS, Recipe, Twin, biela_model, random_tree  # noqa: E402

TOLERANCE = 1e-10
ONE_BY_ONE = ("revolute", "prismatic", "cylindrical", "screw", "skew universal", "fixed")
"""joints that are single freedoms in Pinocchio, too"""


def twins(recipe: Recipe, assembled: bool = False) -> tuple[System, Twin]:
    """The same tree in both programs."""
    model = biela_model(recipe)
    system = biela.assemble(model, "relative") if assembled else build(resolve(model), "relative")
    places = {b.name: b.place.rotation for b in recipe.bodies} | {"ground": np.eye(3)}
    across = {}
    for j in system.resolved.joints:
        if j.frames:
            first = j.frames[0]
            across[j.name] = np.array([places[first.body] @ np.array(e, dtype=float) for e in (first.e1, first.e2)])
    return system, Twin(recipe, across)


def close(a, b, what: str) -> None:
    """Alike, to the largest entry."""
    error, size = np.abs(np.asarray(a) - b).max(initial=0.0), np.abs(b).max(initial=0.0)
    assert error <= TOLERANCE * size, f"{what}: {error / size:.2e}"


def compare(system: System, twin: Twin, rng: np.random.Generator, recursions: bool = True) -> None:
    """Everything at one random state."""
    assert system.is_open_tree and system.m == 0 and system.n == twin.model.nv
    recipe, model, data, s = twin.recipe, twin.model, twin.data, system.arrays
    q, v = rng.uniform(-2, 2, system.nq), rng.uniform(-2, 2, system.n)
    named = (dict(zip(system.q_names, q, strict=True)), dict(zip(system.v_names, v, strict=True)))
    q_, v_, T, g = twin.state(*named, system.v_names)
    push = np.array([recipe.pushes.get(name, 0.0) for name in system.v_names])
    at = system.at(q, v)
    # where the bodies are
    frames, places = system.equations.exploded.bodies, twin.places(q_)
    x = s.x[: 12 * len(frames)].reshape(-1, 4, 3)
    for b in recipe.bodies:
        here = x[frames.index(b.name)]
        close(here[0], places[b.name].act(b.center), f"centre of {b.name}")
        close(here[1:].T, places[b.name].rotation, f"axes of {b.name}")
    # mass matrix and forces: M v' = Q
    loads = twin.loads(q_)

    def inverse(a):
        return T.T @ pin.rnea(model, data, q_, v_, T @ a + g, loads)

    M = pin.crba(model, data, q_)
    M = np.triu(M) + np.triu(M, 1).T
    close(at.M, T.T @ M @ T, "mass matrix")
    close(at.Q, push - inverse(np.zeros(system.n)), "forces")
    assert at.kinetic == pytest.approx(pin.computeKineticEnergy(model, data, q_, v_), rel=TOLERANCE)
    a = rng.uniform(-5, 5, system.n)
    close(at.M @ a - at.Q + push, inverse(a), "inverse dynamics")
    # forward dynamics: the articulated-body recursions of both, and back again by the other's inverse dynamics
    s.q[:], s.v[:] = q, v
    assert evaluate(system.header, 0.0) == 0
    a = s.a.copy()
    terms = np.abs(at.M) @ np.abs(a)
    assert np.abs(inverse(a) - push).max() <= TOLERANCE * terms.max()
    if recursions:
        a_ = pin.aba(model, data, q_, v_, np.linalg.solve(T.T, push), loads)
        close(a, np.linalg.solve(T, a_ - g), "forward dynamics")


@pytest.mark.parametrize("type", JOINTS)
@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(0, 1))
@settings(max_examples=10)
def test_each_joint(type, seed, count, floating):
    rng = np.random.default_rng(seed)
    system, twin = twins(random_tree(rng, count + floating, (type,), floating=floating))
    if system.n:
        compare(system, twin, rng)


@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(0, 2), st.booleans())
def test_random_trees(seed, count, floating, chain):
    rng = np.random.default_rng(seed)
    system, twin = twins(random_tree(rng, count, chain=chain, floating=min(floating, count)))
    if system.n:
        compare(system, twin, rng)


@pytest.mark.parametrize("types", [JOINTS, ONE_BY_ONE], ids=["all", "one-by-one"])
@pytest.mark.parametrize("chain", [False, True], ids=["tree", "chain"])
@pytest.mark.parametrize("floating", [0, 1], ids=["grounded", "floating"])
def test_fifty_joints(types, floating, chain):
    rng = np.random.default_rng([len(types), floating, chain])
    system, twin = twins(random_tree(rng, 50 + floating, types, chain=chain, floating=floating))
    # Pinocchio (4.1) takes out the freedoms of a ball together; along fifty of them its recursion loses its digits
    for _ in range(5):
        compare(system, twin, rng, recursions=types is ONE_BY_ONE or not chain)


@pytest.mark.parametrize("seed", range(4))
def test_zero_is_where_the_bodies_start(seed):
    rng = np.random.default_rng(seed)
    recipe = random_tree(rng, 6, floating=seed % 2)
    system, twin = twins(recipe, assembled=True)
    named = (dict(zip(system.q_names, system.q0, strict=True)), dict.fromkeys(system.v_names, 0.0))
    places = twin.places(twin.state(*named, system.v_names)[0])
    for b in recipe.bodies:
        np.testing.assert_allclose(places[b.name].homogeneous, b.place.homogeneous, atol=1e-9)
    jointed = [k for k, n in enumerate(system.q_names) if n[0] == "J" and not n.endswith(".p0")]
    np.testing.assert_allclose(system.q0[jointed], 0.0, atol=1e-9)
    compare(system, twin, rng)


def planar(system: System) -> "pin.Model":
    """A tree of pins in the plane (biela's order of freedoms), as turns about z."""
    s, model = system.arrays, pin.Model()
    model.gravity.linear = np.array([*system.resolved.gravity, 0.0])
    bodies = {int(d): b for b, d in enumerate(s.body_at)}
    for d, parent in enumerate(s.tree_parent):
        place = pin.SE3(np.eye(3), s.tree_offset[3 * d : 3 * d + 3])
        index = model.addJoint(int(parent) + 1, pin.JointModelRZ(), place, f"joint{d}")
        b = bodies[d]
        mass, _, _, inertia = s.body_mass[7 * b : 7 * b + 4]
        moments = pin.Inertia(mass, s.body_offset[3 * b : 3 * b + 3], np.diag([inertia, inertia, inertia]))
        model.appendBodyToJoint(index, moments, pin.SE3.Identity())
    return model


def test_a_chain_in_the_plane():
    system = biela.assemble(load("chain").with_parameters(n=40), "relative")
    model = planar(system)
    data, s, rng = model.createData(), system.arrays, np.random.default_rng(0)
    for _ in range(5):
        q, v = rng.uniform(-2, 2, (2, system.n))
        at = system.at(q, v)
        M = pin.crba(model, data, q)
        close(at.M, np.triu(M) + np.triu(M, 1).T, "mass matrix")
        close(at.Q, -pin.nle(model, data, q, v), "forces")
        s.q[:], s.v[:] = q, v
        assert evaluate(system.header, 0.0) == 0
        close(s.a, pin.aba(model, data, q, v, np.zeros(system.n)), "forward dynamics")


def test_the_double_pendulum():
    """A square and a disc in the plane: both programs against Lagrange's equations, written out."""
    m, r, g = 1.3, 0.7, 9.81
    system = biela.assemble(load("double-pendulum").with_parameters(m=m, r=r, g=g), "relative")
    assert system.q_names == ["P0.angle@square", "P1.angle@disc"]
    model = planar(system)
    rng = np.random.default_rng(1)
    for _ in range(10):
        (th, ph), (dth, dph) = q, v = rng.uniform(-3, 3, (2, 2))
        l, d = 2 * r, r  # from pin to pin, and from the second to the centre of the disc
        disc = m * r**2 / 2 + m * d**2
        square = m * (2 * r) ** 2 / 6 + m * 2 * r**2
        mixed = disc + m * l * d * np.cos(ph)
        M = np.array([[square + m * l**2 + 2 * mixed - disc, mixed], [mixed, disc]])
        weight = m * g * np.array(
            [r * np.cos(th) - r * np.sin(th) + l * np.cos(th) + d * np.cos(th + ph), d * np.cos(th + ph)]
        )  # fmt: skip
        k = m * l * d * np.sin(ph)
        Q = -weight + k * np.array([2 * dth * dph + dph**2, -(dth**2)])
        at = system.at(q, v)
        close(at.M, M, "mass matrix")
        close(at.Q, Q, "forces")
        system.arrays.q[:], system.arrays.v[:] = q, v
        assert evaluate(system.header, 0.0) == 0
        close(system.arrays.a, np.linalg.solve(M, Q), "biela")
        close(pin.aba(model, model.createData(), q, v, np.zeros(2)), np.linalg.solve(M, Q), "Pinocchio")
