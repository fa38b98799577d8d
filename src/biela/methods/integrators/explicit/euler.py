"""Euler's method, explicit: y_{n+1} = y_n + h y'_n.   004 (19) with the old velocity in both lines"""

from __future__ import annotations

from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...status import OK
from ..settled import settled


@compiled(STEP)
def step(header, f, settle, t, h):
    """One step."""
    s = unpack(header)
    for i in range(len(s.y)):
        s.y[i] += h * s.ydot[i]
    status = settled(header, settle, t + h)
    return f(header, t + h) if status == OK else status
