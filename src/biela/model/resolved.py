"""What the model means: every text resolved to a number (or a symbol), every name to a place in a body.

This is all that the numerical layers read. Scalars are floats, or SymPy expressions when the model is
resolved with symbols for its parameters, so the same assembly code gives numbers and formulas.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from . import vectors as v
from .vectors import Matrix, Vec

__all__ = ["Matrix", "Vec"]
Number = Any  # float, or a SymPy expression

GROUND = "ground"


@dataclass(frozen=True)
class Place:
    """A point fixed in a body (local axes) or in the ground (ground axes)."""

    body: str
    local: Vec
    point: str | None = None
    """the user's name for it, if it has one"""


@dataclass(frozen=True)
class Direction:
    """A vector that turns with a body; its length never changes."""

    body: str
    local: Vec


@dataclass(frozen=True)
class Span:
    """The vector from one place to another; constant in length only if both are in one body."""

    start: Place
    end: Place


@dataclass(frozen=True)
class Frame:
    """Where a joint in space is fixed in a body: a point and a right-handed triad, in the body's axes.

    e3 is the joint's axis; at zero of the joint's coordinates both triads coincide.
    """

    place: Place
    e1: Vec
    e2: Vec
    e3: Vec

    @property
    def body(self) -> str:
        return self.place.body


@dataclass(frozen=True)
class Pose:
    """Where a body starts: its origin, and its axes as the columns of a rotation."""

    origin: Vec
    rotation: Matrix

    def turn(self, local: Vec) -> Vec:
        """A vector of the body in the ground's axes."""
        return v.times(self.rotation, local)

    def turn_back(self, vector: Vec) -> Vec:
        """A vector of the ground in the body's axes."""
        return v.times(v.transposed(self.rotation), vector)

    def point(self, local: Vec) -> Vec:
        """A point of the body in the ground's axes."""
        return v.add(self.origin, self.turn(local))


@dataclass(frozen=True)
class ResolvedLine:
    """A line of a body: where it starts (if that matters), its vector, and the vector's length."""

    vector: Direction | Span
    length: Number | None
    """None when the two points belong to different bodies: the vector then changes length"""
    through: Place | None

    def in_body(self) -> tuple[str, Vec] | None:
        """The body that it is fixed in, and its vector there; None of a line between two bodies."""
        vector = self.vector
        if isinstance(vector, Direction):
            return vector.body, vector.local
        if vector.start.body != vector.end.body or not vector.start.body:
            return None
        return vector.start.body, v.subtract(vector.end.local, vector.start.local)

    @property
    def bodies(self) -> set[str]:
        """The body or bodies it is fixed in."""
        vector = self.vector
        return {vector.body} if isinstance(vector, Direction) else {vector.start.body, vector.end.body}


@dataclass(frozen=True)
class ResolvedBody:
    name: str
    kind: str
    points: dict[str, Vec]
    """points of the body in its own axes"""
    mass: Number
    center: Vec
    inertia: Any
    """about the centre of mass: a number in the plane, a 3 x 3 tensor in the body's axes in space"""
    particle: bool = False
    """a point mass: no orientation of its own"""
    directions: dict[str, Vec] = field(default_factory=dict)
    """named unit vectors of the body, in space"""
    carrier: str | None = None
    """how natural coordinates should carry it, if the user says so, as "2 points + 1 vector" """


@dataclass(frozen=True)
class ResolvedLaw:
    """c0 - k (x - x0) - c v, plus at most one of: an expression of (t, x, v), a table, a Python function."""

    constant: Number = 0.0
    stiffness: Number = 0.0
    free: Number = 0.0
    damping: Number = 0.0
    expression: Any = None
    """an `expression.Node` with every parameter already replaced by its value; with symbols the parameters
    stay names, and `ResolvedModel.parameters` holds what to put for them"""
    potential: Any = None
    """of a spring that is not linear: the node V of x whose slope with a minus is `expression`"""
    strain: Any = None
    """of a spring with V = k (e - e0)^2 / 2: k, and the node e of x; a jump of its force is one of the stress k e"""
    table: Any = None
    """(x, y, interpolation); of time for drivers, loads and moments, of x for actuators"""
    function: Any = None
    scale_of_t: float | None = None
    scale_of_x: float | None = None
    """how fast a function of the user's varies: the time, and the strain, that a step may go by"""
    as_drawn: bool = False
    """nobody gave `free`: it is the length or angle of the drawing, put together"""


