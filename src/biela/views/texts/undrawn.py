"""Figures of the texts that are not drawn anew, and why: sketches of an idea, without a number to compare."""

from __future__ import annotations

from typing import NamedTuple


class Undrawn(NamedTuple):
    """A figure of a text that no function draws."""

    name: str
    shows: str
    why: str


_NOTATION = "a sketch of the notation, no mechanism and no number"
_FIGURES = (
    ("000-1", "generic element in the plane", _NOTATION),
    ("000-2", "generic element in space", _NOTATION),
    ("000-3", "point force on an element", _NOTATION),
    ("000-4", "point force on an element in the plane", _NOTATION),
    ("000-5", "assembly of the mass matrix", "a scheme of blocks; `biela explain double-pendulum` prints M"),
    ("000-7", "local axes of both bodies of the double pendulum", _NOTATION),
    ("000-8", "linear spring between two elements, and its forces", _NOTATION),
    ("000-9", "distance as a coordinate of a spring", _NOTATION),
    ("000-10", "angle as a coordinate of a torsion spring", _NOTATION),
    ("000-12", "what multipliers mean", "a sketch of an idea; `biela freebody` draws the forces of joints"),
    ("000-13", "what penalties mean", "a sketch of an idea: springs, masses and dampers in place of joints"),
    ("001-15.1", "forces on a system of particles", _NOTATION),
    ("001-15.2", "forces on a rigid body", _NOTATION),
    ("001-15.3", "bodies without joints", _NOTATION),
    ("001-15.4", "spring", _NOTATION),
    ("001-15.5", "damper", _NOTATION),
    ("001-15.6", "actuator", _NOTATION),
    ("001-15.15", "bodies with joints", _NOTATION),
    ("001-15.16", "weight of a body", _NOTATION),
    ("001-15.17", "force with a moment about the centre", _NOTATION),
    ("001-15.18", "actuator between two bodies", _NOTATION),
    ("001-15.19", "unit vector along an actuator", _NOTATION),
    ("001-15.21", "revolute joint and its reactions", _NOTATION),
    ("001-15.25", "first bar of the double pendulum", "a detail of figure 15.24"),
    ("001-15.26", "second bar of the double pendulum", "a detail of figure 15.24"),
    ("002-1", "interpolation of the continuous Galerkin scheme", _NOTATION),
    ("002-2", "interpolation of the discontinuous Galerkin scheme", _NOTATION),
    ("003-elements", "bars and bodies with two and three points", _NOTATION),
    ("003-joints", "spherical, revolute, cylindrical, prismatic and universal joint", _NOTATION),
    ("004-10.6", "derivative of a variable over a step", "a sketch of the trapezoidal rule, no number"),
)
UNDRAWN = {name: Undrawn(name, shows, why) for name, shows, why in _FIGURES}
