"""The stages of an implicit step: the room they are computed in, their weights, and their positions.

Positions follow from velocities: quaternions too, whose stages p_i = p_b + sum_j a_ij p_j o w_j (w_j = h/2 omega_j) are
solved in their own algebra.   [I.17]
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ....machine.scratch import cut

A11, A12, A21 = 0.25, 0.25 - 3.0**0.5 / 6, 0.25 + 3.0**0.5 / 6
C1 = 0.5 - 3.0**0.5 / 6


class StageWorkspace(NamedTuple):
    """Vectors, and their lengths."""

    a_q: Any  # derivatives of the accelerations
    a_v: Any
    matrix: Any
    pivot: Any
    v: Any  # velocities of the stages
    residual: Any
    change: Any
    acceleration: Any
    base_q: Any  # what the stages start from
    base_v: Any
    start: Any  # velocities, accelerations and multipliers at the start
    rate: Any
    lam: Any
    stage_q: Any  # positions of the stages
    power: Any
    flags: Any


@compiled()
def lengths(n, nq, multipliers, stages):
    """How long the vectors are."""
    N = stages * n
    return StageWorkspace(n * n, n * n, N * N, N, N, N, N, N, nq, n, n, n, multipliers, stages * nq, 2, 3)


def collocation_room(n: int, nq: int, multipliers: int, stages: int) -> int:
    """Numbers needed in all."""
    return sum(lengths.py_func(n, nq, multipliers, stages))


@compiled()
def stage_workspace(header, stages):
    """The vectors."""
    s = unpack(header)
    return cut(s.direct, lengths(s.n, s.nq, len(s.lam), stages))


@compiled()
def weight(stages, i, j):
    """a_ij of the method."""
    if stages == 1:
        return 0.5
    return A11 if i == j else (A12 if i == 0 else A21)


@compiled()
def instant(stages, i, c):
    """c_i: that of the one stage, or of Gauss's two."""
    if stages == 1:
        return c
    return C1 if i == 0 else 1.0 - C1


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
def blend(a, x, b, y):
    """x a + y b."""
    return x * a[0] + y * b[0], x * a[1] + y * b[1], x * a[2] + y * b[2], x * a[3] + y * b[3]


@compiled()
def turn(v, at, h):
    """(0, h/2 omega)."""
    return 0.0, 0.5 * h * v[at], 0.5 * h * v[at + 1], 0.5 * h * v[at + 2]


@compiled()
def write(q, at, p):
    """A quaternion into its place."""
    q[at], q[at + 1], q[at + 2], q[at + 3] = p[0], p[1], p[2], p[3]


@compiled()
def stage_positions(header, h, stages):
    """Positions of the stages from their velocities."""
    s = unpack(header)
    n, nq, p = s.n, s.nq, stage_workspace(header, stages)
    base, v, Q = p.base_q, p.v, p.stage_q
    quaternions = len(s.quat_q)
    for l in range(n if quaternions == 0 else len(s.plain_q)):
        i, j = (l, l) if quaternions == 0 else (int(s.plain_q[l]), int(s.plain_v[l]))
        if stages == 1:
            Q[i] = base[i] + 0.5 * h * v[j]
        else:
            Q[i] = base[i] + h * (A11 * v[j] + A12 * v[n + j])
            Q[nq + i] = base[i] + h * (A21 * v[j] + A11 * v[n + j])
    one = (1.0, 0.0, 0.0, 0.0)
    for l in range(quaternions):
        i, j = int(s.quat_q[l]), int(s.quat_v[l])
        b = base[i], base[i + 1], base[i + 2], base[i + 3]
        w = turn(v, j, h)
        if stages == 1:
            write(Q, i, times(b, inverse(blend(one, 1.0, w, -0.5))))
            continue
        z = turn(v, n + j, h)
        g = inverse(blend(one, 1.0, w, -A11))
        gw = times(g, w)
        x = blend(blend(one, 1.0, z, -A11), 1.0, times(z, gw), -A12 * A21)
        second = times(times(b, blend(one, 1.0, gw, A21)), inverse(x))
        write(Q, nq + i, second)
        write(Q, i, times(blend(b, 1.0, times(second, z), A12), g))