@dataclass(frozen=True)
class ResolvedJoint:
    name: str
    type: str
    places: tuple[Place, ...] = ()
    lines: tuple[ResolvedLine, ...] = ()
    value: Number | None = None
    """what its type needs: a length, an angle, a lead per turn"""
    bodies: tuple[str, ...] = ()
    frames: tuple[Frame, ...] = ()
    """in space: on the first and on the second body"""
    terms: tuple[tuple[str, Number], ...] = ()
    """gears, racks, screws: (coordinate, factor) whose sum keeps its starting value, or `value` if given"""
    equation: Any = None
    """of a user's joint: an `expression.Node` of "P.x", "body.u.x", coordinates and t that must vanish"""
    reduced: Any = None
    """the same with terms (coordinates of this type) in the place of what is beyond a quadratic"""
    implied: bool = False
    """nobody wrote it: two bodies share a point"""

    @property
    def keeps_start(self) -> bool:
        """Whether it is no more than a sum of coordinates that stays what it is at the start: a gear, a rack."""
        return bool(self.terms) and not self.frames and self.value is None


@dataclass(frozen=True)
class ResolvedCoordinate:
    name: str
    type: str
    """distance, angle, position; or term: a part of a user's equation"""
    places: tuple[Place, ...] = ()
    """distance: the two points; position: the point"""
    lines: tuple[ResolvedLine, ...] = ()
    """angle: (relative_to, of) in the plane, in space (u, v, w): the angle of w with tan = v.w / u.w;
    position: (along,)"""
    needed: bool = False
    """a force, a driver or the model's own equations act through it (else it is only measured)"""
    joint: str | None = None
    """the joint whose own freedom this is"""
    freedom: int = 0
    """which of the joint's freedoms, in the order of its type"""
    formula: Any = None
    """a term: an `expression.Node` of what it stands for, of "P.x", "body.u.x", coordinates and t"""
    equation: Any = None
    """a term: what must vanish, a quadratic in which it and other terms are variables"""
    tilts: bool = False
    """an angle in space whose direction no joint keeps at its slope to the axis: it can only be measured"""


@dataclass(frozen=True)
class ResolvedDriver:
    name: str
    coordinate: str
    """a relative coordinate, or "P.x" / "P.y" """
    law: ResolvedLaw
    place: Place | None = None
    """for a point's coordinate"""
    axis: int = 0


STRAINS = ("distance", "coordinate", "angle")
"""what springs, dampers, actuators and motors are laws of: the distance of two points, a coordinate, the angle between
two bodies of the plane that is no coordinate"""


@dataclass(frozen=True)
class ResolvedForce:
    name: str
    type: str
    """force or moment (a load); or the strain that its law is of"""
    law: ResolvedLaw
    law_y: ResolvedLaw | None = None
    """second component of a point force (in space also of a moment)"""
    law_z: ResolvedLaw | None = None
    """third component, in space"""
    places: tuple[Place, ...] = ()
    bodies: tuple[str, ...] = ()
    axes: str = GROUND
    coordinate: str | None = None

    @property
    def strained(self) -> bool:
        """Whether it is a law of a strain, and no load."""
        return self.type in STRAINS


@dataclass(frozen=True)
class ResolvedStop:
    """Limits of an expression of coordinates."""

    name: str
    equation: Any
    """an `expression.Node` of "P.x", "body.u.x", coordinates and t"""
    lower: Number | None
    upper: Number | None
    restitution: Number
    unit: str = "m"
    """of what it limits: "m", "rad", or "1" where lengths and angles are mixed"""


@dataclass(frozen=True)
class Moment:
    """When a lock closes or opens: at a time, or when a condition becomes true."""

    time: Number | None = None
    condition: Any = None
    """an `expression.Node` that is positive where the condition holds; of coordinates, their rates, points and t"""
    text: str = ""


