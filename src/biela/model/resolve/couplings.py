"""Joints between coordinates: gears, racks, and equations of the user's own. Resolved after the coordinates they name.

The coordinates they speak of become part of the equations, as those of drivers and forces do.
"""

from __future__ import annotations

import math

from .. import expression as ex
from .. import items as it
from ..resolved import Direction, Guess, Number, ResolvedCoordinate, ResolvedJoint
from .bearers import tell_shared
from .context import Context
from .coordinates import start_value, target
from .equation import read_equation
from .naming import did_you_mean


def resolve_couplings(ctx: Context) -> tuple[ResolvedJoint, ...]:
    """All the couplings that make sense; what is wrong with the others is reported."""
    found: list[ResolvedJoint | None] = []
    for name, item in ctx.model.joints.items():
        where = f"joints.{name}"
        if isinstance(item, it.Gear):
            found.append(_gear(ctx, name, item, where))
        elif isinstance(item, it.RackAndPinion):
            found.append(_rack(ctx, name, item, where))
        elif isinstance(item, it.UserJoint):
            found.append(_user(ctx, name, item, where))
    return tuple(joint for joint in found if joint is not None)


def _gear(ctx: Context, name: str, item: it.Gear, where: str) -> ResolvedJoint | None:
    angles = [_coordinate(ctx, name, c, f"{where}.coordinates", ("angle",)) for c in item.coordinates]
    ratio = _positive(ctx, name, item.ratio, f"{where}.ratio", "number", "for wheels that turn the same way: internal")
    if item.coordinates[0] == item.coordinates[1]:
        what = f"gear {name!r} couples {item.coordinates[0]!r} with itself"
        ctx.problems.add(what, f"{where}.coordinates", "", "name the angles of two wheels")
        return None
    first, second = angles
    if first is None or second is None:
        return None
    one = ctx.scalars.exact(1.0)
    _meshes(ctx, f"the wheels of gear {name!r}", first, second)
    return ResolvedJoint(name, "gear", terms=((first.name, -ratio if item.internal else ratio), (second.name, one)))


def _rack(ctx: Context, name: str, item: it.RackAndPinion, where: str) -> ResolvedJoint | None:
    pinion = _coordinate(ctx, name, item.pinion, f"{where}.pinion", ("angle",))
    rack = _coordinate(ctx, name, item.rack, f"{where}.rack", ("position", "distance"))
    cure = "to turn the other way, measure the rack along its line the other way"
    radius = _positive(ctx, name, item.radius, f"{where}.radius", "length", cure)
    if pinion is None or rack is None:
        return None
    one = ctx.scalars.exact(1.0)
    _meshes(ctx, f"wheel and rack of {name!r}", pinion, rack)
    return ResolvedJoint(name, "rack-and-pinion", terms=((rack.name, one), (pinion.name, -radius)))


def _meshes(ctx: Context, what: str, *coordinates: ResolvedCoordinate) -> None:
    """Which teeth meet is as drawn."""
    vectors = [line.vector for c in coordinates for line in c.lines]
    bodies = [v.body if isinstance(v, Direction) else v.start.body for v in vectors]
    bodies += [place.body for c in coordinates for place in c.places]
    moving = tuple(dict.fromkeys(b for b in bodies if b in ctx.bodies))
    ctx.guesses.append(Guess(f"{what} mesh as drawn", moving))


def _coordinate(ctx: Context, name: str, text: str, where: str, types: tuple[str, ...]) -> ResolvedCoordinate | None:
    """A relative coordinate of one of these types, which the equations now need."""
    found = target(ctx, text, where, "coupled")
    if found is None:
        return None
    wanted = " or ".join(types)
    if not isinstance(found, ResolvedCoordinate):
        cure = f"declare a coordinate of type {' or '.join(map(repr, types))}, and couple that"
        ctx.problems.add(f"joint {name!r} cannot couple a point's coordinate", where, repr(text), cure)
        return None
    if found.type not in types:
        what = f"joint {name!r} needs {'an' if wanted[0] == 'a' else 'a'} {wanted} here"
        gears = "; a rack-and-pinion couples an angle with a position" if types == ("angle",) else ""
        why = f"{text!r} is {'an' if found.type[0] == 'a' else 'a'} {found.type}"
        ctx.problems.add(what, where, why, f"name a coordinate of type {wanted}{gears}")
        return None
    ctx.acted_on.add(found.name)
    return found


def _positive(ctx: Context, name: str, given: float | str, where: str, kind: str, otherwise: str) -> Number:
    key = where.rsplit(".", 1)[-1]
    number = ctx.scalars.read(given, where, kind)
    if ctx.scalars.value(number) <= 0:
        why = f"{ctx.scalars.value(number):g}"
        ctx.problems.add(f"the {key} of joint {name!r} is not positive", where, why, f"give {key} > 0; {otherwise}")
    return number


# ------------------------------------------------------------------------------------ the user's equation
def _user(ctx: Context, name: str, item: it.UserJoint, where: str) -> ResolvedJoint | None:
    where = f"{where}.equation"
    node = read_equation(ctx, name, item.equation, where)
    if node is None:
        return None
    start: dict[str, float] = {"t": 0.0}
    moving = False
    spoken_of = sorted(ex.names(node) - {"t", *ctx.scalars.parameters})
    if not all([_exists(ctx, text, item.equation, where) for text in spoken_of]):
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
        ctx.problems.add(what, where, f"nothing in {item.equation!r} can move", cure)
        return None
    if not ctx.scalars.symbolic:
        _check_start(ctx, name, node, item.equation, where, start)
    return ResolvedJoint(name, "user", equation=node)


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
        ctx.problems.add(what, where, f"{text!r}: {why}", "mend the equation, or start elsewhere")
