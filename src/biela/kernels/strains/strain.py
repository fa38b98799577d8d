"""The strain of any force element: its value and rate, its gradient, its discrete gradient and their derivatives.

An element is a law of a strain (000 4.1); `element_strain` says of which, `element_at` where its coordinate or its
first vector is. Four numbers of its vectors go from where a strain is evaluated to where its force is applied.
"""

from __future__ import annotations

from ...machine.array_table import unpack
from ...machine.compiled import compiled
from ...model.resolved import STRAINS
from . import angle, coordinate, distance

DISTANCE, COORDINATE, ANGLE = (STRAINS.index(name) for name in ("distance", "coordinate", "angle"))
VECTORS = {"distance": 1, "coordinate": 0, "angle": 2}
"""vectors that each has"""


@compiled(forceinline=True)
def strain(header, l):
    """Value and rate of element l at the present state; four numbers."""
    s = unpack(header)
    kind, at = s.element_strain[l], s.element_at[l]
    if kind == DISTANCE:
        return distance.strain(header, at)
    if kind == COORDINATE:
        return coordinate.strain(header, at)
    return angle.strain(header, at, s.wound[s.element_wound[l]])


@compiled(forceinline=True)
def strain_at(header, l, x):
    """Value at the variables x; four numbers."""
    s = unpack(header)
    kind, at = s.element_strain[l], s.element_at[l]
    if kind == DISTANCE:
        return distance.strain_at(header, at, x)
    if kind == COORDINATE:
        return coordinate.strain_at(header, at, x)
    return angle.strain_at(header, at, s.wound[s.element_wound[l]], x)


@compiled()
def smooth_strain(header, l):
    """Value and rate as vectors: those of a distance are smooth where its length is zero, too."""
    s = unpack(header)
    if s.element_strain[l] == DISTANCE:
        return distance.vector(header, s.element_at[l])
    value, rate, _, _, _, _ = strain(header, l)
    return value, 0.0, 0.0, rate, 0.0, 0.0


@compiled(forceinline=True)
def pull(header, l, force, a, b, c, d, F):
    """F += force times the gradient of the strain with respect to x."""
    s = unpack(header)
    kind, at = s.element_strain[l], s.element_at[l]
    if kind == DISTANCE:
        distance.pull(header, at, force, a, b, c, d, F)
    elif kind == COORDINATE:
        coordinate.pull(at, force, F)
    else:
        angle.pull(header, at, force, a, b, c, d, F)


@compiled(forceinline=True)
def mean_pull(header, l, force, a0, b0, c0, d0, a1, b1, c1, d1, F):
    """F += force times the discrete gradient between two positions, of which the four numbers are given: what makes the
    work of the force exactly force times the change of the strain.   002 (21)"""
    s = unpack(header)
    kind, at = s.element_strain[l], s.element_at[l]
    if kind == DISTANCE:
        distance.mean_pull(header, at, force, a0, b0, c0, d0, a1, b1, c1, d1, F)
    elif kind == COORDINATE:
        coordinate.pull(at, force, F)
    else:
        angle.mean_pull(header, at, force, a0, b0, c0, d0, a1, b1, c1, d1, F)


@compiled()
def add_mean_tangent(header, l, force, slope, scale, a0, b0, c0, d0, a1, b1, c1, d1, T, N):
    """T += scale d(mean_pull)/dx of the second position, where the force changes by `slope` times the strain there."""
    s = unpack(header)
    kind, at = s.element_strain[l], s.element_at[l]
    if kind == DISTANCE:
        distance.add_mean_tangent(header, at, force, slope, scale, a0, b0, c0, d0, a1, b1, c1, d1, T, N)
    elif kind == COORDINATE:
        coordinate.add_mean_tangent(at, slope, scale, T, N)
    else:
        angle.add_mean_tangent(header, at, force, slope, scale, a0, b0, c0, d0, a1, b1, c1, d1, T, N)


@compiled()
def add_stiffness(header, l, place, force, slope, scale, a, b, c, d):
    """A -= scale d(pull)/dx, in natural coordinates; `place` in `element_pos`, of which the next is returned."""
    s = unpack(header)
    kind, at = s.element_strain[l], s.element_at[l]
    if kind == DISTANCE:
        return distance.add_stiffness(header, at, place, force, slope, scale, a, b, c, d)
    if kind == COORDINATE:
        return coordinate.add_stiffness(header, place, slope, scale)
    return angle.add_stiffness(header, at, place, slope, scale, a, b, c, d)


@compiled()
def differentiate(header, l, force, X, D, work, by_place, by_rate, K):
    """by_place = e_q, by_rate = (e')_q in any coordinates, with X = dx/dq and D = dx'/dq; K += force X^T e_xx X."""
    s = unpack(header)
    kind, at = s.element_strain[l], s.element_at[l]
    if kind == DISTANCE:
        distance.differentiate(header, at, force, X, D, work, by_place, by_rate, K)
    elif kind == COORDINATE:
        coordinate.differentiate(header, at, X, D, by_place, by_rate)
    else:
        angle.differentiate(header, at, force, X, D, work, by_place, by_rate, K)
