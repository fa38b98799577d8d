"""Distances, angles and positions measured on given coordinates, with their rates and accelerations.

Vectorised over many states: this is how results read any relative coordinate, carried as a variable or not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..model.meaning import CoordinateMeaning, Direction, LineMeaning
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


def local_direction(line: LineMeaning) -> tuple[str, tuple]:
    """Body and local direction of a line whose length is constant."""
    v = line.vector
    if isinstance(v, Direction):
        return v.body, v.local
    return v.start.body, (v.end.local[0] - v.start.local[0], v.end.local[1] - v.start.local[1])


def torsion_starts(system: Any) -> np.ndarray:
    """Angle of each torsion element at the start: with the whole turns that the user gave, else within half a turn."""
    low, out = system.lowered, []
    for f in low.forces:
        if f.kind != "torsion":
            continue
        bodies = next(force.bodies for force in low.meaning.forces if force.name == f.name)
        angles = []
        for body, vector in zip(bodies, f.vectors, strict=True):
            angle = float(heading(vector_motion(low.natural, vector, system.q0[None, :], None, None)[0])[0][0])
            turns = np.round((system.starts.get(body, angle) - angle) / (2 * np.pi))
            angles.append(angle + 2 * np.pi * turns)
        total = angles[1] - angles[0]
        known = any(body in system.starts for body in bodies)
        out.append(total if known else total - 2 * np.pi * np.round(total / (2 * np.pi)))
    return np.array(out)


def unwrapped(angle: np.ndarray, rate: Any, t: Any) -> np.ndarray:
    """Whole turns restored between samples, from the mean of the rates at both ends where they are known."""
    if rate is None or t is None or len(angle) < 2:
        return np.unwrap(angle)
    expected = 0.5 * (rate[1:] + rate[:-1]) * np.diff(t)
    steps = np.diff(angle)
    steps = steps + 2 * np.pi * np.round((expected - steps) / (2 * np.pi))
    return np.concatenate([angle[:1], angle[0] + np.cumsum(steps)])


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
