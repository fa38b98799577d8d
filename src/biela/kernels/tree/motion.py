"""Kinematics of a tree of freedoms: where every body is, how it moves, and its acceleration without the v'.

All motions are taken at the ground's origin O in the ground's axes: six numbers, the angular velocity w and the
velocity u that a point of the body at O would have. Then motions simply add along the tree, and nothing has to be
transformed from body to body.   001 15.5; Featherstone, Rigid Body Dynamics Algorithms (2008), chapter 2   [T.1]-[T.6]
"""

from __future__ import annotations

from math import cos, sin

from ...machine.array_table import unpack, unpack_tree
from ...machine.compiled import compiled

SLIDES, TURNS, QUATERNION = 0, 1, 2


@compiled()
def move_freedom(header, d):
    """Axes, origin, S, motion V and velocity-product acceleration c of freedom d; its parent's are known."""
    s, tr = unpack(header), unpack_tree(header)
    parent, kind = tr.tree_parent[d], tr.tree_kind[d]
    R, P, S, V, c = tr.tree_R, tr.tree_p, tr.tree_S, tr.tree_V, tr.tree_c
    if kind > QUATERNION:  # the second and third freedom of a quaternion: the same axes, another column
        first = d - (kind - QUATERNION)
        for k in range(9):
            R[9 * d + k] = R[9 * first + k]
        for k in range(3):
            P[3 * d + k] = P[3 * first + k]
    else:
        ax, ay, az = tr.tree_axis[3 * d], tr.tree_axis[3 * d + 1], tr.tree_axis[3 * d + 2]
        ox, oy, oz = tr.tree_offset[3 * d], tr.tree_offset[3 * d + 1], tr.tree_offset[3 * d + 2]
        q = s.q[tr.tree_q[d]]
        if kind == SLIDES:
            ox, oy, oz = ox + q * ax, oy + q * ay, oz + q * az
        elif tr.tree_pitch[d] != 0.0:
            h = tr.tree_pitch[d] * q
            ox, oy, oz = ox + h * ax, oy + h * ay, oz + h * az
        # the turn T of the freedom itself
        if kind == TURNS:
            co, si = cos(q), sin(q)
            v = 1.0 - co
            t0, t1, t2 = co + v * ax * ax, v * ax * ay - si * az, v * ax * az + si * ay
            t3, t4, t5 = v * ax * ay + si * az, co + v * ay * ay, v * ay * az - si * ax
            t6, t7, t8 = v * ax * az - si * ay, v * ay * az + si * ax, co + v * az * az
        elif kind == QUATERNION:
            i = tr.tree_q[d]
            w, x, y, z = s.q[i], s.q[i + 1], s.q[i + 2], s.q[i + 3]
            f = 2.0 / (w * w + x * x + y * y + z * z)  # the length of the quaternion turns nothing
            t0, t1, t2 = 1.0 - f * (y * y + z * z), f * (x * y - w * z), f * (x * z + w * y)
            t3, t4, t5 = f * (x * y + w * z), 1.0 - f * (x * x + z * z), f * (y * z - w * x)
            t6, t7, t8 = f * (x * z - w * y), f * (y * z + w * x), 1.0 - f * (x * x + y * y)
        else:
            t0, t1, t2, t3, t4, t5, t6, t7, t8 = 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
        if parent < 0:
            R[9 * d], R[9 * d + 1], R[9 * d + 2] = t0, t1, t2
            R[9 * d + 3], R[9 * d + 4], R[9 * d + 5] = t3, t4, t5
            R[9 * d + 6], R[9 * d + 7], R[9 * d + 8] = t6, t7, t8
            P[3 * d], P[3 * d + 1], P[3 * d + 2] = ox, oy, oz
        else:
            for k in range(3):
                a, b, e = R[9 * parent + 3 * k], R[9 * parent + 3 * k + 1], R[9 * parent + 3 * k + 2]
                P[3 * d + k] = P[3 * parent + k] + a * ox + b * oy + e * oz
                if kind == SLIDES:
                    R[9 * d + 3 * k], R[9 * d + 3 * k + 1], R[9 * d + 3 * k + 2] = a, b, e
                else:
                    R[9 * d + 3 * k] = a * t0 + b * t3 + e * t6
                    R[9 * d + 3 * k + 1] = a * t1 + b * t4 + e * t7
                    R[9 * d + 3 * k + 2] = a * t2 + b * t5 + e * t8
    # S, in the ground's axes. An axis is the same before and after its own turn; a quaternion's turn with the body.
    if kind >= QUATERNION:
        k = kind - QUATERNION
        wx, wy, wz = R[9 * d + k], R[9 * d + 3 + k], R[9 * d + 6 + k]
    else:
        ax, ay, az = tr.tree_axis[3 * d], tr.tree_axis[3 * d + 1], tr.tree_axis[3 * d + 2]
        wx = R[9 * d] * ax + R[9 * d + 1] * ay + R[9 * d + 2] * az
        wy = R[9 * d + 3] * ax + R[9 * d + 4] * ay + R[9 * d + 5] * az
        wz = R[9 * d + 6] * ax + R[9 * d + 7] * ay + R[9 * d + 8] * az
    i = 6 * d
    if kind == SLIDES:
        S[i], S[i + 1], S[i + 2], S[i + 3], S[i + 4], S[i + 5] = 0.0, 0.0, 0.0, wx, wy, wz
    else:
        px, py, pz, h = P[3 * d], P[3 * d + 1], P[3 * d + 2], tr.tree_pitch[d]
        S[i], S[i + 1], S[i + 2] = wx, wy, wz
        S[i + 3] = py * wz - pz * wy + h * wx
        S[i + 4] = pz * wx - px * wz + h * wy
        S[i + 5] = px * wy - py * wx + h * wz
    rate = s.v[d]
    if parent < 0:
        for k in range(6):
            V[i + k] = S[i + k] * rate
            c[i + k] = 0.0
    else:
        j = 6 * parent
        for k in range(6):
            V[i + k] = V[j + k] + S[i + k] * rate
            c[i + k] = 0.0
    if kind < QUATERNION:
        if parent >= 0:
            motion_cross(V, i, S, i, rate, c, i)
    elif kind == QUATERNION + 2:  # V x (V - V of the parent) = -V x V_parent, all of it here
        first = tr.tree_parent[d - 2]
        if first >= 0:
            motion_cross(V, 6 * first, V, i, 1.0, c, i)


