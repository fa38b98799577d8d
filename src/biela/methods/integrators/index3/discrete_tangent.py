"""Derivatives of mean forces and mean gradients with respect to the end of the way, in natural coordinates (x = q)."""

from __future__ import annotations

from math import cos, sin

from ....kernels.forces import reciprocal
from ....kernels.laws.law import other_part
from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ...formulations.parameters import SIZE
from .discrete_gradient import angle_between, line_at, mean_law, mean_slopes, mean_turn


@compiled()
def force_tangent(header, t, xa, xb, h, scale, T, N):
    """T += scale dF/dx_b of `mean_forces`, on the leading block of a matrix with rows of length N."""
    s = unpack(header)
    for l in range(len(s.load_law)):  # a load that turns with a body
        f = 0.5 * scale * other_part(header, s.load_law[l], t, 0.0, 0.0)
        for e in range(s.load_ptr[l], s.load_ptr[l + 1]):
            for a in range(s.load_aptr[e], s.load_aptr[e + 1]):
                T[s.load_col[e] * N + s.load_acol[a]] += f * s.load_aval[a]
    for l in range(len(s.line_law)):
        line_tangent(header, l, t, xa, xb, h, scale, T, N)
    for l in range(len(s.cf_law)):
        law, i = s.cf_law[l], s.cf_col[l]
        by_place, by_rate = mean_slopes(header, law, t, xa[i], xb[i], (xb[i] - xa[i]) / h, s.par[SIZE])
        T[i * N + i] += scale * (by_place + by_rate / h)
    for l in range(len(s.tor_law)):
        torsion_tangent(header, l, t, xa, xb, h, scale, T, N)


@compiled()
def line_tangent(header, l, t, xa, xb, h, scale, T, N):
    """F = f (d_a + d_b) / (l_a + l_b): f and l_b change along d_b, the direction with C."""
    s = unpack(header)
    law = s.line_law[l]
    ax, ay, az, la = line_at(header, l, xa)
    bx, by, bz, lb = line_at(header, l, xb)
    rate = (lb - la) / h
    elastic, other = mean_law(header, law, t, la, lb, rate)
    by_place, by_rate = mean_slopes(header, law, t, la, lb, rate, s.par[SIZE])
    f, over, unit = elastic + other, reciprocal(la + lb), reciprocal(lb)
    grow = ((by_place + by_rate / h) * over - f * over * over) * unit
    dx, dy, dz = ax + bx, ay + by, az + bz
    space = len(s.line_z0) > 0
    first, last = s.line_ptr[l], s.line_ptr[l + 1]
    for e in range(first, last):
        along = s.line_cx[e] * dx + s.line_cy[e] * dy
        if space:
            along += s.line_cz[e] * dz
        for g in range(first, last):
            change = s.line_cx[g] * bx + s.line_cy[g] * by
            turn = s.line_cx[e] * s.line_cx[g] + s.line_cy[e] * s.line_cy[g]
            if space:
                change += s.line_cz[g] * bz
                turn += s.line_cz[e] * s.line_cz[g]
            T[s.line_col[e] * N + s.line_col[g]] += scale * (grow * along * change + f * over * turn)


@compiled()
def torsion_tangent(header, l, t, xa, xb, h, scale, T, N):
    """A torsion element: the change of its moment along the angle, by differences of the few variables it has."""
    s = unpack(header)
    law = s.tor_law[l]
    start, end = angle_between(header, l, xa), angle_between(header, l, xb)
    d = 1e-6 * s.par[SIZE]
    for side in range(2):
        k = 2 * l + side
        for e in range(s.tor_ptr[k], s.tor_ptr[k + 1]):
            j, keep = s.tor_col[e], xb[s.tor_col[e]]
            known = False
            for g in range(s.tor_ptr[2 * l], e):
                known = known or s.tor_col[g] == j
            if known:
                continue
            for sign in range(2):
                xb[j] = keep + (d if sign == 0 else -d)
                end = angle_between(header, l, xb)
                elastic, other = mean_law(header, law, t, start, end, (end - start) / h)
                weight = (0.5 if sign == 0 else -0.5) * scale / d * (elastic + other)
                for other_side in range(2):
                    c = 2 * l + other_side
                    column = s.w
                    for i in range(s.n):
                        column[i] = 0.0
                    mean_turn(header, c, xa, xb, weight * (1.0 if other_side == 1 else -1.0), column)
                    for i in range(s.tor_ptr[c], s.tor_ptr[c + 1]):
                        row = s.tor_col[i]
                        T[row * N + j] += column[row]
                        column[row] = 0.0
                xb[j] = keep


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
