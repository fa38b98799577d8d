"""Where everything starts: points that only bodies declare are placed with the bodies, rigidly."""

from __future__ import annotations

import difflib
from itertools import combinations

from ..joints.joint import PlaneJoint
from ..resolved import GROUND, Vec
from .bearers import find_bearers
from .context import Context, Pose
from .naming import did_you_mean
from .scalars import NAN
from .shapes import Draft, check_points, draft, resolved, shape_from_start


def resolve_bodies(ctx: Context) -> None:
    """Fill the context's ground, start, bodies, poses and owners."""
    model, read = ctx.model, ctx.scalars.pair
    ctx.ground = {name: read(xy, f"ground.{name}") for name, xy in model.ground.items()}
    ctx.start = {name: read(xy, f"points.{name}") for name, xy in model.points.items()}
    declared = {*ctx.ground, *ctx.start}
    for item in model.bodies.values():
        points = getattr(item, "points", None)
        declared |= set(points) if isinstance(points, dict) else set()
    drafts = [draft(ctx, name, item, declared) for name, item in model.bodies.items()]
    _place_all(ctx, [d for d in drafts if d.sound], declared)
    owners = {name: [GROUND] for name in ctx.ground} | {name: [] for name in model.points}
    for body in drafts:
        check_points(ctx, body)
        ctx.bodies[body.name] = resolved(ctx, body)
        for point in dict.fromkeys(body.names):
            owners.setdefault(point, []).append(body.name)
        if body.sound and body.local:
            ctx.poses[body.name] = _pose(ctx, body)
    ctx.owners = {point: tuple(bodies) for point, bodies in owners.items()}
    for point in owners:  # not placed: reported; what else the model says about it can still be checked
        if not _placed(ctx, point):
            ctx.start[point] = (NAN, NAN)
    ctx.used |= {point for body in drafts for point in body.names}
    find_bearers(ctx, model.joints.values())
    ctx.poses[GROUND] = Pose(
        (ctx.scalars.exact(0.0), ctx.scalars.exact(0.0)), ctx.scalars.exact(1.0), ctx.scalars.exact(0.0)
    )


def check_unused(ctx: Context) -> None:
    """Report points that nothing speaks of: probably a name misspelt there or elsewhere."""
    model = ctx.model
    unused = [(name, f"points.{name}") for name in model.points if name not in ctx.used]
    # A fixed point alone does no harm, unless it was meant to be one that now only a body declares.
    moving = [point for point in ctx.owners if point not in model.ground and point not in model.points]
    unused += [
        (name, f"ground.{name}")
        for name in model.ground
        if name not in ctx.used and difflib.get_close_matches(name, moving)
    ]
    for name, where in unused:
        close = did_you_mean(name, sorted(ctx.used), "points in use")
        cure = f"put it in a body, a joint, a force or a coordinate, or remove it; {close}"
        ctx.problems.add(f"point {name!r} belongs to nothing", where, "", cure)


def _place_all(ctx: Context, drafts: list[Draft], declared: set[str]) -> None:
    """Place bodies on points already placed, until nothing is left or nothing more follows."""
    waiting = list(drafts)
    while waiting:
        left = [d for d in waiting if not _place(ctx, d, needed=2)]
        if len(left) == len(waiting) and not _meet(ctx, declared):
            # Nothing holds the next one by two points: hang one on its single point, unrotated, and go on.
            one = next((d for d in left if _place(ctx, d, needed=1)), None)
            if one is None:
                break
            left.remove(one)
        waiting = left
    for body in waiting:
        missing = [p for p in body.names if not _placed(ctx, p)]
        body.sound = False
        what = f"nothing says where body {body.name!r} starts"
        why = f"without a starting position: {', '.join(missing)}"
        cure = f"give one or two of them a rough position: [points] {missing[0]} = [x, y]"
        ctx.problems.add(what, f"bodies.{body.name}", why, cure)


def _placed(ctx: Context, point: str) -> bool:
    return point in ctx.start or point in ctx.ground


def _meet(ctx: Context, declared: set[str]) -> bool:
    """Start points that a joint brings together in one place; whether any was new."""
    new = False
    for joint in ctx.model.joints.values():
        points = getattr(joint, "points", None) if isinstance(joint, PlaneJoint) and joint.pins else None
        if points and declared.issuperset(points):
            for a, b in (points, points[::-1]):
                if _placed(ctx, a) and not _placed(ctx, b):
                    ctx.start[b] = ctx.position(a)
                    new = True
    return new


def _place(ctx: Context, body: Draft, needed: int) -> bool:
    """Place the points of a body that lack a start; False if fewer than `needed` of the others are placed."""
    placed = [p for p in body.names if _placed(ctx, p)]
    if body.local is None:
        if len(placed) < len(body.names):
            return False
        body.local = shape_from_start(ctx, body.names, {p: ctx.position(p) for p in placed})
    if len(placed) < len(body.names):
        if len(placed) < needed:
            return False
        pose = _pose(ctx, body)
        for point in body.names:
            if point not in placed:
                ctx.start[point] = pose.point(body.local[point])
    return True


def _pose(ctx: Context, body: Draft) -> Pose:
    """The pose that brings the body onto its placed points: exactly onto one, in direction onto another."""
    assert body.local is not None
    local = body.local
    placed = [p for p in body.names if _placed(ctx, p)]
    value, vector = ctx.scalars.value, ctx.scalars.vector
    best, pair = 0.0, None
    for a, b in combinations(placed[:50], 2):
        u, v = _between(local[a], local[b]), _between(ctx.position(a), ctx.position(b))
        (ux, uy), (vx, vy) = vector(u), vector(v)
        reach = min(ux * ux + uy * uy, vx * vx + vy * vy)  # the farther apart, the surer the direction
        if reach > best * (1 + 1e-9):
            best, pair = reach, (a, u, v)
    if pair is None:
        angle = ctx.model.initial.position.get(f"{body.name}.angle", 0.0)
        c, s = ctx.scalars.direction(ctx.scalars.read(angle, f"initial.position.{body.name}.angle", "angle"))
        anchor = placed[0]
    else:
        anchor, (ux, uy), (vx, vy) = pair
        size = ctx.scalars.length((ux, uy)) * ctx.scalars.length((vx, vy))
        c, s = (ux * vx + uy * vy) / size, (ux * vy - uy * vx) / size
    if abs(value(c)) < 1e-15 and not ctx.scalars.symbolic:
        c = 0.0
    turned = Pose((0, 0), c, s).turn(local[anchor])
    x, y = ctx.position(anchor)
    return Pose((x - turned[0], y - turned[1]), c, s)


def _between(a: Vec, b: Vec) -> Vec:
    return b[0] - a[0], b[1] - a[1]
