"""Bodies in space: mass and inertia of every shape, poses, points by name, and balls where bodies share a point."""

import math

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from biela.model.file import load_text
from biela.model.model import Model
from biela.model.resolve import resolve
from biela.model.resolved import GROUND, ResolvedModel

sizes = st.floats(0.1, 3.0)
axes = st.tuples(*[st.floats(-2, 2)] * 3).filter(lambda a: math.hypot(*a) > 0.1)


# ------------------------------------------------------------------- inertia by numerical integration
def grid(*ranges):
    """Nodes and weights of Gauss-Legendre in a box; twelve per side integrate all that comes here exactly."""
    x, w = np.polynomial.legendre.leggauss(12)
    sides = [((b - a) / 2 * x + (a + b) / 2, (b - a) / 2 * w) for a, b in ranges]
    nodes = np.stack(np.meshgrid(*(s for s, _ in sides), indexing="ij")).reshape(3, -1)
    weights = np.prod(np.stack(np.meshgrid(*(s for _, s in sides), indexing="ij")), axis=0).ravel()
    return nodes, weights


def cylindrical(radius_at, low, high):
    """Points of a body of revolution about z, with the volumes they stand for."""
    phi = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    (s, _, z), w = grid((0, 1), (0, 1), (low, high))
    s, z, w = (np.repeat(part[:, None], len(phi), 1).ravel() for part in (s, z, w / len(phi) * 2 * np.pi))
    phi = np.tile(phi, len(s) // len(phi))
    r = radius_at(z)
    return np.array([s * r * np.cos(phi), s * r * np.sin(phi), z]), w * s * r**2


def spherical(radius):
    (r, c, _), w = grid((0, radius), (-1, 1), (0, 1))
    phi = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    r, c, w = (np.repeat(part[:, None], len(phi), 1).ravel() for part in (r, c, w / len(phi) * 2 * np.pi))
    phi = np.tile(phi, len(r) // len(phi))
    sine = np.sqrt(1 - c**2)
    return r * np.array([sine * np.cos(phi), sine * np.sin(phi), c]), w * r**2


def second_moments(points, weights, mass):
    """The inertia about the centre of mass of a body of this mass, and its volume."""
    volume = weights.sum()
    points = points - (points @ weights / volume)[:, None]
    square = (points * points * weights).sum() * np.eye(3) - (points * weights) @ points.T
    return square * mass / volume, volume


def turned_to(axis, tensor):
    """A tensor about z, about another axis."""
    z = np.array(axis) / np.linalg.norm(axis)
    x = np.linalg.svd(z[None])[2][1]
    R = np.column_stack([x, np.cross(z, x), z])
    return R @ tensor @ R.T


def body(type: str, **data) -> ResolvedModel:
    return resolve(Model(bodies={"b": {"type": type, **data}}, dimension=3))


def agrees(type: str, points, weights, axis=None, **data) -> None:
    """By mass and by density."""
    expected, volume = second_moments(points, weights, 2.5)
    if axis is not None:
        data["axis"] = axis
        expected = turned_to(axis, expected)
    found = body(type, mass=2.5, **data).bodies["b"]
    np.testing.assert_allclose(found.inertia, expected, rtol=1e-11, atol=1e-11 * np.abs(expected).max())
    assert found.mass == 2.5 and found.center == (0, 0, 0) and found.kind == type
    dense = body(type, density=2.5 / volume, **data).bodies["b"]
    assert dense.mass == pytest.approx(2.5, rel=1e-11)
    np.testing.assert_allclose(dense.inertia, expected, rtol=1e-10, atol=1e-11 * np.abs(expected).max())


@given(sizes, sizes, sizes)
def test_box(a, b, c):
    agrees("box", *grid((-a / 2, a / 2), (-b / 2, b / 2), (-c / 2, c / 2)), size=[a, b, c])


@given(sizes, sizes, sizes)
def test_plate_with_a_thickness(a, b, t):
    agrees("plate", *grid((0, a), (0, b), (0, t)), width=a, height=b, thickness=t)


@given(sizes, sizes, st.none() | axes)
def test_cylinder(r, h, axis):
    agrees("cylinder", *cylindrical(lambda z: r, -h / 2, h / 2), axis, radius=r, length=h)


@given(sizes, sizes, st.none() | axes)
def test_disc_with_a_thickness(r, h, axis):
    agrees("disc", *cylindrical(lambda z: r, 0, h), axis, radius=r, thickness=h)


@given(sizes, sizes, st.none() | axes)
def test_cone(r, h, axis):
    agrees("cone", *cylindrical(lambda z: r * (1 - z / h), 0, h), axis, radius=r, height=h)


@given(sizes)
def test_sphere(r):
    agrees("sphere", *spherical(r), radius=r)


def test_thin_plate_and_disc():
    assert body("plate", mass=12, width=1, height=2).bodies["b"].inertia == ((4, 0, 0), (0, 1, 0), (0, 0, 5))
    assert body("disc", mass=4, radius=1).bodies["b"].inertia == ((1, 0, 0), (0, 1, 0), (0, 0, 2))
    assert body("disc", mass=4, radius=1, axis=[3, 0, 0]).bodies["b"].inertia == ((2, 0, 0), (0, 1, 0), (0, 0, 1))


ends = st.tuples(*[st.floats(-2, 2)] * 3)


@given(ends, ends, sizes, st.sampled_from([None, "width", "radius"]))
def test_bar(a, b, size, section):
    line = np.subtract(b, a)
    length = float(np.linalg.norm(line))
    if length < 0.1:
        return
    m = Model().add_point("A", *a).add_point("B", *b)
    thick = {section: size} if section else {}
    found = resolve(m.add_bar("bar", "A", "B", mass=2.5, **thick)).bodies["bar"]
    # as a box, as a cylinder, or as a box of no width
    if section == "radius":
        points, weights = cylindrical(lambda z: size, -length / 2, length / 2)
    else:
        side = size if section else 1e-9
        points, weights = grid((0, side), (0, side), (0, length))
    expected, volume = second_moments(points, weights, 2.5)
    expected = turned_to(line, expected)
    np.testing.assert_allclose(found.inertia, expected, rtol=1e-9, atol=1e-10 * np.abs(expected).max())
    np.testing.assert_allclose(found.center, np.add(a, b) / 2, atol=1e-15)
    if section:
        m = Model().add_point("A", *a).add_point("B", *b).add_bar("bar", "A", "B", density=2.5 / volume, **thick)
        assert resolve(m).bodies["bar"].mass == pytest.approx(2.5)


def test_a_slender_bar_has_no_inertia_about_its_own_line():
    m = Model().add_point("A", 0, 0, 0).add_point("B", 0, 3, 0).add_bar("bar", "A", "B", mass=4)
    assert resolve(m).bodies["bar"].inertia == ((3, 0, 0), (0, 0, 0), (0, 0, 3))


def test_a_general_body():
    rows = [[3, 0.1, 0], [0.1, 3, "0.2 kg*m^2"], [0, 0.2, 4]]
    found = body("body", mass=2, center=[1, 0, "10 mm"], inertia=rows).bodies["b"]
    assert found.inertia == ((3, 0.1, 0), (0.1, 3, 0.2), (0, 0.2, 4)) and found.center == (1, 0, 0.01)
    assert body("body", mass=2, center=[0, 0, 0], inertia=[1, 2, 3]).bodies["b"].inertia[2] == (0, 0, 3)
    # the limit of what a body can have, a plane figure, passes with its rounding
    body("body", mass=1, center=[0, 0, 0], inertia=[0.1, 0.2, 0.1 + 0.2])


def test_formulas_of_the_parameters():
    m = Model(parameters={"m": 3, "r": 0.2, "h": 1.0})
    m.add_cylinder("c", "r", "h", mass="m").add_cone("k", "r", "h", mass="m", axis=["r", 0, 0])
    symbols = {name: sympy.Symbol(name, positive=True) for name in "mrh"}
    mm, r, h = symbols["m"], symbols["r"], symbols["h"]
    found = resolve(m, symbolic=True).bodies
    assert sympy.expand(found["c"].inertia[0][0] - mm * (3 * r**2 + h**2) / 12) == 0
    assert sympy.expand(found["k"].inertia[0][0] - 3 * mm * r**2 / 10) == 0
    assert sympy.expand(found["k"].inertia[1][1] - 3 * mm * (r**2 / 20 + h**2 / 80)) == 0


# ------------------------------------------------------------------------------------------------ poses
HALF = math.sqrt(0.5)
QUARTER = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]])  # a quarter turn about z


