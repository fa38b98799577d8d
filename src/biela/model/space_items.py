"""Bodies in space, as the user says them. Lengths, masses, ... are scalars as in the plane.

Every rigid body has axes of its own. `position` and `orientation` say where they start in the ground's axes
(by default they are the ground's); biela assembles the mechanism from there.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from . import items as it
from .space_shapes import Inertia, Orientation, Triple

Carrier = Literal[
    "1 point + 3 vectors", "2 points + 2 vectors", "3 points + 1 vector", "4 points",
    "2 points + 1 vector", "3 points", "1 point + 2 vectors",
]


class SpaceItem(it.Item):
    """Base of what exists in space only."""


class Placed(SpaceItem):
    """A rigid body in space: where its axes start, and directions of it that have names.

    Defaults are None, not their values: whoever writes one down says "in space", and a saved file must too.
    """

    position: it.Vector | None = None
    orientation: Orientation | None = None
    directions: dict[it.Name, Triple] | None = None
    carrier: Carrier | None = None


class SpaceBody(Placed):
    """A rigid body: points in its own axes, mass, centre of mass, and the inertia about it in the body's axes.

    `points` as a list of names takes their places from the starting positions of those points.
    """

    type: Literal["body"] = "body"
    points: dict[it.Name, it.Vector] | list[str] = {}
    mass: it.Scalar = 0.0
    center: it.Vector | None = None
    inertia: Inertia | None = None


class Shape(Placed):
    """A homogeneous body of a simple shape, by its mass or by its density; `center` is its centre of mass."""

    points: dict[it.Name, it.Vector] | list[str] = {}
    mass: it.Scalar | None = None
    density: it.Scalar | None = None
    center: it.Vector | None = None


class Box(Shape):
    """A rectangular block with its sides along the body's axes."""

    type: Literal["box"]
    size: Triple


class Cylinder(Shape):
    """A round cylinder about `axis` (by default the body's z)."""

    type: Literal["cylinder"]
    radius: it.Scalar
    length: it.Scalar
    axis: Triple | None = None


class Sphere(Shape):
    """A solid sphere."""

    type: Literal["sphere"]
    radius: it.Scalar


class Cone(Shape):
    """A round cone; `axis` (by default the body's z) points from its base to its apex."""

    type: Literal["cone"]
    radius: it.Scalar
    height: it.Scalar
    axis: Triple | None = None


class SpacePlate(Shape):
    """A rectangular plate in the body's x, y plane, thin unless it has a thickness."""

    type: Literal["plate"]
    width: it.Scalar
    height: it.Scalar
    thickness: it.Scalar | None = None


class SpaceDisc(Shape):
    """A disc across `axis` (by default the body's z), thin unless it has a thickness."""

    type: Literal["disc"]
    radius: it.Scalar
    thickness: it.Scalar | None = None
    axis: Triple | None = None


class SpaceBar(Placed):
    """A straight bar between two points: slender, or with a square (`width`) or round (`radius`) section."""

    type: Literal["bar"]
    points: tuple[str, str]
    length: it.Scalar | None = None
    mass: it.Scalar | None = None
    density: it.Scalar | None = None
    width: it.Scalar | None = None
    radius: it.Scalar | None = None
    center: it.Vector | None = None


class SpaceRod(Placed):
    """A rigid rod without mass between two points."""

    type: Literal["rod"]
    points: tuple[str, str]
    length: it.Scalar | None = None


Rigid = SpaceBody | Box | Cylinder | Sphere | Cone | SpacePlate | SpaceDisc | SpaceBar | SpaceRod
AnySpaceBody = Annotated[Rigid | it.PointMass, Field(discriminator="type")]
