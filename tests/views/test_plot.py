"""Pictures: right labels, right grouping, whole files, nobody's settings changed."""

from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image
from typer.testing import CliRunner

import biela
from biela.cli.app import app
from biela.errors import BielaError
from biela.views.curves.figures import figures, telling
from biela.views.curves.plot import plot
from biela.views.drawing.mechanism import sketch
from biela.views.scene.solids import convex_hull


@pytest.fixture(scope="module")
def pendulum():
    return biela.simulate("double-pendulum", 2.0, formulation="penalty", integrator="trapezoidal", step=1e-3)


def test_channels_of_one_unit_share_axes(pendulum):
    figure = plot(pendulum, "P1.x", "energy.kinetic", "P2.x", "phi1")
    assert [len(axes.lines) for axes in figure.axes] == [2, 1, 1]
    assert [axes.get_ylabel() for axes in figure.axes] == ["length [m]", "energy.kinetic [J]", "phi1 [rad]"]
    assert figure.axes[-1].get_xlabel() == "t [s]"


def test_a_vector_is_drawn_by_component(pendulum):
    (axes,) = plot(pendulum, "P2").axes
    assert [line.get_label() for line in axes.lines] == ["P2.x", "P2.y"]
    np.testing.assert_array_equal(axes.lines[1].get_ydata(), pendulum["P2.y"])


def test_a_path_has_equal_scales(pendulum):
    (axes,) = plot(pendulum, "P2.y", against="P2.x").axes
    assert axes.get_aspect() == 1.0 and axes.get_xlabel() == "P2.x [m]"


@pytest.mark.parametrize("suffix, head", [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_formats(pendulum, tmp_path, suffix, head):
    plot(pendulum, "P2.y", path=tmp_path / f"a{suffix}")
    assert (tmp_path / f"a{suffix}").read_bytes().startswith(head)
    assert len(list(tmp_path.iterdir())) == 1  # no temporary file stays


def test_bad_requests(pendulum, tmp_path):
    with pytest.raises(BielaError, match="nothing to plot"):
        plot(pendulum)
    with pytest.raises(BielaError, match="vector"):
        plot(pendulum, "P2.x", against="P1")
    with pytest.raises(BielaError, match="format"):
        plot(pendulum, "P2.x", path=tmp_path / "a.nonsense")
    with pytest.raises(BielaError, match="cannot write"):
        plot(pendulum, "P2.x", path=tmp_path / "nowhere" / "a.png")
    (tmp_path / "file").write_text("")
    with pytest.raises(BielaError, match="folder"):
        figures(pendulum, tmp_path / "file")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_settings_of_matplotlib_are_left_alone(pendulum, tmp_path):
    before, backend = dict(matplotlib.rcParams), matplotlib.rcParams._get("backend")
    pendulum.figures(tmp_path)
    assert matplotlib.rcParams._get("backend") is backend
    assert dict(matplotlib.rcParams) == before


def test_figures_of_the_double_pendulum(pendulum, tmp_path):
    paths = pendulum.figures(tmp_path / "out", name="dp")
    parts = ("motion", "energy", "violation", "multipliers", "overview")
    assert [p.name for p in paths] == [f"dp-{part}.png" for part in parts]
    assert telling(pendulum)[0] == "P2.y"
    for path in paths:
        with Image.open(path) as image:
            assert image.width > 1000
            assert len(np.unique(np.asarray(image.convert("L")))) > 20  # something is drawn


DRAWN = ("four-bar", "quick-return", "heavy-top", "bouncing-ball")
"""plane and space, driven and free, with events: their figures are drawn; those of the others are made only, since
drawing is Matplotlib's work and takes half a second for each mechanism"""
CURVES = (*DRAWN, "bricard", "car-axis", "cardan", "chain", "clutch", "kinematics-003-sliding", "mass-spring-damper",
          "n-four-bar", "pendulum-stop", "puma560", "spatial-slider-crank", "top-002")  # fmt: skip
"""with figures: every kind of mechanism (the channels of all: results/test_result.py); the sketch is of all"""


@pytest.mark.parametrize("name", biela.library.names())
def test_figures_and_sketch_of_every_mechanism(name, tmp_path, monkeypatch):
    if name not in DRAWN:
        monkeypatch.setattr(Figure, "savefig", lambda figure, path, **options: Path(path).touch())
    result = biela.simulate(name, 0.05)
    if name in CURVES:
        assert len(figures(result, tmp_path)) in (3, 5)
    figure = sketch(result, tmp_path / "sketch.png", trace=list(result.system.resolved.start)[-1:])
    names = {name for text in figure.axes[0].texts for name in text.get_text().split(", ")}
    assert names == {*result.system.resolved.ground, *result.system.resolved.start}


def test_figures_of_a_kinematic_result(tmp_path):
    result = biela.kinematics("quick-return", count=37)
    assert len(result.figures(tmp_path)) == 5


def test_one_sample_is_enough(tmp_path):
    result = biela.simulate("double-pendulum", 1e-3, samples=1)
    assert len(result.figures(tmp_path)) == 5


def test_hull():
    line = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])
    assert convex_hull(line).tolist() == [[0, 0], [2, 2]]
    assert len(convex_hull(np.random.default_rng(1).standard_normal((50, 2)))) > 3


@pytest.mark.parametrize("channels", [["P.y"], []])
def test_the_command_plots_on_dark_paper(channels, tmp_path):
    shades = []
    for theme in ("light", "dark"):
        file = tmp_path / f"{theme}.png"
        done = CliRunner().invoke(app, ["plot", "four-bar", *channels, "--theme", theme, "-o", str(file)])
        assert done.exit_code == 0, done.output
        shades.append(np.asarray(Image.open(file).convert("L")).mean())
    assert shades[0] > 200 and shades[1] < 60
    done = CliRunner().invoke(app, ["plot", "four-bar", "--theme", "pink", "-o", str(tmp_path / "x.png")])
    assert done.exit_code == 2 and "--theme light or dark" in done.output and not (tmp_path / "x.png").exists()
