"""`biela bondgraph`."""

import json

import pytest
from typer.testing import CliRunner

from biela.cli.app import app


@pytest.fixture
def call(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*arguments, code=0):
        done = CliRunner().invoke(app, ["bondgraph", *arguments])
        assert done.exit_code == code, done.output
        return done.output

    return run


def test_library_and_schema(call):
    assert "two-mass" in call() and "dc-motor" in call()
    assert json.loads(call("--schema"))["title"] == "biela bond graph"


def test_show_equations_draw_and_save(call, tmp_path):
    out = call("rack", "--equations", "--draw", "a.svg", "--save", "a.toml")
    assert "derivative causality: I rack on bond b6" in out and "A =" in out and "wrote a.svg" in out
    assert (tmp_path / "a.svg").exists()
    assert "1 w" in call("a.toml") and r"\dot x" in call("a.toml", "--latex")


def test_run(call, tmp_path):
    out = call("mass-spring-damper", "--run", "--integrator", "trapezoidal", "--step", "10 ms", "--set", "k=15000",
               "-o", "a.csv", "--plot", "a.png")  # fmt: skip
    assert "matrix factorised once" in out and (tmp_path / "a.png").exists()
    assert (tmp_path / "a.csv").read_text().startswith("t [s],mass.p [N*s]")
    data = json.loads(call("mass-spring-damper", "--run", "--json"))
    assert data["run"]["status"] == "finished" and data["strokes"]["b2"] == "mass"
    assert data["run"]["final"]["spring.q"] == pytest.approx(0.24523930404, abs=1e-9)


def test_linear(call, tmp_path):
    out = call("dc-motor", "--eigenvalues", "--response", "battery:b14.flow", "--plot", "b.png")
    assert "damping 0.3413" in out and "numerator   250000 s + 9.375e+07" in out and (tmp_path / "b.png").exists()


def test_mechanism(call):
    assert "I block : m" in call("mass-spring-damper", "--mechanism")
    call("four-bar", "--mechanism", code=2)


def test_refusals(call, tmp_path):
    for arguments in (
        ["nothing"], ["rack", "--step", "1e-3"], ["rack", "--run", "-o", "a.xyz"], ["rack", "--set", "z=1"],
        ["rack", "--run", "--channels", "zzz", "-o", "a.csv"], ["rack", "--response", "torque"], ["none.toml"],
    ):  # fmt: skip
        call(*arguments, code=2)
    assert not list(tmp_path.iterdir())
