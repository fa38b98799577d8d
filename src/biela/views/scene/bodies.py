"""Bodies as shapes in their own axes: {type, frame, colour, name, ...}.

In the plane bars, rods, plates, outlines, discs and masses; in space bars, rods, sheets, solids, balls and masses; in
both the centre of mass.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from ...model.joints import joint_class
from ...model.resolved import ResolvedBody, ResolvedModel
from .frames import Frames, Thing, floats
from .solids import SHAPES, Ball, Surface, convex_hull, hull, inside, shape
from .space import Start, fork_depth


# -------------------------------------------------------------------------------------------------- the plane
def plane_bodies(frames: Frames, blocks: set[str]) -> list[Thing]:
    """`blocks` are points at which a block slides: a point mass there is the block."""
    radii = wheels(frames.resolved)
    return [
        {"frame": frames.index[name], "colour": k, "name": name, **thing}
        for k, (name, body) in enumerate(frames.resolved.bodies.items())
        if not (body.particle and set(body.points) & blocks)
        for thing in _in_the_plane(body, radii.get(name))
    ]


def _in_the_plane(body: ResolvedBody, wheel: float | None) -> list[Thing]:
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
        ends = convex_hull(corners) if len(corners) else corners
        kind = "rod" if body.kind == "rod" else "bar" if len(ends) == 2 else "plate"
        if len(ends) > 1:
            out.append({"type": kind, "corners": (corners if kind == "rod" else ends).tolist()})
            if kind == "bar" and body.mass:
                out += _stalk(ends, center)
        elif not len(corners) or float(np.linalg.norm(corners[0] - center)) < 1e-12:
            out.append({"type": "mass", "at": center.tolist()})
        else:
            out.append({"type": "bar", "corners": [corners[0].tolist(), center.tolist()]})
    if body.kind != "rod" and body.mass:
        out.append({"type": "center", "at": center.tolist()})
    return out


def _stalk(ends: np.ndarray, center: np.ndarray) -> list[Thing]:
    """A thin line to a centre of mass that lies beside its bar, so that it is seen to belong to it."""
    along = ends[1] - ends[0]
    foot = ends[0] + float(np.clip((center - ends[0]) @ along / (along @ along), 0, 1)) * along
    if float(np.hypot(*(center - foot))) < 1e-6 * float(np.hypot(*along)):
        return []
    return [{"type": "stalk", "corners": [foot.tolist(), center.tolist()]}]


def plate_sides(body: ResolvedBody) -> tuple[float, float]:
    """Width and height of a plate: its points are taken to be on its edges, its inertia says the rest.

    >>> points = {"A": (0.0, 0.0), "B": (2.0, 0.0)}
    >>> plate_sides(ResolvedBody("p", "plate", points, 3.0, (1.0, 0.5), 3.0 * (4 + 1) / 12))
    (2.0, 1.0)
    """
    square = 12 * float(body.inertia) / float(body.mass)  # w^2 + h^2
    away = np.abs(np.array(list(body.points.values()), dtype=float) - np.array(body.center, dtype=float)) * 2
    w, h = (float(x) for x in away.max(axis=0))
    if abs(w * w + h * h - square) < 1e-9 * square:
        return w, h
    if 0 < w * w < square:
        return w, sqrt(square - w * w)
    if 0 < h * h < square:
        return sqrt(square - h * h), h
    return sqrt(square / 2), sqrt(square / 2)


def wheels(resolved: ResolvedModel) -> dict[str, float]:
    """Bodies of the plane that only turn about their centre, and the radius to draw them with: that of a disc of
    their mass and inertia, but never so large that they cover each other."""
    middle = {}
    for name, body in resolved.bodies.items():
        places = [floats(p) - floats(body.center) for p in body.points.values()]
        if body.kind == "body" and not body.particle and float(body.inertia) > 0 and len(places) == 1:
            point = next(iter(body.points))
            if float(np.hypot(*places[0])) < 1e-9:
                middle[name] = floats(resolved.ground.get(point, resolved.start.get(point, (0.0, 0.0))))
    out = {}
    others = [floats(p) for p in (*resolved.ground.values(), *resolved.start.values())]
    for name, at in middle.items():
        away = [d for p in others if (d := float(np.hypot(*(p - at)))) > 1e-9]
        body = resolved.bodies[name]
        radius = float(np.sqrt(2 * float(body.inertia) / float(body.mass))) if body.mass else np.inf
        radius = min([radius, *(0.4 * d for d in away)])
        out[name] = radius if np.isfinite(radius) else 1.0
    return out


# ------------------------------------------------------------------------------------------------------ space
def space_bodies(start: Start) -> list[Thing]:
    return [
        {"frame": start.frames.index[name], "colour": k, "name": name, **thing}
        for k, (name, body) in enumerate(start.resolved.bodies.items())
        for thing in _in_space(start, body)
    ]


def _in_space(start: Start, body: ResolvedBody) -> list[Thing]:
    if body.particle:
        return [{"type": "mass", "at": [0.0, 0.0, 0.0]}]
    anchors, center, surface = start.anchors[body.name], start.center(body), _surface(start, body)
    own = floats(body.center)
    local = np.array(start.local(body.name, anchors)).reshape(-1, 3)
    out: list[Thing] = []
    if surface is not None:
        within = [p for p in local if inside(surface, p, own)]
        out += [{"type": "bar", "corners": [own.tolist(), p.tolist()], "lift": -0.5}
                for p in local if not inside(surface, p, own)]  # fmt: skip
        out.append({**solid(surface, own), "anchors": np.array(within).reshape(-1, 3).tolist()})
    elif len(anchors) == 1:
        apart = not start.near(center, anchors)
        if apart:
            out.append({"type": "bar", "corners": [local[0].tolist(), own.tolist()]})
        if body.mass or not apart:
            out.append({"type": "mass", "at": own.tolist(), "covered": not apart})
    elif len(anchors):
        thin = "rod" if body.kind == "rod" and len(anchors) == 2 else "bar"
        out.append(_frame(local, thin) | _set_back(start, body.name, thin))
    elif body.mass:
        out.append({"type": "mass", "at": own.tolist()})
    if body.mass and body.kind != "rod":
        out.append({"type": "center", "at": own.tolist(), "covered": start.near(center, anchors)})
    return out


def _surface(start: Start, body: ResolvedBody) -> Surface | None:
    """The surface of a body that has a shape; also of one given by its inertia that hangs on one joint or none."""
    formless = body.kind == "body" and len(start.joints_of(body.name)) <= 1
    return shape(body) if body.kind in SHAPES or formless else None


def _frame(places: np.ndarray, thin: str) -> Thing:
    """A bar, a flat plate or a hull, as the places lie."""
    middle = places.mean(axis=0)
    _, spread, axes = np.linalg.svd(places - middle)
    if len(places) == 2 or spread[1] < 1e-6 * spread[0]:
        along = (places - middle) @ axes[0]
        ends = places if len(places) == 2 else places[[int(np.argmin(along)), int(np.argmax(along))]]
        return {"type": thin, "corners": ends.tolist()}
    if len(places) == 3 or spread[2] < 1e-6 * spread[0]:
        return {"type": "sheet", "corners": (middle + convex_hull((places - middle) @ axes[:2].T) @ axes[:2]).tolist()}
    return solid(hull(places), middle)


def _set_back(start: Start, body: str, thin: str) -> Thing:
    """How far the two ends of a bar are moved back to the roots of the forks of universal joints (in units)."""
    anchors, back = start.anchors[body], [0.0, 0.0]
    if thin == "bar" and len(anchors) == 2:
        for j in start.joints_of(body):
            for k, p in enumerate(anchors):
                if joint_class(j.type, 3).sign == "cross" and start.near(start.seats[j.name], [p]):
                    back[k] = fork_depth(start, j, body)
    return {"back": back} if any(back) else {}


def solid(surface: Surface, center: np.ndarray) -> Thing:
    """A surface as its middle, its corners, and faces by the numbers of these."""
    if isinstance(surface, Ball):
        return {"type": "ball", "at": center.tolist(), "radius": surface.radius}
    corners: dict[tuple, int] = {}
    faces = [[_number(corners, c) for c in face.corners] for face in surface]
    return {"type": "solid", "at": center.tolist(), "corners": [list(c) for c in corners], "faces": faces,
            "sharp": [int(face.sharp) for face in surface]}  # fmt: skip


def _number(corners: dict[tuple, int], corner: np.ndarray) -> int:
    key = tuple(float(f"{x:.9g}") for x in corner)
    return corners.setdefault(key, len(corners))


__all__ = ["plane_bodies", "plate_sides", "solid", "space_bodies", "wheels"]
