"""Joints and relative coordinates in space, as the user says them.

A joint names its two `bodies` (the second moves against the first), where it is (`at`) and along what (`axis`).
Numbers in `at` and `axis` are in the ground's axes, with the bodies where they start.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from . import items as it
from .space_items import SpaceItem
from .space_shapes import At, Axis, AxisPair, Vector


class SpaceJoint(SpaceItem):
    """Base of the joints in space."""

    bodies: tuple[str, str] | None = None
    at: At | None = None


class SpaceRevolute(SpaceJoint):
    """A hinge: the second body turns about the axis. `zero` is the angle where the bodies start, within half a turn."""

    type: Literal["revolute"]
    axis: Axis
    zero: it.Scalar | None = None


class SpacePrismatic(SpaceJoint):
    """A slide: the second body moves along the axis without turning."""

    type: Literal["prismatic"]
    axis: Axis


class Cylindrical(SpaceJoint):
    """The second body slides along the axis and turns about it."""

    type: Literal["cylindrical"]
    axis: Axis
    zero: it.Scalar | None = None


class Spherical(SpaceJoint):
    """A ball and socket. (A point that two bodies share is one already.)"""

    type: Literal["spherical"]


class Universal(SpaceJoint):
    """A Hooke joint: an axis of the first body and one of the second meet and keep their angle, 90 deg unless told."""

    type: Literal["universal"]
    axis: AxisPair
    angle: it.Scalar | None = None


class Planar(SpaceJoint):
    """The second body slides and turns on a plane of the first; the axis is the plane's normal."""

    type: Literal["planar"]
    axis: Axis
    zero: it.Scalar | None = None


class Screw(SpaceJoint):
    """A thread: turning about the axis moves the second body along it, by the lead every turn.

    `zero` belongs to where it starts: position = lead/2pi times angle.
    """

    type: Literal["screw"]
    axis: Axis
    lead: it.Scalar
    zero: it.Scalar | None = None


class SpaceFixed(SpaceJoint):
    """A weld: two bodies keep the relative position they start with."""

    type: Literal["fixed"]


class SpacePointOnLine(SpaceJoint):
    """A point of the second body stays on a line of the first; or `point` and `line` = [two points of a body]."""

    type: Literal["point-on-line"]
    axis: Axis | None = None
    point: str | None = None
    line: tuple[str, str] | None = None
    on: str | None = None


class PointOnPlane(SpaceJoint):
    """A point of the second body stays on a plane of the first; the axis is the plane's normal."""

    type: Literal["point-on-plane"]
    axis: Axis


class SpaceDistance(SpaceJoint):
    """Two points keep their distance (by default the one they start with): a massless rod with two balls."""

    type: Literal["distance"]
    points: tuple[str, str] | None = None
    length: it.Scalar | None = None
    on: it.Bearers | None = None


class SphericalSpherical(SpaceJoint):
    """A massless rod with a ball at both ends: the same as a distance."""

    type: Literal["spherical-spherical"]
    points: tuple[str, str] | None = None
    length: it.Scalar | None = None
    on: it.Bearers | None = None


class RevoluteSpherical(SpaceJoint):
    """A massless rod with a hinge (about the axis) on the first body and a ball on the second."""

    type: Literal["revolute-spherical"]
    axis: Axis
    length: it.Scalar | None = None


class SpaceAngle(SpaceJoint):
    """A direction of the first body and one of the second keep their angle (by default the one at the start)."""

    type: Literal["angle"]
    axis: AxisPair
    angle: it.Scalar | None = None


Jointed = (
    SpaceRevolute
    | SpacePrismatic
    | Cylindrical
    | Spherical
    | Universal
    | Planar
    | Screw
    | SpaceFixed
    | SpacePointOnLine
    | PointOnPlane
    | SpaceDistance
    | SphericalSpherical
    | RevoluteSpherical
    | SpaceAngle
)
AnySpaceJoint = Annotated[Jointed | it.Gear | it.RackAndPinion | it.UserJoint, Field(discriminator="type")]


# -------------------------------------------------------------------------------- relative coordinates
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
