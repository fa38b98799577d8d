"""The energy-conserving scheme of `conserving` in natural coordinates, with the rows eliminated.

Rows are quadratics, so that their mean gradient is the mean of those at the ends, B* = (B_0 + B_1)/2. With rows a
little soft and eliminated,

    (K + B*^T W B_1) du = -(r + B*^T (lam + W Phi_1)),        lam <- lam + W (Phi_1 + B_1 du)

has the pattern of M + B^T B, and factors that are sparse and known beforehand, if not symmetric. Those of the predicted
position serve all iterations of a step, as long as they converge.   [D.5], [S.4]
"""

from __future__ import annotations

from ....kernels.products import add_rows_transposed, add_scaled, copy, largest, mass_row
from ....kernels.rows import mass_matrix, rows
from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ...linear.lu import lu_factor, lu_solve
from ...linear.static import factor_unlike, solve_unlike
from ...status import OK
from .discrete_gradient import mean_forces
from .eliminated import add_curvature, add_stiffness
from .galerkin import begin_step
from .newton import MOST, has_converged, newton, not_converged
from .workspace import workspace

SLOW = 0.05
"""of the change before: what a change must be below for the factors to serve on"""


@compiled(forceinline=True)
def residual(header, t, h, out):
    """M u - h M v_n - h^2/2 F* for the increment of the workspace; returns the work of forces without a potential."""
    s, w = unpack(header), workspace(header, 1, 0)
    n, work = s.n, 0.0
    for i in range(n):
        s.q[i] = w.q0[i] + w.u[i]
    rows(header, t + h)
    if len(s.element_law) + len(s.load_law) > 0:
        copy(s.q, w.x1)
        for i in range(n):
            s.v[i] = w.u[i] / h
        work = mean_forces(header, t + 0.5 * h, w.x0, w.x1, w.x0, w.x1, h, 0.0, w.force)
    for i in range(n):
        out[i] = mass_row(header, i, w.u, 0.0) - h * (w.p0[i] + 0.5 * h * w.force[i])
    return work


@compiled(forceinline=True)
def tangent(header, t, h):
    """The matrix at the present position, and its gradients."""
    s, w = unpack(header), workspace(header, 1, 0)
    n, T, J0, sparse = s.n, w.matrix, w.rows_0, len(s.fill_ptr) > 0
    mass_matrix(header)
    copy(s.J, w.rows_1)
    add_curvature(header, 0.5, w.lam)
    if len(s.element_law) > 0:
        add_stiffness(header, t + 0.5 * h, 0.25 * h * h, 2.0 / h)
    if sparse:
        for p in range(len(s.fill_row)):
            T[p] = s.A[n + p]
    else:
        for i in range(n):
            for j in range(i + 1):
                T[i * n + j] = T[j * n + i] = s.A[i * n + j]
    for l in range(len(s.pair_pos)):
        e, g = s.pair_e[l], s.pair_f[l]
        stiff = 0.5 * s.par.row_stiffness * s.pair_weight[l]
        x, y = stiff * (s.J[e] + J0[e]) * s.J[g], stiff * (s.J[g] + J0[g]) * s.J[e]
        if s.pair_flip[l] != 0:
            x, y = y, x
        k = s.pair_pos[l]
        if sparse:
            s.A[k] += x
            if k >= n:
                T[k - n] += y
        else:
            i, j = k // n, k % n
            T[i * n + j] += x
            if i != j:
                T[j * n + i] += y


@compiled(forceinline=True)
def factor(header):
    """Its factors; 0 if that can be done."""
    s, w = unpack(header), workspace(header, 1, 0)
    if len(s.fill_ptr) > 0:
        return factor_unlike(s.A, w.matrix, s.n, s.fill_ptr, s.fill_to)
    return lu_factor(w.matrix, s.n, w.pivot)


@compiled()
def solve_with_factors(header, r):
    """r <- what the increment changes by."""
    s, w = unpack(header), workspace(header, 1, 0)
    if len(s.fill_ptr) == 0:
        lu_solve(w.matrix, r, s.n, w.pivot)
        return
    for i in range(s.n):
        s.fill_w[i] = r[s.fill_order[i]]
    solve_unlike(s.A, w.matrix, s.fill_w, s.n, s.fill_ptr, s.fill_row)
    for i in range(s.n):
        r[s.fill_order[i]] = s.fill_w[i]


@compiled(forceinline=True)
def correct(header):
    """Increment and multipliers. Forces of the rows are as they are, but their violation acts through the gradients of
    the factors."""
    s, w = unpack(header), workspace(header, 1, 0)
    d, J0, J1, stiff = w.change, w.rows_0, w.rows_1, s.par.row_stiffness
    for i in range(s.n):
        d[i] = -w.residual[i]
    for k in range(s.m):
        f, g = 0.5 * w.lam[k], 0.5 * stiff * s.weight[k] * s.Phi[k]
        for e in range(s.jptr[k], s.jptr[k + 1]):
            d[s.jcol[e]] -= s.J[e] * f + J1[e] * g + J0[e] * (f + g)
    solve_with_factors(header, d)
    add_scaled(1.0, d, w.u)
    for k in range(s.m):
        gap = s.Phi[k]
        for e in range(s.jptr[k], s.jptr[k + 1]):
            gap += J1[e] * d[s.jcol[e]]
        w.lam[k] += stiff * s.weight[k] * gap
    return largest(d)


@compiled()
def is_due(iteration, change, before):
    """Where the last correction was not much smaller than the one before it."""
    return change > SLOW * before


@compiled(forceinline=True)
def converged(header, change, before, iteration):
    """`has_converged`."""
    return has_converged(header, 1, 0, change, before, iteration)


iterate = newton(residual, tangent, factor, correct, is_due, converged, MOST, ends=0)


@compiled()
def solve_natural(header, t, h):
    """Increment and multipliers of a step, from the second-order prediction: (status, work)."""
    s, w = unpack(header), workspace(header, 1, 0)
    begin_step(header, h, 1, 0)
    rows(header, t)
    copy(s.J, w.rows_0)
    copy(s.Q0, w.force)
    done, work = iterate(header, t, h, w.residual)
    if done:
        return OK, work
    for J in (s.J, w.rows_0):
        add_rows_transposed(header, 0.5, J, w.lam, w.residual)
    return not_converged(header, w.residual, s.Phi[: s.m], 0.5 * h * h), work
