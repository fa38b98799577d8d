"""Forces and rows between two positions: mean values that do exactly the work that energy changes by (002 (20), (21)).

Every potential is a function of strains, V(eps), and every strain changes by exactly

    eps_b - eps_a = E*(a, b) . (x_b - x_a)

with a *discrete derivative* E*: for the length of a line the mean direction over the mean length, for a coordinate
one, for an angle the mean direction turned by a right angle. A mean stress, the mean of the law over the way from
eps_a to eps_b, then makes E*^T sigma do the work V_b - V_a. Rows are quadratics of x, whose gradient at the mean
position is exact; sines and cosines have mean slopes.   [D.1]-[D.4]
"""

from __future__ import annotations

from math import atan2, cos, floor, pi, sin, sqrt

from ....kernels.forces import reciprocal, span
from ....kernels.laws.law import elastic_jump, elastic_part, has_potential, motion, other_part
from ....machine.array_table import unpack
from ....machine.compiled import compiled

_P1, _P2 = 0.5384693101056831, 0.9061798459386640
_W0, _W1, _W2 = 0.5688888888888889 / 2, 0.4786286704993665 / 2, 0.2369268850561891 / 2


@compiled()
def depends_on_place(header, law):
    """Whether the part of a law without a potential is more than a constant and a damper."""
    s = unpack(header)
    program = s.law_prog[law] >= 0 and not has_potential(header, law)
    return program or s.law_table[law] >= 0 or s.law_user[law] >= 0


@compiled()
def mean_elastic(header, law, a, b):
    """The part of a law with a potential, averaged over the way from a to b: (V_a - V_b) / (b - a)."""
    middle, half = 0.5 * (a + b), 0.5 * (b - a)
    force = elastic_part(header, law, middle)
    if has_potential(header, law) and half != 0.0:
        force *= _W0
        force += _W1 * elastic_part(header, law, middle - _P1 * half)
        force += _W1 * elastic_part(header, law, middle + _P1 * half)
        force += _W2 * elastic_part(header, law, middle - _P2 * half)
        force += _W2 * elastic_part(header, law, middle + _P2 * half)
    return force


@compiled()
def mean_law(header, law, t, a, b, rate):
    """(elastic, other) force of a law, averaged over the way from a to b: Gauss's five points where it is curved."""
    s = unpack(header)
    middle, half = 0.5 * (a + b), 0.5 * (b - a)
    elastic = mean_elastic(header, law, a, b)
    if not depends_on_place(header, law):
        return elastic, s.law_c0[law] - s.law_c[law] * rate
    other = _W0 * other_part(header, law, t, middle, rate)
    if half != 0.0:
        other += _W1 * other_part(header, law, t, middle - _P1 * half, rate)
        other += _W1 * other_part(header, law, t, middle + _P1 * half, rate)
        other += _W2 * other_part(header, law, t, middle - _P2 * half, rate)
        other += _W2 * other_part(header, law, t, middle + _P2 * half, rate)
    else:
        other /= _W0
    return elastic, other


@compiled()
def mean_slopes(header, law, t, a, b, rate, size):
    """Derivatives of the mean force with respect to b and to the rate."""
    s = unpack(header)
    by_place, by_rate = -0.5 * s.law_k[law], -s.law_c[law]
    if has_potential(header, law):
        d = 1e-6 * size
        by_place = 0.5 * (mean_elastic(header, law, a, b + d) - mean_elastic(header, law, a, b - d)) / d
    if depends_on_place(header, law):
        d = 1e-6 * size
        plus, minus = mean_law(header, law, t, a, b + d, rate)[1], mean_law(header, law, t, a, b - d, rate)[1]
        by_place += 0.5 * (plus - minus) / d
        d = 1e-6 * (1.0 + abs(rate))
        plus, minus = mean_law(header, law, t, a, b, rate + d)[1], mean_law(header, law, t, a, b, rate - d)[1]
        by_rate = 0.5 * (plus - minus) / d
    return by_place, by_rate


