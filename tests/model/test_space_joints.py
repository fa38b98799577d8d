"""Joints in space: the frames of every type, the coordinates they leave free, and gears, racks and equations."""

import math

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from biela import assemble
from biela.coordinates.tree.from_poses import body_motion
from biela.model import expression as ex
from biela.model.file import load_text
from biela.model.model import Model
from biela.model.resolve import resolve
from biela.model.resolved import GROUND, Direction, ResolvedCoordinate, ResolvedJoint, ResolvedModel

vectors = st.tuples(*[st.floats(-2, 2)] * 3)
axes = vectors.filter(lambda a: math.hypot(*a) > 0.1)
angles = st.floats(-3, 3)
turns = st.builds(lambda axis, angle: {"axis": axis, "angle": angle}, axes, angles)
places = st.tuples(vectors, turns)
HERE = ((0, 0, 0), {"axis": (0, 0, 1), "angle": 0})
THERE = ((1.0, 2.0, -0.5), {"axis": (1, 2, 3), "angle": 0.7})


def rotation(axis, angle) -> np.ndarray:
    """By Rodrigues' formula."""
    n = np.array(axis) / np.linalg.norm(axis)
    K = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


def two(joint: dict, first=HERE, second=THERE, points=(None, None), **more) -> ResolvedModel:
    """Two spheres with a joint between them."""
    m = Model(**more)
    for name, (position, orientation), own in zip("ab", (first, second), points):
        directions = {"u": (1, 2, 2)} if name == "a" else {"w": (0, 3, 4)}
        m.add_sphere(name, 1, own or (), mass=1, position=position, orientation=orientation, directions=directions)
    return resolve(m.add_joint("J", **{"bodies": ("a", "b"), **joint}))


def poses(resolved: ResolvedModel) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    found = {name: (np.array(p.origin), np.array(p.rotation)) for name, p in resolved.poses.items()}
    return {GROUND: (np.zeros(3), np.eye(3)), **found}


def value(coordinate: ResolvedCoordinate, at) -> float:
    """A coordinate with the bodies at these poses, as the meaning defines it."""

    def place(p):
        return at[p.body][0] + at[p.body][1] @ p.local

    if coordinate.type == "distance":
        return float(np.linalg.norm(place(coordinate.places[1]) - place(coordinate.places[0])))
    lines = []
    for line in coordinate.lines:
        assert isinstance(line.vector, Direction) and line.length == 1.0
        lines.append(at[line.vector.body][1] @ line.vector.local)
    if coordinate.type == "position":
        return float((place(coordinate.places[0]) - place(coordinate.lines[0].through)) @ lines[0])
    u, v, w = lines
    return math.atan2(v @ w, u @ w)


def triads(joint: ResolvedJoint, at) -> list[tuple[np.ndarray, np.ndarray]]:
    """Origin and axes (columns) of both frames in the ground's axes; they are right-handed and orthonormal."""
    found = []
    for frame in joint.frames:
        E = np.column_stack([frame.e1, frame.e2, frame.e3])
        np.testing.assert_allclose(E.T @ E, np.eye(3), atol=1e-12)
        assert np.linalg.det(E) > 0
        origin, R = at[frame.body]
        found.append((origin + R @ frame.place.local, R @ E))
    return found


# --------------------------------------------------------------------------------- joints with one axis
FREE = {
    "revolute": {"angle": "turn"},
    "prismatic": {"position": 2},
    "cylindrical": {"position": 2, "angle": "turn"},
    "screw": {"position": 2, "angle": "turn"},
    "planar": {"position1": 0, "position2": 1, "angle": "turn"},
    "point-on-line": {"position": 2},
    "point-on-plane": {"position1": 0, "position2": 1},
}


