"""Frames of the bodies on the links of an open tree: for forces that act on points, and for the energy.   [T.24]"""

from __future__ import annotations

from ...machine.array_table import unpack, unpack_tree
from ...machine.compiled import compiled
from . import plane_links as plane
from . import space_links as space
from .space_links import KIND, LINK, LUMP, PARENT, SCREW, SLIDE, TURN, VELOCITY

PLANE_PLACE, SPACE_PLACE = 4, 6
"""of a slot: place of the origin, and its velocity"""


@compiled()
def place_extras(header):
    """Relative coordinates among the variables x that are those of the tree itself, up to a factor and a constant."""
    s, tr = unpack(header), unpack_tree(header)
    for l in range(len(tr.extra_x)):
        i, k = tr.extra_x[l], tr.extra_scale[l]
        s.x[i] = k * s.q[tr.extra_q[l]] + tr.extra_offset[l]
        s.xd[i] = k * s.v[tr.extra_v[l]]


@compiled()
def place_on_plane_links(header, rates):
    """x, and x' if wanted, of every body from the links, which have been moved."""
    s, tr = unpack(header), unpack_tree(header)
    X, O = tr.link_room, tr.link_place
    for l in range(len(tr.link) // LINK):
        i, k, o = LINK * l, plane.PLANE_ROOM * (l + 1), PLANE_PLACE * (l + 1)
        p, b = plane.PLANE_ROOM * tr.link[i + PARENT], PLANE_PLACE * tr.link[i + PARENT]
        rx, ry, spin = X[k + plane.ARM], X[k + plane.ARM + 1], X[p + plane.SPIN]
        O[o], O[o + 1] = O[b] + rx, O[b + 1] + ry
        u, v = O[b + 2] - spin * ry, O[b + 3] + spin * rx
        if tr.link[i + KIND] != TURN:
            c, rate = plane.PLANE_DATA * l + plane.WAY, s.v[tr.link[i + VELOCITY]]
            x, y, co, si = tr.link_data[c], tr.link_data[c + 1], X[k + plane.COSINE], X[k + plane.SINE]
            u, v = u + rate * (co * x - si * y), v + rate * (si * x + co * y)
        O[o + 2], O[o + 3] = u, v
    for b in range(len(tr.body_slot)):
        x, c = 12 * b, 12 * b
        k, o = plane.PLANE_ROOM * tr.body_slot[b], PLANE_PLACE * tr.body_slot[b]
        co, si, spin, C = X[k + plane.COSINE], X[k + plane.SINE], X[k + plane.SPIN], tr.body_seat
        rx, ry = co * C[c] - si * C[c + 1], si * C[c] + co * C[c + 1]
        s.x[x], s.x[x + 1] = O[o] + rx, O[o + 1] + ry
        ux, uy = co * C[c + 3] - si * C[c + 6], si * C[c + 3] + co * C[c + 6]
        s.x[x + 3], s.x[x + 4], s.x[x + 6], s.x[x + 7], s.x[x + 11] = ux, uy, -uy, ux, 1.0
        if rates:
            s.xd[x], s.xd[x + 1] = O[o + 2] - spin * ry, O[o + 3] + spin * rx
            s.xd[x + 3], s.xd[x + 4], s.xd[x + 6], s.xd[x + 7] = -spin * uy, spin * ux, -spin * ux, -spin * uy


@compiled()
def place_on_space_links(header):
    """x and x' of every body from the links, which have been moved."""
    s, tr = unpack(header), unpack_tree(header)
    X, O = tr.link_room, tr.link_place
    for l in range(len(tr.link) // LINK):
        i, k, o = LINK * l, space.SPACE_ROOM * (l + 1), SPACE_PLACE * (l + 1)
        kind, p, b = tr.link[i + KIND], space.SPACE_ROOM * tr.link[i + PARENT], SPACE_PLACE * tr.link[i + PARENT]
        rx, ry, rz = X[k + space.ARM], X[k + space.ARM + 1], X[k + space.ARM + 2]
        x, y, z = X[p + space.SPIN], X[p + space.SPIN + 1], X[p + space.SPIN + 2]
        O[o], O[o + 1], O[o + 2] = O[b] + rx, O[b + 1] + ry, O[b + 2] + rz
        ux, uy, uz = O[b + 3] + y * rz - z * ry, O[b + 4] + z * rx - x * rz, O[b + 5] + x * ry - y * rx
        if kind == SLIDE or kind == SCREW:
            rate = s.v[tr.link[i + VELOCITY]]
            if kind == SCREW:
                rate *= tr.link_data[space.SPACE_DATA * l + space.PITCH]
            w = k + space.AXIS
            ux, uy, uz = ux + rate * X[w], uy + rate * X[w + 1], uz + rate * X[w + 2]
        O[o + 3], O[o + 4], O[o + 5] = ux, uy, uz
    for b in range(len(tr.body_slot)):
        k, o = space.SPACE_ROOM * tr.body_slot[b], SPACE_PLACE * tr.body_slot[b]
        x, y, z = X[k + space.SPIN], X[k + space.SPIN + 1], X[k + space.SPIN + 2]
        C = tr.body_seat
        for part in range(4):  # the centre, and the three axes
            i, c, step = 12 * b + 3 * part, 12 * b if part == 0 else 12 * b + 2 + part, 1 if part == 0 else 3
            u, v, w = C[c], C[c + step], C[c + 2 * step]
            rx = X[k] * u + X[k + 1] * v + X[k + 2] * w
            ry = X[k + 3] * u + X[k + 4] * v + X[k + 5] * w
            rz = X[k + 6] * u + X[k + 7] * v + X[k + 8] * w
            vx, vy, vz = y * rz - z * ry, z * rx - x * rz, x * ry - y * rx
            if part == 0:
                rx, ry, rz = rx + O[o], ry + O[o + 1], rz + O[o + 2]
                vx, vy, vz = vx + O[o + 3], vy + O[o + 4], vz + O[o + 5]
            s.x[i], s.x[i + 1], s.x[i + 2] = rx, ry, rz
            s.xd[i], s.xd[i + 1], s.xd[i + 2] = vx, vy, vz


@compiled()
def load_plane_links(header):
    """Forces Qx on the frames as forces on the links, about their origins."""
    s, tr = unpack(header), unpack_tree(header)
    for b in range(len(tr.body_slot)):
        i, slot = 12 * b, tr.body_slot[b]
        if slot == 0:
            continue
        k, o = plane.PLANE_ROOM * slot, PLANE_PLACE * slot
        n = (s.x[i] - tr.link_place[o]) * s.Qx[i + 1] - (s.x[i + 1] - tr.link_place[o + 1]) * s.Qx[i]
        for a in range(3, 9, 3):
            n += s.x[i + a] * s.Qx[i + a + 1] - s.x[i + a + 1] * s.Qx[i + a]
        tr.link_room[k + plane.N] -= n
        tr.link_room[k + plane.F] -= s.Qx[i]
        tr.link_room[k + plane.F + 1] -= s.Qx[i + 1]


@compiled()
def load_space_links(header):
    """Forces Qx on the frames as forces on the links, about their origins."""
    s, tr = unpack(header), unpack_tree(header)
    for b in range(len(tr.body_slot)):
        slot = tr.body_slot[b]
        if slot == 0:
            continue
        k, o = space.SPACE_ROOM * slot, SPACE_PLACE * slot
        nx, ny, nz = 0.0, 0.0, 0.0
        for part in range(4):
            i = 12 * b + 3 * part
            x, y, z = s.x[i], s.x[i + 1], s.x[i + 2]
            if part == 0:
                x, y, z = x - tr.link_place[o], y - tr.link_place[o + 1], z - tr.link_place[o + 2]
            fx, fy, fz = s.Qx[i], s.Qx[i + 1], s.Qx[i + 2]
            nx, ny, nz = nx + y * fz - z * fy, ny + z * fx - x * fz, nz + x * fy - y * fx
        i, X = 12 * b, tr.link_room
        X[k + space.N] -= nx
        X[k + space.N + 1] -= ny
        X[k + space.N + 2] -= nz
        X[k + space.F] -= s.Qx[i]
        X[k + space.F + 1] -= s.Qx[i + 1]
        X[k + space.F + 2] -= s.Qx[i + 2]


@compiled()
def links_kinetic_energy(header):
    """1/2 sum of m u.u + 2 u.(omega x h) + omega.J omega over the lumps, from their constants: an evaluation may have
    used the room of the links since; they have been moved and placed."""
    tr = unpack_tree(header)
    X, O, C = tr.link_room, tr.link_place, tr.link_data
    energy = 0.0
    if len(tr.link_gravity) == 2:
        for l in range(1, len(tr.link) // LINK + 1):
            k, o, c = plane.PLANE_ROOM * l, PLANE_PLACE * l, plane.PLANE_DATA * (l - 1)
            u, v, spin, co, si = O[o + 2], O[o + 3], X[k + plane.SPIN], X[k + plane.COSINE], X[k + plane.SINE]
            x, y = co * u + si * v, co * v - si * u  # of the origin, in the link's axes
            energy += 0.5 * (C[c + plane.MASS] * (u * u + v * v) + spin * spin * C[c + plane.INERTIA])
            energy += spin * (C[c + plane.MOMENT] * y - C[c + plane.MOMENT + 1] * x)
        return energy
    for l in range(1, len(tr.link) // LINK + 1):
        if tr.link[LINK * (l - 1) + LUMP] == space.NOTHING:
            continue
        k, o, c = space.SPACE_ROOM * l, SPACE_PLACE * l, space.SPACE_DATA * (l - 1)
        ux, uy, uz = _seen_from(X, k, O[o + 3], O[o + 4], O[o + 5])
        x, y, z = _seen_from(X, k, X[k + space.SPIN], X[k + space.SPIN + 1], X[k + space.SPIN + 2])
        hx, hy, hz = C[c + space.MOMENT], C[c + space.MOMENT + 1], C[c + space.MOMENT + 2]
        j = c + space.TENSOR
        energy += 0.5 * C[c + space.MASS] * (ux * ux + uy * uy + uz * uz)
        energy += ux * (y * hz - z * hy) + uy * (z * hx - x * hz) + uz * (x * hy - y * hx)
        energy += 0.5 * (C[j] * x * x + C[j + 1] * y * y + C[j + 2] * z * z)
        energy += C[j + 3] * x * y + C[j + 4] * x * z + C[j + 5] * y * z
    return energy


@compiled()
def _seen_from(X, k, x, y, z):
    """R^T times a vector, for the axes R of the slot at k."""
    return (
        X[k] * x + X[k + 3] * y + X[k + 6] * z,
        X[k + 1] * x + X[k + 4] * y + X[k + 7] * z,
        X[k + 2] * x + X[k + 5] * y + X[k + 8] * z,
    )
