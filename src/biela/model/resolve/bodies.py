"""Bodies of the plane: their points in their own axes, and where everything starts.

A body is placed by its points: those that only it declares are placed with it, rigidly. (In space a body says itself
where its axes start: `space_bodies`.)
"""

from __future__ import annotations

import difflib
from collections.abc import Collection
from dataclasses import dataclass
from itertools import combinations
from math import log10
from typing import Any

from .. import bodies as bd
from .. import vectors as v
from ..joints.joint import PlaneJoint
from ..resolved import GROUND, Pose, Vec
from .body_reader import resolved_body
from .context import Context
from .naming import did_you_mean, listed
from .scalars import NAN

COINCIDENT = 1e-12
"""of the body's size"""
FARTHEST = 1e9
"""times its own size that a body may lie from the origin of its axes"""
MANY = 300
"""points of a body that are all compared in pairs"""


@dataclass
class Draft:
    """A body whose shape may still be unknown, because it follows from starting positions."""

    name: str
    item: bd.AnyBody
    names: list[str]
    local: dict[str, Vec] | None = None
    sound: bool = True
    """False once a mistake in its points has been reported: then it is left out of what follows from them"""


def resolve_plane_bodies(ctx: Context) -> None:
    """Fill the context's ground, start, bodies, poses and owners."""
    model, read = ctx.model, ctx.scalars.pair
    ctx.ground = {name: read(xy, f"ground.{name}") for name, xy in model.ground.items()}
    ctx.start = {name: read(xy, f"points.{name}") for name, xy in model.points.items()}
    declared = {*ctx.ground, *ctx.start}
    for item in model.bodies.values():
        points = getattr(item, "points", None)
        declared |= set(points) if isinstance(points, dict) else set()
    drafts = [_draft(ctx, name, item, declared) for name, item in model.bodies.items()]
    _place_all(ctx, [d for d in drafts if d.sound], declared)
    owners = {name: [GROUND] for name in ctx.ground} | {name: [] for name in model.points}
    for body in drafts:
        _check_points(ctx, body)
        local = body.local if body.local is not None else dict.fromkeys(body.names, (NAN, NAN))
        ctx.bodies[body.name] = resolved_body(ctx, body.name, body.item, {name: local[name] for name in body.names})
        for point in dict.fromkeys(body.names):
            owners.setdefault(point, []).append(body.name)
        if body.sound and body.local:
            ctx.poses[body.name] = _pose(ctx, body)
    ctx.owners = {point: tuple(bodies) for point, bodies in owners.items()}
    for point in owners:  # not placed: reported; what else the model says about it can still be checked
        if not _placed(ctx, point):
            ctx.start[point] = (NAN, NAN)
    ctx.used |= {point for body in drafts for point in body.names}


def points_known(ctx: Context, body: str, names: list[str], known: Collection[str]) -> bool:
    """Whether the points that a body names exist, each named once; else it is reported."""
    unknown = [point for point in names if point not in known]
    for point in unknown:
        cure = did_you_mean(point, sorted(known), "points")
        ctx.problems.add(f"there is no point {point!r}", f"bodies.{body}", f"body {body!r} needs it", cure)
    twice = next((p for p in names if names.count(p) > 1), None)
    if twice is not None:
        what = f"body {body!r} names the point {twice!r} twice"
        ctx.problems.add(what, f"bodies.{body}.points", "", "give each point once")
    return not unknown and twice is None


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


def check_digits(ctx: Context) -> None:
    """Report bodies so far from the origin of their own axes that little is left of their dimensions: numbers have
    sixteen digits."""
    for name, body in ctx.bodies.items():
        places = [ctx.scalars.vector(xy) for xy in body.points.values()]
        if ctx.scalars.value(body.mass) > 0 and not body.particle:
            places.append(ctx.scalars.vector(body.center))
        far = max((abs(x) for place in places for x in place), default=0.0)
        near = max((abs(x - o) for place in places for x, o in zip(place, places[0], strict=True)), default=0.0) or 1.0
        if not body.particle and far > FARTHEST * near:
            what = f"{name!r} lies {far:.2g} m from the origin of its own axes, and is {near:.2g} m large"
            why = f"of its dimensions {max(0, int(15.5 - log10(far / near)))} digits are left"
            ctx.problems.add(what, f"bodies.{name}", why, "put the origin of its axes near its points")


# ----------------------------------------------------------------------------------------------------------- shapes
def _draft(ctx: Context, name: str, item: bd.AnyBody, declared: set[str]) -> Draft:
    """A body's points, checked, with their local coordinates if it states them."""
    where = f"bodies.{name}"
    if isinstance(item, bd.PointMass):
        body = Draft(name, item, [item.point], {item.point: ctx.zero})
    elif isinstance(item.points, dict):
        local = {p: ctx.scalars.pair(xy, f"{where}.points.{p}") for p, xy in item.points.items()}
        return Draft(name, item, list(local), local, bool(local) or _no_points(ctx, name))
    else:
        body = Draft(name, item, list(item.points))
        body.sound = bool(body.names) or _no_points(ctx, name)
        if isinstance(item, bd.Plate | bd.Disc) and body.names:
            what = f"{item.type} {name!r} gives no coordinates of its points"
            cure = f"give points = {{ {body.names[0]} = [x, y], ... }} in its own axes"
            ctx.problems.add(what, f"{where}.points", "", cure)
            body.sound = False
        length = getattr(item, "length", None)
        if length is not None:
            end = ctx.scalars.read(length, f"{where}.length", "length")
            body.local = {item.points[0]: ctx.zero, item.points[1]: (end, ctx.zero[1])}
    body.sound &= points_known(ctx, name, body.names, declared)
    return body