@pytest.mark.parametrize("type", FREE)
@given(places, places, axes, vectors, angles, st.floats(-2, 2))
def test_frames_and_freedoms(type, first, second, axis, at, turn, slide):
    extra = {"lead": 0.01} if type == "screw" else {}
    resolved = two({"type": type, "at": at, "axis": axis, **extra}, first, second)
    (joint,), here = resolved.joints, poses(resolved)
    assert joint.type == type and joint.bodies == ("a", "b") and not joint.implied
    assert joint.places == (joint.frames[0].place, joint.frames[1].place)
    (p, E), (q, F) = triads(joint, here)
    np.testing.assert_allclose([p, q], [at, at], atol=1e-12)
    np.testing.assert_allclose(E, F, atol=1e-9)
    np.testing.assert_allclose(E[:, 2], np.array(axis) / np.linalg.norm(axis), atol=1e-12)
    assert list(resolved.coordinates) == [f"J.{name}" for name in FREE[type]]
    # Move the second body by one freedom at a time: its coordinate follows, the others stay.
    for k, (name, freedom) in enumerate(FREE[type].items()):
        moved = dict(here)
        origin, R = here["b"]
        if freedom == "turn":
            D = rotation(axis, turn)
            moved["b"] = (np.array(at) + D @ (origin - at), D @ R)
        else:
            moved["b"] = (origin + slide * E[:, freedom], R)
        for other in FREE[type]:
            c = resolved.coordinates[f"J.{other}"]
            assert value(c, here) == pytest.approx(0, abs=1e-9)
            expected = 0 if other != name else turn if freedom == "turn" else slide
            assert value(c, moved) == pytest.approx(expected, abs=1e-9)
            assert c.joint == "J" and c.freedom == list(FREE[type]).index(other)
            assert c.needed is (type == "screw")
        assert resolved.coordinates[f"J.{name}"].freedom == k


@pytest.mark.parametrize("type", ["revolute", "cylindrical", "planar"])
@given(places, axes, st.floats(-3, 3))
def test_the_angle_where_it_starts(type, second, axis, zero):
    resolved = two({"type": type, "at": (0, 0, 0), "axis": axis, "zero": zero}, THERE, second)
    triads(resolved.joints[0], poses(resolved))
    assert value(resolved.coordinates["J.angle"], poses(resolved)) == pytest.approx(zero, abs=1e-9)


def test_the_first_axis_across_is_chosen_the_same_way_every_time():
    frames = two({"type": "revolute", "at": (0, 0, 0), "axis": (0, 0, 5)}).joints[0].frames
    assert (frames[0].e1, frames[0].e2, frames[0].e3) == ((1, 0, 0), (0, 1, 0), (0, 0, 1))


@pytest.mark.parametrize(
    ("axis", "in_a", "in_b"),
    [
        ([[0, 1, 0], [0, 0, 2]], (0, 1, 0), (0, 0, 1)),
        (["u", "w"], (1 / 3, 2 / 3, 2 / 3), (0, 0.6, 0.8)),
        (["u", [0, 0, 1]], (1 / 3, 2 / 3, 2 / 3), (0, 0, 1)),
        (["x", "z"], (1, 0, 0), (0, 0, 1)),
        ("u", (1 / 3, 2 / 3, 2 / 3), None),
        ("w", None, (0, 0.6, 0.8)),
        ("y", "ground", "ground"),
        ([0, 1, 0], "ground", "ground"),
    ],
)
def test_axes_by_name_and_in_each_body(axis, in_a, in_b):
    resolved = two(
        {"type": "revolute", "at": (0, 0, 0), "axis": axis}, THERE, ((0, 0, 0), {"x": [0, 1, 0], "z": [1, 0, 0]})
    )
    here = poses(resolved)
    for frame, wanted, other in zip(resolved.joints[0].frames, (in_a, in_b), (in_b, in_a)):
        R = here[frame.body][1]
        if wanted == "ground":
            wanted = R.T @ [0, 1, 0]
        elif wanted is None:  # as it starts in the other
            wanted = R.T @ here["b" if frame.body == "a" else "a"][1] @ other
        np.testing.assert_allclose(frame.e3, wanted, atol=1e-14)
    triads(resolved.joints[0], here)


