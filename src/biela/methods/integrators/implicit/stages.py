"""The stages of an implicit step: weights, positions, and the equations of their velocities.

With V_i the velocities at t + c_i h and weights a_ij,

    q_i = q_b + h sum_j a_ij q'_j,    V_i = v_b + h sum_j a_ij f(q_j, V_j, t + c_j h)

Positions follow from velocities: quaternions too, whose stages p_i - sum_j a_ij p_j o w_j = p_b, w_j = h/2 omega_j, are
eliminated in their own algebra, their factors being on the right.   [I.17]

With A_q, A_v the derivatives of the accelerations at each stage, the corrections of Newton-Raphson solve

    sum_k (delta_ik - h a_ik A_v(k) - h^2 sum_j a_ij a_jk A_q(j)) dV_k = -r_i      [I.18], [I.28]

Another step h needs another factorisation, no other derivatives.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....kernels.products import copy
from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ....machine.scratch import cut
from ...linear.lu import lu_factor, lu_solve
from ...status import OK

_3, _6 = 3.0**0.5, 6.0**0.5
RADAU = np.array([
    [(88.0 - 7.0 * _6) / 360.0, (296.0 - 169.0 * _6) / 1800.0, (-2.0 + 3.0 * _6) / 225.0],
    [(296.0 + 169.0 * _6) / 1800.0, (88.0 + 7.0 * _6) / 360.0, (-2.0 - 3.0 * _6) / 225.0],
    [(16.0 - _6) / 36.0, (16.0 + _6) / 36.0, 1.0 / 9.0],
])  # fmt: skip
WEIGHTS, INSTANTS = np.zeros((4, 3, 3)), np.zeros((4, 3))
"""a_ij and c_i of the methods with one stage, two (Gauss) and three (Radau IIA; Hairer & Wanner IV.5)"""
WEIGHTS[1, 0, 0] = 0.5
WEIGHTS[2, :2, :2] = [[0.25, 0.25 - _3 / 6], [0.25 + _3 / 6, 0.25]]
WEIGHTS[3] = RADAU
INSTANTS[2, :2] = 0.5 - _3 / 6, 0.5 + _3 / 6
INSTANTS[3] = (4.0 - _6) / 10.0, (4.0 + _6) / 10.0, 1.0


class StageWorkspace(NamedTuple):
    """Vectors, and their lengths."""

    a_q: Any  # derivatives of the accelerations at each stage
    a_v: Any
    matrix: Any
    pivot: Any
    v: Any  # of the stages: velocities, positions, accelerations, multipliers, power
    q: Any
    acceleration: Any
    lam: Any
    power: Any
    residual: Any
    change: Any
    base_q: Any  # what the stages start from
    base_v: Any
    v_start: Any  # velocities, accelerations and multipliers at the start
    a_start: Any
    lam_start: Any
    turning: Any  # what multiplies the quaternions of the stages
    known: Any  # one number each: whether the derivatives are known, to which choice of coordinates they belong,
    choice: Any
    factored_for: Any  # the step that was factorised


@compiled()
def lengths(n, nq, multipliers, stages):
    """How long the vectors are."""
    N, tangents, m = stages * n, stages * n * n, multipliers
    return StageWorkspace(
        tangents, tangents, N * N, N, N, stages * nq, N, stages * m, stages, N, N, nq, n, n, n, m, 4 * stages * stages,
        1, 1, 1,
    )  # fmt: skip


def stage_workspace_length(arrays: Any, stages: int) -> int:
    """Numbers needed in all, for a system with these arrays."""
    return sum(lengths.py_func(arrays.n, arrays.nq, len(arrays.lam), stages))


@compiled()
def stage_workspace(header, stages):
    """The vectors."""
    s = unpack(header)
    return cut(s.direct, lengths(s.n, s.nq, len(s.lam), stages))


@compiled()
def instant(stages, i, c):
    """c_i: that of the one stage, or those of a method with several."""
    return c if stages == 1 else INSTANTS[stages, i]


# ------------------------------------------------------------------------------------------------------ quaternions
@compiled()
def times(a, b):
    """The product of two quaternions."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@compiled()
def inverse(a):
    """The quaternion that undoes another one."""
    f = 1.0 / (a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3])
    return f * a[0], -f * a[1], -f * a[2], -f * a[3]


@compiled()
def turn(v, at, h):
    """(0, h/2 omega)."""
    return 0.0, 0.5 * h * v[at], 0.5 * h * v[at + 1], 0.5 * h * v[at + 2]


@compiled()
def quaternion(x, at):
    """The quaternion at a place."""
    return x[at], x[at + 1], x[at + 2], x[at + 3]


@compiled()
def write(x, at, p):
    """A quaternion into its place."""
    x[at], x[at + 1], x[at + 2], x[at + 3] = p[0], p[1], p[2], p[3]


@compiled()
def subtract_product(x, at, a, b):
    """a o b from the quaternion at a place."""
    p = times(a, b)
    for e in range(4):
        x[at + e] -= p[e]


