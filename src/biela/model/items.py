"""The things a mechanism is made of, as the user says them: pure description, checked key by key.

Every length, mass, angle ... is a *scalar*: a number in SI units, a text with a unit ("30 deg", "12 mm"),
or an expression of the model's parameters ("2*r"). Every item refuses keys it does not know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from .interpolation import Interpolation


def _not_bool(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("true or false does not fit here; give a number or a text such as '30 deg'")
    return value


# Before, not after: by then true would have become 1.0.
Scalar = Annotated[float | str, BeforeValidator(_not_bool)]
Pair = tuple[Scalar, Scalar]
Triple = Annotated[tuple[Scalar, ...], Field(min_length=3, max_length=3)]
Vector = Annotated[tuple[Scalar, ...], Field(min_length=2, max_length=3)]
"""two components in the plane, three in space"""
Name = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_\-]*$", max_length=64)]


Bearers = str | tuple[str, str]
"""the body that bears one of two ends where several bodies share its point; or the bodies of both ends"""


class Item(BaseModel):
    """Base of every item: immutable, no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True, allow_inf_nan=False)


class SpaceItem(Item):
    """Base of what exists in space only."""


# ---------------------------------------------------------------------------------------------- laws
class Table(Item):
    """A function given by points; see `biela.model.interpolation` for what joins them."""

    x: list[Annotated[float, BeforeValidator(_not_bool)]] = Field(min_length=2, max_length=1_000_000)
    y: list[Annotated[float, BeforeValidator(_not_bool)]] = Field(min_length=2, max_length=1_000_000)
    interpolation: Interpolation | None = None
    """None: shape-preserving for forces, a spline for drivers"""


Law = Annotated[float | str | Table | Callable[..., float], BeforeValidator(_not_bool)]


# --------------------------------------------------------------------------------------------- lines
class Axis(Item):
    """A direction fixed in a body (or in "ground"), at an angle to the body's x axis."""

    body: str
    angle: Scalar = 0.0
    through: str | None = None


Line = tuple[str, str] | str | Axis
"""Two points of one body (from, to); or a body's name (its own x axis); or an `Axis`."""


class SpaceLine(Item):
    """A direction of a body (in its own axes, or by name), and a point of the body the line passes through."""

    body: str
    direction: str | Triple
    through: str | None = None


Directed = tuple[str, str] | str | SpaceLine
"""In space: two points of one body (from, to); a named direction "body.u"; or a `SpaceLine`"""


# -------------------------------------------------------------------------------- relative coordinates
class DistanceCoordinate(Item):
    """s, the distance between two points."""

    type: Literal["distance"]
    points: tuple[str, str]
    on: Bearers | None = None


class AngleCoordinate(Item):
    """phi, the angle from one line (by default the ground's x axis) to another; it counts whole turns."""

    type: Literal["angle"]
    of: Line
    relative_to: Line = "ground"


class PositionCoordinate(Item):
    """s, the signed position of a point along a line of another body, counted from the line's start."""

    type: Literal["position"]
    point: str
    along: Line
    on: str | None = None


AnyCoordinate = Annotated[
    DistanceCoordinate | AngleCoordinate | PositionCoordinate, Field(discriminator="type")
]


class SpaceAngleCoordinate(SpaceItem):
    """phi, the angle of a direction about an axis of another body, counted from a direction of that body.

    Or, with `joint`, another name for the angle of a joint.
    """

    type: Literal["angle"]
    of: Directed | None = None
    relative_to: Directed | None = None
    about: str | Triple | None = None
    joint: str | None = None


class SpacePositionCoordinate(SpaceItem):
    """s, the signed position of a point along a line of another body; or another name for that of a joint."""

    type: Literal["position"]
    point: str | None = None
    along: Directed | None = None
    on: str | None = None
    joint: str | None = None


AnySpaceCoordinate = Annotated[
    DistanceCoordinate | SpaceAngleCoordinate | SpacePositionCoordinate, Field(discriminator="type")
]


class Driver(Item):
    """coordinate = law(t): a relative coordinate, a point's "P.x" / "P.y", or a body's "crank.angle"."""

    coordinate: str
    law: Law
    scale: Scalar | None = None
    on: str | None = None


# -------------------------------------------------------------------------------------------- events
class Stop(Item):
    """Limits that hold: what reaches one rebounds with `restitution` times its speed, or comes to rest on it.

    `coordinate` is a relative coordinate, "P.x", "crank.angle", or a formula of such, of degree two at most.
    """

    coordinate: str
    lower: Scalar | None = None
    upper: Scalar | None = None
    restitution: Scalar = 0.0


class Lock(Item):
    """A clutch, a brake or a catch: while it is closed, what it holds keeps the value that it had on closing.

    `hold` is a coordinate or a formula of coordinates and points (or several). `closes` and `opens` are times, or
    conditions such as "phi > 30 deg" and "crank.angle.rate < 0"; without `closes` it is closed from the start.
    """

    hold: str | list[str]
    closes: Scalar | None = None
    opens: Scalar | None = None


# ------------------------------------------------------------------------------------- start and run
class Initial(Item):
    """Coordinates and rates at t = 0; whatever is not said is found by assembling the mechanism."""

    position: dict[str, Scalar] = {}
    velocity: dict[str, Scalar] = {}


class Run(Item):
    """What to simulate when nothing else is asked for."""

    duration: Scalar | None = None
    step: Scalar | None = None


class Reference(Item):
    """Where the mechanism comes from and numbers it must reproduce ("P2.y @ 10": 0.6459)."""

    source: str = ""
    note: str = ""
    values: dict[str, float] = {}