def test_where_a_joint_is():
    points = {"P": (1, 0, 0), "Q": (0, 0, 1)}, {"Q": (0, 1, 0), "R": (0, 2, 0)}
    axis = (0, 0, 1)

    def found(**joint) -> list[tuple[str, str | None]]:
        joint = {"type": "revolute", "axis": axis, **joint}
        return [(p.body, p.point) for p in two(joint, points=points).joints[0].places]

    assert found(at="Q") == [("a", "Q"), ("b", "Q")]
    assert found() == [("a", "Q"), ("b", "Q")]  # the one point they share
    assert found(bodies=None, at="Q") == [("a", "Q"), ("b", "Q")]
    assert found(bodies=("b", "a"), at="Q") == [("b", "Q"), ("a", "Q")]
    assert found(at=["P", "R"]) == [("a", "P"), ("b", "R")]
    assert found(bodies=None, at=["P", "R"]) == [("a", "P"), ("b", "R")]
    assert found(bodies=None, at=["R", "P"]) == [("b", "R"), ("a", "P")]
    assert found(at="P") == [("a", "P"), ("b", None)]  # where it is in the other at the start
    resolved = two({"type": "revolute", "axis": axis, "at": "R"}, points=points)
    (p, _), (q, _) = triads(resolved.joints[0], poses(resolved))
    np.testing.assert_allclose(p, q, atol=1e-14)


def test_a_point_of_no_body_can_mark_a_joint():
    m = Model().add_point("M", 1, 2, 3).add_sphere("b", 1, mass=1)
    m.add_joint("J", "revolute", bodies=("ground", "b"), at="M", axis=(1, 0, 0))
    resolved = resolve(m)
    assert resolved.joints[0].places[1].local == (1, 2, 3) and resolved.start == {} and resolved.owners == {}


# --------------------------------------------------------------------------------------- other joints
@given(places, places, vectors)
def test_balls_and_welds_have_frames_along_the_ground(first, second, at):
    for type in ("spherical", "fixed"):
        resolved = two({"type": type, "at": at}, first, second)
        for origin, E in triads(resolved.joints[0], poses(resolved)):
            np.testing.assert_allclose(origin, at, atol=1e-12)
            np.testing.assert_allclose(E, np.eye(3), atol=1e-12)
        assert resolved.coordinates == {} and resolved.joints[0].value is None


def test_a_weld_may_be_anywhere():
    places = two({"type": "fixed"}).joints[0].places
    assert places[1].local == pytest.approx((0, 0, 0)) and places[0].local == pytest.approx(THERE[0])


def universal(first_axis, second_axis, first, second, **more) -> ResolvedModel:
    return two({"type": "universal", "at": (1, 1, 1), "axis": [first_axis, second_axis], **more}, first, second)


@given(places, axes, axes, turns, angles, st.floats(-1.4, 1.4))
def test_the_angles_of_a_universal_joint(first, axis, other, turn, a1, a2):
    """The second body turns about its own axis by angle2, and the cross about the first axis by angle1."""
    n = np.array(axis) / np.linalg.norm(axis)
    across = np.cross(n, other)
    if np.linalg.norm(across) < 0.1:
        return
    m = across / np.linalg.norm(across)  # perpendicular to the first axis, in a's axes
    Ra = rotation(first[1]["axis"], first[1]["angle"])
    Q = rotation(turn["axis"], turn["angle"])  # how b's axes stand in a
    position = np.array([0.3, -0.2, 0.5])
    second = (tuple(position), [[float(x) for x in row] for row in Ra @ Q])
    resolved = universal(tuple(map(float, n)), tuple(map(float, Q.T @ m)), first, second)
    joint, here = resolved.joints[0], poses(resolved)
    assert joint.value == math.pi / 2
    for frame, wanted in zip(joint.frames, (m, Q.T @ n)):
        np.testing.assert_allclose(frame.e1, wanted, atol=1e-9)
    moved = {**here, "b": (position, Ra @ rotation(n, a1) @ Q @ rotation(Q.T @ m, a2))}
    for name, expected in (("J.angle1", a1), ("J.angle2", a2)):
        assert value(resolved.coordinates[name], here) == pytest.approx(0, abs=1e-9)
        assert value(resolved.coordinates[name], moved) == pytest.approx(expected, abs=1e-8)
    assert [c.freedom for c in resolved.coordinates.values()] == [0, 1]


def test_a_universal_joint_that_is_not_square():
    tilted = (math.cos(math.radians(60)), math.sin(math.radians(60)), 0)
    resolved = universal((1, 0, 0), tilted, HERE, HERE, angle="60 deg")
    joint = resolved.joints[0]
    assert joint.value == pytest.approx(math.pi / 3) and joint.frames[0].e1 == pytest.approx((0, 1, 0))
    a1, a2 = 0.4, -0.3
    moved = {**poses(resolved), "b": (np.zeros(3), rotation((1, 0, 0), a1) @ rotation(tilted, a2))}
    assert value(resolved.coordinates["J.angle1"], moved) == pytest.approx(a1)
    assert value(resolved.coordinates["J.angle2"], moved) == pytest.approx(a2)


