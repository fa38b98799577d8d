"""Relative coordinates in space, as the user says them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from . import items as it
from .space_items import SpaceItem
from .space_shapes import Vector


class SpaceLine(it.Item):
    """A direction of a body (in its own axes, or by name), and a point of the body the line passes through."""

    body: str
    direction: Vector
    through: str | None = None


Directed = tuple[str, str] | str | SpaceLine
"""Two points of one body (from, to); a named direction "body.u"; or a `SpaceLine`"""


class SpaceAngleCoordinate(SpaceItem):
    """phi, the angle of a direction about an axis of another body, counted from a direction of that body.

    Or, with `joint`, another name for the angle of a joint.
    """

    type: Literal["angle"]
    of: Directed | None = None
    relative_to: Directed | None = None
    about: Vector | None = None
    joint: str | None = None


class SpacePositionCoordinate(SpaceItem):
    """s, the signed position of a point along a line of another body; or another name for that of a joint."""

    type: Literal["position"]
    point: str | None = None
    along: Directed | None = None
    on: str | None = None
    joint: str | None = None


AnySpaceCoordinate = Annotated[
    it.DistanceCoordinate | SpaceAngleCoordinate | SpacePositionCoordinate, Field(discriminator="type")
]
