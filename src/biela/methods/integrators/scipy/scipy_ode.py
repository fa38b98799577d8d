"""SciPy's DOP853, Radau, BDF and LSODA as references: the same accelerations, another program's time loop."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from ....system.system import System
from ...loops import loop_calls
from ...loops.monitors_from_python import crosses_here, monitor_here, monitor_sample_here, turns_here
from ...settings import Settings
from ...status import Status
from .library_solver import LibrarySolver


class _Stop(Exception):
    def __init__(self, status: int):
        self.status = status


def run_scipy(system: System, settings: Settings, f: Any, settle: Any, t_end: float, samples: int, alpha: float,
              progress: Any) -> Any:  # fmt: skip
    """Step SciPy's solver to the end; sample its dense output; monitor at its own steps."""
    from ...run import _tables, first_sample, trajectory

    s, header = system.arrays, system.header

    trying = False

    def rhs(t: float, y: np.ndarray) -> np.ndarray:
        s.y[:] = y
        status = f(header, t)
        if status != Status.finished:
            if trying:  # a stage far off: the solver rejects what is not a number, and takes a smaller step
                return np.full(len(s.y), np.nan)
            raise _Stop(status)
        return s.ydot.copy()

    def singular_within(solver: Any, t0: float, t1: float) -> bool:
        """Nothing brings this integrator back to its branch, so no formulation passes a singular position with it.
        Its steps are long: the rank margin is looked at along them."""
        if settings.formulation.passes_singular:
            return bool(s.margin.greatest_singularity > np.log(1e3) + s.margin.least_singularity)
        dense, part = solver.dense_output(), (t1 - t0) / 6
        for k in range(1, 7):
            rhs(t0 + k * part, dense(t0 + k * part))
            if crosses_here(header, f, settle, t0 + k * part, part, part):
                return True
        return False

    tables = _tables(system, samples + 1)
    times = np.linspace(0.0, t_end, samples + 1)
    begun = perf_counter()
    status: int = loop_calls.begin(header, f, settle, 0.0, t_end)
    first_sample(system, tables)
    row, steps, t, crawling = 1, 0, 0.0, 0
    accepted = s.y.copy(), s.ydot.copy()
    try:
        if status == Status.finished:
            trying = True
            solver = LibrarySolver(system, settings, rhs, 0.0, s.y.copy(), t_end)
        while status == Status.finished and solver.status == "running":
            least, trying = float(s.margin.least_singularity), True
            with np.errstate(all="ignore"):
                try:
                    message = solver.step()
                except (ValueError, np.linalg.LinAlgError):  # its Jacobian is not finite: a singular position
                    status = Status.oracle
                    break
            trying = False
            s.margin.least_singularity = s.margin.greatest_singularity = least  # trial stages do not count
            if solver.status == "failed":
                status = Status.oracle if "step size" not in str(message) else Status.step_too_small
                break
            steps, h, t = steps + 1, float(solver.t) - t, float(solver.t)
            rhs(t, solver.y)
            accepted = s.y.copy(), s.ydot.copy()
            status = monitor_here(header, t)
            if status == Status.finished and singular_within(solver, t - h, t):
                status = int(Status.singular)
            if h < 1e-9 * t_end:
                crawling += 1
                if crawling > 1000:
                    status = Status.step_too_small
            dense = solver.dense_output() if row < len(times) and times[row] <= t else None
            while row < len(times) and times[row] <= t:
                tables[0][row] = times[row]
                tables[2][row] = rhs(times[row], dense(times[row]))  # type: ignore[misc]
                tables[1][row] = s.y
                status = monitor_sample_here(header, times[row]) if status == Status.finished else status
                tables[3][row] = s.lam[: system.m]
                turns_here(header, tables[4][row])
                row += 1
            if progress:
                progress(t / t_end, steps)
    except _Stop as stop:
        status = stop.status
    except KeyboardInterrupt:
        status = Status.interrupted
    if status != Status.finished:  # not where a trial stage was
        s.y[:], s.ydot[:] = accepted
    return trajectory(system, tables, row, status, t, steps, None, perf_counter() - begun, alpha)
