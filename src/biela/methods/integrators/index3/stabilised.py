"""Generalized-alpha in the stabilised index-2 form (Gear, Leimkuhler & Gupta 1985; Arnold, Bruls & Cardona 2015).

The scheme of `alpha`, with positions that a second multiplier eta moves besides, so that velocities satisfy their
constraints, too:

    q_1 = q_0 moved by  w + C eta,    M v'_1 + B_1^T lam_1 = Q_1,    Phi_1 = 0,    Phi'_1 = B_1 v_1 + Phi_t = 0

C is B_0^T, each row by its own square. The multipliers start without the transient of the index-3 form.   [D.19]
"""

from __future__ import annotations

from ....kernels.forces import forces
from ....kernels.rows import rows
from ....kernels.state import normalise
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...formulations.parameters import ITERATIONS, MASS, NEWMARK_BETA, SIZE
from ...formulations.shared import finish
from ...linear.lu import lu_factor, lu_solve
from ...loops.step_memory import spare
from ...status import ITERATION, OK
from .alpha import begin_alpha, begin_variable, present, scale_of, variable
from .newton import MOST, PATIENCE, SOFT, stands_still, tell_worst
from .workspace import BASE, CHANGE, LAM, MATRIX, P0, PIVOT, RESIDUAL, V0, U, parts


@compiled()
def across(header):
    """C, n x m, between the room's parts and the spare room."""
    s = unpack(header)
    y, _, lam, _, _, a, more = spare(header)
    end = len(s.direct) - (3 * len(y) + len(lam) + 2 * len(a) + len(more))
    return s.direct[end - s.n * s.m : end]


@compiled()
def keep_gradients(header, t):
    """C at the start of a step."""
    s = unpack(header)
    C, n, m = across(header), s.n, s.m
    rows(header, t)
    for i in range(n * m):
        C[i] = 0.0
    for k in range(m):
        square = 0.0
        for e in range(s.jptr[k], s.jptr[k + 1]):
            square += s.J[e] * s.J[e]
        square = max(square, 1e-8 / s.weight[k])
        for e in range(s.jptr[k], s.jptr[k + 1]):
            C[s.jcol[e] * m + k] += s.J[e] / square


@compiled()
def residual(header, t, h, out):
    """(M v' - Q + B^T lam, Phi, h Phi'), the first part scaled; returns the power of the forces without a potential."""
    s = unpack(header)
    n, m, p = s.n, s.m, parts(header, 2)
    u, lam, d1, scale, C = p[U], p[LAM], p[P0], scale_of(header, h), across(header)
    for i in range(n):
        w = 0.0
        for k in range(m):
            w += C[i * m + k] * lam[m + k]
        u[n + i] = w
    present(header, h, 2)
    rows(header, t + h)
    power = forces(header, t + h)
    for i in range(n):
        w = -s.Q[i]
        for l in range(s.mptr[i], s.mptr[i + 1]):
            w += s.mval[l] * d1[s.mcol[l]]
        out[i] = scale * w
    for k in range(m):
        for e in range(s.jptr[k], s.jptr[k + 1]):
            out[s.jcol[e]] += s.J[e] * lam[k]
        out[n + k] = s.Phi[k]
        out[n + m + k] = h * s.Phid[k]
    return power


@compiled()
def tangent(header, t, h):
    """Derivatives by differences; those with respect to lam are gradients of rows. Softened and factorised."""
    s = unpack(header)
    n, m, N, p = s.n, s.m, s.n + 2 * s.m, parts(header, 2)
    T, u, lam, base, trial, C = p[MATRIX], p[U], p[LAM], p[BASE], p[CHANGE], across(header)
    residual(header, t, h, base)
    for i in range(N * N):
        T[i] = 0.0
    for k in range(m):
        for e in range(s.jptr[k], s.jptr[k + 1]):
            T[s.jcol[e] * N + n + k] = s.J[e]
        T[(n + m + k) * N + n + k] -= SOFT / (s.weight[k] * s.par[MASS])
    for j in range(n + m):
        column, d = j if j < n else m + j, 1e-7 * s.par[SIZE]
        if j < n:
            keep = u[j]
            u[j] = keep + d
        else:
            reach = 1e-300
            for i in range(n):
                reach = max(reach, abs(C[i * m + j - n]))
            d = d / reach
            keep = lam[m + j - n]
            lam[m + j - n] = keep + d
        residual(header, t, h, trial)
        for i in range(N):
            T[i * N + column] = (trial[i] - base[i]) / d
        if j < n:
            u[j] = keep
        else:
            lam[m + j - n] = keep
            T[j * N + column] += SOFT
    residual(header, t, h, base)
    return lu_factor(T, N, p[PIVOT])


@compiled()
def improve(header):
    """One correction; returns the largest change of positions."""
    s = unpack(header)
    n, m, p = s.n, s.m, parts(header, 2)
    u, lam, r, d, C = p[U], p[LAM], p[RESIDUAL], p[CHANGE], across(header)
    N = n + 2 * m
    for i in range(N):
        d[i] = -r[i]
    lu_solve(p[MATRIX], d, N, p[PIVOT])
    change = 0.0
    for k in range(2 * m):
        lam[k] += d[n + k]
    for i in range(n):
        u[i] += d[i]
        w = 0.0
        for k in range(m):
            w += C[i * m + k] * d[n + m + k]
        change = max(change, abs(d[i]), abs(w))
    s.opt[ITERATIONS] += 1
    return change


@compiled(STEP)
def step(header, f, settle, t, h):
    """One step."""
    s = unpack(header)
    begin_variable(header, f, t, h)
    n, m, p, a0 = s.n, s.m, parts(header, 2), variable(header)
    u, lam, v0, d1, r = p[U], p[LAM], p[V0], p[P0], p[RESIDUAL]
    beta, scale, before_power = s.par[NEWMARK_BETA], scale_of(header, h), s.power[0]
    begin_alpha(header, h, 2)
    keep_gradients(header, t)
    for k in range(m):
        lam[k], lam[m + k] = scale * s.lam[k], 0.0
    before, converged = 1e300, False
    power = residual(header, t, h, r)
    for iteration in range(MOST):
        if iteration % PATIENCE == 0 and (power != power or tangent(header, t, h) != 0):
            break
        change = improve(header)
        power = residual(header, t, h, r)
        converged = stands_still(header, change, before, iteration)
        if converged or not change < 1e3 * s.par[SIZE]:
            break
        before = change
    if not converged:
        for i in range(n + m, n + 2 * m):
            r[i] = 0.0  # (rates are told as rows)
        tell_worst(header, 1, scale)
        return ITERATION
    for i in range(n):
        a0[i] = (u[i] - h * v0[i] - h * h * (0.5 - beta) * a0[i]) / (beta * h * h)
        s.a[i] = d1[i]
    for k in range(m):
        s.lam[k] = lam[k] / scale
    if len(s.quat_q) > 0:
        normalise(header)
    finish(header, power)
    s.y[len(s.y) - 1] += 0.5 * h * (before_power + s.power[0])
    return OK
