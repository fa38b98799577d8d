"""Options of a run are declared once: keywords, flags, fields and lists come from one table."""

import inspect

import pytest
import typer

import biela
from biela import MethodError
from biela.analysis.compare.methods import SETTABLE, method_spec
from biela.cli.app import app
from biela.cli.options import flag
from biela.methods.options import OPTIONS, uses
from biela.methods.registry import FORMULATIONS, INTEGRATORS
from biela.methods.settings import Settings, choose
from biela.studio.assets import menus
from biela.studio.jobs.running import settings_of

VALUES = {"time": "1 ms", "angular velocity": "60 rpm", "number": "0.25", "count": 3, "word": "energy", "flag": True}


def test_each_is_a_keyword_of_simulate_with_its_type():
    parameters = inspect.signature(biela.simulate).parameters
    assert [name for name in parameters if name in OPTIONS] == list(OPTIONS)
    assert "**" not in str(inspect.signature(biela.simulate))


@pytest.mark.parametrize("command", ["run", "plot", "animate", "report", "freebody"])
def test_each_is_a_flag_of_every_command_that_runs(command):
    flags = {opt for p in typer.main.get_command(app).commands[command].params for opt in p.opts}  # type: ignore[attr-defined]
    assert {flag(name) for name in OPTIONS} <= flags
    assert {"--coordinates", "--formulation", "--integrator"} <= flags


@pytest.mark.parametrize("name", OPTIONS)
def test_the_studio_takes_each(name):
    value = VALUES[OPTIONS[name].kind]
    assert settings_of({"settings": {name: value}}) == {name: value}
    with pytest.raises(MethodError, match=f"{name} = .* is not"):
        settings_of({"settings": {name: ["a list"]}})


def test_menus_and_lists_say_what_each_method_uses():
    for entry in menus()["formulations"]:
        assert entry["uses"] == uses(FORMULATIONS[entry["name"]])
    for entry in menus()["integrators"]:
        assert entry["uses"] == uses(INTEGRATORS[entry["name"]])
    users = {name for table in (FORMULATIONS, INTEGRATORS) for m in table.values() for name in uses(m)}
    assert set(OPTIONS) - users == {"project_every", "adaptive", "criterion", "machine"}  # of both, or of neither


def test_methods_of_a_comparison_take_what_is_not_accuracy():
    assert set(SETTABLE) == {name for name, o in OPTIONS.items() if not o.accuracy}
    assert method_spec("hht[rho=0.8]").options(1e-3)["rho"] == 0.8
    with pytest.raises(MethodError, match="is not a setting"):
        method_spec("hht[step=0.1]")


def test_settings_keep_each():
    assert set(OPTIONS) <= set(Settings.__dataclass_fields__)


@pytest.mark.parametrize("name", [name for name, o in OPTIONS.items() if o.positive or o.not_negative])
def test_numbers_that_no_run_can_have(name):
    for value in (-1.0, float("inf"), float("nan")):
        with pytest.raises(MethodError, match=f"{name} = .* is not possible"):
            choose(**{name: value})


def test_what_is_no_option_is_named():
    with pytest.raises(MethodError, match=r"there is no option 'stepp'(.|\n)*did you mean 'step'"):
        biela.simulate("simple-pendulum", 1.0, stepp=1e-3)  # type: ignore[call-arg]
    with pytest.raises(MethodError, match=r"samples = 1\.5 is not a whole number"):
        biela.simulate("simple-pendulum", 1.0, samples=1.5)  # type: ignore[arg-type]