def test_a_screw_ties_its_position_to_its_angle():
    for lead in (0.005, "5 mm", "5 mm/rev", "p", "q"):
        joint = {"type": "screw", "at": (0, 0, 0), "axis": (0, 0, 1), "lead": lead}
        resolved = two(joint, parameters={"p": "5 mm", "q": "5 mm/turn"})
        screw = resolved.joints[0]
        assert screw.value == pytest.approx(0.005), lead
        (s, one), (phi, factor) = screw.terms
        assert (s, one, phi) == ("J.position", 1, "J.angle") and factor == pytest.approx(-0.005 / (2 * math.pi))


@pytest.mark.parametrize("degrees", [40, -150, 180])
def test_the_zero_of_a_screw_belongs_to_its_position(degrees: float):
    """Two points apart on the axis by the lead for that angle: nothing moves when it is put together."""
    apart = 0.1 * degrees / 360
    m = Model().add_ground("G", 0, 0, 1 - apart)
    m.add_body("b", {"O": (0, 0, 1), "P": (0.5, 0, 0)}, mass=1, center=(0, 0, 0), inertia=(1, 1, 1))
    m.add_joint("J", "screw", bodies=("ground", "b"), at=["G", "O"], axis=(0, 0, 1), lead=0.1, zero=f"{degrees} deg")
    system = assemble(m, "natural")
    assert float(system.value("J.angle", system.q0)[0][0]) == pytest.approx(math.radians(degrees))
    at = system.posture(system.q0).place(system.resolved.place("P"))[0][0]
    np.testing.assert_allclose(at, (0.5, 0, 0), atol=1e-12)


def test_axes_that_assembling_turns():
    """A universal joint with its angle given, 29 deg from where the bodies start."""
    m = Model().add_ground("O", 0, 0, 0)
    m.add_body("b", {"O": (0, 0, 0), "P": (1, 0, 0)}, mass=1, center=(0.5, 0, 0), inertia=(1, 1, 1))
    off = math.radians(90 + 29)
    axes = [(1, 0, 0), (math.cos(off), math.sin(off), 0)]
    m.add_joint("J", "universal", bodies=("ground", "b"), at="O", axis=axes, angle="90 deg")
    system = assemble(m, "reference-point")
    R = body_motion(system.posture(system.q0), "b").R[0][0]
    assert abs((R @ axes[1])[0]) < 1e-12


def test_rods():
    points = {"P": (0, 0, 0)}, {"Q": (0, 0, 0)}
    length = math.sqrt(1 + 4 + 0.25)
    for joint in (
        {"type": "distance", "bodies": None, "points": ("P", "Q")},
        {"type": "distance", "at": ("P", "Q")},
        {"type": "spherical-spherical", "bodies": None, "at": ("P", "Q")},
    ):
        found = two(joint, points=points).joints[0]
        assert found.type == "distance" and found.value == pytest.approx(length)
        assert [p.point for p in found.places] == ["P", "Q"] and found.bodies == ("a", "b")
    given = two({"type": "distance", "bodies": None, "points": ("P", "Q"), "length": 3}, points=points)
    assert given.joints[0].value == 3
    rod = two({"type": "revolute-spherical", "at": ("P", "Q"), "axis": (0, 0, 3)}, points=points).joints[0]
    assert rod.type == "revolute-spherical" and rod.value == pytest.approx(length)
    assert rod.frames[0].e3 == (0, 0, 1)
    assert (
        two({"type": "revolute-spherical", "at": ("P", "Q"), "axis": "x", "length": 7}, points=points).joints[0].value
        == 7
    )


def test_an_angle_between_directions():
    joint = {"type": "angle", "axis": [[1, 0, 0], [0, 0, 1]]}
    found = two(joint)
    E = [E for _, E in triads(found.joints[0], poses(found))]
    assert math.cos(found.joints[0].value) == pytest.approx(E[0][:, 2] @ E[1][:, 2])
    assert two({**joint, "angle": "30 deg"}).joints[0].value == pytest.approx(math.pi / 6)
    assert found.coordinates == {}


