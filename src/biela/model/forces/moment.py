"""A moment on a body."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ..items import Law, Scalar
from ..resolved import GROUND, ResolvedForce
from .force import Force, ForceReader


class Moment(Force):
    """A moment on a body; with `against`, the opposite moment acts on that body.

    In space it has three components, in the ground's axes or in those of a body (`axes`).
    """

    type: Literal["moment"]
    body: str
    value: Law | Annotated[tuple[Law, ...], Field(min_length=3, max_length=3)]
    against: str | None = None
    axes: str | None = None
    scale: Scalar | None = None

    def resolve(self, read: ForceReader) -> list[ResolvedForce]:
        known = [read.body("body", ground=False)]
        if self.against is not None:
            known.append(read.body("against"))
        if self.against == self.body:
            what = f"moment {read.name!r} acts on {self.body!r} against itself"
            read.wrong(what, "against", "the two cancel", "name another body, or leave it out")
        if read.in_space and not isinstance(self.value, tuple):
            cure = "give value = [Mx, My, Mz], in the ground's axes or in those of the body that `axes` names"
            read.wrong(f"moment {read.name!r} has one component in space", "value", "", cure)
        if self.axes is not None:
            known.append(read.body("axes"))
        laws = read.laws("value", "moment")
        bodies = (self.body,) if self.against is None else (self.body, self.against)
        return [read.load("moment", laws, bodies=bodies, axes=self.axes or GROUND)] if all(known) else []

    def components(self) -> int | None:
        return 3 if isinstance(self.value, tuple) or self.axes is not None else None
