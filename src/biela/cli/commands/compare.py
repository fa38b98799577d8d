"""`biela compare`: the same motion by several methods."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from .. import options as o
from ..guard import INTERRUPTED, STOPPED, emit, guarded
from ..reading import number, read_model
from ..writing import PICTURES, can_write

Steps = Annotated[
    list[str] | None, typer.Option("--step", metavar="TIME", help="A step, such as 1e-3; repeatable.")
]
Tolerances = Annotated[
    list[str] | None,
    typer.Option("--tolerance", metavar="NUMBER", help="For integrators that control their error; repeatable."),
]
Pairs = Annotated[
    list[str] | None,
    typer.Option(
        "--pair", metavar="METHOD", help="\\[coordinates:]\\[formulation+]integrator, as in penalty+trapezoidal, "
        "relative:projection+rk4 or hht\\[rho=0.8]; repeatable.",
    ),
]  # fmt: skip
Sets = Annotated[
    list[str] | None, typer.Option("--coordinates", metavar="SET", help="All combinations with these; repeatable.")
]
Formulations = Annotated[
    list[str] | None, typer.Option("--formulation", metavar="NAME", help="All combinations with these; repeatable.")
]
Integrators = Annotated[
    list[str] | None, typer.Option("--integrator", metavar="NAME", help="All combinations with these; repeatable.")
]
Reference = Annotated[
    str,
    typer.Option("--reference", metavar="METHOD", help="What positions are compared with: auto, self, none, a method."),
]
Target = Annotated[
    str | None, typer.Option("--target", metavar="LENGTH", help="The position error that the recommendation asks for.")
]
Repeats = Annotated[int, typer.Option("--repeats", metavar="N", help="Runs of each; the fastest one counts.")]
Stability = Annotated[
    bool, typer.Option("--stability", help="Stability of the integrators, and their errors in amplitude and period.")
]
Table = Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE.csv", help="Write the table.")]
Picture = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE.png", help="Plot errors against time and evaluations.")
]


@guarded
def compare(
    name: o.Name,
    step: Steps = None,
    tolerance: Tolerances = None,
    pair: Pairs = None,
    coordinates: Sets = None,
    formulation: Formulations = None,
    integrator: Integrators = None,
    duration: o.Duration = None,
    reference: Reference = "auto",
    target: Target = None,
    repeats: Repeats = 3,
    stability: Stability = False,
    set_: o.Set = None,
    output: Table = None,
    plot: Picture = None,
    as_json: o.Json = False,
) -> None:
    """Compare methods: time, evaluations, energy error, position error, order; and which to take.

    Without methods, those of table 1 of text 000. What fails is a row with its reason. Time is that of computing,
    machine code being compiled beforehand. Ctrl-C keeps the rows that are done.
    """
    steps = [value for value in (number("--step", text, "time") for text in step or ()) if value is not None]
    tolerances = [value for value in (number("--tolerance", text) for text in tolerance or ()) if value is not None]
    length, wanted = number("--duration", duration, "time"), number("--target", target, "length")
    if output is not None:
        can_write(output, (".csv",))
    if plot is not None:
        can_write(plot, PICTURES)
    model = read_model(name, set_)
    from ...analysis.compare.compare import compare as compare_methods

    tell = _teller()
    try:
        comparison = compare_methods(
            model, pair, steps, length, reference, tell, coordinates=coordinates or (), formulations=formulation or (),
            integrators=integrator or (), tolerances=tolerances, target=wanted, repeats=repeats,
        )  # fmt: skip
    finally:
        if tell is not None:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
    if output is not None:
        comparison.to_csv(output)
    if plot is not None and comparison.rows:
        comparison.plot(plot)
    if as_json:
        emit(comparison.data())
    else:
        print(comparison.text() + (f"\n\n{comparison.stability()}" if stability else ""))
    if not comparison.ok:
        raise typer.Exit(INTERRUPTED if comparison.interrupted else STOPPED)


def _teller():
    """Says what is going on, in one line that overwrites itself, if somebody is looking."""
    if not sys.stderr.isatty():
        return None

    def tell(text: str) -> None:
        print(f"\r\033[K{text} ...", end="", file=sys.stderr, flush=True)

    return tell
