"""`biela newton`: watch Newton-Raphson put a mechanism together, or move it to another position."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from .. import options as o
from ..files import PICTURES, can_write
from ..options import OUTPUT, option, switch
from ..output import STOPPED, finish
from ..reading import assignment, opened, read_model


def newton(
    name: o.Name,
    coordinate: o.Coordinate = None,
    start: o.From = None,
    stop: o.To = None,
    guess: Annotated[list[str] | None, option("NAME=VALUE", "Start a coordinate elsewhere; repeatable.")] = None,
    whole: Annotated[bool, switch("--whole-steps", "No line search: full Newton steps.")] = False,
    iterations: Annotated[int, option("N", "Largest number of iterations.")] = 50,
    iterates: Annotated[bool, switch("--iterates", "Show the coordinates at every iterate, too.")] = False,
    coordinates: o.Coordinates = None,
    open_: o.Open = None,
    set_: o.Set = None,
    plot: Annotated[Path | None, option("FILE.png", "|Phi| and the iterates.", panel=OUTPUT)] = None,
    as_json: o.Json = False,
) -> None:
    """Iterates, |Phi| and rate of convergence of Newton-Raphson: the assembly from the drawing, or with a coordinate a
    finite displacement to the value --to."""
    pictures = can_write(plot, PICTURES)
    from ...analysis.assembly.newton import newton as iterate

    model = opened(read_model(name, set_), open_, coordinates)
    guesses = dict(assignment("--guess", text, "--guess B.y=0.3") for text in guess or ())
    trace = iterate(model, coordinate, start, stop, guesses, coordinates, not whole, iterations)
    for path in pictures:
        trace.plot(path)
    data = {
        "model": trace.system.name, "coordinates": trace.system.coordinates, "t": trace.t,
        "converged": trace.converged, "iterations": trace.iterations, "verdict": trace.verdict,
        "order": trace.order, "Phi": trace.Phi, "steps": [i.step for i in trace.iterates],
        "names": trace.system.q_names, "q": trace.q,
    }  # fmt: skip
    lines = [trace.report()]
    width = max(map(len, trace.system.q_names), default=0)
    for k, q in enumerate(trace.q if iterates else ()):
        lines.append(f"k = {k}")
        lines += [f"  {n.ljust(width)}  {x: .15g}" for n, x in zip(trace.system.q_names, q, strict=True)]
    finish("\n".join(lines), data, pictures, as_json, code=0 if trace.converged else STOPPED)
