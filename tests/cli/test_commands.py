"""Every other command, once: it works, and what it prints can be used."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import biela as package
from biela.cli import machine_code
from biela.cli.commands import doctor
from biela.system.symbols import symbolic_system


def test_version(biela):
    assert biela("--version").out.strip() == f"biela {package.__version__}"


def test_help_names_every_command(biela):
    out = biela("--help").out
    for command in ("run", "compare", "kinematics", "check", "explain", "plot", "list", "schema", "doctor", "warm"):
        assert command in out
        assert biela(command, "--help").code == 0


def test_help_is_light(program):
    """What a first answer loads is what it takes: neither the engine nor anything heavy."""
    _, environment = program
    code = """
import sys
sys.argv = ["biela", "--help"]
from biela.cli import main
try:
    main()
except SystemExit:
    pass
TABLES = {"biela.methods", "biela.methods.options", "biela.methods.registry"}  # of names and facts
heavy = set(sys.modules) & {"numpy", "numba", "pydantic", "scipy", "matplotlib", "sympy", "pandas", "tomlkit"}
own = {name for name in sys.modules if name.startswith("biela.") and not name.startswith("biela.cli")}
print(*heavy, *own - {"biela.threads", "biela.errors", "biela.outside", "biela.viewing", *TABLES}, file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stderr.split() == []


def test_list(biela):
    names = {row["mechanism"] for row in json.loads(biela("list", "--json").out)}
    assert {"double-pendulum", "four-bar", "slider-crank"} <= names
    assert "double-pendulum" in biela("list").out
    for what, one in (("formulations", "augmented"), ("integrators", "abm4"), ("joints", "prismatic"),
                      ("forces", "spring"), ("coordinates", "mixed"), ("bodies", "plate")):  # fmt: skip
        assert one in biela("list", what).out


def test_list_channels(biela):
    rows = json.loads(biela("list", "channels", "four-bar", "--json").out)
    assert {"channel": "P.x", "unit": "m"} in rows


def test_schema(biela):
    assert json.loads(biela("schema").out)["title"] == "biela model"
    assert biela("schema", "-o", "s.json").code == 0
    assert json.loads(Path("s.json").read_text())["$schema"].startswith("https://json-schema.org")


def test_explain(biela):
    assert "25*m/24" in biela("explain", "double-pendulum").out
    assert "\\frac{25" in biela("explain", "double-pendulum", "--latex").out
    assert biela("explain", "double-pendulum", "--coordinates", "mixed", "-o", "e.tex").code == 0
    assert "\\frac{25" in Path("e.tex").read_text()


def test_equations_of_a_loop_opened_elsewhere(biela, monkeypatch):
    """The joint that --open names is the one that is written as equations; a parameter set is another mechanism."""
    monkeypatch.setattr(symbolic_system, "FEW", 0)  # formulas as they come, not simplified
    at = ("four-bar", "--coordinates", "relative", "--open", "A")
    for command in ("explain", "minimal"):
        assert biela(command, *at).code == 0
        assert "--open has no meaning here" in biela(command, "four-bar", "--open", "A").err
    angle = "A.angle@coupler"
    assert angle in biela("explain", *at[:3]).out and angle not in biela("explain", *at).out
    assert "no joint 'C' to open" in biela("minimal", "four-bar", "--symbols", "--open", "C").err
    assert biela("explain", "double-pendulum", "--set", "m=3").code == 0
    assert "no parameter 'mm'" in biela("explain", "double-pendulum", "--set", "mm=3").err


def test_check(biela):
    assert biela("check", "four-bar").code == 0
    assert json.loads(biela("check", "four-bar", "--json").out)


def test_kinematics(biela):
    files = ("--channels", "P.x,P.y", "-o", "k.csv", "--plot", "k.png")
    ended = biela("kinematics", "four-bar", "--turn", "crank", *files)
    assert ended.code == 0 and Path("k.png").stat().st_size > 10_000
    header, *rows = Path("k.csv").read_text().splitlines()
    assert header == "t [s],P.x [m],P.y [m]" and len(rows) == 361


def test_kinematics_in_units(biela):
    options = ("--coordinate", "crank_angle", "--from", "0 deg", "--to", "90 deg", "--count", 10, "--json")
    data = json.loads(biela("kinematics", "four-bar", *options).out)
    assert data["final"]["A"] == pytest.approx([0, 0.1], abs=1e-12)
    assert data["status"] == "finished" and data["dead_points"] == []


def test_kinematics_stops_at_a_dead_point(biela):
    # the rocker of a crank-rocker cannot go round
    ended = biela("kinematics", "four-bar", "--turn", "rocker", "--json")
    data = json.loads(ended.out)
    assert ended.code == 1 and data["status"] == "stopped"
    assert data["dead_points"][-1]["kind"] == "limit"


def test_plot(biela):
    assert biela("plot", "double-pendulum", "P2.y", "energy.kinetic", "-o", "p.svg", "--duration", 1).code == 0
    assert "<svg" in Path("p.svg").read_text()
    assert biela("plot", "four-bar", "P.y", "--against", "P.x", "-o", "p.png", "--duration", "0.5 s").code == 0
    assert biela("plot", "four-bar", "-o", "overview.pdf", "--duration", "0.1 s", "-q").out == ""


def test_compare(biela):
    options = ("--step", 1e-3, "--step", "10 ms", "--duration", 1)
    ended = biela("compare", "double-pendulum", *options, "-o", "c.csv", "--plot", "c.png", "--json")
    data = json.loads(ended.out)
    assert ended.code == 0 and len(data["rows"]) == 8 and data["reference"].startswith("lagrange+dop853")
    errors = {(row["pair"], row["step"]): row["position_error"] for row in data["rows"]}
    assert errors["projection+abm4", 1e-3] < 1e-8 < errors["penalty+trapezoidal", 1e-3] < 1e-3
    assert len(Path("c.csv").read_text().splitlines()) == 9


def test_compare_for_people(biela):
    out = biela("compare", "four-bar", "--pair", "lagrange+rk4", "--step", 1e-3, "--duration", 0.1).out
    assert "lagrange+rk4" in out and "evaluations" in out and "energy error" in out


def test_compare_goes_on_when_one_method_stops(biela):
    pairs = ("--pair", "lagrange+rk4", "--pair", "augmented+rk4")
    ended = biela("compare", "folding-four-bar", *pairs, "--step", 1e-3, "--reference", "none")
    assert ended.code == 1 and "stopped" in ended.out and "in line" in ended.out


def test_compare_combinations(biela):
    sets = ("--coordinates", "natural", "--coordinates", "relative")
    sets += ("--integrator", "conserving", "--integrator", "rk4")
    ended = biela("compare", "double-pendulum", *sets, "--step", 1e-3, "--step", 2e-3, "--duration", 0.5, "--json")
    data = json.loads(ended.out)
    status = {(row["pair"], row["step"]): row["status"] for row in data["rows"]}
    assert ended.code == 1 and len(status) == 8 and status["relative:conserving", 1e-3] == "refused"
    assert data["orders"]["natural:conserving"] > 1.9 and data["recommendation"].startswith("Take ")
    assert biela("compare", "double-pendulum", "--pair", "hht[rho=2]", "--step", 1e-3).code == 2
    assert biela("compare", "double-pendulum", "--integrator", "rk4", "--target", "3 kg").code == 2


def test_figure(biela):
    assert "002-6" in biela("figure", "--list").out
    data = json.loads(biela("figure", "001-15.10", "-o", "a.svg", "--json").out)
    assert data[0]["file"] == "a.svg" and data[0]["notes"] and "<svg" in Path("a.svg").read_text()
    assert biela("figure", "004", "-o", "all", "-q").out == ""
    assert {p.stem for p in Path("all").glob("*.png")} == {f"004-10.{k}" for k in range(1, 6)}
    assert biela("figure", "002-99").code == 2
    assert biela("figure", "001", "-o", "a.png").code == 2


def test_linear_motion(biela):
    options = ("--inputs", "P2.y", "--outputs", "y2", "--respond", 1, "--signal", "P2.y=100*sin(7*t)", "--step", 1e-3)
    data = json.loads(biela("linearise", "two-mass-suspension", *options, "--motion", "m.csv", "--json").out)
    assert len(data["t"]) == 1001 and len(Path("m.csv").read_text().splitlines()) == 1002
    assert biela("linearise", "two-mass-suspension", "--step", 1e-3).code == 2


def test_doctor(biela, monkeypatch):
    data = json.loads(biela("doctor", "--json").out)
    assert data["missing"] == [] and data["first_result_s"] > 0 and data["cache_folder"]
    monkeypatch.setattr(doctor, "examine", lambda: data)  # four processes, once
    assert "pip install" in biela("doctor").out or all(data["extras"]["data"].values())


def test_warm(biela, monkeypatch):
    """With two processes. (`./test` calls it before the tests: all the code is there.)"""
    runs = machine_code._runs()
    tasks = machine_code._by_shared_code(runs[1:])
    assert sorted(map(str, runs[1:])) == sorted(str(run) for task in tasks for run in task)
    few = [run for run in runs if run[0] in ("the time loop", "euler", "projection")]
    assert len(few) == 3
    monkeypatch.setattr(machine_code, "_runs", lambda: few)
    told, everything = [], machine_code.compile_everything
    monkeypatch.setattr(machine_code, "compile_everything", lambda tell: everything(told.append, 2))
    assert "ready in" in biela("warm").out
    assert told[0] == "the time loop" and {name.split(": ")[1] for name in told[1:]} == {"euler", "projection"}


def test_python_m_biela(process):
    ended = process("run", "double-pendulum", "--duration", "1", "--json")
    assert ended.code == 0 and json.loads(ended.out)["model"] == "double-pendulum"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_a_reader_that_goes_away(program):
    command, environment = program
    line = " ".join(command) + " schema | head -1"
    done = subprocess.run(["bash", "-c", line], env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == "{" and done.stderr == ""
