"""How light the player is, in a real browser: `python benchmarks/player.py`.

1. the size of a page: a thousand instants (what 10 s have) of mechanisms of ten bodies, in the plane and in space;
2. new data on the screen: from a result to data (Python), and from data to a picture (`player.update`, browser);
3. one picture, how many there are in a second, and from a move of the time slider to the picture: of the four-bar at
   1e5 instants (as `animate` thins them out for a page of a few MB, and without that limit), of 250 four-bars in
   a row, of a chain of 500 bars in the plane and of one in space, all simulated, and of made-up motions of 500 bodies.

Prints a table and writes benchmarks/results/player.json. Needs Chromium and playwright.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import biela
from biela.views.player import page, scene_data
from biela.views.player.packing import pack

HERE = Path(__file__).resolve().parent
SPENT = """(act, count) => { const all = [];
  for (let k = 0; k < count; k++) { const t = performance.now(); act(k); all.push(performance.now() - t); }
  all.sort((a, b) => a - b); return { least: all[0], median: all[count >> 1] }; }"""
SCRUB = """async () => { const all = [], P = bielaPlayer, slider = document.querySelector(".bp-scrub");
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  for (let k = 0; k < 40; k++) {
    await frame();
    const t = performance.now();
    slider.value = +slider.min + ((k * 17) % 40) / 40 * (slider.max - slider.min);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await frame(); await frame();  // drawn in the first, on the screen with the second
    all.push(performance.now() - t);
  }
  all.sort((a, b) => a - b); return { median: all[20], worst: all[39] }; }"""
RATE = """() => new Promise((done) => { let n = 0;
  const P = bielaPlayer, off = P.on("time", () => n++), t = performance.now();
  P.play(); setTimeout(() => { P.pause(); off(); done(1000 * n / (performance.now() - t)); }, 2000); })"""


def heavy(count: int, bodies: int, dimension: int = 2) -> dict:
    """Bars in a square, each turning at its own rate: as many instants and bodies as wanted."""
    name = "simple-pendulum" if dimension == 2 else "heavy-top"
    data = scene_data(biela.simulate(name, 0.5, samples=10), channels=["energy.total"], vectors=(), trace=())
    t, side = np.linspace(0, 100, count), int(np.ceil(np.sqrt(bodies)))
    turn = np.outer(t, 1 + np.arange(bodies) / bodies)
    poses = np.zeros((count, bodies, 3 if dimension == 2 else 7))
    poses[..., 0], poses[..., 1] = np.arange(bodies) % side, np.arange(bodies) // side
    if dimension == 2:
        poses[..., 2] = turn
    else:
        poses[..., 3], poses[..., 4] = np.cos(turn / 2), np.sin(turn / 2)
    zero = [0.0] * dimension
    wave = {"name": "wave", "unit": "m", "t": pack(t), "y": pack(np.sin(20 * t)), "offset": 0.0}
    data["results"][0] |= {
        "count": count, "frames": [f"b{k}" for k in range(bodies)], "t": pack(t), "poses": pack(poses),
        "signs": [{"type": "point", "at": [k, *zero]} for k in range(bodies)],
        "shapes": [{"type": "bar", "frame": k, "colour": k, "corners": [zero, [0.4, 0.3, 0.2][:dimension]]}
                   for k in range(bodies)],
        "points": [{"name": "tip", "at": [0, *zero]}], "traces": [{"name": "tip", "at": [0, *zero]}],
        "channels": {"t": "", "items": [wave]},
    }  # fmt: skip
    low, high = [-1.0] * dimension, [float(side)] * 2 + [1.0] * (dimension - 2)
    return data | {"duration": [0, 100], "box": [low, high], "link": 0.4, "shown": ["wave"]}


def sizes() -> dict[str, float]:
    out = {}
    for name in ("chain", "spatial-chain"):
        r = biela.simulate(name, 2.0)  # 10 s have as many instants
        label = f"{name}, {len(r.system.resolved.bodies)} bodies, {len(r.t)} instants"
        out[label] = len(r.animate().html().encode()) / 1e6
    return out


def data_times() -> dict[str, float]:
    """From a result to data, as a studio would ask for it."""
    model = biela.load("four-bar")
    out: dict[str, float] = {}
    for samples in (200, 1000):
        r = biela.simulate(model, 2.0, samples=samples)
        spent = []
        for _ in range(15):
            start = time.perf_counter()
            json.dumps(scene_data(r, channels=["P.x", "P.y", "energy.*"], vectors=["velocity"]))
            spent.append(1e3 * (time.perf_counter() - start))
        out[f"four-bar, {samples} samples"] = statistics.median(spent)
    return out


def simulated() -> tuple[dict[str, dict], dict[str, float]]:
    """Real motions that are long or large, as data; and the seconds that making the data took."""
    long = biela.simulate("four-bar", 10.0, samples=100_000)
    rows = biela.simulate(biela.load("n-four-bar").with_parameters(N=249), 0.5, samples=200)
    chain = biela.simulate(biela.load("chain").with_parameters(n=500), 0.5, samples=400)
    space = biela.simulate(biela.load("spatial-chain").with_parameters(n=500), 0.2, samples=200)
    motions: dict[str, tuple[Any, dict]] = {
        "four-bar, 1e5 instants": (long, {}),
        "four-bar, 1e5 instants, no limit on size": (long, {"most": 100_000, "size": 10**9, "vectors": (),
                                                    "channels": ["P.x", "P.y", "energy.*"]}),
        "n-four-bar, 499 bodies": (rows, {}),
        "chain, 500 bodies": (chain, {}),
        "spatial-chain, 500 bodies": (space, {}),
    }  # fmt: skip
    data, seconds = {}, {}
    for name in ("four-bar", "spatial-chain"):
        scene_data(biela.simulate(name, 0.1))  # modules and machine code are loaded once
    for name, (motion, options) in motions.items():
        start = time.perf_counter()
        data[name] = scene_data(motion, **options)
        seconds[name] = time.perf_counter() - start
    return data, seconds


def in_browser(real: dict[str, dict]) -> dict[str, dict[str, Any]]:
    from playwright.sync_api import sync_playwright

    quick = scene_data(biela.simulate("four-bar", 2.0, samples=200), channels=["P.x", "energy.*"], vectors=["velocity"])
    jobs = {
        "four-bar": quick,
        **real,
        "1e5 instants": heavy(100_000, 3),
        "500 bodies, plane": heavy(400, 500),
        "500 bodies, space": heavy(400, 500, 3),
    }
    out: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, data in jobs.items():
            tab = browser.new_page(viewport={"width": 1280, "height": 800})
            path = Path(folder) / "page.html"
            path.write_text(page(data, {"autoplay": False}), encoding="utf-8")
            tab.goto(path.as_uri())
            draw = "(k) => { bielaPlayer.time = bielaPlayer.start + k / 40 * (bielaPlayer.end - bielaPlayer.start); "
            out[name] = {"draw_ms": tab.evaluate(f"({SPENT})({draw} bielaPlayer.draw(); }}, 40)")}
            out[name]["update_ms"] = tab.evaluate(f"({SPENT})(() => bielaPlayer.update(bielaPlayer.data), 20)")
            out[name]["pictures_per_second"] = tab.evaluate(RATE)
            out[name]["scrub_ms"] = tab.evaluate(SCRUB)
            out[name]["instants"] = data["results"][0]["count"]
            out[name]["page_MB"] = path.stat().st_size / 1e6
            tab.close()
        browser.close()
    return out


def main() -> None:
    real, seconds = simulated()
    record = {
        "machine": platform.machine(), "python": platform.python_version(), "load": os.getloadavg()[0],
        "cores": os.cpu_count(), "data_s": seconds, "browser": in_browser(real), "data_ms": data_times(),
        "page_MB": sizes(),
    }  # fmt: skip
    for part in ("page_MB", "data_ms", "data_s", "browser"):
        print(part)
        for name, value in record[part].items():
            print(f"  {name:34}", value if isinstance(value, dict) else f"{value:.2f}")
    (HERE / "results" / "player.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
