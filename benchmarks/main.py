"""biela beside its peers, on the same work, in the same run: `benchmarks/run [--quick] [--only NAME ...] [--rounds N]`.

Prints ratios with errors and what they were to be, writes benchmarks/results/*.json, draws benchmarks/results/*.png and
writes the page docs/benchmarks.md from the files. What is measured, and how, is said on that page.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from importlib import util
from pathlib import Path

from harness import plots, verdict
from harness.programs import installed
from harness.side_by_side import measure

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
# name: sizes, duration; in a quick run the first size
MOTIONS = {
    "double_pendulum": ((0,), 10.0),
    "andrews": ((0,), 0.03),
    "heavy_top": ((0,), 2.0),
    "n_four_bar": ((2, 10, 40, 200, 1000), 10.0),
}
EXTRA = ("scaling", "auto", "instructions", "start_up", "kinematics", "tape")
UNITS = {"andrews": "rad"}


def machine() -> dict:
    """What it ran on: no names of hosts."""
    model = ""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((x.split(":", 1)[1].strip() for x in lines if x.startswith("model name")), "")
    except OSError:
        pass
    return {
        "processor": model or platform.machine(),
        "python": platform.python_version(),
        "system": platform.system(),
        "date": time.strftime("%Y-%m-%d"),
    }


def save(name: str, data: dict) -> None:
    """As JSON, in one piece."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(data, indent=1, allow_nan=True) + "\n")


def show(lines: list[dict]) -> None:
    """Ratios and errors."""
    for x in lines:
        value = "-" if x["value"] is None else f"{x['value']:.3g}"
        print(f"{'holds ' if x['holds'] else 'MISSED'} {value:>8} ({x['wanted']}): {x['what']}")
        for who in ("biela", "peer", "note"):
            if x.get(who):
                print(f"{'':17}{who}: {x[who]}")


def motion(name: str, size: int, duration: float, a: argparse.Namespace) -> list[dict]:
    """One problem at one size."""
    # CPU seconds of a run up to which a method's ladder of steps goes on
    limit = (0.1 if a.quick else 2.0) * (1 if size < 200 else 6 if size < 1000 else 7)
    result = measure(name, size, duration, a.quick, a.rounds, limit, a.peers)
    lines = verdict.n_four_bar(result["rows"], size) if name == "n_four_bar" else getattr(verdict, name)(result["rows"])
    versions, missing = installed()
    label = name + (f"_{size}" if size else "")
    save(
        label,
        {"machine": machine(), "versions": versions, "missing": missing, "quick": a.quick, **result, "lines": lines},
    )
    plots.work_precision(result, RESULTS / f"{label}.png", UNITS.get(name, "m"))
    show(lines)
    return lines


def main() -> None:
    """Everything, or what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    quick = "the motions and the chains, with fewer methods and rounds: about three minutes"
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument(
        "--only",
        nargs="+",
        metavar="NAME",
        help=f"{', '.join(MOTIONS)}, open_chain, {', '.join(EXTRA)}",
    )
    parser.add_argument("--rounds", type=int, help="how often each is measured (5; quick: 2)")
    parser.add_argument("--sizes", nargs="+", type=int, help="of the N-four-bar")
    parser.add_argument("--peers", nargs="+", metavar="ADAPTER", help="biela_ exudyn_ ...: only these programs")
    a = parser.parse_args()
    a.rounds = a.rounds or (2 if a.quick else 5)
    versions, missing = installed()
    print("programs:", ", ".join(f"{k.rstrip('_')} {v}" for k, v in versions.items()))
    for package in missing:
        print(f"not installed here, left out: {package}")
    chosen = a.only or [*MOTIONS, "open_chain", *([] if a.quick else EXTRA)]
    for name in chosen:
        begun = time.time()
        print(f"\n== {name}", flush=True)
        if name in MOTIONS:
            sizes, duration = MOTIONS[name]
            for size in a.sizes or (sizes[:3:2] if a.quick else sizes):
                motion(name, size, duration, a)
        elif util.find_spec(f"extra.{name}"):
            lines = __import__(f"extra.{name}", fromlist=["main"]).main(a.quick)
            data = json.loads((RESULTS / f"{name}.json").read_text())
            save(name, data | {"lines": lines})
            show(lines)
        else:
            print(f"there is no {name}")
        print(f"   ({time.time() - begun:.0f} s)", flush=True)
    from page import write

    print(f"\nwritten: {write()}")


if __name__ == "__main__":
    main()
