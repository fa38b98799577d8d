"""Newton-Raphson for the alpha family in natural coordinates, on a matrix of the coordinates alone.

Rows that are a little soft may be eliminated from the tangent of `newton`: with W = 1/soft

    (K + B^T W B) du = -(r + B^T W Phi),        dlam = W (Phi + B du)

is the same step, but the matrix is positive definite and has the pattern of M + B^T B, whose factor is sparse and
known beforehand. K = M + lam A + what springs add. The velocities and accelerations of the augmented Lagrangian method
at index 3 are projected with the last factor.   Cuadrado, Cardenal & Bayo (1997); [D.9], [S.4]
"""

from __future__ import annotations

from math import sqrt

from ....kernels.forces import forces, reach, reciprocal, span, turned
from ....kernels.laws.law import elastic_part, other_part
from ....kernels.laws.slopes import slopes
from ....kernels.rows import normal_matrix, row_times, rows, spread_multipliers
from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ...formulations.parameters import (
    ALPHA_F,
    ALPHA_M,
    ENOUGH,
    EVERY,
    FIRM,
    ITERATIONS,
    MASS,
    NEWMARK_BETA,
    NEWMARK_GAMMA,
    SIZE,
)
from ...formulations.shared import finish
from ...linear.static import factor_normal, solve_normal
from ...loops.step_memory import spare
from ...status import ITERATION, NO_INERTIA, OK
from ..settled import settled
from .newton import believed, tell_worst_of

GENTLE, MOST = 1e-4, 30
"""how soft a row is in projections, against its own compliance; iterations of a step"""
Q0, V0, D0, D1, U, R = range(6)
PARTS = 6
"""vectors of the size of v in the room; one of the size of the multipliers follows"""


@compiled()
def add_bending(header, lam):
    """A += lam . (second derivatives of the rows)."""
    s = unpack(header)
    for l in range(len(s.bend_pos)):
        s.A[s.bend_pos[l]] += lam[s.bend_row[l]] * s.bend_val[l]


@compiled()
def add_stiffness(header, t, scale, by_rate):
    """A -= scale dQ/dq of springs, dampers and torsion elements (of the latter the part along the angle)."""
    s = unpack(header)
    at = 0
    for l in range(len(s.line_law)):
        dx, dy, dz, ux, uy, uz = reach(header, l)
        length = sqrt(dx * dx + dy * dy + dz * dz)
        over = reciprocal(length)
        rate = (dx * ux + dy * uy + dz * uz) * over
        law = s.line_law[l]
        f = (elastic_part(header, law, length) + other_part(header, law, t, length, rate)) * over
        place, speed = slopes(header, law, t, length, rate, s.par[SIZE])
        along = (place + by_rate * speed - f) * over * over
        space = len(s.line_z0) > 0
        for e in range(s.line_ptr[l], s.line_ptr[l + 1]):
            a = s.line_cx[e] * dx + s.line_cy[e] * dy
            if space:
                a += s.line_cz[e] * dz
            for g in range(s.line_ptr[l], e + 1):
                b = s.line_cx[g] * dx + s.line_cy[g] * dy
                turn = s.line_cx[e] * s.line_cx[g] + s.line_cy[e] * s.line_cy[g]
                if space:
                    b += s.line_cz[g] * dz
                    turn += s.line_cz[e] * s.line_cz[g]
                s.A[s.line_pos[at]] -= scale * (along * a * b + f * turn)
                at += 1
    for l in range(len(s.cf_law)):
        i = s.cf_col[l]
        place, speed = slopes(header, s.cf_law[l], t, s.x[i], s.xd[i], s.par[SIZE])
        s.A[s.cf_pos[l]] -= scale * (place + by_rate * speed)
    at = 0
    for l in range(len(s.tor_law)):
        angle, rate = turned(header, l)
        place, speed = slopes(header, s.tor_law[l], t, angle, rate, s.par[SIZE])
        stiff = scale * (place + by_rate * speed)
        for e in range(s.tor_ptr[2 * l], s.tor_ptr[2 * l + 2]):
            a = turn_of(header, l, e)
            for g in range(s.tor_ptr[2 * l], e + 1):
                twice = 2.0 if e != g and s.tor_col[e] == s.tor_col[g] else 1.0
                s.A[s.tor_pos[at]] -= twice * stiff * a * turn_of(header, l, g)
                at += 1


