"""Stops of a mechanism in space as solids: a slab for a limit of a point, a block or a collar for that of a joint."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...model import expression as ex
from ...model.resolved import GROUND, ResolvedJoint, ResolvedStop
from ..limits import ARM, Wall, drawn, linear_form, not_drawn
from .scene import Scene
from .solids import across, box, cylinder
from .stage import Face


class Solid(NamedTuple):
    """The body that a stop belongs to, its surface in ground axes, and for slabs the normal to the forbidden side."""

    body: str
    faces: list[Face]
    normal: np.ndarray | None = None


def space_stops(scene: Scene, unit: float, notes: list[str] | None = None) -> list[Solid]:
    """All that can be drawn of the stops; `unit` is the size of the signs in metres."""
    out: list[Solid] = []
    for stop in scene.resolved.stops:
        walls = [m for m in drawn(scene.motion, stop) if isinstance(m, Wall)]
        found = [Solid(GROUND, _slab(scene, stop, w, unit), np.array(w.normal)) for w in walls]
        found = found or _of_joint(scene, stop, unit)
        if not found and notes is not None:
            notes.append(not_drawn(stop))
        out += found
    return out


def _slab(scene: Scene, stop: ResolvedStop, wall: Wall, unit: float) -> list[Face]:
    """Under the whole path of the point that may strike it, with a margin."""
    n, at = np.array(wall.normal), np.array([float(x) for x in wall.at.local])
    u, v = across(n)
    point = next(name.rpartition(".")[0] for name in ex.names(stop.equation) if name.rpartition(".")[0] in scene.points)
    path = np.asarray(scene.motion[point], dtype=float)
    path = path[np.isfinite(path).all(axis=1)] - at
    spans = [(float((path @ e).min()), float((path @ e).max())) for e in (u, v)]
    thick, margin = 0.35 * unit, 5.0 * unit
    middle = at + (wall.clear * unit + thick / 2) * n
    for (a, b), e in zip(spans, (u, v), strict=True):
        middle = middle + 0.5 * (a + b) * e
    sides = [*(b - a + 2 * margin for a, b in spans), thick]
    return box(middle, np.stack([u, v, n], axis=1), sides)


def _of_joint(scene: Scene, stop: ResolvedStop, unit: float) -> list[Solid]:
    """Limits of a joint's own coordinate, fixed to the joint's first body."""
    form = linear_form(scene.resolved, stop.equation)
    if form is None or len(form[0]) != 1:
        return []
    ((name, factor),) = form[0].items()
    c = scene.resolved.coordinates.get(name)
    joint = None if c is None else next((j for j in scene.joints if j.name == c.joint), None)
    if c is None or joint is None:
        return []
    limits = [(k * np.sign(factor), (float(x) - form[1]) / factor)
              for k, x in ((-1, stop.lower), (1, stop.upper)) if x is not None]  # fmt: skip
    here = float(np.asarray(scene.motion[name])[scene.sample])
    if c.type == "angle" and scene.seats[joint.name].sign in ("hinge", "sleeve"):
        found = [_block(scene, joint, side, limit - here, unit) for side, limit in limits]
    elif c.type != "angle":
        seat = scene.seats[joint.name]
        places = [seat.at + (limit - here + side * 1.35 * unit) * seat.axis for side, limit in limits]
        found = [cylinder(at, seat.axis, 0.75 * unit, 0.15 * unit) for at in places]
    else:
        return []
    return [Solid(joint.bodies[0], faces) for faces in found if faces]


def _block(scene: Scene, joint: ResolvedJoint, side: float, turn: float, unit: float) -> list[Face]:
    """Beside where the second body would be at the limit of its angle."""
    seat, moving = scene.seats[joint.name], joint.bodies[1]
    if moving not in scene.resolved.bodies:
        moving, turn, side = joint.bodies[0], -turn, -side
    reach = [p - seat.at for p in (*scene.anchors[moving], scene.center(scene.resolved.bodies[moving]))]
    arms = [a - (a @ seat.axis) * seat.axis for a in reach]
    arm = max(arms, key=lambda a: float(np.linalg.norm(a)))
    length = float(np.linalg.norm(arm))
    if length < 1e-9 * scene.size:
        return []
    e = arm / length
    e = np.cos(turn) * e + np.sin(turn) * np.cross(seat.axis, e)
    n = side * np.cross(seat.axis, e)
    middle = seat.at + max(ARM * length, 1.5 * unit) * e + 0.95 * unit * n
    return box(middle, np.stack([e, n, np.cross(e, n)], axis=1), (1.6 * unit, 0.7 * unit, 1.2 * unit))
