"""How an error-controlled step passes a singular position: it leads across.

On a branch of the motion the accelerations stay smooth where the constraints lose rank, yet next to that place no
evaluation finds them: a deviation d from the branch changes them by v^2 d / s^2, s being the smallest singular value of
Phi_q, which falls to zero. Small steps would end in there. So a step is aimed: its beginning and end lie on both sides,
and none of its stages near the middle; they are put on the constraints, too.   [I.24]
"""

from __future__ import annotations

from math import log

from ...kernels.products import copy
from ...kernels.state import displace
from ...machine.array_table import unpack
from ...machine.compiled import compiled
from ..integrators.step_vectors import keep_end, restore_end, step_vectors
from ..status import OK

MIDDLE = 0.47
"""of a step: there is no stage from 1/3 to 3/5 (order eight), from 3/10 to 4/5 (order five)"""
RUN_UP = 0.45
"""of a step: how far before the place a step across begins"""
REACH, PARTS = 1.5, 11
"""steps within which a step is aimed; evaluations ahead"""
FELT = log(1.5)
"""fall of the determinant from which on it is watched (a run that begins beside a singular position has nothing to
compare with: multipliers that settle slowly tell it, too)"""
FAR = 4.0
"""steps ahead that are searched; singular positions that are farther off are left alone"""
TOO_NEAR = 0.2
"""of a step that has not been aimed: when it ends that near, it is taken back"""
ROUGH, SHORTER = 1e-7, 0.7
"""of the motion: error of rounding that a step may have; how much shorter a step must be to tell"""
NOISE, HAIR, SAME = 1e-9, 2e-3, 0.05
"""of the motion: error of a step across that may be rounding; how much longer one is that is to tell; by how much its
error may differ"""
GOLDEN = 0.381966


@compiled()
def aimed(ahead, h):
    """A step near h that does not end next to a singular position, `ahead` of here."""
    if ahead > REACH * h:
        return h
    if ahead <= MIDDLE * h:
        return ahead / MIDDLE
    return ahead - RUN_UP * h


@compiled()
def singularity_at(header, f, t, h, tau):
    """The measure of singularity a time tau from here, along the Taylor series (its third derivative from the
    last step, of length h); the state stays."""
    s, start = unpack(header), step_vectors(header).ydot_0
    keep_end(header)
    for i in range(s.n):
        jerk = (s.a[i] - start[s.nq + i]) / h
        s.w[i] = tau * (s.v[i] + tau * (s.a[i] / 2.0 + tau * jerk / 6.0))
        s.v[i] += tau * (s.a[i] + tau * jerk / 2.0)
    displace(header, s.w)
    status = f(header, t + tau)
    restore_end(header)
    return s.margin.singularity if status == OK else 1e300


@compiled()
def time_to_peak(header, f, t, h, step):
    """The time from here to where the determinant is least, within reach of a step; 1e300 if it is not there."""
    s = unpack(header)
    here, left, middle, right = s.margin.singularity, 0.0, 0.0, 0.0
    for part in range(1, PARTS + 1):
        left, middle, right = middle, right, step * max(0.25 * part, 0.5 * part - 1.5)
        there = singularity_at(header, f, t, h, right)
        if there < here:
            break
        here = there
        if part == PARTS:
            return 1e300
    low, high = left + GOLDEN * (right - left), right - GOLDEN * (right - left)
    at_low, at_high = singularity_at(header, f, t, h, low), singularity_at(header, f, t, h, high)
    for _ in range(4):
        if at_low > at_high:
            right, high, at_high = high, low, at_low
            low = left + GOLDEN * (right - left)
            at_low = singularity_at(header, f, t, h, low)
        else:
            left, low, at_low = low, high, at_high
            high = right - GOLDEN * (right - left)
            at_high = singularity_at(header, f, t, h, high)
    return 0.5 * (left + right)


@compiled()
def time_to_singular(header, f, t, h, step):
    """The time to a singular position, at the end of a step of length h, before one of about `step`; 1e300: none."""
    s = unpack(header)
    now, back, two_back = s.margin.singularity, s.margin.singularity_one_back, s.margin.singularity_two_back
    before = s.margin.previous_step
    known = s.margin.time_to_singular - h
    if known < 1e200 and known > 2.0 * step:
        return known
    felt = now > FELT + s.margin.least_singularity or s.margin.multipliers_slow != 0.0
    if not felt or before == 0.0 or not now > back:
        return 1e300
    # a determinant that vanishes like a power of time is that far off, by its last two falls, or nearer
    away = FAR * step
    if log((away + h) / away) * (back - two_back) > log((away + h + before) / (away + h)) * (now - back):
        return 1e300
    least, greatest = s.margin.least_singularity, s.margin.greatest_singularity
    ahead = time_to_peak(header, f, t, h, step)
    f(header, t)  # multipliers and all else of here again
    s.margin.least_singularity, s.margin.greatest_singularity = least, greatest
    return ahead


