"""The moving frames of a mechanism: every body, and every point that is on its own, at every sample.

A frame is three numbers in the plane (origin, angle) and seven in space (origin, quaternion with its scalar first).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...coordinates.tree.from_poses import body_motion
from ...mechanics.measure import Posture
from ...model.resolved import GROUND, Direction, Place, Span
from ...results.motion import Motion

GROUND_FRAME = -1
Thing = dict[str, Any]
"""something that is drawn, as JSON has it; places and vectors in it are [frame, x, y (, z)] in the axes of a frame"""


class Frames:
    """Poses (samples, frames, 3 or 7) of a motion, and places told in them."""

    def __init__(self, motion: Motion):
        self.motion, self.resolved = motion, motion.system.resolved
        self.dimension = self.resolved.dimension
        bare = [p for p in self.resolved.start if not self.resolved.owners.get(p)]
        self.names = [*self.resolved.bodies, *bare]
        self.index = {name: k for k, name in enumerate(self.names)} | {GROUND: GROUND_FRAME}
        width = 3 if self.dimension == 2 else 7
        self.poses = np.zeros((len(motion.t), len(self.names), width))
        here = motion.posture
        self._here = Posture(here.exploded, here.x)  # nothing here needs rates
        for k, name in enumerate(self.names):
            self.poses[:, k] = self._plane(name) if self.dimension == 2 else self._space(name)
        self.good = np.isfinite(self.poses).all(axis=(1, 2)) & np.isfinite(np.asarray(motion.t))
        """samples that can be drawn"""

    def rigid(self, name: str) -> bool:
        """Whether a frame turns."""
        body = self.resolved.bodies.get(name)
        return body is not None and not body.particle

    def _plane(self, name: str) -> np.ndarray:
        motion, out = body_motion(self._here, name), np.zeros((len(self.motion.t), 3))
        out[:, :2] = np.asarray(motion.p[0])[:, :2]
        if self.rigid(name):
            out[:, :2] -= np.asarray(motion.R[0])[:, :2, :2] @ floats(self.resolved.bodies[name].center)
            out[:, 2] = np.asarray(self.motion.body_angle(name)[0])
        return out

    def _space(self, name: str) -> np.ndarray:
        motion, out = body_motion(self._here, name), np.zeros((len(self.motion.t), 7))
        out[:, :3], out[:, 3] = np.asarray(motion.p[0]), 1.0
        if self.rigid(name):
            R = np.asarray(motion.R[0])
            out[:, :3] -= R @ floats(self.resolved.bodies[name].center)
            out[:, 3:] = quaternions(R)
        return out

    def place(self, p: Place) -> list[float]:
        """A place as [frame, x, y (, z)], in the axes of its frame."""
        if p.body == GROUND:
            return [GROUND_FRAME, *floats(p.local).tolist()]
        name = p.body if p.body in self.index else str(p.point)
        local = floats(p.local) if self.rigid(name) else np.zeros(self.dimension)
        return [self.index[name], *local.tolist()]

    def point(self, name: str) -> list[float]:
        """A named point."""
        return self.place(self.resolved.place(name))

    def path(self, place: list[float], samples: Any = slice(None)) -> np.ndarray:
        """Where a place is, in ground axes, at some of the samples: (samples, 2 or 3)."""
        frame, local = int(place[0]), np.array(place[1:])
        poses = self.poses[samples]
        if frame == GROUND_FRAME:
            return np.broadcast_to(local, (len(poses), self.dimension))
        pose = poses[:, frame]
        if self.dimension == 2:
            c, s = np.cos(pose[:, 2]), np.sin(pose[:, 2])
            return pose[:, :2] + np.stack([c * local[0] - s * local[1], s * local[0] + c * local[1]], axis=1)
        return pose[:, :3] + turned(pose[:, 3:], local)

    def carried(self, frame: int, places: Any, sample: int) -> np.ndarray:
        """Places (n, 2 or 3) in a frame's axes, in ground axes at one sample."""
        local = np.asarray(places, dtype=float).reshape(-1, self.dimension)
        if frame == GROUND_FRAME:
            return local
        pose = self.poses[sample, frame]
        if self.dimension == 2:
            c, s = np.cos(pose[2]), np.sin(pose[2])
            return pose[:2] + local @ np.array([[c, s], [-s, c]])
        return pose[:3] + turned(pose[None, 3:], local)

    def at(self, place: list[float], sample: int) -> np.ndarray:
        """Where a place is at one sample."""
        return self.carried(int(place[0]), place[1:], sample)[0]

    def direction(self, vector: list[float], sample: int) -> np.ndarray:
        """A vector [frame, x, y (, z)] in ground axes at one sample."""
        return self.at(vector, sample) - self.at([vector[0], *[0.0] * self.dimension], sample)


def local_direction(v: Direction | Span) -> tuple[str | None, np.ndarray]:
    """A line's body and its unit vector in that body's axes; no body where it joins two."""
    if isinstance(v, Direction):
        e, body = floats(v.local), v.body
    else:
        e, body = floats(v.end.local) - floats(v.start.local), v.start.body if v.start.body == v.end.body else None
    return body, e / (float(np.linalg.norm(e)) or 1.0)


def quaternions(R: np.ndarray) -> np.ndarray:
    """Of rotations (samples, 3, 3), scalar first; the sign goes on from sample to sample."""
    from scipy.spatial.transform import Rotation

    bad = np.asarray(~np.isfinite(R).all(axis=(1, 2)))
    q = Rotation.from_matrix(np.where(bad[:, None, None], np.eye(3), R)).as_quat()[:, [3, 0, 1, 2]]
    flips = np.where((q[1:] * q[:-1]).sum(axis=1) < 0, -1.0, 1.0)
    q[1:] *= np.cumprod(flips)[:, None]
    q[bad] = np.nan
    return q


def turned(q: np.ndarray, local: np.ndarray) -> np.ndarray:
    """A vector of a body in ground axes.

    >>> turned(np.array([[np.sqrt(0.5), 0, 0, np.sqrt(0.5)]]), np.array([1.0, 0, 0])).round(12).tolist()
    [[0.0, 1.0, 0.0]]
    """
    w, u = q[:, :1], q[:, 1:]
    across = 2 * np.cross(u, local)
    return local + w * across + np.cross(u, across)


def floats(vector: Any) -> np.ndarray:
    """Numbers, whatever they were given as."""
    return np.array([float(x) for x in vector])