def test_a_point_on_the_line_of_two_points():
    points = {"A": (0, 0, 0), "B": (0, 2, 0)}, {"P": (0, 0, 1)}
    resolved = two({"type": "point-on-line", "bodies": None, "point": "P", "line": ("A", "B")}, points=points)
    joint = resolved.joints[0]
    assert joint.bodies == ("a", "b") and joint.frames[0].e3 == (0, 1, 0) and joint.frames[1].place.point == "P"
    here = poses(resolved)
    assert value(resolved.coordinates["J.position"], here) == pytest.approx(resolved.start["P"][1])


def test_a_point_mass_on_a_line():
    m = Model().add_ground("O", 0, 0, 0).add_point("P", 0, 0, 2).add_mass("bead", "P", 1)
    m.add_joint("wire", "point-on-line", bodies=("ground", "bead"), at=["O", "P"], axis=[0, 0, 1])
    resolved = resolve(m)
    (joint,) = resolved.joints
    assert joint.frames[1].place.body == "bead" and joint.frames[1].place.local == (0, 0, 0)
    assert resolved.poses == {} and resolved.start == {"P": (0, 0, 2)}


# ----------------------------------------------------------------------- gears, racks, user's equations
def test_couplings():
    text = """
[bodies]
a = { type = "sphere", radius = 1, mass = 1, points = { P = [0, 0, 1] }, directions = { u = [0, 0, 2] } }
b = { type = "sphere", radius = 1, mass = 1, position = [2, 0, 0] }
c = { type = "sphere", radius = 1, mass = 1 }
[joints]
A = { type = "revolute", bodies = ["ground", "a"], at = [0, 0, 0], axis = "z" }
B = { type = "revolute", bodies = ["ground", "b"], at = [2, 0, 0], axis = "z" }
C = { type = "prismatic", bodies = ["ground", "c"], at = [0, 0, 0], axis = "x" }
gear = { type = "gear", coordinates = ["A.angle", "B.angle"], ratio = 2 }
ring = { type = "gear", coordinates = ["A.angle", "B.angle"], ratio = 2, internal = true }
rack = { type = "rack-and-pinion", pinion = "A.angle", rack = "C.position", radius = 0.1 }
mine = { type = "user", equation = "P.x*a.u.x - k*P.z = t - C.position" }
[parameters]
k = 2
"""
    resolved = resolve(load_text(text))
    joints = {j.name: j for j in resolved.joints}
    assert joints["gear"].terms == (("A.angle", 2), ("B.angle", 1))
    assert joints["ring"].terms == (("A.angle", -2), ("B.angle", 1))
    assert joints["rack"].terms == (("C.position", 1), ("A.angle", -0.1))
    assert ex.names(joints["mine"].equation) == {"P.x", "a.u.x", "P.z", "C.position", "t"}
    assert all(c.needed for c in resolved.coordinates.values())


# ---------------------------------------------------------------------------- coordinates and what acts
SWING = """
gravity = { z = -9.81 }
[ground]
O = [0, 0, 0]
[bodies.arm]
type = "cylinder"
radius = 0.1
length = 1
axis = [1, 0, 0]
center = [0.5, 0, 0]
mass = 2
points = { O = [0, 0, 0], E = [1, 0, 0] }
orientation = { axis = [0, 1, 0], angle = "30 deg" }
directions = { u = [1, 0, 0] }
[joints]
J = { type = "revolute", at = "O", axis = [0, 1, 0] }
"""


