"""The classical Runge-Kutta method of order four."""

from __future__ import annotations

from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...status import OK
from ..settled import evaluated


@compiled()
def rk4(header, f, settle, t, h, base):
    """One step; s.k from row `base` on is scratch (also used to start multistep methods)."""
    s = unpack(header)
    size, y_n, total = len(s.y), s.k[base], s.k[base + 1]
    for i in range(size):
        y_n[i], total[i] = s.y[i], s.ydot[i]
        s.y[i] += 0.5 * h * s.ydot[i]
    for stage in range(3):
        status = f(header, t + (0.5 * h if stage < 2 else h))
        if status != OK:
            return status
        weight = 2.0 if stage < 2 else 1.0
        ahead = 0.5 * h if stage == 0 else h
        for i in range(size):
            total[i] += weight * s.ydot[i]
            s.y[i] = y_n[i] + ahead * s.ydot[i]
    for i in range(size):
        s.y[i] = y_n[i] + h / 6.0 * total[i]
    return evaluated(header, f, settle, t + h)


@compiled(STEP)
def step(header, f, settle, t, h):
    """One step."""
    return rk4(header, f, settle, t, h, 0)
