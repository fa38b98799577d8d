"""The energy-decaying scheme of 002 section 4: discontinuous Galerkin, with an intermediate state j just after t_n.

With p = M v, u_h the way from n to j and u_g that from j to n+1, and a dissipation D from 0 (conserving) to 1 (full):

    p_n+1 - p_n = h (F_g - G_g)                                                                        002 (27a)
    p_j - p_n + D/3 (p_n+1 - p_n) = D h/3 (F_h + 1/2 (f_j - f_n) - G_h)                                002 (27b)
    u_g + u_h = h/2 (v_n+1 + v_j),     u_h = -D h/6 (v_n+1 - v_j)                                      002 (28)

The jump f_j - f_n is that of the stresses, on the discrete derivative of the strains. Energy falls by
1/2 (v_j - v_n) M (v_j - v_n) + 1/2 (eps_j - eps_n)(sigma_j - sigma_n), whatever D.

002 (38) puts the states j and n+1 on the constraints. As u_h is then a chord of the constraint surface, v_j and v_n+1
have the same component across it, and the jump there eats energy at first order in h. The rows hold instead at a third
of the step, x_a = (2 x_j + x_n+1) / 3, and at its end (the points of Radau), with

    G_g = 1/3 B_a^T lam_a + 2/3 B_b^T lam_b,    G_h = B_a^T lam_a

where B_a, B_b are the discrete gradients of the ways n to a and a to n+1: the work of these forces is
lam_a (Phi_a - Phi_n) + lam_b (Phi_n+1 - Phi_a) = 0, as before, and the order is better.

For turns (p_n+1 - p_n) is A_g (mu_n+1 - mu_n) + (e_g + e_h) x (mu_n+1 + mu_n): with e_g + e_h in both equations
gyroscopic terms do no work.   [D.10]-[D.14]
"""

from __future__ import annotations

from math import sqrt

from ...system.arena import call_kernel, unpack
from ...system.calls import CONTRACT, GATHER, PLACE
from ...system.compiled import STEP, compiled
from ...system.laws import motion
from ..formulations.parameters import DISSIPATION, LOOK, SIZE
from ..status import ITERATION, OK
from .conserving import begin_step
from .mean import mean_forces, mean_rows, row_values
from .newton import MOST, PATIENCE, factorise, improve, stands_still
from .room import BASE, CHANGE, FORCE, FORCE_H, LAM, MATRIX, P0, PHI, Q0, QJ, RESIDUAL, ROWS, ROWS_H, U, V0, X0, X1, XJ, parts
from .turning import apply_increment


@compiled()
def pulled_back(header, start, u, F, J):
    """Forces and gradients on x as forces and gradients of an increment: s.Q and s.J, with the axes half way."""
    s = unpack(header)
    if len(s.tree_calls) == 0:
        for i in range(s.n):
            s.Q[i] = F[i]
        for e in range(len(J)):
            s.J[e] = J[e]
        return
    apply_increment(header, start, u, True)
    for i in range(s.n):
        s.v[i] = 0.0
    call_kernel(s.tree_calls[PLACE], header)
    for i in range(len(s.x)):
        s.Qx[i] = F[i]
    for e in range(len(J)):
        s.Jx[e] = J[e]
    call_kernel(s.tree_calls[CONTRACT], header)
    call_kernel(s.tree_calls[GATHER], header)


@compiled()
def again(header, J):
    """Other gradients, with the axes that are there."""
    s = unpack(header)
    if len(s.tree_calls) == 0:
        for e in range(len(J)):
            s.J[e] = J[e]
        return
    for e in range(len(J)):
        s.Jx[e] = J[e]
    call_kernel(s.tree_calls[CONTRACT], header)


@compiled()
def add_rows(header, share, lam, out):
    """out += share B^T lam."""
    s = unpack(header)
    for k in range(s.m):
        for e in range(s.jptr[k], s.jptr[k + 1]):
            out[s.jcol[e]] += share * s.J[e] * lam[k]


@compiled()
def placed(header, start, u, x):
    """x after an increment."""
    s = unpack(header)
    if not apply_increment(header, start, u, False):
        return False
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[PLACE], header)
    for i in range(len(s.x)):
        x[i] = s.x[i]
    return True


