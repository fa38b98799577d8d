"""What a force asks for while it is resolved: places, bodies, laws and numbers by its keys.

Whatever is wrong is reported, with the name of the force and the key; the answer is then None or False.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from .. import expression as ex
from ..resolved import (
    GROUND,
    Direction,
    Number,
    Place,
    ResolvedCoordinate,
    ResolvedForce,
    ResolvedLaw,
    ResolvedLine,
    Vec,
)
from .bearers import borne, borne_pair
from .context import Context, Reader
from .coordinates import KINDS, target
from .laws import law, with_scale
from .places import direction
from .scalars import number

# What is strained: the kinds of quantity for the strain, its force, stiffness and damping.
LENGTHS = {"x": "length", "f": "force", "k": "stiffness", "c": "damping"}
ANGLES = {"x": "angle", "f": "moment", "k": "torsional stiffness", "c": "torsional damping"}


class Ends(NamedTuple):
    """What an element acts on: its strain."""

    type: str
    places: tuple[Place, ...] = ()
    bodies: tuple[str, ...] = ()
    coordinate: str | None = None
    kinds: dict[str, str] = LENGTHS
    start: Callable[[], Number | None] = lambda: None
    """the length or angle at the start"""


class ForceReader(Reader):
    """One force of a model: its item, its name, and what is known of the model."""

    table = "forces"

    # -------------------------------------------------------------------------------------- the model
    @property
    def in_space(self) -> bool:
        """Whether the model is one of space."""
        return self.ctx.in_space

    @property
    def symbolic(self) -> bool:
        """Whether numbers are formulas of the parameters."""
        return self.ctx.scalars.symbolic

    def body(self, key: str, axes: bool = True, ground: bool = True) -> bool:
        """Whether the body that a key names is known; `axes`: it must have its own; `ground`: it may be that."""
        return self.ctx.body(getattr(self.item, key), self._at(key), axes=axes, ground=ground)

    def place(self, point: str, on: str | None, key: str = "") -> Place | None:
        """Where a point is fixed: in the body `on` if given."""
        what = "load" if key else self.item.type
        return borne(self.ctx, point, self._at(key), f"{what} {self.name!r}", on)

    def is_fixed(self, point: str) -> bool:
        """Whether a point is one of the ground."""
        return point in self.ctx.ground

    def center(self, body: str) -> Vec:
        """Its centre of mass, in its own axes."""
        found = self.ctx.bodies[body]
        return self.ctx.zero if found.particle else found.center

    def mass(self, body: str) -> Number:
        """Of a body."""
        return self.ctx.bodies[body].mass

    def density(self, body: str) -> Number | None:
        """Of a body that is given by it."""
        given = getattr(self.ctx.model.bodies[body], "density", None)
        return None if given is None else self.ctx.scalars.read(given, f"bodies.{body}.density", "density")

    def direction_of(self, body: str, key: str) -> Vec | None:
        """A unit vector of a body: one of its directions by name, or components in its axes."""
        user = f"{self.item.type} {self.name!r}"
        return direction(self.ctx, getattr(self.item, key), body, self._at(key), user)

    # ------------------------------------------------------------------------------ numbers and laws
    def read(self, given: Any, key: str, kind: str) -> Number:
        """A number, of a kind of quantity."""
        return self.ctx.scalars.read(given, self._at(key), kind)

    def exact(self, value: float) -> Number:
        """A number as those of the model are."""
        return self.ctx.scalars.exact(value)

    def length(self, vector: Vec) -> Number:
        """Of a vector."""
        return self.ctx.scalars.length(vector)

    def damping(self) -> Number:
        """The key `damping`, which may not feed energy in."""
        found = self.read(self.item.damping, "damping", self.kinds["c"])
        if self.value(found) < 0:
            what = f"the damping of {self.item.type} {self.name!r} is negative"
            cure = "give damping >= 0; to feed energy in, use an actuator"
            self.wrong(what, "damping", f"{self.value(found):g}", cure)
        return found

    def law(self, given: Any, key: str, kind: str, variables: tuple[str, ...]) -> ResolvedLaw:
        """A number, formula, table or function of these variables."""
        return law(self.ctx, given, self._at(key), kind, variables)

    def laws(self, key: str, kind: str) -> list[ResolvedLaw]:
        """Laws of time, one for each component, with the `scale` of what is opaque."""
        given = getattr(self.item, key)
        if not isinstance(given, tuple):
            found = [self.law(given, key if not self.in_space else f"{key}, {self.ctx.axes[0]}", kind, ("t",))]
        else:
            found = [self.law(one, f"{key}, {axis}", kind, ("t",)) for one, axis in zip(given, self.ctx.axes)]
        return with_scale(self.ctx, found, self.item.scale, self._at("scale"))

    def scaled(self, one: ResolvedLaw) -> ResolvedLaw:
        """A law of a strain, with the `scale` of what is opaque."""
        return with_scale(self.ctx, [one], self.item.scale, self._at("scale"), self.kinds["x"])[0]

    # ------------------------------------------------------------------------------------------ loads
    def load(self, type: str, laws: list[ResolvedLaw], name: str = "", **on: Any) -> ResolvedForce:
        """A force or a moment by its components; `name`: what is added to that of the force, for one of several."""
        parts: dict[str, Any] = dict(zip(("law", "law_y", "law_z"), laws))
        return ResolvedForce(self.name + name, type, **parts, **on)

    def share(self, name: str, share: Any, laws: list[ResolvedLaw], place: Place, axes: str) -> ResolvedForce:
        """A part of a load, as a force on a place."""
        value = self.value(share) if self.symbolic else None
        return self.load("force", [times(share, one, value) for one in laws], name, places=(place,), axes=axes)

    # --------------------------------------------------------------------------------------- elements
    def element(self, found: ResolvedLaw) -> ResolvedForce:
        """The law of a strain."""
        ends = self._ends
        assert ends is not None
        if ends.coordinate:
            self.ctx.acted_on.add(ends.coordinate)
        return ResolvedForce(
            self.name, ends.type, found, places=ends.places, bodies=ends.bodies, coordinate=ends.coordinate
        )

    def on_position(self, axis: str, place: Place, found: ResolvedLaw) -> ResolvedForce:
        """The law of how far a place is along an axis of the ground ("x", "y", "z"), as one of several elements."""
        unit = self.ctx.identity[self.ctx.axes.index(axis)]
        origin = Place(GROUND, self.ctx.zero)
        along = ResolvedLine(Direction(GROUND, unit), self.exact(1.0), origin)
        name = f"{self.name}.{axis}"
        self.ctx.coordinates[name] = ResolvedCoordinate(name, "position", places=(place,), lines=(along,))
        self.ctx.acted_on.add(name)
        return ResolvedForce(name, "coordinate", found, coordinate=name)

    def ends(self) -> Ends | None:
        """What an element acts on, by its keys `points`, `bodies` or `coordinate`."""
        return self._ends

    @property
    def kinds(self) -> dict[str, str]:
        """Kinds of quantity of the strain "x", its force "f", stiffness "k" and damping "c"."""
        return self._ends.kinds if self._ends else ANGLES if self.item.bodies else LENGTHS

    @property
    def is_length(self) -> bool:
        """Whether the strain is a distance, which is never negative."""
        ends = self._ends
        if ends is None or ends.type == "angle":
            return False
        return ends.coordinate is None or self.ctx.coordinates[ends.coordinate].type == "distance"

    def strain_at_start(self) -> Number | None:
        """The length or angle as drawn."""
        return self._ends.start() if self._ends else None

    @cached_property
    def _ends(self) -> Ends | None:
        ctx, item, name = self.ctx, self.item, self.name
        given = [key for key in ("points", "bodies", "coordinate") if getattr(item, key) is not None]
        if len(given) != 1:
            what = f"{item.type} {name!r} must act on one thing"
            why = f"it names {' and '.join(given)}" if given else "it names nothing to act on"
            cure = "give exactly one of points = [A, B], bodies = [i, j], coordinate = name"
            return self.wrong(what, "", why, cure)
        if item.points is not None:
            pair = borne_pair(ctx, item.points, self.where, f"{item.type} {name!r}", item.on)
            if pair is None:
                return None
            between = ResolvedCoordinate(name, "distance", places=pair)
            return Ends("distance", places=pair, start=lambda: ctx.value_at_start(between))
        if item.on is not None:
            what = f"{item.type} {name!r} has no points that `on` could give to a body"
            self.wrong(what, "on", f"it acts on its {given[0]}", "leave `on` out, or act between points")
        if item.bodies is not None:
            return self._between_bodies(*item.bodies)
        found = target(ctx, item.coordinate, self._at("coordinate"), "acted on")
        if isinstance(found, tuple):
            what = f"{item.type} {name!r} cannot act on a point's coordinate"
            cure = "declare a coordinate of type 'position' along a line of the ground, and act on that"
            return self.wrong(what, "coordinate", f"{item.coordinate!r}", cure)
        if found is None:
            return None
        kinds = ANGLES if KINDS[found.type] == "angle" else LENGTHS
        return Ends("coordinate", coordinate=found.name, kinds=kinds, start=lambda: ctx.value_at_start(found))

    def _between_bodies(self, i: str, j: str) -> Ends | None:
        ctx, what = self.ctx, f"{self.item.type} {self.name!r}"
        if ctx.in_space:
            cure = "name the coordinate of a joint instead: coordinate = 'J.angle'; or declare an angle about an axis"
            why = f"{what} acts between bodies, but in space there is no single angle between them"
            return self.wrong(why, "bodies", "", cure)
        if i == j:
            cure = f"name two bodies; one may be {GROUND!r}"
            return self.wrong(f"{what} acts on {i!r} against itself", "bodies", "", cure)
        if not all([ctx.body(body, self._at("bodies")) for body in (i, j)]):
            return None
        between = ResolvedCoordinate(self.name, "angle", lines=(ctx.x_axis(i), ctx.x_axis(j)))
        return Ends("angle", bodies=(i, j), kinds=ANGLES, start=lambda: ctx.value_at_start(between))


def resolve_forces(ctx: Context) -> tuple[ResolvedForce, ...]:
    """All the forces that make sense; what is wrong with the others is reported."""
    readers = [ForceReader(ctx, name, item) for name, item in ctx.model.forces.items()]
    return tuple(force for read in readers for force in read.item.resolve(read))


def times(share: Any, given: ResolvedLaw, value: float | None = None) -> ResolvedLaw:
    """A law times a number; with symbols times a formula, which is the number `value`.

    >>> times(-2.0, ResolvedLaw(constant=3.0)).constant
    -6.0
    >>> ex.to_text(times(-2.0, ResolvedLaw(expression=ex.parse("sin(t)"))).expression)
    '-2.0*sin(t)'
    """
    if given.expression is not None:
        return replace(given, expression=ex.Binary("*", _node(share, value), given.expression))
    value = share if value is None else value
    if given.table is not None:
        x, y, kind = given.table
        return replace(given, table=(x, tuple(value * v for v in y), kind))
    if given.function is not None:
        function = given.function
        return replace(given, function=lambda *at: value * function(*at))
    return replace(given, constant=share * given.constant)


def _node(share: Any, value: float | None) -> ex.Node:
    """A factor of an expression: a number, or a formula of parameters, which keep their names."""
    if value is None:
        return number(share)
    try:
        return ex.parse(str(share).replace("**", "^"))
    except ex.ExpressionError:
        return number(value)