@pytest.mark.parametrize(
    "orientation",
    [
        {"axis": [0, 0, 7], "angle": "90 deg"},
        {"axis": [0, 0, -1], "angle": "-pi/2"},
        [HALF, 0, 0, HALF],
        [0.707107, 0, 0, 0.707107],  # six digits
        [[0, -1, 0], [1, 0, 0], [0, 0, 1]],
        {"x": [0, 2, 0], "y": [-1, 0, 0]},
        {"y": [-1, 0, 0], "z": [0, 0, 1]},
        {"x": [0, 1, 0], "z": [0, 0, 3]},
        {"z": [0, 0, 3], "x": [0, 1, 0]},
    ],
)
def test_orientations(orientation):
    points = {"P": [1, 0, 0], "Q": [0, 0, 2]}
    resolved = body("sphere", radius=1, mass=1, position=[5, 0, "1 mm"], orientation=orientation, points=points)
    pose = resolved.poses["b"]
    np.testing.assert_allclose(pose.rotation, QUARTER, atol=1e-15)
    assert pose.origin == (5, 0, 0.001)
    np.testing.assert_allclose(resolved.start["P"], (5, 1, 0.001), atol=1e-15)
    np.testing.assert_allclose(resolved.start["Q"], (5, 0, 2.001), atol=1e-15)
    assert resolved.dimension == 3 and resolved.gravity == (0, 0, 0)


