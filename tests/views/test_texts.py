"""Figures of the texts: all of them there, the right curves in them; several motions and dark paper in plots."""

import json

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

import biela
from biela.cli.app import app
from biela.errors import BielaError
from biela.views.plot import plot
from biela.views.texts import FIGURES, figure
from biela.views.texts.runs import masses, suspended


def test_every_figure_is_listed():
    wanted = [f"000.{k}" for k in range(15, 27)] + ["001.15.10", "001.15.11"] + [f"002.{k}" for k in range(5, 13)]
    assert list(FIGURES) == wanted
    listed = json.loads(CliRunner().invoke(app, ["figure", "--json"]).stdout)
    assert list(listed) == wanted


def test_the_acceleration_of_the_suspended_mass_is_that_of_its_equation():
    drawn = figure("001.15.10")
    a = np.asarray(drawn.axes[0].lines[0].get_ydata())
    y, v = (np.asarray(suspended()[name]) for name in ("y", "y.rate"))
    np.testing.assert_allclose(a, 9.8 - (1500 * v + 10000 * y) / 250, atol=1e-6)
    assert a[0] == pytest.approx(9.8) and drawn.axes[0].get_ylabel() == "y.acceleration [m/s^2]"


def test_the_schemes_of_002_do_what_the_text_says():
    """The conserving scheme keeps the energy; the decaying one loses it with a mass ratio of 200, never gains it."""
    assert np.abs(masses("conserving", 1.0, 1.0)["energy.error"]).max() < 1e-9
    lost = np.asarray(masses("decaying", 0.005, 1.0)["energy.error"])
    assert lost[-1] < -1.0 and np.diff(lost).max() < 1e-9
    rough = np.asarray(masses("conserving", 0.005, 1.0)["P1.vx"])[800:]
    assert np.abs(np.diff(rough)).mean() > 1.0  # it jumps from step to step (figure 6)


@pytest.mark.parametrize("name", ["000.20", "001.15.11", "002.9"])
def test_drawings(name, tmp_path):
    done = CliRunner().invoke(app, ["figure", name, "-o", str(tmp_path / "f.png"), "--theme", "dark"])
    assert done.exit_code == 0, done.output
    assert np.asarray(Image.open(tmp_path / "f.png").convert("L")).mean() < 80


def test_an_unknown_figure_is_refused():
    assert CliRunner().invoke(app, ["figure", "000.99"]).exit_code == 2


def test_several_motions_in_one_figure(tmp_path):
    fine = biela.simulate("simple-pendulum", 1.0)
    rough = biela.simulate("simple-pendulum", 1.0, integrator="euler", step=0.02)
    drawn = plot([fine, rough], "P.x", "P.speed", labels=["fine", "rough"], theme="dark", path=tmp_path / "a.svg")
    assert [[line.get_label() for line in axes.lines] for axes in drawn.axes] == 2 * [["fine", "rough"]]
    np.testing.assert_array_equal(drawn.axes[0].lines[1].get_ydata(), np.asarray(rough["P.x"]))
    assert max(drawn.get_facecolor()[:3]) < 0.2
    both = plot([fine, rough], "P.y", "P.x")
    assert len(both.axes) == 1 and both.axes[0].lines[0].get_label().startswith("P.y, natural coordinates")
    with pytest.raises(BielaError, match="1 labels for 2"):
        plot([fine, rough], "P.x", labels=["one"])
    with pytest.raises(BielaError, match="no theme"):
        plot(fine, "P.x", theme="pink")
