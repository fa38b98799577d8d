"""A force on a point."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ..items import Law, Scalar
from ..resolved import ResolvedForce
from .force import Force, ForceReader


class PointForce(Force):
    """A force on a point, its components in the ground's axes or in those of a body (`axes`)."""

    type: Literal["force"]
    point: str
    value: Annotated[tuple[Law, ...], Field(min_length=2, max_length=3)]
    axes: str = "ground"
    scale: Scalar | None = None
    on: str | None = None

    def resolve(self, read: ForceReader) -> list[ResolvedForce]:
        on_known = self.on is None or read.body("on", axes=False, ground=False)
        place = read.place(self.point, self.on) if on_known else None
        axes_known = read.body("axes")
        laws = read.laws("value", "force")
        if place is not None and read.is_fixed(self.point):
            why = f"point {self.point!r} is fixed, so the force moves nothing"
            read.wrong(f"force {read.name!r} acts on the ground", "point", why, "name a moving point")
        if place is None or not axes_known:
            return []
        return [read.load("force", laws, places=(place,), axes=self.axes)]

    def components(self) -> int | None:
        return len(self.value)