@compiled()
def turn_of(header, l, e):
    """Derivative of the angle of torsion element l with respect to the variable of its entry e."""
    s = unpack(header)
    k = 2 * l if e < s.tor_ptr[2 * l + 1] else 2 * l + 1
    dx, dy, _, _ = span(s.tor_ptr, s.tor_col, s.tor_cx, s.tor_cy, s.tor_x0, s.tor_y0, k, s.x, s.xd)
    turn = (dx * s.tor_cy[e] - dy * s.tor_cx[e]) / (dx * dx + dy * dy)
    return turn if k == 2 * l + 1 else -turn


@compiled()
def settle_increment(header, t, h):
    """The increment u of the room, by Newton-Raphson. Returns (converged, power)."""
    s = unpack(header)
    n, count, p = s.n, len(s.active), s.direct
    q0, v0, a0, d0 = p[:n], p[V0 * n : D0 * n], spare(header)[5], p[D0 * n : D1 * n]
    d1, u, r, lam = p[D1 * n : U * n], p[U * n : R * n], p[R * n : PARTS * n], p[PARTS * n :]
    beta, gamma, am, af = s.par[NEWMARK_BETA], s.par[NEWMARK_GAMMA], s.par[ALPHA_M], s.par[ALPHA_F]
    scale, firm = beta * h * h * (1.0 - af) / (1.0 - am), s.par[FIRM]
    to_a, to_v = 1.0 / (beta * h * h), gamma / (beta * h)
    springs = len(s.line_law) + len(s.cf_law) + len(s.tor_law)
    applied = springs + len(s.load_law)
    before, power, v, q, reach = 1e300, 0.0, s.v, s.q, s.par[SIZE]
    for i in range(n):
        reach = max(reach, abs(q0[i]))
    for iteration in range(MOST):
        for i in range(n):
            w = u[i]
            q[i] = q0[i] + w
            a = (w - h * v0[i]) * to_a - (0.5 / beta - 1.0) * a0[i]
            v[i] = v0[i] + h * ((1.0 - gamma) * a0[i] + gamma * a)
            d1[i] = ((1.0 - am) * a + am * a0[i] - af * d0[i]) / (1.0 - af)
        rows(header, t + h)
        power = forces(header, t + h)
        for i in range(n):
            w = -s.Q[i]
            for l in range(s.mptr[i], s.mptr[i + 1]):
                w += s.mval[l] * d1[s.mcol[l]]
            r[i] = -scale * w
        for c in range(count):
            k = s.active[c]
            w = lam[k] + firm * s.weight[k] * s.Phi[k]
            for e in range(s.jptr[k], s.jptr[k + 1]):
                r[s.jcol[e]] -= s.J[e] * w
        if iteration < 6 or iteration % 4 == 0:
            normal_matrix(header, firm)
            add_bending(header, lam)
            if springs > 0:
                add_stiffness(header, t + h, scale, to_v)
            if power != power or factor_normal(header) != 0:
                return False, power
        solve_normal(header, r)
        change = 0.0
        for i in range(n):
            u[i] += r[i]
            change = max(change, abs(r[i]))
        for c in range(count):
            k = s.active[c]
            lam[k] += firm * s.weight[k] * (s.Phi[k] + row_times(header, k, r))
        s.opt[ITERATIONS] += 1
        # with the whole tangent the next change would be of the square of this one
        still = change <= s.par[ENOUGH] * s.par[SIZE] or (change > 0.5 * before and change < 1e-10 * reach)
        if still or not change < 1e3 * s.par[SIZE]:
            if still:
                for i in range(n):
                    w = u[i]
                    q[i] = q0[i] + w
                    a = (w - h * v0[i]) * to_a - (0.5 / beta - 1.0) * a0[i]
                    v[i] = v0[i] + h * ((1.0 - gamma) * a0[i] + gamma * a)
                    d1[i] = ((1.0 - am) * a + am * a0[i] - af * d0[i]) / (1.0 - af)
                    a0[i] = a
                if applied > 0:
                    power = forces(header, t + h)
            return still, power
        before = change
    return False, power


