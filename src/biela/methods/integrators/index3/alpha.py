"""Newmark, HHT and generalized-alpha for the index-3 equations, in any coordinates (Arnold & Bruls 2007; on turning
coordinates Bruls, Cardona & Arnold 2012).

    q_1 = q_0 moved by  w = h v_0 + h^2 ((1/2 - beta) a_0 + beta a_1)        v_1 = v_0 + h ((1 - gamma) a_0 + gamma a_1)
    (1 - alpha_m) a_1 + alpha_m a_0 = (1 - alpha_f) v'_1 + alpha_f v'_0      M v'_1 + B^T lam_1 = Q_1,   Phi_1 = 0

a is a variable of the scheme beside v', namely v' a little later or earlier: a = v' + (alpha_m - alpha_f) h v'' + ...
It starts as that, and follows where the step changes. With alpha_m = alpha_f = 0 the scheme is Newmark's method, with
alpha_m = 0 that of Hilber, Hughes & Taylor.   [D.15]-[D.18]
"""

from __future__ import annotations

from ....kernels.forces import forces
from ....kernels.rows import rows
from ....kernels.state import displace, normalise
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...formulations.parameters import ALPHA_F, ALPHA_M, EVERY, HISTORY, NEWMARK_BETA, NEWMARK_GAMMA, SIZE, STEP_OF_A
from ...formulations.shared import finish, project
from ...loops.step_memory import keep, spare, take_back
from ...status import ITERATION, OK
from ..settled import settled
from .alpha_natural import step_normal
from .newton import MOST, PATIENCE, believed, factorise, improve, stands_still, tell_worst
from .workspace import BASE, CHANGE, LAM, MATRIX, P0, Q0, RESIDUAL, V0, VJ, U, parts

# of the room's parts: VJ keeps v'_0, P0 takes v'_1


@compiled()
def scale_of(header, h):
    """What the equations are multiplied by, so that M stands alone in the derivatives."""
    s = unpack(header)
    return s.par[NEWMARK_BETA] * h * h * (1.0 - s.par[ALPHA_F]) / (1.0 - s.par[ALPHA_M])


@compiled()
def variable(header):
    """a."""
    return spare(header)[5]


@compiled()
def begin_variable(header, f, t, h):
    """a at the start of a step: v' + (alpha_m - alpha_f) h v'' at first, v'' by a small step ahead; then as it is left,
    but for another step h its distance from v' is another.   [D.18]"""
    s = unpack(header)
    a, late, n = variable(header), s.par[ALPHA_M] - s.par[ALPHA_F], s.n
    if s.opt[HISTORY] != 0:
        share = h / s.ctl[STEP_OF_A]
        if share != 1.0:
            for i in range(n):
                a[i] = s.a[i] + share * (a[i] - s.a[i])
    else:
        for i in range(n):
            a[i] = 0.0
        if late != 0.0:
            keep(header)
            d = 0.01 * h
            for i in range(n):
                s.w[i] = d * s.v[i] + 0.5 * d * d * s.a[i]
                s.v[i] += d * s.a[i]
            displace(header, s.w)
            known = f(header, t + d) == OK
            for i in range(n):
                s.w[i] = s.a[i]
            take_back(header)
            most, limit = 0.0, 0.0
            for i in range(n):
                a[i] = late * h * (s.w[i] - s.a[i]) / d
                most = max(most, abs(a[i]))
                limit = max(limit, abs(s.a[i]) + abs(s.v[i]) / h)
            if not known or not most < 0.5 * limit:  # beside stiff springs v'' says nothing about a step
                for i in range(n):
                    a[i] = 0.0
        for i in range(n):
            a[i] += s.a[i]
        s.opt[HISTORY] = 1
    s.ctl[STEP_OF_A] = h


@compiled()
def present(header, h, stages):
    """q_1, v_1 and v'_1 of the increment in the room; with two stages its second part moves positions alone."""
    s = unpack(header)
    n, p, a0 = s.n, parts(header, stages), variable(header)
    w, q0, v0, d0, d1 = p[U], p[Q0], p[V0], p[VJ], p[P0]
    beta, gamma, am, af = s.par[NEWMARK_BETA], s.par[NEWMARK_GAMMA], s.par[ALPHA_M], s.par[ALPHA_F]
    for i in range(s.nq):
        s.q[i] = q0[i]
    for i in range(n):
        s.w[i] = w[i] + (w[n + i] if stages == 2 else 0.0)
    displace(header, s.w)
    for i in range(n):
        a = (w[i] - h * v0[i] - h * h * (0.5 - beta) * a0[i]) / (beta * h * h)
        s.v[i] = v0[i] + h * ((1.0 - gamma) * a0[i] + gamma * a)
        d1[i] = ((1.0 - am) * a + am * a0[i] - af * d0[i]) / (1.0 - af)


