"""Joints that other packages offer by entry points; the one of `docs/extend/joint.md` among them."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import biela

PAGE = Path(__file__).parents[2] / "docs" / "extend" / "joint.md"
POINTS = """[biela.joints]
parallelogram = my_parallelogram:Parallelogram
broken = not_there:Joint
revolute-again = my_others:Twice
no-joint = my_others:NUMBER
sliding-hinge = my_others:SlidingHinge
"""
OTHERS = '''
from typing import Literal
from biela.model.joints.joint import PlaneJoint, SpaceJoint
from biela.model.joints.primitives import dot, minus, on_plane, parallel
from biela.model.joints.steps import X, slide, turn
from biela.model.space_vectors import Axis

NUMBER = 3

class Twice(PlaneJoint):
    """Takes a name that is taken."""

    type: Literal["revolute"]

class SlidingHinge(SpaceJoint):
    """A hinge whose axis slides across itself."""

    type: Literal["sliding-hinge"]
    axis: Axis

    freedoms = slide("position", X), turn("angle")
    axis_in = (0, 1)
    shared_axes = ("e3",)
    sign = "hinge"

    @staticmethod
    def equations(i, j, *_):
        return parallel(i, j) + on_plane(i, j) + [("across", dot(i.e[1], minus(j.r, i.r)))]
'''
MODEL = """
name = "swing"
gravity = [0, -9.81]
parameters = { out = "50 deg" }
ground = { A = [0, 0] }
points = { B = ["0.8*sin(out)", "-0.8*cos(out)"], C = ["0.8*sin(out) + 0.3", "-0.8*cos(out)"] }
[bodies.table]
points = ["B", "C"]
mass = 2
center = [0.1, -0.2]
inertia = 0.3
[joints.swing]
type = "parallelogram"
points = ["A", "B"]
"""


@pytest.mark.parametrize("file", ["cylindrical", "prismatic", "universal", "planar", "screw", "point_on_plane", "gear"])
def test_a_joint_is_one_file_and_one_word(file: str):
    """No other file of the package speaks of it. (Some types have names that mean other things, too.)"""
    source = Path(biela.__file__).parent
    words = {f'"{file}"', f'"{file.replace("_", "-")}"'}
    found = {p.relative_to(source).as_posix() for p in source.rglob("*.py") if any(w in p.read_text() for w in words)}
    assert found == {f"model/joints/{file}.py", "model/joints/registry.py"}


@pytest.fixture(scope="module")
def said(tmp_path_factory) -> list[str]:
    """What SWING, HINGE and ASK print, in one process with a folder that has an installed package: the first program
    of the page, and what does not work."""
    tmp_path = tmp_path_factory.mktemp("package")
    found = re.search(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert found
    (tmp_path / "my_parallelogram.py").write_text(found[1])
    (tmp_path / "my_others.py").write_text(OTHERS)
    (tmp_path / "swing.toml").write_text(MODEL)
    info = tmp_path / "my_joints-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my_joints\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    program = "print('-----')".join((SWING, HINGE, ASK))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": path})  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.split("-----\n")


SWING = """
import json
import numpy as np
from scipy.special import ellipj
import biela
from biela.system.system import COORDINATES

R, g, out, mass = 0.8, 9.81, np.deg2rad(50), 2.0
model, found = biela.load("swing.toml"), {}
for coordinates in COORDINATES:
    r = biela.simulate(model, 2.0, coordinates=coordinates, tolerance=1e-10)
    m = np.sin(out / 2) ** 2
    _, cn, dn, _ = ellipj(np.sqrt(g / R) * r.t, m)
    angle = 2 * np.arcsin(np.sqrt(m) * cn / dn)
    away = np.stack([np.sin(angle), -np.cos(angle)], axis=1)
    pull = mass * (g * np.cos(angle) + 2 * g * (np.cos(angle) - np.cos(out)))  # the string of a simple pendulum
    found[coordinates] = [float(np.abs(r["B"] - R * away).max()), float(np.abs(r["table.angle"]).max()),
                          float(np.abs(r["swing.reaction"] + pull[:, None] * away).max())]