@compiled()
def motion_cross(V, i, S, j, rate, out, k):
    """out = V x (S rate): how a motion fixed in something that moves with V changes."""
    wx, wy, wz, ux, uy, uz = V[i], V[i + 1], V[i + 2], V[i + 3], V[i + 4], V[i + 5]
    ax, ay, az = rate * S[j], rate * S[j + 1], rate * S[j + 2]
    bx, by, bz = rate * S[j + 3], rate * S[j + 4], rate * S[j + 5]
    out[k], out[k + 1], out[k + 2] = wy * az - wz * ay, wz * ax - wx * az, wx * ay - wy * ax
    out[k + 3] = wy * bz - wz * by + uy * az - uz * ay
    out[k + 4] = wz * bx - wx * bz + uz * ax - ux * az
    out[k + 5] = wx * by - wy * bx + ux * ay - uy * ax


@compiled()
def move_tree(header):
    """Every freedom, from the root outwards."""
    tr = unpack_tree(header)
    for d in range(len(tr.tree_parent)):
        move_freedom(header, d)


@compiled()
def place_bodies(header):
    """The variables x of every body (centre of mass and axes), their rates, and x'' without the v'."""
    s, tr = unpack(header), unpack_tree(header)
    move_tree(header)
    a, c = tr.tree_a, tr.tree_c
    for d in range(len(tr.tree_parent)):
        parent = tr.tree_parent[d]
        for k in range(6):
            a[6 * d + k] = c[6 * d + k] + (a[6 * parent + k] if parent >= 0 else 0.0)
    for b in range(len(tr.body_at)):
        place_body(header, b)
    for l in range(len(tr.extra_x)):
        i, k = tr.extra_x[l], tr.extra_scale[l]
        s.x[i] = k * s.q[tr.extra_q[l]] + tr.extra_offset[l]
        s.xd[i] = k * s.v[tr.extra_v[l]]
        tr.xbias[i] = 0.0


