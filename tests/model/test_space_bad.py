"""Broken models in space: each is refused with the culprit's name, the numbers and a cure, never a traceback."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biela.errors import ModelError
from biela.model.file import load_text
from biela.model.model import Model
from biela.model.resolve import resolve

# A sound model, to which each case adds its mistake.
GOOD = """
gravity = [0, 0, -9.81]
[ground]
O = [0, 0, 0]
D = [3, 0, 0]
[points]
A = [0, 1, 0]
B = [2, 2, 1]
[bodies.crank]
type = "bar"
points = ["O", "A"]
mass = 1
[bodies.coupler]
points = ["A", "B"]
mass = 1
center = [1, 1.5, 0.5]
inertia = [1, 1, 1]
directions = { u = [0, 0, 1] }
[bodies.rocker]
type = "bar"
points = ["D", "B"]
mass = 1
[bodies.bob]
type = "mass"
point = "B"
mass = 1
[joints.J]
type = "revolute"
at = "O"
axis = [0, 0, 1]
"""


def box(**data: str) -> str:
    lines = {"type": "'box'", "size": "[1, 1, 1]", "mass": "1", **data}
    return GOOD + "[bodies.x]\n" + "".join(f"{key} = {value}\n" for key, value in lines.items() if value)


def joint(**data: str) -> str:
    lines = {"bodies": "['crank', 'rocker']", "at": "[0, 0, 0]", "axis": "[0, 0, 1]", **data}
    return GOOD + "[joints.K]\n" + "".join(f"{key} = {value}\n" for key, value in lines.items() if value)


def inertia(value: str) -> str:
    return GOOD.replace("inertia = [1, 1, 1]", f"inertia = {value}")


PHI = GOOD + "[coordinates.phi]\ntype = 'angle'\n"
CASES: dict[str, tuple[str, list[str]]] = {
    # --------------------------------------------------------------------------------- plane and space
    "a point of the plane": (
        GOOD.replace("D = [3, 0, 0]", "D = [3, 0]"),
        ["mixes the plane and space", "two components: ground.D", "[x, y, z]"],
    ),
    "gravity of the plane": (GOOD.replace("[0, 0, -9.81]", "[0, -9.81]"), ["mixes", "two components: gravity"]),
    "a point of space in the plane": (
        "[ground]\nO=[0,0]\n[points]\nA=[1,0]\nB=[2,0,1]\n[bodies.b]\ntype='rod'\npoints=['A','B']",
        ["mixes", "ground.O, points.A", "three components, or of space only: points.B"],
    ),
    "a centre of the plane": (box(center="[0, 0]"), ["mixes", "bodies.x.center"]),
    "points of a body of the plane": (box(points="{ P = [0, 0], Q = [0, 0, 0] }"), ["mixes", "bodies.x.points.P"]),
    "a sphere in the plane": (
        "[ground]\nO=[0,0]\n[bodies.b]\ntype='sphere'\nradius=1\nmass=1",
        ["mixes", "ground.O", "bodies.b"],
    ),
    "a ball in the plane": (
        "[ground]\nO=[0,0]\n[points]\nA=[1,0]\n[bodies.b]\ntype='rod'\npoints=['O','A']\n[joints.j]\ntype='spherical'",
        ["mixes", "joints.j"],
    ),
    "dimension 2": ("dimension = 2\n" + GOOD, ["dimension = 2", "gravity, ground.O"]),
    "dimension 3": ("dimension = 3\n[ground]\nO=[0,0]", ["dimension = 3", "two components: ground.O"]),
    "dimension 4": ("dimension = 4", ["4 is not allowed here", "2 or 3"]),
    "a force of the plane": (
        GOOD + "[forces.f]\ntype='force'\npoint='A'\nvalue=[1,2]",
        ["mixes", "two components: forces.f.value"],
    ),
    "a moment of the plane": (
        GOOD + "[forces.f]\ntype='moment'\nbody='crank'\nvalue=3",
        ["one component", "[Mx, My, Mz]"],
    ),
    "a moment of space in the plane": (
        "[ground]\nO=[0,0]\n[points]\nA=[1,0]\n[bodies.b]\ntype='rod'\npoints=['O','A']\n"
        "[forces.f]\ntype='moment'\nbody='b'\nvalue=[0,0,1]",
        ["mixes", "forces.f"],
    ),
    "a slide of the plane": (
        GOOD + "[joints.K]\ntype='prismatic'\nline=['O','D']\nslider='crank'",
        ["joints.K.line", "unknown key 'line'", "'axis' is missing", "bodies, at"],
    ),
    "an angle of the plane": (PHI + "of = ['O', 'A']", ["'phi' lacks relative_to, about", "joint = J"]),
    "an inertia of the plane": (inertia("2"), ["bodies.coupler.inertia", "no inertia in space", "[Ixx, Iyy, Izz]"]),
    "a key of the plane": (
        GOOD.replace("mass = 1", "mass = 1\ninertia = 2", 1),
        ["bodies.crank.inertia", "unknown key"],
    ),
    # ------------------------------------------------------------------------------- bodies and inertia
    "inertia not symmetric": (
        inertia("[[1, 0.2, 0], [0.1, 1, 0], [0, 0, 1]]"),
        ["'coupler' is not symmetric", "Ixy = 0.2, Iyx = 0.1"],
    ),
    "inertia negative": (
        inertia("[[1, 2, 0], [2, 1, 0], [0, 0, 1]]"),
        ["'coupler' is negative", "principal moments are -1, 1 and 3 kg m^2"],
    ),
    "inertia against the triangle": (
        inertia("[1, 1, 2.5]"),
        ["no body has the inertia of 'coupler'", "1, 1 and 2.5 kg m^2", "2.5 > 1 + 1"],
    ),
    "inertia of two": (inertia("[1, 2]"), ["bodies.coupler.inertia", "no inertia in space"]),
    "inertia of rows of two": (inertia("[[1, 0], [0, 1], [0, 0]]"), ["no inertia in space"]),
    "unit of an inertia": (inertia("[1, 1, '2 kg']"), ["bodies.coupler.inertia, z", "'2 kg' is not an inertia"]),
    "no centre": (
        GOOD.replace("center = [1, 1.5, 0.5]\n", ""),
        ["'coupler' has a mass but no centre", "center = [x, y, z]"],
    ),
    "negative mass": (box(mass="-2"), ["mass of box 'x' is negative", "-2 kg"]),
    "no mass": (box(mass="0"), ["box 'x' has no mass", "type = 'body'"]),
    "massless bar": (GOOD.replace("mass = 1", "mass = 0", 1).replace("mass = 0", "mass = 0\nradius = 1"), ["'rod'"]),
    "negative point mass": (
        GOOD.replace('point = "B"\nmass = 1', 'point = "B"\nmass = -1'),
        ["mass 'bob' is negative"],
    ),
    "zero point mass": (GOOD.replace('point = "B"\nmass = 1', 'point = "B"\nmass = 0'), ["'bob' has no mass"]),
    "negative mass of a body": (
        GOOD.replace('["A", "B"]\nmass = 1', '["A", "B"]\nmass = -1'),
        ["'coupler' is negative"],
    ),
    "neither mass nor density": (box(mass=""), ["box 'x' has no mass", "neither mass nor density"]),
    "mass and density": (box(density="1000"), ["both a mass and a density", "mass = 1.0 and density = 1000.0"]),
    "density zero": (box(mass="", density="0"), ["density of box 'x' is not positive", "0 kg/m^3"]),
    "density as a mass": (box(mass="", density="'3 kg'"), ["'3 kg' is not a density", "kg/m^3"]),
    "density out of range": (
        box(mass="", density="1e90", size="[1e90, 1e90, 1e90]"),
        ["bodies.x.density", "not finite"],
    ),
    "density of a thin plate": (
        box(type="'plate'", size="", width="1", height="1", mass="", density="1000"),
        ["density of plate 'x' gives no mass", "thickness"],
    ),
    "density of a slender bar": (
        GOOD.replace("mass = 1", "density = 1", 1),
        ["density of bar 'crank' gives no mass", "a width or a radius"],
    ),
    "two sections": (GOOD.replace("mass = 1", "mass = 1\nwidth = 1\nradius = 1", 1), ["bar 'crank' has two sections"]),
    "side zero": (box(size="[1, 0, 1]"), ["side y of box 'x' is not positive", "size > 0"]),
    "radius negative": (box(type="'sphere'", size="", radius="-1"), ["radius of sphere 'x' is not positive", "-1 m"]),
    "height zero": (box(type="'cone'", size="", radius="1", height="0"), ["height of cone 'x'", "0 m"]),
    "thickness zero": (box(type="'disc'", size="", radius="1", thickness="0"), ["thickness of disc 'x'"]),
    "length of a cylinder": (box(type="'cylinder'", size="", radius="1", length="'0 mm'"), ["length of cylinder 'x'"]),
    "two sides": (box(size="[1, 1]"), ["bodies.x.size", "expected 3 values, found 2"]),
    "no size": (box(size=""), ["'size' is missing", "bodies.x"]),
    "an axis without a direction": (
        box(type="'cylinder'", size="", radius="1", length="1", axis="[0, 0, 0]"),
        ["the axis of cylinder 'x' has no direction", "[0, 0, 1]"],
    ),
    "a direction without a direction": (box(directions="{ w = [0, 0, 0] }"), ["direction 'w' of 'x' has no direction"]),
    "a bar of no length": (GOOD.replace("A = [0, 1, 0]", "A = [0, 0, 0]"), ["'O' and 'A' of bar 'crank' coincide"]),
    "a negative length": (
        GOOD.replace("mass = 1", "mass = 1\nlength = -1", 1),
        ["bar 'crank' needs a length above zero"],
    ),
    "unknown point of a bar": (GOOD.replace('["O", "A"]', '["O", "AA"]'), ["no point 'AA'", "did you mean 'A'"]),
    "a point twice": (GOOD.replace('["D", "B"]', '["D", "D"]'), ["'rocker' names the point 'D' twice"]),
    "unknown point of a mass": (GOOD.replace('point = "B"', 'point = "BB"'), ["no point 'BB'", "'B'"]),
    "a point of nothing": (GOOD.replace("B = [2", "C = [1, 1, 1]\nB = [2"), ["point 'C' belongs to nothing"]),
    "a carrier without points": (box(carrier="'2 points + 1 vector'"), ["'x' cannot be carried", "0 points"]),
    "a carrier on a line": (
        box(carrier="'3 points + 1 vector'", points="{P = [0,0,0], Q = [1,0,0], R = [2,0,0]}"),
        ["'x' cannot be carried by '3 points + 1 vector'", "3 points span a line, not a plane"],
    ),
    "a carrier in a plane": (
        box(carrier="'4 points'", points="{P = [0,0,0], Q = [1,0,0], R = [2,1,0], S = [0,4,0]}"),
        ["4 points span a plane, not space"],
    ),
    "an unknown carrier": (box(carrier="'5 points'"), ["'5 points' is not allowed here", "4 points"]),
    # -------------------------------------------------------------------------------------- orientation
    "left-handed": (
        box(orientation="[[1, 0, 0], [0, 1, 0], [0, 0, -1]]"),
        ["orientation of 'x' is left-handed", "determinant is -1"],
    ),
    "axis too long": (box(orientation="[[1, 0, 0], [0, 2, 0], [0, 0, 1]]"), ["y has length 2", "determinant is 2"]),
    "axes not square": (
        box(orientation="[[1, 0.6, 0], [0, 0.8, 0], [0, 0, 1]]"),
        ["not a rotation", "x and y make 53.1301 deg", "determinant is 0.8"],
    ),
    "quaternion of nothing": (box(orientation="[0, 0, 0, 0]"), ["quaternion of 'x' has length 0", "cos(a/2)"]),
    "quaternion too long": (box(orientation="[1, 0, 0, 1]"), ["length 1.41421", "0.707106781"]),
    "turn about nothing": (
        box(orientation="{axis = [0, 0, 0], angle = 1}"),
        ["axis of the orientation of 'x' has no direction"],
    ),
    "two parallel axes": (box(orientation="{x = [1, 0, 0], y = [2, 0, 0]}"), ["x and y axes of 'x'", "0 deg"]),
    "an axis of nothing": (box(orientation="{x = [1, 0, 0], z = [0, 0, 0]}"), ["the z axis of 'x' has no direction"]),
    "one axis": (
        box(orientation="{x = [1, 0, 0]}"),
        ["bodies.x.orientation", "no orientation", "{axis = [x, y, z], angle"],
    ),
    "three axes": (box(orientation="{x = [1, 0, 0], y = [0, 1, 0], z = [0, 0, 1]}"), ["no orientation"]),
    "Euler angles": (box(orientation="[1, 2, 3]"), ["no orientation", "quaternion"]),
    "a number": (box(orientation="3"), ["no orientation"]),
    # -------------------------------------------------------------------------------------------- joints
    "unknown body": (joint(type="'revolute'", bodies="['crank', 'rokcer']"), ["no body 'rokcer'", "'rocker'"]),
    "to itself": (joint(type="'revolute'", bodies="['crank', 'crank']"), ["joint 'K' joins 'crank' to itself"]),
    "ground to itself": (joint(type="'fixed'", axis="", bodies="['ground', 'ground']"), ["joins the ground to itself"]),
    "no axis": (joint(type="'revolute'", axis=""), ["'axis' is missing", "joints.K"]),
    "no axis on a line": (joint(type="'point-on-line'", axis=""), ["joint 'K' has no axis", "line = [A, B]"]),
    "axis of nothing": (joint(type="'revolute'", axis="[0, 0, 0]"), ["axis of joint 'K' has no direction"]),
    "axis of two": (joint(type="'revolute'", axis="[0, 1]"), ["joints.K.axis", "no axis in space", "[x, y, z]"]),
    "axis of four": (joint(type="'revolute'", axis="[0, 1, 2, 3]"), ["no axis in space"]),
    "unknown direction": (joint(type="'revolute'", axis="'uu'"), ["no direction 'uu'", "'crank' and 'rocker'"]),
    "unknown direction of a pair": (
        joint(type="'revolute'", bodies="['coupler', 'rocker']", axis="['v', 'x']"),
        ["'coupler' has no direction 'v'", "u, x, y, z"],
    ),
    "axis of nothing in a pair": (
        joint(type="'revolute'", axis="['x', [0, 0, 0]]"),
        ["an axis of joint 'K'", "no direction"],
    ),
    "unknown point": (joint(type="'spherical'", axis="", at="'AA'"), ["no point 'AA'", "'A'"]),
    "point of another body": (
        joint(type="'spherical'", axis="", bodies="['ground', 'coupler']", at="'Z'").replace(
            "B = [2", "Z = [1,1,1]\nB = [2"
        )
        + "[bodies.y]\ntype = 'mass'\npoint = 'Z'\nmass = 1",
        ["'Z' belongs to neither the ground nor 'coupler'", "it belongs to y"],
    ),
    "pair of wrong points": (joint(type="'revolute'", at="['A', 'A']"), ["'A' is not a point of 'rocker'", "D, B"]),
    "at of two numbers": (joint(type="'revolute'", at="[0, 1]"), ["joints.K.at", "no place in space"]),
    "no place": (
        joint(type="'revolute'", at=""),
        ["'K' does not say where it is", "'crank' and 'rocker' share no point"],
    ),
    "no bodies": (joint(type="'revolute'", bodies=""), ["'K' does not say which bodies it joins", "bodies = [i, j]"]),
    "three bodies at a point": (
        joint(type="'revolute'", bodies="", at="'B'"),
        ["does not say which bodies", "'B' belongs to coupler, rocker, bob"],
    ),
    "a hinge on a point mass": (joint(type="'revolute'", bodies="['crank', 'bob']"), ["point mass 'bob' has no axes"]),
    "parallel universal": (
        joint(type="'universal'", axis="['x', [2, 0, 0]]"),
        ["axes of joint 'K' are parallel", "0 deg", "revolute"],
    ),
    "universal of 60 deg": (
        joint(type="'universal'", axis="['x', [1, 1.7320508, 0]]"),
        ["'K' are not perpendicular", "60 deg", "angle = '60 deg'"],
    ),
    "universal angle of 180": (
        joint(type="'universal'", axis="['x', 'y']", angle="'180 deg'"),
        ["parallel", "180 deg"],
    ),
    "universal angle below zero": (
        joint(type="'universal'", axis="['x', 'y']", angle="'-60 deg'"),
        ["angle of joint 'K'", "joints.K.angle", "-60 deg is not between 0 and 180 deg", "angle = '60 deg'"],
    ),
    "universal angle by a parameter": (
        "parameters = { a = '240 deg' }\n" + joint(type="'universal'", axis="['x', 'y']", angle="'a'"),
        ["240 deg is not between 0 and 180 deg", "angle = '120 deg'"],
    ),
    "angle beyond 180": (
        joint(type="'angle'", axis="['x', 'y']", angle="'450 deg'"),
        ["450 deg is not between 0 and 180 deg", "angle = '90 deg'"],
    ),
    "rod along its hinge": (
        joint(type="'revolute-spherical'", bodies="['ground', 'rocker']", at="['O', 'B']", axis="[2, 2, 1]"),
        ["rod of joint 'K' lies along its axis", "joints.K.axis", "0 deg", "at right angles"],
    ),
    "rod against its hinge": (
        joint(type="'revolute-spherical'", bodies="['ground', 'rocker']", at="['O', 'B']", axis="[-2, -2, -1]"),
        ["rod of joint 'K' lies along its axis", "180 deg"],
    ),
    "zero beyond half a turn": (
        joint(type="'revolute'", zero="'190 deg'"),
        ["zero of joint 'K' is beyond half a turn", "joints.K.zero", "190 deg", "'-170 deg'", "initial.position"],
    ),
    "zero of whole turns": (joint(type="'planar'", zero="-7"), ["beyond half a turn", "-401.07 deg", "-41.0705 deg"]),
    "zero off the thread": (
        joint(type="'screw'", lead="0.1", zero="'40 deg'"),
        ["zero of screw 'K'", "joints.K.zero", "at 40 deg its position is 0.0111111 m", "initial.position"],
    ),
    "zero of a screw beyond half a turn": (joint(type="'screw'", lead="0.1", zero="'400 deg'"), ["beyond half a turn"]),
    "universal with one axis": (joint(type="'universal'"), ["joints.K.axis", "needs two axes"]),
    "parallel angle": (joint(type="'angle'", axis="['x', 'x']"), ["axes of joint 'K' are parallel", "cylindrical"]),
    "screw without a lead": (joint(type="'screw'"), ["'lead' is missing"]),
    "screw of no lead": (joint(type="'screw'", lead="0"), ["lead of screw 'K' is zero", "revolute"]),
    "a mass for a lead": (joint(type="'screw'", lead="'3 kg'"), ["'3 kg' is not a length"]),
    "distance zero": (
        GOOD + "[joints.K]\ntype = 'distance'\npoints = ['O', 'B']\nlength = 0",
        ["joint 'K' keeps a distance of 0 m", "spherical"],
    ),
    "distance of one body": (
        GOOD + "[joints.K]\ntype = 'distance'\npoints = ['O', 'A']",
        ["'O' and 'A', two points of one body"],
    ),
    "distance of nothing": (GOOD + "[joints.K]\ntype = 'spherical-spherical'", ["joint 'K' joins nothing"]),
    "distance twice": (
        GOOD + "[joints.K]\ntype = 'distance'\npoints = ['O', 'B']\nbodies = ['ground', 'coupler']",
        ["says twice what it joins"],
    ),
    "line and axis": (
        GOOD + "[joints.K]\ntype = 'point-on-line'\npoint = 'B'\nline = ['O', 'A']\naxis = [0, 0, 1]",
        ["which point is on which line"],
    ),
    "point on its own line": (
        GOOD + "[joints.K]\ntype = 'point-on-line'\npoint = 'A'\nline = ['O', 'A']",
        ["'A' is fixed to its own line"],
    ),
    "line of two bodies": (
        GOOD + "[joints.K]\ntype = 'point-on-line'\npoint = 'O'\nline = ['A', 'D']",
        ["'A' and 'D' are not two points of one body"],
    ),
    "unknown type": (joint(type="'sperical'"), ["unknown type 'sperical'", "'spherical'"]),
    "unknown key": (joint(type="'revolute'", axsi="[0, 0, 1]"), ["axsi", "did you mean 'axis'", "zero"]),
    "gear of nothing": (
        GOOD + "[joints.K]\ntype='gear'\ncoordinates=['J.angle','L.angle']\nratio=2",
        ["no coordinate 'L.angle'", "J.angle"],
    ),
    "gear of itself": (GOOD + "[joints.K]\ntype='gear'\ncoordinates=['J.angle','J.angle']\nratio=2", ["with itself"]),
    "rack of an angle": (
        GOOD + "[joints.K]\ntype='rack-and-pinion'\npinion='J.angle'\nrack='J.angle'\nradius=1",
        ["needs a position or distance", "'J.angle' is an angle"],
    ),
    "equation of nothing": (
        GOOD + "[joints.K]\ntype='user'\nequation='A.x + coupler.w.x'",
        ["no 'coupler.w.x'", "coupler.u.x"],
    ),
    "equation of a body's angle": (GOOD + "[joints.K]\ntype='user'\nequation='crank.angle'", ["no 'crank.angle'"]),
    # --------------------------------------------------------------- coordinates, drivers, forces, starts
    "joint coordinate of no joint": (PHI + "joint = 'K'", ["no joint 'K'", "J"]),
    "joint without an angle": (
        joint(type="'prismatic'") + "[coordinates.phi]\ntype='angle'\njoint='K'",
        ["joint 'K' has no angle of its own"],
    ),
    "joint with two angles": (
        joint(type="'universal'", axis="['x', 'y']") + "[coordinates.phi]\ntype='angle'\njoint='K'",
        ["several of type 'angle'", "K.angle1, K.angle2"],
    ),
    "joint and more": (PHI + "joint = 'J'\nabout = 'x'", ["that of a joint, and something else", "joint and about"]),
    "angle along its axis": (
        PHI + "of = ['O', 'A']\nrelative_to = 'ground.y'\nabout = 'y'",
        ["'phi' has no angle", "`relative_to` lies along"],
    ),
    "arm along the axis": (
        PHI + "of = ['O', 'A']\nrelative_to = 'ground.x'\nabout = 'y'",
        ["'phi' has no angle", "`of` lies along"],
    ),
    "angle of one body": (PHI + "of = 'crank.x'\nrelative_to = ['O', 'A']\nabout = 'z'", ["'phi' never changes"]),
    "unknown direction of a line": (
        PHI + "of = 'couper.u'\nrelative_to = 'ground.x'\nabout = 'y'",
        ["'couper.u'", "'coupler.u'"],
    ),
    "position of nothing": (GOOD + "[coordinates.s]\ntype='position'\njoint='J'", ["'J' has no position"]),
    "position without a line": (
        GOOD + "[coordinates.s]\ntype='position'\npoint='A'\nalong={body='ground'}",
        ["coordinates.s.along", "'direction' is missing"],
    ),
    "position in its own body": (
        GOOD + "[coordinates.s]\ntype='position'\npoint='A'\nalong={body='crank', direction='x'}",
        ["'s' never changes"],
    ),
    "driver of a body's angle": (GOOD + "[drivers.d]\ncoordinate='crank.angle'\nlaw=1", ["'crank.angle'", "J.angle"]),
    "driver of the ground": (GOOD + "[drivers.d]\ncoordinate='O.z'\nlaw=1", ["'O.z'", "fixed to the ground"]),
    "length for an angle": (GOOD + "[drivers.d]\ncoordinate='J.angle'\nlaw='3 mm'", ["'3 mm' is not an angle"]),
    "torsion between bodies": (
        GOOD + "[forces.k]\ntype='spring'\nbodies=['crank','coupler']\nstiffness=1",
        ["spring 'k' acts between bodies", "coordinate = 'J.angle'"],
    ),
    "moment on a point mass": (GOOD + "[forces.m]\ntype='moment'\nbody='bob'\nvalue=[1,0,0]", ["'bob' has no axes"]),
    "moment in unknown axes": (
        GOOD + "[forces.m]\ntype='moment'\nbody='crank'\nvalue=[1,0,0]\naxes='bar'",
        ["no body 'bar'"],
    ),
    "moment of two": (GOOD + "[forces.m]\ntype='moment'\nbody='crank'\nvalue=[1,0]", ["forces.m.value"]),
    "force of four": (GOOD + "[forces.f]\ntype='force'\npoint='A'\nvalue=[1,0,0,0]", ["expected 3 values, found 4"]),
    "angular velocity of a point mass": (GOOD + "[initial]\nvelocity={'bob.wx'=1}", ["'bob' has no axes"]),
    "angular velocity as a position": (GOOD + "[initial]\nposition={'crank.wx'=1}", ["no coordinate 'crank.wx'"]),
    "unit of an angular velocity": (GOOD + "[initial]\nvelocity={'crank.wx'='1 m/s'}", ["not an angular velocity"]),
    "a point of no body": (
        GOOD.replace("B = [2", "C = [1, 1, 1]\nB = [2") + "[forces.k]\ntype='spring'\npoints=['A','C']\nstiffness=1",
        ["point 'C' belongs to no body", "point mass"],
    ),
}


def test_the_good_one_is_good():
    resolve(load_text(GOOD))
    resolve(load_text(box()))


@pytest.mark.parametrize("case", CASES)
def test_refused_with_a_name_and_a_cure(case: str):
    text, words = CASES[case]
    with pytest.raises(ModelError) as caught:
        resolve(load_text(text))
    report = str(caught.value)
    for word in words:
        assert word in report, report
    assert all(problem.cure for problem in caught.value.problems), report


def test_all_at_once():
    text = (
        box(mass="-1", size="[0, 1, 1]", orientation="[1, 1, 0, 0]") + "[joints.K]\ntype='revolute'\nat='Q'\naxis='x'\n"
    )
    with pytest.raises(ModelError) as caught:
        resolve(load_text(text + "[forces.f]\ntype='moment'\nbody='nobody'\nvalue=1"))
    report = str(caught.value)
    for word in ("negative", "side x", "quaternion", "no point 'Q'", "no body 'nobody'", "one component"):
        assert word in report
    assert len(caught.value.problems) == 6


@pytest.mark.parametrize(
    "speaks",
    [
        "[drivers.d]\ncoordinate='K.angle1'\nlaw=1",
        "[initial]\nposition={'K.angle2'=1}",
        "[forces.k]\ntype='spring'\ncoordinate='K.angle1'\nstiffness=1",
        "[joints.G]\ntype='gear'\ncoordinates=['J.angle','K.angle1']\nratio=2",
        "[joints.E]\ntype='user'\nequation='K.angle1 = t'",
        "[coordinates.phi]\ntype='angle'\njoint='K.angle1'",
    ],
)
def test_the_coordinates_of_a_refused_joint_are_no_second_mistake(speaks: str):
    with pytest.raises(ModelError) as caught:
        resolve(load_text(joint(type="'universal'", axis="['x', [1, 1, 0]]") + speaks))
    (problem,) = caught.value.problems
    assert "not perpendicular" in problem.what and "45 deg" in problem.why and "angle = '90 deg'" in problem.cure


# ------------------------------------------------------------------------------ nothing but ModelErrors
scalar = st.sampled_from([0, 1, -2.5, "1 m", "k", "t", "30 deg", True, 1e99])
triple = st.lists(scalar, min_size=1, max_size=4)
name = st.sampled_from(["O", "A", "B", "a", "b", "ground", "u", "J", "x", "J.angle", "a.u"])
anything = st.one_of(
    scalar,
    name,
    triple,
    st.lists(name, max_size=3),
    st.lists(triple, max_size=3),
    st.dictionaries(
        st.sampled_from(["A", "B", "u", "axis", "angle", "x", "y", "body", "direction"]), scalar | name | triple
    ),
)
body_keys = "points mass center inertia size radius length axis position orientation directions carrier density width"
joint_keys = "bodies at axis zero angle lead points length point line coordinates ratio equation"
body_types = "body box cylinder sphere cone bar rod plate disc mass"
joint_types = (
    "revolute prismatic cylindrical spherical universal planar screw fixed point-on-line point-on-plane distance "
    "spherical-spherical revolute-spherical angle gear user"
)


def items(types: str, keys: str):
    tables = st.dictionaries(st.sampled_from(keys.split()), anything, max_size=5)
    return st.builds(lambda type, data: {"type": type, **data}, st.sampled_from(types.split()), tables)


@settings(max_examples=300)
@given(
    st.dictionaries(st.sampled_from("ab"), items(body_types, body_keys), max_size=2),
    st.dictionaries(st.sampled_from("JK"), items(joint_types, joint_keys), max_size=2),
    st.dictionaries(st.just("c"), items("angle position distance", "of relative_to about joint point along points")),
)
def test_any_model_is_resolved_or_refused(bodies, joints, coordinates):
    try:
        model = Model(
            parameters={"k": 2}, ground={"O": (0, 0, 0)}, points={"A": (1, 0, 0), "B": (0, 1, 1)},
            bodies=bodies, joints=joints, coordinates=coordinates,
        )  # fmt: skip
        resolve(model)
    except ModelError as error:
        assert all(problem.what for problem in error.problems)
