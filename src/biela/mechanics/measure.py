"""Points, distances, angles and positions of a mechanism at many instants, with their rates and accelerations.

Vectorised over the states: this is how results read any relative coordinate, carried as a variable or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import MethodError, Problem
from ..model.expression import differentiate, evaluate, names
from ..model.resolved import GROUND, Direction, Place, ResolvedCoordinate, ResolvedLine
from ..model.vectors import subtract
from .polynomial import Polynomial

Motion = tuple[Any, Any, Any]


@dataclass(frozen=True)
class Posture:
    """The exploded variables of all bodies at many states: (samples, variables); rates where known.

    Points and directions are linear in them, whatever the coordinates are.
    """

    exploded: Any
    x: np.ndarray
    xd: np.ndarray | None = None
    xdd: np.ndarray | None = None

    def vector(self, vector: tuple) -> Motion:
        """Position, rate and second rate of a vector, as arrays (samples, 2 or 3); None where not known."""
        return self.derivative(vector, 0), self.derivative(vector, 1), self.derivative(vector, 2)

    def derivative(self, vector: tuple, order: int) -> Any:
        """One of the three only: the position (0), the rate (1) or the second rate (2) of a vector."""
        x = (self.x, self.xd, self.xdd)[order]
        return None if x is None else np.stack([_linear(c, x, constant=order == 0) for c in vector], axis=1)

    def place(self, p: Place) -> Motion:
        """A place."""
        return self.vector(self.exploded.place(p))

    def line(self, line: ResolvedLine) -> Motion:
        """The vector of a line."""
        return self.vector(self.exploded.vector(line))


def _linear(p: Any, x: np.ndarray, constant: bool) -> np.ndarray:
    if not isinstance(p, Polynomial):
        return np.full(len(x), float(p) if constant else 0.0)
    out = np.full(len(x), float(p.constant) if constant else 0.0)
    for i, c in p.linear.items():
        out += float(c) * x[:, i]
    return out


def affine(natural: Any, p: Any) -> tuple[np.ndarray, float]:
    """In natural coordinates: a linear polynomial as (row of coefficients on points and vectors, constant)."""
    collapsed = natural.collapse(p) if isinstance(p, Polynomial) else Polynomial(p)
    row = np.zeros(len(natural.q_names))
    for i, c in collapsed.linear.items():
        row[i] = c
    return row, float(collapsed.constant)


def local_direction(line: ResolvedLine) -> tuple[str, tuple]:
    """Body and local direction of a line whose length is constant."""
    found = line.in_body()
    assert found is not None
    return found


def wound_at_start(system: Any) -> np.ndarray:
    """Angle of each element that counts turns, at the start: whole turns as the user gave them, else within a half."""
    low, out = system.equations, []
    here = system.posture(system.q0)
    for f in low.wound:
        bodies = next(force.bodies for force in low.resolved.forces if force.name == f.name)
        angles = []
        for body, vector in zip(bodies, f.vectors, strict=True):
            angle = float(heading(here.vector(vector)[0])[0][0])
            turns = np.round((system.starts.get(body, angle) - angle) / (2 * np.pi))
            angles.append(angle + 2 * np.pi * turns)
        total = angles[1] - angles[0]
        out.append(total if told(system, bodies) else total - 2 * np.pi * np.round(total / (2 * np.pi)))
    return np.array(out)


def told(system: Any, bodies: tuple[str, ...]) -> bool:
    """Whether the user gave all these bodies of the plane their angles at the start, and so that between them, with its
    whole turns. (Of one body alone they say nothing about its angle against another.)"""
    return all(body == GROUND or body in system.starts for body in bodies)


def unwrapped(angle: np.ndarray, rate: Any, t: Any) -> np.ndarray:
    """Whole turns restored between samples, from the mean of the rates at both ends where they are known."""
    if rate is None or t is None or len(angle) < 2:
        return np.unwrap(angle)
    expected = 0.5 * (rate[1:] + rate[:-1]) * np.diff(t)
    steps = np.diff(angle)
    steps = steps + 2 * np.pi * np.round((expected - steps) / (2 * np.pi))
    return np.concatenate([angle[:1], angle[0] + np.cumsum(steps)])


def beside_the_cut(angle: np.ndarray, rate: Any, t: Any) -> np.ndarray:
    """Whole turns at samples that lie exactly where a turn is counted: rounding decides there, so the rate does."""
    angle = angle.copy()
    cut = np.abs(np.abs(angle - 2 * np.pi * np.round(angle / (2 * np.pi))) - np.pi) < 1e-6
    for k in np.flatnonzero(cut):
        if k > 0:
            expected = angle[k - 1] + 0.5 * (rate[k] + rate[k - 1]) * (t[k] - t[k - 1])
            angle[k] += 2 * np.pi * np.round((expected - angle[k]) / (2 * np.pi))
    return angle


def measure(posture: Posture, c: ResolvedCoordinate) -> Motion:
    """A relative coordinate, its rate and its acceleration at many states (angles unwrapped along them)."""
    if c.type == "angle":
        parts = [posture.line(line) for line in c.lines]
        if len(parts) == 3:  # in space: of w in the axes u, v
            return _angle(_product(parts[1], parts[2]), _product(parts[0], parts[2]))
        u, w = parts
        return _difference(heading(*w), heading(*u))
    exploded = posture.exploded
    if c.type == "term":
        return term_value(posture, c)
    if c.type == "distance":
        return length(*posture.vector(subtract(exploded.place(c.places[1]), exploded.place(c.places[0]))))
    line = c.lines[0]
    assert line.through is not None and line.length is not None
    arm = posture.vector(subtract(exploded.place(c.places[0]), exploded.place(line.through)))
    s, sd, sdd = (None if x is None else x / line.length for x in _product(posture.line(line), arm))
    return s, sd, sdd


def term_value(posture: Posture, c: ResolvedCoordinate) -> Motion:
    """A part of a user's equation, and its rates. Of time it is taken at the start, the one instant known here."""
    resolved, node = posture.exploded.resolved, c.formula
    if "t" in names(node) and len(posture.x) > 1:
        raise MethodError(
            Problem(
                f"{c.name!r} changes with time, and these positions do not tell theirs",
                where=f"joints.{c.joint}.equation",
                cure="record the motion with this channel",
            )
        )
    of: dict[str, Motion] = {}
    for name in names(node) - {"t"}:
        if name in resolved.coordinates:
            of[name] = measure(posture, resolved.coordinates[name])
            continue
        what, axis = name.rsplit(".", 1)
        if "." in what:
            body, direction = what.split(".", 1)
            unit = Direction(body, resolved.bodies[body].directions[direction])
            parts = posture.vector(posture.exploded.direction(unit))
        else:
            parts = posture.place(resolved.place(what))
        of[name] = tuple(None if x is None else x[:, "xyz".index(axis)] for x in parts)  # type: ignore[assignment]

    def at(part: Any) -> np.ndarray:
        rows = [{"t": 0.0, **{n: float(m[0][k]) for n, m in of.items()}} for k in range(len(posture.x))]
        return np.array([evaluate(part, row) for row in rows])

    slopes = {n: differentiate(node, n) for n in of}
    rate = second = None
    if posture.xd is not None:
        rate = at(differentiate(node, "t")) + sum(at(f) * of[n][1] for n, f in slopes.items())
    if posture.xdd is not None:
        second = at(differentiate(differentiate(node, "t"), "t"))
        for n, f in slopes.items():
            second = second + at(f) * of[n][2] + 2 * at(differentiate(f, "t")) * of[n][1]
            second = second + sum(at(differentiate(f, k)) * of[n][1] * of[k][1] for k in of)
    return at(node), rate, second


