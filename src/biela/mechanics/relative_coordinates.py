"""Relative coordinates among the variables: the rows that tie them to points and directions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..model.joints import joint_class
from ..model.joints.primitives import Equations, View, cross, dot, minus
from ..model.resolved import ResolvedCoordinate
from .polynomial import Polynomial


def _distance(c: ResolvedCoordinate, s: int, see: View) -> Equations:
    """s between two points: (r_j - r_i).(r_j - r_i) - s^2 = 0.   000 fig. 9"""
    d = minus(see.place(c.places[1]), see.place(c.places[0]))
    return [("distance", dot(d, d) - Polynomial.variable(s) * Polynomial.variable(s))]


def _position(c: ResolvedCoordinate, s: int, see: View) -> Equations:
    """s along a line of another body: u.(r_P - r_A) - |u| s = 0."""
    line = c.lines[0]
    assert line.through is not None and line.length is not None
    d = minus(see.place(c.places[0]), see.place(line.through))
    return [("position", dot(see.vector(line), d) - Polynomial.variable(s) * line.length)]


def _angle(c: ResolvedCoordinate, phi: int, see: View) -> Equations:
    """phi from u to v, by sine and by cosine: redundant on purpose, so that one is always regular.   000 (139)"""
    u, v = see.vector(c.lines[0]), see.vector(c.lines[1])
    scale: Any = c.lines[0].length * c.lines[1].length  # type: ignore[operator]
    return [
        ("sine", cross(u, v) - scale * Polynomial.sine(phi)),
        ("cosine", dot(u, v) - scale * Polynomial.cosine(phi)),
    ]


def _space_angle(c: ResolvedCoordinate, phi: int, see: View) -> Equations:
    """phi of w, by sine v.w and cosine u.w.

    Where w is not across the axis of u and v, what is seen of it has a constant length below one.   [J.20]
    """
    u, v, w = (see.vector(line) for line in c.lines)
    seen = _seen(c, see)
    sine, cosine = Polynomial.sine(phi) * seen, Polynomial.cosine(phi) * seen
    return [("sine", dot(v, w) - sine), ("cosine", dot(u, w) - cosine)]


def _seen(c: ResolvedCoordinate, see: View) -> Any:
    """Length of w across the axis: what a joint makes it, and of a direction of the user's own what it is at the
    start."""
    if c.joint is not None:
        joint = next(j for j in see.resolved.joints if j.name == c.joint)
        return joint_class(joint.type, 3).seen(joint, see)
    u, v, w = (see.vector_at_start(line) for line in c.lines)
    square = dot(u, w) ** 2 + dot(v, w) ** 2
    return 1 if see.fn.value(square) > 1 - 1e-12 else see.fn.sqrt(square)


def _term(c: ResolvedCoordinate, index: int, see: View) -> Equations:
    """A part of a user's equation that has become a variable: what it stands for.   [K.12]"""
    return [see.formula("term", str(c.joint), c.equation, see)]


Rows = Callable[[ResolvedCoordinate, int, View], Equations]
PLANE: dict[str, Rows] = {"distance": _distance, "angle": _angle, "position": _position, "term": _term}
COORDINATES: dict[int, dict[str, Rows]] = {2: PLANE, 3: PLANE | {"angle": _space_angle}}
"""by dimension, by type"""
