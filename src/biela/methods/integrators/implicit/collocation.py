"""Implicit methods whose unknowns are the velocities at one or two instants of the step: the mid-point rule, Gauss's
method of order four, and the trapezoidal rule solved by Newton-Raphson (000 4.2).

The stages of `stages` start from the state at the start, (q_b, v_b); for the trapezoidal rule, from half a step along
its rates.   [I.15]-[I.18]
"""

from __future__ import annotations

from ....kernels.products import copy
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...status import OK
from ..settled import evaluated
from .stage_newton import solve_stages
from .stages import quaternion, stage_workspace, times, turn

ROOT_3 = 3.0**0.5


@compiled()
def stages_from_start(header, f, t, h, stages):
    """The stages of a step whose base is the state at its start; how that went."""
    s, p = unpack(header), stage_workspace(header, stages)
    copy(s.q, p.base_q)
    copy(s.v, p.base_v)
    return solve_stages(header, f, t, h, stages, 0.5)


@compiled(STEP)
def midpoint(header, f, settle, t, h):
    """One step of the implicit mid-point rule: the end is as far from the middle as the start is."""
    s, p = unpack(header), stage_workspace(header, 1)
    last, work = len(s.y) - 1, s.y[len(s.y) - 1]
    status = stages_from_start(header, f, t, h, 1)
    if status != OK:
        return status
    for i in range(s.nq):
        s.q[i] = 2.0 * p.q[i] - p.base_q[i]
    for i in range(s.n):
        s.v[i] = 2.0 * p.v[i] - p.base_v[i]
    s.y[last] = work + h * p.power[0]
    return evaluated(header, f, settle, t + h)


@compiled(STEP)
def trapezoidal(header, f, settle, t, h):
    """One step of the trapezoidal rule, 000 (116)."""
    s, p = unpack(header), stage_workspace(header, 1)
    last, work, power = len(s.y) - 1, s.y[len(s.y) - 1], s.power[0]
    for i in range(s.nq):
        p.base_q[i] = s.q[i] + 0.5 * h * s.ydot[i]
    for i in range(s.n):
        p.base_v[i] = s.v[i] + 0.5 * h * s.a[i]
    status = solve_stages(header, f, t, h, 1, 1.0)
    if status != OK:
        return status
    copy(p.q, s.q)
    copy(p.v, s.v)
    s.y[last] = work + 0.5 * h * (power + p.power[0])
    if s.opt.project_every == 0 and s.run.near_singular == 0 and len(s.quat_q) == 0:
        return OK  # the last evaluation was that of the new state
    return evaluated(header, f, settle, t + h)


@compiled(STEP)
def gauss(header, f, settle, t, h):
    """One step of Gauss's method with two stages."""
    s, p = unpack(header), stage_workspace(header, 2)
    n, nq, last, work = s.n, s.nq, len(s.y) - 1, s.y[len(s.y) - 1]
    status = stages_from_start(header, f, t, h, 2)
    if status != OK:
        return status
    quaternions = len(s.quat_q)
    for l in range(n if quaternions == 0 else len(s.plain_q)):
        i, j = (l, l) if quaternions == 0 else (int(s.plain_q[l]), int(s.plain_v[l]))
        s.q[i] = p.base_q[i] + 0.5 * h * (p.v[j] + p.v[n + j])
    for l in range(quaternions):
        i, j = int(s.quat_q[l]), int(s.quat_v[l])
        first = times(quaternion(p.q, i), turn(p.v, j, h))
        second = times(quaternion(p.q, nq + i), turn(p.v, n + j, h))
        for e in range(4):
            s.q[i + e] = p.base_q[i + e] + 0.5 * (first[e] + second[e])
    for i in range(n):  # from the stages, not from their accelerations, which stiffness makes large
        s.v[i] = p.base_v[i] + ROOT_3 * (p.v[n + i] - p.v[i])
    s.y[last] = work + 0.5 * h * (p.power[0] + p.power[1])
    return evaluated(header, f, settle, t + h)
