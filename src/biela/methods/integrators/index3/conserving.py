"""The energy-conserving scheme of 002 section 3: continuous Galerkin, mid-point rule, discrete derivatives.

With u the increment of the step, and lam' = h^2/2 lam,

    M u - h M v_n - h^2/2 F*(x_n, x_n+1) + B*^T lam' = 0,    Phi(x_n+1, t_n+1) = 0,    v_n+1 = 2 u / h - v_n   002 (16)

F* and B* are the mean forces and gradients of `discrete_gradient`. In natural coordinates M is constant and that is
all; without sines and cosines in the rows these are eliminated (`conserving_natural`). In reference-point coordinates
B* and F* act through the axes half way of the turn, and angular momenta mu = J w obey

    A (mu_n+1 - mu_n) + e x (mu_n+1 + mu_n) = h m*,   A = e0 + e e^T / (1 + e0)

which keeps momentum in space, R_n+1 mu_n+1 = R_n mu_n + h R_half m*, and energy (e . A = e).   [D.5]-[D.8]
"""

from __future__ import annotations

from math import sqrt

from ....kernels.products import add_rows_transposed, clear, mass_row
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...status import OK
from .conserving_natural import solve_natural
from .discrete_gradient import force_tangent, mean_forces, mean_rows, row_slopes, row_tangent, row_values
from .galerkin import act_half_way, apply_increment, begin_step, driver_work, end_step, place_at
from .newton import dense_newton, dense_not_converged, difference_tangent, put_gradients
from .workspace import workspace


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
    """out = (M u - h M v_n - ..., Phi) for the increment and the multipliers of the workspace; returns the work of
    forces without a potential, or nan where the increment is no displacement. B* is left in s.J."""
    s, w = unpack(header), workspace(header, 1, 1)
    n = s.n
    if not place_at(header, w.q0, w.u, w.x1):
        return float("nan")
    row_values(header, w.x1, t + h, out[n:])
    mean_rows(header, w.x0, w.x1, w.rows)
    work = mean_forces(header, t + 0.5 * h, w.x0, w.x1, w.x0, w.x1, h, 0.0, w.force)
    act_half_way(header, w.q0, w.u, w.force, w.rows)
    for i in range(n):  # M (v1 - v0), with v1 = 2 u / h - v0
        out[i] = 2.0 * (mass_row(header, i, w.u, 0.0) / h - w.p0[i])
    if len(s.quat_q) > 0:
        turned_momenta(header, w.u, w.p0, out)
    for i in range(n):
        out[i] = 0.5 * h * (out[i] - h * s.Q[i])
    add_rows_transposed(header, 1.0, s.J, w.lam, out)
    return work


by_differences = difference_tangent(residual, 1, 1)


@compiled()
def tangent(header, t, h):
    """Derivatives of the residual: by formulas in natural coordinates, by differences where coordinates turn."""
    s, w = unpack(header), workspace(header, 1, 1)
    if len(s.tree_calls) > 0:
        by_differences(header, t, h)
        return
    n, N, T = s.n, s.n + s.m, w.matrix
    clear(T)
    for i in range(n):
        for l in range(s.mptr[i], s.mptr[i + 1]):
            T[i * N + s.mcol[l]] += s.mval[l]
    force_tangent(header, t + 0.5 * h, w.x0, w.x1, h, -0.5 * h * h, T, N)
    row_tangent(header, w.x0, w.x1, w.lam, T, N)
    put_gradients(header, 1.0, s.J, T, N, 0, n)
    row_slopes(header, w.x1, w.rows_1)
    for k in range(s.m):
        for e in range(s.xptr[k], s.xptr[k + 1]):
            T[(n + k) * N + s.xcol[e]] = w.rows_1[e]


iterate = dense_newton(residual, tangent, 1, 1, ends=2)


@compiled()
def write_back(header, f, t, h, sets, work):
    """State, multipliers and work of a step that has converged."""
    s, w = unpack(header), workspace(header, 1, sets)
    apply_increment(header, w.q0, w.u, False)
    for i in range(s.n):
        s.v[i] = 2.0 * w.u[i] / h - w.v0[i]
    for k in range(s.m):
        s.lam[k] = 2.0 * w.lam[k] / (h * h)
    return end_step(header, f, t, h, w.v0, work + driver_work(header, s.lam, t, t + h))


@compiled(STEP)
def step(header, f, settle, t, h):
    """One step."""
    s = unpack(header)
    if len(s.tree_calls) + len(s.trig_row) == 0:
        status, work = solve_natural(header, t, h)
        return write_back(header, f, t, h, 0, work) if status == OK else status
    begin_step(header, h, 1, 1)
    converged, work = iterate(header, t, h, workspace(header, 1, 1).residual)
    if not converged:
        return dense_not_converged(header, 1, 1, 0.5 * h * h)
    return write_back(header, f, t, h, 1, work)
