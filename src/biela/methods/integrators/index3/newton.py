"""Newton-Raphson for a step of an index-3 scheme: increments and multipliers together (000 4.2).

    [ K     B*^T ] [ du   ]     [ r   ]
    [ B_1  -soft ] [ dlam ] = - [ Phi ]

Rows are a little soft, so that redundant ones share their load; iteration makes them firm. A factorised tangent serves
as long as the iteration converges fast with it.   [D.9]
"""

from __future__ import annotations

from math import sqrt

from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ...formulations.parameters import ITERATIONS, MASS, OFF_BY, SIZE, WORST
from ...linear.lu import lu_factor, lu_solve
from .workspace import CHANGE, LAM, MATRIX, PIVOT, RESIDUAL, U, parts

MOST, PATIENCE = 40, 5
"""iterations of a step; iterations before the tangent is renewed"""
SOFT = 1e-7
"""how soft a row is, against its own compliance"""
LEAP = 0.3
"""of the size: no prediction goes farther by the accelerations at the start, which stiff springs make large"""


@compiled()
def believed(header, h):
    """Which share of h^2 a / 2 a prediction takes."""
    s = unpack(header)
    reach = 0.0
    for i in range(s.n):
        reach = max(reach, abs(s.a[i]))
    return min(1.0, LEAP * s.par[SIZE] / max(0.5 * h * h * reach, 1e-300))


@compiled()
def tell_worst(header, stages, scale):
    """Which equation is off most, and by how much: forces (the first equations are multiplied by `scale`), or a row."""
    s = unpack(header)
    r, worst, first = parts(header, stages)[RESIDUAL], -1.0, stages * s.n
    for i in range(first + stages * s.m):
        if i < first:
            share = abs(r[i]) / (s.par[MASS] * s.par[SIZE])
            at, off = i % s.n, abs(r[i]) / scale
        else:
            k = (i - first) % s.m
            share = abs(r[i]) * sqrt(s.weight[k]) / s.par[SIZE]
            at, off = s.n + k, abs(r[i])
        if not share <= worst:
            worst = share
            s.mon[WORST], s.mon[OFF_BY] = at, off
        if share != share:
            return


@compiled()
def tell_worst_of(header, r, scale):
    """The same where r has the forces alone and the rows are in Phi."""
    s = unpack(header)
    worst = -1.0
    for i in range(s.n + s.m):
        if i < s.n:
            share, off = abs(r[i]) / (s.par[MASS] * s.par[SIZE]), abs(r[i]) / scale
        else:
            off = abs(s.Phi[i - s.n])
            share = off * sqrt(s.weight[i - s.n]) / s.par[SIZE]
        if not share <= worst:
            worst = share
            s.mon[WORST], s.mon[OFF_BY] = i, off
        if share != share:
            return


@compiled()
def factorise(header, stages):
    """Soften the rows of the tangent and factorise it; 0 if that can be done."""
    s = unpack(header)
    p = parts(header, stages)
    T, N, first = p[MATRIX], stages * (s.n + s.m), stages * s.n
    for stage in range(stages):
        for k in range(s.m):
            i = first + stage * s.m + k
            T[i * N + i] -= SOFT / (s.weight[k] * s.par[MASS])
    return lu_factor(T, N, p[PIVOT])


@compiled()
def improve(header, stages):
    """One correction of increments and multipliers from the residual; returns the largest change of an increment."""
    s = unpack(header)
    p = parts(header, stages)
    u, lam, r, d = p[U], p[LAM], p[RESIDUAL], p[CHANGE]
    n, m = stages * s.n, stages * s.m
    for i in range(n + m):
        d[i] = -r[i]
    lu_solve(p[MATRIX], d, n + m, p[PIVOT])
    change = 0.0
    for i in range(n):
        u[i] += d[i]
        change = max(change, abs(d[i]))
    for k in range(m):
        lam[k] += d[n + k]
    s.opt[ITERATIONS] += 1
    return change


@compiled()
def stands_still(header, change, before, iteration):
    """Whether nothing is to be gained any more: changes of rounding, or small changes that do not fall."""
    size = unpack(header).par[SIZE]
    if change <= 2e-15 * size:
        return True
    return change > 0.5 * before and change < (1e-13 if iteration < 12 else 1e-10) * size
