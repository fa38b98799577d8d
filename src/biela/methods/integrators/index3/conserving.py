"""The energy-conserving scheme of 002 section 3: continuous Galerkin, mid-point rule, discrete derivatives.

With u the increment of the step, and lam' = h^2/2 lam,

    M u - h M v_n - h^2/2 F*(x_n, x_n+1) + B*^T lam' = 0,    Phi(x_n+1, t_n+1) = 0,    v_n+1 = 2 u / h - v_n   002 (16)

F* and B* are the mean forces and gradients of `mean`. In natural coordinates M is constant and that is all. In
reference-point coordinates B* and F* act through the axes half way of the turn, and angular momenta mu = J w obey

    A (mu_n+1 - mu_n) + e x (mu_n+1 + mu_n) = h m*,   A = e0 + e e^T / (1 + e0)

which keeps momentum in space, R_n+1 mu_n+1 = R_n mu_n + h R_half m*, and energy (e . A = e).   [D.5]-[D.8]
"""

from __future__ import annotations

from math import sqrt

from ....kernels.calls import CONTRACT, GATHER, PLACE, WEIGH
from ....kernels.laws.law import motion
from ....machine.array_table import call_kernel, unpack
from ....machine.compiled import STEP, compiled
from ...formulations.parameters import LOOK, SIZE
from ...status import ITERATION, OK
from .conserving_natural import step_firm
from .discrete_gradient import mean_forces, mean_rows, row_slopes, row_values
from .discrete_tangent import force_tangent, row_tangent
from .displacement import apply_increment
from .newton import MOST, PATIENCE, believed, factorise, improve, stands_still, tell_worst
from .workspace import BASE, CHANGE, FORCE, LAM, MATRIX, P0, PHI, Q0, RESIDUAL, ROWS, ROWS_1, V0, X0, X1, U, parts


@compiled()
def turned_momenta(header, u, p0, r):
    """The rotational part of r = M v1 - p0 for quaternions: A (mu1 - mu0) + e x (mu1 + mu0) in place of mu1 - mu0."""
    s = unpack(header)
    for l in range(len(s.quat_q)):
        j = s.quat_v[l]
        x, y, z = 0.5 * u[j], 0.5 * u[j + 1], 0.5 * u[j + 2]
        e0 = sqrt(max(0.0, 1.0 - x * x - y * y - z * z))
        a, b, c = r[j], r[j + 1], r[j + 2]  # mu1 - mu0
        px, py, pz = a + 2.0 * p0[j], b + 2.0 * p0[j + 1], c + 2.0 * p0[j + 2]  # mu1 + mu0
        along = (x * a + y * b + z * c) / (1.0 + e0)
        r[j] = e0 * a + along * x + y * pz - z * py
        r[j + 1] = e0 * b + along * y + z * px - x * pz
        r[j + 2] = e0 * c + along * z + x * py - y * px


@compiled()
def residual(header, t, h, out):
    """out = (M u - h M v_n - ..., Phi) for the increment and the multipliers in the room; returns the work of forces
    without a potential, or nan where the increment is no displacement. B* is left in s.J."""
    s = unpack(header)
    n, m = s.n, s.m
    p = parts(header, 1)
    u, p0, lam, q0, x0, x1, F, J, Phi = p[U], p[P0], p[LAM], p[Q0], p[X0], p[X1], p[FORCE], p[ROWS], p[PHI]
    if not apply_increment(header, q0, u, False):
        return float("nan")
    tree = len(s.tree_calls) > 0
    if tree:
        call_kernel(s.tree_calls[PLACE], header)
    for i in range(len(s.x)):
        x1[i] = s.x[i]
    row_values(header, x1, t + h, Phi)
    mean_rows(header, x0, x1, J)
    work = mean_forces(header, t + 0.5 * h, x0, x1, x0, x1, h, 0.0, F)
    if tree:
        apply_increment(header, q0, u, True)
        for i in range(n):
            s.v[i] = 0.0
        call_kernel(s.tree_calls[PLACE], header)
        for i in range(len(s.x)):
            s.Qx[i] = F[i]
        for e in range(len(J)):
            s.Jx[e] = J[e]
        call_kernel(s.tree_calls[CONTRACT], header)
        call_kernel(s.tree_calls[GATHER], header)
    else:
        for i in range(n):
            s.Q[i] = F[i]
        for e in range(len(J)):
            s.J[e] = J[e]
    for i in range(n):  # M (v1 - v0), with v1 = 2 u / h - v0
        w = -2.0 * p0[i]
        for l in range(s.mptr[i], s.mptr[i + 1]):
            w += s.mval[l] * 2.0 * u[s.mcol[l]] / h
        out[i] = w
    if len(s.quat_q) > 0:
        turned_momenta(header, u, p0, out)
    for i in range(n):
        out[i] = 0.5 * h * (out[i] - h * s.Q[i])
    for k in range(m):
        for e in range(s.jptr[k], s.jptr[k + 1]):
            out[s.jcol[e]] += s.J[e] * lam[k]
        out[n + k] = Phi[k]
    return work


