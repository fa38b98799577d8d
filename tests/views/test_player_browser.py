"""The player in a real browser: opened from a file with the network off, played, scrubbed, switched, compared."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import biela
from biela.views.player import page as whole_page
from biela.views.player import scene_data
from biela.views.player.packing import pack
from browser import Tab, until

TIME = "bielaPlayer.time"
MEDIAN = """(act, count) => { const all = [];
  for (let k = 0; k < count; k++) { const t = performance.now(); act(k); all.push(performance.now() - t); }
  return all.sort((a, b) => a - b)[count >> 1]; }"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Files as users get them: a mechanism of the plane, one in space, and a comparison."""
    folder = tmp_path_factory.mktemp("player")
    plane = biela.simulate("four-bar", 2.0, samples=200)
    space = biela.simulate("spatial-slider-crank", 1.0, samples=100)
    coarse = biela.simulate("four-bar", 2.0, samples=200, integrator="rk4", step=0.02)
    plane.animate(folder / "plane.html", autoplay=False)
    space.animate(folder / "space.html", autoplay=False)
    biela.animate([plane, coarse], folder / "both.html", autoplay=False, names=["fine", "coarse"])
    plane.animate(folder / "plays.html")
    return folder


@pytest.fixture
def tab(browser):
    made = Tab(browser)
    yield made
    made.close()


def opened(tab: Tab, path: Path):
    page = tab.open(path.as_uri())
    until(page, "bielaPlayer.stage.width > 0")
    return page


def clean(tab: Tab, path: Path) -> None:
    """No complaint, and nothing asked for but the file itself."""
    assert tab.complaints == []
    assert tab.requests == [path.as_uri()]


def ink(page, selector: str = ".bp-stage canvas") -> str:
    """What a canvas shows, as text to compare."""
    page.evaluate("new Promise((f) => requestAnimationFrame(() => requestAnimationFrame(f)))")
    return page.evaluate("(s) => document.querySelector(s).toDataURL()", selector)


def test_it_plays_pauses_and_ends_without_the_network(tab, pages):
    page = opened(tab, pages / "plane.html")
    before = ink(page)
    page.get_by_role("button", name="Play", exact=True).click()
    until(page, f"{TIME} > 0.15")
    page.get_by_role("button", name="Pause").click()
    stopped = page.evaluate(TIME)
    page.wait_for_timeout(120)
    assert page.evaluate(TIME) == stopped and ink(page) != before
    page.get_by_role("button", name="Repeat").click()  # no longer
    page.evaluate("bielaPlayer.seek(1.95)")
    page.get_by_role("button", name="Play", exact=True).click()
    until(page, "!bielaPlayer.playing")
    assert page.evaluate(TIME) == pytest.approx(2.0)
    clean(tab, pages / "plane.html")


def test_it_plays_at_once_and_again(tab, pages):
    page = opened(tab, pages / "plays.html")
    page.evaluate("bielaPlayer.setSpeed(20)")
    until(page, f"(window.seen = Math.max(window.seen || 0, {TIME})) > 1.2")
    until(page, f"{TIME} < 0.8")  # it began again
    assert page.evaluate("bielaPlayer.playing")
    clean(tab, pages / "plays.html")


def test_scrubbing_shows_the_instant_that_was_computed(tab, pages):
    page = opened(tab, pages / "plane.html")
    page.locator(".bp-scrub").fill("500000")
    assert page.evaluate(TIME) == pytest.approx(1.0, abs=1e-3)
    r = biela.simulate("four-bar", 2.0, samples=200)
    at = "(() => { const m = bielaPlayer.motions[0]; return m.at(m.result.points.find((p) => p.name === 'P').at); })()"
    until(page, "Math.abs(bielaPlayer.motions[0].t[bielaPlayer.motions[0].low] - 1) < 0.2")
    for t in (0.0, 0.437, 1.0, 1.999):
        page.evaluate(f"bielaPlayer.seek({t}); bielaPlayer.draw()")
        x, y = (np.interp(t, r.t, r[f"P.{axis}"]) for axis in "xy")
        assert page.evaluate(at) == pytest.approx([x, y], abs=2e-3)
    clean(tab, pages / "plane.html")


