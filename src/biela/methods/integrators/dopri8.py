"""Dormand and Prince's Runge-Kutta method of order eight, with error control and states within its steps.

The error is that of Hairer, Norsett & Wanner, II.5: an estimate of order five, tempered by one of order three. Three
more stages give a polynomial of order seven over the step (II.6), for samples, which lie closer.   [I.23]
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from scipy.integrate import DOP853

from ...system.arena import unpack
from ...system.compiled import STEP, compiled
from ...system.state import normalise
from ..formulations.parameters import ABSOLUTE, DENSE, ENERGY_SEEN, ERROR, LEAST, ORDER, RANK, RELATIVE
from ..formulations.shared import is_weak
from ..status import NOT_FINITE, OK
from .dopri5 import step as dopri5
from .rk8 import STAGES, rk8

_E3, _E5, _D = (np.array(x, dtype=float) for x in (DOP853.E3, DOP853.E5, DOP853.D))
_A, _C = np.array(DOP853.A_EXTRA, dtype=float), np.array(DOP853.C_EXTRA, dtype=float)

# s.k: vector 8 = y_n and 0 = y'_n, as the time loop has them, 9 = y_{n+1}; 11 = scratch of `rk8`, which has its stages
# from 12 on: 12 ... 23, then 24 = y'_{n+1}; 25, 26, 27 = the stages for samples; 28 ... 31 = the polynomial's
DOUBTFUL = 300.0
"""error of a step that is to be taken again, shorter"""
BASE, FIRST, NEW, MORE, POLYNOMIAL = 11, 12, 24, 25, 28


@compiled(STEP)
def step(header, f, settle, t, h):
    """One trial step, with its error in units of the tolerance.

    Off the constraints, where stages are, accelerations near a singular position, or with redundant rows, are not what
    they are on them. There the method of order five goes on, whose stages are nearer.
    """
    s = unpack(header)
    if s.m > 0 and (s.opt[RANK] < len(s.active) or s.margin[LEAST] == 0.0 or is_weak(header)):
        s.opt[DENSE], s.ctl[ORDER] = 0, 5.0
        status = dopri5(header, f, settle, t, h)
        s.margin[LEAST] = 0.0 if status != OK or s.ctl[ERROR] > 1.0 or is_weak(header) else 1e300
        return status
    s.opt[DENSE], s.ctl[ORDER], s.margin[LEAST] = 1, 8.0, 1e300
    size, k = len(s.y), s.k
    for i in range(size):
        k[8 * size + i] = s.y[i]
        k[i] = s.ydot[i]
    status = rk8(header, f, settle, t, h, BASE)
    if status != OK:
        return status
    if s.margin[LEAST] == 0.0:
        s.ctl[ERROR] = DOUBTFUL  # there is a singular position near: with care
        return OK
    fifth, third = 0.0, 0.0
    for i in range(size):
        k[NEW * size + i] = s.ydot[i]
        scale = s.ctl[ABSOLUTE] + s.ctl[RELATIVE] * max(abs(s.y[i]), abs(k[8 * size + i]))
        if i == size - 1:  # the work is measured by the energies seen so far
            scale = 10.0 * s.ctl[RELATIVE] * s.ctl[ENERGY_SEEN]
            if scale == 0.0:
                continue
        five, three = 0.0, 0.0
        for j in range(STAGES + 1):
            slope = k[(FIRST + j) * size + i]
            five += _E5[j] * slope
            three += _E3[j] * slope
        fifth += (five / scale) ** 2
        third += (three / scale) ** 2
    if fifth != fifth or third != third:
        return NOT_FINITE
    s.ctl[ERROR] = h * fifth / sqrt((fifth + 0.01 * third) * size) if fifth > 0.0 else 0.0
    return OK


@compiled()
def prepare(header, f, t, h):
    """The polynomial over the last step: three more stages, and its upper coefficients."""
    s = unpack(header)
    size, k = len(s.y), s.k
    for more in range(3):
        for i in range(size):
            w = 0.0
            for j in range(STAGES + 1 + more):
                w += _A[more, j] * k[(FIRST + j) * size + i]
            s.y[i] = k[8 * size + i] + h * w
        status = f(header, t + _C[more] * h)
        if status != OK:
            return status
        for i in range(size):
            k[(MORE + more) * size + i] = s.ydot[i]
    for upper in range(4):
        for i in range(size):
            w = 0.0
            for j in range(STAGES + 4):
                w += _D[upper, j] * k[(FIRST + j) * size + i]
            k[(POLYNOMIAL + upper) * size + i] = h * w
    return OK


@compiled()
def within(header, x, h):
    """y at t_n + x h."""
    s = unpack(header)
    size, k = len(s.y), s.k
    rest = 1.0 - x
    for i in range(size):
        change, begun, ended = k[9 * size + i] - k[8 * size + i], h * k[i], h * k[NEW * size + i]
        p = POLYNOMIAL * size + i
        w = k[p] + x * (k[p + size] + rest * (k[p + 2 * size] + x * k[p + 3 * size]))
        w = begun - change + x * (2.0 * change - begun - ended + rest * w)
        s.y[i] = k[8 * size + i] + x * (change + rest * w)
    if len(s.quat_q) > 0:
        normalise(header)