@compiled()
def residual(header, t, h, out):
    """(M v' - Q + B^T lam, Phi), the first part scaled; returns the power of the forces without a potential."""
    s = unpack(header)
    n, p = s.n, parts(header, 1)
    lam, d1, scale = p[LAM], p[P0], scale_of(header, h)
    present(header, h, 1)
    rows(header, t + h)
    power = forces(header, t + h)
    for i in range(n):
        w = -s.Q[i]
        for l in range(s.mptr[i], s.mptr[i + 1]):
            w += s.mval[l] * d1[s.mcol[l]]
        out[i] = scale * w
    for k in range(s.m):
        for e in range(s.jptr[k], s.jptr[k + 1]):
            out[s.jcol[e]] += s.J[e] * lam[k]
        out[n + k] = s.Phi[k]
    return power


@compiled()
def tangent(header, t, h):
    """By differences; natural coordinates have formulas (`normal`)."""
    s = unpack(header)
    n, m, N, p = s.n, s.m, s.n + s.m, parts(header, 1)
    T, u, base, trial = p[MATRIX], p[U], p[BASE], p[CHANGE]
    residual(header, t, h, base)
    for i in range(N * N):
        T[i] = 0.0
    for k in range(m):
        for e in range(s.jptr[k], s.jptr[k + 1]):
            T[s.jcol[e] * N + n + k] = s.J[e]
    d = 1e-7 * s.par[SIZE]
    for j in range(n):
        keep = u[j]
        u[j] = keep + d
        residual(header, t, h, trial)
        for i in range(N):
            T[i * N + j] = (trial[i] - base[i]) / d
        u[j] = keep
    residual(header, t, h, base)


@compiled()
def begin_alpha(header, h, stages):
    """Keep q, v and v' at the start of a step, and predict its increment."""
    s = unpack(header)
    p, a0 = parts(header, stages), variable(header)
    u, q0, v0, d0 = p[U], p[Q0], p[V0], p[VJ]
    share = believed(header, h)
    for i in range(s.nq):
        q0[i] = s.q[i]
    for i in range(s.n):
        v0[i], d0[i] = s.v[i], s.a[i]
        u[i] = h * v0[i] + 0.5 * share * h * h * a0[i]


@compiled(STEP)
def step(header, f, settle, t, h):
    """One step. Velocities and positions are put back on the constraints if that was asked for."""
    s = unpack(header)
    begin_variable(header, f, t, h)
    if len(s.tree_calls) == 0:
        return step_normal(header, settle, t, h, False)
    n, m, p, a0 = s.n, s.m, parts(header, 1), variable(header)
    u, lam, v0, d1 = p[U], p[LAM], p[V0], p[P0]
    beta, scale = s.par[NEWMARK_BETA], scale_of(header, h)
    begin_alpha(header, h, 1)
    for k in range(m):
        lam[k] = scale * s.lam[k]
    before_power = s.power[0]
    r, before, converged = p[RESIDUAL], 1e300, False
    power = residual(header, t, h, r)
    for iteration in range(MOST):
        if iteration % PATIENCE == 0:
            tangent(header, t, h)
            if power != power or factorise(header, 1) != 0:
                break
        change = improve(header, 1)
        power = residual(header, t, h, r)
        converged = stands_still(header, change, before, iteration)
        if converged or not change < 1e3 * s.par[SIZE]:
            break
        before = change
    if not converged:
        tell_worst(header, 1, scale)
        return ITERATION
    for i in range(n):
        a0[i] = (u[i] - h * v0[i] - h * h * (0.5 - beta) * a0[i]) / (beta * h * h)
        s.a[i] = d1[i]
    for k in range(m):
        s.lam[k] = lam[k] / scale
    if len(s.quat_q) > 0:
        normalise(header)
    if s.opt[EVERY] != 0:
        status = settled(header, settle, t + h)
        if status != OK:
            return status
    finish(header, power)
    s.y[len(s.y) - 1] += 0.5 * h * (before_power + s.power[0])
    return OK


@compiled(STEP)
def step_projected(header, f, settle, t, h):
    """The same with velocities and accelerations projected at every step, in the metric of M (Bayo & Ledesma 1996,
    Cuadrado, Cardenal & Bayo 1997): those of the constraints' own surfaces."""
    s = unpack(header)
    if len(s.tree_calls) == 0:
        begin_variable(header, f, t, h)
        return step_normal(header, settle, t, h, True)
    status = step(header, f, settle, t, h)
    if status != OK:
        return status
    status = project(header, t + h)
    if status != OK:
        return status
    status = f(header, t + h)
    a0 = variable(header)
    for i in range(s.n):
        a0[i] = s.a[i]
    return status
