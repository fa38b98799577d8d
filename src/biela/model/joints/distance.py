"""A massless rod between two points, with a pin or a ball at each end."""

from __future__ import annotations

from typing import Literal

from ..items import Bearers, Scalar
from ..resolved import ResolvedJoint
from .joint import JointReader, PlaneJoint, SpaceJoint, SpaceReader
from .primitives import Equations, Side, View, constant_distance


class Distance(PlaneJoint):
    """Two points keep their distance (by default the one they start with): a massless rod with two pins."""

    type: Literal["distance"]
    points: tuple[str, str]
    length: Scalar | None = None
    on: Bearers | None = None

    as_drawn = "length"
    sign = "rod"
    is_rod = True

    def resolve(self, read: JointReader) -> ResolvedJoint | None:
        pair = read.borne_pair(self.points, self.on)
        length = read.scalar("length", "length")
        read.positive_distance(length, "a revolute joint")
        return read.joint(places=pair, value=length) if pair else None

    @staticmethod
    def equations(j: ResolvedJoint, see: View) -> Equations:
        length = see.distance_at_start(*j.places) if j.value is None else j.value
        return constant_distance(see.place(j.places[0]), see.place(j.places[1]), length)


class SpaceDistance(SpaceJoint):
    """Two points keep their distance (by default the one they start with): a massless rod with two balls."""

    type: Literal["distance"]
    points: tuple[str, str] | None = None
    length: Scalar | None = None
    on: Bearers | None = None

    meets = False
    as_drawn = "length"
    sign = "rod"
    is_rod = True

    def resolve(self, read: SpaceReader) -> ResolvedJoint | None:
        """Between `points`, or between the places of the two bodies."""
        if self.points is not None:
            if self.bodies is not None or self.at is not None:
                what = f"joint {read.name!r} says twice what it joins"
                return read.wrong(what, "", "it gives points, and bodies or at", "give points = [A, B] alone")
            pair = read.borne_pair(self.points, self.on)
        elif self.bodies is None and self.at is None:
            return read.wrong(f"joint {read.name!r} joins nothing", "", "", "add points = [A, B]")
        else:
            pair = read.ends()
        length = read.length(pair)
        return read.made(pair, read.parallel(pair), length, type="distance") if pair else None

    @staticmethod
    def equations(i: Side, j: Side, joint: ResolvedJoint, see: View) -> Equations:
        return constant_distance(i.r, j.r, joint.value)


class SphericalSpherical(SpaceDistance):
    """A massless rod with a ball at both ends: the same as a distance."""

    type: Literal["spherical-spherical"]  # type: ignore[assignment]
