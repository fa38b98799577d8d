"""Implicit methods whose unknowns are the velocities at one or two instants of the step: the mid-point rule, Gauss's
method of order four, and the trapezoidal rule solved by Newton-Raphson (000 4.2).

With V_i the velocities at t + c_i h and weights a_ij,

    q_i = q_b + h sum_j a_ij q'_j,    V_i = v_b + h sum_j a_ij f(q_j, V_j, t + c_j h)

(q_b, v_b) is the state at the start; for the trapezoidal rule, half a step along its rates.   [I.15]-[I.18]
"""

from __future__ import annotations

from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...status import OK
from ..settled import evaluated
from .stage_newton import solve_stages
from .stages import stage_workspace, times, turn

ROOT_3 = 3.0**0.5


@compiled(STEP)
def midpoint(header, f, settle, t, h):
    """One step of the implicit mid-point rule: the end is as far from the middle as the start is."""
    s = unpack(header)
    n, nq, last, work = s.n, s.nq, len(s.y) - 1, s.y[len(s.y) - 1]
    p = stage_workspace(header, 1)
    q0, v0, v, Q = p.base_q, p.base_v, p.v, p.stage_q
    for i in range(nq):
        q0[i] = s.q[i]
    for i in range(n):
        v0[i] = s.v[i]
    status = solve_stages(header, f, t, h, 1, 0.5)
    if status != OK:
        return status
    for i in range(nq):
        s.q[i] = 2.0 * Q[i] - q0[i]
    for i in range(n):
        s.v[i] = 2.0 * v[i] - v0[i]
    s.y[last] = work + h * p.power[0]
    return evaluated(header, f, settle, t + h)


@compiled(STEP)
def trapezoidal(header, f, settle, t, h):
    """One step of the trapezoidal rule, 000 (116)."""
    s = unpack(header)
    n, nq, last, work, power = s.n, s.nq, len(s.y) - 1, s.y[len(s.y) - 1], s.power[0]
    p = stage_workspace(header, 1)
    base, base_v, v, Q = p.base_q, p.base_v, p.v, p.stage_q
    for i in range(nq):
        base[i] = s.q[i] + 0.5 * h * s.ydot[i]
    for i in range(n):
        base_v[i] = s.v[i] + 0.5 * h * s.a[i]
    status = solve_stages(header, f, t, h, 1, 1.0)
    if status != OK:
        return status
    for i in range(nq):
        s.q[i] = Q[i]
    for i in range(n):
        s.v[i] = v[i]
    s.y[last] = work + 0.5 * h * (power + p.power[0])
    if s.opt.project_every == 0 and s.run.near_singular == 0 and len(s.quat_q) == 0:
        return OK  # the last evaluation was that of the new state
    return evaluated(header, f, settle, t + h)


@compiled(STEP)
def gauss(header, f, settle, t, h):
    """One step of Gauss's method with two stages."""
    s = unpack(header)
    n, nq, last, work = s.n, s.nq, len(s.y) - 1, s.y[len(s.y) - 1]
    p = stage_workspace(header, 2)
    q0, v0, v, Q = p.base_q, p.base_v, p.v, p.stage_q
    for i in range(nq):
        q0[i] = s.q[i]
    for i in range(n):
        v0[i] = s.v[i]
    status = solve_stages(header, f, t, h, 2, 0.5)
    if status != OK:
        return status
    quaternions = len(s.quat_q)
    for l in range(n if quaternions == 0 else len(s.plain_q)):
        i, j = (l, l) if quaternions == 0 else (int(s.plain_q[l]), int(s.plain_v[l]))
        s.q[i] = q0[i] + 0.5 * h * (v[j] + v[n + j])
    for l in range(quaternions):
        i, j = int(s.quat_q[l]), int(s.quat_v[l])
        first = times((Q[i], Q[i + 1], Q[i + 2], Q[i + 3]), turn(v, j, h))
        k = nq + i
        second = times((Q[k], Q[k + 1], Q[k + 2], Q[k + 3]), turn(v, n + j, h))
        for e in range(4):
            s.q[i + e] = q0[i + e] + 0.5 * (first[e] + second[e])
    for i in range(n):  # from the stages, not from their accelerations, which stiffness makes large
        s.v[i] = v0[i] + ROOT_3 * (v[n + i] - v[i])
    s.y[last] = work + 0.5 * h * (p.power[0] + p.power[1])
    return evaluated(header, f, settle, t + h)
