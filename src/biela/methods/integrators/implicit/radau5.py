"""Radau IIA of order five with three stages, error-controlled: for stiff mechanisms (Hairer & Wanner, IV.5 and IV.8).

Its stages collocate, the last one is the end of the step, and it is L-stable: what decays faster than the steps follow
is gone after one of them. The velocities of the stages are found by Newton-Raphson with exact tangents of springs,
dampers and laws, in any coordinates.
"""

from __future__ import annotations

from math import sqrt

from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...linear.lu import lu_solve
from ...status import NOT_FINITE, OK
from ..settled import settled
from .radau_newton import REAL, solve_stages
from .radau_stages import A, is_going_on, smooth_acceleration
from .radau_workspace import (
    A_Q,
    BASE_Q,
    BASE_V,
    BEFORE_V,
    CHANGE,
    END,
    ERROR_Q,
    ERROR_V,
    FILTER,
    FILTER_PIVOT,
    FLAGS,
    GOING,
    LAM,
    P_Q,
    P_V,
    PLAIN_A,
    POWER,
    STAGE_Q,
    STEP_BEFORE,
    V,
    part,
)

E1, E2, E3 = -(13.0 + 7.0 * 6.0**0.5) / 3.0, (-13.0 + 7.0 * 6.0**0.5) / 3.0, -1.0 / 3.0


@compiled()
def displacement_error(header, h):
    """q'_0 + (E1 z_1 + E2 z_2 + E3 z_3)/h of the positions, given like velocities: quaternions as twice the turn."""
    s = unpack(header)
    nq, base, Q, out = s.nq, part(header, BASE_Q), part(header, STAGE_Q), part(header, ERROR_Q)
    v0 = part(header, BASE_V)
    quaternions = len(s.quat_q)
    for l in range(s.n if quaternions == 0 else len(s.plain_q)):
        i, j = (l, l) if quaternions == 0 else (int(s.plain_q[l]), int(s.plain_v[l]))
        z = E1 * (Q[i] - base[i]) + E2 * (Q[nq + i] - base[i]) + E3 * (Q[2 * nq + i] - base[i])
        out[j] = v0[j] + z / h
    for l in range(quaternions):
        i, j = int(s.quat_q[l]), int(s.quat_v[l])
        a, b, c, d = base[i], base[i + 1], base[i + 2], base[i + 3]
        x, y, z, w = 0.0, 0.0, 0.0, 0.0
        for k in range(3):
            e = E1 if k == 0 else E2 if k == 1 else E3
            w += e * (Q[k * nq + i] - a)
            x += e * (Q[k * nq + i + 1] - b)
            y += e * (Q[k * nq + i + 2] - c)
            z += e * (Q[k * nq + i + 3] - d)
        out[j] = v0[j] + 2.0 * (a * x - b * w - c * z + d * y) / h
        out[j + 1] = v0[j + 1] + 2.0 * (a * y - c * w - d * x + b * z) / h
        out[j + 2] = v0[j + 2] + 2.0 * (a * z - d * w - b * y + c * x) / h


