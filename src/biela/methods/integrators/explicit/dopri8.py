"""Dormand and Prince's Runge-Kutta method of order eight, with error control and states within its steps.

The error is that of Hairer, Norsett & Wanner, II.5: an estimate of order five, tempered by one of order three. Three
more stages give a polynomial of order seven over the step (II.6), and slopes at five instants of it one as good as the
step, for samples, which lie closer.   [I.23]
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from scipy.integrate import DOP853

from ....kernels.products import copy
from ....kernels.state import normalise
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...formulations.shared import is_rank_margin_low
from ...status import NOT_FINITE, OK
from ..settled import begin_near_singular, end_near_singular, settled, settled_within
from ..slopes import SEVEN, along_slopes, note_defect
from ..step_vectors import SAMPLE_SLOPE, SLOPE_START, Y_END, Y_START, keep_end, restore_end
from .dopri5 import step as dopri5
from .rk8 import STAGES, rk8

_E3, _E5, _D = (np.array(x, dtype=float) for x in (DOP853.E3, DOP853.E5, DOP853.D))
_A, _C = np.array(DOP853.A_EXTRA, dtype=float), np.array(DOP853.C_EXTRA, dtype=float)

BASE, FIRST, NEW, MORE, POLYNOMIAL, OWN_STEP, FLAG = 11, 12, 24, 25, 28, 32, 17
"""rows of s.k beside those of `step_vectors`: scratch of `rk8`, which has its twelve stages from FIRST on; y'_{n+1};
three stages for samples; four rows of the polynomial; a sample's own step. When the polynomial is there: slopes along
it from FIRST on, and whether there are"""
DEFECT = 30.0
"""tolerances per step by which a sample's slope may differ from the polynomial's"""
DOUBTFUL, WHILE = 300.0, 25.0
"""error of a step that is to be taken again, shorter; steps that the method of order five takes then"""
FAST = 2.5
"""decay rate times step from which on its polynomial is not worth its three stages (it is stable up to 6)"""


@compiled()
def too_fast(header, h):
    """Whether the slopes at the end, of the last stage and of the step, differ as where something decays within it."""
    s = unpack(header)
    size, k = len(s.y), s.k
    slopes, states = 0.0, 0.0
    for i in range(size - 1):
        slopes += (s.ydot[i] - k[FIRST + STAGES - 1, i]) ** 2
        states += (s.y[i] - k[FIRST + STAGES, i]) ** 2
    return h * h * slopes > FAST * FAST * states


@compiled(STEP)
def step(header, f, settle, t, h):
    """One trial step, with its error in units of the tolerance.

    Off the constraints, where stages are, accelerations with redundant rows are not what they are on them, unless they
    are left out; a singular position must not be overlooked; and where something decays within a step, the polynomial
    between its ends is wild. There the method of order five goes on.
    """
    s = unpack(header)
    count = len(s.active)
    implied = s.opt.rank < count and s.left_out[count] == 0
    if s.margin.low_order_steps_ahead > 0.0 or implied or is_rank_margin_low(header):
        s.opt.has_polynomial, s.ctl.order = 0, 5.0
        status = dopri5(header, f, settle, t, h)
        if status == OK and s.ctl.error <= 1.0 and not is_rank_margin_low(header):
            s.margin.low_order_steps_ahead = max(0.0, s.margin.low_order_steps_ahead - 1.0)
        return status
    s.opt.has_polynomial, s.ctl.order = 1, 8.0
    size, k = len(s.y), s.k
    copy(s.y, k[Y_START])
    copy(s.ydot, k[SLOPE_START])
    status = rk8(header, f, settle, t, h, BASE)
    if status != OK:
        return status
    if too_fast(header, h):
        s.margin.low_order_steps_ahead = WHILE
    if s.margin.low_order_steps_ahead > 0.0:
        s.ctl.error = DOUBTFUL
        return OK
    fifth, third = 0.0, 0.0
    for i in range(size):
        k[NEW, i] = s.ydot[i]
        scale = s.ctl.absolute_tolerance + s.ctl.relative_tolerance * max(abs(s.y[i]), abs(k[Y_START, i]))
        if i == size - 1:  # the work is measured by the energies seen so far
            scale = 10.0 * s.ctl.relative_tolerance * max(s.ctl.largest_energy, s.ctl.negligible_energy)
            if scale == 0.0:
                continue
        five, three = 0.0, 0.0
        for j in range(STAGES + 1):
            slope = k[FIRST + j, i]
            five += _E5[j] * slope
            three += _E3[j] * slope
        fifth += (five / scale) ** 2
        third += (three / scale) ** 2
    if fifth != fifth or third != third:
        return NOT_FINITE
    s.ctl.error = h * fifth / sqrt((fifth + 0.01 * third) * size) if fifth > 0.0 else 0.0
    return OK


@compiled()
def prepare(header, f, settle, t, h):
    """The polynomial over the last step: three more stages, and its upper coefficients. The state stays."""
    s = unpack(header)
    size, k = len(s.y), s.k
    careful, status, count = begin_near_singular(header, h), OK, s.run.settle_calls
    margin, near, singularity = s.margin.now, s.run.near_singular, s.margin.singularity
    least, greatest = s.margin.least_singularity, s.margin.greatest_singularity
    keep_end(header)
    for more in range(3):
        for i in range(size):
            w = 0.0
            for j in range(STAGES + 1 + more):
                w += _A[more, j] * k[FIRST + j, i]
            s.y[i] = k[Y_START, i] + h * w
        if careful and status == OK:
            status = settled_within(header, settle, t + _C[more] * h)
        if status == OK:
            status = f(header, t + _C[more] * h)
        copy(s.ydot, k[MORE + more])
    end_near_singular(header, status)
    for upper in range(4):
        for i in range(size):
            w = 0.0
            for j in range(STAGES + 4):
                w += _D[upper, j] * k[FIRST + j, i]
            k[POLYNOMIAL + upper, i] = h * w
    k[FLAG, 0] = 0.0
    if status == OK and not careful and s.run.near_singular == 0:
        for j in range(1, len(SEVEN) - 1):
            within(header, SEVEN[j], h)
            if status == OK:
                status = settled(header, settle, t + SEVEN[j] * h)
            if status == OK:
                status = f(header, t + SEVEN[j] * h)
            copy(s.ydot, k[FIRST + j - 1])
        k[FLAG, 0] = 1.0
    restore_end(header)
    s.margin.now, s.run.near_singular, s.margin.singularity = margin, near, singularity
    s.margin.least_singularity, s.margin.greatest_singularity, s.run.settle_calls = least, greatest, count
    return status


@compiled()
def within(header, x, h):
    """y at t_n + x h, and the polynomial's own slope there in y'."""
    s = unpack(header)
    size, k = len(s.y), s.k
    rest = 1.0 - x
    for i in range(size):
        change, begun, ended = k[Y_END, i] - k[Y_START, i], h * k[SLOPE_START, i], h * k[NEW, i]
        w, slope = k[POLYNOMIAL + 2, i] + x * k[POLYNOMIAL + 3, i], k[POLYNOMIAL + 3, i]
        w, slope = k[POLYNOMIAL + 1, i] + rest * w, rest * slope - w
        w, slope = k[POLYNOMIAL, i] + x * w, w + x * slope
        w, slope = 2.0 * change - begun - ended + rest * w, rest * slope - w
        w, slope = begun - change + x * w, w + x * slope
        w, slope = change + rest * w, rest * slope - w
        s.y[i], s.ydot[i] = k[Y_START, i] + x * w, (w + x * slope) / h
    if len(s.quat_q) > 0:
        normalise(header)


@compiled()
def sample(header, f, settle, t, h, at):
    """State and accelerations at a time within the last step, by its polynomial, if that fulfils the equations there;
    else by a step of its own: nothing in the choice of the step bounds what happens between its ends."""
    s = unpack(header)
    size, k = len(s.y), s.k
    careful = begin_near_singular(header, h)
    if k[FLAG, 0] != 0.0:
        along_slopes(header, (at - t) / h, h, FIRST, True)
    else:
        within(header, (at - t) / h, h)
        copy(s.ydot, k[SAMPLE_SLOPE])
    status = settled_within(header, settle, at) if careful else settled(header, settle, at)
    if status == OK:
        status = f(header, at)
    if end_near_singular(header, status) != OK:
        return status
    if not careful and s.run.near_singular == 0:
        note_defect(header, at)
    worst = 0.0
    for i in range(size - 1):
        scale = s.ctl.absolute_tolerance + s.ctl.relative_tolerance * max(abs(k[Y_END, i]), abs(k[Y_START, i]))
        worst = max(worst, abs(s.ydot[i] - k[SAMPLE_SLOPE, i]) / scale)
    if h * worst <= DEFECT:
        return OK
    if careful or s.run.near_singular != 0:  # next to a singular position the equations do not tell the accelerations
        for i in range(size - 1 - s.n, size - 1):
            s.ydot[i] = k[SAMPLE_SLOPE, i]
        return OK
    copy(k[Y_START], s.y)
    copy(k[SLOPE_START], s.ydot)
    return rk8(header, f, settle, t, at - t, OWN_STEP)
