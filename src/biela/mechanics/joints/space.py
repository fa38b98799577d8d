"""Joints in space as rows of primitive equations on points and directions: a table, not a hierarchy (DESIGN 2).

Each joint has a frame on either body: a point r and a triad e1, e2, e3, with e3 the axis of the joint. The same rows
serve every set of coordinates; a row that the coordinates fulfil by themselves has no variables left and is dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from ...model.resolved import Direction, Frame, ResolvedCoordinate, ResolvedJoint
from ..polynomial import Polynomial
from ..vectors import inner, subtract
from .plane import Equations, View


class _Side:
    """One end of a joint, as polynomials."""

    def __init__(self, frame: Frame, see: View):
        self.frame, self.see = frame, see
        self.r = see.place(frame.place)

    @cached_property
    def e(self) -> list:
        """The triad; a point mass has none, and joints that need none of it do not ask."""
        f = self.frame
        return [self.see.direction(Direction(f.body, e)) for e in (f.e1, f.e2, f.e3)]


# ---------------------------------------------------------------------------------------- primitives
def coincident(i: _Side, j: _Side) -> Equations:
    """r_j - r_i = 0.   003, spherical pair"""
    return list(zip("xyz", subtract(j.r, i.r), strict=True))


def parallel(i: _Side, j: _Side) -> Equations:
    """e3 of both in line: two scalar products.   003, revolute pair"""
    return [("tilt1", inner(i.e[0], j.e[2])), ("tilt2", inner(i.e[1], j.e[2]))]


def on_axis(i: _Side, j: _Side) -> Equations:
    """r_j on the line through r_i along e3.   003, cylindrical pair"""
    d = subtract(j.r, i.r)
    return [("line1", inner(i.e[0], d)), ("line2", inner(i.e[1], d))]


def on_plane(i: _Side, j: _Side) -> Equations:
    """r_j in the plane through r_i normal to e3."""
    return [("plane", inner(i.e[2], subtract(j.r, i.r)))]


def unturned(i: _Side, j: _Side) -> Equations:
    """No turn about e3: e1_j stays normal to e2_i."""
    return [("turn", inner(i.e[1], j.e[0]))]


def fixed_distance(i: _Side, j: _Side, length: Any) -> Equations:
    """|r_j - r_i| = L.   000 (124)"""
    d = subtract(j.r, i.r)
    return [("length", inner(d, d) - length * length)]


def fixed_angle(i: _Side, j: _Side, cosine: Any) -> Equations:
    """e3_i . e3_j = cos(angle).   003, universal pair"""
    return [("angle", inner(i.e[2], j.e[2]) - cosine)]


# --------------------------------------------------------------------------------------------- joints
def _joint(
    rows: Callable[[_Side, _Side, ResolvedJoint, View], Equations],
) -> Callable[[ResolvedJoint, View], Equations]:
    return lambda j, see: rows(_Side(j.frames[0], see), _Side(j.frames[1], see), j, see)


def _distance(j: ResolvedJoint, see: View) -> Equations:
    a, b = (see.place(p) for p in (j.places or tuple(f.place for f in j.frames)))
    length = see.distance_at_start(*(j.places or tuple(f.place for f in j.frames))) if j.value is None else j.value
    d = subtract(b, a)
    return [("length", inner(d, d) - length * length)]


def _screw(i: _Side, j: _Side, joint: ResolvedJoint, see: View) -> Equations:
    """Cylindrical, and the advance tied to the angle."""
    total: Any = Polynomial(0)
    for name, factor in joint.terms:
        total = total + see.coordinate(name) * factor
    return parallel(i, j) + on_axis(i, j) + [("ratio", total)]


SPACE_JOINTS: dict[str, Callable[[ResolvedJoint, View], Equations]] = {
    "revolute": _joint(lambda i, j, *_: coincident(i, j) + parallel(i, j)),
    "prismatic": _joint(lambda i, j, *_: parallel(i, j) + on_axis(i, j) + unturned(i, j)),
    "cylindrical": _joint(lambda i, j, *_: parallel(i, j) + on_axis(i, j)),
    "spherical": _joint(lambda i, j, *_: coincident(i, j)),
    "universal": _joint(
        lambda i, j, x, see: coincident(i, j) + fixed_angle(i, j, 0 if x.value is None else see.cos(x.value))
    ),
    "planar": _joint(lambda i, j, *_: on_plane(i, j) + parallel(i, j)),
    "screw": _joint(_screw),
    "fixed": _joint(lambda i, j, *_: coincident(i, j) + parallel(i, j) + unturned(i, j)),
    "point-on-line": _joint(lambda i, j, *_: on_axis(i, j)),
    "point-on-plane": _joint(lambda i, j, *_: on_plane(i, j)),
    "distance": _distance,
    "revolute-spherical": _joint(lambda i, j, joint, see: fixed_distance(i, j, joint.value) + on_plane(i, j)),
    "angle": _joint(lambda i, j, joint, see: fixed_angle(i, j, see.cos(joint.value))),
}


def _same(i: _Side, j: _Side, *axes: int) -> Equations:
    """The same axes on both bodies, component by component: redundant, but opposite axes do not pass for equal ones."""
    return [(f"axis{k + 1}.{x}", d) for k in axes for x, d in zip("xyz", subtract(j.e[k], i.e[k]), strict=True)]


FIRM_JOINTS: dict[str, Callable[[ResolvedJoint, View], Equations]] = SPACE_JOINTS | {
    "revolute": _joint(lambda i, j, *_: coincident(i, j) + _same(i, j, 2)),
    "prismatic": _joint(lambda i, j, *_: on_axis(i, j) + _same(i, j, 0, 2)),
    "cylindrical": _joint(lambda i, j, *_: on_axis(i, j) + _same(i, j, 2)),
    "planar": _joint(lambda i, j, *_: on_plane(i, j) + _same(i, j, 2)),
    "screw": _joint(lambda i, j, joint, see: _screw(i, j, joint, see) + _same(i, j, 2)),
    "fixed": _joint(lambda i, j, *_: coincident(i, j) + _same(i, j, 0, 2)),
}
"""for putting a mechanism together: scalar products vanish for axes that point the wrong way, too"""


# -------------------------------------------------------------------------------- relative coordinates
def _angle(c: ResolvedCoordinate, phi: int, see: View) -> Equations:
    """phi of w, by sine v.w and cosine u.w: redundant on purpose, so that one is always regular.   000 (139)

    Where w is not across the axis of u and v, what is seen of it has a constant length below one.   [J.20]
    """
    u, v, w = (see.vector(line) for line in c.lines)
    seen = _seen(c, see)
    sine, cosine = Polynomial.sine(phi) * seen, Polynomial.cosine(phi) * seen
    return [("sine", inner(v, w) - sine), ("cosine", inner(u, w) - cosine)]


def _seen(c: ResolvedCoordinate, see: View) -> Any:
    """Length of w across the axis: one in joints that keep it square, the sine of the angle of a universal joint, and
    of a direction of the user's own what it is at the start."""
    if c.joint is not None:
        joint = next(j for j in see.resolved.joints if j.name == c.joint)
        return see.sin(joint.value) if joint.type == "universal" and joint.value is not None else 1
    u, v, w = (see.vector_at_start(line) for line in c.lines)
    square = inner(u, w) ** 2 + inner(v, w) ** 2
    return 1 if see.fn.value(square) > 1 - 1e-12 else see.fn.sqrt(square)


def _position(c: ResolvedCoordinate, s: int, see: View) -> Equations:
    line = c.lines[0]
    assert line.through is not None and line.length is not None
    d = subtract(see.place(c.places[0]), see.place(line.through))
    return [("position", inner(see.vector(line), d) - Polynomial.variable(s) * line.length)]


def _distance_coordinate(c: ResolvedCoordinate, s: int, see: View) -> Equations:
    d = subtract(see.place(c.places[1]), see.place(c.places[0]))
    return [("distance", inner(d, d) - Polynomial.variable(s) * Polynomial.variable(s))]


SPACE_COORDINATES: dict[str, Callable[[ResolvedCoordinate, int, View], Equations]] = {
    "angle": _angle,
    "position": _position,
    "distance": _distance_coordinate,
}
