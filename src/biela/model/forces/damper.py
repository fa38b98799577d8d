"""A linear damper."""

from __future__ import annotations

from typing import Literal

from ..items import Scalar
from ..resolved import ResolvedLaw
from .force import Element, ForceReader


class Damper(Element):
    """A linear damper: between points, bodies, or on a coordinate."""

    type: Literal["damper"]
    damping: Scalar

    def law(self, read: ForceReader) -> ResolvedLaw:
        return ResolvedLaw(damping=read.damping())
