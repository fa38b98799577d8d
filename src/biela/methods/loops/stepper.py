"""Stretches of a run between events: steps that can be repeated with another length, for every integrator.

A stretch is taken step by step (or in short chunks). Within the steps just taken any instant can be reached again: by
repeating the step from its start with a smaller length, which keeps the integrator's own accuracy, or, for SciPy's
integrators, by their dense output.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...system.system import System
from ..formulations.parameters import HISTORY, LEAST_ENERGY, NO_ENERGY, SPAN
from ..run import _least_energy, _no_energy, first_step, functions
from ..settings import Settings
from ..status import Status
from . import loop_calls

MUTABLE = ("y", "ydot", "lam", "k", "ctl", "opt", "mon", "margin", "direct", "turns", "head_below", "wound", "free",
           "piv", "left_out", "side_kept", "piece_kept", "greatest", "switching", "strain", "scan_most")  # fmt: skip
"""what a step changes beside what it computes anew"""
LONGEST_CHUNK = 64
TRIALS = 200
"""attempts of an error-controlled step before the stretch is given up"""


@dataclass
class Sample:
    """A state of a run."""

    t: float
    y: np.ndarray
    ydot: np.ndarray
    lam: np.ndarray
    turns: np.ndarray
    wanted: bool = True


Repeat = tuple[float, float, float, Callable[[float], int]]
"""(time x counts from, its least and its greatest value, a function that puts the system there)"""


def snapshot(system: System) -> list[np.ndarray]:
    """Copies of all that a step changes."""
    return [getattr(system.arrays, name).copy() for name in MUTABLE]


def restore(system: System, kept: list[np.ndarray]) -> None:
    """Back to a snapshot."""
    for name, values in zip(MUTABLE, kept, strict=True):
        getattr(system.arrays, name)[:] = values


def present(system: System, t: float, wanted: bool = True) -> Sample:
    """The state that the system is in."""
    from .monitors_from_python import turns_here

    s = system.arrays
    turns = np.zeros(len(s.turns))
    turns_here(system.header, turns)
    return Sample(t, s.y.copy(), s.ydot.copy(), s.lam[: system.m].copy(), turns, wanted)


def _tables(system: System, rows: int) -> tuple:
    size = len(system.arrays.y)
    return np.zeros(rows), *(np.zeros((rows, w)) for w in (size, size, system.m, len(system.arrays.turns)))


class FixedSteps:
    """Steps of one length that end at t1."""

    def __init__(self, system: System, settings: Settings, t0: float, t1: float, times: np.ndarray):
        assert settings.step is not None
        self.system, self.t0, self.t1 = system, t0, t1
        self.f, self.settle = functions(settings, system)
        self.step, self.direct = settings.integrator.step(), bool(settings.integrator.direct)
        self.total = max(1, int(np.ceil((t1 - t0) / settings.step - 1e-9)))
        self.h = (t1 - t0) / self.total
        self.done, self.chunk, self.times = 0, 2, times
        self.steps = 0
        self.row = int(np.searchsorted(times, t0 + 1e-9 * self.h, side="right"))

    @property
    def finished(self) -> bool:
        """Whether its end is reached."""
        return self.done >= self.total

    def _march(self, t: float, h: float, count: int, more: bool) -> tuple[int, int, tuple]:
        tables = _tables(self.system, count + 1)
        done, status = 0, int(Status.finished)
        while done < count and status == Status.finished:
            status, taken = loop_calls.march(self.system.header, self.step, self.f, self.settle, t, h, done,
                                             count - done, count + more, 1, *tables)  # fmt: skip
            done += taken
        return int(status), int(done), tables

    def advance(self) -> tuple[int, list[Sample]]:
        """Some steps: how they went, and the states after each of them."""
        count = min(self.chunk, self.total - self.done)
        self.kept, self.first = snapshot(self.system), self.done
        start = self.t0 + self.done * self.h
        status, taken, (t, y, ydot, lam, turns) = self._march(start, self.h, count, self.done + count < self.total)
        self.done += taken
        self.steps += taken
        self.chunk = min(LONGEST_CHUNK, 2 * self.chunk)
        out = []
        for k in range(1, taken + 1):
            here = self.t1 if self.first + k == self.total else float(t[k])
            out.append(Sample(here, y[k], ydot[k], lam[k], turns[k], self._due(here)))
        return status, out

    def _due(self, t: float) -> bool:
        """Whether a sample has become due since the last one."""
        row = int(np.searchsorted(self.times, t + 1e-9 * self.h, side="right"))
        due, self.row = row > self.row, row
        return due

    def within(self, k: int, back: bool = False) -> Repeat:
        """The k-th step of those just taken (from 0), again; `back`: from one step before it, if there is one."""
        self.after = snapshot(self.system), self.done, self.steps
        restore(self.system, self.kept)
        start, before = self.t0 + self.first * self.h, max(k - back, 0)
        if before:
            self._march(start, self.h, before, True)
        self.steps += k + 1 - (self.done - self.first)
        self.done = self.first + k + 1
        if not self.direct:
            self.system.arrays.opt[HISTORY] = 0  # a multistep formula holds for steps of one length
        kept, base = snapshot(self.system), start + before * self.h

        def again(x: float) -> int:
            restore(self.system, kept)
            return self._march(base, x, 1, True)[0] if x > 0.0 else int(Status.finished)

        return base, (k - before) * self.h, (k + 1 - before) * self.h, again

    def undo(self) -> None:
        """Nothing was found within: on from where the steps had ended."""
        kept, self.done, self.steps = self.after
        restore(self.system, kept)


class ControlledSteps:
    """Error-controlled steps up to t1."""

    def __init__(self, system: System, settings: Settings, t0: float, t1: float, times: np.ndarray):
        self.system, self.t, self.t1 = system, t0, t1
        self.f, self.settle = functions(settings, system)
        self.step = settings.integrator.step()
        self.h_max = min(settings.step or (t1 - t0), t1 - t0)
        s = system.arrays
        s.ctl[SPAN], s.ctl[LEAST_ENERGY], s.ctl[NO_ENERGY] = t1 - t0, _least_energy(system), _no_energy(system, t1 - t0)
        self.h = min(first_step(system, settings), self.h_max)
        self.times = times[(times > t0) & (times <= t1)]
        self.row, self.steps = 0, 0
        self.tables = _tables(system, len(self.times))
        self.tables[0][:] = self.times

    @property
    def finished(self) -> bool:
        """Whether its end is reached."""
        return self.t >= self.t1 - 1e-13 * (abs(self.t1) + self.h_max)

    def advance(self) -> tuple[int, list[Sample]]:
        """One step: how it went, the samples within it and the state at its end."""
        start, row = self.t, self.row
        for _ in range(TRIALS):
            self.kept, self.base = snapshot(self.system), self.t
            status, t, h, at = loop_calls.march_adaptive(self.system.header, self.step, self.f, self.settle, self.t,
                                                         self.t1, self.h, self.h_max, 1, self.row,
                                                         *self.tables)  # fmt: skip
            self.t, self.h, self.row = float(t), float(h), int(at)
            if status != Status.finished or self.t > start:
                break
        else:
            status = Status.step_too_small
        out = [Sample(float(self.times[k]), *(x[k].copy() for x in self.tables[1:])) for k in range(row, self.row)]
        if self.t > start:
            self.steps += 1
            if not out or out[-1].t < self.t:
                out.append(present(self.system, self.t, wanted=self.finished))
        self.before = [start, *(s.t for s in out)]
        return int(status), out

    def within(self, k: int, back: bool = False) -> Repeat:
        """The part of the step between its samples k - 1 and k, again."""
        kept, base = self.kept, self.base
        self.after = snapshot(self.system)

        def again(x: float) -> int:
            restore(self.system, kept)
            if x <= 0.0:
                return int(Status.finished)
            t, h, none = base, x, _tables(self.system, 0)
            for _ in range(TRIALS):
                status, t, h, _ = loop_calls.march_adaptive(
                    self.system.header, self.step, self.f, self.settle, t, base + x, h, x, 1, 0, *none
                )
                if status != Status.finished:
                    return int(status)
                if t >= base + x - 1e-13 * (abs(base) + x):
                    return int(Status.finished)
            return int(Status.step_too_small)

        return base, self.before[k] - base, self.before[k + 1] - base, again

    def undo(self) -> None:
        """Nothing was found within: on from where the step had ended."""
        restore(self.system, self.after)


class LibrarySteps:
    """SciPy's steps up to t1."""

    def __init__(self, system: System, settings: Settings, t0: float, t1: float, times: np.ndarray):
        from ..integrators.scipy.library_solver import LibrarySolver

        self.system, self.t, self.t1 = system, t0, t1
        self.f, self.settle = functions(settings, system)
        self.times = times[(times > t0) & (times <= t1)]
        self.row, self.steps = 0, 0
        self.solver = LibrarySolver(system, settings, self._rate, t0, system.arrays.y.copy(), t1)

    @property
    def finished(self) -> bool:
        """Whether its end is reached."""
        return self.solver.status == "finished"

    def _rate(self, t: float, y: np.ndarray) -> np.ndarray:
        s = self.system.arrays
        s.y[:] = y
        if self.f(self.system.header, t) != Status.finished:
            return np.full(len(s.y), np.nan)
        return s.ydot.copy()

    def _put(self, t: float, y: np.ndarray) -> int:
        self.system.arrays.y[:] = y
        return int(self.f(self.system.header, t))

    def advance(self) -> tuple[int, list[Sample]]:
        """One step: how it went, the samples within it and the state at its end."""
        start = self.t
        with np.errstate(all="ignore"):
            message = self.solver.step()
        if self.solver.status == "failed":
            self._put(start, self.solver.y)
            return int(Status.step_too_small if "step size" in str(message) else Status.oracle), []
        self.t = float(self.solver.t)
        self.steps += 1
        self.dense = self.solver.dense_output()
        status = self._put(self.t, self.solver.y)
        if status == Status.finished:
            from .monitors_from_python import monitor_here

            status = int(monitor_here(self.system.header, self.t))
        from .monitors_from_python import look_here

        out = []
        while self.row < len(self.times) and self.times[self.row] < self.t:
            t = float(self.times[self.row])
            status = status or self._put(t, self.dense(t)) or int(look_here(self.system.header, t))
            out.append(present(self.system, t))
            self.row += 1
        status = status or self._put(self.t, self.solver.y)
        wanted = self.row < len(self.times) and self.times[self.row] <= self.t
        self.row += wanted
        out.append(present(self.system, self.t, bool(wanted) or self.finished))
        self.base, self.before = start, [start, *(s.t for s in out)]
        return int(status), out

    def within(self, k: int, back: bool = False) -> Repeat:
        """The part of the step between its samples k - 1 and k, again."""
        base, dense = self.base, self.dense

        def again(x: float) -> int:
            return self._put(base + x, dense(base + x))

        return base, self.before[k] - base, self.before[k + 1] - base, again

    def undo(self) -> None:
        """Nothing was found within: on from where the step had ended."""
        self._put(self.t, self.solver.y)


Stretch = FixedSteps | ControlledSteps | LibrarySteps


def stretch(system: System, settings: Settings, t0: float, t1: float, times: np.ndarray) -> Stretch:
    """The steps of a run from t0 to t1, from the state that the system is in; `times`: where samples are wanted."""
    if settings.integrator.scipy:
        return LibrarySteps(system, settings, t0, t1, times)
    return (ControlledSteps if settings.adaptive else FixedSteps)(system, settings, t0, t1, times)
