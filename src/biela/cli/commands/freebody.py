"""`biela freebody`: bodies by themselves, with all that acts on them, at one instant."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import options as o
from ..files import PICTURES, can_write
from ..options import OUTPUT, option
from ..output import exit_code, finish
from ..reading import instant, read_model
from ..request import Request, with_run_options

if TYPE_CHECKING:
    from ...model.model import Model
    from ...results.motion import Motion

PICTURE = "Draw it (.png, .svg, .pdf); of several bodies, each into FILE-BODY.png."


@with_run_options("duration", "samples")
def freebody(
    name: o.Name,
    request: Request,
    body: Annotated[list[str] | None, option("B", "The body, or ground; repeatable. By default all bodies.")] = None,
    time: Annotated[str | None, option("T", "When; by default at the start, without a run.")] = None,
    about: Annotated[
        str | None, option("P", "Moments also about a point: P, body@x,y, ground@x,y, a body, origin.")
    ] = None,
    output: Annotated[Path | None, option("FILE.png", PICTURE, "-o", "--output", panel=OUTPUT)] = None,
    set_: o.Set = None,
    as_json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Show all the forces and moments on a body, its inertia, and their sum, which vanishes.

    At the start, or at a time to which the mechanism is simulated. Forces in N, in the axes of the ground; moments in
    N m, about the point where the force acts, about the centre of mass G, and about any point (--about). Of the
    ground: the load on it, and what must hold it.
    """
    t = instant("--time", time)
    can_write(output, PICTURES)
    model = read_model(name, set_)
    code = 0
    if t:
        motion = replace(request, duration=repr(t), samples=200).simulate(model, quiet or as_json)
        code = exit_code(motion)
        if code:
            typer.echo(motion.explain(), err=True)
            t = float(motion.t[-1])
    else:
        motion, t = _start(model, request), 0.0
    from ...results.reactions.free_body import free_bodies

    bodies = free_bodies(motion, body or list(motion.system.resolved.bodies), t, solve=t == 0.0, about=about)
    written = []
    if output is not None:
        written = [output] if len(bodies) == 1 else [output.with_stem(f"{output.stem}-{b.body}") for b in bodies]
    for one, path in zip(bodies, written, strict=False):
        one.plot(path)
    data = {"model": model.name, "t": bodies[0].t if bodies else None, "bodies": [b.data() for b in bodies]}
    finish(lambda: print("\n\n".join(b.text() for b in bodies)), data, written, as_json, quiet, code)


def _start(model: Model, request: Request) -> Motion:
    """The mechanism where it starts, with its velocities."""
    from ...analysis.assembly.assemble import assemble
    from ...analysis.simulate.simulate import coordinates_for
    from ...results.motion import Motion

    system = assemble(model, coordinates_for(model, request.coordinates, request.formulation))
    still = Motion.at_start(system)
    return Motion(system, still.t, still.q, system.v0[None].copy(), still.a, still.lam, None)
