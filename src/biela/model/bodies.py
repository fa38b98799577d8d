"""Bodies, in the plane and in space: the keys of each shape, and its mass, centre and inertia.

Every rigid body has axes of its own. In the plane they are placed by its points; in space `position` and `orientation`
say where they start in the ground's axes (by default they are the ground's). biela assembles the mechanism from there.
A shape of the plane is that of space seen along z. What a shape asks for while it is resolved is in
`resolve.body_reader`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from pydantic import Field

from . import vectors as v
from .items import Item, Name, Pair, Scalar, SpaceItem, Triple, Vector
from .resolved import Number
from .space_vectors import Inertia, Orientation
from .vectors import Matrix, Vec

if TYPE_CHECKING:
    from .resolve.body_reader import BodyReader


class MassProperties(NamedTuple):
    """What dynamics needs of a body; the inertia is about the centre of mass: in the plane a number, in space a tensor
    in the body's axes."""

    mass: Number
    center: Vec
    inertia: Number | Matrix


# ------------------------------------------------------------------------------------------------ inertia tensors
def diagonal(values: Vec) -> Matrix:
    """
    >>> diagonal((1, 2, 3))
    ((1, 0, 0), (0, 2, 0), (0, 0, 3))
    """
    zero = values[0] * 0
    return (values[0], zero, zero), (zero, values[1], zero), (zero, zero, values[2])


def axial(across: Number, about: Number, axis: Vec) -> Matrix:
    """The tensor of a body of revolution (or as symmetric as one): `about` a unit axis, and `across` it.

    >>> axial(5, 2, (0, 0, 1))
    ((5, 0, 0), (0, 5, 0), (0, 0, 2))
    """
    base, more = diagonal((across,) * 3), v.outer(axis, axis)
    return tuple(v.add(base[k], v.scale(about - across, more[k])) for k in range(3))


def block(m: Number, a: Number, b: Number, c: Number) -> Matrix:
    """A rectangular block with sides a, b, c.

    >>> block(12, 1, 2, 3)
    ((13.0, 0.0, 0.0), (0.0, 10.0, 0.0), (0.0, 0.0, 5.0))
    """
    return diagonal(((b**2 + c**2) * m / 12, (a**2 + c**2) * m / 12, (a**2 + b**2) * m / 12))


# --------------------------------------------------------------------------------------------------- in the plane
class PointMass(Item):
    """A mass concentrated in a point; it adds to whatever else the point belongs to."""

    type: Literal["mass"]
    point: str
    mass: Scalar

    def mass_properties(self, read: BodyReader) -> MassProperties:
        return MassProperties(read.mass(), read.zero, read.no_inertia)


class Body(Item):
    """A rigid body: named points in the body's own axes, mass, centre of mass and inertia about it.

    `points` as a list of names takes the shape from the starting positions of those points; the body's
    axes then start at the first point and x passes through the second.
    """

    type: Literal["body"] = "body"
    points: dict[Name, Pair] | list[str] = {}
    mass: Scalar = 0.0
    center: Pair | None = None
    inertia: Scalar = 0.0

    def mass_properties(self, read: BodyReader) -> MassProperties:
        mass = read.mass_and_center()
        return MassProperties(mass, read.center(), read.moment_of_inertia())


class Bar(Item):
    """A slender bar between two points; centre in the middle and m L^2/12 unless told otherwise."""

    type: Literal["bar"]
    points: tuple[str, str]
    length: Scalar | None = None
    mass: Scalar
    center: Pair | None = None
    inertia: Scalar | None = None

    def mass_properties(self, read: BodyReader) -> MassProperties:
        mass, bar = read.mass(), read.bar()
        inertia = mass * bar.length**2 / 12 if self.inertia is None else read.moment_of_inertia()
        return MassProperties(mass, read.center(bar.middle), inertia)