@compiled()
def keep_multipliers(header):
    """Those of the end of a step, before samples within it change them. (Rows beyond the size of y are redundant.)"""
    s = unpack(header)
    copy(s.lam[: min(len(s.lam), len(s.y))], step_vectors(header).lam_1)


@compiled()
def multipliers_again(header):
    """Those of the end of the step: samples do not change the run."""
    s = unpack(header)
    copy(step_vectors(header).lam_1[: min(len(s.lam), len(s.y))], s.lam)


@compiled()
def keep_distance(header, h, ahead):
    """After an accepted step of length h: where singular positions are, behind and ahead of its end."""
    s = unpack(header)
    s.margin.singularity_two_back, s.margin.singularity_one_back = s.margin.singularity_one_back, s.margin.singularity
    to, since = s.margin.time_to_singular, s.margin.time_since_singular
    s.margin.time_since_singular = since + h if to > h else h - to
    s.margin.previous_step, s.margin.time_to_singular = h, ahead


@compiled()
def is_rounding(header, h, error):
    """Whether the error of a trial beside a singular position is that of rounding. The step is taken then, if the error
    is small in itself, and counted.

    It should be far smaller than that of the trial before, which was longer. A step across whose error is next to
    nothing is tried again, a hair longer: its error should be the same. (A shorter one would begin nearer to the place,
    where rounding is more.)
    """
    s = unpack(header)
    near, crosses = is_near_singular(header, h), s.margin.time_to_singular < h
    if error <= 1.0:
        if crosses or not near:
            s.margin.crossing_step = 0.0
        if not near:
            s.margin.trial_step = 0.0
        return False
    first, least = s.margin.crossing_step, s.margin.crossing_error
    tried, off = s.margin.trial_step, s.margin.trial_error
    if not near or not error * s.ctl.relative_tolerance < ROUGH:
        s.margin.trial_step, s.margin.trial_error = h, error
        return False
    if crosses and is_same_crossing(first, h):
        if abs(error - least) <= SAME * least or (error > 2.0 * least and h < (1.0 + 5.0 * HAIR) * first):
            return False
    elif crosses == (s.margin.trial_crossed != 0.0):
        s.margin.trial_step, s.margin.trial_error = h, error
        if h > SHORTER * tried or error < off * (h / tried) ** 3:
            return False
    else:
        s.margin.trial_step, s.margin.trial_error, s.margin.trial_crossed = h, error, 1.0 if crosses else 0.0
        return False
    s.mon.rounding_steps += 1
    s.margin.crossing_step = 0.0
    return True


@compiled()
def is_same_crossing(first, h):
    """Whether a step across of length h is another one but for a hair."""
    return first < h < (1.0 + 8.0 * HAIR) * first


@compiled()
def again(header, h, error, order):
    """The step after one of length h that was off by `error` tolerances; after a step across the singular position,
    another one, if need be with another run-up: small steps would end in there."""
    s = unpack(header)
    ahead, factor = s.margin.time_to_singular, max(0.1, 0.9 * error ** (-1.0 / order))
    if ahead < h and is_near_singular(header, h):
        first, least = s.margin.crossing_step, s.margin.crossing_error
        same = is_same_crossing(first, h)
        if error * s.ctl.relative_tolerance < NOISE and not (same and abs(error - least) <= SAME * least):
            if not same:
                s.margin.crossing_step, s.margin.crossing_error = h, error
            s.margin.crossing_error = min(error, s.margin.crossing_error)
            return (1.0 + HAIR) * h
        s.margin.crossing_step = 0.0
        factor = min(factor, 0.99 * SHORTER)
    h *= factor
    run_up = aimed(ahead, h)
    if run_up < h:
        s.margin.intended_step = h
    elif h > 0.7 * s.margin.intended_step:
        s.margin.intended_step = 0.0
    return run_up


@compiled()
def is_near_singular(header, h):
    """Whether a step of length h from here has a singular position near."""
    s = unpack(header)
    return s.margin.time_to_singular < FAR * h or s.margin.time_since_singular < FAR * h
