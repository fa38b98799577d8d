"""Newton-Raphson of index-3 schemes in natural coordinates, on a matrix of the coordinates alone.

Rows that are a little soft may be eliminated from the equations of `newton`: with W = 1/soft

    (K + B*^T W B) du = -(r + B*^T (lam + W Phi)),        lam <- lam + W (Phi + B du)

is the same step, but the matrix has the pattern of M + B^T B, whose factor is sparse and known beforehand. K is M, and
what the curvature of the rows and the stiffness of force elements add.   Cuadrado, Cardenal & Bayo (1997); [D.9], [S.4]
"""

from __future__ import annotations

from ....kernels.laws.law import elastic_part, other_part
from ....kernels.laws.slopes import slopes
from ....kernels.rows import row_times
from ....kernels.strains import strain as strains
from ....machine.array_table import unpack
from ....machine.compiled import compiled


@compiled()
def add_curvature(header, scale, lam):
    """A += scale lam . (second derivatives of the rows)."""
    s = unpack(header)
    for l in range(len(s.bend_pos)):
        s.A[s.bend_pos[l]] += scale * lam[s.bend_row[l]] * s.bend_val[l]


@compiled()
def add_stiffness(header, t, scale, by_rate):
    """A -= scale dQ/dq of springs, dampers and motors (of angles between bodies the part along the angle)."""
    s = unpack(header)
    place = 0
    for l in range(len(s.element_law)):
        law = s.element_law[l]
        value, rate, a, b, c, d = strains.strain(header, l)
        force = elastic_part(header, law, value) + other_part(header, law, t, value, rate)
        stiff, damp = slopes(header, law, t, value, rate, s.par.length_scale)
        place = strains.add_stiffness(header, l, place, force, stiff + by_rate * damp, scale, a, b, c, d)


@compiled()
def subtract_row_forces(header, lam, stiffness, violation, out):
    """out -= B^T (lam + W violation), W the weights of the rows times `stiffness`; over the active rows."""
    s = unpack(header)
    for c in range(len(s.active)):
        k = s.active[c]
        f = lam[k] + stiffness * s.weight[k] * violation[k]
        for e in range(s.jptr[k], s.jptr[k + 1]):
            out[s.jcol[e]] -= s.J[e] * f


@compiled()
def update_multipliers(header, stiffness, violation, change, lam):
    """lam += W (violation + B change), over the active rows.   000 (111b)"""
    s = unpack(header)
    for c in range(len(s.active)):
        k = s.active[c]
        lam[k] += stiffness * s.weight[k] * (violation[k] + row_times(header, k, change))
