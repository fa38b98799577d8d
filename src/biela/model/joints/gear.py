"""Wheels that mesh."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ..items import Scalar
from ..resolved import ResolvedJoint
from .joint import Coupling, CouplingReader


class Gear(Coupling):
    """Two meshing wheels: the second angle turns by `ratio` times the first, backwards unless `internal`."""

    type: Literal["gear"]
    coordinates: tuple[str, str]
    ratio: Scalar = Field(description="How many times as far the second wheel turns.")
    internal: bool = Field(False, description="true if one wheel lies inside the other: both turn the same way.")

    def resolve(self, read: CouplingReader) -> ResolvedJoint | None:
        first, second = (read.coordinate(c, "coordinates", ("angle",)) for c in self.coordinates)
        ratio = read.positive("ratio", "number", "for wheels that turn the same way: internal")
        if self.coordinates[0] == self.coordinates[1]:
            what = f"gear {read.name!r} couples {self.coordinates[0]!r} with itself"
            return read.wrong(what, "coordinates", "", "name the angles of two wheels")
        if first is None or second is None:
            return None
        read.mesh(f"the wheels of gear {read.name!r}", first, second)
        one = read.ctx.scalars.exact(1.0)
        return read.joint(terms=((first.name, -ratio if self.internal else ratio), (second.name, one)))
