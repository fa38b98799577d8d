"""Dormand and Prince's Runge-Kutta method of order eight, with error control and states within its steps.

The error is that of Hairer, Norsett & Wanner, II.5: an estimate of order five, tempered by one of order three. Three
more stages give a polynomial of order seven over the step (II.6), and slopes at five instants of it one as good as the
step, for samples, which lie closer.   [I.23]
"""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import DOP853

from ....kernels.products import copy
from ....kernels.state import normalise
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ....machine.scratch import cut
from ...formulations.shared import is_rank_margin_low
from ...status import NOT_FINITE, OK
from ..settled import begin_near_singular, end_near_singular, settled, settled_within
from ..slopes import SEVEN, along_slopes, note_defect
from ..step_vectors import step_vectors
from .dopri5 import step as dopri5
from .rk8 import STAGES, rk8

_E3, _E5, _D = (np.array(x, dtype=float) for x in (DOP853.E3, DOP853.E5, DOP853.D))
_A, _C = np.array(DOP853.A_EXTRA, dtype=float), np.array(DOP853.C_EXTRA, dtype=float)

DEFECT = 30.0
"""tolerances per step by which a sample's slope may differ from the polynomial's"""
DOUBTFUL, WHILE = 300.0, 25.0
"""error of a step that is to be taken again, shorter; steps that the method of order five takes then"""
FAST = 2.5
"""decay rate times step from which on its polynomial is not worth its three stages (it is stable up to 6)"""


class DenseVectors(NamedTuple):
    """Vectors among the `stages` of a step, and their lengths."""

    prepared: Any  # first number: whether slopes along the polynomial are there
    slopes: Any  # of the twelve stages (y of the last one, then y' at the end) and of three more for the polynomial
    polynomial: Any  # its upper coefficients; once they are there, `slopes` has those along it


@compiled()
def dense_vectors(header):
    """The vectors."""
    size = len(unpack(header).y)
    return cut(step_vectors(header).stages, DenseVectors(size, (STAGES + 4) * size, 4 * size))


@compiled()
def too_fast(header, h):
    """Whether the slopes at the end, of the last stage and of the step, differ as where something decays within it."""
    s, k = unpack(header), dense_vectors(header).slopes
    size, slopes, states = len(s.y), 0.0, 0.0
    for i in range(size - 1):
        slopes += (s.ydot[i] - k[(STAGES - 1) * size + i]) ** 2
        states += (s.y[i] - k[STAGES * size + i]) ** 2
    return h * h * slopes > FAST * FAST * states


@compiled(STEP)
def step(header, f, settle, t, h):
    """One trial step, with its error in units of the tolerance.

    Off the constraints, where stages are, accelerations with redundant rows are not what they are on them, unless they
    are left out; a singular position must not be overlooked; and where something decays within a step, the polynomial
    between its ends is wild. There the method of order five goes on.
    """
    s, kept, slopes = unpack(header), step_vectors(header), dense_vectors(header).slopes
    count = len(s.active)
    dependent = s.opt.rank < count and s.left_out[count] == 0
    if s.margin.low_order_steps_ahead > 0.0 or dependent or is_rank_margin_low(header):
        s.opt.has_polynomial, s.ctl.order = 0, 5.0
        status = dopri5(header, f, settle, t, h)
        if status == OK and s.ctl.error <= 1.0 and not is_rank_margin_low(header):
            s.margin.low_order_steps_ahead = max(0.0, s.margin.low_order_steps_ahead - 1.0)
        return status
    s.opt.has_polynomial, s.ctl.order = 1, 8.0
    size = len(s.y)
    copy(s.ydot, kept.ydot_0)
    status = rk8(header, f, settle, t, h, kept.y_0, slopes, slopes[STAGES * size :])
    if status != OK:
        return status
    if too_fast(header, h):
        s.margin.low_order_steps_ahead = WHILE
    if s.margin.low_order_steps_ahead > 0.0:
        s.ctl.error = DOUBTFUL
        return OK
    copy(s.ydot, slopes[STAGES * size :])
    fifth, third = 0.0, 0.0
    for i in range(size):
        scale = s.ctl.absolute_tolerance + s.ctl.relative_tolerance * max(abs(s.y[i]), abs(kept.y_0[i]))
        if i == size - 1:  # the work is measured by the energies seen so far
            scale = 10.0 * s.ctl.relative_tolerance * max(s.ctl.largest_energy, s.ctl.negligible_energy)
            if scale == 0.0:
                continue
        five, three = 0.0, 0.0
        for j in range(STAGES + 1):
            slope = slopes[j * size + i]
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
    s, kept, own = unpack(header), step_vectors(header), dense_vectors(header)
    size, slopes = len(s.y), own.slopes
    careful, status, count = begin_near_singular(header, h), OK, s.run.settle_calls
    margin, weak, weakness = s.margin.now, s.run.near_singular, s.margin.singularity
    strongest, weakest = s.margin.least_singularity, s.margin.greatest_singularity
    copy(s.y, kept.y_1)
    copy(s.ydot, kept.ydot_1)
    for more in range(3):
        for i in range(size):
            w = 0.0
            for j in range(STAGES + 1 + more):
                w += _A[more, j] * slopes[j * size + i]
            s.y[i] = kept.y_0[i] + h * w
        if careful and status == OK:
            status = settled_within(header, settle, t + _C[more] * h)
        if status == OK:
            status = f(header, t + _C[more] * h)
        copy(s.ydot, slopes[(STAGES + 1 + more) * size :])
    end_near_singular(header, status)
    for upper in range(4):
        for i in range(size):
            w = 0.0
            for j in range(STAGES + 4):
                w += _D[upper, j] * slopes[j * size + i]
            own.polynomial[upper * size + i] = h * w
    own.prepared[0] = 0.0
    if status == OK and not careful and s.run.near_singular == 0:
        for j in range(1, len(SEVEN) - 1):
            within(header, SEVEN[j], h)
            if status == OK:
                status = settled(header, settle, t + SEVEN[j] * h)
            if status == OK:
                status = f(header, t + SEVEN[j] * h)
            copy(s.ydot, slopes[(j - 1) * size :])
        own.prepared[0] = 1.0
    copy(kept.y_1, s.y)
    copy(kept.ydot_1, s.ydot)
    s.margin.now, s.run.near_singular, s.margin.singularity = margin, weak, weakness
    s.margin.least_singularity, s.margin.greatest_singularity, s.run.settle_calls = strongest, weakest, count
    return status


