"""The commands on mechanisms in space, in all coordinates."""

import csv
import json
import math
from pathlib import Path

import pytest
from matplotlib.figure import Figure

FILES = ("-o", "a.csv", "-o", "a.json", "-o", "a.parquet", "-o", "a.nc")


@pytest.mark.parametrize("name, coordinates", [
    # the files of the others: results/test_space_outputs
    ("heavy-top", "natural"), ("heavy-top", "reference-point"), ("bricard", "relative"), ("four-bar", "natural"),
])  # fmt: skip
def test_run_writes_everything(biela, name, coordinates, monkeypatch):
    """(Plots are made in all coordinates, and drawn in one: that is Matplotlib's work.)"""
    drawn = coordinates == "natural"
    if not drawn:
        monkeypatch.setattr(Figure, "savefig", lambda figure, path, **options: Path(path).touch())
    pytest.importorskip("pyarrow")
    pytest.importorskip("h5netcdf")
    options = ("--duration", 0.02, "--samples", 4, "--coordinates", coordinates)
    ended = biela("run", name, *options, *FILES, "--plots", "plots")
    assert ended.code == 0 and ended.out.count("wrote") >= 7
    with open("a.csv", newline="") as file:
        assert len(list(csv.reader(file))) == 6
    overview = Path("plots") / f"{name}-overview.png"
    assert overview.stat().st_size > 10_000 if drawn else overview.exists()


def test_the_last_positions_have_three_components(biela):
    out = biela("run", "heavy-top", "--duration", 0.02).out
    assert "z [m]" in out and "O  " not in out
    data = json.loads(biela("run", "heavy-top", "--duration", 0.02, "--json").out)
    assert len(data["final"]["G"]) == 3 and math.hypot(*data["final"]["G"]) == pytest.approx(1.0)


def test_channels_of_the_chosen_coordinates(biela):
    """Rows differ from set to set, and their channels can be asked for."""
    row = json.loads(biela("list", "channels", "bricard", "--json").out)
    assert {"channel": "bar1.quaternion", "unit": "1"} in row
    options = ("--duration", 0.01, "--coordinates", "reference-point", "-o", "a.csv")
    assert biela("run", "bricard", *options, "--channels", "H0.angle,bar1.quaternion,violation.position").code == 0
    header = Path("a.csv").read_text().splitlines()[0]
    assert header.split(",")[1:3] == ["H0.angle [rad]", "bar1.quaternion.p0 [1]"]


def test_plot(biela):
    assert biela("plot", "heavy-top", "top.quaternion", "G", "-o", "p.png", "--duration", 0.05).code == 0
    assert biela("plot", "heavy-top", "G.z", "--against", "G.x", "-o", "p.svg", "--duration", 0.05).code == 0
    assert biela("plot", "cardan", "-o", "overview.pdf", "--duration", 0.05, "-q").out == ""
    ended = biela("plot", "heavy-top", "top.angle", "-o", "p.png")
    assert ended.code == 2 and "there is no channel 'top.angle'" in ended.err


def test_kinematics_moves_a_hinge_of_the_ground(biela):
    ended = biela("kinematics", "bricard", "--count", 13, "-o", "k.csv", "--plot", "k.png")
    assert ended.code == 1 and "H0.angle moves" in ended.out  # it cannot go round
    assert "limit position at H0.angle = 3.66519" in ended.out and Path("k.png").stat().st_size > 10_000
    assert "H0.angle [rad]" in Path("k.csv").read_text().splitlines()[0]


@pytest.mark.parametrize("what, moved", [("input", "in.angle"), ("out", "out.angle"), ("cross.angle1", "cross.angle1")])
def test_kinematics_turns_bodies_and_joints(biela, what, moved):
    data = json.loads(biela("kinematics", "cardan", "--turn", what, "--to", "10 deg", "--count", 5, "--json").out)
    assert data["coordinate"] == moved and data["status"] == "finished"


def test_kinematics_offers_what_there_is(biela):
    ended = biela("kinematics", "cardan", "--turn", "nonsense")
    assert ended.code == 2 and "in.angle, out.angle, cross.angle1, cross.angle2" in ended.err
    ended = biela("kinematics", "heavy-top")
    assert ended.code == 2 and "G.x, G.y, G.z" in ended.err
    ended = biela("kinematics", "puma560")
    assert ended.code == 2 and "5 freedoms are left" in ended.err and "link6 can move" in ended.err


def test_kinematics_of_a_bar_between_balls(biela, here):
    """It may turn about itself; no point feels it."""
    (here / "rssr.toml").write_text(
        "gravity = [0, 0, -9.81]\nground = { O = [0, 0, 0], D = [0.4, 0.1, 0] }\n"
        "points = { A = [0.1, 0, 0], B = [0.4, 0.1, 0.3] }\n[bodies]\n"
        'crank = { type = "bar", points = ["O", "A"], mass = 0.5, radius = "5 mm" }\n'
        'coupler = { type = "bar", points = ["A", "B"], mass = 1, radius = "3 mm" }\n'
        'rocker = { type = "bar", points = ["D", "B"], mass = 1.2, radius = "3 mm" }\n[joints]\n'
        'motor = { type = "revolute", at = "O", axis = "z" }\nhinge = { type = "revolute", at = "D", axis = "y" }\n'
    )
    data = json.loads(biela("kinematics", "rssr.toml", "--count", 37, "--json").out)
    assert data["status"] == "finished" and "coupler" in data["notes"][0]
    assert data["final"]["B"] == pytest.approx([0.4, 0.1, 0.3], abs=1e-9)
    data = json.loads(biela("kinematics", "rssr.toml", "--turn", "hinge", "--to", "-1", "--count", 99, "--json").out)
    assert data["dead_points"][-1]["kind"] == "limit"


def test_compare_measures_in_three_dimensions(biela):
    pairs = ("--pair", "augmented+rk4", "--pair", "projection+rk4")
    data = json.loads(biela("compare", "bricard", *pairs, "--step", 1e-3, "--duration", 0.05, "--json").out)
    assert all(0 <= row["position_error"] < 1e-6 for row in data["rows"])


def test_lists(biela):
    joints = json.loads(biela("list", "joints", "--json").out)
    assert {"plane", "space", "both"} == {row["in"] for row in joints}
    assert {"universal", "screw"} <= {row["joint"] for row in joints if row["in"] == "space"}
    assert "reference-point" in biela("list", "coordinates").out
    assert biela("check", "cardan").code == 0
