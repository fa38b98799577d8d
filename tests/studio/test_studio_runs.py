"""Runs and comparisons of the studio in a real browser: progress, cancel, failures in words."""

import pytest

from studio_pages import choose, quiet, ready, until


def start_a_long_run(page):
    page.click("#tab-method")
    page.uncheck("#live")
    page.select_option("#set-integrator", "rk4")
    page.fill("#set-step", "1e-5")
    page.fill("#set-duration", "1e4")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+Enter")


def test_a_long_run_shows_its_progress_and_is_cancelled(page):
    quiet(page)
    start_a_long_run(page)
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
    assert "of the previous run" in page.inner_text("#summary") and page.locator("#summary .good").count() == 0
    page.fill("#set-step", "1 ms")
    page.keyboard.press("Tab")
    until(page, "document.getElementById('notice').hidden")
    quiet(page)
    assert "of the previous run" not in page.inner_text("#summary") and page.wrong == []


def test_cancel_ends_what_it_stands_beside(page):
    quiet(page)
    page.evaluate("window.ended = []; bielaStudio.compare.running = { cancel: () => ended.push('comparison') }")
    start_a_long_run(page)
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
        assert any(words in refused for words in ("does not", "cannot be combined")) == wrong, refused
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
    assert "the law 'exp(5*x)' of 'f' has no value" in told and "energy error" in told
    assert page.is_hidden("#notice") and page.wrong == []


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