def _no_points(ctx: Context, body: str) -> bool:
    what = f"body {body!r} has no points"
    ctx.problems.add(what, f"bodies.{body}.points", "", "name at least one point of it")
    return False


def _shape_from_start(ctx: Context, names: list[str], known: dict[str, Vec]) -> dict[str, Vec]:
    """Local coordinates from starting positions: origin in the first point, x through the second."""
    zero = ctx.zero
    if len(names) == 1:
        return {names[0]: zero}
    line = v.subtract(known[names[1]], known[names[0]])
    length = ctx.scalars.length(line)
    if ctx.scalars.value(length) == 0.0:
        return {name: zero for name in names}  # reported by `_check_points`
    local = {names[0]: zero, names[1]: (length, zero[1])}
    for name in names[2:]:
        arm = v.subtract(known[name], known[names[0]])
        local[name] = (v.dot(arm, line) / length, v.out_of_plane(line, arm) / length)
    return local


def _check_points(ctx: Context, body: Draft) -> None:
    """Report points of one body that lie in one place, in the body or at the start."""
    if body.local is None or not body.sound or len(body.names) < 2:
        return
    where, called = f"bodies.{body.name}", f"{body.item.type} {body.name!r}"
    local = {name: ctx.scalars.vector(xy) for name, xy in body.local.items()}
    size = max(_apart(xy, local[body.names[0]]) for xy in local.values())
    length = getattr(body.item, "length", None)
    if length is not None and local[body.names[1]][0] <= 0.0:
        return length_not_positive(ctx, body.name, body.item, local[body.names[1]][0])
    for a, b in combinations(body.names[:MANY], 2):
        if _apart(local[a], local[b]) <= COINCIDENT * size:
            what = f"the points {a!r} and {b!r} of {called} coincide"
            why = "between them the body has no length, so nothing says how it is turned"
            return ctx.problems.add(what, where, why, "move one of them, or use one point for both")
    starts = [ctx.scalars.vector(ctx.position(p)) for p in body.names if _placed(ctx, p)]
    spread = max((_apart(xy, starts[0]) for xy in starts), default=0.0)
    if spread <= 1e-9 * size and len(starts) > 1:
        what = f"the points {listed(body.names)} of {called} start in one place"
        why = f"all at ({starts[0][0]:g}, {starts[0][1]:g}), so nothing says how the body is turned"
        ctx.problems.add(what, where, why, "give them roughly the positions they start from")


def length_not_positive(ctx: Context, name: str, item: Any, value: float) -> None:
    """Report the length of a bar."""
    why = f"length = {item.length} gives {value:g} m"
    cure = "give a positive length, or leave it out to take it from the starting positions"
    ctx.problems.add(f"{item.type} {name!r} needs a length above zero", f"bodies.{name}.length", why, cure)


def _apart(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return sum(abs(x - y) for x, y in zip(a, b))


# ---------------------------------------------------------------------------------------------------------- placing
def _place_all(ctx: Context, drafts: list[Draft], declared: set[str]) -> None:
    """Place bodies on points already placed, until nothing is left or nothing more follows."""
    waiting = list(drafts)
    while waiting:
        left = [d for d in waiting if not _place(ctx, d, needed=2)]
        if len(left) == len(waiting) and not _place_pins(ctx, declared):
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


def _place_pins(ctx: Context, declared: set[str]) -> bool:
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
        body.local = _shape_from_start(ctx, body.names, {p: ctx.position(p) for p in placed})
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
    local, best, pair = body.local, 0.0, None
    placed = [p for p in body.names if _placed(ctx, p)]
    for a, b in combinations(placed[:50], 2):
        here, there = v.subtract(local[b], local[a]), v.subtract(ctx.position(b), ctx.position(a))
        reach = min(sum(x * x for x in ctx.scalars.vector(u)) for u in (here, there))
        if reach > best * (1 + 1e-9):  # the farther apart, the surer the direction
            best, pair = reach, (a, here, there)
    if pair is None:
        anchor, angle = placed[0], ctx.model.initial.position.get(f"{body.name}.angle", 0.0)
        c, s = ctx.scalars.direction(ctx.scalars.read(angle, f"initial.position.{body.name}.angle", "angle"))
    else:
        anchor, here, there = pair
        size = ctx.scalars.length(here) * ctx.scalars.length(there)
        c, s = v.dot(here, there) / size, v.out_of_plane(here, there) / size
    if abs(ctx.scalars.value(c)) < 1e-15 and not ctx.scalars.symbolic:
        c = 0.0
    rotation = (c, -s), (s, c)
    return Pose(v.subtract(ctx.position(anchor), v.times(rotation, local[anchor])), rotation)
