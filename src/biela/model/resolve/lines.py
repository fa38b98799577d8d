"""Points and lines by name: which body they are fixed in, and where in it."""

from __future__ import annotations

from .. import items as it
from ..resolved import GROUND, Direction, Place, ResolvedLine, Span, Vec
from .context import Context
from .naming import did_you_mean


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
    if home == GROUND:
        return Place(GROUND, ctx.ground[point], point)
    zero = ctx.scalars.exact(0.0)
    return Place(home, ctx.bodies[home].points[point] if home else (zero, zero), point)


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


def line(
    ctx: Context, item: it.Line, where: str, needs_start: bool = False, may_stretch: bool = False
) -> ResolvedLine | None:
    """A line of a body. `needs_start`: it must pass through a point, not only have a direction."""
    if isinstance(item, str | it.Axis):
        return _axis(ctx, item, where, needs_start)
    a, b = item
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
        owners = {p: ", ".join(ctx.owners[p]) or "no body" for p in item}
        why = f"{a!r} belongs to {owners[a]}, {b!r} to {owners[b]}"
        cure = "name two points of one body, or add a rod between them and use its points"
        ctx.problems.add(f"the line {a!r} - {b!r} joins two bodies", where, why, cure)
        return None
    start, end = place(ctx, a, where, common[0]), place(ctx, b, where, common[0])
    assert start is not None and end is not None
    length = ctx.scalars.length((end.local[0] - start.local[0], end.local[1] - start.local[1]))
    if ctx.scalars.value(length) == 0.0:
        what = f"the line {a!r} - {b!r} has no length"
        ctx.problems.add(what, where, "the two points are in one place", "name two points that are apart")
    return ResolvedLine(Span(start, end), length, start)


def _axis(ctx: Context, item: str | it.Axis, where: str, needs_start: bool) -> ResolvedLine | None:
    item = it.Axis(body=item) if isinstance(item, str) else item
    body, angle, through = item.body, item.angle, item.through
    if not ctx.body(body, where):
        return None
    direction = ctx.scalars.direction(ctx.scalars.read(angle, f"{where}.angle", "angle"))
    start = place(ctx, through, f"{where}.through", body) if through is not None else None
    if needs_start and through is None:
        points = ", ".join(_points_of(ctx, body)) or "none yet"
        what = f"a line of {body!r} has no place here, only a direction"
        cure = f"name two points, or add through = a point of {body!r} ({points})"
        ctx.problems.add(what, where, "it must pass through a point", cure)
        return None
    if through is not None and start is None:
        return None
    return ResolvedLine(Direction(body, direction), ctx.scalars.exact(1.0), start)


def start_vector(ctx: Context, line: ResolvedLine) -> Vec | None:
    """The line's vector at the start, in the ground's axes."""
    vector = line.vector
    if isinstance(vector, Direction):
        pose = ctx.poses.get(vector.body)
        return pose.turn(vector.local) if pose else None
    assert vector.start.point is not None and vector.end.point is not None
    a, b = ctx.position(vector.start.point), ctx.position(vector.end.point)
    return b[0] - a[0], b[1] - a[1]


def _points_of(ctx: Context, body: str) -> list[str]:
    return list(ctx.ground) if body == GROUND else list(ctx.bodies[body].points)
