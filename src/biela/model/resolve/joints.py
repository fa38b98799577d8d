"""Joints: what each type holds together, as places, lines and a value."""

from __future__ import annotations

from .. import items as it
from ..resolved import GROUND, Direction, ResolvedJoint, ResolvedLine
from .bearers import borne, borne_pair
from .context import Context
from .lines import bodies_of, line, place, places


def resolve_joints(ctx: Context) -> tuple[ResolvedJoint, ...]:
    """The joints of bodies that make sense; what is wrong with the others is reported.

    Those that couple coordinates come later: see `couplings`.
    """
    table = {
        it.Revolute: _revolute,
        it.PointOnLine: _point_on_line,
        it.Prismatic: _prismatic,
        it.Fixed: _fixed,
        it.Distance: _distance,
        it.Angle: _angle,
    }
    found = {
        name: table[type(item)](ctx, name, item, f"joints.{name}")
        for name, item in ctx.model.joints.items()
        if type(item) in table
    }
    ctx.refused |= {name for name, joint in found.items() if joint is None}
    return tuple(joint for joint in found.values() if joint is not None)


def _revolute(ctx: Context, name: str, item: it.Revolute, where: str) -> ResolvedJoint | None:
    pair = places(ctx, item.points, f"{where}.points", f"joint {name!r}")
    return ResolvedJoint(name, "revolute", places=pair) if pair else None


def _distance(ctx: Context, name: str, item: it.Distance, where: str) -> ResolvedJoint | None:
    pair = borne_pair(ctx, item.points, where, f"joint {name!r}", item.on)
    length = None if item.length is None else ctx.scalars.read(item.length, f"{where}.length", "length")
    if length is not None and ctx.scalars.value(length) <= 0:
        what = f"joint {name!r} keeps a distance of {ctx.scalars.value(length):g} m"
        cure = "give a positive length; for points that stay together use a revolute joint"
        ctx.problems.add(what, f"{where}.length", "two points at no distance have no direction between them", cure)
    return ResolvedJoint(name, "distance", places=pair, value=length) if pair else None


def _point_on_line(ctx: Context, name: str, item: it.PointOnLine, where: str) -> ResolvedJoint | None:
    point = borne(ctx, item.point, where, f"the guide {name!r}", item.on)
    slot = line(ctx, item.line, f"{where}.line", needs_start=True, may_stretch=True)
    if point is None or slot is None:
        return None
    shared = bodies_of(slot) & set(ctx.rigid_owners(item.point))
    ends = item.line if isinstance(item.line, tuple) else ()
    if item.point in ends or (shared and slot.length is not None):
        body = sorted(shared)[0] if shared else "the line itself"
        what = f"joint {name!r}: point {item.point!r} is fixed to its own line"
        why = f"both belong to {body!r}" if shared else f"{item.point!r} is an end of the line"
        ctx.problems.add(what, where, why, "name a point of another body")
        return None
    return ResolvedJoint(name, "point-on-line", places=(point,), lines=(slot,))


def _prismatic(ctx: Context, name: str, item: it.Prismatic, where: str) -> ResolvedJoint | None:
    rail = line(ctx, item.line, f"{where}.line", needs_start=True)
    slider = line(ctx, item.slider, f"{where}.slider", needs_start=True)
    angle = ctx.scalars.read(item.angle, f"{where}.angle", "angle")
    if not _apart(ctx, name, where, rail, slider):
        return None
    assert rail is not None and slider is not None
    return ResolvedJoint(name, "prismatic", lines=(rail, slider), value=angle)


def _angle(ctx: Context, name: str, item: it.Angle, where: str) -> ResolvedJoint | None:
    first, second = (line(ctx, item.lines[k], f"{where}.lines[{k + 1}]") for k in (0, 1))
    value = None if item.angle is None else ctx.scalars.read(item.angle, f"{where}.angle", "angle")
    if not _apart(ctx, name, where, first, second):
        return None
    assert first is not None and second is not None
    return ResolvedJoint(name, "angle", lines=(first, second), value=value)


def _fixed(ctx: Context, name: str, item: it.Fixed, where: str) -> ResolvedJoint | None:
    known = [ctx.body(body, f"{where}.bodies") for body in item.bodies]
    value = None if item.angle is None else ctx.scalars.read(item.angle, f"{where}.angle", "angle")
    if item.bodies[0] == item.bodies[1]:
        what = f"joint {name!r} welds {item.bodies[0]!r} to itself"
        ctx.problems.add(what, f"{where}.bodies", "", "name two different bodies")
        return None
    if not all(known):
        return None
    pair = ()
    if item.points is not None:
        found = [place(ctx, p, f"{where}.points", b) for p, b in zip(item.points, item.bodies)]
        if found[0] is None or found[1] is None:
            return None
        # A point that both bodies share needs no equation.
        pair = () if item.points[0] == item.points[1] else (found[0], found[1])
    elif not any(set(item.bodies) <= set(owners) for owners in ctx.owners.values()):
        what = f"joint {name!r}: {item.bodies[0]!r} and {item.bodies[1]!r} share no point"
        cure = f"add points = [a point of {item.bodies[0]!r}, the point of {item.bodies[1]!r} that meets it]"
        ctx.problems.add(what, where, "nothing says where they are welded", cure)
        return None
    one, zero = ctx.scalars.exact(1.0), ctx.scalars.exact(0.0)
    axes = tuple(ResolvedLine(Direction(body, (one, zero)), one, None) for body in item.bodies)
    return ResolvedJoint(name, "fixed", places=pair, lines=axes, value=value, bodies=item.bodies)


def _apart(ctx: Context, name: str, where: str, a: ResolvedLine | None, b: ResolvedLine | None) -> bool:
    """Whether two lines exist and belong to different bodies."""
    if a is None or b is None:
        return False
    shared = sorted(bodies_of(a) & bodies_of(b))
    if shared:
        what = f"joint {name!r} joins two lines of one body"
        body = "the ground" if shared[0] == GROUND else repr(shared[0])
        ctx.problems.add(what, where, f"both belong to {body}", "name lines of different bodies")
    return not shared
