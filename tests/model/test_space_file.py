"""Files and builders of spatial models: what is written reads back equal, and what an item is depends on itself."""

import json
from pathlib import Path

import pytest

from biela.errors import ModelError
from biela.model import bodies as bd
from biela.model.either import TYPES, in_space
from biela.model.file import load_file, load_text, save, to_toml
from biela.model.joints.universal import Universal
from biela.model.model import Model
from biela.model.resolve import resolve
from biela.model.schema import json_schema

# One of everything that exists in space.
FULL = """
name = "full"
dimension = 3
gravity = { z = "-9.81 m/s^2" }
[parameters]
L = "30 mm"
[ground]
O = [0, 0.1, 0]
[points]
A = ["L", 1e-30, 0]
B = [1, 2, 3]
[bodies]
a = { type = "bar", points = ["O", "A"], length = "L", mass = 1, center = [0, 1, 0], width = 0.1 }
b = { type = "rod", points = ["A", "B"], position = [0, 0, 0] }
c = { type = "plate", mass = 1, width = 2, height = 3, thickness = 0.1, points = { P = [0, 0, 0] } }
d = { type = "disc", density = "1 g/cm^3", radius = 2, thickness = 1, axis = [0, 1, 0], center = [1, 1, 1] }
e = { type = "disc", mass = 1, radius = 2 }
f = { points = ["A", "B"], mass = 1, center = [0, 0, 0], inertia = [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }
g = { type = "body", points = { Q = [0, 0, 0] }, directions = { u = [1, 2, 3] }, carrier = "1 point + 3 vectors" }
h = { type = "box", size = [1, "L", 3], mass = 1, orientation = { axis = [0, 0, 1], angle = "30 deg" } }
i = { type = "cylinder", radius = 1, length = 2, mass = 3, orientation = [1, 0, 0, 0] }
j = { type = "sphere", radius = 1, mass = 3, orientation = [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }
k = { type = "cone", radius = 1, height = 2, mass = 3, axis = [1, 0, 0], orientation = { x = [1, 0, 0], z = [0, 0, 1]} }
p = { type = "mass", point = "B", mass = 3 }
[joints]
j1 = { type = "revolute", at = "O", axis = [0, 0, 1], zero = "10 deg" }
j2 = { type = "prismatic", bodies = ["ground", "c"], at = [0, 0, "L"], axis = "x" }
j3 = { type = "cylindrical", bodies = ["c", "d"], at = [0, 0, 0], axis = [[1, 0, 0], "y"] }
j4 = { type = "spherical", bodies = ["d", "e"], at = [0, 0, 0] }
j5 = { type = "universal", bodies = ["e", "h"], at = [0, 0, 0], axis = [[1, 0, 0], [0, 1, 0]], angle = "80 deg" }
j6 = { type = "planar", bodies = ["ground", "e"], at = [0, 0, 0], axis = [0, 0, 1] }
j7 = { type = "screw", bodies = ["ground", "g"], at = "Q", axis = "u", lead = "5 mm/rev" }
j8 = { type = "fixed", bodies = ["ground", "i"] }
j9 = { type = "point-on-line", point = "Q", line = ["O", "A"] }
k1 = { type = "point-on-plane", bodies = ["ground", "p"], at = ["O", "B"], axis = [0, 0, 1] }
k2 = { type = "distance", points = ["O", "B"], length = 3 }
k3 = { type = "spherical-spherical", bodies = ["ground", "g"], at = ["O", "Q"] }
k4 = { type = "revolute-spherical", bodies = ["ground", "g"], at = ["O", "Q"], axis = [0, 0, 1], length = 2 }
k5 = { type = "angle", bodies = ["c", "k"], axis = ["x", "y"] }
k6 = { type = "gear", coordinates = ["j1.angle", "j3.angle"], ratio = 2, internal = true }
k7 = { type = "rack-and-pinion", pinion = "j1.angle", rack = "j2.position", radius = 0.1 }
k8 = { type = "user", equation = "Q.z = 2*g.u.x + sin(t)" }
[coordinates]
phi = { type = "angle", joint = "j1" }
psi = { type = "angle", of = "g.u", relative_to = { body = "c", direction = [1, 0, 0] }, about = [0, 0, 1] }
s = { type = "distance", points = ["O", "Q"] }
y = { type = "position", point = "Q", along = { body = "ground", direction = "z", through = "O" } }
z = { type = "position", point = "Q", along = ["O", "A"] }
[drivers]
d1 = { coordinate = "j1.angle", law = "2*t" }
[forces]
f1 = { type = "force", point = "Q", value = [1, "sin(t)", 0], axes = "a" }
f2 = { type = "moment", body = "a", value = [3, 0, { x = [0, 1], y = [0, 1] }], against = "b", axes = "b" }
f3 = { type = "spring", points = ["O", "Q"], stiffness = 1 }
[initial]
position = { phi = "30 deg" }
velocity = { "a.wx" = 2 }
"""


def test_round_trip(tmp_path: Path):
    model = load_text(FULL)
    file = tmp_path / "full.toml"
    save(model, file)
    again = load_file(file)
    assert again == model and to_toml(again) == to_toml(model)
    assert resolve(again) == resolve(model)
    assert '\n[joints.j1]\ntype = "revolute"\n' in to_toml(model)  # the type comes first