@compiled()
def stage_quaternions(header, h, stages, i, j):
    """Those at place i of the stages from the angular velocities at place j: sum_e p_e o c_ek = p_b for every stage k,
    c_ek = delta_ek - a_ke w_e, by elimination."""
    s, p = unpack(header), stage_workspace(header, stages)
    n, nq, Q, c = s.n, s.nq, p.q, p.turning
    for e in range(stages):
        w = turn(p.v, e * n + j, h)
        for k in range(stages):
            a = -WEIGHTS[stages, k, e]
            write(c, 4 * (e * stages + k), (1.0 if e == k else 0.0, a * w[1], a * w[2], a * w[3]))
        write(Q, e * nq + i, quaternion(p.base_q, i))
    for e in range(stages):
        own = inverse(quaternion(c, 4 * (e * stages + e)))
        write(c, 4 * (e * stages + e), own)
        for k in range(e + 1, stages):
            factor = times(own, quaternion(c, 4 * (e * stages + k)))
            subtract_product(Q, k * nq + i, quaternion(Q, e * nq + i), factor)
            for l in range(e + 1, stages):
                subtract_product(c, 4 * (l * stages + k), quaternion(c, 4 * (l * stages + e)), factor)
    for e in range(stages - 1, -1, -1):
        for l in range(e + 1, stages):
            subtract_product(Q, e * nq + i, quaternion(Q, l * nq + i), quaternion(c, 4 * (l * stages + e)))
        write(Q, e * nq + i, times(quaternion(Q, e * nq + i), quaternion(c, 4 * (e * stages + e))))


# --------------------------------------------------------------------------------------------------------- equations
@compiled()
def stage_positions(header, h, stages):
    """Positions of the stages from their velocities."""
    s, p = unpack(header), stage_workspace(header, stages)
    quaternions = len(s.quat_q)
    for l in range(s.n if quaternions == 0 else len(s.plain_q)):
        i, j = (l, l) if quaternions == 0 else (int(s.plain_q[l]), int(s.plain_v[l]))
        for k in range(stages):
            rate = 0.0
            for e in range(stages):
                rate += WEIGHTS[stages, k, e] * p.v[e * s.n + j]
            p.q[k * s.nq + i] = p.base_q[i] + h * rate
    for l in range(quaternions):
        stage_quaternions(header, h, stages, int(s.quat_q[l]), int(s.quat_v[l]))


@compiled()
def put_stage(header, stages, i):
    """s.q, s.v of stage i."""
    s, p = unpack(header), stage_workspace(header, stages)
    copy(p.q[i * s.nq : (i + 1) * s.nq], s.q)
    copy(p.v[i * s.n : (i + 1) * s.n], s.v)


@compiled()
def residual(header, f, t, h, stages, c):
    """r_i = V_i - v_b - h sum a_ij f_j; the status of the evaluations."""
    s, p = unpack(header), stage_workspace(header, stages)
    n, m = s.n, len(s.lam)
    stage_positions(header, h, stages)
    for i in range(stages):
        put_stage(header, stages, i)
        status = f(header, t + instant(stages, i, c) * h)
        if status != OK:
            return status
        copy(s.a, p.acceleration[i * n : (i + 1) * n])
        copy(s.lam, p.lam[i * m : (i + 1) * m])
        p.power[i] = s.power[0]
    for i in range(stages):
        for j in range(n):
            rate = 0.0
            for k in range(stages):
                rate += WEIGHTS[stages, i, k] * p.acceleration[k * n + j]
            p.residual[i * n + j] = p.v[i * n + j] - p.base_v[j] - h * rate
    return OK


@compiled()
def factorise(header, h, stages):
    """The equations of the corrections for the step h; 0 if that can be done."""
    s, p = unpack(header), stage_workspace(header, stages)
    n, N, G = s.n, stages * s.n, p.matrix
    for i in range(stages):
        for k in range(stages):
            for row in range(n):
                to, at = (i * n + row) * N + k * n, row * n
                for col in range(n):
                    w = 0.0
                    for j in range(stages):
                        w += WEIGHTS[stages, i, j] * WEIGHTS[stages, j, k] * p.a_q[j * n * n + at + col]
                    G[to + col] = -h * (WEIGHTS[stages, i, k] * p.a_v[k * n * n + at + col] + h * w)
                if i == k:
                    G[to + row] += 1.0
    p.factored_for[0] = h
    return lu_factor(G, N, p.pivot)


@compiled()
def correct(header, stages):
    """Velocities of the stages by one correction, which stays in `change`."""
    s, p = unpack(header), stage_workspace(header, stages)
    copy(p.residual, p.change)
    lu_solve(p.matrix, p.change, stages * s.n, p.pivot)
    for i in range(stages * s.n):
        p.v[i] -= p.change[i]
    s.run.iterations += 1


@compiled()
def note_worst(header, h, stages):
    """Which equation of motion is off most, and by how much, as an acceleration."""
    s, r, worst = unpack(header), stage_workspace(header, stages).residual, -1.0
    for i in range(stages * s.n):
        if not abs(r[i]) <= worst:
            worst = abs(r[i])
            s.mon.worst_equation, s.mon.worst_residual = i % s.n, abs(r[i]) / h
        if r[i] != r[i]:
            return
