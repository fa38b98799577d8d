"""Augmented Lagrange formulation, 000 3.4: the penalty system, iterated until the multipliers are exact."""

from __future__ import annotations

from ...kernels.forces import forces
from ...kernels.products import clear_first, copy, minus_mass_times
from ...kernels.rows import add_row, normal_matrix, row_times, rows, spread_multipliers
from ...machine.array_table import unpack
from ...machine.compiled import EVALUATE, compiled
from ..linear.static import factor_normal, solve_normal
from ..status import NO_INERTIA, OK
from .independent_rows import normal_matrix_in_use, rows_in_use
from .shared import finish, measure_singularity, stabilised_bias

HOPELESS = 1e-7
"""of the stiffness of a regular row: what answers less is singular, and its multiplier is left as it is"""
TURNED = 10.0
"""by how many times the violation of the constraints, relative to the size, rows may turn"""
SETTLED, NEARLY = 1e-14, 1e-10
"""of the accelerations: what further iterations may still change, and what the last one may have changed (a row that is
soft comes in slowly behind those that are stiff)"""
PLAIN = 4
"""iterations after which conjugate directions take over, if the multipliers still change"""


@compiled()
def without_answer(header, count):
    """HOPELESS; with redundant rows at least as much as a row that depends on the others answers where the constraints
    are violated: it turns away from the others by about the violation, and is no constraint for that."""
    s = unpack(header)
    if s.opt.rank >= count:
        return HOPELESS
    worst = 0.0
    for p in range(count):
        k = s.piv[p]
        worst = max(worst, s.weight[k] * s.Phi[k] * s.Phi[k])
    turned = (TURNED / min(1.0, s.par.length_scale)) ** 2 * worst
    return max(HOPELESS, min(0.1, turned * s.par.alpha / s.par.mass_scale))


@compiled()
def descend(header, count, g, d):
    """Improve the multipliers along conjugate directions: (111b) alone is the method of steepest descent for
    B A^-1 B^T lam, and creeps in badly conditioned positions. A is factorised, g is the residual of the constraints."""
    s = unpack(header)
    lam, alpha, w = s.lam, s.par.alpha, s.w
    hopeless, product = without_answer(header, count), 0.0
    for p in range(count):
        k = s.piv[p]
        product += alpha * s.weight[k] * g[p] * g[p]
        d[p] = alpha * s.weight[k] * g[p]
    for _ in range(s.opt.max_multiplier_iterations):
        s.run.iterations += 1
        clear_first(s.n, w)
        plain = 0.0
        for p in range(count):
            k = s.piv[p]
            plain += d[p] * d[p] / (alpha * s.weight[k])
            add_row(header, k, d[p], w)
        solve_normal(header, w)
        answer = 0.0
        for p in range(count):
            answer += d[p] * row_times(header, s.piv[p], w)
        if not answer > hopeless * plain:
            return
        step = product / answer
        change, size, fresh = 0.0, 0.0, 0.0
        for p in range(count):
            k = s.piv[p]
            lam[k] += step * d[p]
            change = max(change, abs(step * d[p]))
            size = max(size, abs(lam[k]))
            g[p] -= step * row_times(header, k, w)
            fresh += alpha * s.weight[k] * g[p] * g[p]
        if not change > s.par.multiplier_tolerance * size:
            return
        turn = fresh / product
        product = fresh
        for p in range(count):
            d[p] = alpha * s.weight[s.piv[p]] * g[p] + turn * d[p]


@compiled()
def refine(header, count):
    """One refinement: M a + Phi_q^T lam = Q again, with the digits that M has lost in A = M + alpha Phi_q^T Phi_q. Long
    steps see that noise."""
    s = unpack(header)
    a, w = s.a, s.w
    minus_mass_times(header, s.Q, a, w)
    for p in range(count):
        add_row(header, s.piv[p], -s.lam[s.piv[p]], w)
    solve_normal(header, w)
    for i in range(s.n):
        a[i] += w[i]
    for p in range(count):
        k = s.piv[p]
        s.lam[k] += s.par.alpha * s.weight[k] * row_times(header, k, w)


@compiled()
def respond(header, count, b):
    """a = A^-1 (Q - Phi_q^T (lam + alpha b)): the accelerations with these multipliers.   000 (111a)"""
    s = unpack(header)
    a, alpha = s.a, s.par.alpha
    copy(s.Q, a)
    for p in range(count):
        k = s.piv[p]
        add_row(header, k, -(s.lam[k] + alpha * s.weight[k] * b[p]), a)
    solve_normal(header, a)


