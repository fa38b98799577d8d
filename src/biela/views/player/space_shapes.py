"""What a mechanism in space is drawn with, each thing told once, in the axes of the body it belongs to."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...model.resolved import GROUND, ResolvedBody, ResolvedJoint
from ..plane.mechanism import convex_hull
from ..space.limits import space_stops
from ..space.scene import Pose, Scene
from ..space.signs import RODS
from ..space.solids import Ball, Surface, hull, inside
from ..space.stage import Face
from .frames import Frames
from .plane_shapes import Thing, locks, springs


class Still:
    """A scene at one sample, from which everything is told in the axes of its body."""

    def __init__(self, frames: Frames, sample: int):
        self.frames, self.scene = frames, Scene(frames.motion, sample)
        self.notes: list[str] = []

    def local(self, body: str, places: Any) -> list[Any]:
        """Places in ground axes, told in a body's own."""
        pose: Pose = self.scene.poses[body]
        return ((np.asarray(places, dtype=float) - pose.origin) @ pose.R).tolist()

    def way(self, body: str, vector: np.ndarray) -> list[float]:
        """A vector as [frame, x, y, z]."""
        if body not in self.scene.poses:
            return [-1, *np.asarray(vector).tolist()]
        return [self.frames.index[body], *(np.asarray(vector) @ self.scene.poses[body].R).tolist()]

    def place(self, body: str, at: np.ndarray) -> list[float]:
        return [self.frames.index[body], *self.local(body, at)]

    def seat(self, j: ResolvedJoint) -> list[float]:
        """Where the sign of a joint is."""
        i, k = j.bodies
        moving = k if k != GROUND else i
        known = moving in self.scene.poses and moving in self.frames.index
        return self.place(moving, self.scene.seats[j.name].at) if known else self.frames.place(j.frames[1].place)


def space_shapes(still: Still) -> list[Thing]:
    """Bars, sheets, solids, balls, masses, centres of mass: {type, frame, colour, ...}."""
    out = []
    for k, (name, body) in enumerate(still.scene.resolved.bodies.items()):
        frame = still.frames.index[name]
        out += [{"frame": frame, "colour": k, "name": name, **thing} for thing in _body(still, body)]
    for owner, faces, normal in space_stops(still.scene, 0.03 * still.scene.size, still.notes):
        solid = _solid(lambda places, owner=owner: still.local(owner, places), faces, np.zeros(3))
        slab = {} if normal is None else {"type": "slab", "normal": [-1, *normal.tolist()]}
        out.append({"frame": still.frames.index[owner], "colour": -1, "name": "", **solid, **slab})
    return out


def _body(still: Still, body: ResolvedBody) -> list[Thing]:
    if body.particle:
        return [{"type": "mass", "at": [0.0, 0.0, 0.0]}]
    scene = still.scene
    anchors, center = scene.anchors[body.name], scene.center(body)
    here = lambda places: still.local(body.name, places)  # noqa: E731
    surface, out = scene.surface(body), []
    if surface is not None:
        out += [{"type": "bar", "corners": here([center, p])} for p in anchors if not inside(surface, p, center)]
        out.append(_solid(here, surface, center))
    elif len(anchors) == 1:
        if float(np.linalg.norm(anchors[0] - center)) > 1e-6 * scene.size:
            out.append({"type": "bar", "corners": here([anchors[0], center])})
        out.append({"type": "mass", "at": here(center)})
    elif len(anchors):
        out.append(_frame(here, anchors, "rod" if body.kind == "rod" and len(anchors) == 2 else "bar"))
    elif body.mass:
        out.append({"type": "mass", "at": here(center)})
    if body.mass and body.kind != "rod":
        out.append({"type": "center", "at": here(center)})
    return out


def _solid(here: Any, surface: Surface, center: np.ndarray) -> Thing:
    if isinstance(surface, Ball):
        return {"type": "ball", "at": here(center), "radius": surface.radius}
    corners: dict[tuple, int] = {}
    faces = [[_number(corners, c) for c in face.corners] for face in surface]
    sharp = [int(face.sharp) for face in surface]
    return {"type": "solid", "corners": here(list(corners)), "faces": faces, "sharp": sharp}