@given(axes, st.floats(-7, 7))
def test_every_rotation_is_one(axis, angle):
    pose = body("sphere", radius=1, mass=1, orientation={"axis": axis, "angle": angle}).poses["b"]
    R = np.array(pose.rotation)
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-14)
    n = np.array(axis) / np.linalg.norm(axis)
    np.testing.assert_allclose(R @ n, n, atol=1e-14)
    assert np.trace(R) == pytest.approx(1 + 2 * math.cos(angle), abs=1e-14) and np.linalg.det(R) > 0
    q = [math.cos(angle / 2), *(math.sin(angle / 2) * n)]
    for same in (q, [list(row) for row in R], {"x": list(R[:, 0]), "z": list(R[:, 2])}):
        other = body("sphere", radius=1, mass=1, orientation=same).poses["b"].rotation
        np.testing.assert_allclose(other, R, atol=1e-13)


def test_points_by_name_take_their_places_from_where_they_start():
    text = """
[ground]
O = [1, 0, 0]
[points]
A = [1, 2, 0]
[bodies.crank]
points = ["O", "A"]
position = [1, 0, 0]
orientation = { axis = [0, 0, 1], angle = "90 deg" }
[bodies.box]
type = "box"
size = [1, 1, 1]
mass = 1
position = [0, 0, 4]
points = { C = [0, 0, 1] }
[bodies.rod]
type = "rod"
points = ["A", "C"]
[bodies.bar]
type = "bar"
points = ["O", "C"]
length = 2
mass = 3
"""
    resolved = resolve(load_text(text))
    np.testing.assert_allclose(resolved.bodies["crank"].points["A"], (2, 0, 0), atol=1e-15)
    np.testing.assert_allclose(resolved.bodies["crank"].points["O"], (0, 0, 0), atol=1e-15)
    assert resolved.bodies["rod"].points == {"A": (1, 2, 0), "C": (0, 0, 5)} and resolved.bodies["rod"].mass == 0
    bar = resolved.bodies["bar"].points  # as long as it says, towards C
    np.testing.assert_allclose(bar["C"], np.array([1, 0, 0]) + 2 * np.array([-1, 0, 5]) / math.sqrt(26))
    assert resolved.start["A"] == pytest.approx((1, 2, 0)) and resolved.start["C"] == (0, 0, 5)  # where the box has it
    assert set(resolved.poses) == {"crank", "box", "rod", "bar"} and "O" not in resolved.start
    assert resolved.owners["C"] == ("box", "rod", "bar") and resolved.owners["O"] == (GROUND, "crank", "bar")