@compiled()
def estimate(header, h, a, power):
    """The error of the step in units of the tolerance: (g - J)^-1 (f_0 + (E1 z_1 + E2 z_2 + E3 z_3)/h), g = gamma/h,
    with the velocities eliminated as in [I.28].   Hairer & Wanner IV (8.19)"""
    s = unpack(header)
    n, g = s.n, REAL / h
    v, base, Aq = part(header, V), part(header, BASE_V), part(header, A_Q)
    eq, ev, Pq, Pv = part(header, ERROR_Q), part(header, ERROR_V), part(header, P_Q), part(header, P_V)
    powers = part(header, POWER)
    displacement_error(header, h)
    for i in range(n):
        z = E1 * (v[i] - base[i]) + E2 * (v[n + i] - base[i]) + E3 * (v[2 * n + i] - base[i])
        w = a[i] + z / h
        for j in range(n):
            w += Aq[i * n + j] * eq[j] / g
        ev[i] = w
    lu_solve(part(header, FILTER), ev, n, part(header, FILTER_PIVOT))
    total = 0.0
    q0, W = part(header, BASE_Q), 0.0
    for i in range(n):
        eq[i] = (eq[i] + ev[i]) / g
        scale = s.ctl.absolute_tolerance + s.ctl.relative_tolerance * max(abs(base[i]), abs(v[2 * n + i]))
        total += (ev[i] / scale) ** 2
    quaternions = len(s.quat_q)
    for l in range(n if quaternions == 0 else len(s.plain_q)):
        i, j = (l, l) if quaternions == 0 else (int(s.plain_q[l]), int(s.plain_v[l]))
        total += (eq[j] / (s.ctl.absolute_tolerance + s.ctl.relative_tolerance * abs(q0[i]))) ** 2
    for l in range(quaternions):
        for k in range(3):
            total += (0.5 * eq[int(s.quat_v[l]) + k] / (s.ctl.absolute_tolerance + s.ctl.relative_tolerance)) ** 2
    # the work: z_W = h sum a_ij P_j
    for k in range(3):
        W += (E1 * A[0, k] + E2 * A[1, k] + E3 * A[2, k]) * powers[k]
    W += power
    for i in range(n):
        W += Pq[i] * eq[i] + Pv[i] * ev[i]
    scale = 10.0 * s.ctl.relative_tolerance * max(s.ctl.largest_energy, s.ctl.negligible_energy)
    if scale > 0.0:
        total += (W / (g * scale)) ** 2
    return sqrt(total / (2 * n + 1))


@compiled()
def refined(header, f, t, h):
    """The estimate with f at the start moved by the first estimate: an error that decays at once is none (8.20)."""
    s = unpack(header)
    base_q, base_v, ev, eq = part(header, BASE_Q), part(header, BASE_V), part(header, ERROR_V), part(header, ERROR_Q)
    for i in range(s.nq):
        s.q[i] = base_q[i]
    for i in range(s.n):
        s.v[i] = base_v[i] + ev[i]
    if len(s.quat_q) == 0:
        for i in range(s.n):
            s.q[i] += eq[i]
    if f(header, t) != OK:
        return 1e300
    return estimate(header, h, s.a, s.power[0])


@compiled(STEP)
def step(header, f, settle, t, h):
    """One trial step, with its error in s.ctl.error. y_n and y'_n stay in vectors 8 and 0 of s.k."""
    s = unpack(header)
    n, nq, size, k = s.n, s.nq, len(s.y), s.k
    last = size - 1
    flags, v, Q = part(header, FLAGS), part(header, V), part(header, STAGE_Q)
    base_q, base_v, a = part(header, BASE_Q), part(header, BASE_V), part(header, PLAIN_A)
    lam, powers = part(header, LAM), part(header, POWER)
    going = is_going_on(header)
    for i in range(size):
        k[8, i] = s.y[i]
        k[0, i] = s.ydot[i]
    for i in range(nq):
        base_q[i] = s.q[i]
    for i in range(n):
        base_v[i], a[i] = s.v[i], s.a[i]
    for l in range(len(s.lam)):
        lam[3 * len(s.lam) + l] = s.lam[l]
    status = solve_stages(header, f, t, h, going)
    if status != OK:
        return status
    error = estimate(header, h, a, k[0, last])
    if error > 1.0:
        error = min(error, refined(header, f, t, h))
    s.ctl.error = error
    if not error < 1e300:
        return NOT_FINITE
    for i in range(nq):
        s.q[i] = Q[2 * nq + i]
    for i in range(n):
        s.v[i] = v[2 * n + i]
    s.y[last] = k[8, last] + h * (A[2, 0] * powers[0] + A[2, 1] * powers[1] + A[2, 2] * powers[2])
    if error > 1.0:
        return OK  # it will be taken back
    status = settled(header, settle, t + h)
    if status == OK:
        status = f(header, t + h)
    if status != OK:
        return status
    # what the next step begins with: the slope of the polynomial, not the noise of stiff forces
    smooth_acceleration(header, h, 2, part(header, CHANGE))
    before, end = part(header, BEFORE_V), part(header, END)
    for i in range(n):
        s.a[i] = part(header, CHANGE)[i]
        before[i] = base_v[i]
    for i in range(3 * n):
        before[n + i] = v[i]
    for i in range(nq + n):
        end[i] = s.y[i]
    flags[GOING], flags[STEP_BEFORE] = 1.0, h
    return OK
