"""The studio in a real browser: load, choose, turn, drag, break, mend, run, cancel, export, reload."""

import csv
import importlib.util
import io
import json
import os
import shutil
import tempfile
import tomllib
from time import monotonic, sleep
from xml.etree import ElementTree

import pytest
from PIL import Image

api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed (pip install playwright)")
BROWSER = next((p for n in ("chromium", "chromium-browser", "google-chrome") if (p := shutil.which(n))), None)
SELECTED = "bielaStudio.editor.text.slice(bielaStudio.editor.area.selectionStart)"
pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium here (apt-get install chromium)")


@pytest.fixture(scope="module")
def browser():
    with api.sync_playwright() as playwright:
        sandbox = [] if os.geteuid() else ["--no-sandbox"]  # Chromium has none for root
        made = playwright.chromium.launch(executable_path=BROWSER, args=sandbox)
        yield made
        made.close()


@pytest.fixture
def context(browser):
    made = browser.new_context(viewport={"width": 1400, "height": 860}, accept_downloads=True)
    yield made
    made.close()


@pytest.fixture
def page(context, studio):
    """A page whose console must stay free of errors, and which asks nobody but its own server."""
    return watched(context.new_page(), studio)


def watched(page, studio, address=None):
    wrong = page.wrong = []
    page.on("console", lambda m: wrong.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda e: wrong.append(str(e)))
    own = f"http://127.0.0.1:{studio.port}/"
    page.on("request", lambda r: None if r.url.startswith((own, "blob:", "data:")) else wrong.append(r.url))
    page.goto(address or studio.address)
    ready(page)
    return page


def until(page, expression, seconds=60.0):
    """Wait until something is true in the page. (Playwright's own waiting needs eval, which the page forbids.)"""
    end = monotonic() + seconds
    while not (value := page.evaluate(expression)):
        if monotonic() > end:
            told = page.evaluate("[...document.querySelectorAll('[role=status]')].map((e) => e.innerText).join(' | ')")
            raise AssertionError(f"waited in vain for {expression}; {told[:400]}")
        sleep(0.02)
    return value


def ready(page):
    until(page, "!!(window.bielaStudio?.motion?.player && bielaStudio.last)")


def quiet(page):
    """Nothing is being computed, and nothing is about to be."""
    until(page, "bielaStudio.motion.idle && !bielaStudio.checking && !bielaStudio.typing")


