"""docs/benchmarks.md, written from benchmarks/results/*.json: `python benchmarks/page.py`; a test compares the two."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

HERE = Path(__file__).resolve().parent
RESULTS, DOCS = HERE / "results", HERE.parent / "docs"
PAGE = DOCS / "benchmarks.md"
TITLES = {
    "double_pendulum": "Double pendulum of 000, 10 s",
    "andrews": "Andrews' squeezer (A03), 0.03 s",
    "heavy_top": "Symmetric top of 002, 2 s",
    "n_four_bar": "N-four-bar (A02)",
}
HEAD = """# Benchmarks

*This page is written by `benchmarks/run` from the files in `benchmarks/results`; a test checks that the two agree.*

    benchmarks/run                  # everything; --quick: about three minutes; --only double_pendulum andrews ...
    benchmarks/profile              # where the time goes

The command makes an environment of its own, installs what PyPI has of the peers (extra `bench`), and runs every program
on the same work. **How it measures.** Each program is a process of its own with one thread; the programs take turns, in
a new order each round, and the number shown is the least CPU time of all rounds. What is timed is the motion alone,
from the initial state to the end: models are built and code is compiled before. Of biela it is the compiled time loop
with entering it; of the others the call of the solver, or the loop a user has to write. Peers have the best settings
that we found; they are listed with them. **Errors** are computed in one way for all, from positions and velocities of
the bodies: position at the end against a reference, energy over 100 samples of the motion, gap of the pins. A ratio
compares at *equal or better* position and energy error, unless it says otherwise. Differences below 1.6 are ties on a
shared machine.

