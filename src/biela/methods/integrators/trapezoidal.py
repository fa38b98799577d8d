"""The trapezoidal rule with fixed-point iteration, 000 4.3.1 and 4.4.1."""

from __future__ import annotations

from math import sqrt

from ...system.arena import unpack
from ...system.compiled import STEP, compiled
from ..formulations.parameters import ITERATIONS, MAX_ITERATIONS
from ..status import ITERATION, NOT_FINITE, OK
from .settled import settled


@compiled(STEP)
def step(header, f, settle, t, h):
    """Predictor (119); then accelerations and corrector (118) until the positions stop changing, (123).

    The accelerations of the last iteration are those of the new state; nothing is evaluated twice.
    """
    s = unpack(header)
    n, q, v, a, k = s.n, s.q, s.v, s.a, s.k
    power = s.power[0]
    work = s.y[2 * n]
    for i in range(n):
        k[i] = q[i] + h * v[i] + 0.25 * h * h * a[i]  # what (118) keeps from step n
        k[n + i] = v[i] + 0.5 * h * a[i]
        k[2 * n + i] = k[i] + 0.25 * h * h * a[i]  # 000 (119)
        q[i] = k[2 * n + i]
        v[i] = k[n + i] + 0.5 * h * a[i]
    tolerance = s.ctl[0]
    for _ in range(s.opt[MAX_ITERATIONS]):
        status = f(header, t + h)
        if status != OK:
            return status
        s.opt[ITERATIONS] += 1
        change = 0.0
        for i in range(n):
            fresh = k[i] + 0.25 * h * h * a[i]  # 000 (118)
            # against the last corrector, not against q: a formulation may have moved q onto the constraints
            change += (fresh - k[2 * n + i]) ** 2
            k[2 * n + i] = fresh
            q[i] = fresh
            v[i] = k[n + i] + 0.5 * h * a[i]
        change = sqrt(change)
        if change < tolerance:
            s.y[2 * n] = work + 0.5 * h * (power + s.power[0])
            return settled(header, settle, t + h)
        if change != change:
            return NOT_FINITE
    return ITERATION
