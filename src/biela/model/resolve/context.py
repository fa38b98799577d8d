"""What is known while a model is being resolved."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..model import Model
from ..resolved import GROUND, Guess, Number, ResolvedBody, ResolvedCoordinate, Vec
from .naming import did_you_mean
from .problems import Problems
from .scalars import Scalars


@dataclass(frozen=True)
class Pose:
    """Where a body starts: its origin, and the cosine and sine of its angle."""

    origin: Vec
    c: Number
    s: Number

    def turn(self, local: Vec) -> Vec:
        """A vector of the body in the ground's axes."""
        return self.c * local[0] - self.s * local[1], self.s * local[0] + self.c * local[1]

    def point(self, local: Vec) -> Vec:
        """A point of the body in the ground's axes."""
        x, y = self.turn(local)
        return self.origin[0] + x, self.origin[1] + y


@dataclass
class Context:
    """Filled step by step by `resolve`: numbers first, then bodies and points, then all that names them."""

    model: Model
    problems: Problems
    scalars: Scalars
    ground: dict[str, Vec] = field(default_factory=dict)
    start: dict[str, Vec] = field(default_factory=dict)
    bodies: dict[str, ResolvedBody] = field(default_factory=dict)
    poses: dict[str, Pose] = field(default_factory=dict)
    owners: dict[str, tuple[str, ...]] = field(default_factory=dict)
    coordinates: dict[str, ResolvedCoordinate] = field(default_factory=dict)
    acted_on: set[str] = field(default_factory=set)
    """coordinates that a force or a driver acts through"""
    used: set[str] = field(default_factory=set)
    """points that something speaks of"""
    directed: dict[str, Number] = field(default_factory=dict)
    """in space: components of named directions at the start, which equations may speak of, such as "crank.u.x" """
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
    axes: str = "xy"
    """the components of a point: in space "xyz" """

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

    def rigid_owners(self, point: str) -> tuple[str, ...]:
        """The bodies (ground first) in which a point is fixed."""
        owners = self.owners.get(point, ())
        return tuple(b for b in owners if b == GROUND or not self.bodies[b].particle)

    def position(self, point: str) -> Vec:
        """Where a point is, or starts."""
        return self.ground[point] if point in self.ground else self.start[point]

    @property
    def in_space(self) -> bool:
        return self.axes == "xyz"
