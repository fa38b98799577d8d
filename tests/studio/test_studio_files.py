"""Files of the studio in a real browser: exports, saved models, reloads."""

import csv
import importlib.util
import io
import json
import tempfile
import tomllib
from xml.etree import ElementTree

import pytest
from PIL import Image

from browser import window
from studio_pages import quiet, ready, text_of, type_over, until, watched


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
        with page.expect_download(timeout=300_000) as found:
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
    context = window(browser, offline=True)
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
