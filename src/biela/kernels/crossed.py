"""Natural coordinates of bodies carried by two vectors from a point, each a unit vector or the way to another point
(two points and one vector, three points, one point and two vectors): the third vector is a cross product.

w = e x u is no variable of its own, so the body has nine coordinates in place of twelve, but its mass matrix depends on
the position and brings velocity terms along: with x' = X v and the constant mass of x,

    M = X^T M_x X,    Q_v = -X^T M_x (x'' without v'),    w'' = ... + 2 e' x u'.        000 (44)-(51), [N.8]
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ..machine.array_table import unpack, unpack_tree
from ..machine.compiled import compiled

# derivative k of component c: d w_c = sum over k; operands 0-2 where e begins, 3-5 where it ends, 6-8 where u ends,
# 9-11 where it begins (of a unit vector: nought)
OPERANDS = np.array([[j + 3, j, k + 3, k, k + 6, k + 9, j + 6, j + 9]
                     for j, k in (((c + 1) % 3, (c + 2) % 3) for c in range(3))])  # fmt: skip


@compiled()
def operand(header, l, k):
    """Operand k of cross product l, and its rate."""
    s, tr = unpack(header), unpack_tree(header)
    i = tr.cross_at[12 * l + k]
    if i < 0:
        return tr.cross_value[12 * l + k], 0.0
    return s.q[i], s.v[i]


@compiled()
def place_crossed(header):
    """x, x' and the bias of x''; the derivatives of the cross products."""
    s, tr = unpack(header), unpack_tree(header)
    for i in range(len(tr.xbias)):
        tr.xbias[i] = 0.0
    for l in range(len(tr.extra_x)):
        s.x[tr.extra_x[l]] = s.q[tr.extra_q[l]]
        s.xd[tr.extra_x[l]] = s.v[tr.extra_v[l]]
    for l in range(len(tr.cross_x)):
        for c in range(3):
            j, k = (c + 1) % 3, (c + 2) % 3
            a, ad = operand(header, l, j)
            b, bd = operand(header, l, 3 + j)
            f, fd = operand(header, l, k)
            g, gd = operand(header, l, 3 + k)
            uj, ujd = operand(header, l, 6 + j)
            uk, ukd = operand(header, l, 6 + k)
            c0, c0d = operand(header, l, 9 + j)
            d0, d0d = operand(header, l, 9 + k)
            uj, uk, ujd, ukd = uj - c0, uk - d0, ujd - c0d, ukd - d0d
            ej, ek, ejd, ekd = b - a, g - f, bd - ad, gd - fd
            i = tr.cross_x[l] + c
            s.x[i] = ej * uk - ek * uj
            s.xd[i] = ejd * uk + ej * ukd - ekd * uj - ek * ujd
            tr.xbias[i] = 2.0 * (ejd * ukd - ekd * ujd)
            w = 24 * l + 8 * c
            tr.cross_W[w], tr.cross_W[w + 1] = uk, -uk
            tr.cross_W[w + 2], tr.cross_W[w + 3] = -uj, uj
            tr.cross_W[w + 4], tr.cross_W[w + 5] = ej, -ej
            tr.cross_W[w + 6], tr.cross_W[w + 7] = -ek, ek


@compiled()
def contract_crossed(header):
    """Phi_x to Phi_q."""
    s, tr = unpack(header), unpack_tree(header)
    for e in range(len(s.J)):
        s.J[e] = 0.0
    for k in range(len(s.xptr) - 1):
        extra = 0.0
        for e in range(s.xptr[k], s.xptr[k + 1]):
            extra += s.Jx[e] * tr.xbias[s.xcol[e]]
        s.bias[k] += extra
    for l in range(len(tr.plain_from)):
        s.J[tr.plain_to[l]] += s.Jx[tr.plain_from[l]]
    for l in range(len(tr.cross_from)):
        s.J[tr.cross_to[l]] += tr.cross_W[tr.cross_by[l]] * s.Jx[tr.cross_from[l]]


@compiled()
def weight_of(header, l):
    """Derivative of a variable x with respect to velocity l of its list."""
    tr = unpack_tree(header)
    k = tr.share_by[l]
    return 1.0 if k < 0 else tr.cross_W[k]


@compiled()
def weigh_crossed(header):
    """M = X^T M_x X."""
    s, tr = unpack(header), unpack_tree(header)
    for i in range(s.n * s.n):
        s.M[i] = 0.0
    for e in range(len(tr.mass_x)):
        i, j = tr.mass_i[e], tr.mass_j[e]
        for a in range(tr.share_ptr[i], tr.share_ptr[i + 1]):
            left = tr.mass_x[e] * weight_of(header, a)
            for b in range(tr.share_ptr[j], tr.share_ptr[j + 1]):
                s.M[tr.share_v[a] * s.n + tr.share_v[b]] += left * weight_of(header, b)
    for i in range(s.n):
        for l in range(s.mptr[i], s.mptr[i + 1]):
            s.mval[l] = s.M[i * s.n + s.mcol[l]]


@compiled()
def gather_crossed(header):
    """Q = X^T (Qx - M_x bias)."""
    s, tr = unpack(header), unpack_tree(header)
    for e in range(len(tr.mass_x)):
        s.Qx[tr.mass_i[e]] -= tr.mass_x[e] * tr.xbias[tr.mass_j[e]]
    for i in range(s.n):
        s.Q[i] = 0.0
    for i in range(len(s.Qx)):
        for a in range(tr.share_ptr[i], tr.share_ptr[i + 1]):
            s.Q[tr.share_v[a]] += weight_of(header, a) * s.Qx[i]


def _place(header):
    place_crossed(header)


def _contract(header):
    contract_crossed(header)


def _weigh(header):
    weigh_crossed(header)


def _gather(header):
    weigh_crossed(header)
    gather_crossed(header)


def _kinetic(header):
    place_crossed(header)
    s, tr = unpack(header), unpack_tree(header)
    energy = 0.0
    for e in range(len(tr.mass_x)):
        energy += tr.mass_x[e] * s.xd[tr.mass_i[e]] * s.xd[tr.mass_j[e]]
    s.tree_energy[0] = 0.5 * energy


CROSSED_FUNCTIONS = (_place, _contract, _weigh, _gather, _kinetic)
"""in the order of `kernels.calls`"""


@cache
def crossed_calls() -> np.ndarray:
    """Their addresses."""
    from .tree.calls import by_address

    return np.array([by_address(f).address for f in CROSSED_FUNCTIONS], dtype=np.int64)
