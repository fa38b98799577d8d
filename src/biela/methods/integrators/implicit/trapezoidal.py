"""The trapezoidal rule with fixed-point iteration, 000 4.3.1 and 4.4.1."""

from __future__ import annotations

from math import sqrt

from ....kernels.state import rates
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...formulations.parameters import ITERATIONS, MAX_ITERATIONS, OFF_BY, WORST
from ...status import ITERATION, OK
from ..settled import settled


@compiled()
def tell_worst(header, moved, at, off):
    """Note which coordinate the corrector still moves most; returns how far."""
    s = unpack(header)
    if not off <= moved:
        s.mon[WORST], s.mon[OFF_BY] = at, off
        return off
    return moved


@compiled()
def _step_with_quaternions(header, f, settle, t, h):
    """The same rule where q' = H(q) v: y = y_n + h/2 (y'_n + y'), the rates of q always from the latest q and v."""
    s = unpack(header)
    size, nq, k, y = len(s.y), s.nq, s.k, s.y
    for i in range(size):
        k[i] = y[i] + 0.5 * h * s.ydot[i]
        y[i] += h * s.ydot[i]
        k[size + i] = y[i]
    tolerance = s.ctl[0]
    for _ in range(s.opt[MAX_ITERATIONS]):
        status = f(header, t + h)
        if status != OK:
            return status
        s.opt[ITERATIONS] += 1
        for i in range(nq, size):
            y[i] = k[i] + 0.5 * h * s.ydot[i]
        rates(header)
        change, most = 0.0, 0.0
        for i in range(nq):
            fresh = k[i] + 0.5 * h * s.ydot[i]
            change += (fresh - k[size + i]) ** 2
            most = tell_worst(header, most, i, abs(fresh - k[size + i]))
            k[size + i] = fresh
            y[i] = fresh
        change = sqrt(change)
        if change < tolerance:
            return settled(header, settle, t + h)
        if change != change:
            break
    return ITERATION


@compiled(STEP)
def step(header, f, settle, t, h):
    """Predictor (119); then accelerations and corrector (118) until the positions stop changing, (123).

    The accelerations of the last iteration are those of the new state; nothing is evaluated twice.
    """
    s = unpack(header)
    if len(s.quat_q) > 0:
        return _step_with_quaternions(header, f, settle, t, h)
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
        change, most = 0.0, 0.0
        for i in range(n):
            fresh = k[i] + 0.25 * h * h * a[i]  # 000 (118)
            # against the last corrector, not against q: a formulation may have moved q onto the constraints
            change += (fresh - k[2 * n + i]) ** 2
            most = tell_worst(header, most, i, abs(fresh - k[2 * n + i]))
            k[2 * n + i] = fresh
            q[i] = fresh
            v[i] = k[n + i] + 0.5 * h * a[i]
        change = sqrt(change)
        if change < tolerance:
            s.y[2 * n] = work + 0.5 * h * (power + s.power[0])
            return settled(header, settle, t + h)
        if change != change:
            break
    return ITERATION
