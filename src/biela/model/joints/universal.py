"""A Hooke joint."""

from __future__ import annotations

import math
from typing import Any, Literal

from ..items import Scalar
from ..resolved import ResolvedJoint
from ..space_vectors import AxisPair
from .joint import SpaceJoint, SpaceReader
from .primitives import Equations, Side, View, coincident, fixed_angle
from .steps import Step, turn


class Universal(SpaceJoint):
    """A Hooke joint: an axis of the first body and one of the second meet and keep their angle, 90 deg unless told."""

    type: Literal["universal"]
    axis: AxisPair
    angle: Scalar | None = None

    freedoms = turn("angle1"), turn("angle2")
    axis_in = (0, 1)
    shares_point = True
    sign = "cross"

    def resolve(self, read: SpaceReader) -> ResolvedJoint | None:
        found = read.crossed("a revolute joint")
        if found is None:
            return None
        pair, frames, value, start = found
        if self.angle is None:
            value, degrees = read.ctx.pi / 2, math.degrees(read.value(start))
            if abs(degrees - 90) > 1e-4:
                what = f"the axes of universal joint {read.name!r} are not perpendicular where it starts"
                cure = f"turn one of the axes or bodies; or add angle = '{degrees:g} deg' if they are to keep that "
                cure += "angle, angle = '90 deg' if assembling is to turn the bodies"
                return read.wrong(what, "axis", f"they make {degrees:g} deg", cure)
        return read.made(pair, frames, value)

    @staticmethod
    def equations(i: Side, j: Side, joint: ResolvedJoint, see: View) -> Equations:
        return coincident(i, j) + fixed_angle(i, j, 0 if joint.value is None else see.fn.cos(joint.value))

    @classmethod
    def steps(cls, joint: ResolvedJoint, fn: Any) -> tuple[tuple[Step, ...], Any]:
        """About the axis on the first body and then about the one on the second, at a constant angle."""
        angle = fn.pi / 2 if joint.value is None else joint.value
        c, s = fn.cos(angle), fn.sin(angle)
        second = (s, 0, c)
        return (turn("angle1"), turn("angle2", second)), ((-c, 0, s), (0, -1, 0), second)

    @staticmethod
    def seen(joint: ResolvedJoint, see: View) -> Any:
        """Each angle is that of the other axis, which leans."""
        return 1 if joint.value is None else see.fn.sin(joint.value)
