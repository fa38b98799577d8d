"""Bodies in space: where each starts, its points in its own axes, and who owns which point."""

from __future__ import annotations

from .. import bodies as bd
from .. import vectors as v
from ..resolved import GROUND, Pose, Vec
from .bodies import length_not_positive, points_known
from .body_reader import resolved_body
from .context import Context
from .orientation import rotation
from .scalars import NAN

FAR_OFF = 0.05
"""of the mechanism: drawings are rough, and so far off is another place"""
LOST = (NAN, NAN, NAN)


def resolve_space_bodies(ctx: Context) -> None:
    """Fill the context's ground, start, bodies, poses and owners.

    Poses are as the user gives them: points that two bodies share need not meet yet, assembling closes them.
    """
    model = ctx.model
    ctx.ground = {name: ctx.vector(xyz, f"ground.{name}") for name, xyz in model.ground.items()}
    given = {name: ctx.vector(xyz, f"points.{name}") for name, xyz in model.points.items()}
    known = {**ctx.ground, **given}
    local: dict[str, dict[str, Vec]] = {}
    for name, item in ctx.items.bodies.items():
        if isinstance(item, bd.PointMass):
            continue
        where = f"bodies.{name}"
        origin = ctx.vector(item.position, f"{where}.position")
        ctx.poses[name] = Pose(origin, rotation(ctx, name, item.orientation, f"{where}.orientation"))
        if isinstance(item.points, dict):
            local[name] = {p: ctx.vector(xyz, f"{where}.points.{p}") for p, xyz in item.points.items()}
            for point, xyz in local[name].items():
                known.setdefault(point, ctx.poses[name].point(xyz))
    for name, item in model.bodies.items():  # points of bodies that could not be read: reported with the body
        points = getattr(item, "points", None)
        if name not in ctx.items.bodies and isinstance(points, dict):
            known |= {point: LOST for point in points if point not in known}
    owners: dict[str, list[str]] = {name: [GROUND] for name in ctx.ground} | {name: [] for name in given}
    for name, item in ctx.items.bodies.items():
        points = _by_name(ctx, name, item, known) if name not in local else local[name]
        ctx.bodies[name] = resolved_body(ctx, name, item, points)
        for point in points:
            owners.setdefault(point, []).append(name)
    ctx.owners = {point: tuple(bodies) for point, bodies in owners.items()}
    ctx.used |= {point for body in ctx.bodies.values() for point in body.points}
    ctx.drawn = known
    _start(ctx)
    _drawn_elsewhere(ctx, given, local)


def reshape(ctx: Context, name: str, points: dict[str, Vec]) -> None:
    """Give a body other places of its points."""
    ctx.bodies[name] = resolved_body(ctx, name, ctx.items.bodies[name], points)
    _start(ctx)


def _start(ctx: Context) -> None:
    """Where moving points start: as the first body that owns them has them."""
    ctx.start = {point: ctx.drawn[point] for point in ctx.model.points}  # for the order
    for point, bodies in ctx.owners.items():
        if point in ctx.ground:
            continue
        ctx.start[point] = ctx.drawn[point]
        if bodies and bodies[0] in ctx.poses:
            ctx.start[point] = ctx.poses[bodies[0]].point(ctx.bodies[bodies[0]].points[point])


def _drawn_elsewhere(ctx: Context, given: dict[str, Vec], local: dict[str, dict[str, Vec]]) -> None:
    """A point that has a place of its own and one on a body starts where the body has it; told where it is far off."""
    number = ctx.scalars.vector
    every = [number(x) for x in ctx.start.values()]
    size = max((max(x) - min(x) for x in zip(*every, strict=True)), default=0.0) or 1.0
    for point, place in given.items():
        body = next((b for b in ctx.owners.get(point, ()) if b in local and point in local[b]), None)
        drawn, there = number(place), number(ctx.start[point])
        off = sum((a - b) ** 2 for a, b in zip(drawn, there, strict=True)) ** 0.5
        if body is not None and off > FAR_OFF * size:
            at, has = (", ".join(f"{x:g}" for x in xyz) for xyz in (drawn, there))
            ctx.doubts.append(
                f"point {point!r} is drawn at ({at}), but body {body!r}, which starts at its own position, has it at "
                f"({has}): the body decides; give bodies.{body}.position, or leave the point's place out"
            )


def _by_name(ctx: Context, name: str, item: bd.Rigid | bd.PointMass, known: dict[str, Vec]) -> dict[str, Vec]:
    """The points of a body that only names them, from where they start."""
    names = [item.point] if isinstance(item, bd.PointMass) else list(item.points)
    points_known(ctx, name, names, known)
    if isinstance(item, bd.PointMass):
        known.setdefault(item.point, LOST)
        return {item.point: ctx.zero}
    points = {p: ctx.local(name, known[p]) if p in known else LOST for p in names}
    known |= {point: LOST for point in names if point not in known}
    if isinstance(item, bd.BARS) and len(points) == 2:
        points[names[1]] = _end_of_bar(ctx, name, item, points[names[0]], points[names[1]])
    return points


def _end_of_bar(ctx: Context, name: str, item: bd.SpaceBar | bd.SpaceRod, a: Vec, b: Vec) -> Vec:
    """The second end of a bar: as it starts, or in that direction at the length the bar is given."""
    where, line = f"bodies.{name}", v.subtract(b, a)
    distance = ctx.size(line)
    size = max(map(abs, (*ctx.scalars.vector(a), *ctx.scalars.vector(b))))
    if distance <= 1e-12 * size or distance == 0:
        what = f"the points {item.points[0]!r} and {item.points[1]!r} of {item.type} {name!r} coincide"
        why = "between them the body has no length, so nothing says how it is turned"
        ctx.problems.add(what, where, why, "move one of them")
        return LOST
    if item.length is None:
        return b
    length = ctx.scalars.read(item.length, f"{where}.length", "length")
    if ctx.scalars.value(length) <= 0:
        length_not_positive(ctx, name, item, ctx.scalars.value(length))
    axis = ctx.unit(line)
    return v.add(a, v.scale(length, axis)) if axis else b
