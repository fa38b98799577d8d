"""Distances, angles and positions measured on given coordinates, with their rates and accelerations.

Vectorised over many states: this is how results read any relative coordinate, carried as a variable or not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..model.meaning import CoordinateMeaning
from .coordinates.natural import Natural
from .equations import minus
from .polynomial import Polynomial

Motion = tuple[Any, Any, Any]


def affine(natural: Natural, p: Any) -> tuple[np.ndarray, float]:
    """A linear polynomial of exploded variables as (row of coefficients on the point coordinates, constant)."""
    collapsed = natural.collapse(p) if isinstance(p, Polynomial) else Polynomial(p)
    row = np.zeros(len(natural.q_names))
    for i, c in collapsed.linear.items():
        row[i] = c
    return row, float(collapsed.constant)


def vector_motion(natural: Natural, vector: tuple, q: np.ndarray, v: Any, a: Any) -> Motion:
    """Position, rate and second rate of a vector, as arrays (samples, 2); None where not given."""
    rows, constants = zip(*(affine(natural, c) for c in vector), strict=True)
    C, c0, k = np.array(rows), np.array(constants), len(natural.q_names)
    out = [q[:, :k] @ C.T + c0]
    out += [None if x is None else x[:, :k] @ C.T for x in (v, a)]
    return tuple(out)  # type: ignore[return-value]


def measure(natural: Natural, c: CoordinateMeaning, q: Any, v: Any, a: Any = None) -> Motion:
    """A relative coordinate, its rate and its acceleration at many states (angles unwrapped along them)."""
    if c.type == "angle":
        u, w = (vector_motion(natural, natural.vector(line), q, v, a) for line in c.lines)
        return _difference(heading(*w), heading(*u))
    if c.type == "distance":
        d = minus(natural.place(c.places[1]), natural.place(c.places[0]))
        return length(*vector_motion(natural, d, q, v, a))
    line = c.lines[0]
    assert line.through is not None and line.length is not None
    d = minus(natural.place(c.places[0]), natural.place(line.through))
    r, rd, rdd = vector_motion(natural, d, q, v, a)
    u, ud, udd = vector_motion(natural, natural.vector(line), q, v, a)
    s = _dot(u, r) / line.length
    sd = None if v is None else (_dot(ud, r) + _dot(u, rd)) / line.length
    sdd = None if a is None else (_dot(udd, r) + 2 * _dot(ud, rd) + _dot(u, rdd)) / line.length
    return s, sd, sdd


def heading(u: np.ndarray, ud: Any = None, udd: Any = None) -> Motion:
    """Angle of a vector of constant length to the x axis, unwrapped along the samples, and its derivatives."""
    angle = np.unwrap(np.arctan2(u[:, 1], u[:, 0]))
    square = _dot(u, u)
    rate = None if ud is None else _cross(u, ud) / square
    second = None if udd is None or rate is None else _cross(u, udd) / square - 2 * rate * _dot(u, ud) / square
    return angle, rate, second


def length(d: np.ndarray, dd: Any = None, ddd: Any = None) -> Motion:
    """Length of a vector and its derivatives."""
    s = np.sqrt(_dot(d, d))
    with np.errstate(invalid="ignore", divide="ignore"):
        rate: Any = None if dd is None else _dot(d, dd) / s
        second = None if ddd is None else (_dot(dd, dd) + _dot(d, ddd) - rate**2) / s
    return s, rate, second


def _difference(b: Motion, a: Motion) -> Motion:
    """b - a; the angle itself is unwrapped anew and starts within half a turn of zero."""
    angle = np.unwrap(b[0] - a[0])
    if len(angle):
        angle = angle - 2 * np.pi * np.round(angle[0] / (2 * np.pi))
    return angle, *(None if x is None or y is None else x - y for x, y in zip(b[1:], a[1:], strict=True))  # type: ignore


def _dot(a: Any, b: Any) -> np.ndarray:
    return (a * b).sum(axis=1)


def _cross(a: Any, b: Any) -> np.ndarray:
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
