"""Adams methods of high order: one or two evaluations per step, for smooth motions with small errors.

The weights are the integrals of the polynomial through the last derivatives (Hairer, Norsett & Wanner, III.1; [I.22]);
the first steps are those of a Runge-Kutta method: of order five for the one of order six, since the error of a few
steps is of one order more than that of many, and of order eight for the one of order eight.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ....kernels.products import copy
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...status import OK
from ..settled import evaluated, settled, settled_from_near
from ..step_vectors import cut_vectors
from .adams_singular import extrapolate, forget, is_lost
from .dopri5 import rk5
from .rk8 import STAGES, rk8

ROUND = 8
"""derivatives that are kept"""


def weights(nodes: list[int]) -> np.ndarray:
    """Integrals from 0 to 1 of the polynomials that are one at one node and zero at the others.

    >>> (24 * weights([0, -1, -2, -3])).round(12).tolist()
    [55.0, -59.0, 37.0, -9.0]
    """
    out = []
    for here in nodes:
        polynomial, scale = [Fraction(1)], 1
        for other in nodes:
            if other != here:  # times (x - other)
                higher, lower = [Fraction(0), *polynomial], [other * c for c in polynomial] + [Fraction(0)]
                polynomial = [a - b for a, b in zip(higher, lower, strict=True)]
                scale *= here - other
        out.append(float(sum(c / (k + 1) for k, c in enumerate(polynomial)) / scale))
    return np.array(out)


_AB6 = weights([0, -1, -2, -3, -4, -5])
_AB8 = weights([0, -1, -2, -3, -4, -5, -6, -7])
_AM8 = weights([1, 0, -1, -2, -3, -4, -5, -6])


class Vectors(NamedTuple):
    """Vectors of `k`, and their lengths."""

    loop: Any  # those of the time loop
    ring: Any  # the last eight y'
    ydot_ahead: Any  # y' extrapolated
    y_off: Any  # y before it is put on the constraints
    y_0: Any  # y_n, and what the first steps need
    slopes: Any
    y_last: Any


@compiled()
def vectors(header):
    """The vectors."""
    size = len(unpack(header).y)
    return cut_vectors(header, Vectors(16 * size, ROUND * size, size, size, size, STAGES * size, size))


@compiled()
def remember(header):
    """y'_n into the ring; returns how many there were before."""
    s = unpack(header)
    size, now = len(s.y), s.run.history
    copy(s.ydot, vectors(header).ring[now % ROUND * size :])
    s.run.history += 1
    return now


@compiled()
def past(header, now, steps):
    """y' of so many steps ago."""
    size = len(unpack(header).y)
    at = (now - steps) % ROUND * size
    return vectors(header).ring[at : at + size]


@compiled()
def close(header, f, settle, t, before, near):
    """Onto the constraints and the evaluation there; where that is beside a singular position, neither."""
    s, w = unpack(header), vectors(header)
    copy(s.y, w.y_off)
    status = settled_from_near(header, settle, t) if near else settled(header, settle, t)
    if status == OK:
        status = f(header, t)
    if status == OK and is_lost(header, w.ydot_ahead, before):
        copy(w.y_off, s.y)
    return status


@compiled(STEP)
def ab6(header, f, settle, t, h):
    """One explicit step with one evaluation; the first five by a Runge-Kutta method whose steps are as good."""
    s, w, now = unpack(header), vectors(header), remember(header)
    if now < 5:
        forget(header)
        return rk5(header, f, settle, t, h, w.y_0, w.slopes)
    a, b, c = past(header, now, 0), past(header, now, 1), past(header, now, 2)
    d, e, g = past(header, now, 3), past(header, now, 4), past(header, now, 5)
    for i in range(len(s.y)):
        sum_of_three = _AB6[0] * a[i] + _AB6[1] * b[i] + _AB6[2] * c[i]
        s.y[i] += h * (sum_of_three + (_AB6[3] * d[i] + _AB6[4] * e[i] + _AB6[5] * g[i]))
    if s.m == 0:
        return evaluated(header, f, settle, t + h)
    extrapolate(header, w.ring, now, 6, w.ydot_ahead)
    return close(header, f, settle, t + h, s.margin.singularity, False)


@compiled()
def add_four(y, weights, first, h, a, b, c, d):
    """y + h times four derivatives with the weights from `first` on: few enough at once for vector instructions."""
    p, q, u, v = h * weights[first], h * weights[first + 1], h * weights[first + 2], h * weights[first + 3]
    for i in range(len(y)):
        y[i] += (p * a[i] + q * b[i]) + (u * c[i] + v * d[i])


@compiled(STEP)
def abm8(header, f, settle, t, h):
    """Predictor, evaluation, corrector, evaluation; the first seven steps by Runge-Kutta."""
    s, w, now = unpack(header), vectors(header), remember(header)
    if now < 7:
        forget(header)
        return rk8(header, f, settle, t, h, w.y_0, w.slopes, w.y_last)
    y = s.y
    copy(y, w.y_0)
    a, b, c, d = past(header, now, 0), past(header, now, 1), past(header, now, 2), past(header, now, 3)
    e, g, p, q = past(header, now, 4), past(header, now, 5), past(header, now, 6), past(header, now, 7)
    add_four(y, _AB8, 0, h, a, b, c, d)
    add_four(y, _AB8, 4, h, e, g, p, q)
    before, lost = s.margin.singularity, False
    status = f(header, t + h)
    if status != OK:
        return status
    if s.m > 0:
        extrapolate(header, w.ring, now, 8, w.ydot_ahead)
        lost = is_lost(header, w.ydot_ahead, before)
    here = h * _AM8[0]
    for i in range(len(y)):
        y[i] = w.y_0[i] + here * s.ydot[i]
    add_four(y, _AM8, 1, h, a, b, c, d)
    x, z, u = h * _AM8[5], h * _AM8[6], h * _AM8[7]
    for i in range(len(y)):
        y[i] += x * e[i] + z * g[i] + u * p[i]
    if lost:
        return OK
    if s.m == 0:
        return evaluated(header, f, settle, t + h)
    return close(header, f, settle, t + h, before, True)
