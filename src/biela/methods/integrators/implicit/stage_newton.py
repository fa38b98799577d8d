"""Newton-Raphson for the velocities of one or two stages, to rounding, with derivatives that are kept as long as the
iteration converges fast with them. They are found by differences at the first stage, and serve the other one, too.
[I.18]"""

from __future__ import annotations

from ....kernels.products import clear, copy, largest
from ....kernels.state import displace
from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ...status import ITERATION, OK
from .stages import correct, factorise, instant, note_worst, put_stage, residual, stage_workspace

MOST, SLOW, RENEWALS = 30, 0.3, 6
"""iterations of an attempt; ratio of changes that asks for new derivatives; how often"""
ROUNDING, LARGEST_ROUNDING = 1e-11, 1e-9
"""of the size: a change of positions that stays may be rounding of the accelerations; so far, if it stays with new
derivatives, too (beside large penalty factors and small inertias)"""
FARTHEST = 0.3
"""of the size: no prediction goes farther by the accelerations at the start, which stiff springs make large"""


@compiled()
def derivatives(header, f, t, h, stages, c):
    """A_q and A_v at the first stage, which has been evaluated."""
    s, p = unpack(header), stage_workspace(header, stages)
    n, acc, at = s.n, p.acceleration, t + instant(stages, 0, c) * h
    dq = 1e-7 * s.par.length_scale
    dv = 1e-6 * (s.par.length_scale + largest(p.v[:n]) + h * largest(acc[:n]))
    for j in range(n):
        put_stage(header, stages, 0)
        clear(s.w[:n])
        s.w[j] = dq
        displace(header, s.w)
        known = f(header, at) == OK
        for i in range(n):
            p.a_q[i * n + j] = (s.a[i] - acc[i]) / dq if known else 0.0
        put_stage(header, stages, 0)
        s.v[j] += dv
        known = f(header, at) == OK
        for i in range(n):
            p.a_v[i * n + j] = (s.a[i] - acc[i]) / dv if known else 0.0
    for i in range(1, stages):
        copy(p.a_q[: n * n], p.a_q[i * n * n :])
        copy(p.a_v[: n * n], p.a_v[i * n * n :])
    p.known[0], p.factored_for[0], p.choice[0] = 1.0, 0.0, s.run.rechoices


@compiled()
def predict(header, h, stages, c, attempt):
    """Velocities of the stages from the accelerations at the start; none of those in the last attempt."""
    s, p = unpack(header), stage_workspace(header, stages)
    share = 0.0
    if attempt < 2:
        share = min(1.0, FARTHEST * s.par.length_scale / max(h * h * largest(p.a_start), 1e-300))
    for i in range(stages):
        for j in range(s.n):
            p.v[i * s.n + j] = p.v_start[j] + share * instant(stages, i, c) * h * p.a_start[j]
    copy(p.lam_start, s.lam)  # a wild trial must not spoil what the multipliers are found from


@compiled()
def iterate(header, f, t, h, stages, c):
    """Corrections until nothing is to be gained; OK if that comes to pass."""
    s, p = unpack(header), stage_workspace(header, stages)
    size, before, since, renewals = s.par.length_scale, 1e300, 0, 0
    for _ in range(MOST):
        correct(header, stages)
        for i in range(len(p.change)):
            if p.change[i] != p.change[i]:
                return ITERATION
        change, speed, push = largest(p.change), largest(p.v), largest(p.acceleration)
        if not h * change < 1e3 * size or residual(header, f, t, h, stages, c) != OK:
            return ITERATION
        ratio = change / before
        goal = min(s.ctl.corrector_tolerance / h, 10.0 * s.ctl.corrector_tolerance / size * (speed + h * push))
        if change <= goal or (since > 0 and ratio < 0.5 and ratio * change <= goal):
            return OK
        if ratio > 0.5 and h * change <= (ROUNDING if renewals == 0 else LARGEST_ROUNDING) * size:
            return OK  # as far as the accelerations are known
        before, since = change, since + 1
        if ratio > SLOW and since > 1 and renewals < RENEWALS:
            derivatives(header, f, t, h, stages, c)
            if factorise(header, h, stages) != 0:
                return ITERATION
            before, since, renewals = 1e300, 0, renewals + 1
    return ITERATION


@compiled()
def solve_stages(header, f, t, h, stages, c):
    """The velocities of the stages: with the derivatives there are, with new ones, and from the velocities alone."""
    s, p, status = unpack(header), stage_workspace(header, stages), OK
    copy(s.v, p.v_start)
    copy(s.a, p.a_start)
    copy(s.lam, p.lam_start)
    for attempt in range(3):
        predict(header, h, stages, c, attempt)
        status = residual(header, f, t, h, stages, c)
        if status != OK:
            continue
        if attempt > 0 or p.known[0] == 0.0 or p.choice[0] != s.run.rechoices:
            derivatives(header, f, t, h, stages, c)
        if p.factored_for[0] != h and factorise(header, h, stages) != 0:
            status = ITERATION
            continue
        status = iterate(header, f, t, h, stages, c)
        if status == OK:
            return OK
    p.known[0] = 0.0
    note_worst(header, h, stages)
    return status
