"""What the player is given: right places in few numbers, safe pages, whole files; refusals in words."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from PIL import Image, ImageSequence
from typer.testing import CliRunner

import biela
from biela.cli.app import app
from biela.errors import BielaError, MethodError
from biela.views.drawing.film import instants, pace
from biela.views.player import page, scene_data
from biela.views.player.packing import unpack
from biela.views.player.sampling import TOLERANCE, interpolated
from biela.views.scene.frames import Frames
from biela.views.scene.scene import Scene
from biela.views.scene.vectors import arrows

MANY = ["four-bar", "slider-crank", "double-pendulum-spring", "two-mass-suspension", "quick-return", "chain",
        "spatial-slider-crank", "cardan", "puma560", "heavy-top", "dzhanibekov"]  # fmt: skip


@pytest.fixture(scope="module")
def four_bar():
    return biela.simulate("four-bar", 2.0)


@pytest.mark.parametrize("name", MANY)
def test_frames_carry_every_point_where_the_motion_has_it(name):
    r = biela.simulate(name, 0.3, samples=30)
    frames = Frames(r)
    for p in (*r.system.resolved.ground, *r.system.resolved.start):
        np.testing.assert_allclose(frames.path(frames.point(p)), np.asarray(r[p]), atol=1e-9 * max(1.0, r.system.size))


@pytest.mark.parametrize("name", MANY)
def test_the_page_interpolates_within_the_tolerance(name):
    r = biela.simulate(name, 1.0)
    data = scene_data(r, vectors=(), channels=["energy.total"])
    result, frames = data["results"][0], Frames(r)
    width = 3 if data["dimension"] == 2 else 7
    t, poses = unpack(result["t"]).astype(float), unpack(result["poses"]).reshape(result["count"], -1, width)
    drawn = interpolated(t, poses.astype(float), np.asarray(r.t))
    if result["count"] < len(r.t):  # where samples were left out, all of them are met
        d = data["dimension"]
        assert np.abs(drawn[..., :d] - frames.poses[..., :d]).max() < 3 * TOLERANCE * r.system.size
    json.dumps(data, allow_nan=False)


def test_every_mechanism_of_the_library_can_be_shown_where_it_starts():
    from biela.results.motion import Motion

    for name in biela.library.names():
        data = scene_data(Motion.at_start(biela.assemble(name)), vectors=(), channels=[])
        low, high = (np.array(x) for x in data["box"])
        assert np.isfinite([*low, *high]).all() and (high > low).any(), name
        result = data["results"][0]
        blocks = {s["colour"] for s in result["signs"] if s["type"] == "slider"}  # masses on slides are their blocks
        assert {s["colour"] for s in result["shapes"]} | blocks - {-1} == set(range(len(result["frames"]))), name


def test_it_is_small():
    """10 s of a mechanism of ten bodies."""
    for name in ("chain", "spatial-chain"):
        r = biela.simulate(name, 2.0)
        assert len(r.system.resolved.bodies) == 10
        r.trajectory.t[:] *= 5  # as many instants as 10 s have
        assert len(r.animate().html()) < 3e6


def test_curves_keep_small_changes_and_peaks(four_bar):
    data = scene_data(four_bar, channels=["energy.total", "P.y"], vectors=())
    total = data["results"][0]["channels"]["items"][0]
    told = total["offset"] + unpack(total["y"]).astype(float)
    true = np.asarray(four_bar["energy.total"])
    assert np.abs(told - true).max() < 1e-5 * np.ptp(true)
    long = biela.simulate("simple-pendulum", 1.0, samples=9000)
    curve = scene_data(long, channels=["P.y"], vectors=())["results"][0]["channels"]["items"][0]
    y = unpack(curve["y"]) + curve["offset"]
    assert len(y) <= 2402 and y.min() == pytest.approx(np.asarray(long["P.y"]).min(), abs=1e-6)


def test_arrows_are_the_motions_own(four_bar):
    scene = Scene(four_bar)
    found = arrows(scene, ["velocity", "reaction"])
    at = {tuple(place): v for place, v in found["velocity"]}
    np.testing.assert_array_equal(at[tuple(scene.points["P"])], np.asarray(four_bar["P.velocity"]))
    forces = [v for _, v in found["reaction"]]
    assert any(np.allclose(v, np.asarray(four_bar["O.reaction@crank"])) for v in forces)


def test_a_page_is_one_file_whatever_names_a_model_has(four_bar):
    html = page(scene_data(four_bar, title="</script><b>&%DATA%", channels=["P.y"], vectors=()))
    assert "<b>&" not in html.replace("&lt;b&gt;", "")
    assert html.count("</script>") == 4 and not re.search(r'(src|href)="', html)
    assert "http://" not in html and "https://" not in html
    data = re.search(r'id="biela-data">(.*?)</script>', html, re.S)
    assert data and json.loads(data[1])["title"] == "</script><b>&%DATA%"


def test_what_cannot_be_shown_is_refused(four_bar, tmp_path):
    with pytest.raises(MethodError, match="no arrows"):
        four_bar.animate(vectors=["speed"]).html()
    with pytest.raises(BielaError, match=r"no channel 'Q\.y'"):
        four_bar.animate(plots=["Q.y"]).html()
    with pytest.raises(MethodError, match="there is no point"):
        four_bar.animate(trace=["Q"]).html()
    with pytest.raises(MethodError, match="theme"):
        four_bar.animate(theme="pink")
    for size in ((0, 0), (-5, 100), (10**9, 100), (float("nan"), 100)):
        with pytest.raises(MethodError, match="numbers of pixels"):
            four_bar.animate(size=size)
    with pytest.raises(MethodError, match="cannot tell the format"):
        four_bar.animate(tmp_path / "x.avi")
    with pytest.raises(MethodError, match="plane and of space"):
        biela.animate([four_bar, biela.simulate("cardan", 0.1)]).html()
    with pytest.raises(MethodError, match="1 names for 2"):
        biela.animate([four_bar, four_bar], names=["one"]).html()
    with pytest.raises(MethodError, match="no motion"):
        biela.animate([]).html()
    with pytest.raises(MethodError, match="too long"):
        instants(four_bar.animate(speed=1e-3))
    assert list(tmp_path.iterdir()) == []


def test_samples_that_are_not_finite_are_left_out_and_said(four_bar):
    from biela.results.motion import Motion

    q = four_bar.q.copy()
    q[-3:] = np.nan
    torn = Motion(four_bar.system, four_bar.t, q, four_bar.v, four_bar.a, four_bar.lam, four_bar.work, four_bar.turns)
    result = scene_data(torn, vectors=(), channels=["P.y"])["results"][0]
    assert np.isfinite(unpack(result["poses"])).all() and any("not finite" in n for n in result["notes"])


def test_films_and_pictures(four_bar, tmp_path):
    short = biela.simulate("four-bar", 0.2, samples=8)
    short.animate(tmp_path / "a.gif", size=(200, 150), speed=0.1, fps=5)
    film = Image.open(tmp_path / "a.gif")
    pictures = [np.asarray(f.convert("RGB")).astype(int) for f in ImageSequence.Iterator(film)]
    assert film.size == (200, 150) and len(pictures) == 9
    assert np.abs(pictures[0] - pictures[4]).max() > 100  # it moves
    for suffix, head in ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")):
        short.animate(tmp_path / f"a{suffix}", t=0.1, theme="dark")
        assert (tmp_path / f"a{suffix}").read_bytes().startswith(head)
    assert np.asarray(Image.open(tmp_path / "a.png").convert("L")).mean() < 60  # dark


def test_one_instant_of_several_motions_is_of_the_longest(tmp_path):
    short, long = (biela.simulate("four-bar", end, samples=8) for end in (0.1, 0.2))
    biela.animate([short, long], tmp_path / "a.png", t=0.2, size=(200, 150))
    with pytest.raises(MethodError, match=r"from 0 s to 0\.2 s"):
        biela.animate([short, long], tmp_path / "b.png", t=0.3)
    assert [f.name for f in tmp_path.iterdir()] == ["a.png"]


def test_mp4_needs_its_extra_and_says_so(tmp_path, monkeypatch):
    short = biela.simulate("four-bar", 0.2, samples=4)
    monkeypatch.setitem(__import__("sys").modules, "imageio_ffmpeg", None)
    with pytest.raises(BielaError, match=r"biela\[video\]"):
        short.animate(tmp_path / "a.mp4")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    pytest.importorskip("imageio_ffmpeg")
    short.animate(tmp_path / "a.mp4", size=(160, 120), speed=0.1, fps=2)
    assert (tmp_path / "a.mp4").read_bytes()[4:8] == b"ftyp"


def test_pace_is_round():
    assert [pace(d) for d in (0.0, 2.0, 0.4, 120.0)] == [1.0, 1.0, 0.1, 5.0]


def test_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke
    done = run(app, ["animate", "four-bar", "--duration", "0.5", "--compare", "+rk4", "--plots", "P.x", "--json"])
    told = json.loads(done.stdout)
    assert done.exit_code == 0 and told["written"] == ["four-bar.html"] and len(told["compared"]) == 1
    assert '"shown":["P.x"]' in (tmp_path / "four-bar.html").read_text(encoding="utf-8")
    for wrong in (["--vectors", "speed"], ["-o", "x.docx"], ["--view", "up"], ["--plots", "Q.x"], ["--compare", "+"]):
        assert run(app, ["animate", "four-bar", *wrong]).exit_code == 2


@pytest.mark.parametrize("name, said", [("four-bar", "7.9 turns"), ("cardan", "1.0 turns")])
def test_whole_turns_between_samples_are_told_by_the_page_and_the_command(name, said, tmp_path):
    """Two poses alone are blind to them, most of all in space, where a body may end as it began."""
    data = scene_data(biela.simulate(name, samples=1))["results"][0]
    assert data["hold"] and any(said in note for note in data["notes"])
    fine = scene_data(biela.simulate(name, samples=1000))["results"][0]
    assert not fine["hold"] and not any("from one sample to the next" in note for note in fine["notes"])
    done = CliRunner().invoke(app, ["animate", name, "--samples", "1", "-o", str(tmp_path / "a.html")])
    assert done.exit_code == 0 and said in done.output and "--samples" in done.output


def test_advice_is_in_the_words_of_the_command_line(tmp_path):
    film = ["animate", "four-bar", "--duration", "0.5", "--samples", "500", "-o", str(tmp_path / "a.gif")]
    done = CliRunner().invoke(app, [*film, "--speed", "1e-5"])
    assert done.exit_code == 2 and "--speed 0." in done.output and "speed=" not in done.output
    for point in ("Z", "coupler@1", "coupler@a,b"):
        done = CliRunner().invoke(app, ["animate", "four-bar", "--trace", point, "-o", str(tmp_path / "a.html")])
        assert done.exit_code == 2 and "@0.1,0" in done.output and "(" not in done.output, done.output
    assert not list(tmp_path.iterdir())
