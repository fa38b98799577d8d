"""The Euler method of 001 and 004: new velocity first, then the position with the new velocity, 004 (19), (20)."""

from __future__ import annotations

from ....kernels.state import displace
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ..settled import evaluated


@compiled(STEP)
def step(header, f, settle, t, h):
    """One step: v_{n+1} = v_n + h a_n, q_{n+1} = q_n + h v_{n+1}."""
    s = unpack(header)
    n = s.n
    for i in range(n):
        s.v[i] += h * s.a[i]
        s.w[i] = h * s.v[i]
    displace(header, s.w)
    s.y[len(s.y) - 1] += h * s.power[0]
    return evaluated(header, f, settle, t + h)
