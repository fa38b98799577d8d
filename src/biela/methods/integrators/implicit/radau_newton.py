"""Newton-Raphson for the velocities of the three stages, with the tangents of each stage (not those of the start for
all): a stiff strut that turns within a step would otherwise push along where it has been.

    sum_k (delta_ik - h a_ik A_v(k) - h^2 sum_j a_ij a_jk A_q(j)) dV_k = -r_i      [I.28]

Tangents are kept from step to step as long as the iteration converges fast with them.
"""

from __future__ import annotations

from math import sqrt

from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ...linear.lu import lu_factor, lu_solve
from ...status import ITERATION, OK
from .acceleration_tangent import acceleration_tangents
from .radau_stages import A, C, predict, smooth_acceleration, stage_positions
from .radau_workspace import (
    A_Q,
    A_V,
    ACCELERATION,
    BASE_Q,
    BASE_V,
    CHANGE,
    FACTORED_FOR,
    FILTER,
    FILTER_PIVOT,
    FLAGS,
    KNOWN,
    LAM,
    MATRIX,
    PIVOT,
    PLAIN_A,
    POWER,
    RATE,
    RESIDUAL,
    STAGE_Q,
    V,
    part,
)

MOST, RENEWALS = 10, 4
"""iterations with the same tangents; how often they are found anew"""
SLOW, FAST = 0.2, 0.08
"""ratio of changes that asks for new tangents; and that with which they serve the next step, too"""
MANY, ALIKE = 12, 0.02
"""velocities from which on a factorisation serves steps that differ by so little"""
ENOUGH = 1e-3
"""of the tolerance: changes of velocities that end the iteration"""
REAL = 3.6378342527444957
"""the real eigenvalue of the inverse of the weights: that of the filter of the error (Hairer & Wanner IV.8)"""


@compiled()
def put_stage(header, i):
    """s.q, s.v of stage i."""
    s = unpack(header)
    v, Q = part(header, V), part(header, STAGE_Q)
    for j in range(s.nq):
        s.q[j] = Q[i * s.nq + j]
    for j in range(s.n):
        s.v[j] = v[i * s.n + j]


@compiled()
def residual(header, f, t, h):
    """r_i = V_i - v_0 - h sum a_ij f_j; the status of the evaluations."""
    s = unpack(header)
    n, m = s.n, len(s.lam)
    v, r, acc, base = part(header, V), part(header, RESIDUAL), part(header, ACCELERATION), part(header, BASE_V)
    lam, power = part(header, LAM), part(header, POWER)
    stage_positions(header, h)
    for i in range(3):
        put_stage(header, i)
        status = f(header, t + C[i] * h)
        if status != OK:
            return status
        power[i] = s.power[0]
        for j in range(n):
            acc[i * n + j] = s.a[j]
        for k in range(m):
            lam[i * m + k] = s.lam[k]
    for i in range(3):
        for j in range(n):
            w = A[i, 0] * acc[j] + A[i, 1] * acc[n + j] + A[i, 2] * acc[2 * n + j]
            r[i * n + j] = v[i * n + j] - base[j] - h * w
    return OK


@compiled()
def tangents_at_start(header, t):
    """Those of the start of the step, for all stages: the room's copy of it is the state."""
    s = unpack(header)
    n, m = s.n, len(s.lam)
    Aq, Av, a, lam = part(header, A_Q), part(header, A_V), part(header, PLAIN_A), part(header, LAM)
    q, v = part(header, BASE_Q), part(header, BASE_V)
    for i in range(s.nq):
        s.q[i] = q[i]
    for i in range(n):
        s.v[i] = v[i]
    if acceleration_tangents(header, t, a, lam[3 * m :], Aq[: n * n], Av[: n * n]) != 0:
        return 1
    for i in range(n * n):
        Aq[n * n + i] = Aq[2 * n * n + i] = Aq[i]
        Av[n * n + i] = Av[2 * n * n + i] = Av[i]
    return 0


@compiled()
def tangents_of_stages(header, t, h):
    """Those of each stage, where the iteration is now."""
    s = unpack(header)
    n, m = s.n, len(s.lam)
    Aq, Av, lam, a = part(header, A_Q), part(header, A_V), part(header, LAM), part(header, CHANGE)
    for i in range(2, -1, -1):  # (the derivatives of the power are those of the first stage in the end)
        put_stage(header, i)
        smooth_acceleration(header, h, i, a)
        l, k = i * n * n, (i + 1) * n * n
        if acceleration_tangents(header, t + C[i] * h, a, lam[i * m : (i + 1) * m], Aq[l:k], Av[l:k]) != 0:
            return 1
    return 0


