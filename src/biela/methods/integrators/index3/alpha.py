"""Newmark, HHT and generalized-alpha for the index-3 equations, in any coordinates (Arnold & Bruls 2007; on turning
coordinates Bruls, Cardona & Arnold 2012).

    q_1 = q_0 moved by  w = h v_0 + h^2 ((1/2 - beta) a_0 + beta a_1)        v_1 = v_0 + h ((1 - gamma) a_0 + gamma a_1)
    (1 - alpha_m) a_1 + alpha_m a_0 = (1 - alpha_f) v'_1 + alpha_f v'_0      M v'_1 + B^T lam_1 = Q_1,   Phi_1 = 0

a is a variable of the scheme beside v', namely v' a little later or earlier: a = v' + (alpha_m - alpha_f) h v'' + ...
It starts as that, and follows where the step changes. With alpha_m = alpha_f = 0 the scheme is Newmark's method, with
alpha_m = 0 that of Hilber, Hughes & Taylor.   [D.15]-[D.18]

In natural coordinates the rows are eliminated, and the matrix is positive definite. There the augmented Lagrangian
method at index 3 projects velocities and accelerations with the same pattern (Cuadrado, Cardenal & Bayo 1997).
"""

from __future__ import annotations

from ....kernels.forces import forces
from ....kernels.products import add_scaled, clear, copy, largest
from ....kernels.rows import add_transposed, normal_matrix, row_times, rows, spread_multipliers
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...formulations.shared import project
from ...linear.static import factor_normal, solve_normal
from ...status import NO_INERTIA, OK
from ..settled import settled
from .alpha_family import (
    add_rows,
    begin_multipliers,
    begin_step,
    begin_variable,
    end_step,
    end_variable,
    equations,
    move_to_end,
    scale_of,
    variable,
    write_back,
)
from .eliminated import add_curvature, add_stiffness, subtract_row_forces, update_multipliers
from .newton import dense_newton, dense_not_converged, difference_tangent, newton, not_converged
from .workspace import workspace

PROJECTION_SOFT, MOST = 1e-4, 30
"""how soft a row is in projections, against its own compliance; iterations of a step with rows eliminated"""


# -------------------------------------------------------------------------------------------------- any coordinates
@compiled()
def residual(header, t, h, out):
    """(M v' - Q + B^T lam, Phi), the first part scaled; returns the power."""
    power = equations(header, t, h, 1, workspace(header, 1, 1).u, out)
    add_rows(header, 1, out)
    return power


iterate = dense_newton(residual, difference_tangent(residual, 1, 1), 1, 1)


# -------------------------------------------------------------------- natural coordinates, with the rows eliminated
@compiled()
def residual_without_rows(header, t, h, out):
    """M v' - Q, scaled; returns the power."""
    return equations(header, t, h, 0, workspace(header, 1, 0).u, out)


@compiled()
def tangent(header, t, h):
    """M + B^T W B, the curvature of the rows and the stiffness of force elements."""
    s, w = unpack(header), workspace(header, 1, 0)
    normal_matrix(header, s.par.row_stiffness)
    add_curvature(header, 1.0, w.lam)
    if len(s.element_law) > 0:
        by_rate = s.par.newmark_gamma / (s.par.newmark_beta * h)
        add_stiffness(header, t + h, scale_of(header, h), by_rate)


@compiled()
def correct(header):
    """Increment and multipliers."""
    s, w = unpack(header), workspace(header, 1, 0)
    for i in range(s.n):
        w.change[i] = -w.residual[i]
    subtract_row_forces(header, w.lam, s.par.row_stiffness, s.Phi, w.change)
    solve_normal(header, w.change)
    add_scaled(1.0, w.change, w.u)
    update_multipliers(header, s.par.row_stiffness, s.Phi, w.change, w.lam)
    return largest(w.change)


@compiled()
def is_due(iteration, change, before):
    """With the whole tangent the changes fall by squares."""
    return iteration < 6 or iteration % 4 == 0


