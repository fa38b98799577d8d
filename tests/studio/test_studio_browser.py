"""The studio in a real browser: load, choose, turn, drag, type, break, mend."""

import tomllib
from time import sleep

import pytest

from browser import window
from studio_pages import choose, pictures, quiet, text_of, type_over, until, watched

SELECTED = "bielaStudio.editor.text.slice(bielaStudio.editor.area.selectionStart)"


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


@pytest.mark.parametrize("width, scheme", [(1400, "light"), (1400, "dark"), (1000, "light"), (390, "dark")])
def test_wide_and_narrow_light_and_dark(browser, studio, width, scheme, tmp_path):
    context = window(browser, viewport={"width": width, "height": 800}, color_scheme=scheme)
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
