"""`biela freebody`: bodies by themselves, with all that acts on them, at one instant."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...errors import MethodError, Problem
from .. import options as o
from ..guard import INTERRUPTED, STOPPED, emit, guarded
from ..reading import number, read_model
from ..request import Request, asks_for_a_run
from ..writing import PICTURES, can_write

if TYPE_CHECKING:
    from ...model.model import Model
    from ...results.reactions.free_body import FreeBody

Body = Annotated[
    list[str] | None,
    typer.Option("--body", metavar="B", help="The body, or ground; repeatable. By default all bodies."),
]
Time = Annotated[str | None, typer.Option("--time", metavar="T", help="When; by default at the start, without a run.")]
About = Annotated[
    str | None,
    typer.Option("--about", metavar="P", help="Moments also about a point: P, body@x,y, ground@x,y, a body, origin."),
]
Picture = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", metavar="FILE.png", rich_help_panel=o.OUTPUT,
        help="Draw it (.png, .svg, .pdf); of several bodies, each into FILE-BODY.png.",
    ),
]  # fmt: skip


@guarded
@asks_for_a_run("duration", "samples")
def freebody(
    name: o.Name,
    request: Request,
    body: Body = None,
    time: Time = None,
    about: About = None,
    output: Picture = None,
    set_: o.Set = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Show all the forces and moments on a body, its inertia, and their sum, which vanishes.

    At the start, or at a time to which the mechanism is simulated. Forces in N, in the axes of the ground; moments in
    N m, about the point where the force acts, about the centre of mass G, and about any point (--about). Of the
    ground: the load on it, and what must hold it.
    """
    when = number("--time", time, "time")
    if when is not None and when < 0:
        raise MethodError(Problem(f"--time {time} is before the start", cure="give a time from 0 on"))
    request = replace(request, duration=None if not when else repr(when), samples=200)
    if output is not None:
        can_write(output, PICTURES)
    model = read_model(name, set_)
    bodies, end = _taken(model, request, body, when, about, quiet or as_json)
    written = [] if output is None else _draw(bodies, output)
    if as_json:
        emit({"model": model.name, "t": bodies[0].t if bodies else None, "bodies": [b.data() for b in bodies]})
    elif not quiet:
        print("\n\n".join(b.text() for b in bodies))
        for path in written:
            print(f"wrote {path}")
    if end is not None:
        raise typer.Exit(end)


def _taken(
    model: Model, request: Request, names: list[str] | None, when: float | None, about: str | None, quiet: bool
) -> tuple[list[FreeBody], int | None]:
    """The bodies, and how the command ends if the run did not get there."""
    from ...results.reactions.free_body import free_bodies

    if not when:
        from ...analysis.assembly.assemble import assemble
        from ...analysis.simulate.simulate import coordinates_for
        from ...results.motion import Motion

        system = assemble(model, coordinates_for(model, request.coordinates, request.formulation))
        still: Any = Motion.at_start(system)
        start = Motion(system, still.t, still.q, system.v0[None].copy(), still.a, still.lam, None)
        return free_bodies(start, names or list(system.resolved.bodies), 0.0, solve=True, about=about), None
    result = request.simulate(model, quiet)
    chosen = names or list(result.system.resolved.bodies)
    if result.ok:
        return free_bodies(result, chosen, when, about=about), None
    typer.echo(result.explain(), err=True)
    end = INTERRUPTED if result.status.name == "interrupted" else STOPPED
    return free_bodies(result, chosen, float(result.t[-1]), about=about), end


def _draw(bodies: list[FreeBody], output: Path) -> list[Path]:
    paths = [output] if len(bodies) == 1 else [output.with_stem(f"{output.stem}-{b.body}") for b in bodies]
    for body, path in zip(bodies, paths, strict=True):
        body.plot(path)
    return paths
