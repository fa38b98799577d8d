"""The energy-decaying scheme of 002 section 4: discontinuous Galerkin, with an intermediate state j just after t_n.

With p = M v, u_h the way from n to j and u_g that from j to n+1, and a dissipation D from 0 (conserving) to 1 (full):

    p_n+1 - p_n = h (F_g - G_g)                                                                        002 (27a)
    p_j - p_n + D/3 (p_n+1 - p_n) = D h/3 (F_h + 1/2 (f_j - f_n) - G_h)                                002 (27b)
    u_g + u_h = h/2 (v_n+1 + v_j),     u_h = -D h/6 (v_n+1 - v_j)                                      002 (28)

The jump f_j - f_n is that of the stresses, on the discrete derivative of the strains. Energy falls by
1/2 (v_j - v_n) M (v_j - v_n) + 1/2 (eps_j - eps_n)(sigma_j - sigma_n), whatever D.

002 (38) puts the states j and n+1 on the constraints. As u_h is then a chord of the constraint surface, v_j and v_n+1
have the same component across it, and the jump there eats energy at first order in h. The rows hold instead at the end
of the step and where the straight way from j to n+1 meets a curved one: with accelerations a it is off by
h^2 a (1 - c) (c/2 - D/6) at the part c of the step, nothing at c = D/3 (with D = 1 the points of Radau). So

    x_a = (1 - c) x_j + c x_n+1,    G_g = c B_a^T lam_a + (1 - c) B_b^T lam_b,    G_h = B_a^T lam_a

where B_a, B_b are the discrete gradients of the ways n to a and a to n+1: the work of these forces is
lam_a (Phi_a - Phi_n) + lam_b (Phi_n+1 - Phi_a) = 0, as before, and the order is better.

It is for natural coordinates, where bodies have no gyroscopic terms: points and vectors are the unknowns.
[D.10]-[D.13]
"""

from __future__ import annotations

from ....kernels.laws.law import motion
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...formulations.parameters import DISSIPATION, LOOK, SIZE
from ...status import ITERATION, OK
from .conserving import begin_step
from .discrete_gradient import mean_forces, mean_rows, row_values
from .newton import MOST, PATIENCE, believed, factorise, improve, stands_still, tell_worst
from .workspace import (
    BASE,
    CHANGE,
    FORCE,
    FORCE_H,
    LAM,
    MATRIX,
    P0,
    PHI,
    Q0,
    RESIDUAL,
    ROWS,
    ROWS_H,
    V0,
    X0,
    X1,
    XJ,
    U,
    parts,
)


@compiled()
def add_rows(header, share, J, lam, out):
    """out += share B^T lam."""
    s = unpack(header)
    for k in range(s.m):
        for e in range(s.jptr[k], s.jptr[k + 1]):
            out[s.jcol[e]] += share * J[e] * lam[k]


@compiled()
def residual(header, t, h, out):
    """(27a), (27b), Phi_a, Phi_n+1 for the unknowns u_g, y = u_h / D, h^2/2 (lam_a, lam_b); returns the work."""
    s = unpack(header)
    n, m, D = s.n, s.m, s.par[DISSIPATION]
    c = D / 3.0
    p = parts(header, 2)
    u, lam, q0, p0, Phi = p[U], p[LAM], p[Q0], p[P0], p[PHI]
    x0, xj, x1, Fg, Fh, Ja, Jb = p[X0], p[XJ], p[X1], p[FORCE], p[FORCE_H], p[ROWS], p[ROWS_H]
    for i in range(n):
        xj[i] = q0[i] + D * u[n + i]
        x1[i] = xj[i] + u[i]
    work = mean_forces(header, t + 0.5 * h, xj, x1, xj, x1, h, 0.0, Fg)
    work += mean_forces(header, t, x0, xj, xj, x1, h, 0.5, Fh)
    for i in range(len(xj)):  # from here on xj is x_a
        xj[i] = (1.0 - c) * xj[i] + c * x1[i]
    row_values(header, xj, t + c * h, Phi[:m])
    row_values(header, x1, t + h, Phi[m:])
    mean_rows(header, x0, xj, Ja)
    mean_rows(header, xj, x1, Jb)
    for i in range(n):
        mean = 0.0  # M (u_g + u_h) / h, and M 3 y / h:  p_n+1 is their difference, p_j their sum
        jump = 0.0
        for l in range(s.mptr[i], s.mptr[i + 1]):
            j = s.mcol[l]
            mean += s.mval[l] * (u[j] + D * u[n + j]) / h
            jump += s.mval[l] * 3.0 * u[n + j] / h
        ahead, after = mean - jump - p0[i], mean + jump - p0[i]  # p_n+1 - p_n, p_j - p_n
        out[i] = 0.5 * h * (ahead - h * Fg[i])
        out[n + i] = 0.5 * h * (after + D / 3.0 * ahead - D * h / 3.0 * Fh[i])
    add_rows(header, c, Ja, lam[:m], out[:n])
    add_rows(header, 1.0 - c, Jb, lam[m:], out[:n])
    add_rows(header, c, Ja, lam[:m], out[n : 2 * n])
    for k in range(2 * m):
        out[2 * n + k] = Phi[k]
    return work


