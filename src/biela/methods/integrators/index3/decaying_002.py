"""The energy-decaying scheme as 002 prints it: (27)-(29) with both states j and n+1 on the constraints (38), in natural
coordinates and, with the rotations of (53)-(55), in reference-point coordinates.

With u_h = D y the way from n to j, u_g that from j to n+1, and for turns twice the vector part of the Euler parameters
(85), where D = 1 is the text's scheme:

    p_n+1 - p_n + G_g (u_g + u_h) = h (F_g - B_g^T lam_g)                                              002 (27a)
    p_j - p_n + D/3 (p_n+1 - p_n + G_g (u_g + u_h)) + G_h u_h = D h/3 (F_h + 1/2 (f_j - f_n) - B_h^T lam_j)   002 (27b)
    u_g + u_h = h/2 (v_n+1 + v_j),    y = -h/6 (v_n+1 - v_j),    Phi_j = 0,    Phi_n+1 = 0             002 (28), (38)

Forces and gradients are means over their way and act through the axes half way of its turn, R_n F_h and R_j F_g. Of the
momenta, G_g u = -(J u_g/h) x u and G_h u = -(J u_h/h) x u, as (55) and (88) have it. All that G and the rows do is
without work, and energy falls by K_nj + V_nj as in `decaying`. `decaying` says what is gained by other rows.   [D.31]
"""

from __future__ import annotations

from ....kernels.calls import CONTRACT, GATHER, PLACE
from ....kernels.laws.law import motion
from ....machine.array_table import call_kernel, unpack
from ....machine.compiled import STEP, compiled
from ...formulations.parameters import DISSIPATION, LOOK, MASS, SIZE
from ...status import ITERATION, OK
from .conserving import begin_step
from .discrete_gradient import mean_forces, mean_rows, row_values
from .displacement import apply_increment
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
    QJ,
    RESIDUAL,
    ROWS,
    ROWS_H,
    V0,
    V1,
    VJ,
    X0,
    X1,
    XJ,
    U,
    parts,
)


@compiled()
def place_at(header, start, u, x):
    """s.q = `start` moved by u, and the variables x there; False where u is no displacement."""
    s = unpack(header)
    if not apply_increment(header, start, u, False):
        return False
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[PLACE], header)
    for i in range(len(s.x)):
        x[i] = s.x[i]
    return True


@compiled()
def add_way(header, start, u, F, J, share, h, lam, out):
    """out += share (B^T lam - h^2/2 F) of one way, through the axes half way of its turn."""
    s = unpack(header)
    if len(s.tree_calls) > 0:
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
    else:
        for i in range(s.n):
            s.Q[i] = F[i]
        for e in range(len(J)):
            s.J[e] = J[e]
    for i in range(s.n):
        out[i] -= share * 0.5 * h * h * s.Q[i]
    for k in range(s.m):
        for e in range(s.jptr[k], s.jptr[k + 1]):
            out[s.jcol[e]] += share * s.J[e] * lam[k]


@compiled()
def add_turned(header, momentum, u, out):
    """out += G u of every quaternion: -momentum x u.   002 (80), (88)"""
    s = unpack(header)
    for l in range(len(s.quat_q)):
        j = s.quat_v[l]
        a, b, c = momentum[j], momentum[j + 1], momentum[j + 2]
        x, y, z = u[j], u[j + 1], u[j + 2]
        out[j] -= b * z - c * y
        out[j + 1] -= c * x - a * z
        out[j + 2] -= a * y - b * x


@compiled()
def times_mass(header, u, out):
    """out = M u."""
    s = unpack(header)
    for i in range(s.n):
        w = 0.0
        for l in range(s.mptr[i], s.mptr[i + 1]):
            w += s.mval[l] * u[s.mcol[l]]
        out[i] = w


