"""Exact tangents of the applied forces: stiffness dQ/dq and damping dQ/dv in any coordinates, at the present state.

Forces act on the variables x of points and directions, which depend on q: with X = dx/dq (the identity in natural
coordinates) and D = d(x')/dq a strain e(x), such as a length or an angle, has

    e_q = e_x X,    (e')_v = e_q,    (e')_q = e_x D + (e_x)' X

and a force f(e, e', t) along it  dQ/dq = e_q^T (f_e e_q + f_e' (e')_q) + f X^T e_xx X,  dQ/dv = e_q^T f_e' e_q.
What is missing in dQ/dq is dX^T/dq Qx: it belongs to the way the coordinates bend, as the inertia forces do.   [I.26]
"""

from __future__ import annotations

from ..machine.array_table import unpack
from ..machine.compiled import compiled
from .laws.law import elastic_part, has_potential, other_part
from .laws.slopes import slopes
from .products import clear
from .strains.dense import add_bent, add_outer, add_row
from .strains.strain import differentiate, strain

E, RATE = 6, 7
"""vectors of the scratch: derivatives of a strain and of its rate, after six that the strain works with"""
VECTORS = 8


@compiled()
def element_tangents(header, t, X, D, K, C, Pq, Pv, work, size):
    """Springs, dampers, actuators and motors; and the derivatives of the power of what has no potential."""
    s = unpack(header)
    n = s.n
    e, r = work[E * n : (E + 1) * n], work[RATE * n : (RATE + 1) * n]
    for l in range(len(s.element_law)):
        law = s.element_law[l]
        value, rate, _, _, _, _ = strain(header, l)
        rest = other_part(header, law, t, value, rate)
        differentiate(header, l, elastic_part(header, law, value) + rest, X, D, work, e, r, K)
        stiff, damp = slopes(header, law, t, value, rate, size)
        add_outer(K, n, e, e, stiff)
        add_outer(K, n, e, r, damp)
        add_outer(C, n, e, e, damp)
        by_place = 0.0 if has_potential(header, law) else (stiff + s.law_k[law]) * rate
        by_rate = damp * rate + rest
        for j in range(n):
            Pq[j] += by_place * e[j] + by_rate * r[j]
            Pv[j] += by_rate * e[j]


@compiled()
def load_tangents(header, t, X, D, K, Pq, Pv, work):
    """Loads that turn with a body: law(t) (b + a x)."""
    s = unpack(header)
    n = s.n
    left, right = work[:n], work[n : 2 * n]
    for l in range(len(s.load_law)):
        f = other_part(header, s.load_law[l], t, 0.0, 0.0)
        for k in range(s.load_ptr[l], s.load_ptr[l + 1]):
            i, w = s.load_col[k], s.load_b[k]
            clear(left)
            clear(right)
            add_row(left, X, n, i, 1.0)
            for c in range(s.load_aptr[k], s.load_aptr[k + 1]):
                w += s.load_aval[c] * s.x[s.load_acol[c]]
                add_row(right, X, n, s.load_acol[c], s.load_aval[c])
            add_outer(K, n, left, right, f)
            for j in range(n):
                Pq[j] += f * s.xd[i] * right[j]
                Pv[j] += f * w * left[j]
            add_bent(Pq, D, n, i, f * w)


@compiled()
def force_tangents(header, t, X, D, K, C, Pq, Pv, work, size):
    """K += dQ/dq, C += dQ/dv (n x n), and the derivatives of the power of the forces without a potential."""
    element_tangents(header, t, X, D, K, C, Pq, Pv, work, size)
    load_tangents(header, t, X, D, K, Pq, Pv, work)
