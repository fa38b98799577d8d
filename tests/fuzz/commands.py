"""Random command lines and tables: documented exit codes, words instead of tracebacks, no file half written."""

from __future__ import annotations

import os
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from biela import library
from biela.methods.registry import FORMULATIONS, INTEGRATORS
from biela.system.system import COORDINATES
from fuzz.case import Case
from fuzz.finding import Finding, Tally, fault

CODES = (0, 1, 2, 130)
"""docs/cli.md; 70 is a fault of biela itself"""
LEFT_OUT = ("studio", "warm", "doctor", "figure", "report", "animate", "compare")
"""those that serve, compile, or take seconds each"""
WORDS = (
    "0", "-1", "nan", "inf", "1e999", "abc", "", "0.05", "1e-3", "10 ms", "2 kg", "5", "1,2", "P.x", "B.y", "crank",
    "crank.angle", "*", "out.csv", "out.json", "out.xyz", "nowhere/out.csv", "table.csv", "t=1", "m=2", "=", "x=",
    "crank_angle=2*pi*t", "coupler", "__import__('os')", "--", "-q", "π", "1e-9", "1e5", "100", "A", "ground", "true",
)  # fmt: skip
SHORT = {"duration": ("0.05", "10 ms", "nan", "-1", "abc", "0", "1e-12"), "samples": ("1", "20", "0", "-3", "x"),
         "count": ("3", "20", "0", "x"), "step": ("1e-3", "1 ms", "0", "1 kg", "nan", "-1")}  # fmt: skip


def commands() -> dict[str, list[Any]]:
    """Every command of the program, and its options."""
    import typer.main

    from biela.cli.app import app

    group = typer.main.get_command(app)
    return {name: c.params for name, c in group.commands.items() if name not in LEFT_OUT}  # type: ignore[attr-defined]


def draw(kind: str, seed: int) -> Case:
    """A command, some of its options with values that fit or do not, and files in the folder."""
    rng = np.random.default_rng([seed, 19])
    every = commands()
    name = str(rng.choice(list(every)))
    odd = ["model.toml", "model.toml", "table.csv", "no-such", ""]
    model = str(rng.choice(odd if rng.random() < 0.3 else library.names()))
    args = [name] + ([model] if rng.random() < 0.95 else [])
    options = [p for p in every[name] if p.opts[0].startswith("-") and p.name != "help"]
    for p in [options[k] for k in rng.permutation(len(options))[: rng.choice([0, 1, 1, 2, 3])]]:
        args.append(p.opts[0])
        if not getattr(p, "is_flag", False):
            args.append(word_for(str(p.name), rng))
    if (
        name in ("run", "plot", "freebody", "inverse")
        and not any(a == "--duration" for a in args)
        and rng.random() < 0.9
    ):
        args += ["--duration", "0.05"] if any("--duration" in p.opts for p in options) else []
    files = {"table.csv": table(rng, ["crank_angle"]), "model.toml": toml(seed)}
    if rng.random() < 0.4:
        model = str(rng.choice(list(MOVED)))
        args = ["inverse", model, "--motion", "table.csv"]
        files["table.csv"] = table(rng, MOVED[model])
    return Case(kind, seed, {}, {"args": args, "files": files})


def word_for(name: str, rng: np.random.Generator) -> str:
    """A value for an option, which may or may not fit it."""
    names = {"coordinates": COORDINATES, "formulation": FORMULATIONS, "integrator": INTEGRATORS}
    if name in names and rng.random() < 0.8:
        return str(rng.choice(list(names[name])))
    return str(rng.choice(SHORT.get(name, WORDS)))


MOVED = {"four-bar": ["crank_angle"], "slider-crank": ["theta"], "simple-pendulum": ["bar.angle"],
         "puma560": [f"J{k}.angle" for k in range(1, 7)]}  # fmt: skip
"""mechanisms, and coordinates that move all of them"""


def table(rng: np.random.Generator, names: list[str]) -> str:
    """A table of a motion, mostly with a mistake or two."""
    wrong = ["t", "t [s]", "x [kg]", "", "P.x", "crank.angle [deg]"]
    count = int(rng.integers(0, 40))
    header = ["t [s]", *(name if rng.random() < 0.9 else str(rng.choice(wrong)) for name in names)]
    rows = [header] if rng.random() < 0.95 else []
    rows += [
        [f"{0.01 * k:.6g}", *(f"{0.1 * np.sin(0.1 * k + c):.6g}" for c in range(len(names)))] for k in range(count)
    ]
    for row in rows:
        if rng.random() < 0.02:
            row[int(rng.integers(len(row)))] = str(
                rng.choice(["", "nan", "inf", "x", "1e999", "1;2", "-1", '"', "1e300"])
            )
        if rng.random() < 0.01:
            row.pop()
    lines = str(rng.choice(["\n", "\r\n", "\n\n"])).join(",".join(row) for row in rows)
    return lines + str(rng.choice(["", "", "\n", "\x00"]))


def toml(seed: int) -> str:
    """A model file, mostly broken."""
    from fuzz import broken

    return broken.draw("broken models", seed).more["text"]


def examine(case: Case, tally: Tally) -> list[Finding]:
    """In an empty folder, in this process."""
    from typer.testing import CliRunner

    from biela.cli.app import app

    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.chdir(folder)
        try:
            for name, text in case.more["files"].items():
                Path(name).write_text(text, encoding="utf-8", errors="surrogatepass")
            done = CliRunner().invoke(app, case.more["args"])
            left = {p.name for p in Path(folder).rglob("*") if p.is_file()} - set(case.more["files"])
        finally:
            os.chdir(before)
    tally.add("runs")
    tally.sentences[f"exit code {done.exit_code}"] += 1
    tally.counts["refused"] += done.exit_code == 2
    what = " ".join(case.more["args"])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        return [fault(done.exception, what)]
    said = done.stdout + done.stderr
    if done.exit_code not in CODES or "Traceback" in said:
        place = next((line for line in said.splitlines() if "fault of biela" in line), f"exit code {done.exit_code}")
        return [Finding(f"command: {place[:120]}", f"biela {what}\n{said[-1500:]}")]
    if done.exit_code == 2 and left:
        return [Finding("command: refused, but wrote a file", f"biela {what}\nleft {sorted(left)}")]
    if done.exit_code == 2 and not said.strip():
        return [Finding("command: refused without a word", f"biela {what}")]
    return []
