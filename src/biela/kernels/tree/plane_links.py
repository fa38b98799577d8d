"""Forward dynamics of an open tree in the plane: the recursion of `space_links` with one turn and two directions.

A link that turns passes on no inertia to turning about its own origin: three numbers are all that is left of what
hangs on it.   [T.23]
"""

from __future__ import annotations

from math import cos, sin

from ...machine.array_table import unpack, unpack_tree
from ...machine.compiled import compiled
from .space_links import COORDINATE, KIND, LINK, PARENT, TURN, VELOCITY

# constants of a link: origin in the parent's axes, way of a slide (or sense of a turn), and its lump
PLANE_DATA = 8
ORIGIN, WAY, MASS, MOMENT, INERTIA = 0, 2, 4, 5, 7

# of a slot (the ground, then the links): angle, cosine, sine, r from the parent's origin, omega, acceleration of the
# origin for v' = 0; articulated inertia J, H, M and force n, f (later what v' follows from, and the change it brings)
PLANE_ROOM = 17
ANGLE, COSINE, SINE, ARM, SPIN, LIFT, J, H, M, N, F = 0, 1, 2, 3, 5, 6, 8, 9, 11, 14, 15


@compiled()
def move_plane_links(header):
    """Place, rates and bias accelerations of every link, and inertia and force of its lump."""
    s, tr = unpack(header), unpack_tree(header)
    X, C = tr.link_room, tr.link_data
    for l in range(len(tr.link) // LINK):
        i, c, k = LINK * l, PLANE_DATA * l, PLANE_ROOM * (l + 1)
        p, q, rate = PLANE_ROOM * tr.link[i + PARENT], s.q[tr.link[i + COORDINATE]], s.v[tr.link[i + VELOCITY]]
        co, si, spin = X[p + COSINE], X[p + SINE], X[p + SPIN]
        ox, oy, ux, uy = C[c + ORIGIN], C[c + ORIGIN + 1], C[c + WAY], C[c + WAY + 1]
        square, ax, ay = spin * spin, X[p + LIFT], X[p + LIFT + 1]
        if tr.link[i + KIND] == TURN:
            rx, ry = co * ox - si * oy, si * ox + co * oy
            angle = X[p + ANGLE] + ux * q
            co, si = cos(angle), sin(angle)
            spin += ux * rate
            X[k + ANGLE] = angle
        else:
            ox, oy = ox + q * ux, oy + q * uy
            rx, ry = co * ox - si * oy, si * ox + co * oy
            twice = 2.0 * spin * rate
            ax, ay = ax - twice * (si * ux + co * uy), ay + twice * (co * ux - si * uy)
            X[k + ANGLE] = X[p + ANGLE]
        ax, ay = ax - square * rx, ay - square * ry
        X[k + COSINE], X[k + SINE], X[k + ARM], X[k + ARM + 1] = co, si, rx, ry
        X[k + SPIN], X[k + LIFT], X[k + LIFT + 1] = spin, ax, ay
        m, ox, oy, square = C[c + MASS], C[c + MOMENT], C[c + MOMENT + 1], spin * spin
        hx, hy = co * ox - si * oy, si * ox + co * oy
        X[k + J], X[k + H], X[k + H + 1] = C[c + INERTIA], -hy, hx
        X[k + M], X[k + M + 1], X[k + M + 2] = m, 0.0, m
        X[k + N], X[k + F], X[k + F + 1] = hx * ay - hy * ax, m * ax - square * hx, m * ay - square * hy


@compiled()
def fold_plane_links(header):
    """From tips to root: what each link leaves of the inertia and force that hang on it; 0, or 1 + freedom without
    inertia."""
    s, tr = unpack(header), unpack_tree(header)
    X, C = tr.link_room, tr.link_data
    for l in range(len(tr.link) // LINK - 1, -1, -1):
        i, c, k = LINK * l, PLANE_DATA * l, PLANE_ROOM * (l + 1)
        parent, own = tr.link[i + PARENT], s.Q[tr.link[i + VELOCITY]]
        p = PLANE_ROOM * parent
        hx, hy, xx, xy, yy = X[k + H], X[k + H + 1], X[k + M], X[k + M + 1], X[k + M + 2]
        fx, fy, rx, ry = X[k + F], X[k + F + 1], X[k + ARM], X[k + ARM + 1]
        ux, uy = C[c + WAY], C[c + WAY + 1]
        if tr.link[i + KIND] == TURN:
            inertia = X[k + J]
            if not inertia > 0.0:
                return 1 + tr.link[i + VELOCITY]
            inverse = 1.0 / inertia
            n = ux * own
            kx, ky, gain = hx * inverse, hy * inverse, (n - X[k + N]) * inverse
            X[k + J], X[k + H], X[k + H + 1] = gain, kx, ky
            if parent == 0:
                continue
            fx, fy = fx + hx * gain, fy + hy * gain
            xx, xy, yy = xx - kx * hx, xy - kx * hy, yy - ky * hy
            gx, gy = xy * rx - xx * ry, yy * rx - xy * ry
            inertia = rx * gy - ry * gx
        else:
            co, si = X[k + COSINE], X[k + SINE]
            ux, uy = co * ux - si * uy, si * ux + co * uy
            u, tx, ty = hx * ux + hy * uy, xx * ux + xy * uy, xy * ux + yy * uy
            D = ux * tx + uy * ty
            if not D > 0.0:
                return 1 + tr.link[i + VELOCITY]
            inverse = 1.0 / D
            n, inertia = X[k + N], X[k + J]
            gain, a, kx, ky = (own - (ux * fx + uy * fy)) * inverse, u * inverse, tx * inverse, ty * inverse
            X[k + J], X[k + H], X[k + H + 1], X[k + M] = gain, a, kx, ky
            X[k + M + 1], X[k + M + 2] = ux, uy
            if parent == 0:
                continue
            n, fx, fy = n + u * gain, fx + tx * gain, fy + ty * gain
            hx, hy, xx, xy, yy = hx - a * tx, hy - a * ty, xx - kx * tx, xy - kx * ty, yy - ky * ty
            gx, gy = hx + xy * rx - xx * ry, hy + yy * rx - xy * ry
            inertia += rx * (hy + gy) - ry * (hx + gx) - a * u
        X[p + J] += inertia
        X[p + H] += gx
        X[p + H + 1] += gy
        X[p + M] += xx
        X[p + M + 1] += xy
        X[p + M + 2] += yy
        X[p + N] += n + rx * fy - ry * fx
        X[p + F] += fx
        X[p + F + 1] += fy
    return 0


@compiled()
def accelerate_plane_links(header):
    """From root to tips: v'."""
    s, tr = unpack(header), unpack_tree(header)
    X, C = tr.link_room, tr.link_data
    for l in range(len(tr.link) // LINK):
        i, k = LINK * l, PLANE_ROOM * (l + 1)
        p, iv = PLANE_ROOM * tr.link[i + PARENT], tr.link[i + VELOCITY]
        e = X[p + N]
        ax, ay = X[p + F] - e * X[k + ARM + 1], X[p + F + 1] + e * X[k + ARM]
        if tr.link[i + KIND] == TURN:
            turn = X[k + J] - X[k + H] * ax - X[k + H + 1] * ay
            s.a[iv] = C[PLANE_DATA * l + WAY] * (turn - e)
            e = turn
        else:
            rate = X[k + J] - X[k + H] * e - X[k + H + 1] * ax - X[k + M] * ay
            s.a[iv] = rate
            ax, ay = ax + rate * X[k + M + 1], ay + rate * X[k + M + 2]
        X[k + N], X[k + F], X[k + F + 1] = e, ax, ay
