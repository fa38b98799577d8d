"""Exact tangents of the applied forces: stiffness dQ/dq and damping dQ/dv in any coordinates, at the present state.

Forces act on the variables x of points and directions, which depend on q: with X = dx/dq (the identity in natural
coordinates) and D = d(x')/dq a strain e(x), such as a length or an angle, has

    e_q = e_x X,    (e')_v = e_q,    (e')_q = e_x D + (e_x)' X

and a force f(e, e', t) along it  dQ/dq = e_q^T (f_e e_q + f_e' (e')_q) + f X^T e_xx X,  dQ/dv = e_q^T f_e' e_q.
What is missing in dQ/dq is dX^T/dq Qx: it belongs to the way the coordinates bend, as the inertia forces do.   [I.26]
"""

from __future__ import annotations

from math import sqrt

from ..machine.array_table import unpack
from ..machine.compiled import compiled
from .forces import reach, reciprocal, span, turned
from .laws.law import elastic_part, has_potential, other_part
from .laws.slopes import slopes

GX, GY, GZ, UX, UY, UZ, E, RATE = range(8)
"""vectors of the room: derivatives of three components and of their rates; of a strain and of its rate"""
VECTORS = 8


@compiled()
def add_outer(T, n, a, b, w):
    """T += w a b^T."""
    for i in range(n):
        f = w * a[i]
        if f != 0.0:
            for j in range(n):
                T[i * n + j] += f * b[j]


@compiled()
def add_row(out, X, n, i, w):
    """out += w times row i of X, or of the identity where X is empty."""
    if len(X) == 0:
        out[i] += w
    else:
        for j in range(n):
            out[j] += w * X[i * n + j]


@compiled()
def add_bent(out, D, n, i, w):
    """The same for the rates, which depend on q only where X does."""
    if len(D) > 0:
        for j in range(n):
            out[j] += w * D[i * n + j]


@compiled()
def components(header, ptr, col, cx, cy, k, X, D, room):
    """Derivatives of the two components of vector k, and of their rates, into the room."""
    n = unpack(header).n
    gx, gy, ux, uy = room[:n], room[n : 2 * n], room[3 * n : 4 * n], room[4 * n : 5 * n]
    for i in range(6 * n):
        room[i] = 0.0
    for e in range(ptr[k], ptr[k + 1]):
        add_row(gx, X, n, col[e], cx[e])
        add_row(gy, X, n, col[e], cy[e])
        add_bent(ux, D, n, col[e], cx[e])
        add_bent(uy, D, n, col[e], cy[e])


@compiled()
def along_strain(header, law, t, strain, rate, room, K, C, Pq, Pv, size):
    """The part of a law along its strain, whose derivatives lie in the room; and that of its power."""
    s = unpack(header)
    n = s.n
    e, r = room[E * n : (E + 1) * n], room[RATE * n : (RATE + 1) * n]
    rest = other_part(header, law, t, strain, rate)
    stiff, damp = slopes(header, law, t, strain, rate, size)
    add_outer(K, n, e, e, stiff)
    add_outer(K, n, e, r, damp)
    add_outer(C, n, e, e, damp)
    by_place = 0.0 if has_potential(header, law) else (stiff + s.law_k[law]) * rate
    by_rate = damp * rate + rest
    for j in range(n):
        Pq[j] += by_place * e[j] + by_rate * r[j]
        Pv[j] += by_rate * e[j]
    return elastic_part(header, law, strain) + rest


@compiled()
def line_tangents(header, t, X, D, K, C, Pq, Pv, room, size):
    """Springs, dampers and actuators between two points: the strain is the distance."""
    s = unpack(header)
    n, space = s.n, len(s.line_z0) > 0
    gx, gy, gz = room[:n], room[n : 2 * n], room[2 * n : 3 * n]
    ux, uy, uz = room[3 * n : 4 * n], room[4 * n : 5 * n], room[5 * n : 6 * n]
    e, r = room[E * n : (E + 1) * n], room[RATE * n : (RATE + 1) * n]
    for l in range(len(s.line_law)):
        dx, dy, dz, vx, vy, vz = reach(header, l)
        length = sqrt(dx * dx + dy * dy + dz * dz)
        over = reciprocal(length)
        dx, dy, dz = dx * over, dy * over, dz * over
        rate = dx * vx + dy * vy + dz * vz
        components(header, s.line_ptr, s.line_col, s.line_cx, s.line_cy, l, X, D, room)
        if space:
            for k in range(s.line_ptr[l], s.line_ptr[l + 1]):
                add_row(gz, X, n, s.line_col[k], s.line_cz[k])
                add_bent(uz, D, n, s.line_col[k], s.line_cz[k])
        wx, wy, wz = (vx - rate * dx) * over, (vy - rate * dy) * over, (vz - rate * dz) * over
        for j in range(n):
            e[j] = dx * gx[j] + dy * gy[j] + dz * gz[j]
            r[j] = dx * ux[j] + dy * uy[j] + dz * uz[j] + wx * gx[j] + wy * gy[j] + wz * gz[j]
        f = over * along_strain(header, s.line_law[l], t, length, rate, room, K, C, Pq, Pv, size)
        add_outer(K, n, gx, gx, f)
        add_outer(K, n, gy, gy, f)
        if space:
            add_outer(K, n, gz, gz, f)
        add_outer(K, n, e, e, -f)


