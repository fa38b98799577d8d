"""Steps of SciPy's solvers, as the steppers of runs and events take them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ....system.system import System
from ...evaluation import functions
from ...loops.stepper import Repeat, Sample, present
from ...settings import Settings
from ...status import Status
from .library_solver import LibrarySolver


class LibrarySteps:
    """SciPy's steps up to t1; `is_singular`: whether the constraints lose rank in the step between two times."""

    def __init__(self, system: System, settings: Settings, t0: float, t1: float, times: np.ndarray,
                 is_singular: Callable[[LibrarySteps, float, float], bool] | None = None):  # fmt: skip
        self.system, self.t, self.t1, self.is_singular = system, t0, t1, is_singular
        self.f, self.settle = functions(settings, system)
        self.times = times[(times > t0) & (times <= t1)]
        self.row, self.steps = 0, 0
        self._dense: Callable[[float], np.ndarray] | None = None
        self.solver = LibrarySolver(system, settings, self._rate, t0, system.arrays.y.copy(), t1)

    @property
    def finished(self) -> bool:
        """Whether its end is reached."""
        return self.solver.status == "finished"

    def _rate(self, t: float, y: np.ndarray) -> np.ndarray:
        """y'; of a stage far off nothing: the solver rejects what is not a number, and takes a smaller step."""
        if self._put(t, y) != Status.finished:
            return np.full(len(y), np.nan)
        return self.system.arrays.ydot.copy()

    def _put(self, t: float, y: np.ndarray) -> int:
        self.system.arrays.y[:] = y
        return int(self.f(self.system.header, t))

    def put_within(self, t: float) -> int:
        """The state at an instant of the last step; how its evaluation went."""
        if self._dense is None:
            self._dense = self.solver.dense_output()
        return self._put(t, self._dense(t))

    def advance(self) -> tuple[int, list[Sample]]:
        """One step: how it went, the samples within it and the state at its end."""
        from ...loops.monitors_from_python import monitor_here, monitor_sample_here

        header, start, margin, self._dense = self.system.header, self.t, self.system.arrays.margin, None
        least = float(margin.least_singularity)
        with np.errstate(all="ignore"):
            try:
                message = self.solver.step()
            except (ValueError, np.linalg.LinAlgError):  # its Jacobian is not finite: a singular position
                self._put(start, self.solver.y)
                return int(Status.oracle), []
        margin.least_singularity = margin.greatest_singularity = least  # trial stages do not count
        if self.solver.status == "failed":
            self._put(start, self.solver.y)
            return int(Status.step_too_small if "step size" in str(message) else Status.oracle), []
        self.t = float(self.solver.t)
        self.steps += 1
        status = self._put(self.t, self.solver.y) or int(monitor_here(header, self.t))
        singular = status == Status.finished and self.is_singular is not None and self.is_singular(self, start, self.t)
        out = []
        while self.row < len(self.times) and self.times[self.row] < self.t and not status:
            t = float(self.times[self.row])
            status = self.put_within(t) or int(monitor_sample_here(header, t))
            out.append(present(self.system, t))
            self.row += 1
        if self._dense is not None and not status:  # back from within the step
            status = self._put(self.t, self.solver.y)
        wanted = self.row < len(self.times) and self.times[self.row] <= self.t
        self.row += wanted
        out.append(present(self.system, self.t, bool(wanted) or self.finished))
        self.base, self.before = start, [start, *(s.t for s in out)]
        return int(Status.singular) if singular and not status else status, out

    def within(self, k: int, back: bool = False) -> Repeat:
        """The part of the step between its samples k - 1 and k, again."""
        base = self.base

        def again(x: float) -> int:
            return self.put_within(base + x)

        return base, self.before[k] - base, self.before[k + 1] - base, again

    def undo(self) -> None:
        """Nothing was found within: on from where the step had ended."""
        self._put(self.t, self.solver.y)
