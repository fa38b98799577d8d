"""A real browser for tests of pages: Debian's Chromium (or another that is there), driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import pytest

PATIENCE = 300_000
"""milliseconds: a guard against waiting for ever, not a measure; a busy machine takes its time"""
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def executable() -> str:
    """Where the browser is; the test is skipped where there is none."""
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is on the path (apt-get install chromium)")
    return found


@contextmanager
def launched() -> Iterator[Any]:
    """A headless browser. Only one at a time: Playwright refuses a second driver in a thread that has one.

    Tests take the fixture `browser` of conftest.py, which is one for all of them, whatever their order.
    """
    path = executable()
    from playwright.sync_api import sync_playwright

    root = hasattr(os, "geteuid") and os.geteuid() == 0
    sandbox = ["--no-sandbox"] if root else []  # Chromium has none for root
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=path, args=sandbox, timeout=PATIENCE)
        try:
            yield made
        finally:
            made.close()


def window(browser: Any, **options: Any) -> Any:
    """A context of its own (cookies, size, network) that waits patiently."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    return context


def until(page: Any, expression: str, seconds: float = 300.0) -> None:
    """Wait until something is true on a page. (Playwright's own way evaluates text, which pages may forbid.)"""
    end = monotonic() + seconds
    while not page.evaluate(expression):
        assert monotonic() < end, f"never true: {expression}"
        page.wait_for_timeout(25)


class Tab:
    """A page with the network off, that remembers what it complained of and asked for."""

    def __init__(self, browser: Any, width: int = 1200, height: int = 800, scheme: str = "light", **options: Any):
        viewport = {"width": width, "height": height}
        self.context = window(browser, viewport=viewport, color_scheme=scheme, offline=True, **options)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda m: self.complaints.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda e: self.complaints.append(str(e)))
        self.page.on("request", lambda r: self.requests.append(r.url))

    def open(self, uri: str) -> Any:
        self.page.goto(uri)
        return self.page

    def close(self) -> None:
        self.context.close()
