"""Newton-Raphson for the velocities of the stages of an implicit step, with derivatives that are kept as long as the
iteration converges fast with them.

With A_q, A_v the derivatives of the accelerations, the corrections of the stages solve

    (I - h a (x) A_v - h^2 a^2 (x) A_q) dV = -r          [I.18]

A_q and A_v are found by differences, in the directions of the velocities; another step h needs another factorisation,
no other derivatives.
"""

from __future__ import annotations

from ....kernels.state import displace
from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ...linear.lu import lu_factor, lu_solve
from ...status import ITERATION, OK
from .stages import instant, stage_positions, stage_workspace, weight

KNOWN, FACTORED_FOR, CHOICE = range(3)
"""flags: whether the derivatives are known, the step that was factorised, the choice of coordinates they belong to"""
MOST, SLOW, RENEWALS = 30, 0.3, 6
"""iterations of an attempt; ratio of changes that asks for new derivatives; how often"""
ROUNDING, LARGEST_ROUNDING = 1e-11, 1e-9
"""of the size: a change of positions that stays may be rounding of the accelerations; so far, if it stays with new
derivatives, too (beside large penalty factors and small inertias)"""
LEAP = 0.3
"""of the size: no prediction goes farther by the accelerations at the start, which stiff springs make large"""


@compiled()
def put_stage(header, stages, i):
    """s.q, s.v of stage i."""
    s = unpack(header)
    p = stage_workspace(header, stages)
    v, Q = p.v, p.stage_q
    for j in range(s.nq):
        s.q[j] = Q[i * s.nq + j]
    for j in range(s.n):
        s.v[j] = v[i * s.n + j]


@compiled()
def residual(header, f, t, h, stages, c):
    """r_i = V_i - v_b - h sum a_ij f_j; the status of the evaluations."""
    s = unpack(header)
    n, p = s.n, stage_workspace(header, stages)
    v, r, acc, base = p.v, p.residual, p.acceleration, p.base_v
    stage_positions(header, h, stages)
    for i in range(stages):
        put_stage(header, stages, i)
        status = f(header, t + instant(stages, i, c) * h)
        if status != OK:
            return status
        p.power[i] = s.power[0]
        for j in range(n):
            acc[i * n + j] = s.a[j]
    for i in range(stages):
        for j in range(n):
            w = 0.0
            for k in range(stages):
                w += weight(stages, i, k) * acc[k * n + j]
            r[i * n + j] = v[i * n + j] - base[j] - h * w
    return OK


@compiled()
def derivatives(header, f, t, h, stages, c):
    """A_q and A_v at the first stage, which has been evaluated."""
    s = unpack(header)
    n, p = s.n, stage_workspace(header, stages)
    Aq, Av, acc, v = p.a_q, p.a_v, p.acceleration, p.v
    at = t + instant(stages, 0, c) * h
    speed, push = 0.0, 0.0
    for i in range(n):
        speed, push = max(speed, abs(v[i])), max(push, abs(acc[i]))
    dq, dv = 1e-7 * s.par.length_scale, 1e-6 * (s.par.length_scale + speed + h * push)
    for j in range(n):
        put_stage(header, stages, 0)
        for i in range(n):
            s.w[i] = 0.0
        s.w[j] = dq
        displace(header, s.w)
        known = f(header, at) == OK
        for i in range(n):
            Aq[i * n + j] = (s.a[i] - acc[i]) / dq if known else 0.0
        put_stage(header, stages, 0)
        s.v[j] += dv
        known = f(header, at) == OK
        for i in range(n):
            Av[i * n + j] = (s.a[i] - acc[i]) / dv if known else 0.0
    p.flags[KNOWN], p.flags[FACTORED_FOR], p.flags[CHOICE] = 1.0, 0.0, s.run.rechoices


@compiled()
def factorise(header, h, stages):
    """[I.18] for the step h; 0 if that can be done."""
    s = unpack(header)
    n, N, p = s.n, stages * s.n, stage_workspace(header, stages)
    G, Aq, Av = p.matrix, p.a_q, p.a_v
    for i in range(stages):
        for j in range(stages):
            a, square = weight(stages, i, j), 0.0
            for k in range(stages):
                square += weight(stages, i, k) * weight(stages, k, j)
            for k in range(n):
                for l in range(n):
                    w = -h * a * Av[k * n + l] - h * h * square * Aq[k * n + l]
                    G[(i * n + k) * N + j * n + l] = w + (1.0 if i == j and k == l else 0.0)
    p.flags[FACTORED_FOR] = h
    return lu_factor(G, N, p.pivot)


@compiled()
def predict(header, h, stages, c, attempt):
    """Velocities of the stages from the accelerations at the start; none of those in the last attempt."""
    s = unpack(header)
    n, p = s.n, stage_workspace(header, stages)
    start, rate, v = p.start, p.rate, p.v
    push = 0.0
    for i in range(n):
        push = max(push, abs(rate[i]))
    share = min(1.0, LEAP * s.par.length_scale / max(h * h * push, 1e-300)) if attempt < 2 else 0.0
    for i in range(stages):
        for j in range(n):
            v[i * n + j] = start[j] + share * instant(stages, i, c) * h * rate[j]
    for k in range(len(s.lam)):
        s.lam[k] = p.lam[k]  # a wild trial must not spoil what the multipliers are found from


@compiled()
def tell_worst(header, h, stages):
    """Which equation of motion is off most, and by how much, as an acceleration."""
    s = unpack(header)
    r, worst = stage_workspace(header, stages).residual, -1.0
    for i in range(stages * s.n):
        if not abs(r[i]) <= worst:
            worst = abs(r[i])
            s.mon.worst_equation, s.mon.worst_residual = i % s.n, abs(r[i]) / h
        if r[i] != r[i]:
            return


@compiled()
def iterate(header, f, t, h, stages, c):
    """Corrections until nothing is to be gained; OK if that comes to pass."""
    s = unpack(header)
    N, p = stages * s.n, stage_workspace(header, stages)
    v, r, d, acc = p.v, p.residual, p.change, p.acceleration
    size, before, since, renewals = s.par.length_scale, 1e300, 0, 0
    for _ in range(MOST):
        change, speed, push = 0.0, 0.0, 0.0
        for i in range(N):
            d[i] = r[i]
        lu_solve(p.matrix, d, N, p.pivot)
        for i in range(N):
            v[i] -= d[i]
            change, speed, push = max(change, abs(d[i])), max(speed, abs(v[i])), max(push, abs(acc[i]))
            if d[i] != d[i]:
                return ITERATION
        s.run.iterations += 1
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
    s = unpack(header)
    p = stage_workspace(header, stages)
    for i in range(s.n):
        p.start[i], p.rate[i] = s.v[i], s.a[i]
    for k in range(len(s.lam)):
        p.lam[k] = s.lam[k]
    flags, status = p.flags, OK
    for attempt in range(3):
        predict(header, h, stages, c, attempt)
        status = residual(header, f, t, h, stages, c)
        if status != OK:
            continue
        if attempt > 0 or flags[KNOWN] == 0.0 or flags[CHOICE] != s.run.rechoices:
            derivatives(header, f, t, h, stages, c)
        if flags[FACTORED_FOR] != h and factorise(header, h, stages) != 0:
            status = ITERATION
            continue
        status = iterate(header, f, t, h, stages, c)
        if status == OK:
            return OK
    flags[KNOWN] = 0.0
    tell_worst(header, h, stages)
    return status
