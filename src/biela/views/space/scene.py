"""A mechanism in space at one instant: where its bodies, joints and points are, before anything is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...model.joints import joint_class
from ...model.resolved import GROUND, Place, ResolvedBody, ResolvedJoint
from ...results.motion import Motion
from ..style import GREY, colour
from .signs import Seat, side_of
from .solids import SHAPES, Ball, Surface, shape
from .stage import Face


@dataclass(frozen=True)
class Pose:
    """A body's axes (columns) and origin."""

    R: np.ndarray
    origin: np.ndarray

    def at(self, local: Any) -> np.ndarray:
        return self.origin + self.R @ _array(local)


class Scene:
    """Everything in ground axes, at one sample of a motion."""

    def __init__(self, motion: Motion, at: int):
        self.motion, self.sample = motion, at
        self.resolved = motion.system.resolved
        self.poses = {GROUND: Pose(np.eye(3), np.zeros(3))}
        for name, body in self.resolved.bodies.items():
            here = motion.body_motion(name)
            R, p = np.asarray(here.R[0][at]), np.asarray(here.p[0][at])
            self.poses[name] = Pose(R, p - R @ (np.zeros(3) if body.particle else _array(body.center)))
        self.colours = {name: colour(k) for k, name in enumerate(self.resolved.bodies)} | {GROUND: GREY}
        self.points = {p: np.asarray(motion[p])[at] for p in (*self.resolved.ground, *self.resolved.start)}
        self.size = motion.system.size
        self.anchors = {name: self._anchors(body) for name, body in self.resolved.bodies.items()}
        """where other things meet each body"""
        self.seats = {j.name: self._seat(j) for j in self.joints}

    def at(self, place: Place) -> np.ndarray:
        """Where a place is."""
        if place.point in self.points and (place.body not in self.poses or self._particle(place.body)):
            return self.points[place.point]
        return self.poses[place.body].at(place.local)

    def _particle(self, body: str) -> bool:
        return body != GROUND and self.resolved.bodies[body].particle

    @cached_property
    def joints(self) -> list[ResolvedJoint]:
        """Those that hold two bodies together at places."""
        return [j for j in self.resolved.joints if len(j.frames) == 2 and joint_class(j.type, 3).sign]

    def held(self, body: str) -> int:
        """How many joints a body has."""
        return sum(body in j.bodies for j in self.joints)

    # ------------------------------------------------------------------------------------------- bodies
    def _anchors(self, body: ResolvedBody) -> np.ndarray:
        """Where other things meet a body, in ground axes: its points, and the places of its joints."""
        found = [self.poses[body.name].at(p) for p in body.points.values()]
        if body.particle:
            found = [self.points[p] for p in body.points]
        for j in self.joints:
            kind = joint_class(j.type, 3)
            for frame in j.frames:
                if frame.body == body.name and not (kind.anywhere and frame.place.point is None):
                    place = self.at(frame.place)
                    if kind.slides_along() and any(self._on_axis(j, p) for p in found):
                        continue  # a point of the body shows where it is on the axis
                    found.append(place)
        return self._distinct(found)

    def center(self, body: ResolvedBody) -> np.ndarray:
        """A body's centre of mass."""
        return self.poses[body.name].at((0, 0, 0) if body.particle else body.center)

    def surface(self, body: ResolvedBody) -> Surface | None:
        """The surface of a body that has a shape; also of one given by its inertia that hangs on one joint or none."""
        if body.particle or not (body.kind in SHAPES or (body.kind == "body" and self.held(body.name) <= 1)):
            return None
        own = shape(body)
        if own is None or isinstance(own, Ball):
            return own
        pose = self.poses[body.name]
        return [Face(pose.origin + face.corners @ pose.R.T, face.sharp) for face in own]

    def _distinct(self, places: list[np.ndarray]) -> np.ndarray:
        out: list[np.ndarray] = []
        for p in places:
            if all(float(np.linalg.norm(p - q)) > 1e-6 * self.size for q in out):
                out.append(p)
        return np.array(out).reshape(-1, 3)

    # ------------------------------------------------------------------------------------------- joints
    def _seat(self, j: ResolvedJoint) -> Seat:
        """How to draw a joint."""
        (i, k), kind = j.frames, joint_class(j.type, 3)
        axis = self.poses[i.body].R @ _array(i.e3) if i.body in self.poses else np.eye(3)[2]
        other = self.poses[k.body].R @ _array(k.e3) if k.body in self.poses else axis
        side = self.poses[i.body].R @ _array(i.e1) if i.body in self.poses else side_of(axis)
        moving = k if k.body != GROUND else i
        place = self.at(moving.place)
        travel = (0.0, 0.0)
        if kind.slides_along():
            if moving.body in self.resolved.bodies:
                points = self.resolved.bodies[moving.body].points
                own = [self.at(Place(moving.body, p, name)) for name, p in points.items()]
                place = next((p for p in own if self._on_axis(j, p)), place)
            if GROUND in j.bodies:
                travel = self._travel(moving.place, axis)
        first, second = ((self.colours.get(b, GREY), self._way(place, b)) for b in j.bodies)
        hand = -1.0 if kind.sign == "thread" and j.value is not None and float(j.value) < 0 else 1.0
        colours, ways = (first[0], second[0]), (first[1], second[1])
        return Seat(kind.sign, place, axis, other, side, colours, ways, GROUND in j.bodies, travel, hand)

    def _on_axis(self, j: ResolvedJoint, p: np.ndarray) -> bool:
        i = j.frames[0]
        axis, arm = self.poses[i.body].R @ _array(i.e3), p - self.at(j.frames[1].place)
        return float(np.linalg.norm(arm - (arm @ axis) * axis)) < 1e-5 * self.size

    def _travel(self, place: Place, axis: np.ndarray) -> tuple[float, float]:
        """How far a place goes along a direction of the ground, over all samples."""
        path = np.asarray(self.motion.posture.place(place)[0])
        way = (path - path[self.sample]) @ axis
        way = way[np.isfinite(way)]
        return float(way.min(initial=0.0)), float(way.max(initial=0.0))

    def _way(self, place: np.ndarray, body: str) -> np.ndarray:
        """From a place towards the middle of a body; the ground is nowhere in particular."""
        if body not in self.resolved.bodies:
            return np.zeros(3)
        anchors = self.anchors[body]
        middle = anchors.mean(axis=0) if len(anchors) > 1 else self.center(self.resolved.bodies[body])
        return middle - place


def _array(vector: Any) -> np.ndarray:
    return np.array([float(x) for x in vector])
