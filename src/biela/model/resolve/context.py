"""What is known while a model is being resolved, in the plane or in space."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from .. import vectors as v
from ..model import Model
from ..resolved import (
    GROUND,
    Direction,
    Guess,
    Matrix,
    Number,
    Place,
    Pose,
    ResolvedBody,
    ResolvedCoordinate,
    ResolvedJoint,
    ResolvedLine,
    Vec,
)
from .naming import did_you_mean
from .problems import Problems
from .scalars import Scalars

TINY = 1e-9
"""what counts as nothing next to one"""


@dataclass
class Context:
    """Filled step by step by `resolve`: numbers first, then bodies and points, then all that names them."""

    model: Model
    problems: Problems
    scalars: Scalars
    items: Any
    """bodies, joints and coordinates: those of the model; in space all read as of space (`either.Spatial`)"""
    axes: str = "xy"
    """the components of a point: in space "xyz" """
    ground: dict[str, Vec] = field(default_factory=dict)
    start: dict[str, Vec] = field(default_factory=dict)
    bodies: dict[str, ResolvedBody] = field(default_factory=dict)
    poses: dict[str, Pose] = field(default_factory=dict)
    """where the axes of each body start, the ground's among them"""
    owners: dict[str, tuple[str, ...]] = field(default_factory=dict)
    joints: dict[str, ResolvedJoint] = field(default_factory=dict)
    """those between bodies"""
    coordinates: dict[str, ResolvedCoordinate] = field(default_factory=dict)
    acted_on: set[str] = field(default_factory=set)
    """coordinates that a force or a driver acts through"""
    used: set[str] = field(default_factory=set)
    """points that something speaks of"""
    drawn: dict[str, Vec] = field(default_factory=dict)
    """in space: points as they are drawn, before bodies have their lengths"""
    marks: set[str] = field(default_factory=set)
    """in space: points of no body that only say where a joint is"""
    directed: dict[str, Number] = field(default_factory=dict)
    """components of named directions at the start, which equations may speak of, such as "crank.u.x" """
    refused: set[str] = field(default_factory=set)
    """joints that have been reported: what speaks of their coordinates is no second mistake"""
    bearers: dict[str, str] = field(default_factory=dict)
    """points that several bodies share -> the one that bears what acts there: the slider, or the point mass"""
    shared: dict[str, str] = field(default_factory=dict)
    """points that several bodies share, none of them more than the others -> the first, which bears what acts there"""
    unsure: dict[str, tuple[str, str]] = field(default_factory=dict)
    """coordinates that are measured at a point of `shared` -> the point, and where it is named"""
    doubts: list[str] = field(default_factory=list)
    """what the model leaves open, and how it was taken"""
    remarks: list[str] = field(default_factory=list)
    """what was taken to be meant, for the notes of a run"""
    guesses: list[Guess] = field(default_factory=list)
    """dimensions that are as drawn"""

    @property
    def in_space(self) -> bool:
        return self.axes == "xyz"

    # -------------------------------------------------------------------------------------------------- numbers
    @cached_property
    def zero(self) -> Vec:
        return (self.scalars.exact(0.0),) * len(self.axes)

    @cached_property
    def identity(self) -> Matrix:
        """The axes of the ground."""
        return tuple(tuple(self.scalars.exact(float(a == b)) for b in self.axes) for a in self.axes)

    @cached_property
    def pi(self) -> Number:
        """Half a turn."""
        return self.scalars.angle(self.scalars.exact(-1.0), self.scalars.exact(0.0))

    def vector(self, values: tuple[float | str, ...] | None, where: str, expected: str = "length") -> Vec:
        """A vector by its components; by default zeros."""
        return self.zero if values is None else self.scalars.pair(values, where, expected)

    def unit(self, vector: Vec) -> Vec | None:
        """The vector made of length one; None if it has no length."""
        length = self.scalars.length(vector)
        if self.scalars.value(length) == 0.0:
            return None
        return tuple(x / length for x in vector)

    def size(self, vector: Vec) -> float:
        """The length of a vector, for decisions."""
        return self.scalars.value(self.scalars.length(vector))

    def direction(self, values: tuple[float | str, ...], where: str, what: str) -> Vec | None:
        """In space: a unit vector as the user gives it, of any length but zero; `what` has it, in words."""
        found = self.unit(self.vector(values, where))
        if found is None:
            cure = "give a direction such as [0, 0, 1]; its length does not matter"
            self.problems.add(f"{what} has no direction", where, "it is [0, 0, 0]", cure)
        return found

    def perpendicular(self, axis: Vec) -> Vec:
        """In space: a unit vector across a unit axis, that of the axis of coordinates farthest from it."""
        sizes = [abs(x) for x in self.scalars.vector(axis)]
        found = self.unit(v.across(self.identity[sizes.index(min(sizes))], axis))
        return found or self.identity[0]

    def angle_between(self, a: Vec, b: Vec) -> Number:
        """In space: the angle between two vectors, from 0 to pi."""
        return self.scalars.angle(v.dot(a, b), self.scalars.length(v.cross(a, b)))

    # --------------------------------------------------------------------------------------------------- bodies
    def body(self, name: str, where: str, axes: bool = True, ground: bool = True) -> bool:
        """Whether the body exists (and has axes of its own: a point mass has none); else it is reported."""
        if name == GROUND:
            if not ground:
                self.problems.add("the ground does not move", where, "", f"name a body: {', '.join(self.bodies)}")
            return ground
        if name not in self.bodies:
            what = f"there is no body {name!r}"
            if name in self.owners:
                what += " (it is a point)"
            known = [*self.bodies, GROUND] if ground else list(self.bodies)
            self.problems.add(what, where, "", did_you_mean(name, known, "bodies"))
            return False
        if axes and self.bodies[name].particle:
            why = "a point mass has a position but no angle"
            self.problems.add(f"the point mass {name!r} has no axes", where, why, "use a rigid body or a rod")
            return False
        return True

    def called(self, body: str) -> str:
        """A body in a sentence."""
        return "the ground" if body == GROUND else repr(body)

    def rigid_owners(self, point: str) -> tuple[str, ...]:
        """The bodies (ground first) in which a point is fixed."""
        owners = self.owners.get(point, ())
        return tuple(b for b in owners if b == GROUND or not self.bodies[b].particle)

    def x_axis(self, body: str) -> ResolvedLine:
        """In the plane: the line of a body that its angle is counted by."""
        return ResolvedLine(Direction(body, self.identity[0]), self.scalars.exact(1.0), None)

    # ---------------------------------------------------------------------------------- where things are at the start
    def position(self, point: str) -> Vec:
        """Where a point is, or starts."""
        return self.ground[point] if point in self.ground else self.start[point]

    def pose(self, body: str) -> Pose:
        """Where a body starts; a point mass has the axes of the ground."""
        if body in self.poses:
            return self.poses[body]
        points = self.bodies[body].points if body in self.bodies else ()
        return Pose(self.position(next(iter(points))) if points else self.zero, self.identity)

    def place_in(self, point: str, body: str) -> Place:
        """A point as a place of a body that owns it."""
        return Place(body, self.ground[point] if body == GROUND else self.bodies[body].points[point], point)

    def at_start(self, place: Place) -> Vec:
        """Where a place of a body starts, in the ground's axes. In the plane every place is a point, and drawn."""
        if place.point is not None and not self.in_space:
            return self.position(place.point)
        return self.pose(place.body).point(place.local)

    def local(self, body: str, position: Vec) -> Vec:
        """A position in the ground's axes, at the start, in the axes of a body."""
        pose = self.pose(body)
        return pose.turn_back(v.subtract(position, pose.origin))

    def vector_at_start(self, line: ResolvedLine) -> Vec:
        """The vector of a line, in the ground's axes."""
        vector = line.vector
        if isinstance(vector, Direction):
            return self.pose(vector.body).turn(vector.local)
        return v.subtract(self.at_start(vector.end), self.at_start(vector.start))

    def value_at_start(self, coordinate: ResolvedCoordinate) -> Number:
        """The value that a coordinate has with everything at its starting position."""
        places = [self.at_start(place) for place in coordinate.places]
        if coordinate.type == "distance":
            return self.scalars.length(v.subtract(places[1], places[0]))
        x, *others = (self.vector_at_start(line) for line in coordinate.lines)
        if coordinate.type == "angle":
            y = others[0] if len(others) == 2 else (-x[1], x[0])  # in the plane that across x
            return self.scalars.angle(v.dot(x, others[-1]), v.dot(y, others[-1]))
        line = coordinate.lines[0]
        assert line.through is not None  # every line of a position has one
        length = line.length if isinstance(line.vector, Direction) else self.scalars.length(x)
        return v.dot(v.subtract(places[0], self.at_start(line.through)), x) / length


class Reader:
    """What an item asks for while it is resolved: its name, its keys, and what is known of the model."""

    table: ClassVar[str]

    def __init__(self, ctx: Context, name: str, item: Any):
        self.ctx, self.name, self.item = ctx, name, item
        self.where = f"{self.table}.{name}"

    def wrong(self, what: str, key: str, why: str, cure: str) -> None:
        """Report a mistake; `key`: where it is, or "" for the item as a whole."""
        self.ctx.problems.add(what, self._at(key), why, cure)

    def scalar(self, key: str, kind: str) -> Number | None:
        """The number of a key, None if it is not given. `kind`: "length", "angle", "number"."""
        given = getattr(self.item, key, None)
        return None if given is None else self.ctx.scalars.read(given, self._at(key), kind)

    def value(self, number: Number) -> float:
        """The float behind a number, for decisions."""
        return self.ctx.scalars.value(number)

    def mistakes(self) -> int:
        """How many mistakes have been reported so far, in the whole model."""
        return len(self.ctx.problems.found)

    def _at(self, key: str) -> str:
        return f"{self.where}.{key}" if key else self.where
