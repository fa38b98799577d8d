"""Where in a step an event lies: the step is repeated with other lengths until the instant is known to rounding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import brentq

from ...methods.status import Status
from ...methods.stretches import Repeat
from .watch import Look, Situation, Watch

SMALLEST = 1e-13
"""of the time, to which instants are found"""
View = Callable[[float], Look]
_brent: Any = brentq


class Located:
    """The first event within a step, found by repeating it."""

    def __init__(self, watch: Watch, situation: Situation, repeat: Repeat, see: View):
        self.watch, self.situation, self.see = watch, situation, see
        self.base, self.lo, self.hi, self.again = repeat
        self.tolerance = max(4e-16 * max(abs(self.base) + self.hi, 1e-300), 1e-15 * self.hi)

    def look(self, x: float) -> Look | None:
        """What is seen at base + x; None if the step cannot be made."""
        return self.see(self.base + x) if self.again(x) == Status.finished else None

    def margin(self, what: tuple[str, Any], x: float) -> float:
        look = self.look(x)
        if look is None:
            return -1.0  # beyond a limit equations may have no solution
        return self.watch.margin(what, look)

    def first(self, candidates: list[tuple[str, Any]], start: Look) -> float:
        """The instant (as x) of the earliest of the candidates, all of which have happened by `hi`."""
        hi = self.hi
        for what in candidates:
            if hi < self.hi and self.margin(what, hi) >= 0.0:
                continue
            hi = self._root(what, self.lo, hi, self.watch.margin(what, start))
        return hi

    def _root(self, what: tuple[str, Any], lo: float, hi: float, at_lo: float) -> float:
        a = lo
        if at_lo <= 0.0:  # it left its limit at the start: look for an instant at which it is clear of it
            for k in range(1, 60):
                a = lo + (hi - lo) * 0.5**k
                if a - lo < self.tolerance:
                    return lo
                if self.margin(what, a) > 0.0:
                    break
        if a >= hi:
            return hi
        ends = {a: at_lo if a == lo else None, hi: None}

        def f(x: float) -> float:
            known = ends.get(x)
            return self.margin(what, x) if known is None else known

        if f(a) <= 0.0:
            return a
        if f(hi) >= 0.0:
            return hi
        return float(_brent(f, a, hi, xtol=self.tolerance, rtol=8.9e-16, maxiter=200))

    def lowest(self, contact: int) -> float | None:
        """x where the gap of a contact is least within the step, if it is struck there; else None."""

        def rate(x: float) -> float:
            look = self.look(x)
            return 1.0 if look is None else float(look.rates[contact])

        lo = self.lo + 1e-6 * (self.hi - self.lo)
        if not rate(lo) < 0.0 < rate(self.hi):
            return None
        x = float(_brent(rate, lo, self.hi, xtol=1e-9 * (self.hi - self.lo), maxiter=100))
        return x if self.margin(("strike", contact), x) < 0.0 else None

    def halves(self) -> float | None:
        """A step that failed may have failed beyond a limit: x of a shorter one that ends there; else None."""
        x = self.hi
        for _ in range(12):
            x = self.lo + 0.5 * (x - self.lo)
            look = self.look(x)
            if look is None:
                continue
            margins = [self.watch.margin(("strike", i), look) for i in range(len(self.watch.levels))
                       if i not in self.situation.resting]  # fmt: skip
            return x if np.min(margins, initial=0.0) < 0.0 else None
        return None