@compiled()
def within(header, x, h):
    """y at t_n + x h, and the polynomial's own slope there in y'."""
    s, kept, own = unpack(header), step_vectors(header), dense_vectors(header)
    size, k, end = len(s.y), own.polynomial, own.slopes[STAGES * len(s.y) :]
    rest = 1.0 - x
    for i in range(size):
        change, begun, ended = kept.y_1[i] - kept.y_0[i], h * kept.ydot_0[i], h * end[i]
        w, slope = k[2 * size + i] + x * k[3 * size + i], k[3 * size + i]
        w, slope = k[size + i] + rest * w, rest * slope - w
        w, slope = k[i] + x * w, w + x * slope
        w, slope = 2.0 * change - begun - ended + rest * w, rest * slope - w
        w, slope = begun - change + x * w, w + x * slope
        w, slope = change + rest * w, rest * slope - w
        s.y[i], s.ydot[i] = kept.y_0[i] + x * w, (w + x * slope) / h
    if len(s.quat_q) > 0:
        normalise(header)


@compiled()
def sample(header, f, settle, t, h, at):
    """State and accelerations at a time within the last step, by its polynomial, if that fulfils the equations there;
    else by a step of its own: nothing in the choice of the step bounds what happens between its ends."""
    s, kept, own = unpack(header), step_vectors(header), dense_vectors(header)
    size = len(s.y)
    careful = begin_near_singular(header, h)
    if own.prepared[0] != 0.0:
        along_slopes(header, (at - t) / h, h, own.slopes, True)
    else:
        within(header, (at - t) / h, h)
        copy(s.ydot, kept.slope)
    status = settled_within(header, settle, at) if careful else settled(header, settle, at)
    if status == OK:
        status = f(header, at)
    if end_near_singular(header, status) != OK:
        return status
    if not careful and s.run.near_singular == 0:
        note_defect(header, at)
    worst = 0.0
    for i in range(size - 1):
        scale = s.ctl.absolute_tolerance + s.ctl.relative_tolerance * max(abs(kept.y_1[i]), abs(kept.y_0[i]))
        worst = max(worst, abs(s.ydot[i] - kept.slope[i]) / scale)
    if h * worst <= DEFECT:
        return OK
    if careful or s.run.near_singular != 0:  # next to a singular position the equations do not tell the accelerations
        for i in range(size - 1 - s.n, size - 1):
            s.ydot[i] = kept.slope[i]
        return OK
    copy(kept.y_0, s.y)
    copy(kept.ydot_0, s.ydot)
    return rk8(header, f, settle, t, at - t, kept.slope, kept.within, kept.within[STAGES * size :])
