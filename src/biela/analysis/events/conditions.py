"""Conditions of locks: their value at a state, and where within a step they hold, for however short a while.

What a condition reads goes along a polynomial of fifth degree from one look to the next, through positions, velocities
and accelerations at both; how far that leaves the cubic through positions and velocities tells how far it may be
trusted. Bounds of the condition along it say where it does not hold, and where it does. Where they cannot say,
because the path is not known well enough, a state between the two is computed, and both halves are looked at.  [X.7]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import MethodError, Problem
from ...methods.loops.stepper import Sample
from ...model import expression as ex
from ...model.expression.interval_search import CLOCK, Along, Quantity, first_positive
from ...model.resolved import Moment
from ...system.system import System

FINE = 1e-14
"""of the time and of the step: shorter parts are not looked for"""
DEEP = 6
"""how often a step is halved, where its path is not known well enough"""
LEAP = 3.0
"""rad: an angle that differs by more from what its rates say has begun a new turn"""
TRUST = 0.1
"""of what a path leaves the cubic by: its error"""
Three = tuple[Any, Any, Any]
"""a value, its rate and the rate of that"""


@dataclass
class Readings:
    """What conditions read, at one instant."""

    t: float
    of: dict[str, Three]


def without_rate(text: str) -> tuple[str, int]:
    """What a name is a rate of, and how often: ("A.x", 1) for "A.vx" or "A.x.rate"."""
    owner, _, part = text.rpartition(".")
    if part == "rate":
        return owner, 1
    if part in ("vx", "vy", "vz"):
        return f"{owner}.{part[1:]}", 1
    return text, 0


class Reader:
    """Reads what the conditions of locks speak of."""

    def __init__(self, system: System, moments: list[Moment]):
        self.system = system
        read = {name for m in moments for name in ex.names(m.condition) if name != "t"}
        coordinates = system.resolved.coordinates
        self.meant = {name: (name, 0) if name in coordinates else without_rate(name) for name in read}

    def at(self, t: float, q: np.ndarray, v: np.ndarray, a: np.ndarray | None) -> Readings:
        """All of it at a state."""
        values = self._values(q[None], v[None], None if a is None else a[None])
        return Readings(t, {name: tuple(float(x) for x in three[:, 0]) for name, three in values.items()})  # type: ignore

    def _values(self, q: np.ndarray, v: np.ndarray, a: np.ndarray | None) -> dict[str, np.ndarray]:
        """Three rows for each thing that is read, at one state or many."""
        system, out, posture = self.system, {}, None
        for base in sorted({base for base, _ in self.meant.values()}):
            if base in system.resolved.coordinates:
                three = system.value(base, q, v, a)
            else:
                owner, _, part = base.rpartition(".")
                posture = system.posture(q, v, a) if posture is None else posture
                three = [x if x is None else x[:, "xyz".index(part)]
                         for x in posture.place(system.resolved.place(owner))]  # fmt: skip
            nothing = np.full(len(q), np.nan)
            out[base] = np.array([nothing if x is None else x for x in (*three, None)[:3]], dtype=float)
        return out

    def possible(self, node: Any, before: Readings, samples: list[Sample]) -> np.ndarray:
        """Of every stretch from one sample to the next, the first from `before`: whether a condition may become true
        within it."""
        nq, n, t = self.system.nq, self.system.n, np.array([before.t, *(s.t for s in samples)])
        y, ydot = np.array([s.y for s in samples]), np.array([s.ydot for s in samples])
        of = self._values(y[:, :nq], y[:, nq : nq + n], ydot[:, nq : nq + n])
        all_of = {base: np.concatenate([np.array(before.of[base])[:, None], three], axis=1)
                  for base, three in of.items()}  # fmt: skip
        first, last = ({base: three[:, part] for base, three in all_of.items()} for part in (slice(-1), slice(1, None)))
        ways = self.along(node, Readings(t[:-1], first), Readings(t[1:], last))  # type: ignore[arg-type]
        out = np.zeros(len(samples), dtype=bool)
        for along in ways:
            lo, hi = along(t[:-1], t[1:])
            out |= (lo <= 0.0) & (hi > 0.0)
        return out | (len(ways) > 1)

    def condition(self, moment: Moment, here: Readings, name: str) -> float:
        """How far a condition is from being true (negative) or is true (positive)."""
        values = {"t": here.t}
        values |= {text: here.of[base][order] for text, (base, order) in self.meant.items()}
        try:
            return float(ex.evaluate(moment.condition, values))
        except (ex.ExpressionError, ArithmeticError, ValueError) as error:
            raise MethodError(Problem(f"the condition {moment.text!r} of lock {name!r} has no value at "
                                      f"t = {here.t:.6g} s", where=f"locks.{name}", why=str(error),
                                      cure="correct it")) from None  # fmt: skip

    def along(self, node: Any, before: Readings, now: Readings) -> list[Along]:
        """A condition from one look to the next, as a function of time: one, or two where an angle begins a new turn in
        between, as it goes on before and as it has come after that."""
        paths: list[dict[str, Quantity]] = [{}, {}]
        leaps = False
        for text in ex.names(node):
            if text == "t":
                paths[0][text] = paths[1][text] = CLOCK
                continue
            base, order = self.meant[text]
            first, last = before.of[base], now.of[base]
            turn = _turn(now.t - before.t, first, last)
            leaps |= bool(np.any(turn != 0.0))
            for k, (x, y) in enumerate(((0.0, -turn), (turn, 0.0))):
                path = _path(before.t, now.t, (first[0] + x, *first[1:]), (last[0] + y, *last[1:]))
                paths[k][text] = path.quantity(order)
        return [Along(node, p) for p in paths[: 2 if leaps else 1]]


@dataclass
class Path:
    """A polynomial of s = (t - t0)/h, and how far the truth may be from it; or many, one for each part."""

    t0: Any
    h: Any
    p: np.ndarray
    """its coefficients, that of the highest power first"""
    off: Any
    """of the value and of its rate"""

    def quantity(self, order: int) -> Quantity:
        """It, or its rate, for bounds."""
        slopes = [self.p]
        while len(slopes[-1]) > 1:
            slopes.append(_slope(slopes[-1]))
        return Quantity(self._bounds(slopes, order, self.off[order]), self._bounds(slopes, order + 1, 0.0))

    def _bounds(self, slopes: list[np.ndarray], order: int, off: Any) -> Callable[..., tuple[np.ndarray, np.ndarray]]:
        def inner(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            middle, half = (0.5 * (a + b) - self.t0) / self.h, 0.5 * (b - a) / self.h
            spread, share = np.zeros_like(half), 1.0
            for k, slope in enumerate(slopes[order + 1 :], start=1):
                share *= k
                spread = spread + np.abs(_value(slope, middle)) * half**k / share
            value, spread = _value(slopes[order], middle) / self.h**order, spread / self.h**order + off
            return value - spread, value + spread

        return inner


def _value(p: np.ndarray, x: np.ndarray) -> np.ndarray:
    out = np.zeros_like(x)
    for c in p:
        out = out * x + c
    return out


def _slope(p: np.ndarray) -> np.ndarray:
    powers = np.arange(len(p) - 1, 0, -1)
    return p[:-1] * powers.reshape(-1, *[1] * (p.ndim - 1))


def _turn(h: Any, first: Three, last: Three) -> Any:
    """By what an angle leaps between two looks, beside what its rates say: a turn, or nothing."""
    leap = last[0] - first[0] - 0.5 * h * (first[1] + last[1])
    leaps = np.abs(leap) > LEAP + 0.5 * h * np.abs(last[1] - first[1])
    return np.where(leaps, 2 * np.pi * np.round(leap / (2 * np.pi)), 0.0)


def _path(t0: Any, t1: Any, first: Three, last: Three) -> Path:
    """Through positions, velocities and accelerations at both ends."""
    h = t1 - t0
    (x0, v0, a0), (x1, v1, a1) = first, last
    v0, v1, a0, a1 = h * v0, h * v1, h * h * a0, h * h * a1
    cubic = np.array([2 * x0 - 2 * x1 + v0 + v1, 3 * x1 - 3 * x0 - 2 * v0 - v1, v0, x0])
    d, e, f = x1 - x0 - v0 - 0.5 * a0, v1 - v0 - a0, a1 - a0
    five = np.array([6 * d - 3 * e + 0.5 * f, -15 * d + 7 * e - f, 10 * d - 4 * e + 0.5 * f, 0.5 * a0, v0, x0])
    unknown = ~np.isfinite(five).all(axis=0)
    five = np.where(unknown, np.concatenate([np.zeros_like(cubic[:2]), cubic]), five)
    # the difference of the two is s^2 (1 - s)^2 (b + c s): largest near the middle
    apart = five.copy()
    apart[2:] -= cubic
    s = np.linspace(0.1, 0.9, 9).reshape(-1, *[1] * (five.ndim - 1))
    one = np.broadcast_to(s, (9, *five.shape[1:]))
    far = [np.abs(_value(p, one)).max(axis=0) for p in (apart, _slope(apart))]
    far = [np.where(unknown, np.abs(cubic[0]), TRUST * x) for x in far]
    size = np.maximum(np.abs(x0), np.abs(x1))
    noise = 4e-14 * size  # rounding of the coefficients is no error of the path
    return Path(t0, h, five, [np.where(far[0] > noise, far[0], 0.0), np.where(far[1] > noise, far[1], 0.0) / h])


def hull(h: float, first: Three, last: Three) -> tuple[float, float]:
    """Quick bounds of a path: the corners of its polygon, and a little more."""
    (x0, v0, a0), (x1, v1, a1) = first, last
    v0, v1, a0, a1 = 0.2 * h * v0, 0.2 * h * v1, 0.05 * h * h * a0, 0.05 * h * h * a1
    corners = (x0, x0 + v0, x0 + 2 * v0 + a0, x1 - 2 * v1 + a1, x1 - v1, x1)
    low, high = min(corners), max(corners)
    more = TRUST * (high - low + abs(a0) + abs(a1))
    return (low - more, high + more) if high - low < np.inf else (-np.inf, np.inf)


def first_true(reader: Reader, node: Any, before: Readings, now: Readings, look: Callable[[float], Readings | None],
               deep: int = DEEP) -> tuple[tuple[float, float] | None, bool]:  # fmt: skip
    """Two instants between two looks between which a condition first becomes true; None if it does not. And whether
    that is certain. `look`: what is read at an instant between, computed anew."""
    ways = reader.along(node, before, now)
    fine = FINE * max(abs(now.t), now.t - before.t)
    sifted = [first_positive(along, before.t, now.t, fine) for along in ways]
    if all(not found.open and found.sure is None for found in sifted):
        return None, True
    found, along = sifted[0], ways[0]
    known_well = len(ways) == 1 and all(b - a <= 2 * fine for a, b in found.open)
    if known_well and found.sure is None:
        return None, found.told  # touched at the most, for no longer than rounding
    early = found.sure is None or len(ways) > 1 or any(b < found.sure[0] - 2 * fine for _, b in found.open)
    if deep and not known_well and early:
        t = 0.5 * (before.t + now.t)
        middle = look(t)
        if middle is not None:
            hit, certain = first_true(reader, node, before, middle, look, deep - 1)
            if hit is not None:
                return hit, certain
            second, also = first_true(reader, node, middle, now, look, deep - 1)
            return second, certain and also
    if found.sure is None or len(ways) > 1:
        return None, False
    inside = _inside(along, *found.sure, now.t, fine)
    return (max(before.t, 2 * found.sure[0] - inside), inside), found.told


def _inside(along: Along, a: float, b: float, end: float, fine: float) -> float:
    """An instant well within the while for which a condition holds from a on."""
    x = np.union1d(np.minimum(a + fine * (2.0 ** np.arange(60) - 1.0), end), [a, b])
    low, _ = along(x, x)
    false = np.flatnonzero((low <= 0.0) & (x > b))
    last = int(false[0]) if len(false) else len(x)
    return float(x[int(np.argmax(low[:last]))])