@compiled()
def coordinate_tangents(header, t, X, D, K, C, Pq, Pv, room, size):
    """Springs, dampers and motors on a coordinate."""
    s = unpack(header)
    n = s.n
    e, r = room[E * n : (E + 1) * n], room[RATE * n : (RATE + 1) * n]
    for l in range(len(s.cf_law)):
        for j in range(n):
            e[j] = r[j] = 0.0
        i = s.cf_col[l]
        add_row(e, X, n, i, 1.0)
        add_bent(r, D, n, i, 1.0)
        along_strain(header, s.cf_law[l], t, s.x[i], s.xd[i], room, K, C, Pq, Pv, size)


@compiled()
def torsion_tangents(header, t, X, D, K, C, Pq, Pv, room, size):
    """Torsional elements between two directions: the strain is the difference of two angles atan2(y, x)."""
    s = unpack(header)
    n = s.n
    gx, gy, ux, uy = room[:n], room[n : 2 * n], room[3 * n : 4 * n], room[4 * n : 5 * n]
    e, r = room[E * n : (E + 1) * n], room[RATE * n : (RATE + 1) * n]
    for l in range(len(s.tor_law)):
        angle, rate = turned(header, l)
        f = elastic_part(header, s.tor_law[l], angle) + other_part(header, s.tor_law[l], t, angle, rate)
        for j in range(n):
            e[j] = r[j] = 0.0
        for side in range(2):
            k, sign = 2 * l + side, 2.0 * side - 1.0
            x, y, vx, vy = span(s.tor_ptr, s.tor_col, s.tor_cx, s.tor_cy, s.tor_x0, s.tor_y0, k, s.x, s.xd)
            components(header, s.tor_ptr, s.tor_col, s.tor_cx, s.tor_cy, k, X, D, room)
            over = 1.0 / (x * x + y * y)
            turn = (x * vy - y * vx) * over
            add_outer(K, n, gy, gx, sign * f * over)
            add_outer(K, n, gx, gy, -sign * f * over)
            for j in range(n):
                grows = 2.0 * (x * gx[j] + y * gy[j]) * over
                e[j] += sign * (x * gy[j] - y * gx[j]) * over
                r[j] += sign * ((gx[j] * vy - gy[j] * vx + x * uy[j] - y * ux[j]) * over - turn * grows)
            for j in range(n):  # what the direction's own length does to its angle
                grows = 2.0 * (x * gx[j] + y * gy[j]) * over
                if grows != 0.0:
                    for i in range(n):
                        K[i * n + j] -= sign * f * (x * gy[i] - y * gx[i]) * over * grows
        along_strain(header, s.tor_law[l], t, angle, rate, room, K, C, Pq, Pv, size)


@compiled()
def load_tangents(header, t, X, D, K, Pq, Pv, room):
    """Loads that turn with a body: law(t) (b + a x)."""
    s = unpack(header)
    n = s.n
    left, right = room[:n], room[n : 2 * n]
    for l in range(len(s.load_law)):
        f = other_part(header, s.load_law[l], t, 0.0, 0.0)
        for k in range(s.load_ptr[l], s.load_ptr[l + 1]):
            i, w = s.load_col[k], s.load_b[k]
            for j in range(n):
                left[j] = right[j] = 0.0
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
def force_tangents(header, t, X, D, K, C, Pq, Pv, room, size):
    """K += dQ/dq, C += dQ/dv (n x n), and the derivatives of the power of the forces without a potential."""
    line_tangents(header, t, X, D, K, C, Pq, Pv, room, size)
    coordinate_tangents(header, t, X, D, K, C, Pq, Pv, room, size)
    torsion_tangents(header, t, X, D, K, C, Pq, Pv, room, size)
    load_tangents(header, t, X, D, K, Pq, Pv, room)
