"""Constraint rows, where every primitive is a quadratic of points and directions: Phi, B, Phi_t, Phi', and the bias.

Whatever the coordinates, points and directions are linear in variables x of the bodies, so every primitive is a
quadratic in x, and its second derivatives A are constant. One loop serves them all:

    Phi = c + b.x + 1/2 x.A x        Phi_x = b + A x        (Phi_x)' x' = x'.A x'

Angles add c cos(phi) + d sin(phi), drivers subtract f(t).   003 (1), (4); 000 (130)-(133), (139)-(141).
In natural coordinates x = q; in a tree of freedoms x follows from q, and B = Phi_x X.   [T.6]
"""

from __future__ import annotations

from math import cos, sin

from ..machine.array_table import call_kernel, unpack
from ..machine.compiled import compiled
from .calls import CONTRACT, PLACE
from .laws.law import motion


@compiled()
def from_reference(header):
    """x - x_ref, of which the rows of large mechanisms are polynomials: far from the origin, those of x itself would
    cancel their digits."""
    s = unpack(header)
    if len(s.ref) == 0:
        return s.x
    for i in range(len(s.ref)):
        s.away[i] = s.x[i] - s.ref[i]
    return s.away


@compiled()
def rows(header, t):
    """Fill Phi, J (entries of B), Phit = Phi_t, Phid = B v + Phi_t and bias = -gamma."""
    s = unpack(header)
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[PLACE], header)
    q, v, d = s.x, s.xd, from_reference(header)
    for k in range(s.m):
        phi, rate, bias = s.c[k], 0.0, 0.0
        for e in range(s.xptr[k], s.xptr[k + 1]):
            w, g = 0.0, 0.0
            for l in range(s.aptr[e], s.aptr[e + 1]):
                j = s.acol[l]
                w += s.aval[l] * d[j]
                g += s.aval[l] * v[j]
            i, b = s.xcol[e], s.b[e]
            s.Jx[e] = b + w
            phi += (b + w / 2) * d[i]
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
        s.Jx[e] += slope
        s.Phid[k] += slope * v[j]
        s.bias[k] -= value * v[j] * v[j]
    for l in range(len(s.drv_row)):
        k = s.drv_row[l]
        f, fd, fdd = motion(header, s.drv_law[l], t)
        s.Phi[k] -= f
        s.Phit[k] -= fd
        s.Phid[k] -= fd
        s.bias[k] -= fdd
    if len(s.merge_row) > 0:
        merge(header)
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[CONTRACT], header)


@compiled()
def merge(header):
    """w.Phi with w = (cos phi, -sin phi) of the sine and cosine rows of each angle, and its own derivatives.

    With n = (-sin phi, -cos phi):  w' = phi' n,  w'' = phi'' n - phi'^2 w.   [F.17]
    """
    s = unpack(header)
    taken = 0
    for l in range(len(s.merge_row)):
        r, k, j = s.merge_row[l], s.merge_sine[l], s.merge_cosine[l]
        phi, rate = s.x[s.merge_col[l]], s.xd[s.merge_col[l]]
        c, d = cos(phi), -sin(phi)
        along, across = c * s.Phi[k] + d * s.Phi[j], d * s.Phi[k] - c * s.Phi[j]
        across_rate = d * s.Phid[k] - c * s.Phid[j]
        s.Phi[r] = along
        s.Phit[r] = 0.0
        s.Phid[r] = c * s.Phid[k] + d * s.Phid[j] + rate * across
        s.bias[r] = c * s.bias[k] + d * s.bias[j] + 2.0 * rate * across_rate - rate * rate * along
        count = s.xptr[r + 1] - s.xptr[r]
        for e in range(count):
            sine, cosine = s.merge_from[taken + e], s.merge_from[taken + count + e]
            s.Jx[s.xptr[r] + e] = c * s.Jx[sine] + d * s.Jx[cosine]
            if s.xcol[s.xptr[r] + e] == s.merge_col[l]:
                s.Jx[s.xptr[r] + e] += across
        taken += 2 * count


@compiled()
def spread_multipliers(header):
    """The multiplier of a merged row, given back to its sine and cosine rows."""
    s = unpack(header)
    for l in range(len(s.merge_row)):
        phi = s.x[s.merge_col[l]]
        s.lam[s.merge_sine[l]] = cos(phi) * s.lam[s.merge_row[l]]
        s.lam[s.merge_cosine[l]] = -sin(phi) * s.lam[s.merge_row[l]]


@compiled()
def violations(header, t):
    """Largest |Phi| and |Phi'|; touches neither J nor the bias. (Rows with sines or drivers are few: see `rows`.)"""
    s = unpack(header)
    if s.m == 0:
        return 0.0, 0.0
    if len(s.trig_row) + len(s.drv_row) > 0:
        rows(header, t)
    else:  # (bodies of a tree are where the energies have placed them)
        d = from_reference(header)
        for k in range(s.m):
            phi, rate = s.c[k], 0.0
            for e in range(s.xptr[k], s.xptr[k + 1]):
                w = 0.0
                for l in range(s.aptr[e], s.aptr[e + 1]):
                    w += s.aval[l] * d[s.acol[l]]
                i, b = s.xcol[e], s.b[e]
                phi += (b + w / 2) * d[i]
                rate += (b + w) * s.xd[i]
            s.Phi[k] = phi
            s.Phid[k] = rate
    position, velocity = 0.0, 0.0
    for k in range(s.m):
        position = max(position, abs(s.Phi[k]))
        velocity = max(velocity, abs(s.Phid[k]))
    return position, velocity


@compiled()
def mass_matrix(header):
    """A = M, lower triangle."""
    s = unpack(header)
    for i in range(len(s.A)):
        s.A[i] = 0.0
    for l in range(len(s.mass_pos)):
        s.A[s.mass_pos[l]] += s.mval[s.mass_from[l]]


@compiled()
def normal_matrix(header, alpha):
    """A = M + alpha Phi_q^T (weights) Phi_q of the active rows, lower triangle; the pattern is known."""
    s = unpack(header)
    mass_matrix(header)
    for l in range(len(s.pair_pos)):
        s.A[s.pair_pos[l]] += alpha * s.pair_weight[l] * s.J[s.pair_e[l]] * s.J[s.pair_f[l]]


@compiled()
def add_transposed(header, w, scale, out):
    """out += scale Phi_q^T (weight w), over the active rows."""
    s = unpack(header)
    for p in range(len(s.active)):
        k = s.active[p]
        add_row(header, k, scale * s.weight[k] * w[k], out)


@compiled()
def add_row(header, k, scale, out):
    """out += scale times row k of Phi_q."""
    s = unpack(header)
    for e in range(s.jptr[k], s.jptr[k + 1]):
        out[s.jcol[e]] += s.J[e] * scale


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
    """B = Phi_q as a dense m x n matrix, where the workspace has one."""
    s = unpack(header)
    if len(s.B) == 0:
        return
    for i in range(s.m * s.n):
        s.B[i] = 0.0
    for k in range(s.m):
        for e in range(s.jptr[k], s.jptr[k + 1]):
            s.B[k * s.n + s.jcol[e]] = s.J[e]
