"""Newton-Raphson for a step of an index-3 scheme: increments and multipliers together (000 4.2).

    [ K     B*^T ] [ du   ]     [ r   ]
    [ B_1  -soft ] [ dlam ] = - [ Phi ]

Rows are a little soft, so that redundant ones share their load; iteration makes them stiff. A factorised tangent serves
as long as the iteration converges fast with it.   [D.9]

`newton` is the iteration of all schemes: it is made of a scheme's residual and tangent, compiled with both inside, and
of how its linear equations are solved: here on a dense matrix of all unknowns, in `eliminated` on one of the
coordinates alone.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from ....kernels.products import clear, copy, largest
from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ...linear.lu import lu_factor, lu_solve
from ...status import ITERATION
from .workspace import workspace

MOST, RENEWED = 40, 5
"""iterations of a step; iterations that a dense factor serves"""
SOFT = 1e-7
"""how soft a row is, against its own compliance"""
FARTHEST = 0.3
"""of the size: no prediction goes farther by the accelerations at the start, which stiff springs make large"""


@compiled()
def keep_state(header, states, sets):
    """Coordinates and velocities at the start of a step, and how large numbers are there."""
    s, w = unpack(header), workspace(header, states, sets)
    copy(s.q, w.q0)
    copy(s.v, w.v0)
    w.reach[0] = max(s.par.length_scale, largest(s.q)) if len(s.tree_calls) == 0 else s.par.length_scale


@compiled()
def prediction_share(header, h):
    """Which share of h^2 a / 2 a prediction takes."""
    s = unpack(header)
    return min(1.0, FARTHEST * s.par.length_scale / max(0.5 * h * h * largest(s.a), 1e-300))


def newton(
    residual: Any, tangent: Any, factor: Any, correct: Any, is_due: Any, has_converged: Any, most: int, ends: int
) -> Any:
    """(converged, what the residual has returned) = iterate(header, t, h, out), made of

    residual(header, t, h, out)                        of the unknowns as they are; nan where they are impossible
    tangent(header, t, h)                              its derivatives there
    factor(header)                                     their factors; 0 if that can be done
    correct(header)                                    the unknowns; returns the largest change of a position
    is_due(iteration, change, before)                  whether this iteration wants other factors than the last one
    has_converged(header, change, before, iteration)   whether nothing is to be gained any more

    and of how often the residual is found again at the end: once for what it leaves behind; twice, with a correction
    between, for schemes whose velocities are increments over h, where coordinates turn. An iteration that fails always
    leaves its residual.
    """

    @compiled()
    def iterate(header, t, h, out):
        s = unpack(header)
        before, due, converged, found = 1e300, True, False, 0.0
        for iteration in range(most):
            found = residual(header, t, h, out)
            if due:
                if found != found:
                    break
                tangent(header, t, h)
                if factor(header) != 0:
                    break
            change = correct(header)
            s.run.iterations += 1
            converged = has_converged(header, change, before, iteration)
            if converged or not change < 1e3 * s.par.length_scale:
                break
            due = is_due(iteration + 1, change, before)
            before = change
        last = 1
        if converged:
            last = ends if len(s.tree_calls) > 0 else min(ends, 1)
        for again in range(last):
            if again > 0:
                correct(header)
                s.run.iterations += 1
            found = residual(header, t, h, out)
        return converged, found

    return iterate


@compiled(forceinline=True)
def has_converged(header, states, sets, change, before, iteration):
    """Changes of rounding, or small ones that do not fall any more, as beside a singular position."""
    size, reach = unpack(header).par.length_scale, workspace(header, states, sets).reach[0]
    small = (1e-13 if iteration < 12 else 1e-10) * reach
    return change <= max(2e-15 * size, 4e-16 * reach) or (change > 0.5 * before and change < small)


@compiled()
def not_converged(header, forces, rows, scale):
    """Note which equation is off most, and by how much: forces (which are multiplied by `scale`), or rows."""
    s = unpack(header)
    first, worst = len(forces), -1.0
    for i in range(first + len(rows)):
        if i < first:
            share = abs(forces[i]) / (s.par.mass_scale * s.par.length_scale)
            at, off = i % s.n, abs(forces[i]) / scale
        else:
            k, off = (i - first) % s.m, abs(rows[i - first])
            share, at = off * sqrt(s.weight[k]) / s.par.length_scale, s.n + k
        if not share <= worst:
            worst = share
            s.mon.worst_equation, s.mon.worst_residual = at, off
        if share != share:
            break
    return ITERATION


# ------------------------------------------------------------------------------------ a dense matrix of all unknowns
@compiled()
def is_due(iteration, change, before):
    """Every fifth iteration."""
    return iteration % RENEWED == 0


@compiled()
def dense_not_converged(header, states, sets, scale):
    """`not_converged`; equations of a second set beside one state are rates of rows, told as rows."""
    s, r = unpack(header), workspace(header, states, sets).residual
    return not_converged(header, r[: states * s.n], r[states * s.n : states * (s.n + s.m)], scale)


def dense_newton(
    residual: Any, tangent: Any, states: int, sets: int, ends: int = 1, soften: Any = None, move: Any = None
) -> Any:
    """`newton` for the unknowns of the workspace, with the tangent in its matrix. A scheme may soften the rows there,
    and say how far a change of the unknowns moves positions, in its own manner: soften(header), move(header)."""

    @compiled()
    def soften_diagonal(header):
        s, w = unpack(header), workspace(header, states, sets)
        N = len(w.residual)
        for k in range(sets * s.m):
            i = states * s.n + k
            w.matrix[i * N + i] -= SOFT / (s.weight[k % s.m] * s.par.mass_scale)

    @compiled()
    def largest_increment(header):
        return largest(workspace(header, states, sets).change[: states * unpack(header).n])

    softened, moved = soften or soften_diagonal, move or largest_increment

    @compiled()
    def factor(header):
        w = workspace(header, states, sets)
        softened(header)
        return lu_factor(w.matrix, len(w.residual), w.pivot)

    @compiled()
    def correct(header):
        s, w = unpack(header), workspace(header, states, sets)
        n = states * s.n
        for i in range(len(w.change)):
            w.change[i] = -w.residual[i]
        lu_solve(w.matrix, w.change, len(w.change), w.pivot)
        for i in range(n):
            w.u[i] += w.change[i]
        for k in range(sets * s.m):
            w.lam[k] += w.change[n + k]
        return moved(header)

    @compiled()
    def converged(header, change, before, iteration):
        return has_converged(header, states, sets, change, before, iteration)

    return newton(residual, tangent, factor, correct, is_due, converged, MOST, ends)


# ------------------------------------------------------------------------------------------------------ its tangent
@compiled()
def put_gradients(header, share, J, matrix, N, row, column):
    """share B^T, with the entries J of B, as a block of a matrix."""
    s = unpack(header)
    for k in range(s.m):
        for e in range(s.jptr[k], s.jptr[k + 1]):
            matrix[(row + s.jcol[e]) * N + column + k] = share * J[e]


@compiled()
def gradient_columns(header):
    """Columns of the multipliers of a scheme with one state: the gradients that the residual has left in s.J."""
    s, w = unpack(header), workspace(header, 1, 1)
    put_gradients(header, 1.0, s.J, w.matrix, s.n + s.m, 0, s.n)


@compiled()
def no_difference(header, k):
    """Where all columns of multipliers are known."""
    return 0.0


def difference_tangent(
    residual: Any, states: int, sets: int, known_columns: Any = gradient_columns, difference: Any = no_difference
) -> Any:
    """tangent(header, t, h) by differences: those of the increments, and difference(header, k) of multiplier k; where
    that is 0, known_columns(header) has the derivatives."""

    @compiled()
    def tangent(header, t, h):
        s, w = unpack(header), workspace(header, states, sets)
        n, N = states * s.n, len(w.residual)
        clear(w.matrix)
        known_columns(header)
        for j in range(N):
            d = 1e-7 * s.par.length_scale if j < n else difference(header, j - n)
            if d == 0.0:
                continue
            unknown, at = (w.u, j) if j < n else (w.lam, j - n)
            kept = unknown[at]
            unknown[at] = kept + d
            residual(header, t, h, w.change)
            for i in range(N):
                w.matrix[i * N + j] = (w.change[i] - w.residual[i]) / d
            unknown[at] = kept

    return tangent
