"""Points, lines and directions by name: which body they are fixed in, and where in it."""

from __future__ import annotations

from typing import Any

from .. import items as it
from .. import vectors as v
from ..resolved import GROUND, Direction, Place, ResolvedLine, Span, Vec
from .context import Context
from .naming import did_you_mean

COORDINATE_AXES = ("x", "y", "z")


# ----------------------------------------------------------------------------------------------------------- points
def place(ctx: Context, point: str, where: str, body: str | None = None) -> Place | None:
    """Where a named point is fixed: in `body` if given, else in the ground, else in its first rigid body."""
    if point not in ctx.owners:
        what = f"there is no point {point!r}"
        if point in ctx.bodies:
            what += " (it is a body)"
        ctx.problems.add(what, where, "", did_you_mean(point, sorted(ctx.owners), "points"))
        return None
    ctx.used.add(point)
    owners = ctx.owners[point]
    if body is not None and body not in owners:
        why = f"it belongs to {', '.join(owners) or 'no body'}"
        cure = f"name one of the points of {body!r}: {', '.join(_points_of(ctx, body)) or '(none)'}"
        ctx.problems.add(f"point {point!r} is not a point of {body!r}", where, why, cure)
        return None
    home = body or next(iter(ctx.rigid_owners(point) or owners), "")
    if ctx.in_space and not home:
        cure = "give it to a body (in its points), or make it a point mass"
        ctx.problems.add(f"point {point!r} belongs to no body", where, "in space nothing else can hold it", cure)
        return None
    return ctx.place_in(point, home) if home else Place("", ctx.zero, point)


def places(ctx: Context, points: tuple[str, str], where: str, what: str) -> tuple[Place, Place] | None:
    """Two different points that can move against each other."""
    found = [place(ctx, point, where) for point in points]
    if points[0] == points[1]:
        ctx.problems.add(f"{what} names the point {points[0]!r} twice", where, "", "name two different points")
        return None
    if found[0] is None or found[1] is None:
        return None
    common = sorted(set(ctx.rigid_owners(points[0])) & set(ctx.rigid_owners(points[1])))
    if common:
        why = f"both belong to {common[0]!r}, so their distance never changes"
        head = f"{what} joins {points[0]!r} and {points[1]!r}, two points of one body"
        ctx.problems.add(head, where, why, "name points of different bodies")
        return None
    return found[0], found[1]


def _points_of(ctx: Context, body: str) -> list[str]:
    return list(ctx.ground) if body == GROUND else list(ctx.bodies[body].points)


# ------------------------------------------------------------------------------------------------------- directions
def directions(ctx: Context, body: str) -> dict[str, Vec]:
    """The named directions of a body in space; the ground has none."""
    return {} if body == GROUND else ctx.bodies[body].directions


def direction(ctx: Context, given: str | tuple, body: str, where: str, user: str) -> Vec | None:
    """A unit vector in a body's own axes: by components, by name, or one of its axes x, y, z."""
    if not isinstance(given, str):
        return ctx.direction(given, where, f"an axis of {user}")
    found = directions(ctx, body)
    if given in found:
        return found[given]
    if given in COORDINATE_AXES:
        return ctx.identity[COORDINATE_AXES.index(given)]
    what = f"{ctx.called(body)} has no direction {given!r}"
    ctx.problems.add(what, where, f"{user} needs it", did_you_mean(given, [*found, *COORDINATE_AXES], "directions"))
    return None


# ------------------------------------------------------------------------------------------------------------ lines
def line(
    ctx: Context, item: it.Line | it.Directed, where: str, needs_start: bool = False, may_stretch: bool = False
) -> ResolvedLine | None:
    """A line of a body. `needs_start`: in the plane it must pass through a point, not only have a direction.
    `may_stretch`: it may lead from one body to another."""
    if isinstance(item, tuple):
        return _through_points(ctx, item, where, may_stretch)
    return _directed(ctx, item, where) if ctx.in_space else _at_angle(ctx, item, where, needs_start)


def _through_points(ctx: Context, points: tuple[str, str], where: str, may_stretch: bool) -> ResolvedLine | None:
    a, b = points
    found = place(ctx, a, where), place(ctx, b, where)
    if found[0] is None or found[1] is None:
        return None
    if a == b:
        ctx.problems.add(f"a line from {a!r} to {a!r} has no direction", where, "", "name two different points")
        return None
    common = [body for body in ctx.rigid_owners(a) if body in ctx.rigid_owners(b)]
    if not common:
        if may_stretch:
            return ResolvedLine(Span(found[0], found[1]), None, found[0])
        owners = {p: ", ".join(ctx.owners[p]) or "no body" for p in points}
        why = f"{a!r} belongs to {owners[a]}, {b!r} to {owners[b]}"
        cure = "name two points of one body, or add a rod between them and use its points"
        what = f"the line {a!r} - {b!r} joins two bodies: {a!r} and {b!r} are not two points of one body"
        ctx.problems.add(what, where, why, cure)
        return None
    start, end = (ctx.place_in(point, common[0]) for point in points)
    vector = v.subtract(end.local, start.local)
    length = ctx.scalars.length(vector)
    if ctx.scalars.value(length) == 0.0:
        what = f"the line {a!r} - {b!r} has no length"
        ctx.problems.add(what, where, "the two points are in one place", "name two points that are apart")
        return None
    if ctx.in_space:
        unit = tuple(x / length for x in vector)
        return ResolvedLine(Direction(common[0], unit), ctx.scalars.exact(1.0), start)
    return ResolvedLine(Span(start, end), length, start)


def _at_angle(ctx: Context, item: Any, where: str, needs_start: bool) -> ResolvedLine | None:
    """In the plane: a line by its angle to the x axis of a body."""
    item = it.Axis(body=item) if isinstance(item, str) else item
    body, through = item.body, item.through
    if not ctx.body(body, where):
        return None
    unit = ctx.scalars.direction(ctx.scalars.read(item.angle, f"{where}.angle", "angle"))
    start = place(ctx, through, f"{where}.through", body) if through is not None else None
    if needs_start and through is None:
        points = ", ".join(_points_of(ctx, body)) or "none yet"
        what = f"a line of {body!r} has no place here, only a direction"
        cure = f"name two points, or add through = a point of {body!r} ({points})"
        ctx.problems.add(what, where, "it must pass through a point", cure)
        return None
    if through is not None and start is None:
        return None
    return ResolvedLine(Direction(body, unit), ctx.scalars.exact(1.0), start)


def _directed(ctx: Context, item: Any, where: str) -> ResolvedLine | None:
    """In space: a line by a direction of a body, through one of its points or its origin."""
    if isinstance(item, str):
        body, _, key = item.rpartition(".")
        if body != GROUND and body not in ctx.bodies:
            known = [f"{b}.{u}" for b, body in ctx.bodies.items() for u in body.directions]
            known += [f"{GROUND}.{u}" for u in COORDINATE_AXES]
            ctx.problems.add(f"there is no direction {item!r}", where, "", did_you_mean(item, known, "directions"))
            return None
        if not ctx.body(body, where):
            return None
        unit, through = direction(ctx, key, body, where, "a line"), None
    else:
        body, through = item.body, item.through
        if not ctx.body(body, f"{where}.body"):
            return None
        unit = direction(ctx, item.direction, body, f"{where}.direction", "a line")
    start = Place(body, ctx.zero) if through is None else place(ctx, through, f"{where}.through", body)
    return ResolvedLine(Direction(body, unit), ctx.scalars.exact(1.0), start) if unit and start else None