@compiled()
def natural_tangent(header, t, h):
    """Derivatives of the residual in natural coordinates, by formulas."""
    s = unpack(header)
    n, m, N = s.n, s.m, s.n + s.m
    p = parts(header, 1)
    T, lam, J1, x0, x1 = p[MATRIX], p[LAM], p[ROWS_1], p[X0], p[X1]
    for i in range(N * N):
        T[i] = 0.0
    for i in range(n):
        for l in range(s.mptr[i], s.mptr[i + 1]):
            T[i * N + s.mcol[l]] += s.mval[l]
    force_tangent(header, t + 0.5 * h, x0, x1, h, -0.5 * h * h, T, N)
    row_tangent(header, x0, x1, lam, T, N)
    row_slopes(header, x1, J1)
    for k in range(m):
        for e in range(s.xptr[k], s.xptr[k + 1]):
            i = s.xcol[e]
            T[i * N + n + k] = s.J[e]
            T[(n + k) * N + i] = J1[e]


@compiled()
def difference_tangent(header, t, h):
    """The same by differences, one column after the other, where coordinates turn."""
    s = unpack(header)
    n, m, N = s.n, s.m, s.n + s.m
    p = parts(header, 1)
    T, u, base, trial = p[MATRIX], p[U], p[BASE], p[CHANGE]
    residual(header, t, h, base)
    for i in range(N * N):
        T[i] = 0.0
    for k in range(m):
        for e in range(s.jptr[k], s.jptr[k + 1]):
            T[s.jcol[e] * N + n + k] = s.J[e]
    for j in range(n):
        keep = u[j]
        d = 1e-7 * s.par[SIZE]
        u[j] = keep + d
        residual(header, t, h, trial)
        for i in range(N):
            T[i * N + j] = (trial[i] - base[i]) / d
        u[j] = keep
    residual(header, t, h, base)


@compiled()
def tangent(header, t, h):
    """By formulas in natural coordinates, by differences elsewhere."""
    s = unpack(header)
    if len(s.tree_calls) > 0:
        difference_tangent(header, t, h)
    else:
        natural_tangent(header, t, h)


@compiled()
def begin_step(header, stages):
    """Keep the state at the start of a step: x, q, v and the momenta M v."""
    s = unpack(header)
    p = parts(header, stages)
    x0, q0, v0, p0 = p[X0], p[Q0], p[V0], p[P0]
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[PLACE], header)
        call_kernel(s.tree_calls[WEIGH], header)
    for i in range(len(s.x)):
        x0[i] = s.x[i]
    for i in range(s.nq):
        q0[i] = s.q[i]
    for i in range(s.n):
        v0[i] = s.v[i]
        w = 0.0
        for l in range(s.mptr[i], s.mptr[i + 1]):
            w += s.mval[l] * s.v[s.mcol[l]]
        p0[i] = w


@compiled(STEP)
def step(header, f, settle, t, h):
    """One step from the second-order prediction. Samples get the accelerations and multipliers of their own state."""
    s = unpack(header)
    if len(s.tree_calls) + len(s.trig_row) == 0:
        return step_firm(header, f, t, h)
    begin_step(header, 1)
    p = parts(header, 1)
    u, lam, q0, v0 = p[U], p[LAM], p[Q0], p[V0]
    share = believed(header, h)
    for i in range(s.n):
        u[i] = h * s.v[i] + 0.5 * share * h * h * s.a[i]
    for k in range(s.m):
        lam[k] = 0.5 * h * h * s.lam[k]
    r, before, work, converged = p[RESIDUAL], 1e300, residual(header, t, h, p[RESIDUAL]), False
    for iteration in range(MOST):
        if iteration % PATIENCE == 0:
            tangent(header, t, h)
            if work != work or factorise(header, 1) != 0:
                break
        change = improve(header, 1)
        work = residual(header, t, h, r)
        converged = stands_still(header, change, before, iteration)
        if converged or not change < 1e3 * s.par[SIZE]:
            break
        before = change
    if not converged:
        tell_worst(header, 1, 0.5 * h * h)
        return ITERATION
    if len(s.tree_calls) > 0:  # velocities are increments over h/2: what is left of them must be rounding, too
        improve(header, 1)
        work = residual(header, t, h, r)
    apply_increment(header, q0, u, False)
    for i in range(s.n):
        s.v[i] = 2.0 * u[i] / h - v0[i]
        s.a[i] = (s.v[i] - v0[i]) / h
    for k in range(s.m):
        s.lam[k] = 2.0 * lam[k] / (h * h)
    for l in range(len(s.drv_row)):
        k = s.drv_row[l]
        work -= s.lam[k] * (motion(header, s.drv_law[l], t + h)[0] - motion(header, s.drv_law[l], t)[0])
    s.y[len(s.y) - 1] += work
    return f(header, t + h) if s.opt[LOOK] != 0 else OK
