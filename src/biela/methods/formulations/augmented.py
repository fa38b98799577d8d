"""Augmented Lagrange formulation, 000 3.4: the penalty system, iterated until the multipliers are exact."""

from __future__ import annotations

from ...system.arena import unpack
from ...system.compiled import EVALUATE, compiled
from ...system.forces import forces
from ...system.rows import normal_matrix, row_times, rows, spread_multipliers
from ..linear.cholesky import factor, solve
from ..status import NO_INERTIA, OK
from .parameters import ALPHA, INNER, ITERATIONS, MULTIPLIER_TOLERANCE
from .shared import feel_singularity, finish, stabilised_bias


@compiled(EVALUATE)
def evaluate(header, t):
    """Solve (111a) and (111b) of 000 in turn; one factorisation, then a back-substitution per iteration.

    The multipliers of the last evaluation are the first guess. At a singular position the multipliers of some rows
    grow without end and the iteration stops: the accelerations are those of the penalty method, and the run goes on.
    """
    s = unpack(header)
    n, a, lam, alpha = s.n, s.a, s.lam, s.par[ALPHA]
    rows(header, t)
    power = forces(header, t)
    normal_matrix(header, alpha)
    if factor(s.A, n) != 0:
        return NO_INERTIA
    feel_singularity(header)
    before = 1e300
    for iteration in range(s.opt[INNER]):
        for i in range(n):
            a[i] = s.Q[i]
        for p in range(len(s.active)):
            k = s.active[p]
            w = lam[k] + alpha * s.weight[k] * stabilised_bias(header, k)  # 000 (111a)
            for e in range(s.jptr[k], s.jptr[k + 1]):
                a[s.jcol[e]] -= s.J[e] * w
        solve(s.A, a, n)
        change, size = 0.0, 0.0
        for p in range(len(s.active)):
            k = s.active[p]
            step = alpha * s.weight[k] * (row_times(header, k, a) + stabilised_bias(header, k))
            lam[k] += step  # 000 (111b)
            change = max(change, abs(step))
            size = max(size, abs(lam[k]))
        s.opt[ITERATIONS] += 1
        if not change > s.par[MULTIPLIER_TOLERANCE] * size or (iteration > 20 and change > 0.995 * before):
            break
        before = change
    spread_multipliers(header)
    finish(header, power)
    return OK
