"""Accelerations and multipliers of 000 (87) through one sparse factor, then refined until the equations hold."""

from __future__ import annotations

from math import sqrt

from ...kernels.products import add_scaled, clear, mass_row
from ...kernels.rows import add_row
from ...machine.array_table import unpack
from ...machine.compiled import compiled
from ..linear.saddle import LOST, NO_MASS, prepare_saddle, solve_saddle
from ..status import NO_INERTIA, OK, SINGULAR
from .shared import stabilised_bias

ENOUGH = 1e-13
"""of the largest force, and of the largest acceleration of a row: what may be left of the equations"""
POOR = 1e-8
"""the same: more means that the rows nearly contradict one another"""
SINGULAR_MARGIN = 1e-6


@compiled()
def residuals(header, forces, rates):
    """What a and lam leave of M a + B^T lam = Q and B a = gamma, of the rows that are kept; the larger share."""
    s = unpack(header)
    a, lam, J, out = s.a, s.lam, s.J, s.left_out
    largest, fastest, left, greatest = 0.0, 0.0, 0.0, 0.0
    for i in range(s.n):
        x = mass_row(header, i, a, 0.0)
        greatest = max(greatest, abs(a[i]))
        forces[i] = s.Q[i] - x
        largest = max(largest, abs(s.Q[i]) + abs(x))
    for p in range(len(s.active)):
        k = s.active[p]
        if out[p] != 0:
            rates[p] = 0.0
            continue
        bias = stabilised_bias(header, k)
        x, size = -bias, abs(bias)
        for e in range(s.jptr[k], s.jptr[k + 1]):
            i = s.jcol[e]
            x -= J[e] * a[i]
            size += abs(J[e]) * greatest
            forces[i] -= J[e] * lam[k]
            largest = max(largest, abs(J[e] * lam[k]))
        rates[p] = x
        w = s.weight[k]
        fastest, left = max(fastest, w * size * size), max(left, w * x * x)
    worst = 0.0
    for i in range(s.n):
        worst = max(worst, abs(forces[i]))
    share = sqrt(left / fastest) if fastest > 0.0 else 0.0
    return max(share, worst / largest if largest > 0.0 else 0.0)


@compiled()
def solve_sparse(header):
    """a and lam at the present state, rows and forces known.   [S.6]-[S.9]"""
    s = unpack(header)
    n, a, lam, beta, count, out = s.n, s.a, s.lam, s.par.beta, len(s.active), s.left_out
    excess = count - s.opt.rank if s.opt.rank >= 0 else 0
    margin, s.margin.at_choice = prepare_saddle(header, excess, s.margin.at_choice, s.opt.rows_per_step != 0)
    s.margin.now = max(margin, 0.0)
    if margin == NO_MASS:
        return NO_INERTIA
    if margin == LOST or not margin > SINGULAR_MARGIN:
        return SINGULAR
    forces, rates = s.w[:n], s.r[:count]
    clear(a)
    clear(lam)
    before = residuals(header, forces, rates)
    for iteration in range(8):
        for p in range(count):
            k = s.active[p]
            add_row(header, k, beta * s.weight[k] * rates[p], forces)
        solve_saddle(header, forces, rates)
        add_scaled(1.0, forces, a)
        for p in range(count):
            if out[p] == 0:
                lam[s.active[p]] += rates[p]
        left = residuals(header, forces, rates)
        s.run.iterations += iteration
        if not left > ENOUGH or (iteration > 0 and not left < 0.25 * before):
            break
        before = left
    if not left < POOR:
        s.margin.now = 0.0
        return SINGULAR
    return OK
