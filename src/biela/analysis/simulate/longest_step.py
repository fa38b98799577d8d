"""How long a step may be so that no pulse of a force or a driver falls between two steps."""

from __future__ import annotations

import numpy as np

from ...kernels.calls_from_python import law_at
from ...system.system import System

GRID = 20_000
"""instants at which the laws of time are looked at; what is shorter than the duration over this is not seen"""
FEWEST = 50
"""steps in any run with a law of time"""


def longest_step(system: System, duration: float) -> float | None:
    """None without laws that are Python functions, which say nothing of themselves (formulas and tables are known: the
    time loop ends its steps where they switch); else their scale, or duration/50, or less where a law needs it.

    A step is short enough if straight lines between the ends of such steps follow every law within a tenth of its
    range: the error control sees to the rest, once it has something to see.
    """
    every = [law for law in system.equations.laws if law.function is not None]
    if not every:
        return None
    told = min((law.scale_of_t for law in every if law.scale_of_t is not None), default=duration / FEWEST)
    laws = [k for k, law in enumerate(system.equations.laws)
            if law.function is not None and law.scale_of_t is None and law.scale_of_x is None]  # fmt: skip
    if not laws:
        return min(told, duration)
    t = np.linspace(0.0, duration, GRID + 1)
    header = system.header  # (looked up once: it is one of this thread)
    values = np.array([[law_at(header, k, x, 0.0, 0.0) for x in t.tolist()] for k in laws])
    values = np.where(np.isfinite(values), values, 0.0)
    spread = np.ptp(values, axis=1)
    values = values[spread > 0] / spread[spread > 0][:, None]
    steps = FEWEST
    while len(values) and steps < GRID:
        knots = np.linspace(0, GRID, steps + 1).round().astype(int)
        off = max(np.abs(np.interp(t, t[knots], row[knots]) - row).max() for row in values)
        if off < 0.1:
            break
        steps *= 2
    return min(told, duration / min(steps, GRID))
