"""What the Galerkin schemes of 002 share: how a step begins and ends, and finite displacements (002 section 5).

Their unknowns are increments u and multipliers lam' = h^2/2 lam. An increment is that of a velocity. For a quaternion
it is 2 e, e the vector part of the Euler parameters of the turn (002 (52)); for an angle of the plane likewise
2 sin(delta phi / 2). Then directions of a body change by exactly R_half (2 e x k): what the velocities are for
infinitesimal turns holds for finite ones with the axes half way.   [D.6]
"""

from __future__ import annotations

from math import asin, sqrt

from ....kernels.calls import CONTRACT, GATHER, PLACE, WEIGH
from ....kernels.laws.law import motion
from ....kernels.products import clear, copy, mass_times
from ....machine.array_table import call_kernel, unpack, unpack_tree
from ....machine.compiled import compiled
from ...status import OK
from .newton import keep_state, prediction_share
from .workspace import workspace


@compiled()
def begin_step(header, h, states, sets):
    """Keep the state at the start of a step: x, q, v and the momenta M v; and predict its unknowns. An intermediate
    state has no jump at first."""
    s, w = unpack(header), workspace(header, states, sets)
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[PLACE], header)
        call_kernel(s.tree_calls[WEIGH], header)
    keep_state(header, states, sets)
    copy(s.x, w.x0)
    mass_times(header, s.v, w.p0)
    n, m, share = s.n, s.m, prediction_share(header, h)
    for i in range(n):
        w.u[i] = h * s.v[i] + 0.5 * share * h * h * s.a[i]
        w.u[n + i] = -share * h * h * s.a[i] / 6.0
    for k in range(m):
        w.lam[k] = w.lam[m + k] = 0.5 * h * h * s.lam[k]


@compiled()
def apply_increment(header, start, u, half):
    """s.q = the coordinates `start` moved by u (half: by half of the turn). Returns False where u is no turn."""
    s = unpack(header)
    share = 0.5 if half else 1.0
    if len(s.quat_q) == 0:
        for i in range(s.n):
            s.q[i] = start[i] + share * u[i]
        if len(s.tree_calls) > 0:
            tr = unpack_tree(header)
            for d in range(len(tr.tree_kind)):
                if tr.tree_kind[d] == 1:
                    if not abs(u[d]) < 2.0:
                        return False
                    s.q[tr.tree_q[d]] = start[tr.tree_q[d]] + share * 2.0 * asin(0.5 * u[d])
        return True
    for l in range(len(s.plain_q)):
        s.q[s.plain_q[l]] = start[s.plain_q[l]] + share * u[s.plain_v[l]]
    for l in range(len(s.quat_q)):
        i, j = s.quat_q[l], s.quat_v[l]
        x, y, z = 0.5 * u[j], 0.5 * u[j + 1], 0.5 * u[j + 2]
        rest = 1.0 - x * x - y * y - z * z
        if not rest > 0.0:
            return False
        w = sqrt(rest)
        if half:  # half of the turn
            scale = 1.0 / sqrt(2.0 * (1.0 + w))
            w, x, y, z = (1.0 + w) * scale, x * scale, y * scale, z * scale
        a, b, c, e = start[i], start[i + 1], start[i + 2], start[i + 3]
        s.q[i] = a * w - b * x - c * y - e * z
        s.q[i + 1] = b * w + a * x + c * z - e * y
        s.q[i + 2] = c * w + a * y + e * x - b * z
        s.q[i + 3] = e * w + a * z + b * y - c * x
    return True


@compiled()
def place_at(header, start, u, x):
    """s.q = `start` moved by u, and the variables x there; False where u is no displacement."""
    s = unpack(header)
    if not apply_increment(header, start, u, False):
        return False
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[PLACE], header)
    copy(s.x, x)
    return True


@compiled()
def act_half_way(header, start, u, force, gradients):
    """s.Q and s.J of forces and gradients on the variables x, through the axes half way of the turn u."""
    s = unpack(header)
    if len(s.tree_calls) == 0:
        copy(force, s.Q)
        copy(gradients, s.J)
        return
    apply_increment(header, start, u, True)
    clear(s.v)
    call_kernel(s.tree_calls[PLACE], header)
    copy(force, s.Qx)
    copy(gradients, s.Jx)
    call_kernel(s.tree_calls[CONTRACT], header)
    call_kernel(s.tree_calls[GATHER], header)


@compiled()
def driver_work(header, lam, begin, end):
    """Work of the drivers from one time to another, with constant multipliers."""
    s, work = unpack(header), 0.0
    for l in range(len(s.drv_row)):
        driven = motion(header, s.drv_law[l], end)[0] - motion(header, s.drv_law[l], begin)[0]
        work -= lam[s.drv_row[l]] * driven
    return work


@compiled()
def end_step(header, f, t, h, v0, work):
    """Accelerations and work of a step to the velocities s.v. Samples get the accelerations and multipliers of their
    own state."""
    s = unpack(header)
    for i in range(s.n):
        s.a[i] = (s.v[i] - v0[i]) / h
    s.y[len(s.y) - 1] += work
    return f(header, t + h) if s.run.multipliers_wanted != 0 else OK