**What favours biela here.** All its pairs in all coordinates (well over a hundred) are tried on the problem itself, and
the quickest of those with small enough errors is compared; a peer has one to three methods, chosen by us beforehand.
The steps of biela (and of casadi's C) lie four (from N = 200 on eight) to an octave where they are coarse, those of the
other peers one to an octave: biela comes closer to the error that is asked for, and some lines hold by that alone.
The position error is that of one point at one time, where it can be small by chance. So a setting of biela counts only
if all the shorter steps down to half of it (tolerances down to a tenth) that were run are good enough, too; of the
peers that is not asked. Read it with the energy error all the same.
"""


def load(name: str) -> dict | None:
    """A saved result."""
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else None


def number(x: float | None, digits: int = 3) -> str:
    """Short."""
    return "–" if x is None else f"{x:.{digits}g}"


def verdicts(lines: list[dict]) -> list[str]:
    """Table of what was to be shown."""
    out = ["| | measured | wanted | what: ratios are how many times faster biela is |", "|---|---:|---:|---|"]
    for x in lines:
        how = "; ".join(x[k] for k in ("biela", "peer", "note") if x.get(k))
        word = "holds" if x["holds"] else "**missed**"
        out.append(f"| {word} | {number(x['value'])} | {x['wanted']} | {x['what']}{f' ({how})' if how else ''} |")
    return out


def front(rows: list[dict], program: str, most: int) -> list[dict]:
    """Rows of a program that none of its own beats in time and position at once."""
    own = sorted((r for r in rows if r["program"] == program), key=lambda r: r["cpu"])
    kept, best = [], float("inf")
    for r in own:
        if r["position"] < 0.7 * best:
            kept.append(r)
            best = r["position"]
    return kept[-most:]


def motion_table(data: dict, most: int = 6) -> list[str]:
    """The front of each program."""
    out = [
        "| program | method | step or tolerance | CPU ms | us per step | position | energy J | gap m |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for program in dict.fromkeys(r["program"] for r in data["rows"]):
        for r in front(data["rows"], program, most):
            out.append(
                f"| {program} | {r['method']} | {r['value']:g} | {number(1e3 * r['cpu'])} | "
                f"{number(r['us_per_step'])} | {r['position']:.1e} | {r['energy']:.1e} | {r['gap']:.1e} |"
            )
    return out


def settings_of(data: dict) -> list[str]:
    """What each peer was given."""
    seen = dict.fromkeys((r["program"], r["method"], r["settings"]) for r in data["rows"] if r["settings"])
    return [f"- {p}, {m}: {s}" for p, m, s in seen]


def text() -> str:
    """The whole page."""
    out = [HEAD]
    motions = [p.stem for p in RESULTS.glob("*.json") if any(p.stem.startswith(k) for k in TITLES)]
    motions.sort(
        key=lambda s: (
            list(TITLES).index(next(k for k in TITLES if s.startswith(k))),
            int(s.split("_")[-1]) if s[-1].isdigit() else 0,
        )
    )
    every: list[dict] = []
    for name in motions:
        every += (load(name) or {})["lines"]
    for name in ("open_chain", "scaling", "auto", "instructions"):
        data = load(name)
        every += data.get("lines", []) if data else []
    if every:
        out += ["## What was to be shown", "", *verdicts(every), ""]
    for name in motions:
        data = load(name)
        assert data is not None
        key = next(k for k in TITLES if name.startswith(k))
        size, duration = data["problem"]["size"], data["problem"]["duration"]
        out += [f"## {TITLES[key]}" + (f", N = {size}, {duration:g} s" if size else ""), ""]
        if data["quick"]:
            out += ["*From a quick run: few rounds and settings.*", ""]
        m, v = data["machine"], data["versions"]
        out += [
            f"{m['processor']}, Python {m['python']}, {m['date']}: "
            + ", ".join(f"{k.rstrip('_')} {x}" for k, x in v.items())
            + ".",
            "",
            f"![error against CPU time](_static/bench_{name}.png)",
            "",
            *motion_table(data),
            "",
            *settings_of(data),
            "",
        ]
        broke: dict[str, int] = {}
        for note in data["notes"]:
            if not note.startswith("biela"):
                who, _, why = note.partition(": at ")
                broke[f"{who}: {why.partition(': ')[2][:90]}"] = (
                    broke.get(f"{who}: {why.partition(': ')[2][:90]}", 0) + 1
                )
        if broke:
            out += [
                "Settings of peers that gave no answer:",
                "",
                *(f"- {k.rstrip()} ({n} settings)" for k, n in broke.items()),
                "",
            ]
    chain = load("open_chain")
    if chain:
        out += ["## Open chain: one forward-dynamics evaluation", ""]
        for kind in (k for k, v in chain.items() if isinstance(v, dict) and "sizes" in v):
            rows = chain[kind]["sizes"]
            names = list(dict.fromkeys(name for r in rows for name in r["us"]))
            out += [
                f"`{kind}`, microseconds"
                + (f"; biela's cost grows as n^{chain[kind]['exponent']:.3f}." if "exponent" in chain[kind] else "."),
                "",
                "| n | " + " | ".join(names) + " | biela / best peer |",
                "|---:" * (len(names) + 2) + "|",
            ]
            for r in rows:
                peers = [u for k, u in r["us"].items() if k != "biela"]
                out.append(
                    f"| {r['n']} | "
                    + " | ".join(number(r["us"].get(k)) for k in names)
                    + f" | {number(r['us']['biela'] / min(peers)) if peers else '–'} |"
                )
            out.append("")
    scaling = load("scaling")
    if scaling:
        out += [
            "## Growth with N (A02)",
            "",
            "![cost of a step](_static/bench_scaling.png)",
            "",
            "| method | N | us per step | assembly s | memory MiB | position m | energy J |",
            "|---|---:|---:|---:|---:|---:|---:|",
        ]
        for m in scaling["methods"]:
            for r in m["rows"]:
                if "failed" in r:
                    out.append(f"| {m['name']} | {r['N']} | {r['failed']} | | | | |")
                else:
                    out.append(
                        f"| {m['name']} | {r['N']} | {number(r['us_per_step'])} | {number(r['build_s'])} | "
                        f"{r['MiB']:.0f} | {r['position']:.1e} | {r['energy']:.1e} |"
                    )
        out += ["", *(f"- {m['name']}: N^{number(m['exponent'])} from N = 40 on" for m in scaling["methods"]), ""]
    auto = load("auto")
    if auto:
        out += [
            "## `auto` against the best pair",
            "",
            "| mechanism | auto ms | error m | best pair | ms | error m | auto / best |",
            "|---|---:|---:|---|---:|---:|---:|",
        ]
        for r in auto["rows"]:
            if "failed" in r:
                out.append(f"| {r['name']} | {r['failed']} | | | | | |")
            else:
                out.append(
                    f"| {r['name']} | {number(1e3 * r['auto_s'])} | {r['auto_error']:.1e} | {r['best']} | "
                    f"{number(1e3 * r['best_s']) if 'best_s' in r else '–'} | "
                    f"{format(r['best_error'], '.1e') if 'best_error' in r else '–'} | {number(r['ratio'])} |"
                )
        out.append("")
    counts = load("instructions")
    if counts:
        out += [
            "## Instructions per step",
            "",
            "Counted by callgrind on code for a Haswell (AVX2); start-up taken off.",
            "",
            "| loop | instructions |",
            "|---|---:|",
        ]
        out += [
            f"| {r['loop']} | {number(r.get('instructions_per_step'), 6) if 'failed' not in r else r['failed']} |"
            for r in counts["rows"]
        ]
        if "allocations" in counts:
            found = counts["allocations"]
            text = f"Allocations in {found['steps']} steps of the compiled loop: {found['per_step']:g} per step."
            out += ["", text]
        out.append("")
    start = load("start_up")
    if start:
        s = start["start_up"]
        out += [
            "## Start-up",
            "",
            "| | s |",
            "|---|---:|",
            *(f"| {k.removesuffix('_s').replace('_', ' ')} | {number(v)} |" for k, v in s.items()),
            "",
        ]
    profile = load("profile")
    if profile:
        out += [
            "## Where the time goes",
            "",
            "From `benchmarks/profile`, microseconds; pieces are timed by themselves, so they do not add up exactly.",
            "",
        ]
        for p in profile["profiles"]:
            size = ", ".join(f"{k} = {v}" for k, v in p["parameters"].items())
            entering = number(p["enter begin"] + p["enter march"])
            out += [
                f"**{p['mechanism']}**{' (' + size + ')' if size else ''}, {p['method']}: one step "
                f"{number(p.get('step'))}, one evaluation {number(p.get('evaluate'))}; before the first step: settings "
                f"{number(p['settings'])}, entering compiled code {entering}.",
                "",
            ]
            out += [f"- {k}: {number(v)}" for k, v in sorted(p["pieces"].items(), key=lambda x: -x[1])[:6]] + [""]
    return "\n".join(out).rstrip() + "\n"


def write() -> Path:
    """The page and its pictures."""
    for picture in RESULTS.glob("*.png"):
        shutil.copyfile(picture, DOCS / "_static" / f"bench_{picture.name}")
    PAGE.write_text(text(), encoding="utf-8")
    return PAGE


if __name__ == "__main__":
    print(write())
