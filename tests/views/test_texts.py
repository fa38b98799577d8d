"""Several motions and dark paper in plots; drawings among the figures of the texts."""

import numpy as np
import pytest
from matplotlib.text import Text
from PIL import Image
from typer.testing import CliRunner

import biela
from biela.cli.app import app
from biela.errors import BielaError
from biela.views.plot import plot
from biela.views.texts import PLATES


def test_every_figure_is_there():
    wanted = [f"000-{k}" for k in range(15, 27)] + ["001-15.10", "001-15.11"] + [f"002-{k}" for k in range(5, 13)]
    assert set(wanted) <= set(PLATES)


@pytest.mark.parametrize("name", ["000-20", "002-9"])
def test_drawings(name, tmp_path):
    done = CliRunner().invoke(app, ["figure", name, "-o", str(tmp_path / "f.png")])
    assert done.exit_code == 0, done.output
    assert 100 < np.asarray(Image.open(tmp_path / "f.png").convert("L")).mean() < 255


@pytest.mark.parametrize("name", ["000-23", "000-26"])
def test_figures_of_000_have_their_number_and_no_curve_hides_the_other(name):
    drawn, _ = PLATES[name].draw()
    assert any(f"text 000, figure {name[-2:]}:" in text.get_text() for text in drawn.findobj(Text))
    first, second = drawn.axes[0].lines
    lesser = min((first, second), key=lambda line: np.std(np.asarray(line.get_ydata())))
    other = second if lesser is first else first
    assert lesser.get_zorder() > other.get_zorder() or second.get_linestyle() == "--"


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
