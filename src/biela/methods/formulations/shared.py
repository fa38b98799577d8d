"""What all formulations share: the end of an evaluation, and the return to the constraints after a step."""

from __future__ import annotations

from math import log

from ...kernels.calls import WEIGH
from ...kernels.products import add_scaled, clear, clear_first, copy, largest
from ...kernels.rows import add_transposed, normal_matrix, rows, violations
from ...kernels.state import displace, rates
from ...machine.array_table import call_kernel, unpack
from ...machine.compiled import SETTLE, compiled
from ..linear.cholesky import factor
from ..linear.static import factor_normal, minus_half_log_determinant, solve_normal, solve_two
from ..status import NO_INERTIA, OK, POSITION


@compiled()
def stabilised_bias(header, k):
    """(Phi_q)' q' + Phi_tt + 2 xi omega Phi' + omega^2 Phi: what Phi'' stabilised adds to Phi_q q'', 000 (90)."""
    s = unpack(header)
    xi, omega = s.par.xi, s.par.omega
    return s.bias[k] + 2.0 * xi * omega * s.Phid[k] + omega * omega * s.Phi[k]


@compiled()
def finish(header, power):
    """q' = H v, and the power that flows in: forces without a potential, and drivers (Phi_t . lam)."""
    s = unpack(header)
    rates(header)
    for l in range(len(s.drv_row)):
        k = s.drv_row[l]
        power += s.Phit[k] * s.lam[k]
    s.power[0] = power
    s.run.evaluations += 1


CLOSE = 30.0
"""tolerances in which a projection with matrices from nearby ends: the next step goes on with it"""
FAITHFUL = 1e-2
"""part of a violation that a projection with matrices from nearby may leave"""
FIRMER = 1e3
"""penalty factors of a projection where every digit counts: soft modes come in as fast as stiff ones"""
QUICK = 0.03
"""part of a violation that an iteration of a projection may leave; where soft modes leave more, the next is firmer"""
FALLEN = log(10.0)
"""logarithm: a fall of the determinant by this factor means that a singular position is near"""


@compiled()
def mass_share(header):
    """The like for M alone (coordinates without mass count as one)."""
    s = unpack(header)
    n = s.n
    copy(s.M, s.S)
    for j in range(n):
        if s.S[j * n + j] == 0.0:
            s.S[j * n + j] = 1.0
    if factor(s.S, n) != 0:
        return 0.0
    total = 0.0
    for j in range(n):
        total += log(s.S[j * n + j])
    return total


@compiled()
def measure_singularity(header):
    """Note in s.run.near_singular whether the constraints are about to lose rank: the determinant of the factorised
    M + alpha Phi_q^T Phi_q falls then, wherever the pivots are."""
    s = unpack(header)
    singularity = minus_half_log_determinant(header)
    if s.opt.mass_varies != 0:  # a mass matrix that changes has a say of its own in the determinant: it is taken out
        singularity -= mass_share(header)
    if s.margin.singularity_known == 0.0:  # first time
        s.margin.singularity_known = 1.0
        s.margin.least_singularity = s.margin.greatest_singularity = singularity
    s.margin.singularity = singularity
    s.margin.least_singularity = min(s.margin.least_singularity, singularity)
    s.margin.greatest_singularity = max(s.margin.greatest_singularity, singularity)
    s.run.near_singular = singularity > FALLEN + s.margin.least_singularity


@compiled()
def is_rank_margin_low(header):
    """Whether the last evaluation, of a formulation that has to stop at singular positions, was near one."""
    s = unpack(header)
    return 0.0 <= s.margin.now < 0.5 * s.margin.regular


@compiled()
def worst_position(header):
    """The largest |Phi| of the rows in use."""
    s = unpack(header)
    worst = 0.0
    for p in range(len(s.active)):
        off = abs(s.Phi[s.active[p]])
        worst = off if not off <= worst else worst  # (a number that is none must be seen)
    return worst


@compiled()
def small_rate(header):
    """What Phi' may be: as the positions, for velocities."""
    s = unpack(header)
    return s.par.position_tolerance / s.par.length_scale * largest(s.v)


@compiled()
def pull(header, strength, off):
    """w = -(M + strength Phi_q^T Phi_q)^-1 strength Phi_q^T off, with the factor and the Jacobian that are there."""
    s = unpack(header)
    clear_first(s.n, s.w)
    add_transposed(header, off, -strength, s.w)
    solve_normal(header, s.w)