@compiled()
def residual(header, t, h, out):
    """(27a), (27b), Phi_j, Phi_n+1 for the unknowns u_g, y, h^2/2 (lam_g, lam_j); returns the work of forces without a
    potential, or nan where an increment is no displacement."""
    s = unpack(header)
    n, m, D = s.n, s.m, s.par[DISSIPATION]
    p = parts(header, 2)
    u, lam, q0, qj, p0, Phi = p[U], p[LAM], p[Q0], p[QJ], p[P0], p[PHI]
    x0, xj, x1, Fg, Fh, Jg, Jh = p[X0], p[XJ], p[X1], p[FORCE], p[FORCE_H], p[ROWS], p[ROWS_H]
    w, way = p[V1], p[VJ]  # scratch
    for i in range(n):
        way[i] = D * u[n + i]
    if not place_at(header, q0, way, xj):
        return float("nan")
    for i in range(s.nq):
        qj[i] = s.q[i]
    if not place_at(header, qj, u[:n], x1):
        return float("nan")
    row_values(header, xj, t, Phi[:m])
    row_values(header, x1, t + h, Phi[m:])
    mean_rows(header, xj, x1, Jg)
    mean_rows(header, x0, xj, Jh)
    work = mean_forces(header, t + 0.5 * h, xj, x1, xj, x1, h, 0.0, Fg)
    work += mean_forces(header, t, x0, xj, xj, x1, h, 0.5, Fh)
    first, second = out[:n], out[n : 2 * n]
    for i in range(n):  # p_n+1 - p_n and p_j - p_n
        ahead, after = -p0[i], -p0[i]
        for l in range(s.mptr[i], s.mptr[i + 1]):
            j = s.mcol[l]
            mean, jump = (u[j] + D * u[n + j]) / h, 3.0 * u[n + j] / h
            ahead += s.mval[l] * (mean - jump)
            after += s.mval[l] * (mean + jump)
        first[i], second[i] = ahead, after
    if len(s.quat_q) > 0:
        times_mass(header, way, w)
        for i in range(n):
            w[i] /= h
        add_turned(header, w, way, second)  # G_h u_h, with the momentum of (55)
        times_mass(header, u[:n], w)
        for i in range(n):
            w[i] /= h
            way[i] += u[i]
        add_turned(header, w, way, first)  # G_g (u_g + u_h)
        for i in range(n):
            way[i] -= u[i]
    for i in range(n):
        first[i] *= 0.5 * h
        second[i] = 0.5 * h * second[i] + D / 3.0 * first[i]
    add_way(header, qj, u[:n], Fg, Jg, 1.0, h, lam[:m], first)
    add_way(header, q0, way, Fh, Jh, D / 3.0, h, lam[m:], second)
    for k in range(2 * m):
        out[2 * n + k] = Phi[k]
    return work


@compiled()
def tangent(header, t, h):
    """Derivatives of the residual by differences (it is linear in the multipliers)."""
    s = unpack(header)
    n, m = s.n, s.m
    N = 2 * (n + m)
    p = parts(header, 2)
    T, u, lam, base, trial = p[MATRIX], p[U], p[LAM], p[BASE], p[CHANGE]
    residual(header, t, h, base)
    for j in range(N):
        unknown, at = (u, j) if j < 2 * n else (lam, j - 2 * n)
        d = 1e-7 * s.par[SIZE] if j < 2 * n else s.par[MASS]
        keep = unknown[at]
        unknown[at] = keep + d
        residual(header, t, h, trial)
        for i in range(N):
            T[i * N + j] = (trial[i] - base[i]) / d
        unknown[at] = keep
    residual(header, t, h, base)


@compiled(STEP)
def step(header, f, settle, t, h):
    """One step; the prediction has no jump."""
    s = unpack(header)
    n, m, D = s.n, s.m, s.par[DISSIPATION]
    begin_step(header, 2)
    p = parts(header, 2)
    u, lam, q0, v0, way = p[U], p[LAM], p[Q0], p[V0], p[VJ]
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
    if len(s.tree_calls) > 0:  # velocities are increments over h: what is left of them must be rounding, too
        improve(header, 2)
        work = residual(header, t, h, r)
    for i in range(n):
        way[i] = D * u[n + i]
    place_at(header, q0, way, p[XJ])
    for i in range(s.nq):
        p[QJ][i] = s.q[i]
    place_at(header, p[QJ], u[:n], p[X1])
    for i in range(n):
        s.v[i] = (u[i] + D * u[n + i] - 3.0 * u[n + i]) / h
        s.a[i] = (s.v[i] - v0[i]) / h
    for k in range(m):
        s.lam[k] = 2.0 * lam[k] / (h * h)
    for l in range(len(s.drv_row)):
        k, law = s.drv_row[l], s.drv_law[l]
        work -= s.lam[k] * (motion(header, law, t + h)[0] - motion(header, law, t)[0])
    s.y[len(s.y) - 1] += work
    return f(header, t + h) if s.opt[LOOK] != 0 else OK
