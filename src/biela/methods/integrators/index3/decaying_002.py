"""The energy-decaying scheme as 002 prints it: (27)-(29) with both states j and n+1 on the constraints (38), in natural
coordinates and, with the rotations of (53)-(55), in reference-point coordinates.

With u_h = D y the increment from n to j, u_g that from j to n+1, and for turns twice the vector part of the Euler
parameters (85), where D = 1 is the text's scheme:

    p_n+1 - p_n + G_g (u_g + u_h) = h (F_g - B_g^T lam_g)                                              002 (27a)
    p_j - p_n + D/3 (p_n+1 - p_n + G_g (u_g + u_h)) + G_h u_h = D h/3 (F_h + 1/2 (f_j - f_n) - B_h^T lam_j)   002 (27b)
    u_g + u_h = h/2 (v_n+1 + v_j),    y = -h/6 (v_n+1 - v_j),    Phi_j = 0,    Phi_n+1 = 0             002 (28), (38)

Forces and gradients are means over their increment and act through the axes half way of its turn, R_n F_h and R_j F_g.
Of the momenta, G_g u = -(J u_g/h) x u and G_h u = -(J u_h/h) x u, as (55) and (88) have it. All that G and the rows do
is without work, and energy falls by K_nj + V_nj as in `decaying`, which says what is gained by other rows.   [D.31]
"""

from __future__ import annotations

from ....kernels.products import add_rows_transposed, add_scaled, copy, mass_row, mass_times
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from .discrete_gradient import mean_forces, mean_rows, row_values
from .galerkin import act_half_way, begin_step, driver_work, end_step, place_at
from .newton import dense_newton, dense_not_converged, difference_tangent
from .workspace import workspace


@compiled()
def add_turned(header, scale, momentum, u, out):
    """out += G u of every quaternion: -scale momentum x u.   002 (80), (88)"""
    s = unpack(header)
    for l in range(len(s.quat_q)):
        j = s.quat_v[l]
        a, b, c = scale * momentum[j], scale * momentum[j + 1], scale * momentum[j + 2]
        x, y, z = u[j], u[j + 1], u[j + 2]
        out[j] -= b * z - c * y
        out[j + 1] -= c * x - a * z
        out[j + 2] -= a * y - b * x


@compiled()
def add_forces(header, start, u, force, gradients, share, h, lam, out):
    """out += share (B^T lam - h^2/2 F) of one increment u, through the axes half way of its turn."""
    s = unpack(header)
    act_half_way(header, start, u, force, gradients)
    for i in range(s.n):
        out[i] -= share * 0.5 * h * h * s.Q[i]
    add_rows_transposed(header, share, s.J, lam, out)


@compiled()
def place_both(header):
    """x_j and x_n+1 of the increments of the workspace, and s.q at the end; False where one is no displacement."""
    s, w = unpack(header), workspace(header, 2, 2)
    for i in range(s.n):
        w.u_h[i] = s.par.dissipation * w.u[s.n + i]
    if not place_at(header, w.q0, w.u_h, w.xj):
        return False
    copy(s.q, w.qj)
    return place_at(header, w.qj, w.u, w.x1)


@compiled()
def residual(header, t, h, out):
    """(27a), (27b), Phi_j, Phi_n+1 for the unknowns u_g, y, h^2/2 (lam_g, lam_j); returns the work of forces without a
    potential, or nan where an increment is no displacement."""
    s, w = unpack(header), workspace(header, 2, 2)
    n, m, D = s.n, s.m, s.par.dissipation
    ug, y, lam_g, lam_j, u_h = w.u[:n], w.u[n:], w.lam[:m], w.lam[m:], w.u_h
    if not place_both(header):
        return float("nan")
    row_values(header, w.xj, t, out[2 * n : 2 * n + m])
    row_values(header, w.x1, t + h, out[2 * n + m :])
    mean_rows(header, w.xj, w.x1, w.rows)
    mean_rows(header, w.x0, w.xj, w.rows_j)
    work = mean_forces(header, t + 0.5 * h, w.xj, w.x1, w.xj, w.x1, h, 0.0, w.force)
    work += mean_forces(header, t, w.x0, w.xj, w.xj, w.x1, h, 0.5, w.force_j)
    first, second = out[:n], out[n : 2 * n]
    for i in range(n):  # p_n+1 - p_n and p_j - p_n
        along, across = mass_row(header, i, ug, 0.0), mass_row(header, i, y, 0.0)
        mean, jump = (along + D * across) / h, 3.0 * across / h
        first[i], second[i] = mean - jump - w.p0[i], mean + jump - w.p0[i]
    if len(s.quat_q) > 0:
        mass_times(header, u_h, w.momentum)
        add_turned(header, 1.0 / h, w.momentum, u_h, second)  # G_h u_h, with the momentum of (55)
        mass_times(header, ug, w.momentum)
        add_scaled(1.0, ug, u_h)
        add_turned(header, 1.0 / h, w.momentum, u_h, first)  # G_g (u_g + u_h)
        add_scaled(-1.0, ug, u_h)
    for i in range(n):
        first[i] *= 0.5 * h
        second[i] = 0.5 * h * second[i] + D / 3.0 * first[i]
    add_forces(header, w.qj, ug, w.force, w.rows, 1.0, h, lam_g, first)
    add_forces(header, w.q0, u_h, w.force_j, w.rows_j, D / 3.0, h, lam_j, second)
    return work


@compiled()
def no_columns(header):
    """Of the multipliers: by differences, too."""


@compiled()
def difference(header, k):
    """Of a multiplier; the residual is linear in it."""
    return unpack(header).par.mass_scale


tangent = difference_tangent(residual, 2, 2, no_columns, difference)
iterate = dense_newton(residual, tangent, 2, 2, ends=2)


@compiled(STEP)
def step(header, f, settle, t, h):
    """One step."""
    s, w = unpack(header), workspace(header, 2, 2)
    n, D = s.n, s.par.dissipation
    begin_step(header, h, 2, 2)
    converged, work = iterate(header, t, h, w.residual)
    if not converged:
        return dense_not_converged(header, 2, 2, 0.5 * h * h)
    place_both(header)
    for i in range(n):
        s.v[i] = (w.u[i] + D * w.u[n + i] - 3.0 * w.u[n + i]) / h
    for k in range(s.m):
        s.lam[k] = 2.0 * w.lam[k] / (h * h)
    return end_step(header, f, t, h, w.v0, work + driver_work(header, s.lam, t, t + h))
