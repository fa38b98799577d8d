"""`biela compare`: the same motion by several methods."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from . import options as o
from .guard import INTERRUPTED, STOPPED, emit, guarded
from .reading import number, read_model
from .writing import PICTURES, can_write

Steps = Annotated[
    list[str] | None, typer.Option("--step", metavar="TIME", help="A step, such as 1e-3; repeatable.")
]
Pairs = Annotated[
    list[str] | None,
    typer.Option("--pair", metavar="F+I", help="formulation+integrator, as in penalty+trapezoidal; repeatable."),
]
Reference = Annotated[
    str, typer.Option("--reference", metavar="PAIR", help="What positions are compared with: auto, none, or a pair.")
]
Table = Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE.csv", help="Write the table.")]
Picture = Annotated[Path | None, typer.Option("--plot", metavar="FILE.png", help="Plot error against time spent.")]


@guarded
def compare(
    name: o.Name,
    step: Steps = None,
    pair: Pairs = None,
    duration: o.Duration = None,
    reference: Reference = "auto",
    set_: o.Set = None,
    output: Table = None,
    plot: Picture = None,
    as_json: o.Json = False,
) -> None:
    """Compare methods: time, evaluations, energy error, position error (table 1 of text 000).

    Each run is made three times, machine code being compiled beforehand, and the best time is shown.
    """
    steps = [value for value in (number("--step", text, "time") for text in step or ()) if value is not None]
    length = number("--duration", duration, "time")
    if output is not None:
        can_write(output, (".csv",))
    if plot is not None:
        can_write(plot, PICTURES)
    model = read_model(name, set_)
    from ..analysis.compare import compare as compare_methods

    tell = _teller()
    try:
        comparison = compare_methods(model, pair, steps, length, reference, tell)
    finally:
        if tell is not None:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
    if output is not None:
        comparison.to_csv(output)
    if plot is not None:
        from ..views.comparison import plot_comparison

        plot_comparison(comparison, plot)
    if as_json:
        emit(comparison.data())
    else:
        print(comparison.text())
    if not comparison.ok:
        raise typer.Exit(INTERRUPTED if comparison.interrupted else STOPPED)


def _teller():
    """Says what is going on, in one line that overwrites itself, if somebody is looking."""
    if not sys.stderr.isatty():
        return None

    def tell(text: str) -> None:
        print(f"\r\033[K{text} ...", end="", file=sys.stderr, flush=True)

    return tell
