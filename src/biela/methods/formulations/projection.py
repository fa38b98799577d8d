"""The R matrix, 000 3.2: only independent coordinates are integrated, the rest follow from the constraints."""

from __future__ import annotations

from math import log, sqrt

from ...kernels.forces import forces
from ...kernels.products import clear_first, minus_mass_times
from ...kernels.rows import dense_jacobian, rows
from ...kernels.state import displace
from ...machine.array_table import unpack
from ...machine.compiled import EVALUATE, SETTLE, compiled
from ..linear.cholesky import factor, solve
from ..linear.elimination import back_substitute, choose_free, eliminate, transposed_substitute
from ..loops.step_memory import note_choice
from ..status import NO_INERTIA, OK, POSITION, SINGULAR
from .shared import finish

TOLERANCE = 1e-9
"""a pivot this much smaller than its row counts as zero"""


@compiled()
def _rows_and_columns(header):
    s = unpack(header)
    return s.piv[: s.m], s.piv[s.m : s.m + s.n]


@compiled()
def _unit(header, j):
    """What counts as one in the velocity j: the size of the mechanism for lengths, a radian for angles."""
    s = unpack(header)
    return 1.0 if s.angular[j] == 1 else s.par.length_scale


@compiled()
def _row_lengths(header, in_units):
    """In s.r the lengths of the rows of Phi_q, here or at the start, whichever are larger: a row that vanishes on the
    way must not count as a long one. `in_units` 1: with the velocities in units of the mechanism."""
    s = unpack(header)
    for k in range(s.m):
        s.r[k], at_start = 0.0, 1.0 / sqrt(s.weight[k])
        for e in range(s.jptr[k], s.jptr[k + 1]):
            unit = _unit(header, s.jcol[e]) if in_units == 1 else 1.0
            s.r[k] = max(s.r[k], unit * max(abs(s.J[e]), at_start))


@compiled()
def solve_positions(header, t):
    """Newton-Raphson on the dependent coordinates, then the dependent velocities; 003 (5), 000 (102).

    It ends where corrections are rounding, or where |Phi| is as small as was asked for (000 4.4.3: 1e-5).
    Leaves the factors of the dependent columns of Phi_q in s.B, and Phi, bias ... at the solution.
    """
    s = unpack(header)
    pivot_rows, pivot_cols = _rows_and_columns(header)
    n, m = s.n, s.m
    previous = 1e300
    for iteration in range(30):
        rows(header, t)
        dense_jacobian(header)
        _row_lengths(header, 0)
        rank, _, volume = eliminate(s.B, m, n, s.free, s.r, pivot_rows, pivot_cols, TOLERANCE)
        for j in range(n):  # as `choose` has it: a determinant with lengths in units of the mechanism
            if s.free[j] == 0:
                volume += log(_unit(header, j))
        s.margin.volume = volume
        if rank < s.opt.rank:
            return SINGULAR
        largest = 0.0
        for k in range(m):
            s.r[k] = -s.Phi[k]
            largest = max(largest, abs(s.Phi[k]))
        if largest < s.par.asked_position_tolerance:
            break
        clear_first(n, s.w)
        back_substitute(s.B, n, pivot_rows, pivot_cols, rank, s.r, s.w)
        worst = 0.0
        for p in range(rank):
            worst = max(worst, abs(s.w[pivot_cols[p]]))
        displace(header, s.w)
        if not worst < 1e8 * s.par.length_scale or (iteration > 15 and worst > previous):
            return POSITION
        if worst <= s.par.position_tolerance / s.par.length_scale:
            break
        previous = worst
        if iteration == 29:
            return POSITION
    for k in range(m):
        s.r[k] = s.Phid[k]
    back_substitute(s.B, n, pivot_rows, pivot_cols, s.opt.rank, s.r, s.w)
    for p in range(s.opt.rank):
        j = pivot_cols[p]
        s.v[j] -= s.w[j]
    rows(header, t)  # the bias belongs to the new velocities
    return OK