def test_directions_and_carriers():
    points = {"A": [0, 0, 0], "B": [1, 0, 0], "C": [0, 1, 0], "D": [0, 0, 1]}
    for carrier in ("1 point + 3 vectors", "2 points + 2 vectors", "3 points + 1 vector", "4 points"):
        found = body("sphere", radius=1, mass=1, points=points, carrier=carrier, directions={"u": [0, 3, 4]})
        assert found.bodies["b"].carrier == carrier and found.bodies["b"].directions == {"u": (0, 0.6, 0.8)}
    assert body("body", carrier="1 point + 3 vectors").bodies["b"].points == {}


# ------------------------------------------------------------------------------------- implied joints
def implied(resolved: ResolvedModel) -> dict[str, tuple[str, ...]]:
    assert all(j.type == "spherical" and len(j.frames) == 2 for j in resolved.joints if j.implied)
    return {j.name: j.bodies for j in resolved.joints if j.implied}


CHAIN = """
[ground]
O = [0, 0, 0]
[points]
A = [1, 0, 0]
B = [2, 0, 1]
[bodies]
a = { type = "rod", points = ["O", "A"] }
b = { type = "rod", points = ["A", "B"] }
c = { type = "rod", points = ["A", "B"] }
bob = { type = "mass", point = "B", mass = 1 }
"""


def test_shared_points_are_balls():
    resolved = resolve(load_text(CHAIN))
    assert implied(resolved) == {
        "O": (GROUND, "a"),
        "A@b": ("a", "b"),
        "A@c": ("a", "c"),
        "B@c": ("b", "c"),
        "B@bob": ("b", "bob"),
    }
    bob = next(j for j in resolved.joints if j.name == "B@bob").frames[1]
    assert bob.place.local == (0, 0, 0) and bob.place.point == "B" and bob.e3 == (0, 0, 1)
    assert "bob" not in resolved.poses and resolved.bodies["bob"].particle


@pytest.mark.parametrize(
    ("joint", "gone"),
    [
        ("{type = 'revolute', at = 'O', axis = [0, 0, 1]}", ["O"]),
        ("{type = 'revolute', bodies = ['ground', 'a'], at = [0, 0, 0], axis = [0, 0, 1]}", ["O"]),
        ("{type = 'universal', bodies = ['a', 'b'], at = 'A', axis = ['x', 'y']}", ["A@b"]),
        ("{type = 'spherical', bodies = ['b', 'c'], at = 'A'}", ["A@c"]),  # c hangs on b, so a holds both
        ("{type = 'fixed', bodies = ['b', 'c']}", ["A@c", "B@c"]),
        ("{type = 'revolute', bodies = ['b', 'c'], at = 'A', axis = [1, 0, 1]}", ["A@c", "B@c"]),  # B is on the axis
        ("{type = 'revolute', bodies = ['b', 'c'], at = 'A', axis = [1, 0, 0]}", ["A@c"]),
        ("{type = 'distance', points = ['O', 'B']}", []),
    ],
)
def test_not_where_a_joint_is_already(joint: str, gone: list[str]):
    every = {"O", "A@b", "A@c", "B@c", "B@bob"} - set(gone)
    found = set(implied(resolve(load_text(CHAIN + f"[joints]\nj = {joint}"))))
    shared = {name.partition("@")[0] for name in every}
    # one alone at a point is called as the point
    called = {name if sum(n.startswith(name[0]) for n in every) > 1 else name[0] for name in every}
    assert found == called and shared


def test_shared_points_need_not_meet_yet():
    text = """
[ground]
O = [0, 0, 0]
[bodies]
a = { type = "box", size = [1, 1, 1], mass = 1, points = { O = [1, 0, 0], P = [2, 0, 0] }, position = [0, 0, 3] }
b = { type = "box", size = [1, 1, 1], mass = 1, points = { P = [0, 0, 0] } }
"""
    resolved = resolve(load_text(text))
    assert resolved.start == {"P": (2, 0, 3)} and implied(resolved) == {"O": (GROUND, "a"), "P": ("a", "b")}
