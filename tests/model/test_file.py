"""Model files: what cannot be read is told, what is written reads back equal."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biela.errors import ModelError
from biela.model import bodies as bd
from biela.model import items as it
from biela.model.file import LARGEST, load_file, load_text, save, to_toml
from biela.model.model import Model
from biela.model.schema import json_schema
from biela.model.toml import line_of

# One of everything.
FULL = """
name = "full"
title = 'a "quoted" title, ñ, \\ and more'
gravity = { y = "-9.81 m/s^2" }
[parameters]
m = 2
L = "30 mm"
k = "2*m"
[ground]
O = [0, 0.1]
[points]
A = ["L", 1e-30]
B = [1, 2]
C = [3, 4]
[bodies]
a = { type = "bar", points = ["O", "A"], length = "L", mass = "m", center = [0, 1], inertia = 2 }
b = { type = "rod", points = ["A", "B"] }
c = { type = "plate", points = { A = [0, 0], B = ["L", 0] }, mass = 1, width = 2, height = 3 }
d = { type = "disc", points = { B = [0, 0], Q = [1, 0] }, mass = 1, radius = 2, center = [1, 1] }
p = { type = "mass", point = "B", mass = 3 }
f = { points = ["A", "B", "C"] }
g = { type = "body", points = { A = [0, 0] }, mass = 1, center = [0, 0], inertia = 1 }
[joints]
j1 = { type = "revolute", points = ["A", "C"] }
j2 = { type = "point-on-line", point = "A", line = ["B", "C"] }
j3 = { type = "prismatic", line = { body = "a", angle = "30 deg", through = "O" }, slider = "b", angle = 1 }
j4 = { type = "fixed", bodies = ["a", "b"], points = ["A", "A"], angle = 0.5 }
j5 = { type = "distance", points = ["A", "C"], length = 3 }
j6 = { type = "angle", lines = ["a", ["A", "B"]] }
[coordinates]
s = { type = "distance", points = ["O", "C"] }
phi = { type = "angle", of = "a" }
y = { type = "position", point = "C", along = { body = "ground", through = "O" } }
[drivers]
d1 = { coordinate = "phi", law = "2*t" }
d2 = { coordinate = "A.x", law = { x = [0, 1, 2], y = [0, 1, 0], interpolation = "linear" } }
[forces]
f1 = { type = "force", point = "C", value = [1, "sin(t)"], axes = "a", on = "f" }
f2 = { type = "moment", body = "a", value = 3, against = "b" }
f3 = { type = "spring", points = ["O", "C"], stiffness = 1, free = 0, damping = "2 N*s/m" }
f4 = { type = "damper", bodies = ["a", "b"], damping = 1 }
f5 = { type = "actuator", coordinate = "s", value = { x = [0, 1], y = [0, 1] } }
[initial]
position = { phi = "30 deg", "A.x" = 1 }
velocity = { s = 2 }
[run]
duration = 3
step = "1 ms"
[reference]
source = "here\\nand there"
values = { "A.x @ 10" = 0.1 }
"""


def test_round_trip(tmp_path: Path):
    model = load_text(FULL)
    file = tmp_path / "other-name.toml"
    save(model, file)
    assert load_file(file) == model
    assert to_toml(load_file(file)) == to_toml(model)
    assert [p.name for p in tmp_path.iterdir()] == ["other-name.toml"]
    assert list(load_file(file).bodies) == list(model.bodies)


def test_everything_is_written_of_every_type():
    model = load_text(FULL)
    assert {type(b) for b in model.bodies.values()} == {
        bd.Body,
        bd.Bar,
        bd.Rod,
        bd.Plate,
        bd.Disc,
        bd.PointMass,
    }
    assert len({type(j) for j in model.joints.values()}) == 6
    assert len({type(f) for f in model.forces.values()}) == 5


@given(
    st.text(max_size=20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.dictionaries(st.text(max_size=8), st.floats(allow_nan=False, allow_infinity=False), max_size=3),
)
def test_any_text_and_number_round_trips(text: str, number: float, values: dict[str, float]):
    # What UTF-8 cannot hold, no file can; TOML reads a carriage return and newline as one.
    text, values = _writable(text), {_writable(k): v for k, v in values.items()}
    model = Model(name="x", title=text, gravity=(0, number))
    model.reference = it.Reference(note=text, values=values)
    assert load_text(to_toml(model)) == model


def _writable(text: str) -> str:
    return text.encode("utf-8", "ignore").decode("utf-8")


def test_name_comes_from_the_file(tmp_path: Path):
    file = tmp_path / "my-crane.toml"
    file.write_text("[ground]\nO = [0, 0]\n")
    assert load_file(file).name == "my-crane"


def test_a_byte_order_mark_is_no_harm(tmp_path: Path):
    file = tmp_path / "bom.toml"
    file.write_bytes(b"\xef\xbb\xbf[ground]\r\nO = [0, 0]\r\n")
    assert load_file(file).ground == {"O": (0.0, 0.0)}


@pytest.mark.parametrize(
    "content, words",
    [
        (b"", ["empty", "biela list"]),
        (b"# only a remark\n", ["empty"]),
        (b"this is not toml [[[", ["not a TOML file", "line 1"]),
        (b"[ground]\nO = [0, 0\n", ["not a TOML file", "line"]),
        (b"a = 1\na = 2\n", ["not a TOML file", "line 2"]),
        (b"\x80\x81\xfe\xff" * 1000, ["not a text file", "UTF-8"]),
        (b"a = " + b"[" * 100_000, ["TOML"]),
        (b"m = 1" + b"0" * 5000, ["TOML"]),
        (b"when = 2020-01-01", ["unknown key 'when'"]),
        (b"gravity = 2020-01-01", ["gravity"]),
        (b"[[bodies]]\nmass = 1\n", ["bodies", "table of names"]),
    ],
)
def test_unreadable_content(tmp_path: Path, content: bytes, words: list[str]):
    file = tmp_path / "bad.toml"
    file.write_bytes(content)
    with pytest.raises(ModelError) as caught:
        load_file(file)
    report = str(caught.value)
    assert "bad.toml" in report and "try:" in report
    for word in words:
        assert word in report, report


def test_files_that_are_not_there_or_too_large(tmp_path: Path):
    with pytest.raises(ModelError, match="no such file"):
        load_file(tmp_path / "nothing.toml")
    with pytest.raises(ModelError, match="folder"):
        load_file(tmp_path)
    with pytest.raises(ModelError, match=r"cannot be read|no such file"):
        load_file("a\0b")
    large = tmp_path / "large.toml"
    with open(large, "wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(ModelError, match="too large"):
        load_file(large)


def test_python_functions_are_not_saved_and_nothing_is_touched(tmp_path: Path):
    file = tmp_path / "m.toml"
    file.write_text("untouched")
    model = Model(name="m").add_driver("motor", "phi", math.sin)
    with pytest.raises(ModelError, match=r"drivers\.motor\.law"):
        save(model, file)
    assert file.read_text() == "untouched"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_failure_to_write_leaves_nothing_behind(tmp_path: Path):
    with pytest.raises(ModelError, match="cannot be written"):
        save(Model(name="m"), tmp_path / "missing" / "m.toml")
    target = tmp_path / "folder.toml"
    target.mkdir()
    with pytest.raises(ModelError, match="cannot be written"):
        save(Model(name="m"), target)
    with pytest.raises(ModelError, match="cannot be written"):
        save(Model(name="m", title="\ud800"), tmp_path / "m.toml")
    assert [p.name for p in tmp_path.iterdir()] == ["folder.toml"]


def test_many_mistakes_are_cut_short():
    with pytest.raises(ModelError) as caught:
        load_text("[points]\n" + "\n".join(f"P{k} = [1]" for k in range(200)))
    assert len(caught.value.problems) == 51 and "150 more" in str(caught.value)


def test_lines():
    text = (
        '# a\n[a.b]\nc = """\nc = 3\n[x]\n"""\nd = [\n  1, # ]\n  2,\n]\n"e.f" = {g = 1, h = 2}\n[a."q r"]\n'
    )
    assert line_of(text, ["a", "b", "c"]) == 3
    assert line_of(text, ["a", "b", "d", 1]) == 7
    assert line_of(text, ["a", "b", "e.f", "h"]) == 11
    assert line_of(text, ["a", "q r", "missing"]) == 12
    assert line_of(text, ["x"]) is None
    assert line_of(text, ["a"]) == 2


# --------------------------------------------------------------------------------------------- schema
def test_schema_describes_everything():
    schema = json_schema()
    json.dumps(schema)  # it is plain data
    assert schema["title"] == "biela model" and "$schema" in schema
    assert set(schema["properties"]) == set(Model.model_fields)
    for part in (schema, *schema["$defs"].values()):
        assert part["description"]
        assert part["additionalProperties"] is False
        assert all("description" in value for value in part["properties"].values())
    law = json.dumps(schema["$defs"]["Driver"]["properties"]["law"])
    assert "Table" in law and "number" in law and "string" in law
