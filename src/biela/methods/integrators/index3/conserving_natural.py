"""The energy-conserving scheme of `conserving` in natural coordinates, on a matrix of the coordinates alone.

Rows are quadratics, so that their mean gradient is the mean of those at the ends, B* = (B_0 + B_1)/2. With rows a
little soft and eliminated,

    (K + B*^T W B_1) du = -(r + B*^T W Phi_1),        dlam = W (Phi_1 + B_1 du)

has the pattern of M + B^T B, and factors that are sparse and known beforehand, if not symmetric. Those of the predicted
position serve all iterations of a step, as long as they converge.   [D.5], [S.4]
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ....kernels.products import add_scaled, copy, largest, mass_row, mass_times
from ....kernels.rows import mass_matrix, rows
from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ....machine.scratch import cut
from ...linear.lu import lu_factor, lu_solve
from ...linear.static import factor_unlike, solve_unlike
from ...status import ITERATION
from .alpha_natural import add_bending, add_stiffness
from .discrete_gradient import mean_forces
from .galerkin import driver_work, end_step
from .newton import MOST, newton, prediction_share, tell_worst

SLOW = 0.05
"""of the change before: what a change must be below for the factors to serve on"""


class Workspace(NamedTuple):
    """Vectors, and their lengths."""

    x0: Any  # the start of the step: positions, velocities, momenta times h
    v0: Any
    p0: Any
    reach: Any  # one number: the largest position, or the size of the mechanism
    u: Any  # increments
    lam: Any  # multipliers times h^2/2, and half of that
    half_lam: Any
    x1: Any
    force: Any
    residual: Any
    rows_0: Any  # gradients at the start, and those that the factors have
    rows_f: Any
    matrix: Any  # what the factors have above the diagonal; or a dense matrix
    pivot: Any


@compiled()
def lengths(n, m, entries, fill):
    """How long the vectors are; `fill` is what the sparse factor has below its diagonal, 0 where it is dense."""
    return Workspace(n, n, n, 1, n, m, m, n, n, n, entries, entries, fill if fill > 0 else n * n, 0 if fill > 0 else n)


def workspace_length(n: int, m: int, entries: int, fill: int) -> int:
    """Numbers needed in all."""
    return sum(lengths.py_func(n, m, entries, fill))


@compiled()
def workspace(header):
    """The vectors."""
    s = unpack(header)
    return cut(s.direct, lengths(s.n, s.m, len(s.J), len(s.fill_row)))


@compiled(forceinline=True)
def residual(header, t, h, out):
    """out = h M v_n + h^2/2 F* - M u for the increment of the workspace; returns the work of forces without a
    potential."""
    s, w = unpack(header), workspace(header)
    n, work = s.n, 0.0
    for i in range(n):
        s.q[i] = w.x0[i] + w.u[i]
    rows(header, t + h)
    if len(s.element_law) + len(s.load_law) > 0:
        copy(s.q, w.x1)
        for i in range(n):
            s.v[i] = w.u[i] / h
        work = mean_forces(header, t + 0.5 * h, w.x0, w.x1, w.x0, w.x1, h, 0.0, w.force)
    for i in range(n):
        out[i] = w.p0[i] + 0.5 * h * h * w.force[i] - mass_row(header, i, w.u, 0.0)
    return work


@compiled(forceinline=True)
def tangent(header, t, h):
    """The matrix at the present position, and its gradients."""
    s, w = unpack(header), workspace(header)
    n, T, J0, sparse = s.n, w.matrix, w.rows_0, len(s.fill_ptr) > 0
    mass_matrix(header)
    copy(s.J, w.rows_f)
    for k in range(s.m):
        w.half_lam[k] = 0.5 * w.lam[k]
    add_bending(header, w.half_lam)
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
    s, w = unpack(header), workspace(header)
    if len(s.fill_ptr) > 0:
        return factor_unlike(s.A, w.matrix, s.n, s.fill_ptr, s.fill_to)
    return lu_factor(w.matrix, s.n, w.pivot)


@compiled()
def solve_with_factors(header, r):
    """r <- what the increment changes by."""
    s, w = unpack(header), workspace(header)
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
    s, w = unpack(header), workspace(header)
    r, JF, J0, stiff = w.residual, w.rows_f, w.rows_0, s.par.row_stiffness
    for k in range(s.m):
        f, g = 0.5 * w.lam[k], 0.5 * stiff * s.weight[k] * s.Phi[k]
        for e in range(s.jptr[k], s.jptr[k + 1]):
            r[s.jcol[e]] -= s.J[e] * f + JF[e] * g + J0[e] * (f + g)
    solve_with_factors(header, r)
    add_scaled(1.0, r, w.u)
    for k in range(s.m):
        gap = s.Phi[k]
        for e in range(s.jptr[k], s.jptr[k + 1]):
            gap += JF[e] * r[s.jcol[e]]
        w.lam[k] += stiff * s.weight[k] * gap
    return largest(r)


@compiled()
def is_due(iteration, change, before):
    """Where the last correction was not much smaller than the one before it."""
    return change > SLOW * before


@compiled(forceinline=True)
def stands_still(header, change, before, iteration):
    """Changes of rounding, or small ones that do not fall any more, as beside a singular position."""
    size, reach = unpack(header).par.length_scale, workspace(header).reach[0]
    small = (1e-13 if iteration < 12 else 1e-10) * reach
    return change <= max(2e-15 * size, 4e-16 * reach) or (change > 0.5 * before and change < small)


iterate = newton(residual, tangent, factor, correct, is_due, stands_still, MOST, 0)


@compiled()
def step_natural(header, f, t, h):
    """One step from the second-order prediction."""
    s, w = unpack(header), workspace(header)
    n, share = s.n, prediction_share(header, h)
    rows(header, t)
    copy(s.J, w.rows_0)
    copy(s.q, w.x0)
    w.reach[0] = max(s.par.length_scale, largest(s.q))
    copy(s.v, w.v0)
    copy(s.Q0, w.force)
    for i in range(n):
        w.u[i] = h * (s.v[i] + 0.5 * share * h * s.a[i])
        w.p0[i] = h * mass_row(header, i, s.v, 0.0)
    for k in range(s.m):
        w.lam[k] = 0.5 * h * h * s.lam[k]
    converged, work = iterate(header, t, h, w.residual)
    if not converged:  # the residual is the last change now: the forces that it stands for
        mass_times(header, w.residual, w.force)
        tell_worst(header, w.force, s.Phi[: s.m], 0.5 * h * h)
        return ITERATION
    for i in range(n):
        s.q[i] = w.x0[i] + w.u[i]
        s.v[i] = 2.0 * w.u[i] / h - w.v0[i]
    for k in range(s.m):
        s.lam[k] = 2.0 * w.lam[k] / (h * h)
    return end_step(header, f, t, h, w.v0, work + driver_work(header, s.lam, t, t + h))
