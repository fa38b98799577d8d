"""Joints as steps of freedom from one body to another: what a tree of relative coordinates is made of (001 15.5).

A connection says where the joint is on both bodies, and which freedoms lead from the first to the second: slides and
turns about axes of the joint, or a quaternion. Joints that are not of this kind (a distance, gears) stay equations.
A new joint is one function with one decorator line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...mechanics.vectors import UNIT, Rotation, Triple, about_z, columns, subtract, three
from ...model.resolved import GROUND, Direction, Place, ResolvedJoint, ResolvedLine
from .frames import Frames

SLIDE, TURN, BALL = "slide", "turn", "ball"
X, Y, Z = UNIT


@dataclass(frozen=True)
class Step:
    """One freedom (three for a ball): its kind, and its axis in the axes of the joint."""

    kind: str
    axis: Triple = Z
    pitch: Any = 0
    name: str = ""
    """the coordinate it is"""

    @property
    def freedom(self) -> int:
        return 3 if self.kind == BALL else 1


@dataclass(frozen=True)
class End:
    """Where a joint sits on a body: a point and the axes of the joint, in the body's own axes."""

    body: str
    point: Triple
    axes: Rotation = UNIT


@dataclass(frozen=True)
class Connection:
    """A joint that a tree can follow. With all coordinates zero, the second end's axes are the first's times `zero`."""

    joint: str
    first: End
    second: End
    steps: tuple[Step, ...]
    zero: Rotation = UNIT

    @property
    def freedom(self) -> int:
        return sum(s.freedom for s in self.steps)


CONNECTIONS: dict[str, Callable[[ResolvedJoint, Frames], Connection | None]] = {}


def connection(*names: str) -> Callable:
    """Register how a type of joint leads from body to body."""

    def register(function: Callable) -> Callable:
        for name in names:
            CONNECTIONS[name] = function
        return function

    return register


def connect(j: ResolvedJoint, frames: Frames) -> Connection | None:
    """The connection of a joint, None if it must stay an equation."""
    make = CONNECTIONS.get(("space " if frames.dimension == 3 else "") + j.type)
    c = make(j, frames) if make else None
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


def _local(line: ResolvedLine) -> tuple[str, Any] | None:
    """Body and direction of a line that keeps its length."""
    v = line.vector
    if isinstance(v, Direction):
        return v.body, v.local
    if v.start.body != v.end.body or not v.start.body:
        return None
    return v.start.body, subtract(v.end.local, v.start.local)


def _heading(frames: Frames, u: Any) -> Any:
    """The angle of a vector to the x axis."""
    return frames.fn.atan2(u[1], u[0])


@connection("revolute")
def revolute(j: ResolvedJoint, frames: Frames) -> Connection:
    """A pin: one turn."""
    a, b = (_end(frames, p) for p in j.places)
    return Connection(j.name, a, b, (Step(TURN, name="angle"),))


@connection("prismatic")
def prismatic(j: ResolvedJoint, frames: Frames) -> Connection | None:
    """A slide: one displacement along the line; the slider keeps its angle to it."""
    line, slider = j.lines
    u, v = _local(line), _local(slider)
    if u is None or v is None or line.through is None or slider.through is None:
        return None
    assert j.value is not None
    fn, along = frames.fn, _heading(frames, u[1])
    angle = along + j.value - _heading(frames, v[1])
    axis = (fn.cos(along), fn.sin(along), 0)
    zero = about_z(fn.cos(angle), fn.sin(angle))
    return Connection(
        j.name, _end(frames, line.through), _end(frames, slider.through), (Step(SLIDE, axis, name="position"),), zero
    )


@connection("point-on-line")
def point_on_line(j: ResolvedJoint, frames: Frames) -> Connection | None:
    """A pin in a slot: a displacement and a turn."""
    line = j.lines[0]
    u = _local(line)
    if u is None or line.through is None:
        return None
    fn, along = frames.fn, _heading(frames, u[1])
    steps = (Step(SLIDE, (fn.cos(along), fn.sin(along), 0), name="position"), Step(TURN, name="angle"))
    return Connection(j.name, _end(frames, line.through), _end(frames, j.places[0]), steps)


@connection("fixed")
def fixed(j: ResolvedJoint, frames: Frames) -> Connection | None:
    """A weld with a known angle: no freedom."""
    if j.value is None or not j.places:
        return None
    a, b = (_end(frames, p) for p in j.places)
    u, v = (_local(line) for line in j.lines)
    if u is None or v is None or (u[0], v[0]) != (a.body, b.body):
        return None
    angle = _heading(frames, u[1]) + j.value - _heading(frames, v[1])
    return Connection(j.name, a, b, (), about_z(frames.fn.cos(angle), frames.fn.sin(angle)))


# --------------------------------------------------------------------------------------------- in space
def _space(*steps: Step) -> Callable[[ResolvedJoint, Frames], Connection]:
    def make(j: ResolvedJoint, frames: Frames) -> Connection:
        a, b = (
            End(_end(frames, f.place).body, _end(frames, f.place).point, columns(f.e1, f.e2, f.e3)) for f in j.frames
        )
        return Connection(j.name, a, b, steps)

    return make


CONNECTIONS |= {
    "space revolute": _space(Step(TURN, Z, name="angle")),
    "space prismatic": _space(Step(SLIDE, Z, name="position")),
    "space cylindrical": _space(Step(SLIDE, Z, name="position"), Step(TURN, Z, name="angle")),
    "space spherical": _space(Step(BALL)),
    "space planar": _space(
        Step(SLIDE, X, name="position1"), Step(SLIDE, Y, name="position2"), Step(TURN, Z, name="angle")
    ),
    "space point-on-line": _space(Step(SLIDE, Z, name="position"), Step(BALL)),
    "space point-on-plane": _space(Step(SLIDE, X, name="position1"), Step(SLIDE, Y, name="position2"), Step(BALL)),
    "space fixed": _space(),
}


@connection("space screw")
def screw(j: ResolvedJoint, frames: Frames) -> Connection:
    """Advance and turn together."""
    assert j.value is not None
    return _space(Step(TURN, Z, j.value / (2 * frames.fn.pi), "angle"))(j, frames)


@connection("space universal")
def universal(j: ResolvedJoint, frames: Frames) -> Connection:
    """Two turns, about the axis on the first body and then about the one on the second, at a constant angle."""
    fn = frames.fn
    angle = fn.pi / 2 if j.value is None else j.value
    c, s = fn.cos(angle), fn.sin(angle)
    second = (s, 0, c)
    connection_ = _space(Step(TURN, Z, name="angle1"), Step(TURN, second, name="angle2"))(j, frames)
    zero = columns((-c, 0, s), (0, -1, 0), second)
    return Connection(connection_.joint, connection_.first, connection_.second, connection_.steps, zero)
