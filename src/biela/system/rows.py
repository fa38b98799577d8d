"""Constraint rows in coordinates where every primitive is a quadratic: Phi, Phi_q, Phi_t, Phi', and the bias.

Because x = C q with constant C, every primitive of points and directions is a quadratic in q, and its second
derivatives A are constant. One loop serves them all:

    Phi = c + b.q + 1/2 q.A q        Phi_q = b + A q        (Phi_q)' q' = q'.A q'

Angles add c cos(phi) + d sin(phi), drivers subtract f(t).   003 (1), (4); 000 (130)-(133), (139)-(141).
"""

from __future__ import annotations

from math import cos, sin

from .arena import unpack
from .compiled import compiled
from .laws import motion


@compiled()
def rows(header, t):
    """Fill Phi, J (entries of Phi_q), Phit = Phi_t, Phid = Phi_q q' + Phi_t and bias = -gamma."""
    s = unpack(header)
    q, v = s.q, s.v
    for k in range(s.m):
        phi, rate, bias = s.c[k], 0.0, 0.0
        for e in range(s.jptr[k], s.jptr[k + 1]):
            w, g = 0.0, 0.0
            for l in range(s.aptr[e], s.aptr[e + 1]):
                j = s.acol[l]
                w += s.aval[l] * q[j]
                g += s.aval[l] * v[j]
            i, b = s.jcol[e], s.b[e]
            s.J[e] = b + w
            phi += (b + w / 2) * q[i]
            rate += (b + w) * v[i]
            bias += g * v[i]
        s.Phi[k] = phi
        s.Phit[k] = 0.0
        s.Phid[k] = rate
        s.bias[k] = bias
    for l in range(len(s.trig_row)):
        k, e, j = s.trig_row[l], s.trig_entry[l], s.trig_col[l]
        value = s.trig_cos[l] * cos(q[j]) + s.trig_sin[l] * sin(q[j])
        slope = s.trig_sin[l] * cos(q[j]) - s.trig_cos[l] * sin(q[j])
        s.Phi[k] += value
        s.J[e] += slope
        s.Phid[k] += slope * v[j]
        s.bias[k] -= value * v[j] * v[j]
    for l in range(len(s.drv_row)):
        k = s.drv_row[l]
        f, fd, fdd = motion(header, s.drv_law[l], t)
        s.Phi[k] -= f
        s.Phit[k] -= fd
        s.Phid[k] -= fd
        s.bias[k] -= fdd


@compiled()
def violations(header, t):
    """Largest |Phi| and |Phi'|; touches neither J nor the bias. (Rows with sines or drivers are few: see `rows`.)"""
    s = unpack(header)
    if len(s.trig_row) + len(s.drv_row) > 0:
        rows(header, t)
    else:
        for k in range(s.m):
            phi, rate = s.c[k], 0.0
            for e in range(s.jptr[k], s.jptr[k + 1]):
                w = 0.0
                for l in range(s.aptr[e], s.aptr[e + 1]):
                    w += s.aval[l] * s.q[s.acol[l]]
                i, b = s.jcol[e], s.b[e]
                phi += (b + w / 2) * s.q[i]
                rate += (b + w) * s.v[i]
            s.Phi[k] = phi
            s.Phid[k] = rate
    position, velocity = 0.0, 0.0
    for k in range(s.m):
        position = max(position, abs(s.Phi[k]))
        velocity = max(velocity, abs(s.Phid[k]))
    return position, velocity


@compiled()
def normal_matrix(header, alpha):
    """A = M + alpha Phi_q^T Phi_q, lower triangle; the pattern of the products is known beforehand."""
    s = unpack(header)
    for i in range(s.n * s.n):
        s.A[i] = s.M[i]
    for l in range(len(s.pair_pos)):
        s.A[s.pair_pos[l]] += alpha * s.J[s.pair_e[l]] * s.J[s.pair_f[l]]


@compiled()
def add_transposed(header, w, scale, out):
    """out += scale Phi_q^T w."""
    s = unpack(header)
    for k in range(s.m):
        f = scale * w[k]
        for e in range(s.jptr[k], s.jptr[k + 1]):
            out[s.jcol[e]] += s.J[e] * f


@compiled()
def row_times(header, k, x):
    """Row k of Phi_q times x."""
    s = unpack(header)
    value = 0.0
    for e in range(s.jptr[k], s.jptr[k + 1]):
        value += s.J[e] * x[s.jcol[e]]
    return value


@compiled()
def dense_jacobian(header):
    """B = Phi_q as a dense m x n matrix."""
    s = unpack(header)
    for i in range(s.m * s.n):
        s.B[i] = 0.0
    for k in range(s.m):
        for e in range(s.jptr[k], s.jptr[k + 1]):
            s.B[k * s.n + s.jcol[e]] = s.J[e]
