"""Penalty formulation, 000 3.3: multipliers proportional to the violation of the constraints."""

from __future__ import annotations

from ...system.arena import unpack
from ...system.compiled import EVALUATE, compiled
from ...system.forces import forces
from ...system.rows import normal_matrix, row_times, rows
from ..linear.cholesky import factor, solve
from ..status import NO_INERTIA, OK
from .parameters import ALPHA
from .shared import finish, stabilised_bias


@compiled(EVALUATE)
def evaluate(header, t):
    """(M + alpha Phi_q^T Phi_q) q'' = Q - alpha Phi_q^T (bias + 2 xi omega Phi' + omega^2 Phi).   000 (108)"""
    s = unpack(header)
    n, a, alpha = s.n, s.a, s.par[ALPHA]
    rows(header, t)
    power = forces(header, t)
    normal_matrix(header, alpha)
    for i in range(n):
        a[i] = s.Q[i]
    for k in range(s.m):
        w = alpha * stabilised_bias(header, k)
        s.lam[k] = w
        for e in range(s.jptr[k], s.jptr[k + 1]):
            a[s.jcol[e]] -= s.J[e] * w
    if factor(s.A, n) != 0:
        return NO_INERTIA
    solve(s.A, a, n)
    for k in range(s.m):
        s.lam[k] += alpha * row_times(header, k, a)  # 000 (106)
    finish(header, power)
    return OK