@compiled()
def constraint_residual(header, count, b, g):
    """g = Phi_q a + b; True if the multipliers would not change any more."""
    s = unpack(header)
    alpha, change, size = s.par.alpha, 0.0, 0.0
    for p in range(count):
        k = s.piv[p]
        g[p] = row_times(header, k, s.a) + b[p]
        step = alpha * s.weight[k] * g[p]
        change = max(change, abs(step))
        size = max(size, abs(s.lam[k] + step))
    return not change > s.par.multiplier_tolerance * size


@compiled()
def correct(header, count, g):
    """lam + alpha g (000 (111b)), and what that changes of the accelerations; returns the largest change and a."""
    s = unpack(header)
    a, w, alpha = s.a, s.w, s.par.alpha
    clear_first(s.n, w)
    for p in range(count):
        k = s.piv[p]
        step = alpha * s.weight[k] * g[p]
        s.lam[k] += step
        add_row(header, k, step, w)
    solve_normal(header, w)
    moved, most = 0.0, 0.0
    for i in range(s.n):
        a[i] -= w[i]
        moved = max(moved, abs(w[i]))
        most = max(most, abs(a[i]))
    return moved, most


@compiled()
def add_last(header, count, g):
    """lam + alpha g, where the accelerations do not change any more."""
    s = unpack(header)
    for p in range(count):
        k = s.piv[p]
        s.lam[k] += s.par.alpha * s.weight[k] * g[p]


@compiled()
def update(header, count, b, g):
    """So many updates (111b) as were asked for, and no more: the corrector's own iteration goes on with them. The last
    changes the multipliers alone, as 000 4.4.2 has it: the accelerations stay those of the multipliers before."""
    s = unpack(header)
    for _ in range(s.opt.multiplier_updates - 1):
        constraint_residual(header, count, b, g)
        correct(header, count, g)
    constraint_residual(header, count, b, g)
    add_last(header, count, g)
    s.run.iterations += s.opt.multiplier_updates


@compiled(EVALUATE)
def evaluate(header, t):
    """Solve (111a) and (111b) of 000 in turn; one factorisation, then a back-substitution per iteration.

    The multipliers of the last evaluation are the first guess. It ends where the multipliers settle, or the
    accelerations: multipliers of redundant rows move against each other as long as the constraints are violated, and
    change nothing. Beside a singular position the iteration ends at its limit and the accelerations are those of the
    penalty method: the run goes on.
    """
    s = unpack(header)
    count = rows_in_use(header)
    g, d, b = s.r[:count], s.r[count : 2 * count], s.r[2 * count : 3 * count]
    rows(header, t)
    power = forces(header, t)
    normal_matrix(header, s.par.alpha)
    if factor_normal(header) != 0:
        return NO_INERTIA
    measure_singularity(header)
    if count < len(s.active):
        for p in range(len(s.active)):
            s.lam[s.active[p]] *= 1.0 - s.left_out[p]
        if normal_matrix_in_use(header, s.par.alpha) != 0:
            return NO_INERTIA
    fade = 0.0 if s.opt.rank < count else 1.0  # redundant multipliers would drift from evaluation to evaluation
    for p in range(count):
        b[p] = stabilised_bias(header, s.piv[p])
        s.lam[s.piv[p]] *= fade
    respond(header, count, b)
    before, s.margin.multipliers_slow = 0.0, 0.0
    if s.opt.multiplier_updates > 0 and s.run.evaluations > 0:  # (at the start they are iterated to the end, 000 4.4.2)
        update(header, count, b, g)
        spread_multipliers(header)
        finish(header, power)
        return OK
    for iteration in range(3 * PLAIN):
        settled = constraint_residual(header, count, b, g)
        if iteration == PLAIN and not settled:
            s.margin.multipliers_slow = 1.0
            descend(header, count, g, d)
            respond(header, count, b)
            before = 0.0
            continue
        s.run.iterations += 1
        if settled:
            add_last(header, count, g)
            break
        moved, most = correct(header, count, g)
        # what is left shrinks as it did: a geometric series
        shrinks = moved < 0.5 * before and moved * moved <= SETTLED * most * (before - moved)
        if (shrinks and moved <= NEARLY * most) or moved <= SETTLED * most:
            constraint_residual(header, count, b, g)
            add_last(header, count, g)
            break
        before = moved
    refine(header, count)
    spread_multipliers(header)
    finish(header, power)
    return OK
