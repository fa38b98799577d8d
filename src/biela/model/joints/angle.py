"""Two directions at a constant angle."""

from __future__ import annotations

from typing import Literal

from ..items import Line, Scalar
from ..resolved import ResolvedJoint
from ..space_vectors import AxisPair
from .joint import JointReader, PlaneJoint, SpaceJoint, SpaceReader
from .primitives import Equations, Side, View, constant_angle, fixed_angle


class Angle(PlaneJoint):
    """Two lines keep their angle (by default the one they start with), from the first to the second."""

    type: Literal["angle"]
    lines: tuple[Line, Line]
    angle: Scalar | None = None

    turns_with_lines = True
    as_drawn = "angle"

    def resolve(self, read: JointReader) -> ResolvedJoint | None:
        first, second = (read.line(self.lines[k], f"lines[{k + 1}]") for k in (0, 1))
        value = read.scalar("angle", "angle")
        lines = read.apart(first, second)
        return read.joint(lines=lines, value=value) if lines else None

    @staticmethod
    def equations(j: ResolvedJoint, see: View) -> Equations:
        """003, scalar product"""
        value = see.angle_at_start(*j.lines) if j.value is None else j.value
        return constant_angle(see.vector(j.lines[0]), see.vector(j.lines[1]), see.fn.cos(value), see.fn.sin(value))


class SpaceAngle(SpaceJoint):
    """A direction of the first body and one of the second keep their angle (by default the one at the start)."""

    type: Literal["angle"]
    axis: AxisPair
    angle: Scalar | None = None

    axis_in = (0, 1)
    anywhere = True
    meets = False
    as_drawn = "angle"

    def resolve(self, read: SpaceReader) -> ResolvedJoint | None:
        found = read.crossed("a cylindrical or a planar joint")
        if found is None:
            return None
        pair, frames, value, _ = found
        return read.made(pair, frames, value)

    @staticmethod
    def equations(i: Side, j: Side, joint: ResolvedJoint, see: View) -> Equations:
        return fixed_angle(i, j, see.fn.cos(joint.value))
