"""The equation of a user's joint: the coordinates it speaks of become part of the equations, as those of drivers do."""

from __future__ import annotations

import math

from .. import expression as ex
from ..resolved import ResolvedCoordinate
from .bearers import tell_shared
from .context import Context
from .coordinates import start_value, target
from .equation import read_equation
from .naming import did_you_mean


def user_equation(ctx: Context, name: str, equation: str, where: str) -> ex.Node | None:
    """What must vanish, of names that exist and can move, with a value where the mechanism starts."""
    node = read_equation(ctx, name, equation, where)
    if node is None:
        return None
    start: dict[str, float] = {"t": 0.0}
    moving = False
    spoken_of = sorted(ex.names(node) - {"t", *ctx.scalars.parameters})
    if not all([_exists(ctx, text, equation, where) for text in spoken_of]):
        return None
    for text in spoken_of:
        point, _, axis = text.rpartition(".")
        if point in ctx.ground and axis in tuple(ctx.axes):
            ctx.used.add(point)
            start[text] = ctx.scalars.value(ctx.ground[point][ctx.axes.index(axis)])
            continue
        if text in ctx.directed:
            moving, start[text] = True, ctx.scalars.value(ctx.directed[text])
            continue
        found = target(ctx, text, where, "used in an equation")
        if found is None:
            return None
        moving = True
        if isinstance(found, ResolvedCoordinate):
            ctx.acted_on.add(found.name)
            value = start_value(ctx, found)
        else:
            value = ctx.position(point)[found[1]]
            if point in ctx.shared:
                tell_shared(ctx, point, f"joint {name!r}", where)
        start[text] = math.nan if value is None else ctx.scalars.value(value)
    if not moving:
        what = f"joint {name!r} holds nothing"
        cure = "name what it ties together: coordinates, or points as in 'P.x'"
        ctx.problems.add(what, where, f"nothing in {equation!r} can move", cure)
        return None
    if not ctx.scalars.symbolic:
        _check_start(ctx, name, node, equation, where, start)
    return node


def _exists(ctx: Context, text: str, equation: str, where: str) -> bool:
    """Whether a name in an equation is one; else it is reported."""
    owner, _, part = text.rpartition(".")
    if text in ctx.coordinates or text in ctx.directed or (owner in ctx.owners and part in tuple(ctx.axes)):
        return True
    if owner in ctx.bodies and part == "angle" and not ctx.in_space:
        return True
    if text not in ctx.model.coordinates and owner not in ctx.refused:  # those have been reported already
        known = [*ctx.coordinates, *(f"{p}.{axis}" for p in ctx.owners for axis in ctx.axes), *ctx.directed]
        if not ctx.in_space:
            known += [f"{name}.angle" for name, body in ctx.bodies.items() if not body.particle]
        cure = did_you_mean(text, [*known, *ctx.scalars.parameters, "t"], "names")
        ctx.problems.add(f"there is no {text!r}", where, f"in {equation!r}", cure)
    return False


def _check_start(ctx: Context, name: str, node: ex.Node, text: str, where: str, start: dict[str, float]) -> None:
    """An equation without a value where the mechanism starts could not be met there."""
    if any(math.isnan(value) for value in start.values()):
        return  # reported, or not known before the mechanism is assembled
    try:
        value = ex.evaluate(node, start)
        why = f"it gives {value}"
    except (ex.ExpressionError, ArithmeticError, ValueError, TypeError) as error:
        value, why = math.nan, str(error)
    if not math.isfinite(value):
        what = f"the equation of joint {name!r} has no value where the mechanism starts"
        ctx.problems.add(what, where, f"{text!r}: {why}", "correct the equation, or start elsewhere")