@compiled(EVALUATE)
def evaluate(header, t):
    """R^T M R z'' = R^T (Q - M R' z'), q'' = R z'' + R' z'.   000 (99), (94), (101)-(104)"""
    s = unpack(header)
    status = solve_positions(header, t)
    if status != OK:
        return status
    power = forces(header, t)
    pivot_rows, pivot_cols = _rows_and_columns(header)
    n, m, rank, a, R = s.n, s.m, s.opt.rank, s.a, s.R
    f = n - rank
    # R: column i is the velocity field for a unit velocity of the independent coordinate i, 000 (101)
    col = 0
    for z in range(n):
        if s.free[z] == 1:
            clear_first(n, s.w)
            s.w[z] = 1.0
            for k in range(m):
                s.r[k] = -s.B[k * n + z]
            back_substitute(s.B, n, pivot_rows, pivot_cols, rank, s.r, s.w)
            for i in range(n):
                R[i * f + col] = s.w[i]
            col += 1
    # R' z': the accelerations with z'' = 0, 000 (104)
    clear_first(n, s.w)
    for k in range(m):
        s.r[k] = -s.bias[k]
    back_substitute(s.B, n, pivot_rows, pivot_cols, rank, s.r, s.w)
    minus_mass_times(header, s.Q, s.w, a)  # a = Q - M R' z' for now
    for i in range(n):  # A = M R
        for c in range(f):
            w = 0.0
            for l in range(s.mptr[i], s.mptr[i + 1]):
                w += s.mval[l] * R[s.mcol[l] * f + c]
            s.A[i * f + c] = w
    for c in range(f):
        w = 0.0
        for i in range(n):
            w += R[i * f + c] * a[i]
        s.r[c] = w
        for d in range(c + 1):
            w = 0.0
            for i in range(n):
                w += R[i * f + c] * s.A[i * f + d]
            s.S[c * f + d] = w
    if factor(s.S, f) != 0:
        return NO_INERTIA
    solve(s.S, s.r, f)
    for i in range(n):
        w = s.w[i]
        for c in range(f):
            w += R[i * f + c] * s.r[c]
        a[i] = w
    # multipliers: Phi_q^T lam = Q - M q''
    minus_mass_times(header, s.Q, a, s.w)
    transposed_substitute(s.B, m, n, pivot_rows, pivot_cols, rank, s.w, s.lam)
    finish(header, power)
    return OK


BETTER = log(0.7)
"""a choice of coordinates whose determinant falls below this share of the best choice's is given up"""


@compiled()
def choose(header, t):
    """Choose the independent coordinates anew where another choice is clearly better at the present position, with
    lengths in units of the mechanism.

    Returns (status, 1 if the choice has changed).
    """
    s = unpack(header)
    pivot_rows, pivot_cols = _rows_and_columns(header)
    n = s.n
    rows(header, t)
    dense_jacobian(header)
    _row_lengths(header, 1)
    for j in range(n):  # in metres, an angle of a mechanism of millimetres would be independent whatever it does
        unit = _unit(header, j)
        for k in range(s.m):
            s.B[k * n + j] *= unit
    rank, ratio, volume = choose_free(
        s.B, s.m, n, s.opt.rank, s.prefer, s.piv[s.m + n :], s.r, pivot_rows, pivot_cols, TOLERANCE
    )  # fmt: skip
    if rank < s.opt.rank:
        s.margin.now = 0.0
        return SINGULAR, 0
    s.margin.now = ratio  # of the best choice: it falls only where every choice is bad
    if s.run.settle_calls > 1 and s.margin.volume >= BETTER + volume:
        return OK, 0
    changed = 0
    for j in range(n):
        if s.free[j] != s.piv[s.m + n + j]:
            s.free[j] = s.piv[s.m + n + j]
            changed = 1
    return OK, changed


@compiled(SETTLE)
def settle(header, t):
    """After a step: dependent coordinates to tolerance, and another choice of independent ones where it pays."""
    s = unpack(header)
    s.run.settle_calls += 1
    status = OK
    if s.run.settle_calls > 1:
        status = solve_positions(header, t)
        if status == SINGULAR:
            s.margin.volume = -1e300  # perhaps only this choice is singular
            status = OK
        if status != OK:
            return status
    status, changed = choose(header, t)
    if status != OK:
        return status
    if changed == 1 or s.run.settle_calls == 1:
        s.run.rechoices += 1 if s.run.settle_calls > 1 else 0
        note_choice(header, t)
        return solve_positions(header, t)
    return OK
