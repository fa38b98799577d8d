"""What a mechanism of the plane is drawn with, each thing told once, in the axes of the body it belongs to."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from ...model.joints import joint_class
from ...model.resolved import GROUND, Direction, ResolvedBody, ResolvedLine
from ..limits import AngleStop, Wall, holds, sliding_points, stop_marks, wheels
from ..plane.drives import driven_pins
from ..plane.mechanism import convex_hull, plate_sides, point_signs
from ..springs import bare_anchor, spring_signs, wall_distance
from .frames import Frames, floats

Thing = dict[str, Any]


def plane_shapes(frames: Frames) -> list[Thing]:
    """Bars, rods, plates, discs, masses, centres of mass: {type, frame, colour, ...}."""
    discs, sliding = wheels(frames.resolved), set(sliding_points(frames.resolved))
    return [
        {"frame": frames.index[name], "colour": k, "name": name, **thing}
        for k, (name, body) in enumerate(frames.resolved.bodies.items())
        if not (body.particle and set(body.points) & sliding)  # else the block is the mass
        for thing in _body(body, discs.get(name))
    ]


def _body(body: ResolvedBody, wheel: float | None) -> list[Thing]:
    if body.particle:
        return [{"type": "mass", "at": [0.0, 0.0]}]
    center = floats(body.center)
    corners = np.array([floats(p) for p in body.points.values()]).reshape(-1, 2)
    out: list[Thing] = []
    if wheel is not None or (body.kind == "disc" and body.mass):
        radius = wheel or sqrt(2 * float(body.inertia) / float(body.mass))
        out.append({"type": "disc", "at": center.tolist(), "radius": radius})
    elif body.kind == "plate" and body.mass:
        w, h = plate_sides(body)
        outline = center + np.array([(-w, -h), (w, -h), (w, h), (-w, h)]) / 2
        out.append({"type": "outline", "corners": outline.tolist()})
    else:
        hull = convex_hull(corners) if len(corners) else corners
        kind = "rod" if body.kind == "rod" else "bar" if len(hull) == 2 else "plate"
        if len(hull) > 1:
            out.append({"type": kind, "corners": (corners if kind == "rod" else hull).tolist()})
        elif not len(corners) or float(np.linalg.norm(corners[0] - center)) < 1e-12:
            out.append({"type": "mass", "at": center.tolist()})
        else:
            out.append({"type": "bar", "corners": [corners[0].tolist(), center.tolist()]})
    if body.kind != "rod" and body.mass:
        out.append({"type": "center", "at": center.tolist()})
    return out


def plane_signs(frames: Frames, kept: np.ndarray) -> list[Thing]:
    """Pins, ground, slides, springs, dampers, stops, locks: {type, at, ...} with places as [frame, x, y]."""
    return [*_slides(frames, kept), *springs(frames), *_rods(frames), *_stops(frames), *_pins(frames),
            *_drives(frames), *locks(frames)]  # fmt: skip


def springs(frames: Frames) -> list[Thing]:
    """Springs and dampers, those between the same two places together."""
    return [
        {
            "type": "springs",
            "ends": [frames.place(p) for p in places],
            "signs": [s.__name__ for s in signs],
            "walls": [bare_anchor(p) for p in places],
        }
        for places, signs in spring_signs(frames.motion)
        if signs
    ]


def _rods(frames: Frames) -> list[Thing]:
    """Distances that are kept, as rods without mass."""
    return [
        {"type": "rod", "ends": [frames.place(p) for p in j.places]}
        for j in frames.resolved.joints
        if joint_class(j.type, 2).sign == "rod"
    ]


def _pins(frames: Frames) -> list[Thing]:
    signs = point_signs(frames.resolved)
    return [{"type": sign, "at": frames.point(name)} for name, sign in signs.items() if sign is not None]


def _stops(frames: Frames) -> list[Thing]:
    """Walls, angular stops, limits of distances."""
    out: list[Thing] = []
    names = list(frames.resolved.bodies)
    for mark in stop_marks(frames.motion):
        if isinstance(mark, Wall):
            index = frames.index[mark.at.body]
            out.append({"type": "wall", "at": frames.place(mark.at), "normal": [index, *mark.normal],
                        "reach": mark.reach, "clear": mark.clear})  # fmt: skip
        elif isinstance(mark, AngleStop):
            colour = -1 if mark.body == GROUND else names.index(mark.body)
            out.append({"type": "stop", "at": frames.place(mark.at), "way": _way(frames, mark.line)[0],
                        "turn": mark.turn, "radius": mark.radius, "side": mark.side, "colour": colour})  # fmt: skip
        else:
            out.append({"type": "reach", "ends": [frames.place(p) for p in mark.ends], "radius": mark.radius,
                        "side": mark.side})  # fmt: skip
    return out


def locks(frames: Frames) -> list[Thing]:
    """Clutches between two places, brakes at one; and when they are closed."""
    radii = wheels(frames.resolved) if frames.dimension == 2 else {}
    return [
        {
            "type": "lock",
            "ends": [frames.place(p) for p in h.ends],
            "closed": [list(span) for span in h.closed],
            "rims": [radii.get(p.body, 0.0) for p in h.ends],
        }
        for h in holds(frames.motion)
    ]


def _slides(frames: Frames, kept: np.ndarray) -> list[Thing]:
    """Slots and slides: a block on a line, as long as the block travels if the line is the ground's."""
    out = []
    for joint in frames.resolved.joints:
        if joint_class(joint.type, 2).sign != "guide":
            continue
        line = joint.lines[0]
        block = joint.places[0] if joint.places else joint.lines[-1].through
        if block is None:
            continue
        way, fixed = _way(frames, line)
        at, travel = frames.place(block), [0.0, 0.0]
        if fixed:
            u = np.array(way[1][1:]) - np.array(way[0][1:])
            path = frames.path(at, kept)
            along = (path - path[0]) @ (u / (float(np.hypot(*u)) or 1.0))
            travel = [float(along.min()), float(along.max())]
            away = wall_distance(frames.motion, block, u / (float(np.hypot(*u)) or 1.0), int(kept[0]))
            out.append({"type": "guide", "at": [-1, *path[0].tolist()], "way": way, "travel": travel, "away": away})
        owners = frames.resolved.owners.get(block.point or "", ())
        mass = next((b for b in owners if b in frames.resolved.bodies and frames.resolved.bodies[b].particle), None)
        colour = -1 if mass is None else list(frames.resolved.bodies).index(mass)
        out.append({"type": "slider", "at": at, "way": way, "rail": not fixed, "colour": colour})
    return out


def _way(frames: Frames, line: ResolvedLine) -> tuple[list[list[float]], bool]:
    """A direction as two places, from the first to the second; and whether it is the ground's."""
    v = line.vector
    if isinstance(v, Direction):
        index = frames.index[v.body]
        return [[index, 0.0, 0.0], [index, *floats(v.local).tolist()]], v.body == GROUND
    return [frames.place(v.start), frames.place(v.end)], v.start.body == GROUND and v.end.body == GROUND


def _drives(frames: Frames) -> list[Thing]:
    """A turning arrow where an angle is driven, at the pin it is measured at, if there is one."""
    return [{"type": "turning", "at": frames.place(place)} for place in driven_pins(frames.resolved)]
