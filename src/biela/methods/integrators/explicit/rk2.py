"""Explicit Runge-Kutta of order two, 000 (120)."""

from __future__ import annotations

from ....kernels.products import add_scaled, copy
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...status import OK
from ..settled import evaluated
from ..step_vectors import step_vectors


@compiled()
def rk2(header, f, settle, t, h, y_0, slope):
    """y'_1 at the start, y'_2 at the end of an Euler step, and their mean; y_0 and `slope` are scratch (also used to
    start multistep methods)."""
    s = unpack(header)
    copy(s.y, y_0)
    copy(s.ydot, slope)
    add_scaled(h, s.ydot, s.y)
    status = f(header, t + h)
    if status != OK:
        return status
    for i in range(len(s.y)):
        s.y[i] = y_0[i] + 0.5 * h * (slope[i] + s.ydot[i])
    return evaluated(header, f, settle, t + h)


@compiled(STEP)
def step(header, f, settle, t, h):
    """One step."""
    w = step_vectors(header)
    return rk2(header, f, settle, t, h, w.ydot_0, w.own)
