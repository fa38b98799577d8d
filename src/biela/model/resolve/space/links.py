"""Joints between points: a rod with balls or a hinge at its ends, and a point on the line of two others."""

from __future__ import annotations

import math

from ... import space_joints as sj
from ...resolved import Number, ResolvedJoint, Vec
from ..bearers import borne, borne_pair
from ..lines import place
from ..naming import listed
from . import vectors as v
from .context import SpaceContext
from .ends import Ends, ends
from .frames import Frames, along, axes, parallel


def distance(ctx: SpaceContext, name: str, item: sj.SpaceDistance | sj.SphericalSpherical) -> ResolvedJoint | None:
    """Two points at a distance; between `points`, or between the places of the two bodies."""
    where = f"joints.{name}"
    if item.points is not None:
        if item.bodies is not None or item.at is not None:
            what = f"joint {name!r} says twice what it joins"
            ctx.problems.add(what, where, "it gives points, and bodies or at", "give points = [A, B] alone")
            return None
        pair = borne_pair(ctx, item.points, where, f"joint {name!r}", item.on)
    elif item.bodies is None and item.at is None:
        ctx.problems.add(f"joint {name!r} joins nothing", where, "", "add points = [A, B]")
        return None
    else:
        pair = ends(ctx, name, item, (False, False))
    length = _length(ctx, name, item.length, pair, "a spherical joint")
    return _link(name, "distance", pair, parallel(ctx, pair), length) if pair else None


def rod(ctx: SpaceContext, name: str, item: sj.RevoluteSpherical) -> ResolvedJoint | None:
    """A hinge on the first body and a ball on the second, at a distance across the hinge's axis."""
    pair = ends(ctx, name, item, (True, False))
    length = _length(ctx, name, item.length, pair, "a spherical joint")
    found = axes(ctx, name, item.axis, pair) if pair else None
    if pair is None or found is None:
        return None
    _across(ctx, name, pair, found[0])
    return _link(name, "revolute-spherical", pair, along(ctx, pair, found), length)


def _across(ctx: SpaceContext, name: str, pair: Ends, axis: Vec) -> None:
    """A rod near its place is moved there by assembling, but one along the axis could go any way."""
    d = v.sub(ctx.at_start(pair[1]), ctx.at_start(pair[0]))
    angle = ctx.scalars.value(ctx.angle_between(v.to_ground(ctx.rotation(pair[0].body), axis), d))
    if ctx.scalars.value(ctx.scalars.length(d)) > 0 and math.sin(angle) < 1e-3:
        what = f"the rod of joint {name!r} lies along its axis"
        why = f"they make {math.degrees(angle):.3g} deg where the bodies start; a hinge needs its rod across the axis"
        cure = "give an axis at right angles to the rod, or place the two points across the axis"
        ctx.problems.add(what, f"joints.{name}.axis", why, cure)


def _link(name: str, type: str, pair: Ends, frames: Frames, value: Number | None = None) -> ResolvedJoint:
    return ResolvedJoint(name, type, places=pair, bodies=(pair[0].body, pair[1].body), frames=frames, value=value)


def _length(ctx: SpaceContext, name: str, given: float | str | None, pair: Ends | None, instead: str) -> Number | None:
    where = f"joints.{name}.length"
    if given is not None:
        length = ctx.scalars.read(given, where, "length")
    elif pair is not None:
        length = ctx.scalars.length(v.sub(ctx.at_start(pair[1]), ctx.at_start(pair[0])))
    else:
        return None
    if ctx.scalars.value(length) <= 0:
        what = f"joint {name!r} keeps a distance of {ctx.scalars.value(length):g} m"
        why = "two points at no distance have no direction between them"
        cure = f"give a positive length; for points that stay together use {instead}"
        ctx.problems.add(what, where, why, cure)
    return length


def line_of_points(ctx: SpaceContext, name: str, item: sj.SpacePointOnLine) -> ResolvedJoint | None:
    """A named point on the line through two points of another body."""
    where = f"joints.{name}"
    if item.point is None or item.line is None or item.axis is not None or item.at is not None:
        what = f"joint {name!r} does not say which point is on which line"
        cure = "give point = P and line = [A, B]; or bodies, at and axis"
        ctx.problems.add(what, where, "", cure)
        return None
    found = [place(ctx, p, f"{where}.line") for p in item.line]
    point = borne(ctx, item.point, where, f"the guide {name!r}", item.on)
    if point is None or None in found:
        return None
    a, b = item.line
    homes = [body for body in ctx.rigid_owners(a) if body in ctx.rigid_owners(b)]
    if not homes or a == b:
        why = f"{a!r} belongs to {listed(ctx.owners[a])}, {b!r} to {listed(ctx.owners[b])}"
        what = f"joint {name!r}: {a!r} and {b!r} are not two points of one body"
        ctx.problems.add(what, f"{where}.line", why, "name two points of one body")
        return None
    if homes[0] in ctx.owners[item.point]:
        what = f"joint {name!r}: point {item.point!r} is fixed to its own line"
        ctx.problems.add(what, where, f"both belong to {ctx.called(homes[0])}", "name a point of another body")
        return None
    start, end = place(ctx, a, where, homes[0]), place(ctx, b, where, homes[0])
    assert start is not None and end is not None
    axis = ctx.unit(v.sub(end.local, start.local))
    if axis is None:
        what = f"the line {a!r} - {b!r} has no length"
        ctx.problems.add(what, f"{where}.line", "the two points are in one place", "name points that lie apart")
        return None
    other = v.to_body(ctx.rotation(point.body), v.to_ground(ctx.rotation(homes[0]), axis))
    pair = (start, point)
    return _link(name, "point-on-line", pair, along(ctx, pair, (axis, other)))
