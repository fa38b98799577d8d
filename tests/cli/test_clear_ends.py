"""Whatever happens, a clear end: an exit code, a sentence, whole files of the usual mode, never a traceback."""

import errno
import os
import stat
import subprocess
import sys

import numpy as np
import pytest

import biela as package
from biela import BielaError, MethodError, ModelError
from biela import bondgraph as bg
from biela.model import mistakes
from biela.model.file import load_text
from biela.studio.jobs.model_text import read, rewritten, values_of
from biela.studio.jobs.running import settings_of

posix = pytest.mark.skipif(os.name != "posix", reason="modes of files are those of POSIX")


# ----------------------------------------------------------------------------------------------------------- files
@posix
@pytest.mark.parametrize("mask", [0o022, 0o027, 0o077, 0o002])
def test_files_obey_the_umask(here, mask):
    model, before = package.load("double-pendulum"), os.umask(mask)
    try:
        model.save("a.toml")
        package.simulate(model, 0.01, samples=3).to_csv("a.csv")
    finally:
        os.umask(before)
    assert {stat.S_IMODE(file.stat().st_mode) for file in here.iterdir()} == {0o666 & ~mask}


@posix
def test_a_file_that_was_there_keeps_its_mode(here):
    (here / "a.toml").write_text("")
    (here / "a.toml").chmod(0o604)
    package.load("double-pendulum").save("a.toml")
    assert stat.S_IMODE((here / "a.toml").stat().st_mode) == 0o604 and len(list(here.iterdir())) == 1


def test_a_full_disk_promises_nothing(biela, here, monkeypatch):
    """A run that is interrupted, and whose checkpoint cannot be written."""
    from biela.cli import watch

    def stop(self, fraction, steps):
        raise KeyboardInterrupt

    def full(*file, **arrays):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(watch.Watch, "__call__", stop)
    run = ["run", "double-pendulum", "--integrator", "rk4", "--step", "1e-5", "--checkpoint", "c.npz", "-q"]
    done = biela(*run)
    assert done.code == 130 and "to continue: biela resume c.npz" in done.err
    (here / "c.npz").unlink()
    monkeypatch.setattr(np, "savez", full)
    done = biela(*run)
    assert done.code == 130 and "to continue" not in done.err and "No space left" in done.err
    assert not list(here.iterdir())


