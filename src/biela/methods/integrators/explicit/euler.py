"""Euler's method, explicit: y_{n+1} = y_n + h y'_n.   004 (19) with the old velocity in both lines"""

from __future__ import annotations

from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ..settled import evaluated


@compiled(STEP)
def step(header, f, settle, t, h):
    """One step."""
    s = unpack(header)
    for i in range(len(s.y)):
        s.y[i] += h * s.ydot[i]
    return evaluated(header, f, settle, t + h)
