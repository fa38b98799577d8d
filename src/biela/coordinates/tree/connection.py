"""Joints as steps of freedom from one body to another: what a tree of relative coordinates is made of (001 15.5).

A connection says where the joint is on both bodies, and which freedoms lead from the first to the second: slides and
turns about axes of the joint, or a quaternion. Joints that are not of this kind (a distance, gears) stay equations.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ...model.joints import joint_class
from ...model.joints.steps import BALL, SLIDE, TURN, Step, X, Y, Z
from ...model.resolved import GROUND, Place, ResolvedJoint
from ...model.vectors import IDENTITY, Matrix, Vec, columns, three
from .frames import Frames


@dataclass(frozen=True)
class End:
    """Where a joint sits on a body: a point and the axes of the joint, in the body's own axes."""

    body: str
    point: Vec
    axes: Matrix = IDENTITY


@dataclass(frozen=True)
class Connection:
    """A joint that a tree can follow. With all coordinates zero, the second end's axes are the first's times `zero`."""

    joint: str
    first: End
    second: End
    steps: tuple[Step, ...]
    zero: Matrix = IDENTITY

    @property
    def freedom(self) -> int:
        return sum(s.freedom for s in self.steps)


def connect(j: ResolvedJoint, frames: Frames) -> Connection | None:
    """The connection of a joint, None if it must stay an equation."""
    kind = joint_class(j.type, frames.dimension)
    c = None
    if kind.freedoms is not None:
        c = _in_space(j, frames, kind) if j.frames else _in_plane(j, frames, kind)
    if c is None or c.first.body == c.second.body:
        return None
    names = frames.own_names.get(j.name, {})
    steps = [Step(s.kind, s.axis, s.pitch, _name(j, s, names.get(k))) for k, s in enumerate(c.steps)]
    return Connection(c.joint, c.first, c.second, tuple(steps), c.zero)


def _name(j: ResolvedJoint, s: Step, own: str | None) -> str:
    if s.kind == BALL:
        return j.name
    if j.implied and "@" in j.name:  # a pin that is a shared point
        point, body = j.name.split("@", 1)
        return f"{point}.angle@{body}"
    return own if own is not None and s.pitch == 0 else f"{j.name}.{s.name}"


def free_connection(key: str, frames: Frames) -> Connection:
    """Reference-point coordinates of one body: its centre of mass and its angle, or its quaternion.   001 15.3"""
    slides = [Step(SLIDE, axis, name=f"{key}.{n}") for axis, n in zip((X, Y, Z), "xyz", strict=True)]
    steps = slides[: frames.dimension]
    if not frames.is_particle(key):
        steps.append(Step(TURN, Z, name=f"{key}.angle") if frames.dimension == 2 else Step(BALL, name=key))
    return Connection(f"{key}.free", End(GROUND, (0, 0, 0)), End(key, frames.center_of(key)), tuple(steps))


# ------------------------------------------------------------------------------------------- in the plane
def _end(frames: Frames, p: Place) -> End:
    local = (0, 0, 0) if p.body != GROUND and frames.is_particle(frames.key(p)) else three(p.local)
    return End(frames.key(p) if p.body != GROUND else GROUND, local)


def _heading(frames: Frames, u: Any) -> Any:
    """The angle of a vector to the x axis."""
    return frames.fn.atan2(u[1], u[0])


def _in_plane(j: ResolvedJoint, frames: Frames, kind: Any) -> Connection | None:
    """Slides along a line of the first body, turns; lines that keep their angle keep the second body's."""
    fn, path = frames.fn, kind.path(j)
    if path is None:
        return None
    first, second = _end(frames, path.first), _end(frames, path.second)
    steps, zero = kind.freedoms, IDENTITY
    if path.along is not None:
        u = path.along.in_body()
        if u is None:
            return None
        along = _heading(frames, u[1])
        axis = (fn.cos(along), fn.sin(along), 0)
        steps = tuple(replace(s, axis=axis) if s.kind == SLIDE else s for s in steps)
    if path.keeps is not None:
        u, v = (line.in_body() for line in path.keeps[:2])
        if u is None or v is None or (u[0], v[0]) != (first.body, second.body):
            return None
        angle = _heading(frames, u[1]) + path.keeps[2] - _heading(frames, v[1])
        c, s = fn.cos(angle), fn.sin(angle)
        zero = ((c, -s, 0), (s, c, 0), (0, 0, 1))
    return Connection(j.name, first, second, steps, zero)


# --------------------------------------------------------------------------------------------- in space
def _in_space(j: ResolvedJoint, frames: Frames, kind: Any) -> Connection:
    ends = [_end(frames, f.place) for f in j.frames]
    a, b = (End(end.body, end.point, columns(f.e1, f.e2, f.e3)) for end, f in zip(ends, j.frames, strict=True))
    steps, zero = kind.steps(j, frames.fn)
    return Connection(j.name, a, b, steps, IDENTITY if zero is None else columns(*zero))
