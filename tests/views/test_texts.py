"""Several motions and dark paper in plots; the figures of the texts: all named, those that are drawn right."""

import json

import numpy as np
import pytest
from matplotlib.text import Text
from PIL import Image
from typer.testing import CliRunner

import biela
from biela.cli.app import app
from biela.errors import BielaError
from biela.views.curves.plot import plot
from biela.views.texts import PLATES, UNDRAWN, every_figure


def test_every_figure_of_the_texts_is_named():
    """Those with numbers: 26 + 28 + 12 + 6. Text 003 has none."""
    wanted = [f"000-{k}" for k in range(1, 27)] + [f"001-15.{k}" for k in range(1, 29)]
    wanted += [f"002-{k}" for k in range(1, 13)] + [f"004-10.{k}" for k in range(1, 7)]
    numbered = [name for name in every_figure() if not name.startswith("003")]
    assert numbered == wanted, "and in their order"
    assert not set(PLATES) & set(UNDRAWN) and all(figure.why and figure.shows for figure in UNDRAWN.values())
    done = CliRunner().invoke(app, ["figure", "--list", "--json"])
    rows = json.loads(done.stdout)
    assert [row["figure"] for row in rows] == list(every_figure())
    assert all(row["drawn"] == (row["figure"] in PLATES) and row["drawn"] != ("why" in row) for row in rows)
    text = CliRunner().invoke(app, ["figure", "--list"]).stdout
    assert text.count("not drawn: ") == len(UNDRAWN) and len(text.splitlines()) == len(rows)


def test_a_figure_that_is_not_drawn_says_why(tmp_path):
    done = CliRunner().invoke(app, ["figure", "000-1", "-o", str(tmp_path / "a.png")])
    assert done.exit_code == 2 and "not drawn" in done.stderr and UNDRAWN["000-1"].why in done.stderr
    done = CliRunner().invoke(app, ["figure", "001-15.88"])
    assert done.exit_code == 2 and "did you mean '001-15.8'" in done.stderr and not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", ["001-15.8", "004-10.2"])
def test_the_exact_curve(number):
    """Beside a run of the mechanism, and beside the equation itself, 001 (17)."""
    drawn, notes = PLATES[number].draw()
    (line,) = drawn.axes[0].lines
    t, a = (np.asarray(x) for x in line.get_data())
    r = biela.simulate("mass-spring-damper", 2.0, tolerance=1e-12, samples=2000)
    np.testing.assert_allclose(a, np.asarray(r["y.acceleration"]), atol=1e-8)
    assert a[0] == 9.8 and "0.1934 s" in notes[0] and np.interp(0.1934, t, a) == pytest.approx(0.0, abs=2e-3)


@pytest.mark.parametrize("number", ["001-15.9", "004-10.3"])
def test_the_points_are_those_of_eulers_method(number):
    """001 (19), (20) by hand: new y' first, then y with it; then y'' from (18)."""
    drawn, notes = PLATES[number].draw()
    points = next(line for line in drawn.axes[0].lines if line.get_linestyle() == "None")
    y = rate = 0.0
    found = []
    for _ in range(101):
        found.append((250 * 9.8 - 1500 * rate - 10000 * y) / 250)
        rate += 0.01 * found[-1]
        y += 0.01 * rate
    np.testing.assert_allclose(np.asarray(points.get_ydata()), found, atol=1e-10)
    assert "9.1728" in notes[0]


STILL = ["000-6", "000-20", "001-15.13", "001-15.20", "001-15.23", "001-15.24", "002-4", "002-9", "003-loop"]


@pytest.mark.parametrize("name", STILL)
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
