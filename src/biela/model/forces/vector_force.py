"""Forces on a unit vector of a body (000 2.3)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ..items import Law, Scalar
from ..resolved import Place, ResolvedForce
from .force import Force, ForceReader


class VectorForce(Force):
    """Forces straight on a unit vector of a body (one of its `directions`, or in its axes): the moment u x f."""

    type: Literal["vector-force"]
    body: str
    direction: str | tuple[Scalar, Scalar, Scalar]
    value: Annotated[tuple[Law, ...], Field(min_length=3, max_length=3)]
    axes: str = "ground"
    scale: Scalar | None = None

    def resolve(self, read: ForceReader) -> list[ResolvedForce]:
        """f at the tip of a unit vector that begins at the centre of mass, and -f there: a force f on the components of
        u has the power f . u'.   [C.17]"""
        if not read.in_space:
            why = "bodies of the plane have no unit vectors there"
            read.wrong(f"vector-force {read.name!r} is in the plane", "", why, "give a moment: type = 'moment'")
            return []
        known = [read.body("body", ground=False), read.body("axes")]
        laws = read.laws("value", "moment")
        u = read.direction_of(self.body, "direction") if all(known) else None
        if u is None:
            return []
        center = read.center(self.body)
        tip = tuple(c + x for c, x in zip(center, u, strict=True))
        ends = ((".tip", 1.0, tip), (".root", -1.0, center))
        return [read.share(end, read.exact(sign), laws, Place(self.body, at), self.axes) for end, sign, at in ends]

    def components(self) -> int | None:
        return 3