@compiled()
def put_columns(header, share, J, T, row, column, N):
    """share B^T as a block of the tangent."""
    s = unpack(header)
    for k in range(s.m):
        for e in range(s.jptr[k], s.jptr[k + 1]):
            T[(row + s.jcol[e]) * N + column + k] = share * J[e]


@compiled()
def tangent(header, t, h):
    """Derivatives of the residual by differences; those with respect to multipliers are gradients of rows."""
    s = unpack(header)
    n, m, D = s.n, s.m, s.par[DISSIPATION]
    N = 2 * (n + m)
    p = parts(header, 2)
    T, u, base, trial = p[MATRIX], p[U], p[BASE], p[CHANGE]
    residual(header, t, h, base)
    for i in range(N * N):
        T[i] = 0.0
    put_columns(header, D / 3.0, p[ROWS], T, 0, 2 * n, N)
    put_columns(header, 1.0 - D / 3.0, p[ROWS_H], T, 0, 2 * n + m, N)
    put_columns(header, D / 3.0, p[ROWS], T, n, 2 * n, N)
    d = 1e-7 * s.par[SIZE]
    for j in range(2 * n):
        keep = u[j]
        u[j] = keep + d
        residual(header, t, h, trial)
        for i in range(N):
            T[i * N + j] = (trial[i] - base[i]) / d
        u[j] = keep
    residual(header, t, h, base)


@compiled(STEP)
def step(header, f, settle, t, h):
    """One step; the prediction has no jump."""
    s = unpack(header)
    n, m, D = s.n, s.m, s.par[DISSIPATION]
    begin_step(header, 2)
    p = parts(header, 2)
    u, lam, q0, v0 = p[U], p[LAM], p[Q0], p[V0]
    share = believed(header, h)
    for i in range(n):
        u[i] = h * s.v[i] + 0.5 * share * h * h * s.a[i]
        u[n + i] = -share * h * h * s.a[i] / 6.0
    for k in range(m):
        lam[k] = lam[m + k] = 0.5 * h * h * s.lam[k]
    r, before, work, converged = p[RESIDUAL], 1e300, residual(header, t, h, p[RESIDUAL]), False
    for iteration in range(MOST):
        if iteration % PATIENCE == 0:
            tangent(header, t, h)
            if work != work or factorise(header, 2) != 0:
                break
        change = improve(header, 2)
        work = residual(header, t, h, r)
        converged = stands_still(header, change, before, iteration)
        if converged or not change < 1e3 * s.par[SIZE]:
            break
        before = change
    if not converged:
        tell_worst(header, 2, 0.5 * h * h)
        return ITERATION
    for i in range(n):
        s.q[i] = q0[i] + D * u[n + i] + u[i]
        s.v[i] = (u[i] + D * u[n + i] - 3.0 * u[n + i]) / h
        s.a[i] = (s.v[i] - v0[i]) / h
    for k in range(m):
        s.lam[k] = 2.0 * (D * lam[k] + (3.0 - D) * lam[m + k]) / (3.0 * h * h)
    for l in range(len(s.drv_row)):
        k, law = s.drv_row[l], s.drv_law[l]
        within = motion(header, law, t + D * h / 3.0)[0]
        work -= 2.0 / (h * h) * lam[k] * (within - motion(header, law, t)[0])
        work -= 2.0 / (h * h) * lam[m + k] * (motion(header, law, t + h)[0] - within)
    s.y[len(s.y) - 1] += work
    return f(header, t + h) if s.opt[LOOK] != 0 else OK
