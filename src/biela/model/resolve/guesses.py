"""Dimensions of a model of the plane that nobody gave a number: they are as the points are drawn.

They are told where the mechanism does not fit together as it is drawn; see `biela.analysis.assembly.drawing`.
"""

from __future__ import annotations

from .. import items as it
from ..resolved import Guess, ResolvedJoint
from .context import Context
from .lines import bodies_of


def find_guesses(ctx: Context, joints: tuple[ResolvedJoint, ...]) -> None:
    """Fill the context's guesses: lengths of bars and distances, shapes of bodies, angles."""
    for name, item in ctx.model.bodies.items():
        if isinstance(item, it.Bar | it.Rod) and item.length is None:
            length = ctx.scalars.value(ctx.bodies[name].points[item.points[-1]][0])
            ctx.guesses.append(Guess(f"the length of {item.type} {name!r} is that drawn, {length:.4g} m", (name,)))
        elif isinstance(item, it.Body) and isinstance(item.points, list) and len(item.points) > 1:
            ctx.guesses.append(Guess(f"the shape of body {name!r} is that of its points as drawn", (name,)))
    for joint in joints:
        if joint.value is None and joint.type in ("distance", "angle", "fixed"):
            bodies = {place.body for place in joint.places} | {b for line in joint.lines for b in bodies_of(line)}
            moving = tuple(b for b in ctx.bodies if b in bodies)
            what = "length" if joint.type == "distance" else "angle"
            ctx.guesses.append(Guess(f"the {what} of joint {joint.name!r} is that drawn", moving))