@compiled()
def factorise(header, h):
    """[I.28] for the step h, and the filter of its error; 0 if that can be done."""
    n = unpack(header).n
    N, G, Aq, Av = 3 * n, part(header, MATRIX), part(header, A_Q), part(header, A_V)
    for i in range(3):
        for k in range(3):
            for row in range(n):
                to = (i * n + row) * N + k * n
                at = row * n
                for col in range(n):
                    w = A[i, 0] * A[0, k] * Aq[at + col] + A[i, 1] * A[1, k] * Aq[n * n + at + col]
                    w += A[i, 2] * A[2, k] * Aq[2 * n * n + at + col]
                    G[to + col] = -h * (A[i, k] * Av[k * n * n + at + col] + h * w)
                if i == k:
                    G[to + row] += 1.0
    E, g = part(header, FILTER), REAL / h
    for row in range(n):
        for col in range(n):
            E[row * n + col] = -Av[row * n + col] - Aq[row * n + col] / g
        E[row * n + row] += g
    part(header, FLAGS)[FACTORED_FOR] = h
    return lu_factor(G, N, part(header, PIVOT)) + lu_factor(E, n, part(header, FILTER_PIVOT))


@compiled()
def tell_worst(header, h):
    """Which equation of motion is off most, and by how much, as an acceleration."""
    s = unpack(header)
    r, worst = part(header, RESIDUAL), -1.0
    for i in range(3 * s.n):
        if not abs(r[i]) <= worst:
            worst = abs(r[i])
            s.mon.worst_equation, s.mon.worst_residual = i % s.n, abs(r[i]) / h
        if r[i] != r[i]:
            return


@compiled()
def correct(header, h):
    """One correction; returns its size in units of the tolerance."""
    s = unpack(header)
    n = s.n
    v, r, d, base = part(header, V), part(header, RESIDUAL), part(header, CHANGE), part(header, BASE_V)
    for i in range(3 * n):
        d[i] = r[i]
    lu_solve(part(header, MATRIX), d, 3 * n, part(header, PIVOT))
    total, far = 0.0, max(1.0, h)
    for i in range(3):
        for j in range(n):
            v[i * n + j] -= d[i * n + j]
            scale = s.ctl.absolute_tolerance + s.ctl.relative_tolerance * max(abs(base[j]), abs(v[i * n + j]))
            total += (far * d[i * n + j] / scale) ** 2
    s.run.iterations += 1
    return sqrt(total / (3 * n))


@compiled()
def iterate(header, f, t, h):
    """Corrections until nothing is to be gained; OK if that comes to pass."""
    s = unpack(header)
    flags = part(header, FLAGS)
    enough = max(ENOUGH, 1e-15 / s.ctl.relative_tolerance)
    before, renewals, since, ratio = 1e300, 0, 0, 0.0
    status = residual(header, f, t, h)
    while status == OK:
        change = correct(header, h)
        if not change < 1e30:
            return ITERATION
        ratio = change / before if since > 0 else 0.0
        known = flags[RATE] if since == 0 else ratio
        if change * known / max(1.0 - known, 0.1) <= enough or change <= 1e-2 * enough:
            flags[RATE] = max(ratio, 0.3 * flags[RATE]) if renewals == 0 else 1.0
            return OK
        if since > 1 and ratio > 0.5 and change < 0.03:
            flags[RATE] = 1.0  # as far as the accelerations are known
            return OK
        status = residual(header, f, t, h)
        if status != OK:
            break
        before, since = change, since + 1
        if (since > 1 and ratio > SLOW) or since == MOST:
            if renewals == RENEWALS or (ratio > 2.0 and renewals > 1):
                return ITERATION
            if tangents_of_stages(header, t, h) != 0 or factorise(header, h) != 0:
                return ITERATION
            before, since, renewals = 1e300, 0, renewals + 1
            flags[RATE] = 0.3
    return status


@compiled()
def solve_stages(header, f, t, h, going):
    """The velocities of the stages: with the tangents there are, else with those of the start."""
    s = unpack(header)
    flags, status = part(header, FLAGS), ITERATION
    for attempt in range(2):
        old = attempt == 0 and going and flags[KNOWN] != 0.0 and flags[RATE] <= FAST
        predict(header, h, going and attempt == 0)
        for k in range(len(s.lam)):
            s.lam[k] = part(header, LAM)[3 * len(s.lam) + k]  # a wild trial must not spoil what they are found from
        if not old:
            flags[RATE] = 0.3
            if tangents_at_start(header, t) != 0:
                status = ITERATION
                continue
        alike = ALIKE * h if s.n > MANY else 0.0
        if (not old or abs(flags[FACTORED_FOR] - h) > alike) and factorise(header, h) != 0:
            continue
        status = iterate(header, f, t, h)
        if status == OK:
            flags[KNOWN] = 1.0
            return OK
    flags[KNOWN] = 0.0
    if status == ITERATION:
        tell_worst(header, h)
    return status
