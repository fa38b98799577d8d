"""Stops as things to draw: walls, angular stops, limits of distances in the plane; slabs, blocks and collars in space.

A stop limits an expression. Where that is linear in the coordinates of one point, it is a straight wall; where it is an
angle, a position or a distance, it is what a designer would put there. Others are told in words.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...model import expression as ex
from ...model.joints import joint_class
from ...model.resolved import (
    GROUND,
    Direction,
    Place,
    ResolvedCoordinate,
    ResolvedJoint,
    ResolvedLine,
    ResolvedModel,
    ResolvedStop,
)
from .bodies import solid, wheels
from .frames import Frames, Thing, floats, local_direction
from .plane import direction_of, sliding_points
from .solids import Face, across, box, cylinder
from .space import SIGN, Start

CLEAR_MASS, CLEAR_BLOCK = 0.8, 1.05
"""half of what strikes, in units of the signs: walls are drawn where its surface is, not its middle"""
ARM = 0.62
"""where along a body its angular stop is drawn"""
Limits = list[tuple[int, float]]
"""the side that is forbidden, below (-1) or above (+1), and from which value on"""


def plane_stops(frames: Frames, notes: list[str]) -> list[Thing]:
    """Everything that can be drawn of the stops of a mechanism of the plane; what cannot is told in `notes`."""
    out: list[Thing] = []
    for stop in frames.resolved.stops:
        found = _in_the_plane(frames, stop)
        if not found:
            notes.append(not_drawn(stop))
        out += found
    return out


def not_drawn(stop: ResolvedStop) -> str:
    """What a stop does, in words, for those that have no drawing."""
    low, high = (None if x is None else f"{float(x):.4g}" for x in (stop.lower, stop.upper))
    text = (f"{low} <= " if low else "") + ex.to_text(stop.equation) + (f" <= {high}" if high else "")
    return f"stop {stop.name!r} is not drawn: {text} ({stop.unit})"


def _in_the_plane(frames: Frames, stop: ResolvedStop) -> list[Thing]:
    resolved = frames.resolved
    form = linear_form(resolved, stop.equation)
    if form is None:
        return []
    factors, constant = form
    if any(_component(resolved, name) for name in factors):
        return _walls(frames, factors, _limits(stop, constant))
    if len(factors) == 1:
        ((name, factor),) = factors.items()
        c = resolved.coordinates[name]
        return [thing for k, x in _limits(stop, constant, factor) if (thing := _of_coordinate(frames, c, k, x))]
    return _between_bodies(frames, factors, _limits(stop, constant))


def _limits(stop: ResolvedStop, constant: float, factor: float = 1.0) -> Limits:
    return [(int(k * np.sign(factor)), (float(x) - constant) / factor)
            for k, x in ((-1, stop.lower), (1, stop.upper)) if x is not None]  # fmt: skip


def linear_form(resolved: ResolvedModel, equation: Any) -> tuple[dict[str, float], float] | None:
    """An expression as factors of its names and a constant; None where it is not linear, or changes with time.

    >>> import biela
    >>> resolved = biela.assemble("bouncing-ball").resolved
    >>> linear_form(resolved, ex.parse("2*P.y - 0.5*P.x + 3", dotted=True))
    ({'P.x': -0.5, 'P.y': 2.0}, 3.0)
    """
    fixed, free = {}, []
    for name in sorted(ex.names(equation)):
        owner, _, axis = name.rpartition(".")
        if owner in resolved.ground and axis in ("x", "y", "z"):
            fixed[name] = float(resolved.ground[owner]["xyz".index(axis)])
        elif name in resolved.coordinates or _component(resolved, name):
            free.append(name)
        else:
            return None
    slopes = {name: ex.differentiate(equation, name) for name in free}
    if any(ex.names(slope) - set(fixed) for slope in slopes.values()):
        return None
    try:
        constant = float(ex.evaluate(equation, {**fixed, **dict.fromkeys(free, 0.0)}))
        factors = {name: float(ex.evaluate(slope, fixed)) for name, slope in slopes.items()}
    except (ex.ExpressionError, ArithmeticError, ValueError):
        return None
    factors = {name: f for name, f in factors.items() if f}
    return (factors, constant) if factors else None


def _component(resolved: ResolvedModel, name: str) -> bool:
    owner, _, axis = name.rpartition(".")
    return name not in resolved.coordinates and owner in resolved.start and axis in ("x", "y", "z")


# ------------------------------------------------------------------------------------------------------ walls
def _walls(frames: Frames, factors: dict[str, float], limits: Limits) -> list[Thing]:
    """Limits of one point: {type, at, normal to the forbidden side, reach across (in the plane), clear}."""
    resolved, points = frames.resolved, {name.rpartition(".")[0] for name in factors}
    if len(points) > 1 or not all(_component(resolved, name) for name in factors):
        return []
    (point,) = points
    n = np.array([factors.get(f"{point}.{axis}", 0.0) for axis in "xyz"[: frames.dimension]])
    size = float(np.linalg.norm(n))
    path = frames.path(frames.point(point), frames.good)
    out: list[Thing] = []
    for side, limit in limits:
        away = side * n / size
        foot = path[0] + (limit / size - path[0] @ n / size) * n / size
        reach = None
        if frames.dimension == 2:
            along = (path - foot) @ np.array([-away[1], away[0]])
            reach = (float(along.min()), float(along.max()))
        out.append({"type": "wall", "at": [-1, *foot.tolist()], "normal": [-1, *away.tolist()], "reach": reach,
                    "clear": _clearance(resolved, point), "point": point})  # fmt: skip
    return out


def _clearance(resolved: ResolvedModel, point: str | None) -> float:
    if point in sliding_points(resolved):
        return CLEAR_BLOCK
    owners = [b for b in resolved.owners.get(point or "", ()) if b != GROUND]
    return CLEAR_MASS if any(resolved.bodies[b].particle for b in owners) else 0.0


# ------------------------------------------------------------------------------------ coordinates of the plane
def _of_coordinate(frames: Frames, c: ResolvedCoordinate, side: int, limit: float) -> Thing | None:
    resolved = frames.resolved
    if c.type == "distance" and len(c.places) == 2:
        ends = [frames.place(p) for p in c.places]
        return {"type": "reach", "ends": ends, "radius": limit, "side": side} if limit > 0 else None
    if c.type == "position":
        through, body, e = c.lines[0].through, *local_direction(c.lines[0].vector)
        if through is None or body is None or through.body != body:
            return None
        at = Place(body, tuple((floats(through.local) + limit * e).tolist()))
        return {"type": "wall", "at": frames.place(at), "normal": [frames.index[body], *(side * e).tolist()],
                "reach": None, "clear": _clearance(resolved, c.places[0].point)}  # fmt: skip
    if c.type != "angle" or len(c.lines) != 2:
        return None
    base, of = c.lines
    pivot = of.through or pivot_of(resolved, body_of(of), body_of(base))
    return None if pivot is None else _angle_stop(frames, pivot, base, of, side, limit)


def _between_bodies(frames: Frames, factors: dict[str, float], limits: Limits) -> list[Thing]:
    """b.angle - a.angle: the angle of one body against another."""
    resolved = frames.resolved
    signs = sorted(factors.items(), key=lambda item: item[1])
    if [f for _, f in signs] != [-1.0, 1.0]:
        return []
    a, b = (resolved.coordinates[name] for name, _ in signs)
    if a.type != "angle" or b.type != "angle" or a.lines[0] != b.lines[0]:
        return []
    pivot = pivot_of(resolved, body_of(b.lines[1]), body_of(a.lines[1]))
    if pivot is None:
        return []
    return [_angle_stop(frames, pivot, a.lines[1], b.lines[1], side, limit) for side, limit in limits]


def _angle_stop(frames: Frames, pivot: Place, base: ResolvedLine, of: ResolvedLine, side: int, limit: float) -> Thing:
    """About a place, `turn` from the direction `way`, at a radius; forbidden is the side +1 (anticlockwise) or -1."""
    arm, offset = _arm(frames.resolved, pivot, of)
    names, body = list(frames.resolved.bodies), body_of(base)
    return {"type": "stop", "at": frames.place(pivot), "way": direction_of(frames, base)[0], "turn": limit + offset,
            "radius": ARM * arm, "side": side, "colour": names.index(body) if body in names else -1}  # fmt: skip


def _arm(resolved: ResolvedModel, pivot: Place, of: ResolvedLine) -> tuple[float, float]:
    """How long what turns is, from its pivot to its farthest point, and the angle of that against the line."""
    body, e = local_direction(of.vector)
    if body is None or body not in resolved.bodies:
        return (float(of.length) if of.length is not None else 0.0), 0.0
    own = resolved.bodies[body]
    local = own.points.get(pivot.point or "", pivot.local if pivot.body == body else None)
    if local is None:
        return 0.0, 0.0
    ends = [floats(p) - floats(local) for p in (*own.points.values(), own.center)]
    far = max(ends, key=lambda d: float(np.hypot(*d)))
    length = float(np.hypot(*far))
    if length < 1e-12:
        return wheels(resolved).get(body, 0.0), 0.0
    return length, float(np.arctan2(e[0] * far[1] - e[1] * far[0], e @ far))


def pivot_of(resolved: ResolvedModel, body: str, other: str) -> Place | None:
    """Where a body turns against another: the point both have, else the ground's, else its first."""
    if body not in resolved.bodies:
        return None
    own = resolved.bodies[body]
    shared = [p for p in own.points if other in resolved.owners.get(p, ())]
    fixed = [p for p in own.points if p in resolved.ground]
    point = next(iter([*shared, *fixed, *own.points]), None)
    return Place(body, own.center) if point is None else Place(body, own.points[point], point)


