"""The three stages of Radau IIA: weights, positions from velocities, and a first guess from the step before.

    q_i = q_0 + h sum_j a_ij q'_j,    V_i = v_0 + h sum_j a_ij f(q_j, V_j, t + c_j h)      Hairer & Wanner IV.5, IV.8
"""

from __future__ import annotations

import numpy as np

from ....machine.array_table import unpack
from ....machine.compiled import compiled
from .radau_workspace import BASE_Q, BASE_V, BEFORE_V, END, FLAGS, GOING, STAGE_Q, STEP_BEFORE, V, part
from .stages import blend, inverse, times, turn, write

_6 = 6.0**0.5
C = np.array([(4.0 - _6) / 10.0, (4.0 + _6) / 10.0, 1.0])
A = np.array([
    [(88.0 - 7.0 * _6) / 360.0, (296.0 - 169.0 * _6) / 1800.0, (-2.0 + 3.0 * _6) / 225.0],
    [(296.0 + 169.0 * _6) / 1800.0, (88.0 + 7.0 * _6) / 360.0, (-2.0 - 3.0 * _6) / 225.0],
    [(16.0 - _6) / 36.0, (16.0 + _6) / 36.0, 1.0 / 9.0],
])  # fmt: skip
INVERSE = np.linalg.inv(A)
SQUARE = A @ A
LONGER = 8.0
"""times the last step: no guess goes on along its polynomial that far"""


@compiled()
def stage_positions(header, h):
    """Positions of the stages from their velocities. Quaternions p_i - sum_j a_ij p_j o w_j = p_0, w_j = h/2 omega_j,
    are eliminated in their own algebra, their factors being on the right.   [I.17]"""
    s = unpack(header)
    n, nq = s.n, s.nq
    base, v, Q = part(header, BASE_Q), part(header, V), part(header, STAGE_Q)
    quaternions = len(s.quat_q)
    for l in range(n if quaternions == 0 else len(s.plain_q)):
        i, j = (l, l) if quaternions == 0 else (int(s.plain_q[l]), int(s.plain_v[l]))
        for k in range(3):
            Q[k * nq + i] = base[i] + h * (A[k, 0] * v[j] + A[k, 1] * v[n + j] + A[k, 2] * v[2 * n + j])
    one = (1.0, 0.0, 0.0, 0.0)
    for l in range(quaternions):
        i, j = int(s.quat_q[l]), int(s.quat_v[l])
        p = base[i], base[i + 1], base[i + 2], base[i + 3]
        w0, w1, w2 = turn(v, j, h), turn(v, n + j, h), turn(v, 2 * n + j, h)
        # c_jk = (1 if j = k) - a_kj w_j multiplies p_j in equation k
        first = inverse(blend(one, 1.0, w0, -A[0, 0]))
        f01, f02 = times(first, w0), times(first, w0)
        # from equation 1 and 2 take equation 0 times first o c_0k
        f01, f02 = blend(f01, -A[1, 0], one, 0.0), blend(f02, -A[2, 0], one, 0.0)
        c11 = blend(blend(one, 1.0, w1, -A[1, 1]), 1.0, times(w1, f01), A[0, 1])
        c21 = blend(blend(w2, -A[1, 2], one, 0.0), 1.0, times(w2, f01), A[0, 2])
        c12 = blend(blend(w1, -A[2, 1], one, 0.0), 1.0, times(w1, f02), A[0, 1])
        c22 = blend(blend(one, 1.0, w2, -A[2, 2]), 1.0, times(w2, f02), A[0, 2])
        r1, r2 = blend(p, 1.0, times(p, f01), -1.0), blend(p, 1.0, times(p, f02), -1.0)
        second = inverse(c11)
        g = times(second, c12)
        p2 = times(blend(r2, 1.0, times(r1, g), -1.0), inverse(blend(c22, 1.0, times(c21, g), -1.0)))
        p1 = times(blend(r1, 1.0, times(p2, c21), -1.0), second)
        rest = blend(blend(p, 1.0, times(p1, w1), A[0, 1]), 1.0, times(p2, w2), A[0, 2])
        write(Q, i, times(rest, first))
        write(Q, nq + i, p1)
        write(Q, 2 * nq + i, p2)


@compiled()
def cubic_weight(k, x):
    """Weight at x of value k of those at 0, c_1, c_2, 1."""
    w = 1.0
    at = 0.0 if k == 0 else C[k - 1]
    for l in range(4):
        if l != k:
            other = 0.0 if l == 0 else C[l - 1]
            w *= (x - other) / (at - other)
    return w


@compiled()
def is_going_on(header):
    """Whether the state is the one that the last step has ended in: no event, no other beginning."""
    s = unpack(header)
    end, flags = part(header, END), part(header, FLAGS)
    if flags[GOING] == 0.0:
        return False
    for i in range(s.nq + s.n):
        if end[i] != s.y[i]:
            return False
    return True


@compiled()
def predict(header, h, along):
    """Velocities of the stages: along the polynomial of the last step, or those at the start."""
    s = unpack(header)
    n, v, base, before = s.n, part(header, V), part(header, BASE_V), part(header, BEFORE_V)
    last = part(header, FLAGS)[STEP_BEFORE]
    for i in range(3):
        for j in range(n):
            v[i * n + j] = base[j]
        if along and h < LONGER * last:
            x = 1.0 + C[i] * h / last
            w0, w1, w2, w3 = cubic_weight(0, x), cubic_weight(1, x), cubic_weight(2, x), cubic_weight(3, x)
            for j in range(n):  # (the state has been put back on the constraints since)
                off = w0 * before[j] + w1 * before[n + j] + w2 * before[2 * n + j] + (w3 - 1.0) * before[3 * n + j]
                v[i * n + j] += off


@compiled()
def smooth_acceleration(header, h, i, out):
    """The slope of the collocation polynomial at stage i: what f is there once the step has converged, without the
    noise that stiff forces make of the smallest error in the velocities."""
    n = unpack(header).n
    v, base = part(header, V), part(header, BASE_V)
    for j in range(n):
        w = 0.0
        for k in range(3):
            w += INVERSE[i, k] * (v[k * n + j] - base[j])
        out[j] = w / h
