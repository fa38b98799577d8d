"""The energy-decaying scheme of 002 section 4: discontinuous Galerkin, with an intermediate state j just after t_n.

With p = M v, u_h the increment from n to j and u_g that from j to n+1, and a dissipation D from 0 to 1 (full):

    p_n+1 - p_n = h (F_g - G_g)                                                                        002 (27a)
    p_j - p_n + D/3 (p_n+1 - p_n) = D h/3 (F_h + 1/2 (f_j - f_n) - G_h)                                002 (27b)
    u_g + u_h = h/2 (v_n+1 + v_j),     u_h = -D h/6 (v_n+1 - v_j)                                      002 (28)

The jump f_j - f_n is that of the stresses, on the discrete derivative of the strains. Energy falls by
1/2 (v_j - v_n) M (v_j - v_n) + 1/2 (eps_j - eps_n)(sigma_j - sigma_n), whatever D.

002 (38) puts the states j and n+1 on the constraints. As u_h is then a chord of the constraint surface, v_j and v_n+1
have the same component across it, and the jump there eats energy at first order in h. The rows hold instead at the end
of the step and where the straight line from j to n+1 meets a curved path: with accelerations a it is off by
h^2 a (1 - c) (c/2 - D/6) at the part c of the step, nothing at c = D/3 (with D = 1 the points of Radau). So

    x_a = (1 - c) x_j + c x_n+1,    G_g = c B_a^T lam_a + (1 - c) B_b^T lam_b,    G_h = B_a^T lam_a

where B_a, B_b are the discrete gradients from n to a and a to n+1: the work of these forces is
lam_a (Phi_a - Phi_n) + lam_b (Phi_n+1 - Phi_a) = 0, as before, and the order is better.

Velocities in between are linear from v_j to v_n+1. Dampers and laws of v see their mean in F_g, which is
(u_g + u_h) / h (u_g / h is off by h a / 6, and makes the scheme one of first order), and v_j in F_h, as the moments of
a linear force require: with D = 1 and a damper alone it is Radau's.

It is for natural coordinates, where bodies have no gyroscopic terms: points and vectors are the unknowns.
[D.10]-[D.13]
"""

from __future__ import annotations

from ....kernels.products import add_rows_transposed, mass_row
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from .discrete_gradient import mean_forces, mean_rows, row_values
from .galerkin import begin_step, driver_work, end_step
from .newton import dense_newton, dense_not_converged, difference_tangent, put_gradients
from .workspace import workspace


@compiled()
def residual(header, t, h, out):
    """(27a), (27b), Phi_a, Phi_n+1 for the unknowns u_g, y = u_h / D, h^2/2 (lam_a, lam_b); returns the work."""
    s, w = unpack(header), workspace(header, 2, 2)
    n, m, D = s.n, s.m, s.par.dissipation
    c, ug, y, lam_a, lam_b = D / 3.0, w.u[:n], w.u[n:], w.lam[:m], w.lam[m:]
    xa = w.xj  # x_j at first
    for i in range(n):
        xa[i] = w.q0[i] + D * y[i]
        w.x1[i] = xa[i] + ug[i]
    work = mean_forces(header, t + 0.5 * h, xa, w.x1, w.x0, w.x1, h, 0.0, w.force)
    x_h = out[:n]  # h v_j ahead of x_n
    for i in range(n):
        x_h[i] = w.x0[i] + ug[i] + (D + 3.0) * y[i]
    work += mean_forces(header, t, w.x0, xa, w.x0, x_h, h, 0.5, w.force_j)
    for i in range(n):
        xa[i] = (1.0 - c) * xa[i] + c * w.x1[i]
    row_values(header, xa, t + c * h, out[2 * n : 2 * n + m])
    row_values(header, w.x1, t + h, out[2 * n + m :])
    mean_rows(header, w.x0, xa, w.rows_j)
    mean_rows(header, xa, w.x1, w.rows)
    for i in range(n):  # M (u_g + u_h) / h and M 3 y / h: p_n+1 is their difference, p_j their sum
        along, across = mass_row(header, i, ug, 0.0), mass_row(header, i, y, 0.0)
        mean, jump = (along + D * across) / h, 3.0 * across / h
        ahead, after = mean - jump - w.p0[i], mean + jump - w.p0[i]  # p_n+1 - p_n, p_j - p_n
        out[i] = 0.5 * h * (ahead - h * w.force[i])
        out[n + i] = 0.5 * h * (after + c * ahead - D * h / 3.0 * w.force_j[i])
    add_rows_transposed(header, c, w.rows_j, lam_a, out[:n])
    add_rows_transposed(header, 1.0 - c, w.rows, lam_b, out[:n])
    add_rows_transposed(header, c, w.rows_j, lam_a, out[n : 2 * n])
    return work


@compiled()
def multiplier_columns(header):
    """Derivatives with respect to multipliers: gradients of the rows."""
    s, w = unpack(header), workspace(header, 2, 2)
    n, m, c, N = s.n, s.m, s.par.dissipation / 3.0, 2 * (s.n + s.m)
    put_gradients(header, c, w.rows_j, w.matrix, N, 0, 2 * n)
    put_gradients(header, 1.0 - c, w.rows, w.matrix, N, 0, 2 * n + m)
    put_gradients(header, c, w.rows_j, w.matrix, N, n, 2 * n)


iterate = dense_newton(residual, difference_tangent(residual, 2, 2, multiplier_columns), 2, 2)


@compiled(STEP)
def step(header, f, settle, t, h):
    """One step."""
    s, w = unpack(header), workspace(header, 2, 2)
    n, m, D = s.n, s.m, s.par.dissipation
    begin_step(header, h, 2, 2)
    converged, work = iterate(header, t, h, w.residual)
    if not converged:
        return dense_not_converged(header, 2, 2, 0.5 * h * h)
    ug, y, lam_a, lam_b = w.u[:n], w.u[n:], w.lam[:m], w.lam[m:]
    for i in range(n):
        s.q[i] = w.q0[i] + D * y[i] + ug[i]
        s.v[i] = (ug[i] + D * y[i] - 3.0 * y[i]) / h
    for k in range(m):
        s.lam[k] = 2.0 * (D * lam_a[k] + (3.0 - D) * lam_b[k]) / (3.0 * h * h)
    within = t + D * h / 3.0
    driven = driver_work(header, lam_a, t, within) + driver_work(header, lam_b, within, t + h)
    return end_step(header, f, t, h, w.v0, work + 2.0 / (h * h) * driven)
