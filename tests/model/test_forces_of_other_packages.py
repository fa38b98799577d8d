"""Forces that other packages offer by entry points; the one of `docs/extend/force.md` among them."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import biela

PAGE = Path(__file__).parents[2] / "docs" / "extend" / "force.md"
POINTS = """[biela.forces]
drag = my_drag:Drag
broken = not_there:Force
no-force = my_drag:Literal
"""
FALL = """
import json
import numpy as np
import biela
from biela.cli.app import app
from biela.model.schema import json_schema
from biela.system.system import COORDINATES
from typer.testing import CliRunner

c, m, g, v0, found = 0.7, 2.0, 9.81, 3.0, {}
disc = {"type": "disc", "points": {"A": [0.1, 0], "B": [-0.1, 0]}, "mass": m, "radius": 0.2, "center": [0, 0]}
box = {"type": "box", "points": {"A": [0.1, 0, 0]}, "mass": m, "size": [0.2, 0.3, 0.4], "position": [0, 0, 0]}
for dimension, body, down in ((2, disc, [0, -g]), (3, box, [0, -g, 0])):
    data = {"dimension": dimension, "gravity": down, "bodies": {"b": body},
            "points": {"A": [0.1, 0], "B": [-0.1, 0]} if dimension == 2 else {},
            "forces": {"air": {"type": "drag", "body": "b", "damping": c}}, "initial": {"velocity": {"A.x": v0}}}
    model = biela.Model.model_validate(data)
    for coordinates in COORDINATES:
        for method in ({}, {"integrator": "conserving", "step": 1e-3}, {"integrator": "radau5"}):
            if coordinates == "relative" and method.get("integrator") == "conserving":
                continue
            r = biela.simulate(model, 2.0, coordinates=coordinates, **method)
            die = np.exp(-c * r.t / m)
            vx, vy = r["b.vx"], r["b.vy"]
            off = max(np.abs(vx - vx[0] * die).max(), np.abs(vy - (vy[0] + m * g / c) * die + m * g / c).max())
            found[f"{dimension} {coordinates} {method.get('integrator')}"] = float(off)
print(json.dumps(found))
print("Drag" in json_schema()["$defs"])
print("Drag of a viscous fluid" in CliRunner().invoke(app, ["list", "forces", "--json"]).output)
for kind in ("broken", "no-force", "dragg"):
    try:
        biela.Model(name="m").add_force("F", kind)
    except biela.ModelError as error:
        print(" ".join(str(error).split()))
bad = {**data, "forces": {"air": {"type": "drag", "body": "c", "damping": -1}}}
try:
    biela.assemble(biela.Model.model_validate(bad))
except biela.ModelError as error:
    print(" ".join(str(error).split()))
"""


@pytest.mark.parametrize("file", ["distributed", "vector_force"])
def test_a_load_is_one_file_and_one_word(file: str):
    """No other file of the package speaks of it. (Springs, dampers and actuators are drawn with signs of their own.)"""
    source = Path(biela.__file__).parent
    words = {f'"{file}"', f'"{file.replace("_", "-")}"'}
    found = {p.relative_to(source).as_posix() for p in source.rglob("*.py") if any(w in p.read_text() for w in words)}
    assert found == {f"model/forces/{file}.py", "model/forces/registry.py"}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with an installed package: the program of the page that has a class."""
    programs = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    (tmp_path / "my_drag.py").write_text(next(p for p in programs if "class Drag" in p))
    info = tmp_path / "my_forces-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my_forces\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    return tmp_path


def test_drag_slows_a_falling_body_as_its_formula_says(package: Path):
    """v = (v_0 - v_end) exp(-c t/m) + v_end, in plane and space, all coordinates, three integrators; and what cannot be
    loaded, or is wrong, is told."""
    path = os.pathsep.join([str(package), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run([sys.executable, "-c", FALL], capture_output=True, text=True, cwd=package,
                          env={**os.environ, "PYTHONPATH": path})  # fmt: skip
    assert done.returncode == 0, done.stderr
    numbers, schema, listed, broken, number, near, bad = done.stdout.splitlines()
    found = json.loads(numbers)
    assert len(found) == 22
    assert all(off < (2e-6 if "conserving" in name else 1e-5) for name, off in found.items()), found
    assert (schema, listed) == ("True", "True")
    assert "not_there:Force offers it, but: ModuleNotFoundError" in broken
    assert "my_drag:Literal is not of the class Force" in number
    assert "did you mean 'drag'?" in near
    assert "no body 'c'" in bad and "the drag of 'air' is negative" in bad
