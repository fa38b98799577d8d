"""What the Galerkin schemes of 002 share: how a step begins and ends, and how mean forces act on turning coordinates.

Their unknowns are increments u and multipliers lam' = h^2/2 lam.
"""

from __future__ import annotations

from ....kernels.calls import CONTRACT, GATHER, PLACE, WEIGH
from ....kernels.laws.law import motion
from ....kernels.products import clear, copy, mass_times
from ....machine.array_table import call_kernel, unpack
from ....machine.compiled import compiled
from ...status import OK
from .displacement import apply_increment
from .newton import prediction_share
from .workspace import workspace


@compiled()
def begin_step(header, h, ways):
    """Keep the state at the start of a step: x, q, v and the momenta M v; and predict its unknowns. An intermediate
    state has no jump at first."""
    s, w = unpack(header), workspace(header, ways, ways)
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[PLACE], header)
        call_kernel(s.tree_calls[WEIGH], header)
    copy(s.x, w.x0)
    copy(s.q, w.q0)
    copy(s.v, w.v0)
    mass_times(header, s.v, w.p0)
    n, m, share = s.n, s.m, prediction_share(header, h)
    for i in range(n):
        w.u[i] = h * s.v[i] + 0.5 * share * h * h * s.a[i]
        w.u[n + i] = -share * h * h * s.a[i] / 6.0
    for k in range(m):
        w.lam[k] = w.lam[m + k] = 0.5 * h * h * s.lam[k]


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
        way = motion(header, s.drv_law[l], end)[0] - motion(header, s.drv_law[l], begin)[0]
        work -= lam[s.drv_row[l]] * way
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
