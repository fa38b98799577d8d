"""SciPy's DOP853, Radau, BDF and LSODA as references: the same accelerations, another program's time loop."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from ....system.system import System
from ...loops import loop_calls
from ...loops.monitors_from_python import crosses_here
from ...loops.stepper import first_sample, sample_tables
from ...settings import Settings
from ...status import Status
from .library_steps import LibrarySteps

CRAWLS, PATIENCE = 1e-9, 1000
"""of the run: a step that is shorter does not get on; how many of these are taken"""


def run_scipy(system: System, settings: Settings, f: Any, settle: Any, t_end: float, samples: int, alpha: float,
              progress: Any) -> Any:  # fmt: skip
    """Step SciPy's solver to the end; sample its dense output; monitor at its own steps."""
    from ...run import trajectory

    s, header = system.arrays, system.header

    def is_singular(steps: LibrarySteps, t0: float, t1: float) -> bool:
        """Nothing brings this integrator back to its branch, so no formulation passes a singular position with it.
        Its steps are long: the rank margin is looked at along them."""
        if settings.formulation.passes_singular:
            return bool(s.margin.greatest_singularity > np.log(1e3) + s.margin.least_singularity)
        part = (t1 - t0) / 6
        for k in range(1, 7):
            steps.put_within(t0 + k * part)
            if crosses_here(header, f, settle, t0 + k * part, part, part):
                return True
        return False

    tables = sample_tables(system, samples + 1)
    times = np.linspace(0.0, t_end, samples + 1)
    begun = perf_counter()
    status: int = loop_calls.begin(header, f, settle, 0.0, t_end)
    first_sample(system, tables)
    row, t, count, crawling = 1, 0.0, 0, 0
    steps = LibrarySteps(system, settings, 0.0, t_end, times, is_singular) if status == Status.finished else None
    try:
        while steps is not None and status == Status.finished and not steps.finished:
            status, found = steps.advance()
            crawling += count < steps.steps and steps.t - t < CRAWLS * t_end
            if crawling > PATIENCE:
                status = int(Status.step_too_small)
            t, count = steps.t, steps.steps
            for sample in found:
                if sample.wanted and row < len(times):
                    rows = times[row], sample.y, sample.ydot, sample.lam, sample.turns
                    for table, values in zip(tables, rows, strict=True):
                        table[row] = values
                    row += 1
            if progress:
                progress(t / t_end, count)
    except KeyboardInterrupt:
        status = Status.interrupted
        if steps is not None:
            steps.undo()  # not where a trial stage was
    return trajectory(system, tables, row, status, t, count, None, perf_counter() - begun, alpha)