def test_keys(tab, pages):
    page = opened(tab, pages / "plane.html")
    state = lambda what: page.evaluate(f"bielaPlayer.{what}")  # noqa: E731
    press = page.keyboard.press
    instants = state("motions[0].count")
    press("ArrowRight")
    first = state("time")
    press("ArrowRight")
    assert 0 < first < state("time")
    press("ArrowLeft")
    assert state("time") == pytest.approx(first)
    press("End")
    assert state("time") == pytest.approx(2.0)
    press("Home")
    assert state("time") == 0
    press("Shift+ArrowRight")
    assert state("time") == pytest.approx(state(f"motions[0].t[{min(10, instants - 1)}]"))
    press("Space")
    assert state("playing")
    press("Space")
    assert not state("playing")
    speed = state("speed")
    press("ArrowUp")
    assert state("speed") > speed
    press("ArrowDown")
    assert state("speed") == speed
    press("+")
    assert state("camera.zoom") > 1
    press("f")
    assert state("camera.zoom") == 1
    press("l")
    assert not state("loop")
    for key, switch in (("t", "traces"), ("n", "names"), ("g", "grid"), ("c", "plots")):
        was, picture = state(f"show.{switch}"), ink(page)
        press(key)
        assert state(f"show.{switch}") is not was and ink(page) != picture
    press("v")
    assert state("show.vectors.size") == 1
    press("d")
    assert page.locator(".biela-player").get_attribute("data-theme") == "dark"
    press("?")
    assert page.get_by_role("heading", name="Keys").is_visible()
    press("Escape")
    assert not page.get_by_role("heading", name="Keys").is_visible()
    clean(tab, pages / "plane.html")


def test_menus_of_paths_and_arrows(tab, pages):
    page = opened(tab, pages / "plane.html")
    still = ink(page)
    page.get_by_text("Arrows", exact=True).click()
    page.get_by_label("velocity").check()
    with_arrows = ink(page)
    assert with_arrows != still
    page.get_by_label("reaction").check()
    assert ink(page) != with_arrows
    page.get_by_text("Paths", exact=True).click()
    page.get_by_label("B", exact=True).check()
    assert sorted(page.evaluate("[...bielaPlayer.show.traced]")) == ["B", "P"]
    page.get_by_label("Speed").select_option("0.1")
    assert page.evaluate("bielaPlayer.speed") == 0.1
    clean(tab, pages / "plane.html")


def test_plots_are_chosen_by_menu_and_follow_the_time(tab, pages):
    page = opened(tab, pages / "plane.html")
    value = page.locator(".bp-value").first
    page.get_by_label("Channel").first.select_option("crank.angle")
    page.evaluate("bielaPlayer.seek(1); bielaPlayer.draw()")
    r = biela.simulate("four-bar", 2.0, samples=200)
    said = float(value.text_content().replace("\u2212", "-"))
    assert said == pytest.approx(float(np.interp(1.0, r.t, r["crank.angle"])), rel=1e-3)
    before = ink(page, ".bp-pane canvas")
    page.get_by_label("Against").first.select_option("crank.rate")  # a phase plane
    assert ink(page, ".bp-pane canvas") != before
    count = page.locator(".bp-pane").count()
    page.get_by_role("button", name="Add a plot").click()
    assert page.locator(".bp-pane").count() == count + 1
    page.get_by_role("button", name="Remove this plot").last.click()
    assert page.locator(".bp-pane").count() == count
    box = page.locator(".bp-cursor").last.bounding_box()
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])  # a plot is a scrubber too
    assert 0.8 < page.evaluate(TIME) < 1.4
    clean(tab, pages / "plane.html")


def test_several_results_can_be_told_apart_and_hidden(tab, pages):
    page = opened(tab, pages / "both.html")
    page.evaluate("bielaPlayer.seek(1.7)")
    both, curves = ink(page), ink(page, ".bp-pane canvas")
    assert page.evaluate("bielaPlayer.motions.length") == 2
    page.get_by_role("button", name="coarse").click()
    assert page.get_by_role("button", name="coarse").get_attribute("aria-pressed") == "false"
    assert ink(page) != both and ink(page, ".bp-pane canvas") != curves
    page.get_by_role("button", name="coarse").click()
    assert ink(page) == both
    clean(tab, pages / "both.html")


def test_a_motion_that_is_over_has_no_value_any_more(tab, tmp_path):
    short, long = (biela.simulate("four-bar", end, samples=50) for end in (0.5, 1.0))
    biela.animate([short, long], tmp_path / "two.html", autoplay=False, plots=["P.y"])
    page = opened(tab, tmp_path / "two.html")
    value = "bielaPlayer.plots.panes[0].value.textContent"
    for t, ended in ((0.0, False), (0.5, False), (0.6, True), (1.0, True)):
        page.evaluate(f"bielaPlayer.seek({t})")
        until(page, f"{value}.startsWith('–') === {str(ended).lower()}")
        assert page.evaluate(value).count("–") == ended
    clean(tab, tmp_path / "two.html")


def test_lengths_have_round_units(tab, pages):
    page = opened(tab, pages / "plane.html")
    told = [page.evaluate(f"BielaPlayer.length({x})") for x in (2e3, 5.0, 0.1, 5e-5, 5e-10)]
    assert told == ["2 km", "5 m", "100 mm", "50 µm", "0.5 nm"]