def body_of(line: ResolvedLine) -> str:
    """The body that a line belongs to, or begins at."""
    return line.vector.body if isinstance(line.vector, Direction) else line.vector.start.body


# ------------------------------------------------------------------------------------------------------ space
def space_stops(start: Start, notes: list[str]) -> list[Thing]:
    """Slabs for limits of points, blocks and collars for those of joints, as solids of the bodies they belong to."""
    out: list[Thing] = []
    for stop in start.resolved.stops:
        found = _slabs(start, stop) or _of_joint(start, stop)
        if not found:
            notes.append(not_drawn(stop))
        out += found
    return out


def _solid(start: Start, owner: str, faces: list[Face]) -> Thing:
    local = [Face(np.array(start.local(owner, face.corners)), face.sharp) for face in faces]
    middle = np.mean([face.corners.mean(axis=0) for face in local], axis=0)
    return {"frame": start.frames.index[owner], "colour": -1, "name": "", **solid(local, middle)}


def _slabs(start: Start, stop: ResolvedStop) -> list[Thing]:
    """Under the whole path of the point that may strike it, with a margin."""
    form = linear_form(start.resolved, stop.equation)
    if form is None or not any(_component(start.resolved, name) for name in form[0]):
        return []
    out, unit = [], SIGN * start.size
    for wall in _walls(start.frames, form[0], _limits(stop, form[1])):
        n, at = np.array(wall["normal"][1:]), np.array(wall["at"][1:])
        u, v = across(n)
        path = start.frames.path(start.frames.point(wall["point"]), start.frames.good) - at
        spans = [(float((path @ e).min()), float((path @ e).max())) for e in (u, v)]
        thick, margin = 0.35 * unit, 5.0 * unit
        middle = at + (wall["clear"] * unit + thick / 2) * n
        for (a, b), e in zip(spans, (u, v), strict=True):
            middle = middle + 0.5 * (a + b) * e
        sides = [*(b - a + 2 * margin for a, b in spans), thick]
        faces = box(middle, np.stack([u, v, n], axis=1), sides)
        out.append(_solid(start, GROUND, faces) | {"type": "slab", "normal": wall["normal"]})
    return out


