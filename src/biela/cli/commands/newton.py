"""`biela newton`: watch Newton-Raphson put a mechanism together, or move it to another position."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...errors import MethodError, Problem
from .. import options as o
from ..guard import STOPPED, emit, guarded
from ..reading import opened, read_model
from ..writing import PICTURES, can_write
from .kinematics import Coordinate, From, To

Guess = Annotated[
    list[str] | None,
    typer.Option("--guess", metavar="NAME=VALUE", help="Start a coordinate elsewhere; repeatable."),
]
Whole = Annotated[bool, typer.Option("--whole-steps", help="No line search: full Newton steps.")]
Iterations = Annotated[int, typer.Option("--iterations", metavar="N", help="Largest number of iterations.")]
Iterates = Annotated[bool, typer.Option("--iterates", help="Show the coordinates at every iterate, too.")]
Picture = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE.png", help="|Phi| and the iterates.", rich_help_panel=o.OUTPUT)
]


@guarded
def newton(
    name: o.Name,
    coordinate: Coordinate = None,
    start: From = None,
    stop: To = None,
    guess: Guess = None,
    whole: Whole = False,
    iterations: Iterations = 50,
    iterates: Iterates = False,
    coordinates: o.Coordinates = None,
    open_: o.Open = None,
    set_: o.Set = None,
    plot: Picture = None,
    as_json: o.Json = False,
) -> None:
    """Iterates, |Phi| and rate of convergence of Newton-Raphson: the assembly from the drawing, or with a coordinate a
    finite displacement to the value --to."""
    if plot is not None:
        can_write(plot, PICTURES)
    from ...analysis.assembly.newton import newton as watch

    model, guesses = opened(read_model(name, set_), open_, coordinates), dict(_guess(text) for text in guess or ())
    trace = watch(model, coordinate, start, stop, guesses, coordinates, not whole, iterations)
    if plot is not None:
        trace.plot(plot)
    if as_json:
        emit({
            "model": trace.system.name, "coordinates": trace.system.coordinates, "t": trace.t,
            "converged": trace.converged, "iterations": trace.iterations, "verdict": trace.verdict,
            "order": trace.order, "Phi": trace.Phi.tolist(), "steps": [i.step for i in trace.iterates],
            "names": trace.system.q_names, "q": trace.q.tolist(),
        })  # fmt: skip
    else:
        print(trace.report())
        if iterates:
            width = max(map(len, trace.system.q_names))
            for k, q in enumerate(trace.q):
                print(f"k = {k}")
                print("\n".join(f"  {n.ljust(width)}  {x: .15g}" for n, x in zip(trace.system.q_names, q, strict=True)))
        if plot is not None:
            print(f"wrote {plot}")
    if not trace.converged:
        raise typer.Exit(STOPPED)


def _guess(text: str) -> tuple[str, str]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name and equals and value):
        cure = "write --guess NAME=VALUE, as in --guess B.y=0.3"
        raise MethodError(Problem(f"--guess {text!r} is not NAME=VALUE", cure=cure))
    return name, value