def _number(corners: dict[tuple, int], corner: np.ndarray) -> int:
    key = tuple(float(f"{x:.9g}") for x in corner)
    return corners.setdefault(key, len(corners))


def _frame(here: Any, places: np.ndarray, thin: str) -> Thing:
    """A bar, a flat plate or a hull, as the places lie."""
    middle = places.mean(axis=0)
    _, spread, axes = np.linalg.svd(places - middle)
    if len(places) == 2 or spread[1] < 1e-6 * spread[0]:
        along = (places - middle) @ axes[0]
        return {"type": thin, "corners": here([places[int(np.argmin(along))], places[int(np.argmax(along))]])}
    if len(places) == 3 or spread[2] < 1e-6 * spread[0]:
        corners = middle + convex_hull((places - middle) @ axes[:2].T) @ axes[:2]
        return {"type": "sheet", "corners": here(corners)}
    surface: list[Face] = hull(places)
    return _solid(here, surface, middle)


def space_signs(still: Still) -> list[Thing]:
    """Joints with their axes, the ground, springs: {type, at, ...} with places and vectors as [frame, x, y, z]."""
    scene, frames = still.scene, still.frames
    out: list[Thing] = []
    for j in scene.joints:
        seat, (i, k) = scene.seats[j.name], j.bodies
        if seat.sign in RODS:
            ends = [frames.place(f.place) for f in j.frames]
            grounded = [f.body == GROUND for f in j.frames]
            hinge = still.way(i, seat.axis) if seat.sign == "hinged rod" else None
            out.append({"type": "link", "ends": ends, "grounded": grounded, "axis": hinge})
            continue
        out.append({
            "type": seat.sign,
            "at": still.seat(j),
            "axis": still.way(i, seat.axis),
            "other": still.way(k, seat.other),
            "side": still.way(i, seat.side),
            "colours": [list(scene.resolved.bodies).index(b) if b in scene.resolved.bodies else -1 for b in (i, k)],
            "bodies": [still.way(b, w) for b, w in zip((i, k), seat.bodies, strict=True)],
            "grounded": seat.grounded,
            "travel": list(seat.travel),
            "start": [-1, *seat.at.tolist()],
            "hand": seat.upside,
        })  # fmt: skip
    return [*out, *springs(frames), *_points(still), *_drives(still), *locks(frames)]


def _points(still: Still) -> list[Thing]:
    """A ring for every point that no joint covers; the ground where a force is anchored."""
    scene, frames = still.scene, still.frames
    covered = [seat.at for seat in scene.seats.values()]
    covered += [scene.at(f.place) for j in scene.joints for f in j.frames if scene.seats[j.name].sign == "rod"]
    covered = np.array(covered).reshape(-1, 3)
    anchored = {p.point for f in scene.resolved.forces for p in f.places if p.body == GROUND}
    out = []
    for name, at in scene.points.items():
        owners = [b for b in scene.resolved.owners.get(name, ()) if b != GROUND]
        if len(covered) and float(np.abs(covered - at).sum(axis=1).min()) < 1e-6 * scene.size:
            continue
        if name in scene.resolved.ground:
            out.append({"type": "ground" if name in anchored else "point", "at": frames.point(name)})
        elif not any(scene.resolved.bodies[b].particle for b in owners):
            out.append({"type": "point", "at": frames.point(name)})
    return out


def _drives(still: Still) -> list[Thing]:
    """An arrow round or along the axis of a joint that is driven."""
    scene = still.scene
    joints, out = {j.name: j for j in scene.joints}, []
    for driver in scene.resolved.drivers:
        c = scene.resolved.coordinates.get(driver.coordinate)
        if c is None or c.joint not in joints:
            continue
        j, seat = joints[c.joint], scene.seats[c.joint]
        body = j.bodies[1] if j.bodies[1] != GROUND else j.bodies[0]
        if body not in still.frames.index:
            continue
        kind = "turning" if c.type == "angle" else "pushing"
        axis = seat.other if c.name.endswith("angle2") else seat.axis
        out.append({"type": kind, "at": still.place(body, seat.at), "axis": still.way(j.bodies[0], axis),
                    "away": still.way(j.bodies[1], seat.bodies[1])})  # fmt: skip
    return out
