"""A ball on a plane."""

from __future__ import annotations

from typing import Literal

from ..space_vectors import Axis
from .joint import SpaceJoint
from .primitives import Equations, Side, on_plane
from .steps import X, Y, ball, slide


class PointOnPlane(SpaceJoint):
    """A point of the second body stays on a plane of the first; the axis is the plane's normal."""

    type: Literal["point-on-plane"]
    axis: Axis

    freedoms = slide("position1", X), slide("position2", Y), ball()
    axis_in = (0,)
    sign = "ball on a plane"

    @staticmethod
    def equations(i: Side, j: Side, *_: object) -> Equations:
        return on_plane(i, j)
