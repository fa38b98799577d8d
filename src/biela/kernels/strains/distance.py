"""The distance of two points: springs, dampers and actuators along a line, 000 (74)-(76).

Its vector is d = r_B - r_A. What a strain hands on is (dx, dy, dz, 1/length) at the present state, (dx, dy, dz, length)
at given variables.
"""

from __future__ import annotations

from math import sqrt

from ...machine.array_table import unpack
from ...machine.compiled import compiled
from ..products import clear
from .dense import add_bent, add_outer, add_row
from .span import span, span_z


@compiled(forceinline=True)
def reciprocal(length):
    """1/length; zero at zero length, where a spring has no direction."""
    return 1.0 / length if length > 0.0 else 0.0


@compiled(forceinline=True)
def vector(header, k):
    """d and its rate at the present state."""
    s = unpack(header)
    dx, dy, ux, uy = span(header, k, s.x, s.xd)
    dz, uz = span_z(header, k, s.x, s.xd)
    return dx, dy, dz, ux, uy, uz


@compiled(forceinline=True)
def strain(header, k):
    """Length and rate, and d with 1/length."""
    dx, dy, dz, ux, uy, uz = vector(header, k)
    length = sqrt(dx * dx + dy * dy + dz * dz)
    inverse = reciprocal(length)
    return length, (dx * ux + dy * uy + dz * uz) * inverse, dx, dy, dz, inverse


@compiled(forceinline=True)
def strain_at(header, k, x):
    """Length at the variables x, and d with the length."""
    dx, dy, _, _ = span(header, k, x, x)
    dz, _ = span_z(header, k, x, x)
    length = sqrt(dx * dx + dy * dy + dz * dz)
    return length, dx, dy, dz, length


@compiled(forceinline=True)
def _pull_along(header, k, f, dx, dy, dz, F):
    """F += f C^T d, where d' = C x'."""
    s = unpack(header)
    first, last = s.span_ptr[k], s.span_ptr[k + 1]
    if len(s.span_z0) == 0:
        for e in range(first, last):
            F[s.span_col[e]] += f * (s.span_cx[e] * dx + s.span_cy[e] * dy)
    else:
        for e in range(first, last):
            F[s.span_col[e]] += f * (s.span_cx[e] * dx + s.span_cy[e] * dy + s.span_cz[e] * dz)


@compiled(forceinline=True)
def pull(header, k, force, dx, dy, dz, inverse, F):
    """F += force times the gradient of the length."""
    _pull_along(header, k, force * inverse, dx, dy, dz, F)


@compiled(forceinline=True)
def mean_pull(header, k, force, ax, ay, az, la, bx, by, bz, lb, F):
    """F += force times the discrete gradient of the length: mean direction over mean length.   [D.2]"""
    _pull_along(header, k, force * reciprocal(la + lb), ax + bx, ay + by, az + bz, F)


@compiled()
def add_mean_tangent(header, k, force, slope, scale, ax, ay, az, la, bx, by, bz, lb, T, N):
    """T += scale times the derivative of `mean_pull` at the end b: the force changes by `slope` times the length."""
    s = unpack(header)
    over = reciprocal(la + lb)
    grow = (slope * over - force * over * over) * reciprocal(lb)
    dx, dy, dz = ax + bx, ay + by, az + bz
    first, last, space = s.span_ptr[k], s.span_ptr[k + 1], len(s.span_z0) > 0
    for e in range(first, last):
        along = s.span_cx[e] * dx + s.span_cy[e] * dy
        if space:
            along += s.span_cz[e] * dz
        for g in range(first, last):
            change = s.span_cx[g] * bx + s.span_cy[g] * by
            turn = s.span_cx[e] * s.span_cx[g] + s.span_cy[e] * s.span_cy[g]
            if space:
                change += s.span_cz[g] * bz
                turn += s.span_cz[e] * s.span_cz[g]
            T[s.span_col[e] * N + s.span_col[g]] += scale * (grow * along * change + force * over * turn)


@compiled()
def add_stiffness(header, k, at, force, slope, scale, dx, dy, dz, inverse):
    """A -= scale times the derivative of `pull`, lower triangle; `at`: the first place of the element in `element_pos`.
    Returns the first of the next."""
    s = unpack(header)
    f = force * inverse
    along = (slope - f) * inverse * inverse
    space = len(s.span_z0) > 0
    for e in range(s.span_ptr[k], s.span_ptr[k + 1]):
        a = s.span_cx[e] * dx + s.span_cy[e] * dy
        if space:
            a += s.span_cz[e] * dz
        for g in range(s.span_ptr[k], e + 1):
            b = s.span_cx[g] * dx + s.span_cy[g] * dy
            turn = s.span_cx[e] * s.span_cx[g] + s.span_cy[e] * s.span_cy[g]
            if space:
                b += s.span_cz[g] * dz
                turn += s.span_cz[e] * s.span_cz[g]
            s.A[s.element_pos[at]] -= scale * (along * a * b + f * turn)
            at += 1
    return at


@compiled()
def differentiate(header, k, force, X, D, work, by_place, by_rate, K):
    """by_place = e_q and by_rate = (e')_q in coordinates with X = dx/dq, D = dx'/dq; K += force X^T e_xx X."""
    s = unpack(header)
    n = s.n
    gx, gy, gz = work[:n], work[n : 2 * n], work[2 * n : 3 * n]
    ux, uy, uz = work[3 * n : 4 * n], work[4 * n : 5 * n], work[5 * n : 6 * n]
    dx, dy, dz, vx, vy, vz = vector(header, k)
    over = reciprocal(sqrt(dx * dx + dy * dy + dz * dz))
    dx, dy, dz = dx * over, dy * over, dz * over
    rate = dx * vx + dy * vy + dz * vz
    clear(work[: 6 * n])
    space = len(s.span_z0) > 0
    for e in range(s.span_ptr[k], s.span_ptr[k + 1]):
        i = s.span_col[e]
        add_row(gx, X, n, i, s.span_cx[e])
        add_row(gy, X, n, i, s.span_cy[e])
        add_bent(ux, D, n, i, s.span_cx[e])
        add_bent(uy, D, n, i, s.span_cy[e])
        if space:
            add_row(gz, X, n, i, s.span_cz[e])
            add_bent(uz, D, n, i, s.span_cz[e])
    wx, wy, wz = (vx - rate * dx) * over, (vy - rate * dy) * over, (vz - rate * dz) * over
    for j in range(n):
        by_place[j] = dx * gx[j] + dy * gy[j] + dz * gz[j]
        by_rate[j] = dx * ux[j] + dy * uy[j] + dz * uz[j] + wx * gx[j] + wy * gy[j] + wz * gz[j]
    f = force * over
    add_outer(K, n, gx, gx, f)
    add_outer(K, n, gy, gy, f)
    if space:
        add_outer(K, n, gz, gz, f)
    add_outer(K, n, by_place, by_place, -f)
