"""Newton-Raphson for the alpha family in natural coordinates, on a matrix of the coordinates alone.

Rows that are a little soft may be eliminated from the tangent of `newton`: with W = 1/soft

    (K + B^T W B) du = -(r + B^T W Phi),        dlam = W (Phi + B du)

is the same step, but the matrix is positive definite and has the pattern of M + B^T B, whose factor is sparse and
known beforehand. K = M + lam A + what springs add. The velocities and accelerations of the augmented Lagrangian method
at index 3 are projected with the last factor.   Cuadrado, Cardenal & Bayo (1997); [D.9], [S.4]
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ....kernels.forces import forces
from ....kernels.laws.law import elastic_part, other_part
from ....kernels.laws.slopes import slopes
from ....kernels.products import add_scaled, clear, copy, largest, mass_row
from ....kernels.rows import normal_matrix, row_times, rows, spread_multipliers
from ....kernels.strains.strain import add_stiffness as add_element_stiffness
from ....kernels.strains.strain import strain
from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ....machine.scratch import cut
from ...linear.static import factor_normal, solve_normal
from ...status import ITERATION, NO_INERTIA, OK
from ..settled import settled
from .alpha_rates import end_rates, end_step, end_variable, scale_of, variable
from .newton import newton, prediction_share, tell_worst

PROJECTION_SOFT, MOST = 1e-4, 30
"""how soft a row is in projections, against its own compliance; iterations of a step"""


class Workspace(NamedTuple):
    """Vectors, and their lengths."""

    q0: Any
    v0: Any
    acc_0: Any  # v' at the start and at the end
    acc_1: Any
    u: Any
    residual: Any
    lam: Any


@compiled()
def lengths(n, multipliers):
    """How long the vectors are."""
    return Workspace(n, n, n, n, n, n, multipliers)


def workspace_length(n: int, multipliers: int) -> int:
    """Numbers needed in all."""
    return sum(lengths.py_func(n, multipliers))


@compiled()
def workspace(header):
    """The vectors."""
    s = unpack(header)
    return cut(s.direct, lengths(s.n, len(s.weight)))


@compiled()
def add_bending(header, lam):
    """A += lam . (second derivatives of the rows)."""
    s = unpack(header)
    for l in range(len(s.bend_pos)):
        s.A[s.bend_pos[l]] += lam[s.bend_row[l]] * s.bend_val[l]


@compiled()
def add_stiffness(header, t, scale, by_rate):
    """A -= scale dQ/dq of springs, dampers and motors (of angles between bodies the part along the angle)."""
    s = unpack(header)
    place = 0
    for l in range(len(s.element_law)):
        law = s.element_law[l]
        value, rate, a, b, c, d = strain(header, l)
        force = elastic_part(header, law, value) + other_part(header, law, t, value, rate)
        stiff, damp = slopes(header, law, t, value, rate, s.par.length_scale)
        place = add_element_stiffness(header, l, place, force, stiff + by_rate * damp, scale, a, b, c, d)


@compiled()
def put_end(header, h):
    """Positions, velocities and accelerations at the end of the increment u."""
    s, w = unpack(header), workspace(header)
    for i in range(s.n):
        s.q[i] = w.q0[i] + w.u[i]
    end_rates(header, h, w.u, w.v0, w.acc_0, w.acc_1)


@compiled()
def residual(header, t, h, out):
    """out = scale (Q - M v') for the increment of the workspace; returns the power."""
    s, w, scale = unpack(header), workspace(header), scale_of(header, h)
    put_end(header, h)
    rows(header, t + h)
    power = forces(header, t + h)
    for i in range(s.n):
        out[i] = -scale * mass_row(header, i, w.acc_1, -s.Q[i])
    return power


@compiled()
def tangent(header, t, h):
    """The matrix at the present state."""
    s, w = unpack(header), workspace(header)
    normal_matrix(header, s.par.row_stiffness)
    add_bending(header, w.lam)
    if len(s.element_law) > 0:
        by_rate = s.par.newmark_gamma / (s.par.newmark_beta * h)
        add_stiffness(header, t + h, scale_of(header, h), by_rate)


@compiled()
def correct(header):
    """Increment and multipliers, with the rows eliminated."""
    s, w = unpack(header), workspace(header)
    r, lam, stiff = w.residual, w.lam, s.par.row_stiffness
    for c in range(len(s.active)):
        k = s.active[c]
        f = lam[k] + stiff * s.weight[k] * s.Phi[k]
        for e in range(s.jptr[k], s.jptr[k + 1]):
            r[s.jcol[e]] -= s.J[e] * f
    solve_normal(header, r)
    add_scaled(1.0, r, w.u)
    for c in range(len(s.active)):
        k = s.active[c]
        lam[k] += stiff * s.weight[k] * (s.Phi[k] + row_times(header, k, r))
    return largest(r)


@compiled()
def is_due(iteration, change, before):
    """With the whole tangent the changes fall by squares."""
    return iteration < 6 or iteration % 4 == 0


@compiled()
def stands_still(header, change, before, iteration):
    """Small changes (the next one would be of the square), or those of rounding that do not fall."""
    s = unpack(header)
    if change <= s.par.increment_tolerance * s.par.length_scale:
        return True
    return change > 0.5 * before and change < 1e-10 * max(s.par.length_scale, largest(workspace(header).q0))


iterate = newton(residual, tangent, factor_normal, correct, is_due, stands_still, MOST, 0)


@compiled()
def project_rates(header, t):
    """Velocities, then accelerations with their multipliers, onto the surfaces of the constraints, in the metric of M.

    Rows are softer here than in the iteration of positions: where the constraints lose rank, a stiff projection would
    turn what is left of their violation into accelerations.
    """
    s, w = unpack(header), workspace(header)
    r, stiff = w.residual, s.par.mass_scale / PROJECTION_SOFT
    rows(header, t)
    normal_matrix(header, stiff)
    if factor_normal(header) != 0:
        return NO_INERTIA
    for _ in range(2):
        clear(r)
        for c in range(len(s.active)):
            k = s.active[c]
            f = stiff * s.weight[k] * (row_times(header, k, s.v) + s.Phit[k])
            for e in range(s.jptr[k], s.jptr[k + 1]):
                r[s.jcol[e]] -= s.J[e] * f
        solve_normal(header, r)
        add_scaled(1.0, r, s.v)
    rows(header, t)  # the bias belongs to the new velocities
    copy(s.Q, r)
    for c in range(len(s.active)):
        k = s.active[c]
        f = s.lam[k] + stiff * s.weight[k] * s.bias[k]  # 000 (111a)
        for e in range(s.jptr[k], s.jptr[k + 1]):
            r[s.jcol[e]] -= s.J[e] * f
    solve_normal(header, r)
    for c in range(len(s.active)):
        k = s.active[c]
        s.lam[k] += stiff * s.weight[k] * (s.bias[k] + row_times(header, k, r))  # 000 (111b)
    copy(r, s.a)
    copy(r, variable(header))
    return OK


@compiled()
def step_natural(header, settle, t, h, projected):
    """One step of the family; velocities and accelerations are projected, positions and velocities put back on the
    constraints, if that was asked for."""
    s, w = unpack(header), workspace(header)
    a0, scale, share, before_power = variable(header), scale_of(header, h), prediction_share(header, h), s.power[0]
    copy(s.q, w.q0)
    copy(s.v, w.v0)
    copy(s.a, w.acc_0)
    for i in range(s.n):
        w.u[i] = h * (w.v0[i] + 0.5 * share * h * a0[i])
    for c in range(len(s.active)):
        w.lam[s.active[c]] = scale * s.lam[s.active[c]]
    converged, power = iterate(header, t, h, w.residual)
    if not converged:
        residual(header, t, h, w.residual)
        for c in range(len(s.active)):
            k = s.active[c]
            for e in range(s.jptr[k], s.jptr[k + 1]):
                w.residual[s.jcol[e]] -= s.J[e] * w.lam[k]
        tell_worst(header, w.residual, s.Phi[: s.m], scale)
        return ITERATION
    put_end(header, h)
    if len(s.element_law) + len(s.load_law) > 0:
        power = forces(header, t + h)
    end_variable(header, h, w.u, w.v0)
    copy(w.acc_1, s.a)
    for c in range(len(s.active)):
        s.lam[s.active[c]] = w.lam[s.active[c]] / scale
    if projected:
        status = project_rates(header, t + h)
        if status != OK:
            return status
    if s.opt.project_every != 0:
        status = settled(header, settle, t + h)
        if status != OK:
            return status
    if len(s.merge_row) > 0:
        spread_multipliers(header)
    return end_step(header, h, power, before_power)
