"""Arithmetic of intervals, many at once: bounds of a result for all operands within bounds.

Moore, Interval Analysis (1966). The bounds hold but for rounding; where a function has a pole or no value they are
-inf ... inf. (Laws of forces have the like in compiled code, for three variables: `kernels.laws.intervals`.)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Bounds = tuple[Any, Any]
"""least and greatest values: numbers, or arrays of them"""
TURN = 2 * math.pi


def plus(x: Bounds, y: Bounds) -> Bounds:
    return _or_unbounded(np.add(x[0], y[0]), np.add(x[1], y[1]))


def minus(x: Bounds, y: Bounds) -> Bounds:
    return _or_unbounded(np.subtract(x[0], y[1]), np.subtract(x[1], y[0]))


def negative(x: Bounds) -> Bounds:
    return np.negative(x[1]), np.negative(x[0])


def _or_unbounded(lo: Any, hi: Any) -> Bounds:
    """Bounds, or none where there is no number among them."""
    nothing = np.isnan(lo) | np.isnan(hi)
    return np.where(nothing, -np.inf, lo), np.where(nothing, np.inf, hi)


def _hull(*values: Any) -> Bounds:
    every = np.broadcast_arrays(*values)
    return _or_unbounded(np.minimum.reduce(every), np.maximum.reduce(every))


def _times(a: Any, b: Any) -> Any:
    """Nothing times infinity is nothing."""
    return np.where((np.asarray(a) == 0.0) | (np.asarray(b) == 0.0), 0.0, np.multiply(a, b))


def product(x: Bounds, y: Bounds) -> Bounds:
    """Of the product of a number of x and one of y."""
    return _hull(*(_times(a, b) for a in x for b in y))


def quotient(x: Bounds, y: Bounds) -> Bounds:
    pole = (y[0] <= np.float64(0.0)) & (y[1] >= np.float64(0.0))
    lo, hi = product(x, (np.divide(1.0, y[1]), np.divide(1.0, y[0])))
    return np.where(pole, -np.inf, lo), np.where(pole, np.inf, hi)


def power(x: Bounds, y: Bounds) -> Bounds:
    (a, b), (c, d) = x, y
    if np.ndim(c) == 0 and c == d and c == math.floor(c):
        inside = (np.asarray(a) < 0.0) & (np.asarray(b) > 0.0)
        lo, hi = _hull(np.power(a, c, dtype=float), np.power(b, c, dtype=float))
        if c < 0.0:
            pole = (np.asarray(a) <= 0.0) & (np.asarray(b) >= 0.0)
            return np.where(pole, -np.inf, lo), np.where(pole, np.inf, hi)
        return (np.where(inside, 0.0, lo), hi) if c % 2 == 0 and c > 0 else (lo, hi)
    nowhere = (np.asarray(a) < 0.0) | ((np.asarray(a) == 0.0) & (np.asarray(c) <= 0.0))
    lo, hi = _hull(*(np.power(np.asarray(u, dtype=float), v) for u in x for v in y))
    return np.where(nowhere, -np.inf, lo), np.where(nowhere, np.inf, hi)


def wave(function: Any, crest: float) -> Callable[[Bounds], Bounds]:
    """Of a sine or cosine, by its values at both ends and one of its crests."""

    def inner(x: Bounds) -> Bounds:
        lo, hi = (np.asarray(u, dtype=float) for u in x)
        low, high = _hull(function(lo), function(hi))
        high = np.where(np.floor((hi - crest) / TURN) != np.floor((lo - crest) / TURN), 1.0, high)
        trough = crest + math.pi
        low = np.where(np.floor((hi - trough) / TURN) != np.floor((lo - trough) / TURN), -1.0, low)
        wide = ~(hi - lo < TURN) | (np.abs(lo) > 1e15)
        return np.where(wide, -1.0, low), np.where(wide, 1.0, high)

    return inner


def rising(function: Any) -> Callable[[Bounds], Bounds]:
    return lambda x: _or_unbounded(function(np.asarray(x[0], dtype=float)), function(np.asarray(x[1], dtype=float)))


def within(function: Any, low: float, high: float, falling: bool = False) -> Callable[[Bounds], Bounds]:
    """Of what has values only between two numbers: the rest of an interval has none."""

    def inner(x: Bounds) -> Bounds:
        lo, hi = np.clip(x[0], low, None), np.clip(x[1], None, high)
        ends = (function(hi), function(lo)) if falling else (function(lo), function(hi))
        below, above = _or_unbounded(*ends)
        return np.where(lo <= hi, below, -np.inf), np.where(lo <= hi, above, np.inf)

    return inner


def magnitude(x: Bounds) -> Bounds:
    a, b = np.abs(x[0]), np.abs(x[1])
    inside = (np.asarray(x[0]) <= 0.0) & (np.asarray(x[1]) >= 0.0)
    return np.where(inside, 0.0, np.minimum(a, b)), np.maximum(a, b)


def cosh(x: Bounds) -> Bounds:
    a, b = magnitude(x)
    return np.cosh(a), np.cosh(b)


def tan(x: Bounds) -> Bounds:
    lo, hi = (np.asarray(u, dtype=float) for u in x)
    pole = np.floor(lo / math.pi + 0.5) != np.floor(hi / math.pi + 0.5)
    return np.where(pole, -np.inf, np.tan(lo)), np.where(pole, np.inf, np.tan(hi))


def atan2(y: Bounds, x: Bounds) -> Bounds:
    lo, hi = _hull(*(np.arctan2(u, v) for u in y for v in x))
    right = np.asarray(x[0]) > 0.0
    return np.where(right, lo, -math.pi), np.where(right, hi, math.pi)


def less(x: Bounds, y: Bounds) -> Bounds:
    """Of 1 where x < y, else 0. (Where both ends meet, either.)"""
    return np.where(np.asarray(x[1]) < y[0], 1.0, 0.0), np.where(np.asarray(x[0]) > y[1], 0.0, 1.0)


def more(x: Bounds, y: Bounds) -> Bounds:
    """Of 1 where x > y, else 0."""
    return less(y, x)


def least(x: Bounds, y: Bounds) -> Bounds:
    return np.minimum(x[0], y[0]), np.minimum(x[1], y[1])


def greatest(x: Bounds, y: Bounds) -> Bounds:
    return np.maximum(x[0], y[0]), np.maximum(x[1], y[1])


def sign(x: Bounds) -> Bounds:
    return np.where(np.asarray(x[0]) > 0.0, 1.0, -1.0), np.where(np.asarray(x[1]) < 0.0, -1.0, 1.0)


def select(c: Bounds, x: Bounds, y: Bounds) -> Bounds:
    first = (np.asarray(c[0]) > 0.0) | (np.asarray(c[1]) < 0.0)
    second = (np.asarray(c[0]) == 0.0) & (np.asarray(c[1]) == 0.0)
    lo, hi = np.minimum(x[0], y[0]), np.maximum(x[1], y[1])
    return np.where(first, x[0], np.where(second, y[0], lo)), np.where(first, x[1], np.where(second, y[1], hi))


def smooth(s: Any) -> Any:
    """From 0 to 1, with no slope and no curvature at both ends; it rises."""
    return s * s * s * (10 - 15 * s + 6 * s * s)


def ramp(x: Bounds, begin: Bounds, end: Bounds) -> Bounds:
    lo, hi = quotient((np.subtract(x[0], begin[1]), np.subtract(x[1], begin[0])),
                       (np.subtract(end[0], begin[1]), np.subtract(end[1], begin[0])))  # fmt: skip
    return np.clip(lo, 0.0, 1.0), np.clip(hi, 0.0, 1.0)


def step(x: Bounds, begin: Bounds, y0: Bounds, end: Bounds, y1: Bounds) -> Bounds:
    lo, hi = (smooth(s) for s in ramp(x, begin, end))
    if y0[0] is y0[1] or (np.ndim(y0[0]) == 0 and y0[0] == y0[1] and np.ndim(y1[0]) == 0 and y1[0] == y1[1]):
        return _hull(y0[0] * (1 - lo) + y1[0] * lo, y0[0] * (1 - hi) + y1[0] * hi)
    a, b = product(y0, (1 - hi, 1 - lo)), product(y1, (lo, hi))
    return a[0] + b[0], a[1] + b[1]
