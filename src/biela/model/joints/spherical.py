"""A ball and socket."""

from __future__ import annotations

from typing import Literal

from .joint import SpaceJoint
from .primitives import Equations, Side, coincident
from .steps import ball


class Spherical(SpaceJoint):
    """A ball and socket. (A point that two bodies share is one already.)"""

    type: Literal["spherical"]

    freedoms = (ball(),)
    shares_point = True
    sign = "ball"

    @staticmethod
    def equations(i: Side, j: Side, *_: object) -> Equations:
        return coincident(i, j)
