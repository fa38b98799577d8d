"""Explicit Runge-Kutta of order two, 000 (120)."""

from __future__ import annotations

from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...status import OK
from ..settled import evaluated


@compiled()
def rk2(header, f, settle, t, h, base):
    """y'_1 at the start, y'_2 at the end of an Euler step, and their mean; s.k from row `base` on is scratch (also
    used to start multistep methods)."""
    s = unpack(header)
    y_n, first = s.k[base], s.k[base + 1]
    for i in range(len(s.y)):
        y_n[i], first[i] = s.y[i], s.ydot[i]
        s.y[i] += h * s.ydot[i]
    status = f(header, t + h)
    if status != OK:
        return status
    for i in range(len(s.y)):
        s.y[i] = y_n[i] + 0.5 * h * (first[i] + s.ydot[i])
    return evaluated(header, f, settle, t + h)


@compiled(STEP)
def step(header, f, settle, t, h):
    """One step."""
    return rk2(header, f, settle, t, h, 0)
