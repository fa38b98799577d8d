"""The few equations that all joints are made of, on points and directions (DESIGN: everything is one of these).

A vector is a tuple of whatever scalars are in use: polynomials of the coordinates, numbers, symbols. No equation below
knows what the coordinates are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..resolved import Direction, Frame, Place, ResolvedLine, ResolvedModel
from ..vectors import Vec
from ..vectors import dot as dot
from ..vectors import out_of_plane as cross
from ..vectors import subtract as minus

Equations = list[tuple]
"""(what the row says, its polynomial)"""


@dataclass(frozen=True)
class View:
    """What a coordinate set offers to the equations: places and lines as vectors, and start values."""

    place: Callable[[Place], Any]
    vector: Callable[[ResolvedLine], Any]
    direction: Callable[[Direction], Any]
    distance_at_start: Callable[[Place, Place], Any]
    angle_at_start: Callable[..., Any]
    vector_at_start: Callable[[ResolvedLine], Any]
    coordinate: Callable[[str], Any]
    """a relative coordinate that is among the variables"""
    formula: Callable[..., tuple]
    """(what the row says, the joint, a formula, this view) -> the row of a formula of the user's"""
    resolved: ResolvedModel
    fn: Any
    """functions of the scalars in use: cos, sin, sqrt, ..."""


class Side:
    """One end of a joint in space: its point r and its triad e, with e[2] the axis of the joint."""

    def __init__(self, frame: Frame, see: View):
        self.frame, self.see = frame, see
        self.r = see.place(frame.place)

    @cached_property
    def e(self) -> list:
        """The triad; a point mass has none, and joints that need none of it do not ask."""
        f = self.frame
        return [self.see.direction(Direction(f.body, e)) for e in (f.e1, f.e2, f.e3)]


# ------------------------------------------------------------------------------- in the plane and in space
def same_place(p: Vec, q: Vec) -> Equations:
    """Two points together: r_j - r_i = 0.   003, pair R"""
    return list(zip("xyz", minus(q, p)))


def constant_distance(p: Vec, q: Vec, length: Any) -> Equations:
    """(r_j - r_i).(r_j - r_i) - L^2 = 0.   000 (124)"""
    d = minus(q, p)
    return [("length", dot(d, d) - length * length)]


def constant_sum(joint: Any, see: View) -> Equations:
    """sum of factor times coordinate = what it is at the start.   003, gear pairs

    The starting value is put in when the starting position is known (`system.hold_relations`).
    """
    total: Any = 0 if joint.value is None else -joint.value
    for name, factor in joint.terms:
        total = total + see.coordinate(name) * factor
    return [("ratio", total)]


# ------------------------------------------------------------------------------------------- in the plane
def constant_angle(u: Vec, v: Vec, cosine: Any, sine: Any) -> Equations:
    """The angle from u to v: zero for that angle only up to half turns, but its slope never vanishes there."""
    return [("angle", cross(u, v) * cosine - dot(u, v) * sine)]


def on_line(p: Vec, start: Vec, u: Vec) -> Equations:
    """u x (r_P - r_A) = 0: three points in line.   003 1.3, in the plane"""
    return [("line", cross(u, minus(p, start)))]


# ----------------------------------------------------------------------------------------------- in space
def coincident(i: Side, j: Side) -> Equations:
    """r_j - r_i = 0.   003, spherical pair"""
    return same_place(i.r, j.r)


def parallel(i: Side, j: Side) -> Equations:
    """e3 of both in line: two scalar products.   003, pair R"""
    return [("tilt1", dot(i.e[0], j.e[2])), ("tilt2", dot(i.e[1], j.e[2]))]


def on_axis(i: Side, j: Side) -> Equations:
    """r_j on the line through r_i along e3.   003 1.3"""
    d = minus(j.r, i.r)
    return [("line1", dot(i.e[0], d)), ("line2", dot(i.e[1], d))]


def on_plane(i: Side, j: Side) -> Equations:
    """r_j in the plane through r_i normal to e3."""
    return [("plane", dot(i.e[2], minus(j.r, i.r)))]


def unturned(i: Side, j: Side) -> Equations:
    """No turn about e3: e1_j stays normal to e2_i."""
    return [("turn", dot(i.e[1], j.e[0]))]


def fixed_angle(i: Side, j: Side, cosine: Any) -> Equations:
    """e3_i . e3_j = cos(angle).   003, scalar product"""
    return [("angle", dot(i.e[2], j.e[2]) - cosine)]


def same_axes(i: Side, j: Side, *axes: int) -> Equations:
    """The same axes on both bodies, component by component: redundant, but opposite axes do not pass for equal ones."""
    return [(f"axis{k + 1}.{x}", d) for k in axes for x, d in zip("xyz", minus(j.e[k], i.e[k]), strict=True)]
