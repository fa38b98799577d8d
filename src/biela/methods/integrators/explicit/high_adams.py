"""Adams methods of high order: one or two evaluations per step, for smooth motions with small errors.

The weights are the integrals of the polynomial through the last derivatives (Hairer, Norsett & Wanner, III.1; [I.22]);
the first steps are those of a Runge-Kutta method: of order five for the one of order six, since the error of a few
steps is of one order more than that of many, and of order eight for the one of order eight.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ....kernels.products import copy
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...status import OK
from ..settled import evaluated, settled, settled_from_near
from .adams_singular import begin_history, extrapolate, replaces_evaluation
from .dopri5 import rk5
from .rk8 import rk8

RING, ROUND, Y_N, EXTRAPOLATED, UNPROJECTED, SCRATCH = 16, 8, 24, 25, 26, 24
"""rows of s.k: the first of a ring of so many, which holds the last eight y'; y_n; y' extrapolated; y before it is put
on the constraints; scratch of the first steps"""


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


@compiled()
def _slope(header, now, steps):
    """y' of so many steps ago, in the ring."""
    return unpack(header).k[RING + (now - steps) % ROUND]


@compiled()
def _close(header, f, settle, t, before, near):
    """Onto the constraints and the evaluation there; where that is beside a singular position, neither."""
    s = unpack(header)
    copy(s.y, s.k[UNPROJECTED])
    status = settled_from_near(header, settle, t) if near else settled(header, settle, t)
    if status == OK:
        status = f(header, t)
    if status == OK and replaces_evaluation(header, s.k[EXTRAPOLATED], before):
        copy(s.k[UNPROJECTED], s.y)
    return status


@compiled(STEP)
def ab6(header, f, settle, t, h):
    """One explicit step with one evaluation; the first five by a Runge-Kutta method whose steps are as good."""
    s = unpack(header)
    now = s.run.history
    copy(s.ydot, _slope(header, now, 0))
    s.run.history += 1
    if now < 5:
        begin_history(header)
        return rk5(header, f, settle, t, h, SCRATCH)
    a, b, c = _slope(header, now, 0), _slope(header, now, 1), _slope(header, now, 2)
    d, e, g = _slope(header, now, 3), _slope(header, now, 4), _slope(header, now, 5)
    for i in range(len(s.y)):
        w = _AB6[0] * a[i] + _AB6[1] * b[i] + _AB6[2] * c[i]
        s.y[i] += h * (w + (_AB6[3] * d[i] + _AB6[4] * e[i] + _AB6[5] * g[i]))
    if s.m == 0:
        return evaluated(header, f, settle, t + h)
    extrapolate(s.k, RING, now, 6, s.k[EXTRAPOLATED])
    return _close(header, f, settle, t + h, s.margin.singularity, False)


@compiled()
def _add_four(y, w, first, h, a, b, c, d):
    """y + h times four derivatives with the weights from `first` on: few enough at once for vector instructions."""
    p, q, u, v = h * w[first], h * w[first + 1], h * w[first + 2], h * w[first + 3]
    for i in range(len(y)):
        y[i] += (p * a[i] + q * b[i]) + (u * c[i] + v * d[i])


@compiled(STEP)
def abm8(header, f, settle, t, h):
    """Predictor, evaluation, corrector, evaluation; the first seven steps by Runge-Kutta."""
    s = unpack(header)
    now = s.run.history
    copy(s.ydot, _slope(header, now, 0))
    s.run.history += 1
    if now < 7:
        begin_history(header)
        return rk8(header, f, settle, t, h, SCRATCH)
    y, y_n = s.y, s.k[Y_N]
    copy(y, y_n)
    a, b, c = _slope(header, now, 0), _slope(header, now, 1), _slope(header, now, 2)
    d, e, g = _slope(header, now, 3), _slope(header, now, 4), _slope(header, now, 5)
    p, q = _slope(header, now, 6), _slope(header, now, 7)
    _add_four(y, _AB8, 0, h, a, b, c, d)
    _add_four(y, _AB8, 4, h, e, g, p, q)
    before, replaced = s.margin.singularity, False
    status = f(header, t + h)
    if status != OK:
        return status
    if s.m > 0:
        extrapolate(s.k, RING, now, 8, s.k[EXTRAPOLATED])
        replaced = replaces_evaluation(header, s.k[EXTRAPOLATED], before)
    here = h * _AM8[0]
    for i in range(len(y)):
        y[i] = y_n[i] + here * s.ydot[i]
    _add_four(y, _AM8, 1, h, a, b, c, d)
    x, z, u = h * _AM8[5], h * _AM8[6], h * _AM8[7]
    for i in range(len(y)):
        y[i] += x * e[i] + z * g[i] + u * p[i]
    if replaced:
        return OK
    if s.m == 0:
        return evaluated(header, f, settle, t + h)
    return _close(header, f, settle, t + h, before, True)