@compiled()
def place_body(header, b):
    """x, x' and the bias of x'' of one body, from the freedom it hangs on."""
    s, tr = unpack(header), unpack_tree(header)
    d, o, x = tr.body_at[b], 3 * b, 12 * b
    if d < 0:  # welded to the ground
        for k in range(12):
            s.xd[x + k] = tr.xbias[x + k] = 0.0
        for k in range(3):
            s.x[x + k] = tr.body_offset[o + k]
            for l in range(3):
                s.x[x + 3 + 3 * l + k] = tr.body_turn[9 * b + 3 * k + l]
        for k in range(6):
            tr.body_V[6 * b + k] = tr.body_a[6 * b + k] = 0.0
        return
    R, V, a = tr.tree_R, tr.tree_V, tr.tree_a
    for k in range(6):
        tr.body_V[6 * b + k], tr.body_a[6 * b + k] = V[6 * d + k], a[6 * d + k]
    for k in range(3):
        r0, r1, r2 = R[9 * d + 3 * k], R[9 * d + 3 * k + 1], R[9 * d + 3 * k + 2]
        out = r0 * tr.body_offset[o] + r1 * tr.body_offset[o + 1] + r2 * tr.body_offset[o + 2]
        s.x[x + k] = tr.tree_p[3 * d + k] + out
        for l in range(3):
            t = tr.body_turn
            s.x[x + 3 + 3 * l + k] = r0 * t[9 * b + l] + r1 * t[9 * b + 3 + l] + r2 * t[9 * b + 6 + l]
    wx, wy, wz = V[6 * d], V[6 * d + 1], V[6 * d + 2]
    ex, ey, ez = a[6 * d], a[6 * d + 1], a[6 * d + 2]
    for l in range(4):  # the centre moves with its place, the axes only turn
        i = x + 3 * l
        px, py, pz = s.x[i], s.x[i + 1], s.x[i + 2]
        vx, vy, vz = wy * pz - wz * py, wz * px - wx * pz, wx * py - wy * px
        bx, by, bz = ey * pz - ez * py, ez * px - ex * pz, ex * py - ey * px
        if l == 0:
            vx, vy, vz = vx + V[6 * d + 3], vy + V[6 * d + 4], vz + V[6 * d + 5]
            bx, by, bz = bx + a[6 * d + 3], by + a[6 * d + 4], bz + a[6 * d + 5]
        s.xd[i], s.xd[i + 1], s.xd[i + 2] = vx, vy, vz
        tr.xbias[i] = bx + wy * vz - wz * vy
        tr.xbias[i + 1] = by + wz * vx - wx * vz
        tr.xbias[i + 2] = bz + wx * vy - wy * vx


@compiled()
def accelerate_bodies(header):
    """x'' of every body with the v' in s.a: left where the bias is otherwise."""
    s, tr = unpack(header), unpack_tree(header)
    move_tree(header)
    a, c, S = tr.tree_a, tr.tree_c, tr.tree_S
    for d in range(len(tr.tree_parent)):
        parent = tr.tree_parent[d]
        for k in range(6):
            a[6 * d + k] = c[6 * d + k] + S[6 * d + k] * s.a[d] + (a[6 * parent + k] if parent >= 0 else 0.0)
    for b in range(len(tr.body_at)):
        place_body(header, b)