class Rod(Item):
    """A rigid rod without mass between two points."""

    type: Literal["rod"]
    points: tuple[str, str]
    length: Scalar | None = None

    def mass_properties(self, read: BodyReader) -> MassProperties:
        return MassProperties(read.zero[0], read.zero, read.no_inertia)


class Plate(Item):
    """A rectangular plate: inertia m (width^2 + height^2)/12 about its centre."""

    type: Literal["plate"]
    points: dict[Name, Pair] | list[str] = {}
    mass: Scalar
    width: Scalar
    height: Scalar
    center: Pair = (0.0, 0.0)

    def mass_properties(self, read: BodyReader) -> MassProperties:
        mass = read.mass()
        tensor = block(mass, read.size("width"), read.size("height"), read.zero[0])
        return MassProperties(mass, read.center(), tensor[2][2])


class Disc(Item):
    """A homogeneous disc: inertia m radius^2/2 about its centre."""

    type: Literal["disc"]
    points: dict[Name, Pair] | list[str] = {}
    mass: Scalar
    radius: Scalar
    center: Pair = (0.0, 0.0)

    def mass_properties(self, read: BodyReader) -> MassProperties:
        mass = read.mass()
        return MassProperties(mass, read.center(), mass * read.size("radius") ** 2 / 2)


AnyBody = Annotated[Body | Bar | Rod | Plate | Disc | PointMass, Field(discriminator="type")]


# ------------------------------------------------------------------------------------------------------- in space
Carrier = Literal[
    "1 point + 3 vectors", "2 points + 2 vectors", "3 points + 1 vector", "4 points",
    "2 points + 1 vector", "3 points", "1 point + 2 vectors",
]


class Placed(SpaceItem):
    """A rigid body in space: where its axes start, and directions of it that have names.

    Defaults are None, not their values: whoever writes one down says "in space", and a saved file must too.
    """

    position: Vector | None = None
    orientation: Orientation | None = None
    directions: dict[Name, Triple] | None = None
    carrier: Carrier | None = None


class SpaceBody(Placed):
    """A rigid body: points in its own axes, mass, centre of mass, and the inertia about it in the body's axes.

    `points` as a list of names takes their places from the starting positions of those points.
    """

    type: Literal["body"] = "body"
    points: dict[Name, Vector] | list[str] = {}
    mass: Scalar = 0.0
    center: Vector | None = None
    inertia: Inertia | None = None

    def mass_properties(self, read: BodyReader) -> MassProperties:
        mass = read.mass_and_center()
        return MassProperties(mass, read.center(), read.inertia_tensor())


class Shape(Placed):
    """A homogeneous body of a simple shape, by its mass or by its density; `center` is its centre of mass."""

    points: dict[Name, Vector] | list[str] = {}
    mass: Scalar | None = None
    density: Scalar | None = None
    center: Vector | None = None

    def mass_properties(self, read: BodyReader) -> MassProperties:
        center = read.center()
        mass, inertia = self.inertia_of(read)
        return MassProperties(mass, center, inertia)

    def inertia_of(self, read: BodyReader) -> tuple[Number, Matrix]:
        """Mass and inertia tensor."""
        raise NotImplementedError(type(self).__name__)


class Box(Shape):
    """A rectangular block with its sides along the body's axes."""

    type: Literal["box"]
    size: Triple

    def inertia_of(self, read: BodyReader) -> tuple[Number, Matrix]:
        a, b, c = read.sides()
        m = read.mass_or_density(a * b * c)
        return m, block(m, a, b, c)


class Cylinder(Shape):
    """A round cylinder about `axis` (by default the body's z)."""

    type: Literal["cylinder"]
    radius: Scalar
    length: Scalar
    axis: Triple | None = None

    def inertia_of(self, read: BodyReader) -> tuple[Number, Matrix]:
        return _cylinder(read, "length")


