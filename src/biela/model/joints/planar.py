"""A body on a plane."""

from __future__ import annotations

from typing import Literal

from ..items import Scalar
from ..space_vectors import Axis
from .joint import SpaceJoint
from .primitives import Equations, Side, on_plane, parallel, same_axes
from .steps import X, Y, slide, turn


class Planar(SpaceJoint):
    """The second body slides and turns on a plane of the first; the axis is the plane's normal."""

    type: Literal["planar"]
    axis: Axis
    zero: Scalar | None = None

    freedoms = slide("position1", X), slide("position2", Y), turn("angle")
    axis_in = (0, 1)
    shared_axes = ("e3",)
    sign = "disc on a plane"

    @staticmethod
    def equations(i: Side, j: Side, *_: object) -> Equations:
        return on_plane(i, j) + parallel(i, j)

    @classmethod
    def assembly_equations(cls, i: Side, j: Side, *_: object) -> Equations:
        return on_plane(i, j) + same_axes(i, j, 2)