def test_it_means_something():
    resolved = resolve(load_text(FULL))
    assert resolved.dimension == 3 and len(resolved.bodies) == 12
    assert {j.type for j in resolved.joints} == set(TYPES["joints"][1]) - {"spherical-spherical"}
    assert resolve(load_text(FULL), symbolic=True).scalar == "sympy"


def test_every_type_of_space_is_tried_here():
    model = load_text(FULL)
    for table in ("bodies", "joints", "coordinates"):
        assert {item.type for item in getattr(model, table).values()} == set(TYPES[table][1])


def test_a_table_with_only_what_is_true_anyway_reads_back_too():
    """A default written down may be all that says that a body is of space."""
    model = load_text(
        "[bodies]\nb = { position = [0, 0, 0] }\nd = { type = 'disc', mass = 1, radius = 1, directions = {} }"
    )
    assert isinstance(model.bodies["b"], bd.SpaceBody) and isinstance(model.bodies["d"], bd.SpaceDisc)
    assert load_text(to_toml(model)).bodies == model.bodies and resolve(model).dimension == 3


def test_a_plate_may_name_its_points_in_space_only():
    plate = "[bodies.p]\ntype = 'plate'\npoints = ['A']\nwidth = 1\nheight = 1\nmass = 1\n"
    assert resolve(load_text(plate + "[points]\nA = [1, 2, 3]")).bodies["p"].points == {"A": (1, 2, 3)}
    with pytest.raises(ModelError, match="plate 'p' gives no coordinates of its points"):
        resolve(load_text(plate + "[points]\nA = [1, 2]"))


def test_the_order_of_building_does_not_matter():
    bar = {"name": "bar", "a": "O", "b": "A", "mass": 1}
    before = Model(name="m").add_bar(**bar).add_ground("O", 0, 0, 0).add_point("A", 1, 0, 0)
    after = Model(name="m").add_ground("O", 0, 0, 0).add_point("A", 1, 0, 0).add_bar(**bar)
    assert before == after == load_text(to_toml(before)) and resolve(before) == resolve(after)
    assert resolve(before).dimension == 3
    items, wrong = in_space(before)
    assert isinstance(items.bodies["bar"], bd.SpaceBar) and not wrong


def test_builders():
    m = Model(gravity=(0, 0, -9.81)).add_ground("O", 0, 0, 0)
    m.add_body("body", {"P": (0, 0, 1)}, mass=1, center=(0, 0, 0), inertia=(1, 1, 1))
    m.add_box("box", (1, 2, 3), {"O": (0, 0, 0)}, mass=1).add_cylinder("cylinder", 1, 2, density=3)
    m.add_sphere("sphere", 1, mass=1).add_cone("cone", 1, 2, mass=1).add_plate("plate", width=1, height=1, mass=1)
    m.add_disc("disc", radius=1, mass=1).add_joint("J", "universal", bodies=("box", "body"), at="P", axis=("x", "y"))
    m.add_bar("bar", "O", "P", density=1, radius=0.01).add_mass("bob", "P", 2)
    assert isinstance(m.joints["J"], Universal)
    resolved = resolve(m)
    assert set(resolved.poses) == set(resolved.bodies) - {"bob"} and resolved.gravity == (0, 0, -9.81)
    assert resolve(Model(dimension=3)).dimension == 3 and resolve(Model()).dimension == 2


def test_repeat_blocks_work_in_space():
    text = """
[parameters]
n = 3
[ground]
P0 = [0, 0, 0]
[[repeat]]
index = "i"
from = 1
to = "n"
points = { "P{i}" = ["{i}", 0, 1] }
bodies = { "link{i}" = { type = "bar", points = ["P{i-1}", "P{i}"], mass = 1 } }
joints = { "J{i}" = { type = "revolute", at = "P{i-1}", axis = [0, 0, 1] } }
"""
    resolved = resolve(load_text(text))
    assert resolved.dimension == 3 and [j.name for j in resolved.joints] == ["J1", "J2", "J3"]
    assert list(resolved.coordinates) == ["J1.angle", "J2.angle", "J3.angle"]
    assert resolved.bodies["link3"].points["P3"] == (3, 0, 1)


def test_schema_has_both():
    schema = json_schema()
    names = set(schema["$defs"])
    assert {"Body", "SpaceBody", "Cone", "Revolute", "SpaceRevolute", "Universal", "SpaceLine", "Turn"} <= names
    assert {"dimension", "gravity"} <= set(schema["properties"])
    assert len(schema["properties"]["gravity"]["anyOf"][1]["properties"]) == 3
    for table in ("bodies", "joints", "coordinates"):
        (item,) = schema["properties"][table]["patternProperties"].values()
        assert len(item["anyOf"]) == 2 and "oneOf" not in item
    json.dumps(schema)


@pytest.mark.parametrize("gravity", ["[0, 0, -9.81]", "{ z = -9.81 }", "{ x = 0, z = '-9.81 m/s^2' }"])
def test_gravity(gravity: str):
    assert resolve(load_text(f"gravity = {gravity}")).gravity == (0, 0, -9.81)
