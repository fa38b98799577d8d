"""Radau IIA of order five with three stages, error-controlled: for stiff mechanisms (Hairer & Wanner, IV.5 and IV.8).

Its stages collocate, the last one is the end of the step, and it is L-stable: what decays faster than the steps follow
is gone after one of them. The velocities of the stages are found by Newton-Raphson with exact tangents of springs,
dampers and laws, in any coordinates.
"""

from __future__ import annotations

from math import sqrt

from ....kernels.products import copy
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...linear.lu import lu_solve
from ...status import NOT_FINITE, OK
from ..settled import settled
from ..step_vectors import step_vectors
from .acceleration_tangent import tangent_workspace
from .radau_newton import REAL, STAGES, is_going_on, radau_workspace, smooth_acceleration, solve_stages
from .stages import RADAU, stage_workspace

E1, E2, E3 = -(13.0 + 7.0 * 6.0**0.5) / 3.0, (-13.0 + 7.0 * 6.0**0.5) / 3.0, -1.0 / 3.0


@compiled()
def displacement_error(header, h):
    """q'_0 + (E1 z_1 + E2 z_2 + E3 z_3)/h of the positions, given like velocities: quaternions as twice the turn."""
    s, p, out = unpack(header), stage_workspace(header, STAGES), radau_workspace(header).error_q
    nq, base, Q, v0 = s.nq, p.base_q, p.q, p.base_v
    quaternions = len(s.quat_q)
    for l in range(s.n if quaternions == 0 else len(s.plain_q)):
        i, j = (l, l) if quaternions == 0 else (int(s.plain_q[l]), int(s.plain_v[l]))
        z = E1 * (Q[i] - base[i]) + E2 * (Q[nq + i] - base[i]) + E3 * (Q[2 * nq + i] - base[i])
        out[j] = v0[j] + z / h
    for l in range(quaternions):
        i, j = int(s.quat_q[l]), int(s.quat_v[l])
        a, b, c, d = base[i], base[i + 1], base[i + 2], base[i + 3]
        x, y, z, w = 0.0, 0.0, 0.0, 0.0
        for k in range(STAGES):
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
    s, p, own = unpack(header), stage_workspace(header, STAGES), radau_workspace(header)
    tangents = tangent_workspace(header)
    n, g, v, base, eq, ev = s.n, REAL / h, p.v, p.base_v, own.error_q, own.error_v
    displacement_error(header, h)
    for i in range(n):
        z = E1 * (v[i] - base[i]) + E2 * (v[n + i] - base[i]) + E3 * (v[2 * n + i] - base[i])
        w = a[i] + z / h
        for j in range(n):
            w += p.a_q[i * n + j] * eq[j] / g
        ev[i] = w
    lu_solve(own.filter, ev, n, own.filter_pivot)
    total, W = 0.0, 0.0
    for i in range(n):
        eq[i] = (eq[i] + ev[i]) / g
        scale = s.ctl.absolute_tolerance + s.ctl.relative_tolerance * max(abs(base[i]), abs(v[2 * n + i]))
        total += (ev[i] / scale) ** 2
    quaternions = len(s.quat_q)
    for l in range(n if quaternions == 0 else len(s.plain_q)):
        i, j = (l, l) if quaternions == 0 else (int(s.plain_q[l]), int(s.plain_v[l]))
        total += (eq[j] / (s.ctl.absolute_tolerance + s.ctl.relative_tolerance * abs(p.base_q[i]))) ** 2
    for l in range(quaternions):
        for k in range(3):
            total += (0.5 * eq[int(s.quat_v[l]) + k] / (s.ctl.absolute_tolerance + s.ctl.relative_tolerance)) ** 2
    # the work: z_W = h sum a_ij P_j
    for k in range(STAGES):
        W += (E1 * RADAU[0, k] + E2 * RADAU[1, k] + E3 * RADAU[2, k]) * p.power[k]
    W += power
    for i in range(n):
        W += tangents.p_q[i] * eq[i] + tangents.p_v[i] * ev[i]
    scale = 10.0 * s.ctl.relative_tolerance * max(s.ctl.largest_energy, s.ctl.negligible_energy)
    if scale > 0.0:
        total += (W / (g * scale)) ** 2
    return sqrt(total / (2 * n + 1))


@compiled()
def refined(header, f, t, h):
    """The estimate with f at the start moved by the first estimate: an error that decays at once is none (8.20)."""
    s, p, own = unpack(header), stage_workspace(header, STAGES), radau_workspace(header)
    copy(p.base_q, s.q)
    for i in range(s.n):
        s.v[i] = p.base_v[i] + own.error_v[i]
    if len(s.quat_q) == 0:
        for i in range(s.n):
            s.q[i] += own.error_q[i]
    if f(header, t) != OK:
        return 1e300
    return estimate(header, h, s.a, s.power[0])


@compiled(STEP)
def step(header, f, settle, t, h):
    """One trial step, with its error in s.ctl.error."""
    s, p, own, kept = unpack(header), stage_workspace(header, STAGES), radau_workspace(header), step_vectors(header)
    n, nq, last, going = s.n, s.nq, len(s.y) - 1, is_going_on(header)
    copy(s.y, kept.y_0)
    copy(s.ydot, kept.ydot_0)
    copy(s.q, p.base_q)
    copy(s.v, p.base_v)
    copy(s.a, p.a_start)
    copy(s.lam, p.lam_start)
    status = solve_stages(header, f, t, h, going)
    if status != OK:
        return status
    error = estimate(header, h, p.a_start, kept.ydot_0[last])
    if error > 1.0:
        error = min(error, refined(header, f, t, h))
    s.ctl.error = error
    if not error < 1e300:
        return NOT_FINITE
    copy(p.q[2 * nq :], s.q)
    copy(p.v[2 * n :], s.v)
    power = RADAU[2, 0] * p.power[0] + RADAU[2, 1] * p.power[1] + RADAU[2, 2] * p.power[2]
    s.y[last] = kept.y_0[last] + h * power
    if error > 1.0:
        return OK  # it will be taken back
    status = settled(header, settle, t + h)
    if status == OK:
        status = f(header, t + h)
    if status != OK:
        return status
    # what the next step begins with: the slope of the polynomial, not the noise of stiff forces
    smooth_acceleration(header, h, 2, s.a)
    copy(p.base_v, own.v_before)
    copy(p.v, own.v_before[n:])
    copy(s.y[: nq + n], own.end)
    own.going[0], own.step_before[0] = 1.0, h
    return OK
