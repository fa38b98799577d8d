"""How fast the studio follows a slider, measured in a real browser: `python benchmarks/studio.py [mechanism ...]`.

A slider of the four-bar is turned, a step at a time. The clock starts with the slider's event and stops in the frame
after the one in which the new motion was drawn: request, simulation, packing, transfer, drawing and painting are all
in it. With it go the parts that the engine and the round trip without simulation take, and how busy the machine was.

Prints a table and writes benchmarks/results/studio.json. Needs Playwright and Chromium.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
TURNS = 60
READY = "!!(window.bielaStudio?.motion?.player && bielaStudio.last && bielaStudio.motion.idle)"
# turn a slider, wait for the picture, and again: [milliseconds, ...]
MEASURE = """async (turns) => {
  const view = bielaStudio.motion, slider = document.querySelector("#sliders input[type=range]"), engine = [];
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  view.timings.length = 0;
  for (let k = 0; k < turns; k++) {
    const had = view.timings.length;
    slider.value = +slider.min + (0.3 + 0.4 * k / turns) * (slider.max - slider.min);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    while (view.timings.length === had) await frame();
    engine.push(1e3 * bielaStudio.last.engine_s);
  }
  return { total: view.timings.slice(0, turns), engine };
}"""


def measure(names: list[str]) -> dict:
    """Milliseconds from slider to screen, per mechanism."""
    from playwright.sync_api import sync_playwright

    from biela.studio.server import open_studio

    browser_path = next(p for n in ("chromium", "chromium-browser", "google-chrome") if (p := shutil.which(n)))
    out = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        studio = open_studio(Path(folder), port=0)
        sandbox = [] if os.geteuid() else ["--no-sandbox"]  # Chromium has none for root
        browser = playwright.chromium.launch(executable_path=browser_path, args=sandbox)
        for name in names:
            studio.first = f"library:{name}"
            page = browser.new_context(viewport={"width": 1400, "height": 860}).new_page()
            page.goto(studio.address)
            while not page.evaluate(READY):
                time.sleep(0.1)
            while any(not w.ready and w.messages.empty() for w in studio.staff.idle):
                time.sleep(0.1)  # a second worker is started in advance, which takes some seconds of a core
            page.evaluate("bielaStudio.motion.player.pause()")
            page.evaluate(MEASURE, 5)
            took = page.evaluate(MEASURE, TURNS)
            out[name] = {part: summary(values) for part, values in took.items()}
            page.context.close()
        version = browser.version
        browser.close()
        studio.close()
    return {"browser": f"Chromium {version}", "turns": TURNS, "milliseconds": out}


def summary(values: list[float]) -> dict:
    values = sorted(values)
    return {"least": values[0], "median": statistics.median(values), "90 %": values[int(0.9 * len(values))],
            "most": values[-1]}  # fmt: skip


def main() -> None:
    """Measure, print, save."""
    before = os.getloadavg()[0]
    results = {"machine": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version()}
    results |= measure(sys.argv[1:] or ["four-bar", "slider-crank", "double-pendulum", "spatial-slider-crank"])
    results["load_average"] = {"before": before, "after": os.getloadavg()[0]}
    results["nice"] = os.nice(0)  # below zero: ahead of whatever else ran
    print(json.dumps(results, indent=2))
    (HERE / "results" / "studio.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