@compiled()
def has_converged(header, change, before, iteration):
    """Small changes (the next one would be of the square), or those of rounding that do not fall."""
    s = unpack(header)
    if change <= s.par.increment_tolerance * s.par.length_scale:
        return True
    return change > 0.5 * before and change < 1e-10 * workspace(header, 1, 0).reach[0]


iterate_eliminated = newton(
    residual_without_rows, tangent, factor_normal, correct, is_due, has_converged, MOST, ends=0
)


@compiled()
def project_rates(header, t):
    """Velocities, then accelerations with their multipliers, onto the surfaces of the constraints, in the metric of M.

    Rows are softer here than in the iteration of positions: where the constraints lose rank, a stiff projection would
    turn what is left of their violation into accelerations.
    """
    s, w = unpack(header), workspace(header, 1, 0)
    r, stiffness = w.change, s.par.mass_scale / PROJECTION_SOFT
    rows(header, t)
    normal_matrix(header, stiffness)
    if factor_normal(header) != 0:
        return NO_INERTIA
    for _ in range(2):
        clear(r)
        for c in range(len(s.active)):
            k = s.active[c]
            s.Phid[k] = row_times(header, k, s.v) + s.Phit[k]
        add_transposed(header, s.Phid, -stiffness, r)
        solve_normal(header, r)
        add_scaled(1.0, r, s.v)
    rows(header, t)  # the bias belongs to the new velocities
    copy(s.Q, r)
    subtract_row_forces(header, s.lam, stiffness, s.bias, r)  # 000 (111a)
    solve_normal(header, r)
    update_multipliers(header, stiffness, s.bias, r, s.lam)
    copy(r, s.a)
    copy(r, variable(header))
    return OK


@compiled()
def step_eliminated(header, settle, t, h, projected):
    """One step; velocities and accelerations are projected, positions and velocities put back on the constraints, if
    that was asked for."""
    s, w = unpack(header), workspace(header, 1, 0)
    scale, before_power = scale_of(header, h), s.power[0]
    begin_step(header, h, 0)
    for c in range(len(s.active)):
        w.lam[s.active[c]] = scale * s.lam[s.active[c]]
    converged, power = iterate_eliminated(header, t, h, w.residual)
    if not converged:
        for i in range(s.n):
            w.residual[i] = -w.residual[i]
        subtract_row_forces(header, w.lam, 0.0, s.Phi, w.residual)
        return not_converged(header, w.residual, s.Phi[: s.m], scale)
    move_to_end(header, h, 0, w.u)
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


# ------------------------------------------------------------------------------------------------------------ steps
@compiled(STEP)
def step(header, f, settle, t, h):
    """One step. Velocities and positions are put back on the constraints if that was asked for."""
    s = unpack(header)
    begin_variable(header, f, t, h)
    if len(s.tree_calls) == 0:
        return step_eliminated(header, settle, t, h, False)
    before_power = s.power[0]
    begin_step(header, h, 1)
    begin_multipliers(header, h, 1)
    converged, power = iterate(header, t, h, workspace(header, 1, 1).residual)
    if not converged:
        return dense_not_converged(header, 1, 1, scale_of(header, h))
    write_back(header, h, 1)
    if s.opt.project_every != 0:
        status = settled(header, settle, t + h)
        if status != OK:
            return status
    return end_step(header, h, power, before_power)


@compiled(STEP)
def step_projected(header, f, settle, t, h):
    """The same with velocities and accelerations projected at every step, in the metric of M (Bayo & Ledesma 1996,
    Cuadrado, Cardenal & Bayo 1997): those of the constraints' own surfaces."""
    s = unpack(header)
    if len(s.tree_calls) == 0:
        begin_variable(header, f, t, h)
        return step_eliminated(header, settle, t, h, True)
    status = step(header, f, settle, t, h)
    if status != OK:
        return status
    status = project(header, t + h)
    if status != OK:
        return status
    status = f(header, t + h)
    copy(s.a, variable(header))
    return status
