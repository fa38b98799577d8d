"""A mechanism in space where it starts: where things meet its bodies and where its joints are, in the bodies' axes."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ...model.joints import joint_class
from ...model.resolved import GROUND, Place, ResolvedBody, ResolvedJoint
from .frames import Frames, Thing, floats
from .signs import FORK, JOINTS, LINKS, Part
from .solids import across

SIGN = 0.03
"""about the size of a sign over that of the mechanism, where it must be known before anything is drawn"""


class Start:
    """Everything in ground axes, at the first sample that can be drawn."""

    def __init__(self, frames: Frames, sample: int):
        self.frames, self.motion, self.resolved, self.sample = frames, frames.motion, frames.resolved, sample
        self.size = self.motion.system.size
        self.points = {p: frames.at(frames.point(p), sample) for p in (*self.resolved.ground, *self.resolved.start)}
        self.axes = {GROUND: np.eye(3), **{name: self._axes(name) for name in self.resolved.bodies}}
        """of each body, as columns"""
        self.joints = [j for j in self.resolved.joints if len(j.frames) == 2 and joint_class(j.type, 3).sign]
        """those that hold two bodies together at places"""
        self.anchors = {name: self._anchors(body) for name, body in self.resolved.bodies.items()}
        """where other things meet each body: its points, and the places of its joints"""

    def _axes(self, body: str) -> np.ndarray:
        frame = self.frames.index[body]
        return np.stack([self.frames.direction([frame, *e], self.sample) for e in np.eye(3).tolist()], axis=1)

    def at(self, place: Place) -> np.ndarray:
        """Where a place is."""
        return self.frames.at(self.frames.place(place), self.sample)

    def center(self, body: ResolvedBody) -> np.ndarray:
        """A body's centre of mass."""
        return self.at(Place(body.name, body.center))

    def near(self, place: np.ndarray, others: Any, tolerance: float = 1e-6) -> bool:
        """Whether a place is one of some others."""
        return any(float(np.linalg.norm(place - p)) < tolerance * self.size for p in others)

    # ------------------------------------------------------------------------ as places and vectors of frames
    def local(self, body: str, places: Any) -> list[Any]:
        """Places in ground axes, told in a body's own."""
        origin = self.frames.at([self.frames.index[body], 0.0, 0.0, 0.0], self.sample)
        return ((np.asarray(places, dtype=float) - origin) @ self.axes[body]).tolist()

    def place(self, body: str, at: np.ndarray) -> list[float]:
        return [self.frames.index[body], *self.local(body, at)]

    def vector(self, body: str, v: np.ndarray) -> list[float]:
        """A vector as [frame, x, y, z]."""
        if body not in self.axes:
            return [-1, *np.asarray(v).tolist()]
        return [self.frames.index[body], *(np.asarray(v) @ self.axes[body]).tolist()]

    # ---------------------------------------------------------------------------------------------- bodies
    def _anchors(self, body: ResolvedBody) -> np.ndarray:
        found = [self.at(Place(body.name, local, p)) for p, local in body.points.items()]
        for j in self.joints:
            kind = joint_class(j.type, 3)
            for frame in j.frames:
                if frame.body == body.name and not (kind.anywhere and frame.place.point is None):
                    if kind.slides_along() and any(self._on_axis(j, p) for p in found):
                        continue  # a point of the body shows where it is on the axis
                    found.append(self.at(frame.place))
        distinct: list[np.ndarray] = []
        for p in found:
            if not self.near(p, distinct):
                distinct.append(p)
        return np.array(distinct).reshape(-1, 3)

    def joints_of(self, body: str) -> list[ResolvedJoint]:
        return [j for j in self.joints if body in j.bodies]

    # ---------------------------------------------------------------------------------------------- joints
    @cached_property
    def seats(self) -> dict[str, np.ndarray]:
        """Where the sign of each joint is: of one that slides, where a point of the moving body is on the axis."""
        return {j.name: self._seat(j) for j in self.joints}

    def _seat(self, j: ResolvedJoint) -> np.ndarray:
        moving = _moving(j)
        if joint_class(j.type, 3).slides_along() and moving.body in self.resolved.bodies:
            for name, local in self.resolved.bodies[moving.body].points.items():
                p = self.at(Place(moving.body, local, name))
                if self._on_axis(j, p):
                    return p
        return self.at(moving.place)

    def from_posture(self, j: ResolvedJoint) -> list[float]:
        """The same as a place of the moving body."""
        moving = _moving(j).body
        known = moving in self.axes and moving in self.frames.index
        return self.place(moving, self.seats[j.name]) if known else self.frames.place(j.frames[1].place)

    def axis(self, j: ResolvedJoint, body: int = 0) -> np.ndarray:
        """The joint's axis on its first or second body."""
        frame = j.frames[body]
        if frame.body in self.axes:
            return self.axes[frame.body] @ floats(frame.e3)
        return np.eye(3)[2] if body == 0 else self.axis(j)

    def _on_axis(self, j: ResolvedJoint, p: np.ndarray) -> bool:
        axis, arm = self.axis(j), p - self.at(j.frames[1].place)
        return float(np.linalg.norm(arm - (arm @ axis) * axis)) < 1e-5 * self.size

    def towards(self, place: np.ndarray, body: str) -> np.ndarray:
        """From a place to the middle of a body; the ground is nowhere in particular."""
        if body not in self.resolved.bodies:
            return np.zeros(3)
        anchors = self.anchors[body]
        return (anchors.mean(axis=0) if len(anchors) > 1 else self.center(self.resolved.bodies[body])) - place


def _moving(j: ResolvedJoint) -> Any:
    """The joint's frame on the body that moves."""
    return j.frames[1] if j.frames[1].body != GROUND else j.frames[0]