def test_declared_coordinates():
    text = """
[coordinates]
phi = { type = "angle", joint = "J" }
psi = { type = "angle", joint = "J.angle" }
tilt = { type = "angle", of = ["O", "E"], relative_to = { body = "ground", direction = [1, 1, 0] }, about = [0, 1, 0] }
same = { type = "angle", of = "arm.u", relative_to = "ground.x", about = "y" }
s = { type = "distance", points = ["E", "Q"] }
h = { type = "position", point = "E", along = { body = "ground", direction = "z", through = "Q" } }
r = { type = "position", point = "E", along = { body = "ground", direction = [0, 0, 1] } }
"""
    resolved = resolve(load_text(SWING.replace("[bodies", "Q = [0, 0, 1]\n[bodies") + text))
    here = poses(resolved)
    c = resolved.coordinates
    assert c["phi"].lines == c["psi"].lines == c["J.angle"].lines and (c["phi"].joint, c["phi"].name) == ("J", "phi")
    assert value(c["phi"], here) == pytest.approx(0)
    for name in ("tilt", "same"):
        assert value(c[name], here) == pytest.approx(math.radians(30))
    assert value(c["h"], here) == pytest.approx(-0.5 - 1) and value(c["r"], here) == pytest.approx(-0.5)
    assert value(c["s"], here) == pytest.approx(math.hypot(math.cos(math.pi / 6), 1.5))


def test_drivers_forces_and_starts():
    text = (
        SWING
        + """
[coordinates]
phi = { type = "angle", joint = "J" }
[drivers]
d = { coordinate = "E.z", law = "sin(t)" }
[forces]
k = { type = "spring", coordinate = "J.angle", stiffness = "5 N*m/rad" }
line = { type = "spring", points = ["O", "T"], stiffness = 5 }
f = { type = "force", point = "E", value = [1, 2, "3*t"], axes = "arm" }
m = { type = "moment", body = "arm", value = [0, 0, "5 N*m"], against = "box" }
n = { type = "moment", body = "arm", value = [0, 0, 1], axes = "arm" }
a = { type = "actuator", coordinate = "J.angle", value = "-x - v" }
[bodies.box]
type = "box"
size = [1, 1, 1]
mass = 1
points = { T = [0, 3, 4] }
[initial]
position = { "J.angle" = "30 deg", "E.z" = 1 }
velocity = { "J.angle" = "60 rpm", "arm.wx" = 1, "arm.wz" = "2 rad/s" , "E.y" = 3 }
"""
    )
    resolved = resolve(load_text(text))
    forces = {f.name: f for f in resolved.forces}
    assert resolved.gravity == (0, 0, -9.81)
    assert resolved.drivers[0].axis == 2 and resolved.drivers[0].place.point == "E"
    assert forces["k"].type == "coordinate" and forces["k"].law.free == pytest.approx(0)
    assert forces["line"].type == "distance" and forces["line"].law.free == 5
    assert forces["f"].axes == "arm" and forces["f"].law_y.constant == 2 and ex.names(forces["f"].law_z.expression)
    assert forces["m"].bodies == ("arm", "box") and forces["m"].law_z.constant == 5 and forces["m"].axes == GROUND
    assert forces["n"].axes == "arm"
    assert {n for n, c in resolved.coordinates.items() if c.needed} == {"J.angle"}
    assert resolved.position == pytest.approx({"J.angle": math.pi / 6, "E.z": 1})
    assert resolved.velocity == pytest.approx({"J.angle": 2 * math.pi, "arm.wx": 1, "arm.wz": 2, "E.y": 3})


def test_symbols_and_floats_agree():
    text = SWING.replace("length = 1\n", "length = 'L'\n").replace("E = [1, 0, 0]", "E = ['L', 0, 0]")
    text = text.replace("[joints]", "[parameters]\nL = 1.25\na = '20 deg'\n[joints]").replace("'30 deg'", "'a'")
    text = text.replace('"30 deg"', '"a"')
    floats, formulas = resolve(load_text(text)), resolve(load_text(text), symbolic=True)
    values = {formulas.parameters[k]: v for k, v in floats.parameters.items()}

    def compare(symbolic, number):
        if isinstance(number, tuple):
            for x, y in zip(symbolic, number):
                compare(x, y)
        else:
            assert float(sympy.sympify(symbolic).subs(values)) == pytest.approx(number, abs=1e-15)

    compare(formulas.poses["arm"].rotation, floats.poses["arm"].rotation)
    compare(formulas.bodies["arm"].inertia, floats.bodies["arm"].inertia)
    compare(formulas.start["E"], floats.start["E"])
    for one, other in zip(formulas.joints[0].frames, floats.joints[0].frames):
        compare((one.e1, one.e2, one.e3), (other.e1, other.e2, other.e3))
    assert formulas.dimension == 3 and str(formulas.start["E"][2]) == "-L*sin(a)"
