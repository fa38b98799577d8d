"""Rows, masses and forces in space, in every set of coordinates: derivatives by differences, freedoms by geometry."""

import numpy as np
import pytest
from hypothesis import Phase, given, settings

import biela
from biela import Model
from biela.coordinates.tree.from_poses import body_motion
from biela.model.joints import SPACE
from biela.system.system import System
from space_mechanisms import COORDINATES as DECLARED
from space_mechanisms import DRIVERS, FORCES, SpaceRecipe, build_space, space_recipes
from spatial.joints import JOINTS
from spatial.states import COORDINATES, accelerations, at_a_state, matching_velocity, random_velocity, regular, size
from spatial.twists import AXES, HELD, ZERO, held, rates

# mechanisms are dear and their seeds do not shrink
FEW = settings(max_examples=settings().max_examples // 2, phases=(Phase.explicit, Phase.generate))
H = 1e-3  # four-point differences: error of order H^4


def slope(f) -> np.ndarray:
    """f'(0) by differences of order four."""
    a, b, c, d = (np.asarray(f(k * H)) for k in (-2, -1, 1, 2))
    return (a - 8 * b + 8 * c - d) / (12 * H)


def check_derivatives(system: System, seed: int, anywhere: bool = True) -> None:
    """All derivatives of the rows: `anywhere`, at a random place that need not satisfy them, else at the start.

    Along q(h) = q moved by h v + h^2/2 a the velocity is v + h a, up to h^2: enough for every first derivative.
    """
    rng, n = np.random.default_rng(seed), system.n
    v, a = rng.standard_normal((2, n))
    q, t = system.q0, 0.37  # between the knots of the tables
    if anywhere:
        q = system.displaced(q, 0.2 * rng.standard_normal(n))
    else:
        v = random_velocity(system, seed, t)
    at = system.at(q, v, t)

    def close(got: np.ndarray, expected: np.ndarray, what: str) -> None:
        assert size(got - expected) < 2e-8 * max(size(expected), 1.0), (system.coordinates, what)

    by_column = [slope(lambda h, e=e: system.at(system.displaced(q, h * e), None, t).Phi) for e in np.eye(n)]
    close(at.B, np.array(by_column).T, "B")
    close(at.Phi_t, slope(lambda h: system.at(q, None, t + h).Phi), "Phi_t")
    close(at.Phi_dot, at.B @ v + at.Phi_t, "Phi' = B v + Phi_t")

    def along(h: float):
        return system.at(system.displaced(q, h * v + h * h / 2 * a), v + h * a, t + h)

    close(at.Phi_dot, slope(lambda h: along(h).Phi), "Phi'")
    close(at.B @ a - at.gamma, slope(lambda h: along(h).Phi_dot), "Phi'' = B v' - gamma")
    close(at.M, at.M.T, "M is symmetric")
    close(np.array(at.kinetic), v @ at.M @ v / 2, "kinetic energy")


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("kind", JOINTS)
def test_derivatives_of_each_joint(kind: str, coordinates: str):
    for seed in range(2):
        model = build_space(SpaceRecipe(size=1, joints=(kind,), seed=seed))
        check_derivatives(biela.assemble(model, coordinates), seed)


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("kind", DRIVERS)
def test_derivatives_of_each_driver(kind: str, coordinates: str):
    system = biela.assemble(build_space(SpaceRecipe(drivers=(kind,), seed=4)), coordinates)
    assert [row.role for row in system.equations.rows].count("driver") == 1
    assert size(system.at(system.q0, None, 0.4).Phi_t) > 0.02
    check_derivatives(system, 4)


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("kind", DECLARED)
def test_derivatives_of_each_relative_coordinate(kind: str, coordinates: str):
    for seed in range(3):
        asked = SpaceRecipe("loop", links=("revolute",), coordinates=(kind,), seed=seed)
        check_derivatives(biela.assemble(build_space(asked), coordinates), seed)


@settings(FEW)
@given(space_recipes())
def test_starts_and_derivatives_of_random_mechanisms(drawn: SpaceRecipe):
    """In a tree, rows between bodies that hang on the same moving body leave out the freedoms of that body, which is
    right where the row holds: so there they are looked at."""
    model = build_space(drawn)
    for coordinates in COORDINATES:
        system = biela.assemble(model, coordinates)
        check_start(model, system)
        check_derivatives(system, drawn.seed, anywhere=not system.is_tree)


def test_the_random_mechanisms_use_every_joint():
    """A new entry in the registries must enter the generator too."""
    assert set(SPACE) - {"spherical-spherical"} <= set(JOINTS)  # another name of a distance
    assert set(HELD) <= set(JOINTS)


# ------------------------------------------------------------------------------------------- where they are
def check_start(model: Model, system: System) -> None:
    """Joints were made to fit, so assembling moves nothing, and every set of coordinates reads the poses back."""
    assert size(system.at(system.q0).Phi) < 1e-11
    posture = system.posture(system.q0)
    for name, body in model.bodies.items():
        motion = body_motion(posture, name)
        if body.type == "mass":
            np.testing.assert_allclose(motion.p[0][0], model.points[body.point], atol=1e-11)
            continue
        R, centre = np.array(body.orientation), np.array(system.resolved.bodies[name].center, dtype=float)
        np.testing.assert_allclose(motion.R[0][0], R, atol=1e-11, err_msg=f"{system.coordinates}: axes of {name}")
        np.testing.assert_allclose(motion.p[0][0], np.array(body.position) + R @ centre, atol=1e-11)


# ------------------------------------------------------------------------------------ what joints let through
@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("kind", [kind for kind in HELD if kind != "fixed"])  # that lets nothing through
def test_a_joint_lets_exactly_these_motions_through(kind: str, coordinates: str):
    system = biela.assemble(held(kind), coordinates)
    allowed = HELD[kind].twists
    for twist in allowed:
        matching_velocity(system, rates(system, twist))  # complains if it cannot
    B = system.at(system.q0).B
    free = system.n - (np.linalg.matrix_rank(B, tol=1e-9) if system.m else 0)
    assert free == len(allowed)
    span = np.array([np.concatenate(t) for t in allowed]).reshape(-1, 6)
    for twist in [(e, ZERO) for e in AXES] + [(ZERO, e) for e in AXES]:
        off = np.concatenate(twist) - (np.linalg.pinv(span) @ span @ np.concatenate(twist) if len(span) else 0.0)
        if np.linalg.norm(off) > 1e-9:
            with pytest.raises(AssertionError):
                matching_velocity(system, rates(system, twist))


# ------------------------------------------------------------------------------------------- power balance
def check_power(systems: dict[str, System]) -> None:
    """d(T + V)/dt along the motion is the power that flows in, of forces and of drivers."""
    for name, system in systems.items():
        a, lam = accelerations(system, "projection")
        at = system.at(system.q0, system.v0)

        def energy(h: float, system: System = system, a: np.ndarray = a) -> float:
            here = system.at(system.displaced(system.q0, h * system.v0), system.v0 + h * a, h)
            return here.kinetic + here.potential

        power = at.power + float(at.Phi_t @ lam)
        flow = max(abs(at.Q) @ abs(system.v0), 1.0)
        assert abs(slope(energy) - power) < 1e-8 * flow, name


@pytest.mark.parametrize("kind", FORCES)
def test_power_of_each_force(kind: str):
    for seed, topology in enumerate(("chain", "tree", "loop")):
        if (FORCES.index(kind) + seed) % 3 == 0:
            continue  # each on two of them: `./fuzz` has all
        asked = SpaceRecipe(topology, size=2, forces=(kind,), joints=("cylindrical",), seed=seed)
        systems = at_a_state(build_space(asked), seed)
        assert all([regular(s) for s in systems.values()]), (topology, seed)
        check_power(systems)


@pytest.mark.parametrize("kind", JOINTS)
def test_power_of_each_joint(kind: str):
    asked = SpaceRecipe(size=1, joints=(kind, kind), drivers=("angle",), seed=2)
    systems = at_a_state(build_space(asked), 2)
    assert all([regular(s) for s in systems.values()])
    check_power(systems)
