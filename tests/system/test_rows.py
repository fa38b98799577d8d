"""Constraint rows: Phi_q, Phi_t, Phi' and gamma against differences of Phi, and what each joint lets move."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings

import biela
from biela import Model
from biela.mechanics import relative_coordinates
from biela.model.joints import PLANE
from biela.model.joints.joint import PlaneJoint
from biela.model.resolve import resolve
from biela.system.system import System
from biela.system.system import build as build_system
from mechanisms import COORDINATES, DRIVERS, JOINTS, LAWS, Motion, Recipe, build, random_velocity, recipes

BOTH = ("natural", "mixed")
MANY = 3 * settings().max_examples // 2
H = 2e-3  # four-point differences: error of order H^4


def slope(f, x: float = 0.0) -> np.ndarray:
    """f'(x) by differences of order four."""
    a, b, c, d = (np.asarray(f(x + k * H)) for k in (-2, -1, 1, 2))
    return (a - 8 * b + 8 * c - d) / (12 * H)


def check_derivatives(system: System, seed: int) -> None:
    """All derivatives of the rows at a random place, which need not satisfy them."""
    rng = np.random.default_rng(seed)
    n = system.n
    q = system.q0 + 0.3 * rng.standard_normal(n)
    v, a = rng.standard_normal((2, n))
    t = 0.37  # between the knots of the tables
    at = system.at(q, v, t)

    by_column = [slope(lambda h, e=e: system.at(q + h * e, None, t).Phi) for e in np.eye(n)]
    np.testing.assert_allclose(at.B, np.array(by_column).T, atol=1e-9, err_msg="Phi_q")
    np.testing.assert_allclose(at.Phi_t, slope(lambda h: system.at(q, None, t + h).Phi), atol=1e-9, err_msg="Phi_t")

    def along(h: float):
        return system.at(q + h * v + h * h / 2 * a, v + h * a, t + h)

    np.testing.assert_allclose(at.Phi_dot, slope(lambda h: along(h).Phi), atol=1e-8, err_msg="Phi'")
    np.testing.assert_allclose(at.Phi_dot, at.B @ v + at.Phi_t, atol=1e-11, err_msg="Phi' = Phi_q v + Phi_t")
    second = slope(lambda h: along(h).Phi_dot)
    np.testing.assert_allclose(at.B @ a - at.gamma, second, atol=1e-8, err_msg="Phi'' = Phi_q q'' - gamma")


def systems(model: Model) -> list[System]:
    return [build_system(resolve(model), coordinates) for coordinates in BOTH]


@settings(max_examples=MANY)
@given(recipes())
def test_derivatives_of_random_mechanisms(recipe: Recipe):
    for system in systems(build(recipe)):
        check_derivatives(system, recipe.seed)


@settings(max_examples=MANY)
@given(recipes())
@example(Recipe("tree", 1, coordinates=("angle",), drivers=("body-angle",), seed=5902))
def test_the_drawn_positions_satisfy_every_row(recipe: Recipe):
    """The generator fits the bodies to the points; biela must read them back as they were drawn."""
    model = build(recipe)
    for system in systems(model):
        assert np.abs(system.at(system.q0).Phi).max(initial=0.0) < 1e-12
        # and assembling moves nothing (an angle may start with the whole turns that a driver gives to its bodies)
        assembled = biela.assemble(model, system.coordinates)
        turns = np.where(system.equations.angular, np.round((assembled.q0 - system.q0) / (2 * np.pi)), 0.0)
        np.testing.assert_allclose(assembled.q0 - 2 * np.pi * turns, system.q0, atol=1e-12)


@pytest.mark.parametrize("kind", JOINTS)
@pytest.mark.parametrize("seed", range(4))
def test_derivatives_of_each_joint(kind: str, seed: int):
    for system in systems(build(Recipe(size=2, joints=(kind,), seed=seed))):
        check_derivatives(system, seed)


@pytest.mark.parametrize("kind", COORDINATES)
@pytest.mark.parametrize("seed", range(4))
def test_derivatives_of_each_relative_coordinate(kind: str, seed: int):
    natural, mixed = systems(build(Recipe(size=3, coordinates=(kind,), seed=seed)))
    assert mixed.n == natural.n + 1 and mixed.m > natural.m
    check_derivatives(mixed, seed)


@pytest.mark.parametrize("kind", DRIVERS)
@pytest.mark.parametrize("law", LAWS)
def test_derivatives_of_each_driver(kind: str, law: str):
    for system in systems(build(Recipe(size=2, drivers=(kind,), law=law, seed=5))):
        assert [row.role for row in system.equations.rows].count("driver") == 1
        assert np.abs(system.at(system.q0, None, 0.4).Phi_t).max() > 0.05
        check_derivatives(system, 5)


def test_the_random_mechanisms_use_every_joint_and_coordinate():
    """A new entry in the registries must enter the generator too."""
    assert set(JOINTS) == {name for name, kind in PLANE.items() if issubclass(kind, PlaneJoint)}
    assert set(COORDINATES) == set(relative_coordinates.PLANE) - {"term"}


