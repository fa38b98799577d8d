"""Explicit Runge-Kutta of order two, 000 (120)."""

from __future__ import annotations

from ...system.arena import unpack
from ...system.compiled import STEP, compiled
from ..status import OK
from .settled import settled


@compiled(STEP)
def step(header, f, settle, t, h):
    """y'_1 at the start, y'_2 at the end of an Euler step, and their mean."""
    s = unpack(header)
    size = len(s.y)
    for i in range(size):
        s.k[i] = s.y[i]
        s.k[size + i] = s.ydot[i]
        s.y[i] += h * s.ydot[i]
    status = f(header, t + h)
    if status != OK:
        return status
    for i in range(size):
        s.y[i] = s.k[i] + 0.5 * h * (s.k[size + i] + s.ydot[i])
    status = settled(header, settle, t + h)
    return f(header, t + h) if status == OK else status