@compiled()
def line_at(header, l, x):
    """r_B - r_A of line force l at the variables x, and its length."""
    s = unpack(header)
    dx, dy, dz = s.line_x0[l], s.line_y0[l], 0.0
    for e in range(s.line_ptr[l], s.line_ptr[l + 1]):
        i = s.line_col[e]
        dx += s.line_cx[e] * x[i]
        dy += s.line_cy[e] * x[i]
    if len(s.line_z0) > 0:
        dz = s.line_z0[l]
        for e in range(s.line_ptr[l], s.line_ptr[l + 1]):
            dz += s.line_cz[e] * x[s.line_col[e]]
    return dx, dy, dz, sqrt(dx * dx + dy * dy + dz * dz)


@compiled()
def angle_between(header, l, x):
    """Angle of torsion element l at the variables x, with the whole turns of the last accepted step."""
    s = unpack(header)
    a, b, _, _ = span(s.tor_ptr, s.tor_col, s.tor_cx, s.tor_cy, s.tor_x0, s.tor_y0, 2 * l, x, x)
    e, f, _, _ = span(s.tor_ptr, s.tor_col, s.tor_cx, s.tor_cy, s.tor_x0, s.tor_y0, 2 * l + 1, x, x)
    angle = atan2(a * f - b * e, a * e + b * f)
    return angle + 2 * pi * floor((s.tor_turn[l] - angle) / (2 * pi) + 0.5)


@compiled()
def mean_forces(header, t, xa, xb, ra, rb, h, jump, F):
    """F = mean forces on x over the way from xa to xb, and `jump` times what the stress has changed by; returns the
    work of the forces without a potential on that way.

    Rates are those of the way from ra to rb within h (another one where a scheme has two).
    """
    s = unpack(header)
    work = 0.0
    for i in range(len(F)):
        F[i] = s.Q0[i]
    for l in range(len(s.load_law)):
        f = other_part(header, s.load_law[l], t, 0.0, 0.0)
        for e in range(s.load_ptr[l], s.load_ptr[l + 1]):
            w = s.load_b[e]
            for a in range(s.load_aptr[e], s.load_aptr[e + 1]):
                j = s.load_acol[a]
                w += s.load_aval[a] * 0.5 * (xa[j] + xb[j])
            i = s.load_col[e]
            F[i] += f * w
            work += f * w * (xb[i] - xa[i])
    for l in range(len(s.line_law)):
        law = s.line_law[l]
        ax, ay, az, la = line_at(header, l, xa)
        bx, by, bz, lb = line_at(header, l, xb)
        rate = (line_at(header, l, rb)[3] - line_at(header, l, ra)[3]) / h
        elastic, other = mean_law(header, law, t, la, lb, rate)
        work += other * (lb - la)
        if jump != 0.0:
            elastic += jump * elastic_jump(header, law, la, lb)
            if depends_on_place(header, law):
                other += jump * (other_part(header, law, t, lb, rate) - other_part(header, law, t, la, rate))
        f = (elastic + other) * reciprocal(la + lb)
        dx, dy, dz = ax + bx, ay + by, az + bz  # mean direction over mean length
        for e in range(s.line_ptr[l], s.line_ptr[l + 1]):
            F[s.line_col[e]] += f * (s.line_cx[e] * dx + s.line_cy[e] * dy)
        if len(s.line_z0) > 0:
            for e in range(s.line_ptr[l], s.line_ptr[l + 1]):
                F[s.line_col[e]] += f * s.line_cz[e] * dz
    for l in range(len(s.cf_law)):
        law, i = s.cf_law[l], s.cf_col[l]
        rate = (rb[i] - ra[i]) / h
        elastic, other = mean_law(header, law, t, xa[i], xb[i], rate)
        work += other * (xb[i] - xa[i])
        if jump != 0.0:
            elastic += jump * elastic_jump(header, law, xa[i], xb[i])
            if depends_on_place(header, law):
                other += jump * (other_part(header, law, t, xb[i], rate) - other_part(header, law, t, xa[i], rate))
        F[i] += elastic + other
    for l in range(len(s.tor_law)):
        law = s.tor_law[l]
        start, end = angle_between(header, l, xa), angle_between(header, l, xb)
        rate = (angle_between(header, l, rb) - angle_between(header, l, ra)) / h
        elastic, other = mean_law(header, law, t, start, end, rate)
        work += other * (end - start)
        if jump != 0.0:
            elastic += jump * elastic_jump(header, law, start, end)
            if depends_on_place(header, law):
                other += jump * (other_part(header, law, t, end, rate) - other_part(header, law, t, start, rate))
        for side in range(2):
            g = (elastic + other) * (1.0 if side == 1 else -1.0)
            mean_turn(header, 2 * l + side, xa, xb, g, F)
    return work