@dataclass(frozen=True)
class ResolvedLock:
    """Expressions of coordinates that keep their values for a while."""

    name: str
    equations: tuple[Any, ...]
    closes: Moment | None
    """None: closed from the start"""
    opens: Moment | None
    units: tuple[str, ...] = ()


@dataclass(frozen=True)
class Guess:
    """A dimension that nobody gave a number: it is as the mechanism is drawn."""

    what: str
    bodies: tuple[str, ...]
    """that are drawn so"""


def shared_points(
    owners: Mapping[str, tuple[str, ...]], bodies: Mapping[str, ResolvedBody]
) -> Iterator[tuple[str, str, list[str]]]:
    """Points that several bodies own: the point, the body that holds the others (the ground, or else a rigid one), and
    these. In the plane each of them is a pin, called "P@body"."""
    for point, every in owners.items():
        if len(every) > 1:
            first, *rest = sorted(every, key=lambda b: (b != GROUND, b != GROUND and bodies[b].particle))
            yield point, first, rest


@dataclass(frozen=True)
class ResolvedModel:
    """A resolved model."""

    name: str
    gravity: Vec
    ground: dict[str, Vec]
    start: dict[str, Vec]
    """approximate starting position of every moving point, those that only a body declares too"""
    bodies: dict[str, ResolvedBody]
    owners: dict[str, tuple[str, ...]]
    """point -> the bodies it belongs to, GROUND among them if it is fixed"""
    joints: tuple[ResolvedJoint, ...]
    coordinates: dict[str, ResolvedCoordinate]
    drivers: tuple[ResolvedDriver, ...]
    forces: tuple[ResolvedForce, ...]
    position: dict[str, Number] = field(default_factory=dict)
    velocity: dict[str, Number] = field(default_factory=dict)
    duration: Number | None = None
    step: Number | None = None
    parameters: dict[str, Number] = field(default_factory=dict)
    scalar: str = "float"
    """"float" or "sympy" """
    dimension: int = 2
    poses: dict[str, Pose] = field(default_factory=dict)
    """in space: where each body starts (roughly)"""
    stops: tuple[ResolvedStop, ...] = ()
    locks: tuple[ResolvedLock, ...] = ()
    bearers: dict[str, str] = field(default_factory=dict)
    """shared point -> the body that bears what acts there, where that is not the first rigid one"""
    remarks: tuple[str, ...] = ()
    """what was taken to be meant: notes of every run"""
    guesses: tuple[Guess, ...] = ()
    """dimensions that are as drawn: told where the mechanism does not fit together as it is drawn"""
    doubts: tuple[str, ...] = ()
    """what the model leaves open, and how it was taken: worth a look, and a note of every run"""
    opened: tuple[str, ...] = ()
    """joints that the tree of relative coordinates must not follow: their loops are opened there"""
    rounding: float = 0.0
    """how far lengths, places and directions may be off, to judge by their decimals; 0: they are exact"""

    @property
    def eventful(self) -> bool:
        """Whether stops or locks interrupt the motion."""
        return bool(self.stops or self.locks)

    def carried(self, mixed: bool) -> list[str]:
        """Relative coordinates that are variables: those something acts through; if `mixed`, the declared ones too.

        The joints' own coordinates are only measured, unless something acts through them or starts them.
        """
        started = {*self.position, *self.velocity}
        return [
            c.name
            for c in self.coordinates.values()
            if c.needed or (mixed and not c.tilts and (c.joint is None or c.name in started))
        ]

    def is_angular(self, f: ResolvedForce) -> bool:
        """Whether a force element strains an angle, and so has a moment and not a force."""
        c = self.coordinates.get(f.coordinate or "")
        return f.type == "angle" or (f.type == "coordinate" and c is not None and c.type == "angle")

    def place(self, point: str) -> Place:
        """Where a named point is: in the ground, in the body that bears what acts there, or by itself."""
        if point in self.ground:
            return Place(GROUND, self.ground[point], point)
        owners = [b for b in self.owners.get(point, ()) if b != GROUND]
        rigid = [b for b in owners if not self.bodies[b].particle]
        if owners:
            body = self.bearers.get(point) or (rigid or owners)[0]
            return Place(body, self.bodies[body].points[point], point)
        return Place("", (0.0, 0.0), point)