def _angle(sine: Motion, cosine: Motion) -> Motion:
    """The angle with such a sine and cosine, but for a factor, unwrapped along the samples, and its derivatives."""
    angle = np.unwrap(np.arctan2(sine[0], cosine[0]))
    if sine[1] is None:
        return angle, None, None
    square = sine[0] ** 2 + cosine[0] ** 2
    rate = (cosine[0] * sine[1] - sine[0] * cosine[1]) / square
    if sine[2] is None:
        return angle, rate, None
    along = 2 * (sine[0] * sine[1] + cosine[0] * cosine[1])
    return angle, rate, (cosine[0] * sine[2] - sine[0] * cosine[2] - rate * along) / square


def _product(a: Motion, b: Motion) -> Motion:
    """a . b and its derivatives."""
    value = _dot(a[0], b[0])
    rate: Any = None if a[1] is None else _dot(a[1], b[0]) + _dot(a[0], b[1])
    second = None if a[2] is None else _dot(a[2], b[0]) + 2 * _dot(a[1], b[1]) + _dot(a[0], b[2])
    return value, rate, second


def heading(u: np.ndarray, ud: Any = None, udd: Any = None) -> Motion:
    """Angle of a vector of the plane to the x axis, unwrapped along the samples, and its derivatives."""
    x, y = (tuple(None if w is None else w[:, k] for w in (u, ud, udd)) for k in (0, 1))
    return _angle(y, x)  # type: ignore[arg-type]


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