@compiled()
def mean_turn(header, k, xa, xb, moment, F):
    """Add the forces of a moment on direction k: its angle changes by exactly kappa mean(u) x (u_b - u_a)."""
    s = unpack(header)
    parts = (s.tor_ptr, s.tor_col, s.tor_cx, s.tor_cy, s.tor_x0, s.tor_y0)
    ax, ay, _, _ = span(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], k, xa, xa)
    bx, by, _, _ = span(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], k, xb, xb)
    cross, dot = ax * by - ay * bx, ax * bx + ay * by
    kappa = atan2(cross, dot) / cross if abs(cross) > 1e-9 * abs(dot) else 1.0 / dot
    g = 0.5 * kappa * moment
    for e in range(s.tor_ptr[k], s.tor_ptr[k + 1]):
        F[s.tor_col[e]] += g * ((ax + bx) * s.tor_cy[e] - (ay + by) * s.tor_cx[e])


@compiled()
def mean_rows(header, xa, xb, J):
    """Gradients of the rows that satisfy Phi_b - Phi_a = J (x_b - x_a) exactly.   002 (21)"""
    s = unpack(header)
    far = len(s.ref) > 0
    for k in range(s.m):
        for e in range(s.xptr[k], s.xptr[k + 1]):
            w = 0.0
            for l in range(s.aptr[e], s.aptr[e + 1]):
                j = s.acol[l]
                twice = 2.0 * s.ref[j] if far else 0.0
                w += s.aval[l] * (xa[j] + xb[j] - twice)
            J[e] = s.b[e] + 0.5 * w
    for l in range(len(s.trig_row)):
        e, j = s.trig_entry[l], s.trig_col[l]
        middle, half = 0.5 * (xa[j] + xb[j]), 0.5 * (xb[j] - xa[j])
        share = sin(half) / half if abs(half) > 1e-8 else 1.0
        J[e] += share * (s.trig_sin[l] * cos(middle) - s.trig_cos[l] * sin(middle))


@compiled()
def row_values(header, x, t, Phi):
    """Phi at the variables x and time t."""
    s = unpack(header)
    far = len(s.ref) > 0
    for k in range(s.m):
        phi = s.c[k]
        for e in range(s.xptr[k], s.xptr[k + 1]):
            w = 0.0
            for l in range(s.aptr[e], s.aptr[e + 1]):
                j = s.acol[l]
                w += s.aval[l] * (x[j] - (s.ref[j] if far else 0.0))
            i = s.xcol[e]
            phi += (s.b[e] + 0.5 * w) * (x[i] - (s.ref[i] if far else 0.0))
        Phi[k] = phi
    for l in range(len(s.trig_row)):
        j = s.trig_col[l]
        Phi[s.trig_row[l]] += s.trig_cos[l] * cos(x[j]) + s.trig_sin[l] * sin(x[j])
    for l in range(len(s.drv_row)):
        Phi[s.drv_row[l]] -= motion(header, s.drv_law[l], t)[0]


@compiled()
def row_slopes(header, x, J):
    """Phi_x at the variables x."""
    mean_rows(header, x, x, J)
