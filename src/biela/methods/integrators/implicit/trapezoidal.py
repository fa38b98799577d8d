"""The trapezoidal rule with fixed-point iteration, 000 4.3.1 and 4.4.1."""

from __future__ import annotations

from math import sqrt

from ....kernels.state import rates
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...status import ITERATION, OK
from ..settled import settled


@compiled()
def tell_worst(header, moved, at, off):
    """Note which coordinate the corrector still moves most; returns how far."""
    s = unpack(header)
    if not off <= moved:
        s.mon.worst_equation, s.mon.worst_residual = at, off
        return off
    return moved


@compiled()
def _step_with_quaternions(header, f, settle, t, h):
    """The same rule where q' = H(q) v: y = y_n + h/2 (y'_n + y'), the rates of q always from the latest q and v."""
    s = unpack(header)
    size, nq, k, y = len(s.y), s.nq, s.k, s.y
    for i in range(size):
        k[0, i] = y[i] + 0.5 * h * s.ydot[i]
        y[i] += h * s.ydot[i]
        k[1, i] = y[i]
    tolerance = s.ctl.corrector_tolerance
    for _ in range(s.opt.max_iterations):
        status = f(header, t + h)
        if status != OK:
            return status
        s.run.iterations += 1
        for i in range(nq, size):
            y[i] = k[0, i] + 0.5 * h * s.ydot[i]
        rates(header)
        change, most = 0.0, 0.0
        for i in range(nq):
            fresh = k[0, i] + 0.5 * h * s.ydot[i]
            change += (fresh - k[1, i]) ** 2
            most = tell_worst(header, most, i, abs(fresh - k[1, i]))
            k[1, i] = fresh
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
        k[0, i] = q[i] + h * v[i] + 0.25 * h * h * a[i]  # what (118) keeps from step n
        k[1, i] = v[i] + 0.5 * h * a[i]
        k[2, i] = k[0, i] + 0.25 * h * h * a[i]  # 000 (119)
        q[i] = k[2, i]
        v[i] = k[1, i] + 0.5 * h * a[i]
    tolerance = s.ctl.corrector_tolerance
    for _ in range(s.opt.max_iterations):
        status = f(header, t + h)
        if status != OK:
            return status
        s.run.iterations += 1
        change, most = 0.0, 0.0
        for i in range(n):
            fresh = k[0, i] + 0.25 * h * h * a[i]  # 000 (118)
            # against the last corrector, not against q: a formulation may have moved q onto the constraints
            change += (fresh - k[2, i]) ** 2
            most = tell_worst(header, most, i, abs(fresh - k[2, i]))
            k[2, i] = fresh
            q[i] = fresh
            v[i] = k[1, i] + 0.5 * h * a[i]
        change = sqrt(change)
        if change < tolerance:
            s.y[2 * n] = work + 0.5 * h * (power + s.power[0])
            return settled(header, settle, t + h)
        if change != change:
            break
    return ITERATION
