"""Fixed-point iteration of a corrector, 000 4.4: accelerations, then positions and velocities with them, until the
positions stop changing, 000 (123)."""

from __future__ import annotations

from math import sqrt
from typing import Any

from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ...status import ITERATION, OK


@compiled()
def note_worst(header, most, at, off):
    """Note which coordinate the corrector still moves most; returns how far."""
    s = unpack(header)
    if not off <= most:
        s.mon.worst_equation, s.mon.worst_residual = at, off
        return off
    return most


def fixed_point(correct: Any) -> Any:
    """status = iterate(header, f, t, h), made of a corrector, correct(header, h): the new state with the accelerations
    evaluated last; it returns the sum of squares of the changes of positions.

    Changes are those against the last corrected position, not against q: a formulation may have moved q onto the
    constraints. The accelerations of the last iteration are those of the new state; nothing is evaluated twice.
    """

    @compiled()
    def iterate(header, f, t, h):
        s = unpack(header)
        for _ in range(s.opt.max_iterations):
            status = f(header, t + h)
            if status != OK:
                return status
            s.run.iterations += 1
            change = sqrt(correct(header, h))
            if change < s.ctl.corrector_tolerance:
                return OK
            if change != change:
                break
        return ITERATION

    return iterate
