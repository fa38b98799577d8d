"""The energy-conserving scheme of `conserving` in natural coordinates, on a matrix of the coordinates alone.

Rows are quadratics, so that their mean gradient is the mean of those at the ends, B* = (B_0 + B_1)/2. With rows a
little soft and eliminated,

    (K + B*^T W B_1) du = -(r + B*^T W Phi_1),        dlam = W (Phi_1 + B_1 du)

has the pattern of M + B^T B, and factors that are sparse and known beforehand, if not symmetric. Those of the predicted
position serve all iterations of a step, as long as they converge.   [D.5], [S.4]
"""

from __future__ import annotations

from ....kernels.laws.law import motion
from ....kernels.rows import mass_matrix, rows
from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ...formulations.parameters import FIRM, ITERATIONS, LOOK, SIZE
from ...linear.lu import lu_factor, lu_solve
from ...linear.static import factor_unlike, solve_unlike
from ...status import ITERATION, OK
from .alpha_natural import add_bending, add_stiffness
from .discrete_gradient import mean_forces
from .newton import MOST, believed, tell_worst_of

X0, V0, P0, U, F, R, X1 = range(7)
PARTS = 7
"""vectors of the size of v in the room; multipliers, the gradients at the start and of the factors, a matrix follow"""
SLOW = 0.05
"""of the change before: what a change must be below for the factors to serve on"""


def firm_room(n: int, rows: int, entries: int, fill: int) -> int:
    """Numbers needed in all; `fill` is what the sparse factor has below its diagonal, 0 where it is dense."""
    return PARTS * n + 2 * rows + 2 * entries + (fill or n * n + n)


@compiled()
def factorise(header, t, h, lam, J0, JT, T, firm):
    """The factors at the present position, whose gradients are kept in JT; 0 if that can be done."""
    s = unpack(header)
    n, m, size, sparse = s.n, s.m, s.n * s.n, len(s.fill_ptr) > 0
    mass_matrix(header)
    for e in range(len(JT)):
        JT[e] = s.J[e]
    for k in range(m):
        lam[m + k] = 0.5 * lam[k]
    add_bending(header, lam[m : 2 * m])
    if len(s.line_law) + len(s.cf_law) + len(s.tor_law) > 0:
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
        w = 0.5 * firm * s.pair_weight[l]
        x, y = w * (s.J[e] + J0[e]) * s.J[g], w * (s.J[g] + J0[g]) * s.J[e]
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
    if sparse:
        return factor_unlike(s.A, T, n, s.fill_ptr, s.fill_to)
    return lu_factor(T, n, T[size:])


@compiled()
def improve(header, T, r):
    """r <- what the increment changes by."""
    s = unpack(header)
    n = s.n
    if len(s.fill_ptr) == 0:
        lu_solve(T, r, n, T[n * n :])
        return
    w = s.fill_w
    for i in range(n):
        w[i] = r[s.fill_order[i]]
    solve_unlike(s.A, T, w, n, s.fill_ptr, s.fill_row)
    for i in range(n):
        r[s.fill_order[i]] = w[i]


@compiled()
def step_firm(header, f, t, h):
    """One step from the second-order prediction. Samples get the accelerations and multipliers of their own state."""
    s = unpack(header)
    n, m, p = s.n, s.m, s.direct
    x0, v0, p0 = p[:n], p[V0 * n : P0 * n], p[P0 * n : U * n]
    u, force, r, x1 = p[U * n : F * n], p[F * n : R * n], p[R * n : X1 * n], p[X1 * n : PARTS * n]
    at = PARTS * n + 2 * m
    end = at + len(s.J)
    lam, J0, JT, T = p[PARTS * n : at], p[at:end], p[end : end + len(s.J)], p[end + len(s.J) :]
    firm, size = s.par[FIRM], s.par[SIZE]
    applied = len(s.line_law) + len(s.cf_law) + len(s.tor_law) + len(s.load_law) > 0
    rows(header, t)
    for e in range(len(J0)):
        J0[e] = s.J[e]
    reach, share = size, believed(header, h)
    for i in range(n):
        x0[i], v0[i] = s.q[i], s.v[i]
        u[i] = h * (s.v[i] + 0.5 * share * h * s.a[i])
        w = 0.0
        for l in range(s.mptr[i], s.mptr[i + 1]):
            w += s.mval[l] * s.v[s.mcol[l]]
        p0[i] = h * w
        force[i] = s.Q0[i]
        reach = max(reach, abs(x0[i]))
    for k in range(m):
        lam[k] = 0.5 * h * h * s.lam[k]
    work, before, converged, slow = 0.0, 1e300, False, True
    for iteration in range(MOST):
        for i in range(n):
            s.q[i] = x0[i] + u[i]
        rows(header, t + h)
        if applied:
            for i in range(n):
                x1[i] = s.q[i]
                s.v[i] = u[i] / h
            work = mean_forces(header, t + 0.5 * h, x0, x1, x0, x1, h, 0.0, force)
        for i in range(n):
            w = p0[i] + 0.5 * h * h * force[i]
            for l in range(s.mptr[i], s.mptr[i + 1]):
                w -= s.mval[l] * u[s.mcol[l]]
            r[i] = w
        if slow and (work != work or factorise(header, t, h, lam, J0, JT, T, firm) != 0):
            break
        for k in range(m):  # forces as they are, but the violation through the gradients of the factors
            w, g = 0.5 * lam[k], 0.5 * firm * s.weight[k] * s.Phi[k]
            for e in range(s.jptr[k], s.jptr[k + 1]):
                r[s.jcol[e]] -= s.J[e] * w + JT[e] * g + J0[e] * (w + g)
        improve(header, T, r)
        change = 0.0
        for i in range(n):
            u[i] += r[i]
            change = max(change, abs(r[i]))
        for k in range(m):
            gap = s.Phi[k]
            for e in range(s.jptr[k], s.jptr[k + 1]):
                gap += JT[e] * r[s.jcol[e]]
            lam[k] += firm * s.weight[k] * gap
        s.opt[ITERATIONS] += 1
        # changes of rounding, or small ones that do not fall any more, as beside a singular position
        small = (1e-13 if iteration < 12 else 1e-10) * reach
        converged = change <= max(2e-15 * size, 4e-16 * reach) or (change > 0.5 * before and change < small)
        if converged or not change < 1e3 * size:
            break
        slow = change > SLOW * before
        before = change
    if not converged:  # r is the last change: the forces that it stands for
        for i in range(n):
            w = 0.0
            for l in range(s.mptr[i], s.mptr[i + 1]):
                w += s.mval[l] * r[s.mcol[l]]
            force[i] = w
        tell_worst_of(header, force, 0.5 * h * h)
        return ITERATION
    for i in range(n):
        s.q[i] = x0[i] + u[i]
        s.v[i] = 2.0 * u[i] / h - v0[i]
        s.a[i] = (s.v[i] - v0[i]) / h
    for k in range(m):
        s.lam[k] = 2.0 * lam[k] / (h * h)
    for l in range(len(s.drv_row)):
        k = s.drv_row[l]
        work -= s.lam[k] * (motion(header, s.drv_law[l], t + h)[0] - motion(header, s.drv_law[l], t)[0])
    s.y[len(s.y) - 1] += work
    return f(header, t + h) if s.opt[LOOK] != 0 else OK