class Sphere(Shape):
    """A solid sphere."""

    type: Literal["sphere"]
    radius: Scalar

    def inertia_of(self, read: BodyReader) -> tuple[Number, Matrix]:
        r = read.size("radius")
        m = read.mass_or_density(4 * read.pi * r**3 / 3)
        return m, diagonal((2 * m * r**2 / 5,) * 3)


class Cone(Shape):
    """A round cone; `axis` (by default the body's z) points from its base to its apex."""

    type: Literal["cone"]
    radius: Scalar
    height: Scalar
    axis: Triple | None = None

    def inertia_of(self, read: BodyReader) -> tuple[Number, Matrix]:
        r, axis, h = read.size("radius"), read.axis(), read.size("height")
        m = read.mass_or_density(read.pi * r**2 * h / 3)
        return m, axial(3 * m * (4 * r**2 + h**2) / 80, 3 * m * r**2 / 10, axis)


class SpacePlate(Shape):
    """A rectangular plate in the body's x, y plane, thin unless it has a thickness."""

    type: Literal["plate"]
    width: Scalar
    height: Scalar
    thickness: Scalar | None = None

    def inertia_of(self, read: BodyReader) -> tuple[Number, Matrix]:
        a, b, t = read.size("width"), read.size("height"), read.size("thickness")
        m = read.mass_or_density(a * b * t if self.thickness is not None else None)
        return m, block(m, a, b, t)


class SpaceDisc(Shape):
    """A disc across `axis` (by default the body's z), thin unless it has a thickness."""

    type: Literal["disc"]
    radius: Scalar
    thickness: Scalar | None = None
    axis: Triple | None = None

    def inertia_of(self, read: BodyReader) -> tuple[Number, Matrix]:
        return _cylinder(read, "thickness")


def _cylinder(read: BodyReader, height: str) -> tuple[Number, Matrix]:
    """`height`: the key that has it; without it the cylinder is a thin disc, which has no volume."""
    r, axis, h = read.size("radius"), read.axis(), read.size(height)
    m = read.mass_or_density(read.pi * r**2 * h if getattr(read.item, height) is not None else None)
    return m, axial(m * (3 * r**2 + h**2) / 12, m * r**2 / 2, axis)


class SpaceBar(Placed):
    """A straight bar between two points: slender, or with a square (`width`) or round (`radius`) section."""

    type: Literal["bar"]
    points: tuple[str, str]
    length: Scalar | None = None
    mass: Scalar | None = None
    density: Scalar | None = None
    width: Scalar | None = None
    radius: Scalar | None = None
    center: Vector | None = None

    def mass_properties(self, read: BodyReader) -> MassProperties:
        bar, width, radius = read.bar(), read.size("width"), read.size("radius")
        if self.width is not None and self.radius is not None:
            read.wrong(f"bar {read.name!r} has two sections", "", "it gives a width and a radius", "give one of them")
        sectioned = self.width is not None or self.radius is not None
        m = read.mass_or_density((width**2 + read.pi * radius**2) * bar.length if sectioned else None)
        # of the section: m b^2/6 for a square, m r^2/2 for a circle; half of it across
        about = m * (width**2 / 6 + radius**2 / 2)
        center = read.center(bar.middle)
        return MassProperties(m, center, axial(m * bar.length**2 / 12 + about / 2, about, bar.axis))


class SpaceRod(Placed):
    """A rigid rod without mass between two points."""

    type: Literal["rod"]
    points: tuple[str, str]
    length: Scalar | None = None

    def mass_properties(self, read: BodyReader) -> MassProperties:
        return MassProperties(read.zero[0], read.zero, read.no_inertia)


Rigid = SpaceBody | Box | Cylinder | Sphere | Cone | SpacePlate | SpaceDisc | SpaceBar | SpaceRod
AnySpaceBody = Annotated[Rigid | PointMass, Field(discriminator="type")]
BARS = (Bar, Rod, SpaceBar, SpaceRod)
"""what is straight between two points"""
