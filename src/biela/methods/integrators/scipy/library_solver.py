"""A solver of SciPy whose steps end where laws switch, and hide nothing within them.   [I.29]"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....system.system import System
from ...control.law_switches import AT_END, AT_START, CLEAR, CUT
from ...loops.monitors_from_python import (
    enter_here,
    finish_here,
    first_event_here,
    leave_here,
    margin_here,
    strains_at_end_here,
    strains_at_start_here,
    strains_within,
    turn_now_here,
    watched_here,
)
from ...settings import Settings

AGAIN = 400
"""times that one step is taken again"""
CLOSE = 1e-10
"""of a step: so near to its end a switch is at its end"""


class LibrarySolver:
    """One of SciPy's solvers, with its own words: `step()`, `t`, `y`, `status`, `dense_output()`."""

    def __init__(self, system: System, settings: Settings, rate: Callable, t: float, y: np.ndarray, t_end: float):
        from scipy.integrate import BDF, DOP853, LSODA, Radau

        kinds = {"DOP853": DOP853, "Radau": Radau, "BDF": BDF, "LSODA": LSODA}
        self._kind: Any = kinds[settings.integrator.scipy]
        s = system.arrays
        tolerance, absolute = float(s.ctl.relative_tolerance), np.full(len(s.y), float(s.ctl.absolute_tolerance))
        absolute[-1] = 1e100  # the work integral does not steer the step
        self._options = {"rtol": max(tolerance, 3e-14), "atol": absolute}
        self._system, self._rate, self._end, self._goal = system, rate, t_end, t_end
        self._longest: float = settings.step or float("inf")
        self._limit: float = self._longest
        self._watched = bool(watched_here(system.header))
        self._leaving: tuple[int, float, float] | None = None
        """the switch at which the last step ended, its start and its length"""
        self.t, self.y, self.status = t, y, "running"
        self._solver = self._dense = None
        if not self._watched:
            self._restart()

    def _restart(self) -> None:
        """Another solver from here: this one's memory is of another law."""
        self._solver = self._kind(self._rate, self.t, self.y.copy(), self._goal, max_step=self._limit, **self._options)

    def dense_output(self) -> Callable[[float], np.ndarray]:
        """The states within the last step."""
        return self._dense or self._solver.dense_output()  # type: ignore[union-attr]

    def step(self) -> str | None:
        """One step; what there is to complain of, if it failed."""
        if not self._watched:
            return self._plain()
        enter_here(self._system.header)
        try:
            return self._watchful()
        finally:
            leave_here(self._system.header)

    def _plain(self) -> str | None:
        solver: Any = self._solver
        message = solver.step()
        self.t, self.y, self.status = float(solver.t), solver.y, solver.status
        return message

    def _watchful(self) -> str | None:
        header, start, y = self._system.header, self.t, self.y
        if self._leaving is not None:
            finish_here(header, *self._leaving)
            self._at_start(self._leaving[2])
            self._leaving = self._solver = None
        for _ in range(AGAIN):
            if self._solver is None:
                self._restart()
            message = self._plain()
            if self.status == "failed":
                self.t, self.y = start, y
                return message
            assert self._solver is not None
            h = self.t - start
            self._dense = self._solver.dense_output()
            self._at_end(h)
            what, tau, which = first_event_here(header, start, h)
            if what == CUT:
                left = self._located(int(which), start, tau, h)
                self._at_end(h)
                if left is None:
                    what = CLEAR
                elif h - left < CLOSE * h:
                    what = AT_END
                else:  # its interpolation is not as good as its steps: it takes them again, to there
                    self._goal = start + left
                    self.t, self.y, self._solver = start, y, None
                    continue
            if what == AT_END:
                self._leaving, self._goal = (int(which), start, h), self._end
                self.status = "running" if self.t < self._end else "finished"
                return None
            if what == CLEAR:
                if self.status == "finished" and self.t < self._end:
                    self.status, self._goal, self._solver = "running", self._end, None
                finish_here(header, 0, start, h)
                self._limit = min(2.0 * self._limit, self._longest)
                if hasattr(self._solver, "max_step"):
                    self._solver.max_step = self._limit  # type: ignore[union-attr]
                return None
            if what == AT_START:
                turn_now_here(header, int(which), start)
                self.t, self.y = start, y
                self._at_start(h)
            else:  # a law that the step is too long for
                self._limit = float(tau)
            self.t, self.y, self._solver = start, y, None
        self.status = "failed"
        return "the step size became too small where a law switches"

    def _put(self, t: float) -> None:
        """Strains at an instant of the step."""
        self._system.arrays.y[:] = self._dense(t)  # type: ignore[misc]
        strains_within(self._system.header)

    def _at_end(self, h: float) -> None:
        """Strains at the end of a step, with its accelerations."""
        self._rate(self.t, self.y)
        strains_at_end_here(self._system.header, h)

    def _at_start(self, h: float) -> None:
        """Strains where a side has been changed."""
        self._rate(self.t, self.y)
        strains_at_start_here(self._system.header, h)

    def _located(self, which: int, start: float, about: float, h: float) -> float | None:
        """When the switch is left, by the solver's own interpolation; None if it only touches."""
        from scipy.optimize import brentq

        def margin(tau: float) -> float:
            self._put(start + tau)
            return float(margin_here(self._system.header, which, start, tau))

        after = next((x for x in (about, about + 1e-6 * h, about + 1e-3 * h, h) if x <= h and margin(x) <= 0.0), None)
        if after is None:
            return None
        before = next((x for x in (0.999 * after, 0.5 * after, 1e-3 * after) if margin(x) > 0.0), None)
        if before is None:
            return after
        found: Any = brentq(margin, before, after, xtol=1e-14 * (abs(start) + h))
        return float(found)