def painted(page):
    """Two frames later."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")


def pictures(page):
    """The mechanism and the first curve, as they are painted at one instant."""
    page.evaluate("bielaStudio.motion.player.pause(); bielaStudio.motion.player.seek(0.3)")
    painted(page)
    player = "bielaStudio.motion.player"
    return page.evaluate(f"[{player}.stage.canvas, {player}.plots.panes[0].canvas].map((c) => c.toDataURL())")


def text_of(page):
    return page.evaluate("bielaStudio.editor.text")


def type_over(page, old, new):
    text = text_of(page)
    assert old in text
    page.fill("#text", text.replace(old, new))


def test_it_loads_plays_and_says_how_good_it_is(page):
    assert "four-bar" in page.title()
    t = page.evaluate("bielaStudio.motion.player.time")
    until(page, f"bielaStudio.motion.player.time !== {t}")
    assert "finished" in page.inner_text("#summary")
    quiet(page)
    assert page.wrong == []


def test_another_mechanism_is_chosen_by_keyboard(page):
    page.keyboard.press("Control+o")
    page.keyboard.type("cardan")
    page.keyboard.press("Enter")
    until(page, "bielaStudio.doc.name === 'cardan' && bielaStudio.motion.player?.data.dimension === 3")
    assert page.is_hidden("#drag")  # only points of the plane are dragged
    assert page.wrong == []


def test_a_slider_that_moves_changes_mechanism_and_curve_and_then_the_text(page):
    quiet(page)
    before, text = pictures(page), text_of(page)
    slider = page.locator('input[type=range][data-path="initial.position.crank_angle"]')
    box = slider.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    done = page.evaluate("bielaStudio.motion.timings.length")
    for k in range(1, 6):
        page.mouse.move(box["x"] + box["width"] * (0.5 + 0.04 * k), box["y"] + box["height"] / 2)
        sleep(0.05)
    until(page, f"bielaStudio.motion.timings.length > {done}")
    quiet(page)
    held = pictures(page)
    assert held[0] != before[0] and held[1] != before[1]
    assert text_of(page) == text  # while it is held the text stays
    page.mouse.up()
    until(page, f"bielaStudio.editor.text !== {text!r}")
    assert 1.0 < tomllib.loads(text_of(page))["initial"]["position"]["crank_angle"] < 1.6
    assert "# roughly: the lengths below decide" in text_of(page)
    page.focus("#text")
    page.keyboard.press("Control+z")
    assert text_of(page) == text
    assert page.wrong == []


def test_a_broken_text_is_marked_and_a_mended_one_moves_again(page):
    quiet(page)
    type_over(page, "mass = 0.5", "mas = 0.5")
    until(page, "document.querySelectorAll('.gutter .wrong').length === 2")
    marked = page.locator(".gutter .wrong").last
    assert marked.inner_text() == "19" and "unknown key 'mas'" in marked.get_attribute("title")
    assert "did you mean 'mass'" in page.inner_text("#problems")
    assert page.get_attribute("#text", "aria-invalid") == "true" and page.is_disabled("#run")
    page.click("#problems button >> nth=1")
    assert page.evaluate(SELECTED).startswith("mas =")
    page.keyboard.press("F8")
    assert page.evaluate(SELECTED).startswith("[bodies.crank]")
    runs = page.evaluate("bielaStudio.motion.timings.length")
    type_over(page, "mas = 0.5", "mass = 0.6")
    until(page, f"!document.querySelector('.gutter .wrong') && bielaStudio.motion.timings.length > {runs}")
    assert page.inner_text("#problems") == "" and page.is_enabled("#run")
    assert page.wrong == []


def test_names_and_messages_are_text_and_not_markup(page):
    bad = "<img src=x onerror=alert(1)>"
    page.fill("#text", f'title = "{bad}"\n"{bad}" = 1\n[ground]\nO = [0, 0]\n')
    until(page, "document.querySelector('.gutter .wrong')")
    assert "onerror" in page.inner_text("#problems") and page.locator("main img").count() == 0
    assert page.wrong == []


def test_a_point_is_dragged_and_the_text_follows(page):
    quiet(page)
    text = text_of(page)
    page.click("#drag")
    at = page.evaluate(
        """(() => { const p = bielaStudio.motion.player, m = p.motions[0]; m.seek(p.start);
        const place = p.camera.project(m.at(m.result.points.find((q) => q.name === "D").at));
        const box = p.stage.canvas.getBoundingClientRect(); return [box.left + place.x, box.top + place.y]; })()"""
    )
    before = pictures(page)
    page.evaluate("bielaStudio.motion.player.seek(0)")
    page.mouse.move(*at)
    page.mouse.down()
    for k in range(1, 6):
        page.mouse.move(at[0] + 6 * k, at[1])
        sleep(0.05)
    page.mouse.up()
    until(page, "!/D = \\[0.4, 0\\]/.test(bielaStudio.editor.text) && !bielaStudio.motion.pulling")
    quiet(page)
    data = tomllib.loads(text_of(page))
    assert 0.4 < data["ground"]["D"][0] < 0.5 and data["bodies"]["rocker"]["length"] > 0.25
    assert data["bodies"]["crank"]["length"] == 0.1
    assert pictures(page)[0] != before[0]
    page.focus("#text")
    page.keyboard.press("Control+z")  # one drag is one step
    assert text_of(page) == text and page.wrong == []


def test_a_point_is_moved_by_the_keys(page):
    quiet(page)
    page.click("#drag")
    page.focus(".handles button[title=D]")
    page.keyboard.press("ArrowRight")
    until(page, "!/D = \\[0.4, 0\\]/.test(bielaStudio.editor.text) && !bielaStudio.motion.pulling")
    assert 0.4 < tomllib.loads(text_of(page))["ground"]["D"][0] < 0.45
    assert page.evaluate("document.activeElement.title") == "D" and page.wrong == []


def test_a_long_run_shows_its_progress_and_is_cancelled(page):
    quiet(page)
    page.click("#tab-method")
    page.uncheck("#live")
    page.select_option("#set-integrator", "rk4")
    page.fill("#set-step", "1e-5")
    page.fill("#set-duration", "1e4")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+Enter")
    until(page, "!document.getElementById('progress').hidden && / steps/.test(document.body.innerText)")
    until(page, "/steps/.test(document.getElementById('doing').textContent)")
    page.click("#cancel")
    until(page, "document.getElementById('progress').hidden && /cancelled/.test(document.body.innerText)")
    page.fill("#set-duration", "0.5")
    page.fill("#set-step", "1 ms")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+Enter")
    until(page, "/finished at t = 0.5 s/.test(document.getElementById('summary').innerText)")
    page.check("#live")
    assert page.wrong == []


def test_a_number_is_typed_with_a_unit_or_refused_in_words(page):
    quiet(page)
    row = page.locator(".slider", has=page.locator('[data-path="initial.velocity.crank_angle"]'))
    box, why = row.locator("input").first, row.locator(".refused")

    def typed(text):
        box.fill(text)
        box.press("Enter")

    text = text_of(page)
    refused = {"abc": "not a number", "1e400": "too large", "20 mm": "does not measure", "3 furlongs": "unit"}
    for wrong, said in refused.items():
        typed(wrong)
        until(page, f"[...document.querySelectorAll('.refused')].some((p) => !p.hidden && /{said}/.test(p.innerText))")
        assert box.input_value() == wrong and box.get_attribute("aria-invalid") == "true"
        assert "it is still" in why.inner_text() and text_of(page) == text
    typed("20 rpm")
    until(page, f"bielaStudio.editor.text !== {text!r}")
    assert tomllib.loads(text_of(page))["initial"]["velocity"]["crank_angle"] == "2.0944 rad/s"
    assert why.is_hidden() and box.get_attribute("aria-invalid") == "false" and page.wrong == []


def test_a_run_that_fails_does_not_stand_above_the_praise_of_the_one_before(page):
    quiet(page)
    assert page.locator("#summary .good").count() == 1
    page.click("#tab-method")
    page.select_option("#set-integrator", "rk4")
    quiet(page)
    page.fill("#set-step", "-1")
    page.keyboard.press("Tab")
    until(page, "!document.getElementById('notice').hidden")
    quiet(page)
    assert "of the run before" in page.inner_text("#summary") and page.locator("#summary .good").count() == 0
    page.fill("#set-step", "1 ms")
    page.keyboard.press("Tab")
    until(page, "document.getElementById('notice').hidden")
    quiet(page)
    assert "of the run before" not in page.inner_text("#summary") and page.wrong == []


def test_cancel_ends_what_it_stands_beside(page):
    quiet(page)
    page.uncheck("#live")
    page.evaluate("window.ended = []; bielaStudio.compare.running = { cancel: () => ended.push('comparison') }")
    page.click("#tab-method")
    page.select_option("#set-integrator", "rk4")
    page.fill("#set-step", "1e-5")
    page.fill("#set-duration", "1e4")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+Enter")
    until(page, "/steps/.test(document.getElementById('doing').textContent)")
    page.click("#cancel")
    until(page, "document.getElementById('progress').hidden")
    assert page.evaluate("ended") == [] and "cancelled" in page.inner_text("body")
    page.evaluate("bielaStudio.compare.running = null")
    page.check("#live")
    assert page.wrong == []


def test_check_and_comparison(page):
    page.click("#tab-check")
    until(page, "/1 freedom by rank/.test(document.getElementById('check').innerText)")
    page.click("#tab-compare")
    for _ in range(3):
        page.click("#compare .pairs button >> nth=0")
    page.fill("#compare [aria-label=Steps]", "1 ms, 10 ms")
    page.click("#compare > button")
    until(page, "document.querySelectorAll('#compare tbody tr').length === 2", 120)
    assert page.wrong == []


def test_every_export_arrives_as_a_file_that_can_be_used(page, browser):
    """One page, one file of each kind: what is in the menu, downloaded, and opened."""
    quiet(page)
    page.click("#tab-method")
    page.fill("#set-duration", "0.2")
    page.keyboard.press("Tab")
    page.evaluate("bielaStudio.compare.pairs = ['augmented+rk4']; bielaStudio.compare.steps.value = '2 ms'")
    quiet(page)
    kinds = page.evaluate("[...document.querySelectorAll('#exports button')].map((b) => b.dataset.kind)")
    assert set(kinds) == set(OPENED)
    for kind in kinds:
        if kind == "mp4" and importlib.util.find_spec("imageio_ffmpeg") is None:
            continue  # an extra, whose absence is told: tests/views
        page.click("#export")
        with page.expect_download(timeout=120_000) as found:
            page.click(f"#exports [data-kind={kind}]")
        name, path = found.value.suggested_filename, found.value.path()
        assert name.startswith("four-bar")
        with open(path, "rb") as file:
            OPENED[kind](name, file.read(), browser)
        until(page, "document.getElementById('progress').hidden")
    assert page.wrong == []


def opened_model(name, data, browser):
    assert name == "four-bar.toml" and tomllib.loads(data.decode())["name"] == "four-bar"


def opened_csv(name, data, browser):
    lines = data.decode().splitlines()
    assert name.endswith(".csv") and lines[0].startswith("t [s]") and len(lines) == 2002
    assert abs(float(lines[-1].split(",")[0]) - 0.2) < 1e-9


def opened_json(name, data, browser):
    told = json.loads(data)
    assert told["ok"] and len(told["columns"]["t"] if "t" in told["columns"] else told["columns"]["t [s]"]) == 2001


def opened_page(name, data, browser):
    context = browser.new_context(offline=True)
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda e: wrong.append(str(e)))
    with tempfile.NamedTemporaryFile(suffix=".html") as file:
        file.write(data)
        file.flush()
        page.goto(f"file://{file.name}")
        assert page.locator("canvas, svg").count() > 0 and wrong == []
    context.close()


def opened_picture(name, data, browser):
    picture = Image.open(io.BytesIO(data))
    picture.load()
    assert picture.width > 200 and len(set(picture.convert("L").resize((64, 64)).tobytes())) > 3


def opened_gif(name, data, browser):
    assert Image.open(io.BytesIO(data)).n_frames > 3


def opened_mp4(name, data, browser):
    with tempfile.NamedTemporaryFile(suffix=".mp4") as file:
        file.write(data)
        file.flush()
        frames, seconds = pytest.importorskip("imageio_ffmpeg").count_frames_and_secs(file.name)
    assert frames > 3 and seconds > 0.1


def opened_svg(name, data, browser):
    assert ElementTree.fromstring(data).tag.endswith("svg") and len(data) > 2000


def opened_comparison(name, data, browser):
    (row,) = csv.DictReader(io.StringIO(data.decode()))
    assert row["pair"] == "augmented+rk4" and float(row["step"]) == 0.002 and row["status"] == "finished"


OPENED = {
    "model": opened_model, "player": opened_page, "report": opened_page, "gif": opened_gif, "mp4": opened_mp4,
    "csv": opened_csv, "json": opened_json, "plot-png": opened_picture, "plot-svg": opened_svg,
    "sketch-png": opened_picture, "sketch-svg": opened_svg, "comparison": opened_comparison,
}  # fmt: skip


def choose(page, name):
    page.keyboard.press("Control+o")
    page.fill("#filter", name)
    page.keyboard.press("Enter")
    until(page, f"bielaStudio.doc.name === '{name}' && !!bielaStudio.motion.player")
    quiet(page)


def test_points_that_cannot_be_dragged_say_why(page):
    choose(page, "chain")
    text = text_of(page)
    page.click("#drag")
    until(page, "!!document.querySelector('.handles .held')")
    held = page.locator(".handles .held").last
    assert "[[repeat]]" in held.get_attribute("title")
    box = held.bounding_box()
    page.mouse.move(box["x"] + 11, box["y"] + 11)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 40, steps=3)
    page.mouse.up()
    until(page, "/cannot be dragged: .*repeat/.test(document.getElementById('hint').innerText)")
    assert text_of(page) == text and page.wrong == []
    choose(page, "n-four-bar")
    page.click("#drag")
    assert "No point can be dragged" in page.inner_text("#hint")
    page.click("#drag")
    choose(page, "four-bar")


METHODS = [("relative", "projection", "rk4"), ("reference-point", "", "conserving"), ("", "penalty", "trapezoidal"),
           ("relative", "", "conserving"), ("", "projection", "radau")]  # fmt: skip


@pytest.mark.parametrize("name", ["pendulum-stop", "spatial-slider-crank"])
def test_methods_by_menu_move_or_are_refused_in_words(page, name):
    choose(page, name)
    page.click("#tab-method")
    page.fill("#set-duration", "0.05")
    for coordinates, formulation, integrator in METHODS:
        page.evaluate("bielaStudio.last = null; bielaStudio.notice('')")
        for key, value in (("integrator", ""), ("coordinates", coordinates), ("formulation", formulation)):
            page.select_option(f"#set-{key}", value)
        page.select_option("#set-integrator", integrator)
        quiet(page)
        until(page, "bielaStudio.last || !document.getElementById('notice').hidden")
        refused = page.inner_text("#notice") if page.is_visible("#notice") else ""
        wrong = (coordinates, integrator) == ("relative", "conserving") or integrator == "radau"
        assert ("does not" in refused) == wrong, refused
        assert "fault" not in refused and "Traceback" not in refused
    assert page.wrong == []


def test_the_comparison_panel_takes_every_way_and_is_kept(page):
    page.click("#tab-compare")
    page.evaluate("bielaStudio.compare.pairs = []; bielaStudio.compare.draw()")
    page.select_option("#compare [aria-label=Integrator]", "conserving")
    assert page.is_disabled("#compare [aria-label=Formulation]")
    page.click("#compare .adder button")
    page.select_option("#compare [aria-label=Integrator]", "dopri5")
    page.select_option("#compare [aria-label=Coordinates]", "relative")
    page.click("#compare .adder button")
    page.fill("#compare [aria-label=Steps]", "2 ms")
    page.fill("#compare [aria-label=Tolerances]", "1e-6")
    page.evaluate("bielaStudio.method.fields.duration.input.value = '0.1'")
    page.click("#compare > button")
    until(page, "document.querySelectorAll('#compare tbody tr').length === 2", 120)
    shown = page.inner_text("#compare table")
    assert "conserving" in shown and "relative:augmented+dopri5" in shown.replace("\n", "") and "tol 0.000001" in shown
    assert "undefined" not in shown and page.inner_text("#compare .advice")
    page.reload()
    ready(page)
    assert page.evaluate("bielaStudio.compare.pairs") == ["conserving", "relative:augmented+dopri5"]
    assert page.is_visible("#compare") and page.input_value("#compare [aria-label=Steps]") == "2 ms"
    assert page.wrong == []


def test_nothing_is_lost_on_reload_and_tabs_are_apart(page, context, studio):
    quiet(page)
    type_over(page, "mass = 1.2", "mass = 1.25")
    page.click("#tab-method")
    page.select_option("#set-coordinates", "relative")
    other = watched(context.new_page(), studio)
    other.keyboard.press("Control+o")
    other.keyboard.type("slider-crank")
    other.keyboard.press("Enter")
    until(other, "bielaStudio.doc.name === 'slider-crank' && bielaStudio.motion.player")
    page.reload()
    ready(page)
    assert "mass = 1.25" in text_of(page) and page.input_value("#set-coordinates") == "relative"
    assert "not saved yet" in page.inner_text("#banner") and page.is_visible("#dirty")
    other.reload()
    ready(other)
    assert other.evaluate("bielaStudio.doc.name") == "slider-crank"
    page.click("#banner button")
    until(page, "/mass = 1.2\\n/.test(bielaStudio.editor.text)")
    assert page.wrong == [] and other.wrong == []


def test_jobs_of_a_page_that_is_loaded_anew_have_names_of_their_own(page):
    jobs = []
    page.on("request", lambda r: jobs.append(r.post_data_json) if r.method == "POST" else None)
    for _ in range(2):
        page.reload()
        ready(page)
        quiet(page)
    told = [j for j in jobs if "job" in j]
    assert len({j["job"] for j in told}) == len(told) >= 4
    assert len({j["session"] for j in told}) == 1  # its worker stays warm


def test_a_file_is_saved_into_the_folder(page, folder):
    quiet(page)
    page.keyboard.press("Control+s")
    page.fill("#asker-input", "mine.toml")
    page.keyboard.press("Enter")
    until(page, "bielaStudio.doc.file === 'mine.toml'")
    assert (folder / "mine.toml").read_text(encoding="utf-8") == text_of(page)
    (folder / "mine.toml").write_text("changed by somebody else")
    type_over(page, "mass = 1.2", "mass = 1.3")
    page.keyboard.press("Control+s")
    until(page, "document.getElementById('asker').open")
    page.click("#asker button[value=no]")
    assert (folder / "mine.toml").read_text() == "changed by somebody else"
    assert [w for w in page.wrong if "409" not in w] == []


BURSTS = """[ground]
O = [0, 0]
[points]
A = [1, 0]
[bodies]
a = { type = "mass", point = "A", mass = 1 }
[forces]
f = { type = "actuator", points = ["O", "A"], value = "exp(5*x)" }
[run]
duration = 10
"""


def test_a_motion_that_bursts_is_told_in_words(page):
    quiet(page)
    page.fill("#text", BURSTS)
    until(page, "/stopped at t = 0.0815/.test(document.getElementById('summary').innerText)")
    quiet(page)
    told = page.inner_text("#summary")
    assert "the step needed for the tolerance is too small" in told and "energy error" in told
    assert page.is_hidden("#notice") and page.wrong == []


def test_what_is_typed_while_a_slider_settles_stays(page):
    quiet(page)
    slider = """{ const r = document.querySelector('input[type=range][data-path="initial.position.crank_angle"]');
      r.value = 1; for (const e of ['input', 'change']) r.dispatchEvent(new Event(e, { bubbles: true })); }"""
    area = "bielaStudio.editor.area"
    page.evaluate(f"{slider} {area}.value += '\\n# typed'; {area}.dispatchEvent(new Event('input'))")
    until(page, "!/crank_angle = 0 }/.test(bielaStudio.editor.text)")
    quiet(page)
    assert text_of(page).endswith("# typed")
    assert tomllib.loads(text_of(page))["initial"]["position"]["crank_angle"] > 0.5
    assert page.wrong == []


def test_changes_of_a_file_that_has_gone_are_kept(page, folder):
    quiet(page)
    (folder / "gone.toml").write_text(text_of(page), encoding="utf-8")
    page.evaluate("bielaStudio.open('file:gone.toml')")
    quiet(page)
    type_over(page, "mass = 1.2", "mass = 1.25")
    quiet(page)
    (folder / "gone.toml").unlink()
    page.reload()
    ready(page)
    assert "mass = 1.25" in text_of(page) and "cannot be read" in page.inner_text("#banner")
    page.keyboard.press("Control+s")
    until(page, "bielaStudio.doc.mark")
    assert "mass = 1.25" in (folder / "gone.toml").read_text(encoding="utf-8")
    (folder / "gone.toml").unlink()
    page.reload()  # nothing typed that could be lost: the four-bar, and why
    ready(page)
    assert page.evaluate("bielaStudio.doc.id") == "library:four-bar"
    assert "gone.toml is not opened" in page.inner_text("#banner")
    assert [w for w in page.wrong if "422" not in w] == []


def test_a_studio_that_ends_in_the_middle_is_told_in_words(page):
    quiet(page)
    page.evaluate("""window.fetch = async () => new Response(new ReadableStream({ pull(c) {
      c.error(new TypeError('network error')); } }))""")
    page.click("#run")
    until(page, "/the studio does not answer/.test(document.getElementById('notice').innerText)")
    assert page.is_hidden("#progress") and page.wrong == []


def test_a_comparison_is_not_shown_for_another_mechanism(page):
    quiet(page)
    page.click("#tab-compare")
    page.fill("#compare [aria-label=Steps]", "1e-6")
    page.click("#compare > button")
    until(page, "bielaStudio.compare.running && /…/.test(document.getElementById('compare').innerText)")
    page.evaluate("void (window.before = bielaStudio.compare.running.result.catch(() => 0))")
    page.evaluate("bielaStudio.open('library:cardan')")
    until(page, "bielaStudio.doc.name === 'cardan' && bielaStudio.motion.player")
    page.evaluate("window.before.then(() => 0)")
    assert page.inner_text("#compare > button") == "Compare" and page.inner_text("#compare > [role=status]") == ""
    assert page.wrong == []


@pytest.mark.parametrize("width, scheme", [(1400, "light"), (1400, "dark"), (1000, "light"), (390, "dark")])
def test_wide_and_narrow_light_and_dark(browser, studio, width, scheme, tmp_path):
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = watched(context.new_page(), studio)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    paper = page.evaluate("getComputedStyle(document.querySelector('.bar')).backgroundColor")
    light = sum(int(x) for x in paper[4:-1].split(",")[:3]) > 380
    assert light == (scheme == "light")
    if width < 760:
        for view in ("model", "controls", "motion"):
            page.click(f".views [data-view={view}]")
            assert page.is_visible(f"main .{view}")
    page.screenshot(path=tmp_path / f"{width}-{scheme}.png")
    page.click("#theme")
    assert page.evaluate("getComputedStyle(document.querySelector('.bar')).backgroundColor") != paper
    assert page.wrong == []
    context.close()
