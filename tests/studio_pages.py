"""What tests of the studio in a browser do with its page."""

from __future__ import annotations

from time import monotonic, sleep


def watched(page, studio, address=None):
    wrong = page.wrong = []
    page.on("console", lambda m: wrong.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda e: wrong.append(str(e)))
    own = f"http://127.0.0.1:{studio.port}/"
    page.on("request", lambda r: None if r.url.startswith((own, "blob:", "data:")) else wrong.append(r.url))
    page.goto(address or studio.address)
    ready(page)
    return page


def until(page, expression, seconds=300.0):
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


def choose(page, name):
    page.keyboard.press("Control+o")
    page.fill("#filter", name)
    page.keyboard.press("Enter")
    until(page, f"bielaStudio.doc.name === '{name}' && !!bielaStudio.motion.player")
    quiet(page)
