"""Where in a step an event lies: the step is repeated with other lengths until the instant is known to rounding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import brentq

from ...methods.loops.stepper import Repeat
from ...methods.status import Status
from .monitor import EventMonitor, MonitoredState
from .paths import cubic

View = Callable[[float], MonitoredState]
_brentq: Any = brentq


class EventLocator:
    """The first event within a step, found by repeating it."""

    def __init__(self, monitor: EventMonitor, repeat: Repeat, state_at: View, end: MonitoredState | None = None):
        self.monitor, self.state_at, self.end = monitor, state_at, end
        self.base, self.lo, self.hi, self.repeat = repeat
        self.tolerance = max(4e-16 * max(abs(self.base) + self.hi, 1e-300), 1e-15 * self.hi)

    def evaluate(self, x: float) -> MonitoredState | None:
        """The state at base + x; None if the step cannot be made."""
        return self.state_at(self.base + x) if self.repeat(x) == Status.finished else None

    def margin(self, what: tuple[str, Any], x: float) -> float:
        state = self.evaluate(x)
        if state is None:
            return -1.0  # beyond a limit equations may have no solution
        return self.monitor.margin(what, state)

    def first(self, candidates: list[tuple[str, Any]], start: MonitoredState) -> float:
        """The instant (as x) of the earliest of the candidates, all of which have happened by `hi`."""
        hi, end = self.hi, self.end
        for what in candidates:
            if hi < self.hi or end is None:
                end = self.evaluate(hi)
                if end is not None and self.monitor.margin(what, end) >= 0.0:
                    continue
            root = self._by_slope(what[1], hi, start, end) if what[0] == "strike" else None
            hi = self._root(what, hi, self.monitor.margin(what, start)) if root is None else root
        return hi

    def _by_slope(self, contact: int, hi: float, start: MonitoredState, end: MonitoredState | None) -> float | None:
        """Where a gap closes, by Newton's method from a cubic through both ends; None if that does not get there."""
        level, lo, h = float(self.monitor.levels[contact]), self.lo, hi - self.lo
        g0, d0 = float(start.gaps[contact]) - level, h * float(start.rates[contact])
        if end is None or h <= 0.0 or (g0 <= 0.0 and d0 <= 0.0):
            return None
        g1, d1 = float(end.gaps[contact]) - level, h * float(end.rates[contact])
        found = np.roots(cubic(g0, d0, g1, d1))
        found = np.sort(found[np.abs(found.imag) < 1e-9].real)
        inside = found[(found > 1e-9) & (found <= 1.0)]
        x, left, right = (lo + h * float(inside[-1]) if len(inside) else hi), lo, hi
        for _ in range(30):
            state = self.evaluate(x)
            if state is None:
                return None
            gap, rate = float(state.gaps[contact]) - level, float(state.rates[contact])
            left, right = (x, right) if gap > 0.0 else (left, x)
            if rate >= 0.0:
                return None
            step = -gap / rate
            if abs(step) <= self.tolerance:
                return x
            x = x + step
            if not left < x < right:
                x = 0.5 * (left + right)
            if right - left <= self.tolerance:
                return x
        return None

    def _root(self, what: tuple[str, Any], hi: float, at_lo: float) -> float:
        """Where a margin becomes negative, by bracketing."""
        lo = a = self.lo
        if at_lo <= 0.0:  # it left its limit at the start: find an instant at which it is clear of it
            for k in range(1, 60):
                a = lo + (hi - lo) * 0.5**k
                if a - lo < self.tolerance:
                    return lo
                if self.margin(what, a) > 0.0:
                    break
        ends = {a: at_lo if a == lo else None, hi: None}

        def f(x: float) -> float:
            known = ends.get(x)
            return self.margin(what, x) if known is None else known

        if a >= hi or f(hi) >= 0.0:
            return hi
        if f(a) <= 0.0:
            return a
        return float(_brentq(f, a, hi, xtol=self.tolerance, rtol=8.9e-16, maxiter=200))

    def lowest_gap(self, contact: int) -> float | None:
        """x where the gap of a contact is least within the step, if it is struck there; else None."""

        def rate(x: float) -> float:
            state = self.evaluate(x)
            return 1.0 if state is None else float(state.rates[contact])

        lo = self.lo + 1e-6 * (self.hi - self.lo)
        if not rate(lo) < 0.0 < rate(self.hi):
            return None
        x = float(_brentq(rate, lo, self.hi, xtol=1e-9 * (self.hi - self.lo), maxiter=100))
        return x if self.margin(("strike", contact), x) < 0.0 else None

    def shortened_step(self) -> float | None:
        """A step that failed may have failed beyond a limit: x of a shorter one that ends there; else None."""
        x = self.hi
        for _ in range(12):
            x = self.lo + 0.5 * (x - self.lo)
            state = self.evaluate(x)
            if state is None:
                continue
            margins = [self.monitor.margin(("strike", i), state) for i in range(len(self.monitor.levels))
                       if i not in self.monitor.active.resting]  # fmt: skip
            return x if np.min(margins, initial=0.0) < 0.0 else None
        return None