@compiled()
def project_rates(header, t):
    """Velocities, then accelerations with their multipliers, onto the surfaces of the constraints, in the metric of M.

    Rows are softer here than in the iteration of positions: where the constraints lose rank, a firm projection would
    turn what is left of their violation into accelerations.
    """
    s = unpack(header)
    n, count, p = s.n, len(s.active), s.direct
    a0, r, firm = spare(header)[5], p[R * n : PARTS * n], s.par[MASS] / GENTLE
    rows(header, t)
    normal_matrix(header, firm)
    if factor_normal(header) != 0:
        return NO_INERTIA
    for _ in range(2):
        for i in range(n):
            r[i] = 0.0
        for c in range(count):
            k = s.active[c]
            w = firm * s.weight[k] * (row_times(header, k, s.v) + s.Phit[k])
            for e in range(s.jptr[k], s.jptr[k + 1]):
                r[s.jcol[e]] -= s.J[e] * w
        solve_normal(header, r)
        for i in range(n):
            s.v[i] += r[i]
    rows(header, t)  # the bias belongs to the new velocities
    for i in range(n):
        r[i] = s.Q[i]
    for c in range(count):
        k = s.active[c]
        w = s.lam[k] + firm * s.weight[k] * s.bias[k]  # 000 (111a)
        for e in range(s.jptr[k], s.jptr[k + 1]):
            r[s.jcol[e]] -= s.J[e] * w
    solve_normal(header, r)
    for c in range(count):
        k = s.active[c]
        s.lam[k] += firm * s.weight[k] * (s.bias[k] + row_times(header, k, r))  # 000 (111b)
    for i in range(n):
        s.a[i] = r[i]
        a0[i] = r[i]
    return OK


@compiled()
def step_normal(header, settle, t, h, projected):
    """One step of the family; velocities and accelerations are projected, positions and velocities put back on the
    constraints, if that was asked for."""
    s = unpack(header)
    n, count, p = s.n, len(s.active), s.direct
    q0, v0, a0, d0 = p[:n], p[V0 * n : D0 * n], spare(header)[5], p[D0 * n : D1 * n]
    d1, u, lam = p[D1 * n : U * n], p[U * n : R * n], p[PARTS * n :]
    beta = s.par[NEWMARK_BETA]
    scale = beta * h * h * (1.0 - s.par[ALPHA_F]) / (1.0 - s.par[ALPHA_M])
    share = believed(header, h)
    for i in range(n):
        q0[i], v0[i], d0[i] = s.q[i], s.v[i], s.a[i]
        u[i] = h * (v0[i] + 0.5 * share * h * a0[i])
    for c in range(count):
        lam[s.active[c]] = scale * s.lam[s.active[c]]
    before_power = s.power[0]
    converged, power = settle_increment(header, t, h)
    if not converged:
        r = p[R * n : PARTS * n]
        for i in range(n):
            r[i] = -s.Q[i]
            for l in range(s.mptr[i], s.mptr[i + 1]):
                r[i] += s.mval[l] * d1[s.mcol[l]]
            r[i] *= scale
        for c in range(count):
            k = s.active[c]
            for e in range(s.jptr[k], s.jptr[k + 1]):
                r[s.jcol[e]] += s.J[e] * lam[k]
        tell_worst_of(header, r, scale)
        return ITERATION
    for i in range(n):
        s.a[i] = d1[i]
    for c in range(count):
        s.lam[s.active[c]] = lam[s.active[c]] / scale
    if projected:
        status = project_rates(header, t + h)
        if status != OK:
            return status
    if s.opt[EVERY] != 0:
        status = settled(header, settle, t + h)
        if status != OK:
            return status
    if len(s.merge_row) > 0:
        spread_multipliers(header)
    finish(header, power)
    s.y[len(s.y) - 1] += 0.5 * h * (before_power + s.power[0])
    return OK
