"""Dimensions of a model of the plane that nobody gave a number: they are as the points are drawn.

They are told where the mechanism does not fit together as it is drawn; see `biela.analysis.assembly.drawing`.
"""

from __future__ import annotations

from .. import items as it
from ..joints import PLANE
from ..resolved import Guess, ResolvedJoint
from .context import Context


def find_guesses(ctx: Context, joints: tuple[ResolvedJoint, ...]) -> None:
    """Fill the context's guesses: lengths of bars and distances, shapes of bodies, angles."""
    for name, item in ctx.model.bodies.items():
        if isinstance(item, it.Bar | it.Rod) and item.length is None:
            length = ctx.scalars.value(ctx.bodies[name].points[item.points[-1]][0])
            ctx.guesses.append(Guess(f"the length of {item.type} {name!r} is as drawn, {length:.4g} m", (name,)))
        elif isinstance(item, it.Body) and isinstance(item.points, list) and len(item.points) > 1:
            ctx.guesses.append(Guess(f"the shape of body {name!r} is as its points are drawn", (name,)))
    for joint in joints:
        what = PLANE[joint.type].as_drawn
        if joint.value is None and what:
            bodies = {place.body for place in joint.places} | {b for line in joint.lines for b in line.bodies}
            moving = tuple(b for b in ctx.bodies if b in bodies)
            ctx.guesses.append(Guess(f"the {what} of joint {joint.name!r} is as drawn", moving))