@compiled()
def project_with_factor(header, t, strength, close):
    """The projection of `project` with the one factor and Jacobian that are there, of a position next to this one:
    positions and velocities together, until they are within `close` tolerances.

    It moves the mechanism along its freedoms by about as much of the way as it leaves of the violation. So it has to
    leave less than FAITHFUL; else all is as before, and the answer is False.
    """
    s = unpack(header)
    n, small = s.n, close * s.par.position_tolerance
    state, u, scratch = s.r[: 2 * n], s.r[2 * n : 3 * n], s.r[3 * n : 4 * n]
    copy(s.y[: 2 * n], state)
    worst, rate = violations(header, t)
    enough = close * small_rate(header)
    for _ in range(5):
        if not worst > small and not rate > enough:
            return worst == worst and rate == rate
        clear_first(n, s.w)
        clear(u)
        add_transposed(header, s.Phi, -strength, s.w)
        add_transposed(header, s.Phid, -strength, u)
        solve_two(header, s.w, u, scratch)
        displace(header, s.w)
        add_scaled(1.0, u, s.v)
        # (a displacement turns the rows, and so changes the rates)
        most, most_rate = FAITHFUL * worst, FAITHFUL * rate + 2.0 * worst * enough / small
        worst, rate = violations(header, t)
        if (worst > small and worst > most) or (rate > enough and rate > most_rate):
            break
    copy(state, s.y)
    return False


@compiled()
def project_from_here(header, t):
    """The same with matrix and Jacobian of the state as it is, made once."""
    s = unpack(header)
    rows(header, t)
    strength = FIRMER * s.par.beta
    normal_matrix(header, strength)
    return factor_normal(header) == 0 and project_with_factor(header, t, strength, 1.0)


@compiled()
def project(header, t):
    """Back to Phi = 0 and Phi' = 0 by the least change in the metric of M.

    (M + beta Phi_q^T Phi_q) dq = -beta Phi_q^T Phi, repeated; the same for velocities. Bayo & Ledesma (1996).
    Matrix and Jacobian are always of the same position: a difference, times beta, would move it along its freedoms.
    An iteration leaves 1/(1 + beta s^2) of a mode s: beta grows until the soft ones come in too.
    """
    s = unpack(header)
    if s.m == 0:
        return OK
    beta, firm, enough = s.par.beta, FIRMER * s.par.beta, s.par.position_tolerance
    if s.run.projection < 0:
        beta, enough = firm, 0.0
    rows(header, t)
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[WEIGH], header)
    worst, before = worst_position(header), 1e300
    for _ in range(20):
        if not worst > enough or (worst < s.par.position_tolerance and worst > 0.5 * before):
            break
        before = worst
        normal_matrix(header, beta)
        if factor_normal(header) != 0:
            return NO_INERTIA
        pull(header, beta, s.Phi)
        displace(header, s.w)
        rows(header, t)
        worst = worst_position(header)
        if worst > QUICK * before:
            beta = min(beta / QUICK, firm)
    if worst > 1e6 * s.par.position_tolerance or worst != worst:
        return POSITION
    while True:
        normal_matrix(header, beta)
        if factor_normal(header) != 0:
            return NO_INERTIA
        if project_rates(header, beta, beta >= firm) or beta >= firm:
            return OK
        beta = min(beta / QUICK, firm)


@compiled()
def project_rates(header, beta, patient):
    """Back to Phi' = 0, with the factor that is there; False where that is too slow, unless it is to be patient."""
    s = unpack(header)
    enough = 1e-3 * small_rate(header)  # rounding: penalties multiply what is left
    before = 1e300
    for _ in range(12 if patient else 4):
        pull(header, beta, s.Phid)
        for i in range(s.n):
            s.v[i] += s.w[i]
        worst = 0.0
        for p in range(len(s.active)):
            k = s.active[p]
            rate = s.Phit[k]
            for e in range(s.jptr[k], s.jptr[k + 1]):
                rate += s.J[e] * s.v[s.jcol[e]]
            s.Phid[k] = rate
            worst = max(worst, abs(rate))
        if worst <= enough:
            return True
        if not patient and worst > QUICK * before and worst > small_rate(header):
            return False
        before = worst
    return worst <= small_rate(header)


@compiled(SETTLE)
def settle_dependent(header, t):
    """Projection of positions and velocities for the dependent formulations: every k steps if asked (000 4.4.5),
    and near singular positions, where the smallest violation would push the mechanism onto another branch."""
    s = unpack(header)
    s.run.settle_calls += 1
    if s.run.near_singular != 0 or (s.opt.project_every > 0 and s.run.settle_calls % s.opt.project_every == 0):
        if s.par.reusable_penalty > 0.0 and s.run.projection >= 0 and s.ctl.relative_tolerance == 0.0:
            # (with what the last evaluation has left)
            if s.run.projection > 0 and project_with_factor(header, t, s.par.reusable_penalty, CLOSE):
                return OK
            if project_from_here(header, t):
                return OK
        return project(header, t)
    return OK
