"""The classical Runge-Kutta method of order four."""

from __future__ import annotations

from ....kernels.products import add_scaled, copy
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...status import OK
from ..settled import evaluated
from ..step_vectors import step_vectors


@compiled()
def rk4(header, f, settle, t, h, y_0, total):
    """One step; y_0 and `total`, the sum of the slopes, are scratch (also used to start multistep methods)."""
    s = unpack(header)
    size = len(s.y)
    copy(s.y, y_0)
    copy(s.ydot, total)
    add_scaled(0.5 * h, s.ydot, s.y)
    for stage in range(3):
        status = f(header, t + (0.5 * h if stage < 2 else h))
        if status != OK:
            return status
        weight = 2.0 if stage < 2 else 1.0
        ahead = 0.5 * h if stage == 0 else h
        for i in range(size):
            total[i] += weight * s.ydot[i]
            s.y[i] = y_0[i] + ahead * s.ydot[i]
    for i in range(size):
        s.y[i] = y_0[i] + h / 6.0 * total[i]
    return evaluated(header, f, settle, t + h)


@compiled(STEP)
def step(header, f, settle, t, h):
    """One step."""
    w = step_vectors(header)
    return rk4(header, f, settle, t, h, w.ydot_0, w.own)