# ----------------------------------------------------------------------- what relative coordinates measure
@settings(max_examples=MANY)
@given(recipes(coordinates=COORDINATES))
def test_relative_coordinates_measure_what_they_say(recipe: Recipe):
    """On a rigid motion: values at the start, and rates at a consistent velocity, from elementary geometry."""
    model = build(recipe)
    system = biela.assemble(model, "mixed")
    v = random_velocity(system, system.q0, recipe.seed)
    motion = Motion(system, model, system.q0, v)
    for name, item in model.coordinates.items():
        value, rate = motion.measure(item)
        i = system.q_names.index(name)
        off = system.q0[i] - value
        off -= 2 * math.pi * round(off / (2 * math.pi)) if item.type == "angle" else 0.0
        assert abs(off) < 1e-12, name
        assert abs(v[i] - rate) < 1e-10, name


# ------------------------------------------------------------------------------- what each joint lets move
def held(type: str, **joint) -> tuple[Model, System]:
    """One bar A-B, the ground with O and R, and one joint between them."""
    m = Model(name=type)
    m.add_ground("O", 0, 0).add_ground("R", 2, 1).add_point("A", 0.8, 0.4).add_point("B", 1.0, 1.2)
    m.add_body("bar", {"A": (0, 0), "B": (0.2, 0.8)}, mass=1.0, center=(0.1, 0.5), inertia=0.1)
    m.add_joint("hold", type, **joint)
    return m, biela.assemble(m)


def twist(about: tuple[float, float] | None, shift: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    """Velocities of A and B when the bar turns at one radian per second about a point, and shifts."""
    out = []
    for x, y in ((0.8, 0.4), (1.0, 1.2)):
        vx, vy = (0.0, 0.0) if about is None else (-(y - about[1]), x - about[0])
        out += [vx + shift[0], vy + shift[1]]
    return np.array(out)


U = (2 / math.sqrt(5), 1 / math.sqrt(5))  # along O-R
N = (-U[1], U[0])
AB = (0.2, 0.8)
X_AXIS = {"body": "ground", "angle": 0.0}
ALLOWED = {
    "point-on-line": ({"point": "A", "line": ("O", "R")}, [twist(None, U), twist((0.8, 0.4))]),
    "prismatic": (
        {"line": ("O", "R"), "slider": ("A", "B"), "angle": math.atan2(4, 1) - math.atan2(1, 2)},
        [twist(None, U)],
    ),
    "distance": ({"points": ("O", "A")}, [twist((0, 0)), twist((0.8, 0.4))]),
    "angle": ({"lines": (X_AXIS, ("A", "B"))}, [twist(None, (1, 0)), twist(None, (0, 1))]),
}
ALL = {"shift x": twist(None, (1, 0)), "shift y": twist(None, (0, 1)), "turn": twist((0.8, 0.4))}


@pytest.mark.parametrize("kind", ALLOWED)
def test_a_joint_lets_exactly_these_motions_through(kind: str):
    data, allowed = ALLOWED[kind]
    _, system = held(kind, **data)
    assert system.q_names == ["A.x", "A.y", "B.x", "B.y"]
    B = system.at(system.q0).B
    for motion in allowed:
        np.testing.assert_allclose(B @ motion, 0, atol=1e-12)
    free = system.n - np.linalg.matrix_rank(B)
    assert free == len(allowed)
    # nothing else gets through: the free motions span no more than the allowed ones
    others = np.array(list(ALL.values()))
    assert np.linalg.matrix_rank(others @ B.T) == 3 - len(allowed)


def test_a_revolute_joint_shares_the_point():
    m = Model().add_ground("O", 0, 0).add_point("A", 1, 0).add_point("B", 1, 0).add_point("C", 2, 0.5)
    m.add_bar("first", "O", "A", mass=1).add_bar("second", "B", "C", mass=1)
    m.add_joint("pin", "revolute", points=("A", "B"))
    system = biela.assemble(m)
    assert system.q_names == ["A.x", "A.y", "C.x", "C.y"]  # no equation needed: B uses A's variables
    assert system.row_names == ["first.OA", "second.BC"]


@pytest.mark.parametrize("angle", [0.0, 0.7, -2.5, math.pi])
def test_a_weld_keeps_the_angle_that_was_asked_for(angle: float):
    """The row of a constant angle also vanishes half a turn away: assembly has to take the right one."""
    m = Model().add_ground("O", 0, 0).add_point("A", 1, 0)
    guess = (1 + math.cos(angle + 0.3), math.sin(angle + 0.3))
    m.add_point("B", *guess).add_bar("host", "O", "A", mass=1).add_bar("guest", "A", "B", mass=1, length=1)
    m.add_joint("weld", "fixed", bodies=("host", "guest"), angle=angle)
    system = biela.assemble(m)
    x = dict(zip(system.q_names, system.q0))
    first = math.atan2(x["A.y"], x["A.x"])
    second = math.atan2(x["B.y"] - x["A.y"], x["B.x"] - x["A.x"])
    assert abs(math.remainder(second - first - angle, 2 * math.pi)) < 1e-12
    assert system.n - np.linalg.matrix_rank(system.at(system.q0).B) == 1
