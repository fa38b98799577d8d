"""A wheel on a rack."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ..items import Scalar
from ..resolved import ResolvedJoint
from .joint import Coupling, CouplingReader


class RackAndPinion(Coupling):
    """A wheel on a rack: the position (or distance) of the rack grows by `radius` times the pinion's angle."""

    type: Literal["rack-and-pinion"]
    pinion: str = Field(description="The angle of the wheel: a coordinate.")
    rack: str = Field(description="The position of the rack, or a distance: a coordinate.")
    radius: Scalar

    def resolve(self, read: CouplingReader) -> ResolvedJoint | None:
        pinion = read.coordinate(self.pinion, "pinion", ("angle",))
        rack = read.coordinate(self.rack, "rack", ("position", "distance"))
        cure = "to turn the other way, measure the rack along its line the other way"
        radius = read.positive("radius", "length", cure)
        if pinion is None or rack is None:
            return None
        read.mesh(f"wheel and rack of {read.name!r}", pinion, rack)
        one = read.ctx.scalars.exact(1.0)
        return read.joint(terms=((rack.name, one), (pinion.name, -radius)))
