"""What is known while a spatial model is being resolved: as in the plane, and where every body starts."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...either import Spatial
from ...resolved import (
    GROUND,
    Direction,
    Matrix,
    Number,
    Place,
    Pose,
    ResolvedCoordinate,
    ResolvedJoint,
    ResolvedLine,
    Vec,
)
from ..context import Context
from . import vectors as v

TINY = 1e-9  # what counts as nothing next to one


@dataclass
class SpaceContext(Context):
    """Filled step by step by `resolve_space`."""

    items: Spatial = field(default_factory=Spatial)
    """bodies, joints and coordinates, all read as of space"""
    starts: dict[str, Pose] = field(default_factory=dict)
    """where the axes of each body start, the ground's among them"""
    joints: dict[str, ResolvedJoint] = field(default_factory=dict)
    drawn: dict[str, Vec] = field(default_factory=dict)
    """points as they are drawn, before bodies have their lengths"""
    marks: set[str] = field(default_factory=set)
    """points of no body that only say where a joint is"""

    # -------------------------------------------------------------------------------- numbers
    def zero(self) -> Vec:
        return (self.scalars.exact(0.0),) * 3

    def identity(self) -> Matrix:
        one, zero = self.scalars.exact(1.0), self.scalars.exact(0.0)
        return (one, zero, zero), (zero, one, zero), (zero, zero, one)

    def pi(self) -> Number:
        """Half a turn."""
        return self.scalars.angle(self.scalars.exact(-1.0), self.scalars.exact(0.0))

    def triple(self, values: tuple[float | str, ...] | None, where: str, expected: str = "length") -> Vec:
        """Three scalars; by default zeros."""
        return self.zero() if values is None else self.scalars.pair(values, where, expected)

    def unit(self, vector: Vec) -> Vec | None:
        """The vector made of length one; None if it has no length."""
        length = self.scalars.length(vector)
        if self.scalars.value(length) == 0.0:
            return None
        return tuple(x / length for x in vector)

    def direction(self, values: tuple[float | str, ...], where: str, what: str) -> Vec | None:
        """A unit vector as the user gives it, of any length but zero; `what` has it, in words."""
        found = self.unit(self.triple(values, where))
        if found is None:
            cure = "give a direction such as [0, 0, 1]; its length does not matter"
            self.problems.add(f"{what} has no direction", where, "it is [0, 0, 0]", cure)
        return found

    def perpendicular(self, axis: Vec) -> Vec:
        """A unit vector across a unit axis: the axis of coordinates farthest from it, made perpendicular."""
        sizes = [abs(x) for x in self.scalars.vector(axis)]
        found = self.unit(v.across(self.identity()[sizes.index(min(sizes))], axis))
        return found or self.identity()[0]

    # --------------------------------------------------------------------------------- places
    def rotation(self, body: str) -> Matrix:
        """The axes of a body at the start; those of a point mass are the ground's."""
        return self.starts[body].rotation if body in self.starts else self.identity()

    def origin(self, body: str) -> Vec:
        """Where a body's axes, or a point mass, start."""
        if body in self.starts:
            return self.starts[body].origin
        return self.position(next(iter(self.bodies[body].points)))

    def place_in(self, point: str, body: str) -> Place:
        """A point as a place of a body that owns it."""
        return Place(body, self.ground[point] if body == GROUND else self.bodies[body].points[point], point)

    def at_start(self, place: Place) -> Vec:
        """Where a place of a body is at the start, in the ground's axes."""
        return v.add(self.origin(place.body), v.to_ground(self.rotation(place.body), place.local))

    def local(self, body: str, position: Vec) -> Vec:
        """A position in the ground's axes, at the start, in the axes of a body."""
        return v.to_body(self.rotation(body), v.sub(position, self.origin(body)))

    def poses_of_bodies(self) -> dict[str, Pose]:
        """Where the rigid bodies start."""
        return {name: pose for name, pose in self.starts.items() if name != GROUND}

    def forget_marks(self) -> None:
        """Points that belong to no body and only said where a joint is are not there any more."""
        for point in self.marks:
            if not self.owners[point]:
                self.used.add(point)
                del self.owners[point], self.start[point]

    def name_directions(self) -> None:
        """Let equations speak of the components of named directions: "crank.u.x"."""
        for name, body in self.bodies.items():
            for key, vector in body.directions.items():
                turned = v.to_ground(self.rotation(name), vector)
                self.directed |= {f"{name}.{key}.{axis}": x for axis, x in zip(self.axes, turned)}

    def value_at_start(self, coordinate: ResolvedCoordinate) -> Number | None:
        if coordinate.type == "distance":
            a, b = (self.at_start(place) for place in coordinate.places)
            return self.scalars.length(v.sub(b, a))
        vectors = [self._turned(line) for line in coordinate.lines]
        if coordinate.type == "angle":
            x, y, arm = vectors
            return self.scalars.angle(v.dot(x, arm), v.dot(y, arm))
        through = coordinate.lines[0].through
        assert through is not None  # every line of a position has one
        return v.dot(v.sub(self.at_start(coordinate.places[0]), self.at_start(through)), vectors[0])

    def _turned(self, line: ResolvedLine) -> Vec:
        assert isinstance(line.vector, Direction)  # in space every line is one
        return v.to_ground(self.rotation(line.vector.body), line.vector.local)

    def called(self, body: str) -> str:
        """A body in a sentence."""
        return "the ground" if body == GROUND else repr(body)

    def angle_between(self, a: Vec, b: Vec) -> Number:
        """The angle between two vectors, from 0 to pi."""
        return self.scalars.angle(v.dot(a, b), self.scalars.length(v.cross(a, b)))
