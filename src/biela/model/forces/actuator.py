"""A force by a law of the user: a hydraulic cylinder, a motor, a bumper."""

from __future__ import annotations

from typing import Literal

from ..items import Law, Scalar
from ..resolved import ResolvedLaw
from .force import Element, ForceReader


class Actuator(Element):
    """A force (or moment) that lengthens (opens) what it acts on: a law of t, x (length or angle) and v."""

    type: Literal["actuator"]
    value: Law
    scale: Scalar | None = None

    def law(self, read: ForceReader) -> ResolvedLaw:
        return read.scaled(read.law(self.value, "value", read.kinds["f"], ("t", "x", "v")))
