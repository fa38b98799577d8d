"""Adams methods of order four: Adams-Bashforth, 000 (121), and with the Adams-Moulton corrector, 000 (122)."""

from __future__ import annotations

from typing import Any, NamedTuple

from ....kernels.products import copy
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...status import OK
from ..implicit.fixed_point import fixed_point, note_worst
from ..settled import evaluated, settled_from_near
from ..step_vectors import cut_vectors
from .rk2 import rk2
from .rk4 import rk4


class Vectors(NamedTuple):
    """Vectors of `k`, and their lengths."""

    ydot_1: Any  # y' of one, two and three steps ago, and of the start of this one
    ydot_2: Any
    ydot_3: Any
    ydot_0: Any
    y_0: Any  # the start (the time loop keeps it here, too)
    base: Any  # what the corrector keeps from the start
    last: Any  # the last corrector
    scratch: Any  # of the first steps
    slope: Any


@compiled()
def vectors(header):
    """The vectors."""
    size = len(unpack(header).y)
    return cut_vectors(header, Vectors(size, size, size, size, size, size, size, size, size))


@compiled()
def keep(header):
    """y'_n and y_n."""
    s, w = unpack(header), vectors(header)
    copy(s.ydot, w.ydot_0)
    copy(s.y, w.y_0)


@compiled()
def remember(header):
    """After a step: y'_n becomes y'_{n-1}, and so on."""
    w = vectors(header)
    copy(w.ydot_2, w.ydot_3)
    copy(w.ydot_1, w.ydot_2)
    copy(w.ydot_0, w.ydot_1)
    unpack(header).run.history += 1


@compiled()
def predict(header, h):
    """000 (121)."""
    s, w = unpack(header), vectors(header)
    for i in range(len(s.y)):
        s.y[i] += h / 24.0 * (55.0 * w.ydot_0[i] - 59.0 * w.ydot_1[i] + 37.0 * w.ydot_2[i] - 9.0 * w.ydot_3[i])


@compiled()
def correct(header, h):
    """000 (122)."""
    s, w = unpack(header), vectors(header)
    change, most = 0.0, 0.0
    for i in range(len(s.y)):
        fresh = w.base[i] + 9.0 * h / 24.0 * s.ydot[i]
        if i < s.nq:
            change += (fresh - w.last[i]) ** 2
            most = note_worst(header, most, i, abs(fresh - w.last[i]))
        w.last[i] = s.y[i] = fresh
    return change


iterate = fixed_point(correct)


@compiled()
def first_step(header, f, settle, t, h):
    """One of the first three steps: Runge-Kutta of order four, which keeps the order, or of order two (000 4.4.4)."""
    w = vectors(header)
    if unpack(header).opt.starter_order == 2:
        return rk2(header, f, settle, t, h, w.scratch, w.slope)
    return rk4(header, f, settle, t, h, w.scratch, w.slope)


@compiled(STEP)
def ab4(header, f, settle, t, h):
    """One explicit step; the first three by Runge-Kutta."""
    keep(header)
    if unpack(header).run.history < 3:
        status = first_step(header, f, settle, t, h)
    else:
        predict(header, h)
        status = evaluated(header, f, settle, t + h)
    remember(header)
    return status


@compiled(STEP)
def abm4(header, f, settle, t, h):
    """Predictor (121), then evaluation and corrector (122) until the positions stop changing."""
    s, w = unpack(header), vectors(header)
    keep(header)
    if s.run.history < 3:
        status = first_step(header, f, settle, t, h)
        remember(header)
        return status
    predict(header, h)
    for i in range(len(s.y)):
        w.last[i] = s.y[i]
        w.base[i] = w.y_0[i] + h / 24.0 * (19.0 * w.ydot_0[i] - 5.0 * w.ydot_1[i] + w.ydot_2[i])
    status = iterate(header, f, t, h)
    if status != OK:
        return status
    remember(header)
    return settled_from_near(header, settle, t + h)