def _of_joint(start: Start, stop: ResolvedStop) -> list[Thing]:
    """Limits of a joint's own coordinate, fixed to the joint's first body."""
    form = linear_form(start.resolved, stop.equation)
    if form is None or len(form[0]) != 1:
        return []
    ((name, factor),) = form[0].items()
    c = start.resolved.coordinates.get(name)
    joint = None if c is None else next((j for j in start.joints if j.name == c.joint), None)
    if c is None or joint is None:
        return []
    here, unit = float(np.asarray(start.motion[name])[start.sample]), SIGN * start.size
    limits = _limits(stop, form[1], factor)
    if c.type != "angle":
        at, axis = start.seats[joint.name], start.axis(joint)
        places = [at + (limit - here + side * 1.35 * unit) * axis for side, limit in limits]
        found = [cylinder(place, axis, 0.75 * unit, 0.15 * unit) for place in places]
    elif joint_class(joint.type, 3).sign in ("hinge", "sleeve"):
        found = [_block(start, joint, side, limit - here, unit) for side, limit in limits]
    else:
        return []
    return [_solid(start, joint.bodies[0], faces) for faces in found if faces]


def _block(start: Start, joint: ResolvedJoint, side: int, turn: float, unit: float) -> list[Face]:
    """Beside where the second body would be at the limit of its angle."""
    at, axis, moving = start.seats[joint.name], start.axis(joint), joint.bodies[1]
    if moving not in start.resolved.bodies:
        moving, turn, side = joint.bodies[0], -turn, -side
    reach = [p - at for p in (*start.anchors[moving], start.center(start.resolved.bodies[moving]))]
    arm = max((a - (a @ axis) * axis for a in reach), key=lambda a: float(np.linalg.norm(a)))
    length = float(np.linalg.norm(arm))
    if length < 1e-9 * start.size:
        return []
    e = arm / length
    e = np.cos(turn) * e + np.sin(turn) * np.cross(axis, e)
    n = side * np.cross(axis, e)
    middle = at + max(ARM * length, 1.5 * unit) * e + 0.95 * unit * n
    return box(middle, np.stack([e, n, np.cross(e, n)], axis=1), (1.6 * unit, 0.7 * unit, 1.2 * unit))