@compiled()
def residual(header, t, h, out):
    """(27a), (27b), Phi_a, Phi_n+1 for the unknowns u_g, y = u_h / D, h^2/2 (lam_a, lam_b); returns the work."""
    s = unpack(header)
    n, m, D = s.n, s.m, s.par[DISSIPATION]
    p = parts(header, 2)
    ug, y, uh = p[U][:n], p[U][n:], s.r[:n]
    lam, q0, qj, p0, Phi = p[LAM], p[Q0], p[QJ], p[P0], p[PHI]
    x0, xj, x1, Fg, Fh, Ja, Jb = p[X0], p[XJ], p[X1], p[FORCE], p[FORCE_H], p[ROWS], p[ROWS_H]
    for i in range(n):
        uh[i] = D * y[i]
    if not placed(header, q0, uh, xj):
        return float("nan")
    for i in range(s.nq):
        qj[i] = s.q[i]
    if not placed(header, qj, ug, x1):
        return float("nan")
    work = mean_forces(header, t + 0.5 * h, xj, x1, xj, x1, h, 0.0, Fg)
    work += mean_forces(header, t, x0, xj, xj, x1, h, 0.5, Fh)
    for i in range(len(xj)):  # from here on xj is x_a
        xj[i] = (2.0 * xj[i] + x1[i]) / 3.0
    row_values(header, xj, t + h / 3.0, Phi[:m])
    row_values(header, x1, t + h, Phi[m:])
    mean_rows(header, x0, xj, Ja)
    mean_rows(header, xj, x1, Jb)
    for i in range(n):
        mean = 0.0  # M (u_g + u_h) / h, and M 3 y / h:  p_n+1 is their difference, p_j their sum
        jump = 0.0
        for l in range(s.mptr[i], s.mptr[i + 1]):
            j = s.mcol[l]
            mean += s.mval[l] * (ug[j] + uh[j]) / h
            jump += s.mval[l] * 3.0 * y[j] / h
        out[i] = mean - jump - p0[i]
        out[n + i] = mean + jump - p0[i]
    for i in range(n):
        out[n + i] = 0.5 * h * (out[n + i] + D / 3.0 * out[i])
        out[i] = 0.5 * h * out[i]
    for l in range(len(s.quat_q)):  # (27b) has the gyroscopic term, but not the operator A
        gyroscopic(header, s.quat_v[l], ug, uh, p0, h, D, out)
    pulled_back(header, qj, ug, Fg, Jb)
    for i in range(n):
        out[i] -= 0.5 * h * h * s.Q[i]
    add_rows(header, 2.0 / 3.0, lam[m:], out[:n])
    again(header, Ja)
    add_rows(header, 1.0 / 3.0, lam[:m], out[:n])
    pulled_back(header, q0, uh, Fh, Ja)
    for i in range(n):
        out[n + i] -= D / 3.0 * 0.5 * h * h * s.Q[i]
    add_rows(header, D / 3.0, lam[:m], out[n : 2 * n])
    for k in range(2 * m):
        out[2 * n + k] = Phi[k]
    return work


@compiled()
def gyroscopic(header, j, ug, uh, p0, h, D, out):
    """Turn mu1 - mu0 (scaled) into A_g (mu1 - mu0) + e x (mu1 + mu0) in (27a), and add the second part in (27b)."""
    n = len(p0)
    x, y, z = 0.5 * (ug[j] + uh[j]), 0.5 * (ug[j + 1] + uh[j + 1]), 0.5 * (ug[j + 2] + uh[j + 2])
    gx, gy, gz = 0.5 * ug[j], 0.5 * ug[j + 1], 0.5 * ug[j + 2]
    e0 = sqrt(max(0.0, 1.0 - gx * gx - gy * gy - gz * gz))
    a, b, c = out[j], out[j + 1], out[j + 2]
    px, py, pz = a + h * p0[j], b + h * p0[j + 1], c + h * p0[j + 2]  # h/2 (mu1 + mu0)
    along = (gx * a + gy * b + gz * c) / (1.0 + e0)
    tx, ty, tz = y * pz - z * py, z * px - x * pz, x * py - y * px
    out[j] = e0 * a + along * gx + tx
    out[j + 1] = e0 * b + along * gy + ty
    out[j + 2] = e0 * c + along * gz + tz
    out[n + j] += D / 3.0 * tx
    out[n + j + 1] += D / 3.0 * ty
    out[n + j + 2] += D / 3.0 * tz


@compiled()
def put_columns(header, share, T, row, column, N):
    """share B^T as a block of the tangent."""
    s = unpack(header)
    for k in range(s.m):
        for e in range(s.jptr[k], s.jptr[k + 1]):
            T[(row + s.jcol[e]) * N + column + k] = share * s.J[e]


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
    put_columns(header, D / 3.0, T, n, 2 * n, N)  # s.J holds B_a, with the axes half way from n to j
    pulled_back(header, p[QJ], u[:n], p[FORCE], p[ROWS])
    put_columns(header, 1.0 / 3.0, T, 0, 2 * n, N)
    again(header, p[ROWS_H])
    put_columns(header, 2.0 / 3.0, T, 0, 2 * n + m, N)
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
    u, lam, q0, qj, v0 = p[U], p[LAM], p[Q0], p[QJ], p[V0]
    for i in range(n):
        u[i] = h * s.v[i] + 0.5 * h * h * s.a[i]
        u[n + i] = -h * h * s.a[i] / 6.0
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
        converged = stands_still(header, change, before)
        if converged or not change < 1e3 * s.par[SIZE]:
            break
        before = change
    if not converged:
        return ITERATION
    uh = s.r[:n]
    for i in range(n):
        uh[i] = D * u[n + i]
    apply_increment(header, q0, uh, False)
    for i in range(s.nq):
        qj[i] = s.q[i]
    apply_increment(header, qj, u[:n], False)
    for i in range(n):
        s.v[i] = (u[i] + uh[i] - 3.0 * u[n + i]) / h
        s.a[i] = (s.v[i] - v0[i]) / h
    for k in range(m):
        s.lam[k] = 2.0 * (lam[k] + 2.0 * lam[m + k]) / (3.0 * h * h)
    for l in range(len(s.drv_row)):
        k, law = s.drv_row[l], s.drv_law[l]
        third = motion(header, law, t + h / 3.0)[0]
        work -= 2.0 / (h * h) * lam[k] * (third - motion(header, law, t)[0])
        work -= 2.0 / (h * h) * lam[m + k] * (motion(header, law, t + h)[0] - third)
    s.y[len(s.y) - 1] += work
    return f(header, t + h) if s.opt[LOOK] != 0 else OK
