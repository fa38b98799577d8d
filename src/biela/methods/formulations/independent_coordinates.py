"""Which coordinates `projection` took for independent ones, and when: read from where its steps keep it."""

from __future__ import annotations

import numpy as np

from ...system.system import System
from ..loops.step_memory import step_memory_length

Choice = tuple[float, tuple[int, ...]]
"""an instant, and the velocities of the coordinates that are independent from then on"""


def choices_of(system: System) -> tuple[Choice, ...]:
    """The choices of the run that has just been made, in their order; of steps that were taken back, none."""
    s, n = system.arrays, system.n
    most = int(s.opt.max_choices)
    if most == 0:
        return ()
    end = len(s.direct) - step_memory_length(len(s.y), len(s.lam), n)
    kept = s.direct[end - most * (n + 1) : end].reshape(most, n + 1)
    out: list[Choice] = []
    for row in kept[: min(most, int(s.run.rechoices) + 1)]:
        while out and out[-1][0] >= row[0]:
            out.pop()
        out.append((float(row[0]), tuple(int(j) for j in np.flatnonzero(row[1:]))))
    return tuple(out)