def test_space_is_orbited_zoomed_and_moved(tab, pages):
    page = opened(tab, pages / "space.html")
    view = lambda: page.evaluate("[bielaPlayer.camera.azimuth, bielaPlayer.camera.elevation, bielaPlayer.camera.zoom]")  # noqa: E731
    box = page.locator(".bp-stage").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    start, picture = view(), ink(page)

    def drag(dx: float, dy: float) -> None:
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + dx, y + dy)
        page.mouse.up()

    drag(60, 20)
    turned = view()
    assert turned[0] != start[0] and turned[1] != start[1] and ink(page) != picture
    middle = page.evaluate("[...bielaPlayer.camera.middle]")
    page.keyboard.down("Shift")
    drag(40, 0)
    page.keyboard.up("Shift")
    assert view()[:2] == turned[:2] and page.evaluate("[...bielaPlayer.camera.middle]") != middle
    page.mouse.move(x, y)
    page.mouse.wheel(0, -300)
    until(page, "bielaPlayer.camera.zoom > 1.2")
    page.keyboard.press("p")
    assert not page.evaluate("bielaPlayer.camera.perspective")
    page.mouse.dblclick(x, y)
    assert view() == start
    clean(tab, pages / "space.html")


def test_a_page_that_embeds_it_updates_and_removes_it(tab, pages, tmp_path):
    r = biela.simulate("four-bar", 0.5, samples=100)
    data = scene_data(r, channels=["P.y"], vectors=["velocity"])
    other = scene_data(biela.simulate("slider-crank", 0.5, samples=100), channels=["B.x"], vectors=())
    path = tmp_path / "one.html"
    path.write_text(whole_page(data, {"autoplay": False, "draggable": ["O"]}), encoding="utf-8")
    page = opened(tab, path)
    page.evaluate("(d) => { window.fresh = d; }", data)
    page.evaluate("bielaPlayer.seek(0.3); bielaPlayer.camera.zoomAt(100, 100, 2)")
    spent = page.evaluate(f"({MEDIAN})(() => bielaPlayer.update(fresh), 30)")
    assert spent < 50  # about 1 ms where nothing else runs; see benchmarks/player.py
    assert page.evaluate(TIME) == pytest.approx(0.3) and page.evaluate("bielaPlayer.camera.zoom") == 2
    page.evaluate("(d) => bielaPlayer.update(d)", other)
    assert page.locator(".bp-title").text_content() == "slider-crank"
    told = page.evaluate("""() => { const P = bielaPlayer, told = []; P.update(fresh); P.fit();
      P.options.drag = (name, at, phase) => told.push([name, phase, ...at]);
      return new Promise((done) => { P.draw(); window.told = told; done(0); }); }""")
    assert told == 0
    at = page.evaluate("""() => { const P = bielaPlayer, m = P.motions[0], box = P.stage.canvas.getBoundingClientRect();
      const s = P.camera.project(m.at(m.result.points.find((p) => p.name === "O").at));
      return [box.left + s.x, box.top + s.y]; }""")
    page.mouse.move(*at)
    page.mouse.down()
    page.mouse.move(at[0] + 30, at[1])
    page.mouse.up()
    told = page.evaluate("told")
    assert told[0][:2] == ["O", "start"] and told[-1][:2] == ["O", "end"]
    assert told[-1][2] - told[0][2] == pytest.approx(30 / page.evaluate("bielaPlayer.camera.scale"), rel=1e-6)
    page.evaluate("bielaPlayer.destroy()")
    assert page.locator(".biela-player").count() == 0
    clean(tab, path)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (844, 390)])
def test_nothing_is_cut_off(browser, pages, scheme, size):
    tab = Tab(browser, *size, scheme=scheme)
    try:
        for name in ("plane", "both", "space"):
            page = opened(tab, pages / f"{name}.html")
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
            assert page.locator(".bp-stage").bounding_box()["height"] > 100
            for part in (".bp-play", ".bp-scrub", ".bp-clock", ".bp-speed"):
                box = page.locator(part).first.bounding_box()
                assert box["x"] >= 0 and box["x"] + box["width"] <= size[0] + 1
                assert box["y"] >= 0 and box["y"] + box["height"] <= size[1] + 1
            dark = page.evaluate("getComputedStyle(bielaPlayer.root).backgroundColor") != "rgb(255, 255, 255)"
            assert dark is (scheme == "dark")
        assert tab.complaints == []
    finally:
        tab.close()


def test_everything_has_a_name(tab, pages):
    page = opened(tab, pages / "space.html")
    nameless = page.evaluate("""() => [...document.querySelectorAll("button, select, input, canvas:not([aria-hidden])")]
      .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label")))
      .map((e) => e.outerHTML)""")
    assert nameless == []
    assert "spatial-slider-crank" in page.locator(".bp-stage canvas").get_attribute("aria-label")


