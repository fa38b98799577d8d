"""Penalty formulation, 000 3.3: multipliers proportional to the violation of the constraints."""

from __future__ import annotations

from ...kernels.forces import forces
from ...kernels.rows import normal_matrix, row_times, rows, spread_multipliers
from ...machine.array_table import unpack
from ...machine.compiled import EVALUATE, compiled
from ..linear.static import factor_normal, solve_normal
from ..status import NO_INERTIA, OK
from .shared import finish, measure_singularity


@compiled(EVALUATE)
def evaluate(header, t):
    """(M + alpha Phi_q^T Phi_q) q'' = Q - alpha Phi_q^T (bias + 2 xi omega Phi' + omega^2 Phi).   000 (108)"""
    s = unpack(header)
    n, a, lam, J, alpha = s.n, s.a, s.lam, s.J, s.par.alpha
    damping, stiffness = 2.0 * s.par.xi * s.par.omega, s.par.omega**2
    rows(header, t)
    power = forces(header, t)
    normal_matrix(header, alpha)
    for i in range(n):
        a[i] = s.Q[i]
    for p in range(len(s.active)):
        k = s.active[p]
        w = alpha * (s.bias[k] + damping * s.Phid[k] + stiffness * s.Phi[k])
        lam[k] = w
        for e in range(s.jptr[k], s.jptr[k + 1]):
            a[s.jcol[e]] -= J[e] * w
    if factor_normal(header) != 0:
        return NO_INERTIA
    measure_singularity(header)
    solve_normal(header, a)
    if s.run.multipliers_wanted != 0 or len(s.drv_row) > 0:  # multipliers only where somebody looks at them
        for p in range(len(s.active)):
            k = s.active[p]
            lam[k] += alpha * row_times(header, k, a)  # 000 (106)
        spread_multipliers(header)
    finish(header, power)
    return OK
