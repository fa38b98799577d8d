"""Forces and rows between two positions: mean values that do exactly the work that energy changes by (002 (20), (21)),
and their derivatives.

Every potential is a function of strains, V(eps), and every strain changes by exactly

    eps_b - eps_a = E*(a, b) . (x_b - x_a)

with a *discrete derivative* E*: for the length of a line the mean direction over the mean length, for a coordinate
one, for an angle the mean direction turned by a right angle. A mean stress, the mean of the law from eps_a
to eps_b, then makes E*^T sigma do the work V_b - V_a. Rows are quadratics of x, whose gradient at the mean
position is exact; sines and cosines have mean slopes.   [D.1]-[D.4]
"""

from __future__ import annotations

from math import cos, sin

from ....kernels.laws.law import elastic_jump, elastic_part, has_potential, motion, other_part
from ....kernels.strains.strain import add_mean_tangent, mean_pull, strain_at
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
    """The part of a law with a potential, averaged from a to b: (V_a - V_b) / (b - a)."""
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
    """(elastic, other) force of a law, averaged from a to b: Gauss's five points where it is curved."""
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
def mean_forces(header, t, xa, xb, ra, rb, h, jump, F):
    """F = mean forces on x from xa to xb, and `jump` times what the stress has changed by; returns the
    work of the forces without a potential in between.

    Rates are those from ra to rb within h (another pair of positions where a scheme has two).
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
    for l in range(len(s.element_law)):
        law = s.element_law[l]
        start, a0, b0, c0, d0 = strain_at(header, l, xa)
        end, a1, b1, c1, d1 = strain_at(header, l, xb)
        rate = (strain_at(header, l, rb)[0] - strain_at(header, l, ra)[0]) / h
        elastic, other = mean_law(header, law, t, start, end, rate)
        work += other * (end - start)
        if jump != 0.0:
            elastic += jump * elastic_jump(header, law, start, end)
            if depends_on_place(header, law):
                other += jump * (other_part(header, law, t, end, rate) - other_part(header, law, t, start, rate))
        mean_pull(header, l, elastic + other, a0, b0, c0, d0, a1, b1, c1, d1, F)
    return work


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


# ----------------------------------------- derivatives by the end of the step, in natural coordinates, where x = q
@compiled()
def force_tangent(header, t, xa, xb, h, scale, T, N):
    """T += scale dF/dx_b of `mean_forces`, on the leading block of a matrix with rows of length N."""
    s = unpack(header)
    for l in range(len(s.load_law)):  # a load that turns with a body
        f = 0.5 * scale * other_part(header, s.load_law[l], t, 0.0, 0.0)
        for e in range(s.load_ptr[l], s.load_ptr[l + 1]):
            for a in range(s.load_aptr[e], s.load_aptr[e + 1]):
                T[s.load_col[e] * N + s.load_acol[a]] += f * s.load_aval[a]
    for l in range(len(s.element_law)):
        law = s.element_law[l]
        start, a0, b0, c0, d0 = strain_at(header, l, xa)
        end, a1, b1, c1, d1 = strain_at(header, l, xb)
        rate = (end - start) / h
        elastic, other = mean_law(header, law, t, start, end, rate)
        by_place, by_rate = mean_slopes(header, law, t, start, end, rate, s.par.length_scale)
        slope = by_place + by_rate / h
        add_mean_tangent(header, l, elastic + other, slope, scale, a0, b0, c0, d0, a1, b1, c1, d1, T, N)


@compiled()
def row_tangent(header, xa, xb, lam, T, N):
    """T += lam . dJ/dx_b of `mean_rows`."""
    s = unpack(header)
    for k in range(s.m):
        for e in range(s.xptr[k], s.xptr[k + 1]):
            for l in range(s.aptr[e], s.aptr[e + 1]):
                T[s.xcol[e] * N + s.acol[l]] += 0.5 * lam[k] * s.aval[l]
    for l in range(len(s.trig_row)):
        j = s.trig_col[l]
        middle, half = 0.5 * (xa[j] + xb[j]), 0.5 * (xb[j] - xa[j])
        small = abs(half) < 1e-4
        share = 1.0 - half * half / 6.0 if small else sin(half) / half
        fall = -half / 3.0 if small else (cos(half) - share) / half
        slope = s.trig_sin[l] * cos(middle) - s.trig_cos[l] * sin(middle)
        bend = -s.trig_sin[l] * sin(middle) - s.trig_cos[l] * cos(middle)
        T[j * N + j] += 0.5 * lam[s.trig_row[l]] * (share * bend + fall * slope)
