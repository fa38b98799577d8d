"""Joints as rows of primitive equations on points and directions (DESIGN: everything is a point or a direction).

A vector is a pair of polynomials; whoever chooses the coordinates says which. No equation below knows what
the coordinates are. A new joint is one function with one decorator line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...model.resolved import Direction, Place, ResolvedCoordinate, ResolvedJoint, ResolvedLine, ResolvedModel
from ..polynomial import Polynomial
from ..scalars import FLOATS, Functions

Vector = tuple[Any, Any]


def minus(a: Vector, b: Vector) -> Vector:
    """a - b."""
    return (a[0] - b[0], a[1] - b[1])


def dot(a: Vector, b: Vector) -> Any:
    """a . b."""
    return a[0] * b[0] + a[1] * b[1]


def cross(a: Vector, b: Vector) -> Any:
    """The component of a x b out of the plane."""
    return a[0] * b[1] - a[1] * b[0]


@dataclass(frozen=True)
class View:
    """What a coordinate set offers to the equations: places and lines as vectors, and start values."""

    place: Callable[[Place], Any]
    vector: Callable[[ResolvedLine], Any]
    direction: Callable[[Direction], Any]
    distance_at_start: Callable[[Place, Place], Any]
    angle_at_start: Callable[..., Any]
    vector_at_start: Callable[[ResolvedLine], Any]
    cos: Callable[[Any], Any]
    sin: Callable[[Any], Any]
    coordinate: Callable[[str], Polynomial]
    """a relative coordinate that is among the variables"""
    resolved: ResolvedModel
    fn: Functions = FLOATS


Equations = list[tuple[str, Any]]
"""(what the row says, its polynomial)"""
JOINTS: dict[str, Callable[[ResolvedJoint, View], Equations]] = {}
COORDINATES: dict[str, Callable[[ResolvedCoordinate, int, View], Equations]] = {}


def joint(name: str) -> Callable:
    """Register the rows of a joint."""

    def register(rows: Callable[[ResolvedJoint, View], Equations]) -> Callable:
        JOINTS[name] = rows
        return rows

    return register


def coordinate(name: str) -> Callable:
    """Register the rows that tie a relative coordinate to points and directions."""

    def register(rows: Callable[[ResolvedCoordinate, int, View], Equations]) -> Callable:
        COORDINATES[name] = rows
        return rows

    return register


# ---------------------------------------------------------------------------------------- primitives
def coincident(p: Vector, q: Vector) -> Equations:
    """Two points together: r_j - r_i = 0.   003, pair R"""
    d = minus(q, p)
    return [("x", d[0]), ("y", d[1])]


def constant_distance(p: Vector, q: Vector, length: Any) -> Equations:
    """(r_j - r_i).(r_j - r_i) - L^2 = 0.   000 (124)"""
    d = minus(q, p)
    return [("length", dot(d, d) - length * length)]


def constant_angle(u: Vector, v: Vector, cosine: Any, sine: Any) -> Equations:
    """The angle from u to v: zero for that angle only up to half turns, but its slope never vanishes there."""
    return [("angle", cross(u, v) * cosine - dot(u, v) * sine)]


def on_line(p: Vector, start: Vector, u: Vector) -> Equations:
    """u x (r_P - r_A) = 0: three points in line.   003, cylindrical pair in the plane"""
    return [("line", cross(u, minus(p, start)))]


# --------------------------------------------------------------------------------------------- joints
@joint("revolute")
def revolute(j: ResolvedJoint, see: View) -> Equations:
    """A pin. (No rows are left where the coordinates let both bodies share the point.)"""
    return coincident(see.place(j.places[0]), see.place(j.places[1]))


@joint("point-on-line")
def point_on_line(j: ResolvedJoint, see: View) -> Equations:
    """A pin in a slot."""
    line = j.lines[0]
    assert line.through is not None
    return on_line(see.place(j.places[0]), see.place(line.through), see.vector(line))


@joint("prismatic")
def prismatic(j: ResolvedJoint, see: View) -> Equations:
    """A slide: on the line, and not turning against it."""
    line, slider = j.lines
    assert line.through is not None and slider.through is not None
    u, v = see.vector(line), see.vector(slider)
    return on_line(see.place(slider.through), see.place(line.through), u) + constant_angle(
        u, v, see.cos(j.value), see.sin(j.value)
    )


@joint("fixed")
def fixed(j: ResolvedJoint, see: View) -> Equations:
    """A weld: a common point and a constant angle."""
    angle = see.angle_at_start(*j.lines) if j.value is None else j.value
    rows = coincident(see.place(j.places[0]), see.place(j.places[1])) if j.places else []
    return rows + constant_angle(see.vector(j.lines[0]), see.vector(j.lines[1]), see.cos(angle), see.sin(angle))


@joint("distance")
def distance(j: ResolvedJoint, see: View) -> Equations:
    """A massless rod with a pin at each end."""
    length = see.distance_at_start(*j.places) if j.value is None else j.value
    return constant_distance(see.place(j.places[0]), see.place(j.places[1]), length)


@joint("angle")
def angle(j: ResolvedJoint, see: View) -> Equations:
    """Two lines at a constant angle.   003, scalar product"""
    value = see.angle_at_start(*j.lines) if j.value is None else j.value
    return constant_angle(see.vector(j.lines[0]), see.vector(j.lines[1]), see.cos(value), see.sin(value))


# -------------------------------------------------------------------------------- relative coordinates
@coordinate("distance")
def distance_coordinate(c: ResolvedCoordinate, s: int, see: View) -> Equations:
    """s between two points: (r_j - r_i).(r_j - r_i) - s^2 = 0.   000 fig. 9"""
    d = minus(see.place(c.places[1]), see.place(c.places[0]))
    return [("distance", dot(d, d) - Polynomial.variable(s) * Polynomial.variable(s))]


@coordinate("angle")
def angle_coordinate(c: ResolvedCoordinate, phi: int, see: View) -> Equations:
    """phi from u to v, by sine and by cosine: redundant on purpose, so that one is always regular.   000 (139)"""
    u, v = see.vector(c.lines[0]), see.vector(c.lines[1])
    scale: Any = c.lines[0].length * c.lines[1].length  # type: ignore[operator]
    return [
        ("sine", cross(u, v) - scale * Polynomial.sine(phi)),
        ("cosine", dot(u, v) - scale * Polynomial.cosine(phi)),
    ]


@coordinate("position")
def position_coordinate(c: ResolvedCoordinate, s: int, see: View) -> Equations:
    """s along a line of another body: u.(r_P - r_A) - |u| s = 0."""
    line = c.lines[0]
    assert line.through is not None
    d = minus(see.place(c.places[0]), see.place(line.through))
    return [("position", dot(see.vector(line), d) - line.length * Polynomial.variable(s))]
