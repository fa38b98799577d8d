"""A sleeve on a shaft.   003 1.3"""

from __future__ import annotations

from typing import Literal

from ..items import Scalar
from ..space_vectors import Axis
from .joint import SpaceJoint
from .primitives import Equations, Side, on_axis, parallel, same_axes
from .steps import slide, turn


class Cylindrical(SpaceJoint):
    """The second body slides along the axis and turns about it."""

    type: Literal["cylindrical"]
    axis: Axis
    zero: Scalar | None = None

    freedoms = slide("position"), turn("angle")
    axis_in = (0, 1)
    shared_axes = ("e3",)
    sign = "sleeve"

    @staticmethod
    def equations(i: Side, j: Side, *_: object) -> Equations:
        return parallel(i, j) + on_axis(i, j)

    @classmethod
    def assembly_equations(cls, i: Side, j: Side, *_: object) -> Equations:
        return on_axis(i, j) + same_axes(i, j, 2)
