"""Lagrange multipliers at index 1: 000 (87), and with Baumgarte's stabilisation, (91)."""

from __future__ import annotations

from ...kernels.forces import forces
from ...kernels.products import clear, clear_first, copy
from ...kernels.rows import add_row, row_times, rows, spread_multipliers
from ...machine.array_table import unpack, unpack_saddle
from ...machine.compiled import EVALUATE, compiled
from ..linear.cholesky import factor, solve
from ..status import NO_INERTIA, OK, SINGULAR
from .independent_rows import leave_out_implied, rows_in_use
from .shared import finish, stabilised_bias
from .sparse_lagrange import solve_sparse


@compiled(EVALUATE)
def evaluate(header, t):
    """M q'' + Phi_q^T lam = Q and Phi_q q'' = gamma, solved for both; xi omega = omega^2 = 0 leaves (87) itself.

    M may be singular (relative coordinates have no mass), so the equal system with A = M + beta Phi_q^T Phi_q in
    place of M is solved, through the Schur complement S = Phi_q A^-1 Phi_q^T of independent rows. A rank below
    that of a regular position is a singular position. Larger mechanisms: `sparse_lagrange`.
    """
    s = unpack(header)
    n, a, beta = s.n, s.a, s.par.beta
    rows(header, t)
    power = forces(header, t)
    if len(unpack_saddle(header).kkt_ptr) > 0:
        status = solve_sparse(header)
        if status == OK:
            spread_multipliers(header)
            finish(header, power)
        return status
    redundant = s.opt.rank < len(s.active)
    if redundant and (s.opt.rows_per_step == 0 or s.left_out[len(s.active)] == 0) and not leave_out_implied(header):
        s.margin.now = 0.0
        return SINGULAR
    rank = rows_in_use(header)
    clear_first(n * n, s.A)
    copy(s.Q, a)
    for i in range(n):
        for l in range(s.mptr[i], s.mptr[i + 1]):
            s.A[i * n + s.mcol[l]] = s.mval[l]
    for p in range(rank):  # A = M + beta Phi_q^T Phi_q and a = Q + beta Phi_q^T gamma, lower triangle
        k = s.piv[p]
        gamma = -stabilised_bias(header, k)
        s.w[n + p] = gamma
        w = beta * s.weight[k]
        for e in range(s.jptr[k], s.jptr[k + 1]):
            i = s.jcol[e]
            a[i] += w * s.J[e] * gamma
            for f in range(s.jptr[k], e + 1):
                s.A[i * n + s.jcol[f]] += w * s.J[e] * s.J[f]
    if factor(s.A, n) != 0:
        return NO_INERTIA
    for p in range(rank):  # S = Phi_q A^-1 Phi_q^T, a row at a time
        clear_first(n, s.w)
        add_row(header, s.piv[p], 1.0, s.w)
        solve(s.A, s.w, n)
        for l in range(p + 1):
            s.S[p * rank + l] = row_times(header, s.piv[l], s.w)
    if factor(s.S, rank) != 0:
        s.margin.now = 0.0
        return SINGULAR
    least, largest = 1e300, 0.0
    for p in range(rank):  # the diagonal keeps 1/L_pp
        least = min(least, 1.0 / s.S[p * rank + p])
        largest = max(largest, 1.0 / s.S[p * rank + p])
    s.margin.now = least / largest if rank > 0 else 1.0
    if s.margin.now < 1e-7:
        return SINGULAR
    copy(a, s.w)
    solve(s.A, s.w, n)
    for p in range(rank):
        s.r[p] = row_times(header, s.piv[p], s.w) - s.w[n + p]
    solve(s.S, s.r, rank)
    clear(s.lam)
    for p in range(rank):
        s.lam[s.piv[p]] = s.r[p]
        add_row(header, s.piv[p], -s.r[p], a)
    solve(s.A, a, n)
    spread_multipliers(header)
    finish(header, power)
    return OK