# ------------------------------------------------------------------------------------------------------ signs
def joint_signs(start: Start) -> list[Thing]:
    """Joints with their axes: {type, parts, at, axis, ...}; rods as links with signs at their ends."""
    links = [j for j in start.joints if joint_class(j.type, 3).sign in LINKS]
    return [thing for j in start.joints for thing in (_link(start, j) if j in links else [_joint(start, j)])]


def _link(start: Start, j: ResolvedJoint) -> list[Thing]:
    ends = [start.frames.place(f.place) for f in j.frames]
    words = LINKS[joint_class(j.type, 3).sign]
    signs = [_sign(word, JOINTS[word], at, start.vector(j.bodies[0], start.axis(j)), f.body == GROUND)
             for word, at, f in zip(words, ends, j.frames, strict=True)]  # fmt: skip
    return [{"type": "link", "ends": ends}, *signs]


def _sign(word: str, parts: list[Part], at: list[float], axis: list[float], grounded: bool) -> Thing:
    """What every sign of a joint has."""
    none = [-1, 0.0, 0.0, 0.0]
    return {"type": word, "parts": parts, "at": at, "shift": 0.0, "axis": axis, "other": axis, "side": axis,
            "colours": [-1, -1], "bodies": [none, none], "grounded": grounded, "travel": [0.0, 0.0], "start": none,
            "hand": 1.0}  # fmt: skip


def _joint(start: Start, j: ResolvedJoint) -> Thing:
    kind, (i, k), at = joint_class(j.type, 3), j.bodies, start.seats[j.name]
    axis, grounded = start.axis(j), GROUND in j.bodies
    side = start.axes[i] @ floats(j.frames[0].e1) if i in start.axes else across(axis)[0]
    bodies = list(start.resolved.bodies)
    left_handed = kind.sign == "thread" and j.value is not None and float(j.value) < 0
    return {
        **_sign(kind.sign, JOINTS.get(kind.sign, []), start.from_posture(j), start.vector(i, axis), grounded),
        "shift": _shift(start, j),
        "other": start.vector(k, start.axis(j, 1)),
        "side": start.vector(i, side),
        "colours": [bodies.index(b) if b in bodies else -1 for b in (i, k)],
        "bodies": [start.vector(b, start.towards(at, b)) for b in (i, k)],
        "travel": _travel(start, j) if grounded and kind.slides_along() else [0.0, 0.0],
        "start": [-1, *at.tolist()],
        "hand": -1.0 if left_handed else 1.0,
    }


def _travel(start: Start, j: ResolvedJoint) -> list[float]:
    """How far it goes along its axis of the ground, over all samples."""
    path = start.frames.path(start.frames.place(_moving(j).place), start.frames.good)
    way = (path - start.frames.at(start.frames.place(_moving(j).place), start.sample)) @ start.axis(j)
    return [float(way.min(initial=0.0)), float(way.max(initial=0.0))]


def _shift(start: Start, j: ResolvedJoint) -> float:
    """Hinges that share a place, as in a wrist, move along their axes to the body that goes that way (in units)."""
    at, unit = start.seats[j.name], SIGN * start.size
    mates = [k for k in start.joints if k is not j and start.near(start.seats[k.name], [at])]
    hinges = [k for k in (j, *mates) if joint_class(k.type, 3).sign == "hinge"]
    if j not in hinges or len(hinges) < 2 or GROUND in j.bodies:
        return 0.0
    arms = [start.towards(at, b) for b in j.bodies]
    along = [float(a @ start.axis(j)) / n for a in arms if (n := float(np.linalg.norm(a))) > unit]
    best = max(along, key=abs, default=0.0)
    return 2.3 * float(np.sign(best)) if abs(best) > 0.7 else 0.0


def fork_depth(start: Start, j: ResolvedJoint, body: str) -> float:
    """How far from a universal joint the bar of a body ends: at the root of its fork (in units)."""
    axis, way = start.axis(j, j.bodies.index(body)), start.towards(start.seats[j.name], body)
    return FORK[1] * float(np.linalg.norm(way - (way @ axis) * axis) / (np.linalg.norm(way) or 1.0))


def point_signs(start: Start, anchored: set[str | None]) -> list[Thing]:
    """A ring for every point that no joint covers; the ground where a force is anchored."""
    rods = [j for j in start.joints if joint_class(j.type, 3).sign in LINKS]
    covered = [*start.seats.values(), *(start.at(f.place) for j in rods for f in j.frames)]
    out: list[Thing] = []
    for name, at in start.points.items():
        owners = [b for b in start.resolved.owners.get(name, ()) if b != GROUND]
        if start.near(at, covered):
            continue
        if name in start.resolved.ground:
            out.append({"type": "ground" if name in anchored else "point", "at": start.frames.point(str(name))})
        elif not any(start.resolved.bodies[b].particle for b in owners):
            out.append({"type": "point", "at": start.frames.point(str(name))})
    return out


def driven_signs(start: Start) -> list[Thing]:
    """An arrow round or along the axis of a joint that is driven."""
    joints, out = {j.name: j for j in start.joints}, []
    for driver in start.resolved.drivers:
        c = start.resolved.coordinates.get(driver.coordinate)
        j = None if c is None else joints.get(c.joint or "")
        if c is None or j is None or _moving(j).body not in start.frames.index:
            continue
        turns, second = c.type == "angle", c.name.endswith("angle2")
        axis = start.vector(j.bodies[0], start.axis(j, 1 if second else 0))
        away = start.vector(j.bodies[1], start.towards(start.seats[j.name], j.bodies[1]))
        out.append({"type": "turning" if turns else "pushing", "at": start.from_posture(j), "axis": axis, "away": away})
    return out
