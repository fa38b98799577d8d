"""A pin in a slot, or a ball on a rod."""

from __future__ import annotations

from typing import Literal

from ..items import Line
from ..resolved import Direction, ResolvedJoint
from ..space_vectors import Axis
from .joint import JointReader, Path, PlaneJoint, SpaceJoint, SpaceReader
from .primitives import Equations, Side, View, on_axis, on_line
from .steps import X, ball, slide, turn


class PointOnLine(PlaneJoint):
    """A pin in a straight slot: the point stays on the line."""

    type: Literal["point-on-line"]
    point: str
    line: Line
    on: str | None = None

    freedoms = slide("position", X), turn("angle")
    axis_in = (0,)
    sign = "guide"

    def resolve(self, read: JointReader) -> ResolvedJoint | None:
        point = read.borne(self.point, f"the guide {read.name!r}", self.on)
        slot = read.line(self.line, "line", needs_start=True, may_stretch=True)
        if point is None or slot is None:
            return None
        shared = slot.bodies & set(read.ctx.rigid_owners(self.point))
        ends = self.line if isinstance(self.line, tuple) else ()
        if self.point in ends or (shared and slot.length is not None):
            body = sorted(shared)[0] if shared else "the line itself"
            what = f"joint {read.name!r}: point {self.point!r} is fixed to its own line"
            why = f"both belong to {body!r}" if shared else f"{self.point!r} is an end of the line"
            return read.wrong(what, "", why, "name a point of another body")
        return read.joint(places=(point,), lines=(slot,))

    @staticmethod
    def equations(j: ResolvedJoint, see: View) -> Equations:
        line = j.lines[0]
        assert line.through is not None
        return on_line(see.place(j.places[0]), see.place(line.through), see.vector(line))

    @staticmethod
    def path(j: ResolvedJoint) -> Path | None:
        line = j.lines[0]
        return None if line.through is None else Path(line.through, j.places[0], line)


class SpacePointOnLine(SpaceJoint):
    """A point of the second body stays on a line of the first; or `point` and `line` = [two points of a body]."""

    type: Literal["point-on-line"]
    axis: Axis | None = None
    point: str | None = None
    line: tuple[str, str] | None = None
    on: str | None = None

    freedoms = slide("position"), ball()
    axis_in = (0,)
    sign = "slot"

    def resolve(self, read: SpaceReader) -> ResolvedJoint | None:
        if self.point is None and self.line is None:
            return read.framed()
        if self.point is None or self.line is None or self.axis is not None or self.at is not None:
            what = f"joint {read.name!r} does not say which point is on which line"
            return read.wrong(what, "", "", "give point = P and line = [A, B]; or bodies, at and axis")
        return self._line_of_points(read, self.point, self.line)

    def _line_of_points(self, read: SpaceReader, name: str, line: tuple[str, str]) -> ResolvedJoint | None:
        """A named point on the line through two points of another body."""
        rail = read.line(line, "line")
        point = read.borne(name, f"the guide {read.name!r}", self.on)
        if point is None or rail is None or rail.through is None or not isinstance(rail.vector, Direction):
            return None
        body, axis, start = rail.vector.body, rail.vector.local, rail.through
        if body in read.ctx.owners[name]:
            what = f"joint {read.name!r}: point {name!r} is fixed to its own line"
            return read.wrong(what, "", f"both belong to {read.ctx.called(body)}", "name a point of another body")
        pair = (start, point)
        return read.made(pair, read.along(pair, (axis, read.carried(axis, body, point.body))))

    @staticmethod
    def equations(i: Side, j: Side, *_: object) -> Equations:
        return on_axis(i, j)