def test_in_a_notebook_it_lives_in_a_frame(tab, tmp_path):
    player = biela.simulate("simple-pendulum", 1.0, samples=50).animate()
    path = tmp_path / "notebook.html"
    path.write_text(f"<!DOCTYPE html><meta charset='utf-8'><body>{player._repr_html_()}</body>", encoding="utf-8")
    tab.page.goto(path.as_uri())
    frame = tab.page.frame_locator("iframe")
    frame.get_by_role("button", name="Play", exact=True).click()
    frame.get_by_role("button", name="Pause").wait_for()
    assert tab.complaints == []


def heavy(count: int, bodies: int) -> dict:
    """Many instants or many bodies, without computing them: wheels with a spoke, each turning at its own rate."""
    plain = biela.simulate("simple-pendulum", 1.0, samples=10)
    data = scene_data(plain, channels=["energy.total"], vectors=(), trace=())
    t, side = np.linspace(0, 100, count), int(np.ceil(np.sqrt(bodies)))
    where = np.array([(k % side, k // side) for k in range(bodies)], dtype=float)
    poses = np.empty((count, bodies, 3))
    poses[..., :2] = where
    poses[..., 2] = np.outer(t, 1 + np.arange(bodies) / bodies)
    wave = {"name": "wave", "unit": "m", "t": pack(t), "y": pack(np.sin(20 * t)), "offset": 0.0}
    data["results"][0] |= {
        "count": count, "frames": [f"b{k}" for k in range(bodies)], "t": pack(t), "poses": pack(poses), "signs": [],
        "shapes": [{"type": "bar", "frame": k, "colour": k, "corners": [[0, 0], [0.4, 0]]} for k in range(bodies)],
        "points": [{"name": "tip", "at": [0, 0.4, 0]}], "traces": [{"name": "tip", "at": [0, 0.4, 0]}],
        "channels": {"t": "", "items": [wave]},
    }  # fmt: skip
    return data | {"duration": [0, 100], "box": [[-1, -1], [side, side]], "link": 0.4, "shown": ["wave"]}


@pytest.mark.parametrize(("count", "bodies"), [(100_000, 3), (400, 500)])
def test_it_stays_responsive(tab, tmp_path, count, bodies):
    path = tmp_path / "heavy.html"
    path.write_text(whole_page(json.loads(json.dumps(heavy(count, bodies))), {"autoplay": False}), encoding="utf-8")
    page = opened(tab, path)
    spent = page.evaluate(f"({MEDIAN})((k) => {{ bielaPlayer.time = 2.3 * k; bielaPlayer.draw(); }}, 40)")
    assert spent < 100  # far less where nothing else runs; see benchmarks/player.py
    clean(tab, path)


ORDER = """() => { const B = BielaPlayer, S = B.signs, { polygon, ground, pin } = S, trace = B.Traces.prototype.draw;
  const seen = [];
  B.signs.polygon = (...all) => { seen.push("sheet"); return polygon(...all); };
  B.signs.ground = (...all) => { seen.push("ground"); };
  B.signs.pin = (...all) => { seen.push("pin"); return pin(...all); };
  B.Traces.prototype.draw = function (...all) { seen.push("path"); return trace.apply(this, all); };
  bielaPlayer.draw();
  Object.assign(B.signs, { polygon, ground, pin }); B.Traces.prototype.draw = trace;
  return seen; }"""


def test_plates_hide_neither_paths_nor_the_ground(tab, tmp_path):
    """The order of drawing: the plate, the sign of the ground, the path, the pins (and then the axes in the corner)."""
    path = tmp_path / "plates.html"
    biela.simulate("double-pendulum", 1.0, samples=50).animate(path, autoplay=False)
    seen = opened(tab, path).evaluate(ORDER)
    assert seen[:4] == ["sheet", "ground", "path", "pin"]
    clean(tab, path)


@pytest.mark.parametrize("name", ["bouncing-ball", "pendulum-stop", "clutch"])
def test_stops_and_locks_are_drawn(tab, tmp_path, name):
    path = tmp_path / "stops.html"
    r = biela.simulate(name, samples=100)
    r.animate(path, autoplay=False)
    page = opened(tab, path)
    calls = {"bouncing-ball": "wall", "pendulum-stop": "stop", "clutch": "clutch"}
    watch = f"""(t) => {{ const S = BielaPlayer.signs, own = S.{calls[name]}, seen = [];
      S.{calls[name]} = (...all) => {{ seen.push(all[all.length - 1]); return own(...all); }};
      bielaPlayer.time = t; bielaPlayer.draw(); S.{calls[name]} = own; return seen; }}"""
    assert len(page.evaluate(watch, 0.5)) == 1
    if name == "clutch":
        assert [page.evaluate(watch, t) for t in (0.5, 1.5, 2.5)] == [[False], [True], [False]]
    clean(tab, path)
