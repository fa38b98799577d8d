"""The axes of a joint, and the triads that say how it stands in its two bodies."""

from __future__ import annotations

from ...resolved import GROUND, Frame, Number, Place, Vec
from ..naming import did_you_mean
from . import vectors as v
from .context import TINY, SpaceContext
from .ends import Ends

Frames = tuple[Frame, Frame]


def axes(ctx: SpaceContext, name: str, given: str | tuple, ends: Ends) -> tuple[Vec, Vec] | None:
    """The unit axis of a joint in each of its bodies.

    One vector is in the ground's axes, where the bodies start; a pair is one in each body's own axes.
    """
    where, bodies = f"joints.{name}.axis", (ends[0].body, ends[1].body)
    if not isinstance(given, str) and len(given) == 2:
        found = [one_of(ctx, one, body, where, f"joint {name!r}") for one, body in zip(given, bodies)]
        return (found[0], found[1]) if found[0] and found[1] else None
    if isinstance(given, str):
        homes = [body for body in bodies if given in directions(ctx, body)]
        if len(homes) == 2:
            return directions(ctx, bodies[0])[given], directions(ctx, bodies[1])[given]
        if homes:
            vector = v.to_ground(ctx.rotation(homes[0]), directions(ctx, homes[0])[given])
        elif given in COORDINATE_AXES:
            vector = ctx.identity()["xyz".index(given)]
        else:
            known = [key for body in bodies for key in directions(ctx, body)]
            cure = did_you_mean(given, [*dict.fromkeys(known), *COORDINATE_AXES], "directions")
            bodies_named = f"{ctx.called(bodies[0])} and {ctx.called(bodies[1])}"
            ctx.problems.add(f"no direction {given!r} in {bodies_named}", where, f"joint {name!r} needs it", cure)
            return None
    else:
        vector = ctx.direction(given, where, f"the axis of joint {name!r}")
    if vector is None:
        return None
    return v.to_body(ctx.rotation(bodies[0]), vector), v.to_body(ctx.rotation(bodies[1]), vector)


COORDINATE_AXES = ("x", "y", "z")


def directions(ctx: SpaceContext, body: str) -> dict[str, Vec]:
    """The named directions of a body; the ground has none."""
    return {} if body == GROUND else ctx.bodies[body].directions


def one_of(ctx: SpaceContext, given: str | tuple, body: str, where: str, user: str) -> Vec | None:
    """A unit vector in a body's own axes: by components, by name, or one of its axes x, y, z."""
    if not isinstance(given, str):
        return ctx.direction(given, where, f"an axis of {user}")
    found = directions(ctx, body)
    if given in found:
        return found[given]
    if given in COORDINATE_AXES:
        return ctx.identity()["xyz".index(given)]
    what = f"{ctx.called(body)} has no direction {given!r}"
    ctx.problems.add(what, where, f"{user} needs it", did_you_mean(given, [*found, *COORDINATE_AXES], "directions"))
    return None


def along(ctx: SpaceContext, ends: Ends, pair: tuple[Vec, Vec], zero: Number | None = None) -> Frames:
    """Triads on an axis of each body, whose e1 make the angle `zero` where the bodies start."""
    first = ctx.perpendicular(pair[0])
    start = v.to_ground(ctx.rotation(ends[0].body), first)
    second = facing(ctx, v.to_body(ctx.rotation(ends[1].body), start), pair[1])
    if zero is not None:
        second = v.turned(second, pair[1], *ctx.scalars.direction(zero))
    return triad(ends[0], pair[0], first), triad(ends[1], pair[1], second)


def crossed(ctx: SpaceContext, ends: Ends, pair: tuple[Vec, Vec]) -> Frames:
    """Triads on crossed axes: each e1 is where the other axis shows, across its own, at the start."""
    at_start = [v.to_ground(ctx.rotation(end.body), axis) for end, axis in zip(ends, pair)]
    e1 = [facing(ctx, v.to_body(ctx.rotation(ends[k].body), at_start[1 - k]), pair[k]) for k in (0, 1)]
    return triad(ends[0], pair[0], e1[0]), triad(ends[1], pair[1], e1[1])


def parallel(ctx: SpaceContext, ends: Ends) -> Frames:
    """Triads that lie along the ground's axes where the bodies start."""
    found = []
    for end in ends:
        e1, e2, e3 = (v.to_body(ctx.rotation(end.body), axis) for axis in ctx.identity())
        found.append(Frame(end, e1, e2, e3))
    return found[0], found[1]


def triad(end: Place, axis: Vec, e1: Vec) -> Frame:
    return Frame(end, e1, v.cross(axis, e1), axis)


def facing(ctx: SpaceContext, vector: Vec, axis: Vec) -> Vec:
    """The unit vector across an axis in the direction of another; any, if that lies along the axis."""
    across = v.across(vector, axis)
    if ctx.scalars.value(ctx.scalars.length(across)) < TINY:
        return ctx.perpendicular(axis)
    return ctx.unit(across) or across
