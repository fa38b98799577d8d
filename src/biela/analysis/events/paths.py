"""Quantities between two instants at which they are known: polynomials with bounds of their error.

A path is the polynomial of fifth degree through values, rates and accelerations at both ends; how far it leaves the
cubic through values and rates tells how far it may be trusted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...model.expression.interval_search import Quantity
from ..quantities import turns_towards

JUMP = 3.0
"""rad: an angle that differs by more from what its rates say has begun a new turn"""
TRUST = 0.1
"""of what a path leaves the cubic by: its error"""
Three = tuple[Any, Any, Any]
"""a value, its rate and the rate of that"""


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
                spread = spread + np.abs(np.polyval(slope, middle)) * half**k / share
            value, spread = np.polyval(slopes[order], middle) / self.h**order, spread / self.h**order + off
            return value - spread, value + spread

        return inner


def cubic(x0: Any, v0: Any, x1: Any, v1: Any) -> np.ndarray:
    """Coefficients, the highest power first, of the cubic of s through values and slopes at s = 0 and s = 1 (Hermite).

    >>> cubic(0.0, 1.0, 1.0, 1.0).tolist()
    [0.0, 0.0, 1.0, 0.0]
    """
    return np.array([2 * x0 - 2 * x1 + v0 + v1, 3 * x1 - 3 * x0 - 2 * v0 - v1, v0, x0])


def _slope(p: np.ndarray) -> np.ndarray:
    powers = np.arange(len(p) - 1, 0, -1)
    return p[:-1] * powers.reshape(-1, *[1] * (p.ndim - 1))


def turn_between(h: Any, first: Three, last: Three) -> Any:
    """By what an angle jumps between two instants, beside what its rates say: a turn, or nothing."""
    jump = last[0] - first[0] - 0.5 * h * (first[1] + last[1])
    jumps = np.abs(jump) > JUMP + 0.5 * h * np.abs(last[1] - first[1])
    return np.where(jumps, turns_towards(0.0, jump), 0.0)


def path_between(t0: Any, t1: Any, first: Three, last: Three) -> Path:
    """Through positions, velocities and accelerations at both ends."""
    h = t1 - t0
    (x0, v0, a0), (x1, v1, a1) = first, last
    v0, v1, a0, a1 = h * v0, h * v1, h * h * a0, h * h * a1
    three = cubic(x0, v0, x1, v1)
    d, e, f = x1 - x0 - v0 - 0.5 * a0, v1 - v0 - a0, a1 - a0
    five = np.array([6 * d - 3 * e + 0.5 * f, -15 * d + 7 * e - f, 10 * d - 4 * e + 0.5 * f, 0.5 * a0, v0, x0])
    unknown = ~np.isfinite(five).all(axis=0)
    five = np.where(unknown, np.concatenate([np.zeros_like(three[:2]), three]), five)
    # the difference of the two is s^2 (1 - s)^2 (b + c s): largest near the middle
    apart = five.copy()
    apart[2:] -= three
    s = np.linspace(0.1, 0.9, 9).reshape(-1, *[1] * (five.ndim - 1))
    one = np.broadcast_to(s, (9, *five.shape[1:]))
    error = [np.abs(np.polyval(p, one)).max(axis=0) for p in (apart, _slope(apart))]
    error = [np.where(unknown, np.abs(three[0]), TRUST * x) for x in error]
    size = np.maximum(np.abs(x0), np.abs(x1))
    noise = 4e-14 * size  # rounding of the coefficients is no error of the path
    return Path(t0, h, five, [np.where(error[0] > noise, error[0], 0.0), np.where(error[1] > noise, error[1], 0.0) / h])


def hull(h: float, first: Three, last: Three) -> tuple[float, float]:
    """Quick bounds of a path: the corners of its polygon, and a little more."""
    (x0, v0, a0), (x1, v1, a1) = first, last
    v0, v1, a0, a1 = 0.2 * h * v0, 0.2 * h * v1, 0.05 * h * h * a0, 0.05 * h * h * a1
    corners = (x0, x0 + v0, x0 + 2 * v0 + a0, x1 - 2 * v1 + a1, x1 - v1, x1)
    low, high = min(corners), max(corners)
    more = TRUST * (high - low + abs(a0) + abs(a1))
    return (low - more, high + more) if high - low < np.inf else (-np.inf, np.inf)