# ------------------------------------------------------------------------------------------------------------ Ctrl-C
@pytest.mark.parametrize("module", ["biela.cli.app", "numpy", "biela.analysis.simulate.simulate"])
def test_an_interrupt_while_it_loads(program, here, module):
    """Ctrl-C in the middle of an import; some libraries turn it into an error of their own."""
    code = f"""
import importlib.abc, sys

class Pressed(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            try:
                raise KeyboardInterrupt
            except KeyboardInterrupt:
                if name == "numpy":
                    raise ImportError("numpy cannot be loaded")
                raise

sys.meta_path.insert(0, Pressed())
sys.argv = ["biela", "run", "double-pendulum", "--duration", "0.1"]
from biela.cli import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], env=program[1], capture_output=True, text=True, check=False)
    assert done.returncode == 130 and done.stderr.strip() == "interrupted", done.stderr


# ------------------------------------------------------------------------------------------------------------ models
@pytest.mark.parametrize("key", ["a.{} = 1", "[a.{}]", "[[a.{}]]", "a = {{ b.{} = 1 }}", '"a"."b".{} = 1', "a . {}=1"])
def test_keys_of_very_many_parts(key):
    with pytest.raises(ModelError, match=r"a key of .* parts"):
        load_text(key.format(".".join(["a"] * 50_000)))
    with pytest.raises(ModelError, match=r"a key of .* parts"):
        load_text(key.format(" . ".join(["abc"] * 500)))


@pytest.mark.parametrize("part", ['"a"', "'a'", r'"a\""', r'"a \\ b"', "a-b", "1"])
def test_keys_of_very_many_parts_however_they_are_quoted(part):
    for load in (load_text, bg.load_text):
        for text in (".".join([part] * 20_000) + " = 1", 'x = """\n"""\n' + " . ".join([part] * 20_000) + " = 1"):
            with pytest.raises(ModelError, match=r"a key of more than 100 parts"):
                load(text)
    with pytest.raises(ModelError, match=r"a key of more than 100 parts"):
        rewritten(".".join([part] * 20_000) + " = 1", [])


@pytest.mark.parametrize("text", ["{nested}", "[[[["], ids=["tables", "lists"])
def test_bond_graphs_of_the_wrong_form(text):
    with pytest.raises(ModelError):
        bg.load_text("x = " + text.replace("{nested}", "{a=" * 5000 + "1" + "}" * 5000))


def test_very_many_mistakes_are_counted_and_the_first_told(monkeypatch):
    """The text is looked through for the lines of those that are told, not for each of them all."""
    looked = []
    monkeypatch.setattr(mistakes, "line_of", lambda text, path: looked.append(path))
    lines = "".join(f"a{k}.b = 1\n" for k in range(3000))
    for load in (load_text, bg.load_text):
        with pytest.raises(ModelError) as told:
            load(lines)
        assert len(told.value.problems) == 51 and told.value.problems[-1].what == "... and 2950 more"
    assert len(looked) <= 100


def test_texts_and_numbers_with_many_dots_are_no_such_keys():
    dots = "Well... " * 100 + "." * 500
    numbers = ", ".join(f"{x}.5" for x in range(1000))
    text = f'title = "{dots}"\n# {"." * 900}\n[ground]\nO = [0, 0]\n[parameters]\nx = 1.5 # {numbers}'
    model = load_text(text)
    assert model.title == dots


@pytest.mark.parametrize("coordinates", ["natural", "relative"])
def test_no_rest_at_far_coordinates(coordinates):
    ball = package.load("bouncing-ball")
    name = next(iter(ball.points))
    ball.points = {**ball.points, name: (0.0, 1e16)}
    with pytest.raises(MethodError, match="rounding hides"):
        package.equilibrium(ball, coordinates=coordinates)


@pytest.mark.parametrize("decade", [0, 3, 6, 9, 12, 16, 20])
@pytest.mark.parametrize("coordinates", ["natural", "relative"])
def test_a_rest_is_one_however_far_away_the_search_began(decade, coordinates):
    """What counts as small is measured where the mechanism rests, not where it came from."""
    model = package.Model(name="far", gravity=(0, -9.81)).add_ground("O", 0, 0).add_point("P", 0, 10.0**decade)
    model.add_mass("b", "P", 1.0).add_force("s", "spring", points=("O", "P"), stiffness=100, free=1)
    rest = package.equilibrium(model, coordinates=coordinates)
    assert rest.stable and float(rest["P.y"][0]) == pytest.approx(-1.0981, rel=1e-9)
    assert float(rest["s.force"][0]) == pytest.approx(-9.81, rel=1e-9) and rest.left < 1e-9


@pytest.mark.parametrize("duration", [0.3, 2.0])
def test_a_law_beyond_all_numbers(duration):
    ball = package.load("bouncing-ball")
    ball.stops = {}
    ball.add_force("push", "force", point=next(iter(ball.points)), value=("exp(exp(exp(exp(t))))", 0))
    r = package.simulate(ball, duration, samples=20)
    assert r.ok == (duration < 0.5) and np.isfinite(r.q).all() and (r.ok or r.explain())


def pushed(law, kind="force"):
    model = package.Model(name="m", gravity=(0, 0)).add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("p", "P", 1.0)
    model.start(velocity={"P.x": 1.0, "P.y": 0.0})
    where = {"point": "P", "value": [law, 0]} if kind == "force" else {"points": ("O", "P"), "value": law}
    return model.add_force("push", kind, **where)


FIXED = {"integrator": "rk4", "step": 1e-3}


@pytest.mark.parametrize("options", [{}, FIXED, {"integrator": "conserving", "step": 1e-3}], ids=str)
@pytest.mark.parametrize(("law", "kind", "end"), [
    ("sqrt(1 - t)", "force", 1.0), ("log(1 - t)", "force", 1.0), ("1/sin(t - 0.5)", "force", 0.5),
    ("if(t > 0.5, 1/0, 1)", "force", 0.5), ("asin(t)", "force", 1.0), ("sqrt(2 - x)", "actuator", None),
])  # fmt: skip
def test_a_law_that_ends_before_the_run_is_named(law, kind, end, options):
    r = package.simulate(pushed(law, kind), 5.0, **options)
    assert not r.finished and f"the law {law!r} of 'push'" in r.message and "correct the law" in r.cure, r.explain()
    assert end is None or float(r.t[-1]) == pytest.approx(end, abs=2e-3)


@pytest.mark.parametrize(("law", "options"), [("exp(exp(exp(exp(t))))", {}), ("exp(exp(exp(exp(t))))", FIXED),
                                              ("1/(t - 1)", {}), ("exp(1000*t)", {}), ("tan(t)", {})])  # fmt: skip
def test_a_law_that_grows_without_bounds_is_named(law, options):
    r = package.simulate(pushed(law), 5.0, **options)
    assert not r.finished and f"the law {law!r} of 'push' grows without bounds" in r.message, r.explain()


@pytest.mark.parametrize("law", ["sqrt(1 - t)", "1/(t - 1)", "exp(exp(exp(exp(t))))"])
def test_the_law_of_a_driver_that_ends_is_named(law):
    model = package.Model(name="d").add_ground("O", 0, 0).add_point("P", 1, 0).add_bar("b", "O", "P", mass=1)
    r = package.simulate(model.add_driver("motor", "b.angle", law), 2.0)
    assert not r.finished and f"the law {law!r} of 'motor'" in r.message, r.explain()


def test_a_sound_law_is_not_blamed():
    """The driver asks for more than the bar can reach; no formula is to blame."""
    model = package.Model(name="d").add_ground("O", 0, 0).add_point("P", 0.6, 0.8).add_bar("b", "O", "P", mass=1)
    model.add_driver("pull", "P.x", "0.6 + 0.3*t").add_force("f", "force", point="P", value=["3*sin(t)", "1/(t + 1)"])
    for options in ({}, FIXED):
        r = package.simulate(model, 3.0, **options)
        assert not r.finished and not r.ended_law, r.explain()


# ------------------------------------------------------------------------------------------------------------ studio
SETTINGS = [[1], "x", 3, True, {"step": [1]}, {"step": {}}, {"integrator": 5}, {"samples": 1e400}, {"samples": []},
            {"integrator": ["rk4"]}, {"coordinates": True}, {"samples": "x"}, {"step": True}, {"nothing": 1}]
REQUESTS = [{}, {"text": 3}, {"text": None}, {"text": "", "values": [3]}, {"text": "", "values": 3},
            {"text": "", "values": [{}]}, {"text": "", "values": [{"path": "a", "value": 1}]}]  # fmt: skip


@pytest.mark.parametrize("settings", SETTINGS)
def test_settings_of_the_wrong_type(settings):
    with pytest.raises(MethodError):
        settings_of({"settings": settings})


@pytest.mark.parametrize("asked", REQUESTS)
def test_requests_of_the_wrong_form(asked):
    with pytest.raises(BielaError):
        read(asked)
    assert values_of({"values": None}) == []
