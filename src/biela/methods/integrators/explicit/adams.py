"""Adams methods of order four: Adams-Bashforth, 000 (121), and with the Adams-Moulton corrector, 000 (122)."""

from __future__ import annotations

from math import sqrt

from ....kernels.products import copy
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...status import ITERATION, OK
from ..implicit.trapezoidal import tell_worst
from ..settled import settled, settled_from_near
from ..step_vectors import STATE_AT_START
from .rk2 import rk2
from .rk4 import rk4

ONE_BACK, TWO_BACK, THREE_BACK, NOW, Y_N, KNOWN, CORRECTED, SCRATCH = 0, 1, 2, 3, STATE_AT_START, 5, 6, 7
"""rows of s.k: y'_{n-1}, y'_{n-2}, y'_{n-3}, y'_n; y_n; what a corrector knows from the start; its last result"""


@compiled()
def _remember(header):
    """After a step: y'_n becomes y'_{n-1}, and so on."""
    s = unpack(header)
    copy(s.k[TWO_BACK], s.k[THREE_BACK])
    copy(s.k[ONE_BACK], s.k[TWO_BACK])
    copy(s.k[NOW], s.k[ONE_BACK])
    s.run.history += 1


@compiled()
def _keep(header):
    """y'_n, and y_n (also where the time loop keeps it)."""
    s = unpack(header)
    copy(s.ydot, s.k[NOW])
    copy(s.y, s.k[Y_N])


@compiled()
def _bashforth(header, h):
    """000 (121)."""
    s = unpack(header)
    now, one, two, three = s.k[NOW], s.k[ONE_BACK], s.k[TWO_BACK], s.k[THREE_BACK]
    for i in range(len(s.y)):
        s.y[i] += h / 24.0 * (55.0 * now[i] - 59.0 * one[i] + 37.0 * two[i] - 9.0 * three[i])


@compiled()
def begun(header, f, settle, t, h):
    """One of the first three steps: Runge-Kutta of order four, which keeps the order, or of order two (000 4.4.4)."""
    if unpack(header).opt.starter_order == 2:
        return rk2(header, f, settle, t, h, SCRATCH)
    return rk4(header, f, settle, t, h, SCRATCH)


@compiled(STEP)
def ab4(header, f, settle, t, h):
    """One explicit step; the first three by Runge-Kutta."""
    s = unpack(header)
    _keep(header)
    if s.run.history < 3:
        status = begun(header, f, settle, t, h)
    else:
        _bashforth(header, h)
        status = settled(header, settle, t + h)
        if status == OK:
            status = f(header, t + h)
    _remember(header)
    return status


@compiled(STEP)
def abm4(header, f, settle, t, h):
    """Predictor (121), then evaluation and corrector (122) until the positions stop changing."""
    s = unpack(header)
    size, n = len(s.y), s.nq
    _keep(header)
    if s.run.history < 3:
        status = begun(header, f, settle, t, h)
        _remember(header)
        return status
    _bashforth(header, h)
    y_n, now, one, two = s.k[Y_N], s.k[NOW], s.k[ONE_BACK], s.k[TWO_BACK]
    known, corrected = s.k[KNOWN], s.k[CORRECTED]
    for i in range(size):
        corrected[i] = s.y[i]
        known[i] = y_n[i] + h / 24.0 * (19.0 * now[i] - 5.0 * one[i] + two[i])
    for _ in range(s.opt.max_iterations):
        status = f(header, t + h)
        if status != OK:
            return status
        s.run.iterations += 1
        change, most = 0.0, 0.0
        for i in range(size):
            fresh = known[i] + 9.0 * h / 24.0 * s.ydot[i]
            if i < n:
                # against the last corrector: a formulation may have moved q onto the constraints since
                change += (fresh - corrected[i]) ** 2
                most = tell_worst(header, most, i, abs(fresh - corrected[i]))
            corrected[i] = fresh
            s.y[i] = fresh
        change = sqrt(change)
        if change < s.ctl.corrector_tolerance:
            _remember(header)
            return settled_from_near(header, settle, t + h)
        if change != change:
            break
    return ITERATION
