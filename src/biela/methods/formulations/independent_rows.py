"""Rows that imply one another: independent ones are chosen where a step begins, and serve all of its stages.   [F.18]

On the constraints it does not matter which rows of a redundant set are left out. Stages of a step lie off them, by
about h^2. There a redundant row turns away from the others by as much: taken along with them it is one more constraint,
a soft one, that holds the mechanism back; and another choice of rows at each stage is another equation at each stage,
so that the step has lost its order. With the same independent rows throughout, a step sees one smooth equation.
"""

from __future__ import annotations

from math import sqrt

from ...kernels.calls import WEIGH
from ...kernels.products import clear_first
from ...kernels.rows import add_row, mass_matrix, row_times, rows
from ...machine.array_table import call_kernel, unpack, unpack_saddle
from ...machine.compiled import compiled
from ..linear.elimination import select_rows
from ..linear.saddle import leave_out
from ..linear.static import factor_normal, solve_normal
from .shared import project

PIVOT = 1e-9
"""of the largest: a smaller one counts as zero"""
FIRM = 1e6
"""of the mass: rows in a matrix that tells how they depend on one another"""
ONCE, TOO_FAR = 1.1, 2.0
"""times that a row in use may enter one that is left out, before that takes its place; of many rows: how much more than
when they were chosen, before all are chosen anew"""
FEW = 16
"""rows left out that are looked at one by one"""


@compiled()
def rows_in_use(header):
    """Put the numbers of the rows that have not been left out first in s.piv; how many there are."""
    s = unpack(header)
    count = 0
    for p in range(len(s.active)):
        if s.left_out[p] == 0:
            s.piv[count] = s.active[p]
            count += 1
    return count


@compiled()
def leave_out_dense(header):
    """Choose by full pivoting, rows that only measure a coordinate last. False if the rank is not what it should be.

    What those have drifted must never pull at the bodies, so a row that is not needed is left out altogether.
    """
    s = unpack(header)
    n, count, rank = s.n, len(s.active), s.opt.rank
    clear_first(count * n, s.B)
    for p in range(count):
        k = s.active[p]
        long = sqrt(s.weight[k])
        for e in range(s.jptr[k], s.jptr[k + 1]):
            s.B[p * n + s.jcol[e]] = long * s.J[e]
    found = select_rows(s.B, count, n, rank, s.group, s.piv[:count], s.piv[count : count + n], PIVOT)
    for p in range(count):
        s.left_out[s.piv[p]] = 0 if p < found else 1
    s.left_out[count] = 1
    return found == rank


@compiled()
def leave_out_implied(header):
    """Choose independent rows at the position that s.J belongs to. False if there are fewer than in a regular one: then
    none are left out."""
    s = unpack(header)
    count = len(s.active)
    if len(unpack_saddle(header).kkt_ptr) > 0:
        chosen = leave_out(header, count - s.opt.rank)
    else:
        chosen = leave_out_dense(header)
    if not chosen:
        for p in range(count + 1):
            s.left_out[p] = 0
    s.margin.at_choice = -1.0
    return chosen


@compiled()
def normal_matrix_in_use(header, strength):
    """A = M + strength Phi_q^T (weights) Phi_q without the rows that are left out; factorised. 0 if all is well."""
    s = unpack(header)
    mass_matrix(header)
    first = 0
    for p in range(len(s.active)):
        k = s.active[p]
        length = s.jptr[k + 1] - s.jptr[k]
        last = first + length * (length + 1) // 2  # products of a row lie together
        if s.left_out[p] == 0:
            for l in range(first, last):
                s.A[s.pair_pos[l]] += strength * s.pair_weight[l] * s.J[s.pair_e[l]] * s.J[s.pair_f[l]]
        first = last
    return factor_normal(header)


@compiled()
def reach(header, group, groups):
    """How many times a row in use enters the rows left out (every `groups`-th of them): (most, that row, a row left
    out). With A x = b_r and b_r = sum c_p b_p, strength B x is c."""
    s = unpack(header)
    strength = FIRM * s.par.mass_scale
    clear_first(s.n, s.w)
    number, out = 0, 0
    for p in range(len(s.active)):
        if s.left_out[p] != 0:
            if number % groups == group:
                k, out = s.active[p], p
                add_row(header, k, sqrt(s.weight[k]), s.w)
            number += 1
    solve_normal(header, s.w)
    most, taken = 0.0, out
    for p in range(len(s.active)):
        if s.left_out[p] == 0 and s.group[p] == 0:
            k = s.active[p]
            times = strength * sqrt(s.weight[k]) * abs(row_times(header, k, s.w))
            if times > most:
                most, taken = times, p
    return most, taken, out


@compiled()
def farthest_reach(header):
    """The most of all; -1 if it cannot be told."""
    s = unpack(header)
    if normal_matrix_in_use(header, FIRM * s.par.mass_scale) != 0:
        return -1.0, 0, 0
    groups = min(FEW, len(s.active) - s.opt.rank)
    most, taken, out = 0.0, 0, 0
    for group in range(groups):
        times, p, r = reach(header, group, groups)
        if times > most:
            most, taken, out = times, p, r
    return most, taken, out


@compiled()
def exchange(header):
    """Put a row that is left out in place of one that enters it more than once, until there is none such: what the rows
    in use leave of the constraints is then not multiplied in the others. Returns how far rows reach, and whether some
    were exchanged."""
    s = unpack(header)
    excess, changed = len(s.active) - s.opt.rank, False
    most, taken, out = farthest_reach(header)
    for _ in range(8 * excess if excess <= FEW else 0):
        if not most > ONCE:
            break
        s.left_out[taken], s.left_out[out], s.margin.at_choice, changed = 1, 0, -1.0, True
        most, taken, out = farthest_reach(header)
    return most, changed


@compiled()
def return_to_constraints(header, f, t):
    """All of them, to the last digit, where steps do not end on them anyway; the accelerations are those of there."""
    s = unpack(header)
    if s.opt.project_every != 1:
        s.run.projection = -1
        project(header, t)
        s.run.projection = 0
    f(header, t)


@compiled()
def hold_rows(header, f, t, anew):
    """Where a step begins: independent rows, if none are chosen yet, or those that are have become poor.

    What has drifted so far must not grow from one choice to the next: a row that takes over begins without violation.
    """
    s = unpack(header)
    if s.opt.rows_per_step == 0:
        return
    rows(header, t)
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[WEIGH], header)
    chosen = s.left_out[len(s.active)] != 0
    if chosen and not anew:
        most, changed = exchange(header)
        if 0.0 <= most <= TOO_FAR * max(s.margin.growth_at_choice, ONCE):
            if changed:
                return_to_constraints(header, f, t)
            return
    if leave_out_implied(header):
        s.margin.growth_at_choice, _ = exchange(header)
    if chosen:
        return_to_constraints(header, f, t)
