"""Limits that move with time: a gap may close between two evaluations, however fast its limit moves.

The gap of a stop is a function of the mechanism less a law of time. From one evaluation to the next the first part is
smooth, a polynomial through both; the law may go to and fro many times. Of a formula bounds tell where the gap stays
open (`conditions`); a table or a Python function is known beforehand at instants that resolve it, and the gap is
evaluated there.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...model import expression as ex
from ...model.expression.interval_search import CLOCK, Along, resolved
from .paths import cubic

FIRST = 20_000
"""instants at which a law is evaluated before it is known how fast it changes"""
BENT = 0.01
"""of its range: what a law may leave the straight line between two instants by"""
MOST = 2_000_000
"""instants that are kept"""
WITHIN = 0.31, 0.5, 0.73
"""where between two instants that is checked: not evenly, for periodic laws"""
FINE = 33


class SampledLimit:
    """A law of time at the instants that resolve it."""

    def __init__(self, value: Callable[[float], float], end: float, knots: np.ndarray | None = None):
        self._value = value
        t = np.linspace(0.0, end, FIRST + 1)
        if knots is not None:  # of a table: between them it is a cubic
            x = np.concatenate([(1 - u) * knots[:-1] + u * knots[1:] for u in (0.0, 0.25, 0.5, 0.75)] + [knots[-1:]])
            t = np.union1d(t, x[(x > 0.0) & (x < end)])
        f = self.at(t)
        left = np.arange(len(t) - 1)
        while len(left) and len(t) < MOST:
            a, h = t[left], t[left + 1] - t[left]
            inner = [(u, a + u * h) for u in WITHIN]
            bend = BENT * max(float(np.ptp(f)), 1e-300)
            rough = np.zeros(len(left), dtype=bool)
            for u, x in inner:
                rough |= np.abs(self.at(x) - (1 - u) * f[left] - u * f[left + 1]) > bend
            new = a[rough] + 0.5 * h[rough]
            if not len(new) or h.min() < 1e-12 * end:
                break
            at = left[rough] + 1
            t, f = np.insert(t, at, new), np.insert(f, at, self.at(new))
            left = (at - 1 + np.arange(len(at)))[:, None] + np.arange(2)
            left = left.ravel()
        self.t, self.f = t, f
        self.finest = float(np.diff(t).min())

    def at(self, t: np.ndarray) -> np.ndarray:
        """Its values."""
        values = np.array([self._value(float(x)) for x in np.ravel(t)])
        return np.where(np.isfinite(values), values, 0.0)

    def first_below(self, t0: float, t1: float, smooth: tuple, sign: float) -> tuple[float, float] | None:
        """Between t0 and t1: two instants between which the smooth part (value and slope at both ends, as they are
        after h) less sign times the law falls below zero for the first time; None if it does not."""
        h = t1 - t0
        lo, hi = np.searchsorted(self.t, t0, side="right"), np.searchsorted(self.t, t1, side="left")
        first, last = self.at(np.array([t0, t1]))
        t, f = np.concatenate([[t0], self.t[lo:hi], [t1]]), np.concatenate([[first], self.f[lo:hi], [last]])

        def part(x: np.ndarray) -> np.ndarray:
            return np.polyval(cubic(*smooth), (x - t0) / h)

        gap = part(t) - sign * f
        below = np.flatnonzero(gap[1:] < 0.0) + 1
        end = int(below[0]) if len(below) else len(t)
        # troughs before that, between the instants: where a value is less than what it rises by to the next
        beside = np.concatenate([[np.inf], gap, [np.inf]])
        sides = np.stack([beside[:-2], beside[2:]])
        most = np.where(np.isinf(sides), 0.0, sides).max(axis=0)
        low = (gap <= beside[:-2]) & (gap <= beside[2:]) & (2 * gap < most) & (np.arange(len(t)) < end)
        low[0] &= gap[0] > 1e-9 * most[0]  # else it has just been struck there
        for k in np.flatnonzero(low):
            x = np.linspace(t[max(k - 1, 0)], t[min(k + 1, len(t) - 1)], FINE)
            under = np.flatnonzero((part(x) - sign * self.at(x))[1:] < 0.0) + 1
            if len(under):
                return float(x[under[0] - 1]), float(x[under[0]])
        return (float(t[end - 1]), float(t[end])) if end < len(t) else None


class FormulaLimit:
    """A limit that is a formula of time, for bounds of the gap of a contact beside it."""

    GAP = "gap"

    def __init__(self, expression: ex.Node, constant: float, end: float):
        self.law = ex.Binary("+", ex.parse(repr(constant)), expression) if constant else expression
        self._second = ex.differentiate(ex.differentiate(self.law, "t"), "t")
        self.along, self._bend = (Along(node, {"t": CLOCK}) for node in (self.law, self._second))
        self._known: dict[float, tuple[float, float]] = {}
        ends = resolved(self.along, 0.0, end, BENT**2, 1e-12 * end)
        self.finest = 1e-12 * end if ends is None else float(np.diff(ends).min())
        gap = ex.Name(self.GAP)
        below, above = ex.Binary("-", self.law, gap), ex.Binary("-", gap, self.law)
        self.closed = {1.0: below, -1.0: above}
        """by the sign of the contact: positive where its gap is closed; `gap` is the mechanism's part of it"""
        self.open = {1.0: above, -1.0: below}

    def prepare(self, t: np.ndarray) -> None:
        """Evaluate it at the instants of some samples at once."""
        f, second = self.along.at(t), self._bend.at(t)
        self._known = dict(zip(t.tolist(), zip(f.tolist(), second.tolist(), strict=True), strict=True))

    def at(self, t: float) -> tuple[float, float]:
        """Its value and its second derivative."""
        if t in self._known:
            return self._known[t]
        out = []
        for node in (self.law, self._second):
            try:
                out.append(float(ex.evaluate(node, {"t": t})))
            except (ex.ExpressionError, ArithmeticError, ValueError):
                out.append(float("nan"))
        return out[0], out[1]
