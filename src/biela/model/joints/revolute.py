"""A pin or a hinge."""

from __future__ import annotations

from typing import Literal

from ..items import Scalar
from ..resolved import ResolvedJoint
from ..space_vectors import Axis
from .joint import JointReader, Path, PlaneJoint, SpaceJoint
from .primitives import Equations, Side, View, coincident, parallel, same_axes, same_place
from .steps import turn


class Revolute(PlaneJoint):
    """A pin: two points of different bodies stay together. (A point that two bodies share is one already.)"""

    type: Literal["revolute"]
    points: tuple[str, str]

    freedoms = (turn("angle"),)
    pins = True

    def resolve(self, read: JointReader) -> ResolvedJoint | None:
        pair = read.points("points")
        return read.joint(places=pair) if pair else None

    @staticmethod
    def equations(j: ResolvedJoint, see: View) -> Equations:
        """No rows are left where the coordinates let both bodies share the point."""
        return same_place(see.place(j.places[0]), see.place(j.places[1]))

    @staticmethod
    def path(j: ResolvedJoint) -> Path:
        return Path(j.places[0], j.places[1])


class SpaceRevolute(SpaceJoint):
    """A hinge: the second body turns about the axis. `zero` is the angle where the bodies start, within half a turn."""

    type: Literal["revolute"]
    axis: Axis
    zero: Scalar | None = None

    freedoms = (turn("angle"),)
    axis_in = (0, 1)
    shares_point, shared_axes = True, ("e3",)
    sign = "hinge"

    @staticmethod
    def equations(i: Side, j: Side, *_: object) -> Equations:
        return coincident(i, j) + parallel(i, j)

    @classmethod
    def assembly_equations(cls, i: Side, j: Side, *_: object) -> Equations:
        return coincident(i, j) + same_axes(i, j, 2)
