"""`biela run`: numbers for programs, words for people, files of every kind, exit codes."""

import csv
import json
import math

import pytest

from biela.cli.output import plain

KEYS = {
    "model", "coordinates", "formulation", "integrator", "step", "steps", "evaluations", "iterations", "rejected",
    "duration", "wall_s", "energy_error_max", "constraint_violation_max", "velocity_violation_max", "status",
    "message", "final", "reason",
}  # fmt: skip
TRUE = {"P1": (-1.66780588, -1.10382224), "P2": (-0.69907443, 0.64590899)}
# energy errors of DESIGN's table, double pendulum, 10 s
TABLE = [
    ("penalty", "trapezoidal", 1e-3, 6.4e-3),
    ("penalty", "trapezoidal", 1e-2, 2.9e-1),
    ("augmented", "trapezoidal", 1e-3, 6.4e-3),
    ("projection", "rk2", 1e-3, 9.6e-4),
    ("projection", "rk2", 1e-2, 9.3e-2),
    ("projection", "abm4", 1e-3, 6.6e-7),
    ("projection", "abm4", 1e-2, 6.3e-3),
]


def rows(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))


def test_json_has_everything_and_nothing_else_is_printed(biela):
    ended = biela("run", "double-pendulum", "--json")
    data = json.loads(ended.out)
    assert ended.code == 0 and KEYS <= set(data)
    assert data["status"] == "finished" and data["duration"] == 10.0
    for point, xy in TRUE.items():
        assert math.dist(data["final"][point], xy) < 1e-3


@pytest.mark.parametrize("formulation, integrator, step, error", TABLE)
def test_table_1(biela, formulation, integrator, step, error):
    choice = ("--formulation", formulation, "--integrator", integrator, "--step", step, "--duration", 10)
    data = json.loads(biela("run", "double-pendulum", *choice, "--json").out)
    assert error / 3 < data["energy_error_max"] < 3 * error
    assert (data["formulation"], data["integrator"], data["step"]) == (formulation, integrator, step)


def test_people_get_words(biela):
    ended = biela("run", "double-pendulum", "--duration", "1")
    assert ended.code == 0
    for word in ("Double pendulum", "augmented + dopri8", "energy error", "evaluations", "P2", "x [m]"):
        assert word in ended.out


def test_quiet_says_nothing(biela):
    ended = biela("run", "double-pendulum", "--duration", "1", "-q")
    assert (ended.code, ended.out, ended.err) == (0, "", "")


def test_units_and_parameters(biela):
    options = ("--set", "torque = 0.2", "--set", "L1=90 mm", "--duration", "500 ms", "--step", "2 ms")
    data = json.loads(biela("run", "slider-crank", *options, "--integrator", "rk4", "--json").out)
    assert data["duration"] == 0.5 and data["step"] == 0.002
    assert math.hypot(*data["final"]["A"]) == pytest.approx(0.09, abs=1e-4)


def test_files_of_every_kind(biela, here):
    pytest.importorskip("pyarrow")
    files = ("-o", "a.csv", "-o", "a.json", "-o", "a.parquet")
    ended = biela("run", "four-bar", "--duration", 0.1, "--samples", 50, *files)
    assert ended.code == 0 and ended.out.count("wrote") == 3
    table = rows("a.csv")
    assert table[0][0] == "t [s]" and len(table) == 52
    data = json.loads((here / "a.json").read_text())
    assert KEYS <= set(data) and len(data["columns"]["P.x [m]"]) == 51
    import pyarrow.parquet

    assert pyarrow.parquet.read_table("a.parquet").num_rows == 51


def test_netcdf(biela):
    pytest.importorskip("h5py")
    xarray = pytest.importorskip("xarray")
    assert biela("run", "four-bar", "--duration", 0.1, "-o", "a.nc", "-q").code == 0
    with xarray.open_dataset("a.nc", engine="h5netcdf") as data:
        assert data["P.x"].attrs["units"] == "m"


def test_chosen_channels(biela):
    biela("run", "four-bar", "--duration", 0.1, "-o", "a.csv", "--channels", "crank_angle, P.speed")
    assert rows("a.csv")[0] == ["t [s]", "crank_angle [rad]", "P.speed [m/s]"]


def test_a_model_file(biela, here):
    (here / "mine.toml").write_text(
        'gravity = [0, -9.81]\nground = { O = [0, 0] }\npoints = { P = [1, 0] }\nrun = { duration = "0.5 s" }\n'
        '[bodies]\nbar = { type = "bar", points = ["O", "P"], mass = 1 }\n'
    )
    data = json.loads(biela("run", "mine.toml", "--json").out)
    assert data["model"] == "mine" and data["duration"] == 0.5


def test_a_folder_does_not_hide_a_mechanism_of_its_name(biela, here):
    (here / "four-bar").mkdir()
    assert biela("run", "four-bar", "--duration", 0.01, "-q").code == 0


def test_a_run_that_stops_early_keeps_what_it_has(biela):
    ended = biela("run", "folding-four-bar", "--formulation", "lagrange", "-o", "a.csv", "--json")
    data = json.loads(ended.out)
    assert ended.code == 1 and data["status"] == "singular" and "in line" in data["message"]
    assert 0.1 < data["t_end"] < data["duration"]
    assert len(rows("a.csv")) > 10


def test_plots(biela, here):
    ended = biela("run", "double-pendulum", "--duration", 0.2, "--plots", "out/deep")
    names = {file.name for file in (here / "out" / "deep").iterdir()}
    parts = ("motion", "energy", "violation", "multipliers", "overview")
    assert ended.code == 0 and names == {f"double-pendulum-{part}.png" for part in parts}


def test_what_is_not_finite_becomes_null():
    assert plain({"a": [math.nan, math.inf, 1.5], "b": True}) == {"a": [None, None, 1.5], "b": True}
    assert json.loads(json.dumps(plain({"x": -math.inf}), allow_nan=False)) == {"x": None}
