"""Derivatives of mean forces and mean gradients with respect to the end of the way, in natural coordinates (x = q)."""

from __future__ import annotations

from math import cos, sin

from ....kernels.laws.law import other_part
from ....kernels.strains.strain import add_mean_tangent, strain_at
from ....machine.array_table import unpack
from ....machine.compiled import compiled
from .discrete_gradient import mean_law, mean_slopes


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
