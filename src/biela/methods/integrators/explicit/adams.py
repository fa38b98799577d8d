"""Adams methods of order four: Adams-Bashforth, 000 (121), and with the Adams-Moulton corrector, 000 (122)."""

from __future__ import annotations

from math import sqrt

from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...status import ITERATION, OK
from ..implicit.trapezoidal import tell_worst
from ..settled import settled, settled_from_near
from .rk2 import rk2
from .rk4 import rk4

# s.k: vectors 0, 1, 2 = y'_{n-1}, y'_{n-2}, y'_{n-3}; 3 = y'_n; 4 = y_n; 5 and on = scratch


@compiled()
def _remember(header, size):
    """After a step: y'_n becomes y'_{n-1}, and so on."""
    s = unpack(header)
    for i in range(size):
        s.k[2 * size + i] = s.k[size + i]
        s.k[size + i] = s.k[i]
        s.k[i] = s.k[3 * size + i]
    s.run.history += 1


@compiled()
def _keep(header, size):
    """y'_n, and y_n (also where the time loop keeps it)."""
    s = unpack(header)
    for i in range(size):
        s.k[3 * size + i] = s.ydot[i]
        s.k[4 * size + i] = s.y[i]


@compiled()
def _bashforth(header, size, h):
    """000 (121)."""
    s = unpack(header)
    k = s.k
    for i in range(size):
        s.y[i] += h / 24.0 * (55.0 * k[3 * size + i] - 59.0 * k[i] + 37.0 * k[size + i] - 9.0 * k[2 * size + i])


@compiled()
def begun(header, f, settle, t, h):
    """One of the first three steps: Runge-Kutta of order four, which keeps the order, or of order two (000 4.4.4)."""
    if unpack(header).opt.starter_order == 2:
        return rk2(header, f, settle, t, h, 7)
    return rk4(header, f, settle, t, h, 7)


@compiled(STEP)
def ab4(header, f, settle, t, h):
    """One explicit step; the first three by Runge-Kutta."""
    s = unpack(header)
    size = len(s.y)
    _keep(header, size)
    if s.run.history < 3:
        status = begun(header, f, settle, t, h)
    else:
        _bashforth(header, size, h)
        status = settled(header, settle, t + h)
        if status == OK:
            status = f(header, t + h)
    _remember(header, size)
    return status


@compiled(STEP)
def abm4(header, f, settle, t, h):
    """Predictor (121), then evaluation and corrector (122) until the positions stop changing."""
    s = unpack(header)
    size, n = len(s.y), s.nq
    _keep(header, size)
    if s.run.history < 3:
        status = begun(header, f, settle, t, h)
        _remember(header, size)
        return status
    _bashforth(header, size, h)
    k = s.k
    for i in range(size):
        k[6 * size + i] = s.y[i]
        k[5 * size + i] = k[4 * size + i] + h / 24.0 * (19.0 * k[3 * size + i] - 5.0 * k[i] + k[size + i])
    for _ in range(s.opt.max_iterations):
        status = f(header, t + h)
        if status != OK:
            return status
        s.run.iterations += 1
        change, most = 0.0, 0.0
        for i in range(size):
            fresh = k[5 * size + i] + 9.0 * h / 24.0 * s.ydot[i]
            if i < n:
                # against the last corrector: a formulation may have moved q onto the constraints since
                change += (fresh - k[6 * size + i]) ** 2
                most = tell_worst(header, most, i, abs(fresh - k[6 * size + i]))
            k[6 * size + i] = fresh
            s.y[i] = fresh
        change = sqrt(change)
        if change < s.ctl.corrector_tolerance:
            _remember(header, size)
            return settled_from_near(header, settle, t + h)
        if change != change:
            break
    return ITERATION
