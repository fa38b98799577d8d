"""A massless rod with a hinge and a ball."""

from __future__ import annotations

import math
from typing import Literal

from ..items import Scalar
from ..resolved import ResolvedJoint
from ..space_vectors import Axis
from .joint import SpaceJoint, SpaceReader
from .primitives import Equations, Side, View, constant_distance, on_plane


class RevoluteSpherical(SpaceJoint):
    """A massless rod with a hinge (about the axis) on the first body and a ball on the second."""

    type: Literal["revolute-spherical"]
    axis: Axis
    length: Scalar | None = None

    axis_in = (0,)
    meets = False
    as_drawn = "length"
    sign = "hinged rod"

    def resolve(self, read: SpaceReader) -> ResolvedJoint | None:
        """The rod is across the hinge's axis: one near its place is moved there by assembling, but one along the axis
        could go any way."""
        pair = read.ends()
        length = read.length(pair)
        found = read.axes(pair) if pair else None
        if pair is None or found is None:
            return None
        angle = read.angle_to_axis(pair, found[0])
        if angle is not None and math.sin(angle) < 1e-3:
            what = f"the rod of joint {read.name!r} lies along its axis"
            why = f"they make {math.degrees(angle):.3g} deg where the bodies start; "
            why += "a hinge needs its rod across the axis"
            cure = "give an axis at right angles to the rod, or place the two points across the axis"
            read.wrong(what, "axis", why, cure)
        return read.made(pair, read.along(pair, found), length)

    @staticmethod
    def equations(i: Side, j: Side, joint: ResolvedJoint, see: View) -> Equations:
        return constant_distance(i.r, j.r, joint.value) + on_plane(i, j)
