"""Penalty formulation, 000 3.3: multipliers proportional to the violation of the constraints."""

from __future__ import annotations

from ...kernels.forces import forces
from ...kernels.products import copy
from ...kernels.rows import add_row, normal_matrix, row_times, rows, spread_multipliers
from ...machine.array_table import unpack
from ...machine.compiled import EVALUATE, compiled
from ..linear.static import factor_normal, solve_normal
from ..status import NO_INERTIA, OK
from .shared import finish, measure_singularity


@compiled(EVALUATE)
def evaluate(header, t):
    """(M + alpha Phi_q^T Phi_q) q'' = Q - alpha Phi_q^T (bias + 2 xi omega Phi' + omega^2 Phi).   000 (108)"""
    s = unpack(header)
    a, lam, alpha = s.a, s.lam, s.par.alpha
    damping, stiffness = 2.0 * s.par.xi * s.par.omega, s.par.omega**2
    rows(header, t)
    power = forces(header, t)
    normal_matrix(header, alpha)
    copy(s.Q, a)
    for p in range(len(s.active)):
        k = s.active[p]
        lam[k] = alpha * (s.bias[k] + damping * s.Phid[k] + stiffness * s.Phi[k])
        add_row(header, k, -lam[k], a)
    if factor_normal(header) != 0:
        return NO_INERTIA
    measure_singularity(header)
    solve_normal(header, a)
    if s.run.multipliers_wanted != 0 or len(s.drv_row) > 0:  # only where they are kept
        for p in range(len(s.active)):
            k = s.active[p]
            lam[k] += alpha * row_times(header, k, a)  # 000 (106)
        spread_multipliers(header)
    finish(header, power)
    return OK
