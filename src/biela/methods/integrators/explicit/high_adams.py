"""Adams methods of high order: one or two evaluations per step, for smooth motions with small errors.

The weights are the integrals of the polynomial through the last derivatives (Hairer, Norsett & Wanner, III.1; [I.22]);
the first steps are those of a Runge-Kutta method: of order five for the one of order six, since the error of a few
steps is of one order more than that of many, and of order eight for the one of order eight.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...status import OK
from ..settled import evaluated, settled, settled_from_near
from .adams_singular import foresee, forget, is_lost
from .dopri5 import rk5
from .rk8 import rk8

# s.k: vectors 16 ... 23 = the last eight y', in a ring; 24 = y_n; 25 = y' foreseen; 26 = y before it is put on the
# constraints; scratch of the first steps from 24 on
RING, ROUND, Y_N, AHEAD, LOOSE = 16, 8, 24, 25, 26


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
def _note(header, size, now):
    """y'_n into the ring."""
    s = unpack(header)
    at = (RING + now % ROUND) * size
    for i in range(size):
        s.k[at + i] = s.ydot[i]


@compiled()
def _before(size, now, steps):
    """Where y' of so many steps ago is."""
    return (RING + (now - steps) % ROUND) * size


@compiled()
def _close(header, f, settle, t, before, near):
    """Onto the constraints and the evaluation there; where that is beside a singular position, neither."""
    s = unpack(header)
    size, loose = len(s.y), LOOSE * len(s.y)
    for i in range(size):
        s.k[loose + i] = s.y[i]
    status = settled_from_near(header, settle, t) if near else settled(header, settle, t)
    if status == OK:
        status = f(header, t)
    if status == OK and is_lost(header, AHEAD, before):
        for i in range(size):
            s.y[i] = s.k[loose + i]
    return status


@compiled(STEP)
def ab6(header, f, settle, t, h):
    """One explicit step with one evaluation; the first five by a Runge-Kutta method whose steps are as good."""
    s = unpack(header)
    size, now = len(s.y), s.run.history
    _note(header, size, now)
    s.run.history += 1
    if now < 5:
        forget(header)
        return rk5(header, f, settle, t, h, Y_N)
    k = s.k
    a, b, c = _before(size, now, 0), _before(size, now, 1), _before(size, now, 2)
    d, e, g = _before(size, now, 3), _before(size, now, 4), _before(size, now, 5)
    for i in range(size):
        w = _AB6[0] * k[a + i] + _AB6[1] * k[b + i] + _AB6[2] * k[c + i]
        s.y[i] += h * (w + (_AB6[3] * k[d + i] + _AB6[4] * k[e + i] + _AB6[5] * k[g + i]))
    if s.m == 0:
        return evaluated(header, f, settle, t + h)
    foresee(header, RING, now, 6, AHEAD)
    return _close(header, f, settle, t + h, s.margin.singularity, False)


@compiled()
def _add_four(y, k, w, first, h, a, b, c, d):
    """y + h times four derivatives with the weights from `first` on: few enough at once for vector instructions."""
    p, q, u, v = h * w[first], h * w[first + 1], h * w[first + 2], h * w[first + 3]
    for i in range(len(y)):
        y[i] += (p * k[a + i] + q * k[b + i]) + (u * k[c + i] + v * k[d + i])


@compiled(STEP)
def abm8(header, f, settle, t, h):
    """Predictor, evaluation, corrector, evaluation; the first seven steps by Runge-Kutta."""
    s = unpack(header)
    size, now = len(s.y), s.run.history
    _note(header, size, now)
    s.run.history += 1
    if now < 7:
        forget(header)
        return rk8(header, f, settle, t, h, Y_N)
    k, y, begun = s.k, s.y, Y_N * size
    for i in range(size):
        k[begun + i] = y[i]
    a, b, c = _before(size, now, 0), _before(size, now, 1), _before(size, now, 2)
    d, e, g = _before(size, now, 3), _before(size, now, 4), _before(size, now, 5)
    p, q = _before(size, now, 6), _before(size, now, 7)
    _add_four(y, k, _AB8, 0, h, a, b, c, d)
    _add_four(y, k, _AB8, 4, h, e, g, p, q)
    before, lost = s.margin.singularity, False
    status = f(header, t + h)
    if status != OK:
        return status
    if s.m > 0:
        foresee(header, RING, now, 8, AHEAD)
        lost = is_lost(header, AHEAD, before)
    here = h * _AM8[0]
    for i in range(size):
        y[i] = k[begun + i] + here * s.ydot[i]
    _add_four(y, k, _AM8, 1, h, a, b, c, d)
    x, z, u = h * _AM8[5], h * _AM8[6], h * _AM8[7]
    for i in range(size):
        y[i] += x * k[e + i] + z * k[g + i] + u * k[p + i]
    if lost:
        return OK
    if s.m == 0:
        return evaluated(header, f, settle, t + h)
    return _close(header, f, settle, t + h, before, True)
