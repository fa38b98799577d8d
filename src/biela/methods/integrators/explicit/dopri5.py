"""Dormand and Prince's embedded Runge-Kutta pair 5(4), with error control (J. Comput. Appl. Math. 6 (1980) 19-26)."""

from __future__ import annotations

from math import sqrt

import numpy as np

from ....kernels.products import copy
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...status import NOT_FINITE, OK
from ..settled import begin_near_singular, end_near_singular, settled, settled_within
from ..step_vectors import step_vectors

_A = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
_TABLEAU = np.array([w for row in _A for w in row])
_C = np.array([1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0])
_E = np.array([71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])


@compiled()
def rk5(header, f, settle, t, h, y_0, slopes):
    """One step; y_0 keeps y_n, `slopes` y'_n and the slopes of the stages."""
    s = unpack(header)
    size, y = len(s.y), s.y
    careful = begin_near_singular(header, h)
    copy(y, y_0)
    copy(s.ydot, slopes)
    at = 0
    for stage in range(6):
        for i in range(size):
            w = 0.0
            for j in range(stage + 1):
                w += _TABLEAU[at + j] * slopes[j * size + i]
            y[i] = y_0[i] + h * w
        at += stage + 1
        status = OK
        if stage == 5:
            status = settled(header, settle, t + h)
        elif careful:
            status = settled_within(header, settle, t + _C[stage] * h)
        if status == OK:
            status = f(header, t + _C[stage] * h)
        if status != OK:
            return end_near_singular(header, status)
        copy(s.ydot, slopes[(stage + 1) * size :])
    return end_near_singular(header, OK)


@compiled(STEP)
def step(header, f, settle, t, h):
    """One trial step, with its error in units of the tolerances."""
    s, kept = unpack(header), step_vectors(header)
    copy(s.ydot, kept.ydot_0)
    status = rk5(header, f, settle, t, h, kept.y_0, kept.stages)
    if status != OK:
        return status
    size, total = len(s.y), 0.0
    for i in range(size):
        w = 0.0
        for j in range(7):
            w += _E[j] * kept.stages[j * size + i]
        scale = s.ctl.absolute_tolerance + s.ctl.relative_tolerance * max(abs(s.y[i]), abs(kept.y_0[i]))
        if i == size - 1:  # the work is measured by the energies seen so far
            scale = 10.0 * s.ctl.relative_tolerance * max(s.ctl.largest_energy, s.ctl.negligible_energy)
            if scale == 0.0:
                continue
        total += (h * w / scale) ** 2
    s.ctl.error = sqrt(total / size)
    return OK if s.ctl.error == s.ctl.error else NOT_FINITE