model.joints = {"swing": {"type": "parallelogram", "points": ["A", "B"], "length": 0.5}}
short = biela.assemble(model)
found["length"] = float(np.hypot(*short.resolved.start["B"])), float(np.hypot(*short.q0[:2]))
r.sketch(0.5).savefig("swing.svg")
print(json.dumps(found))
"""


def test_a_parallelogram_swings_as_a_simple_pendulum(said: list[str]):
    """In all coordinates: where it is, that it does not turn, and what holds it."""
    found = json.loads(said[0])
    drawn, given = found.pop("length")
    assert drawn == pytest.approx(0.8) and given == pytest.approx(0.5)
    assert set(found) == {"natural", "mixed", "reference-point", "relative"}
    assert all(value < 1e-6 for values in found.values() for value in values), found


HINGE = """
import json
import numpy as np
import biela
from biela.system.system import COORDINATES

model = biela.Model(name="sliding", gravity=(0, 0, -9.81)).add_ground("O", 0, 0, 0)
model.add_body("bar", {"P": (0, 0, 0), "C": (0.5, 0, 0)}, mass=2, center=(0.5, 0, 0), inertia=(0.01, 0.2, 0.2))
model.add_joint("J", "sliding-hinge", bodies=("ground", "bar"), at=("O", "P"), axis=(0, 1, 0))
found = {}
for coordinates in COORDINATES:
    r = biela.simulate(model, 1.0, coordinates=coordinates, tolerance=1e-10)
    angle, position, P, C = r["J.angle"], r["J.position"], r["P"], r["C"]
    rate = np.gradient(angle, r.t)
    # no force along the slot: the centre falls straight down, and its height is that of the angle
    square = 2 * 2 * 9.81 * 0.5 * np.sin(np.abs(angle)) / (0.2 + 2 * 0.25 * np.cos(angle) ** 2)
    found[coordinates] = [float(np.abs(C[:, 0] - 0.5).max()), float(np.abs(P[:, 1:]).max()),
                          float(np.abs(np.abs(position) - np.abs(P[:, 0])).max()),
                          float(np.abs(rate[5:-5] ** 2 - square[5:-5]).max() / square.max())]
print(json.dumps(found))
print([name for name in biela.assemble(model, "relative").q_names])
r.sketch(0.5).savefig("sliding.svg")
"""


def test_a_sliding_hinge_in_space_is_followed_by_a_tree(said: list[str]):
    """Slots take no force along themselves: the centre of mass falls straight down, as energy says."""
    found, names = said[1].splitlines()
    assert names == "['J.position', 'J.angle']"
    for coordinates, values in json.loads(found).items():
        assert max(values[:3]) < 1e-7 and values[3] < 1e-4, (coordinates, values)


ASK = """
import biela
from biela.cli.app import app
from biela.model.schema import json_schema
from typer.testing import CliRunner

print("Parallelogram" in json_schema()["$defs"])
print("Two equal cranks" in CliRunner().invoke(app, ["list", "joints", "--json"]).output)
for kind in ("broken", "revolute-again", "no-joint", "parallelogramm"):
    try:
        biela.Model(name="m").add_joint("J", kind, points=("A", "B"))
    except biela.ModelError as error:
        print(" ".join(str(error).split()))
bad = biela.load("swing.toml")
bad.joints = {"swing": {"type": "parallelogram", "points": ["A", "Q"], "length": -1}}
try:
    biela.assemble(bad)
except biela.ModelError as error:
    print(" ".join(str(error).split()))
"""


def test_it_is_listed_and_mistakes_are_told(said: list[str]):
    """What cannot be loaded, or takes a name that is taken, is told to those who ask for it."""
    schema, listed, broken, twice, number, near, bad = said[2].splitlines()
    assert (schema, listed) == ("True", "True")
    assert "not_there:Joint offers it, but: ModuleNotFoundError" in broken
    assert "there is a joint 'revolute' already" in twice
    assert "my_others:NUMBER is not of the class PlaneJoint, SpaceJoint or Coupling" in number
    assert "did you mean 'parallelogram'?" in near
    assert "there is no point 'Q'" in bad and "keeps a distance of -1 m" in bad
