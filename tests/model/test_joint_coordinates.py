"""Coordinates that joints have by themselves: their names, what they measure, and when they are variables."""

import pytest

from biela.errors import ModelError
from biela.model.file import load_text
from biela.model.resolve import resolve
from biela.model.resolved import GROUND, Direction, Place, ResolvedLine

MODEL = """
[ground]
O = [0, 0]
D = [3, 0]
R = [0, 2]
[points]
A = [0, 1]
B = [2, 2]
B2 = [2, 2]
S = [1, 2]
[bodies]
crank = { type = "bar", points = ["O", "A"], mass = 1 }
coupler = { type = "bar", points = ["A", "B"], mass = 1 }
rocker = { type = "bar", points = ["D", "B2"], mass = 1 }
arm = { points = ["A", "S"] }
bob = { type = "mass", point = "S", mass = 1 }
[joints.pin]
type = "revolute"
points = ["B", "B2"]
[joints.slot]
type = "point-on-line"
point = "S"
line = { body = "ground", through = "R" }
"""
SLIDE = """
[ground]
O = [0, 0]
[bodies.car]
points = { P = [0, 0], Q = [1, 0] }
mass = 1
center = [0, 0]
[points]
P = [0.5, 0]
[joints.slide]
type = "prismatic"
line = { body = "ground", through = "O" }
slider = ["P", "Q"]
"""


def axis(body: str) -> ResolvedLine:
    return ResolvedLine(Direction(body, (1.0, 0.0)), 1.0, None)


def test_every_joint_has_its_own():
    found = resolve(load_text(MODEL)).coordinates
    assert set(found) == {
        "pin.angle", "slot.position", "O.angle@crank", "D.angle@rocker", "A.angle@coupler", "A.angle@arm"
    }  # fmt: skip
    assert not any(c.needed for c in found.values())
    pin = found["pin.angle"]
    assert (pin.type, pin.joint, pin.freedom, pin.lines) == ("angle", "pin", 0, (axis("coupler"), axis("rocker")))
    slot = found["slot.position"]
    block = Place("bob", (0.0, 0.0), "S")  # the point mass is what slides
    assert (slot.type, slot.joint, slot.places) == ("position", "slot", (block,))
    assert slot.lines[0].through == Place(GROUND, (0.0, 2.0), "R")


def test_a_shared_point_counts_from_its_first_body_ground_first():
    found = resolve(load_text(MODEL)).coordinates
    assert found["O.angle@crank"].lines == (axis(GROUND), axis("crank"))
    for k, body in enumerate(("coupler", "arm")):
        c = found[f"A.angle@{body}"]
        assert (c.joint, c.freedom, c.lines) == ("A", k, (axis("crank"), axis(body)))


def test_a_slide_has_a_position():
    c = resolve(load_text(SLIDE)).coordinates["slide.position"]
    assert c.type == "position" and c.places[0].point == "P" and c.lines[0].through.point == "O"  # type: ignore[union-attr]


def test_joints_without_a_freedom_to_name_have_none():
    weld = '[joints.weld]\ntype = "fixed"\nbodies = ["crank", "arm"]\n'
    found = resolve(load_text(MODEL + weld)).coordinates
    assert "A.angle@arm" not in found and "A.angle@coupler" in found
    stay = '[joints.stay]\ntype = "distance"\npoints = ["O", "B"]\n'
    stretching = '[joints.thread]\ntype = "point-on-line"\npoint = "S"\nline = ["D", "B"]\n'
    found = resolve(load_text(MODEL + stay + stretching)).coordinates
    assert not any(name.startswith(("stay", "thread")) for name in found)


def test_a_point_mass_has_no_angle_at_its_pin():
    text = MODEL.replace('points = ["B", "B2"]', 'points = ["Q", "B2"]')
    text = text.replace("S = [1, 2]", "S = [1, 2]\nQ = [2, 2]")
    text = text.replace("[joints.pin]", '[bodies.ball]\ntype = "mass"\npoint = "Q"\nmass = 1\n[joints.pin]')
    assert "pin.angle" not in resolve(load_text(text)).coordinates


def test_drivers_forces_and_starts_may_name_them():
    extra = """
[drivers.motor]
coordinate = "O.angle@crank"
law = "2*t"
[forces.spring]
type = "spring"
coordinate = "pin.angle"
stiffness = "5 N*m/rad"
[initial]
position = { "slot.position" = "1 m" }
velocity = { "A.angle@coupler" = "3 rad/s" }
"""
    resolved = resolve(load_text(MODEL + extra))
    assert resolved.drivers[0].coordinate == "O.angle@crank" and resolved.forces[0].coordinate == "pin.angle"
    assert {name for name, c in resolved.coordinates.items() if c.needed} == {"O.angle@crank", "pin.angle"}
    assert resolved.position == {"slot.position": 1.0} and resolved.velocity == {"A.angle@coupler": 3.0}


def test_they_are_variables_only_where_something_needs_them():
    extra = """
[coordinates.phi]
type = "angle"
of = ["O", "A"]
[drivers.motor]
coordinate = "O.angle@crank"
law = "2*t"
[initial]
velocity = { "A.angle@coupler" = "3 rad/s" }
"""
    resolved = resolve(load_text(MODEL + extra))
    assert resolved.carried(mixed=False) == ["O.angle@crank"]
    assert set(resolved.carried(mixed=True)) == {"phi", "O.angle@crank", "A.angle@coupler"}


def test_a_name_that_comes_near_is_suggested():
    for wrong, right in (("pin.angel", "pin.angle"), ("A.angle@copler", "A.angle@coupler")):
        with pytest.raises(ModelError, match=f"did you mean '{right}'"):
            resolve(load_text(MODEL + f'[drivers.d]\ncoordinate = "{wrong}"\nlaw = "t"\n'))


def test_in_symbols_too():
    text = MODEL.replace("[ground]", "[parameters]\na = 1\n[ground]", 1).replace("A = [0, 1]", 'A = [0, "a"]')
    floats, formulas = resolve(load_text(text)), resolve(load_text(text), symbolic=True)
    assert list(floats.coordinates) == list(formulas.coordinates)
