"""Forward dynamics of an open tree in space, link by link, in O(n): the articulated-body recursion.

Vectors are in the axes of the ground; motions, forces and inertias of a link are taken at its own origin, so a long
chain, or one far from the origin of the ground, loses no digits. Velocity products and weight are forces of the lumps
before the recursion starts: it carries no bias accelerations.   Featherstone (2008) 7.3   [T.17]-[T.22]
"""

from __future__ import annotations

from math import cos, sin

from ...machine.array_table import unpack, unpack_tree
from ...machine.compiled import compiled

SLIDE, TURN, SCREW, BALL = range(4)
NOTHING, DIAGONAL, FULL = range(3)
"""what sits on a link: its tensor of inertia is diagonal in the link's axes, or not"""

# integers of a link
LINK = 5
KIND, LUMP, PARENT, COORDINATE, VELOCITY = range(LINK)

# constants of a link: axes in those of the parent (or the way of a slide), origin there, and its lump
SPACE_DATA = 23
P, ORIGIN, PITCH, MASS, MOMENT, TENSOR = 0, 9, 12, 13, 14, 17

# what is known of a slot (the ground, then the links): R, r from the parent's origin, w, omega, its rate and the
# acceleration of the origin for v' = 0; articulated inertia J, H, M and force n, f (later U, 1/D, tau, and the change
# of the acceleration that v' brings)
SPACE_ROOM = 51
R, ARM, AXIS, SPIN, TURNING, LIFT, J, H, M, N, F = 0, 9, 12, 15, 18, 21, 24, 30, 39, 45, 48
U, INVERSE, REST = J, H, H + 1
"""where the inertia was, once it has been passed on; of a ball: J^-1 tau in U, J^-1 H in H"""


@compiled()
def move_space_links(header):
    """Axes, origin, rates and bias accelerations of every link, and inertia and force of its lump.   [T.17], [T.18]"""
    s, tr = unpack(header), unpack_tree(header)
    X, C, q, v = tr.link_room, tr.link_data, s.q, s.v
    for l in range(len(tr.link) // LINK):
        i, c, k = LINK * l, SPACE_DATA * l, SPACE_ROOM * (l + 1)
        kind, p, iq, iv = tr.link[i + KIND], SPACE_ROOM * tr.link[i + PARENT], tr.link[i + COORDINATE], tr.link[i + 4]
        a0, a1, a2 = X[p + R], X[p + R + 1], X[p + R + 2]
        a3, a4, a5 = X[p + R + 3], X[p + R + 4], X[p + R + 5]
        a6, a7, a8 = X[p + R + 6], X[p + R + 7], X[p + R + 8]
        px, py, pz = X[p + SPIN], X[p + SPIN + 1], X[p + SPIN + 2]
        ex, ey, ez = X[p + TURNING], X[p + TURNING + 1], X[p + TURNING + 2]
        ox, oy, oz = C[c + ORIGIN], C[c + ORIGIN + 1], C[c + ORIGIN + 2]
        # where it goes: columns c, d, w of its axes, its way, and how fast it slides
        if kind == SLIDE:
            x, y, z = C[c + P], C[c + P + 1], C[c + P + 2]
            ox, oy, oz = ox + q[iq] * x, oy + q[iq] * y, oz + q[iq] * z
            wx, wy, wz = a0 * x + a1 * y + a2 * z, a3 * x + a4 * y + a5 * z, a6 * x + a7 * y + a8 * z
            X[k + AXIS], X[k + AXIS + 1], X[k + AXIS + 2] = wx, wy, wz
            slide, turnx, turny, turnz = v[iv], 0.0, 0.0, 0.0
            cx, cy, cz, dx, dy, dz = a0, a3, a6, a1, a4, a7
            gx, gy, gz = wx, wy, wz
            wx, wy, wz = a2, a5, a8
        else:
            x, y, z = C[c + P], C[c + P + 3], C[c + P + 6]
            ux, uy, uz = a0 * x + a1 * y + a2 * z, a3 * x + a4 * y + a5 * z, a6 * x + a7 * y + a8 * z
            x, y, z = C[c + P + 1], C[c + P + 4], C[c + P + 7]
            tx, ty, tz = a0 * x + a1 * y + a2 * z, a3 * x + a4 * y + a5 * z, a6 * x + a7 * y + a8 * z
            x, y, z = C[c + P + 2], C[c + P + 5], C[c + P + 8]
            wx, wy, wz = a0 * x + a1 * y + a2 * z, a3 * x + a4 * y + a5 * z, a6 * x + a7 * y + a8 * z
            slide, gx, gy, gz = 0.0, wx, wy, wz
            if kind == BALL:
                a, x, y, z = q[iq], q[iq + 1], q[iq + 2], q[iq + 3]
                f = 2.0 / (a * a + x * x + y * y + z * z)  # the length of the quaternion turns nothing
                t0, t3, t6 = 1.0 - f * (y * y + z * z), f * (x * y + a * z), f * (x * z - a * y)
                cx, cy, cz = t0 * ux + t3 * tx + t6 * wx, t0 * uy + t3 * ty + t6 * wy, t0 * uz + t3 * tz + t6 * wz
                t0, t3, t6 = f * (x * y - a * z), 1.0 - f * (x * x + z * z), f * (y * z + a * x)
                dx, dy, dz = t0 * ux + t3 * tx + t6 * wx, t0 * uy + t3 * ty + t6 * wy, t0 * uz + t3 * tz + t6 * wz
                # (not c x d: along a chain of balls rounding would grow as a power of their number)
                t0, t3, t6 = f * (x * z + a * y), f * (y * z - a * x), 1.0 - f * (x * x + y * y)
                wx, wy, wz = t0 * ux + t3 * tx + t6 * wx, t0 * uy + t3 * ty + t6 * wy, t0 * uz + t3 * tz + t6 * wz
                x, y, z = v[iv], v[iv + 1], v[iv + 2]
                turnx = cx * x + dx * y + wx * z
                turny = cy * x + dy * y + wy * z
                turnz = cz * x + dz * y + wz * z
            else:
                co, si, rate = cos(q[iq]), sin(q[iq]), v[iv]
                cx, cy, cz = co * ux + si * tx, co * uy + si * ty, co * uz + si * tz
                dx, dy, dz = co * tx - si * ux, co * ty - si * uy, co * tz - si * uz
                turnx, turny, turnz = rate * wx, rate * wy, rate * wz
                X[k + AXIS], X[k + AXIS + 1], X[k + AXIS + 2] = wx, wy, wz
                if kind == SCREW:
                    h = C[c + PITCH]
                    slide = h * rate
                    h *= q[iq]
                    ox, oy, oz = ox + h * C[c + P + 2], oy + h * C[c + P + 5], oz + h * C[c + P + 8]
        X[k + R], X[k + R + 1], X[k + R + 2] = cx, dx, wx
        X[k + R + 3], X[k + R + 4], X[k + R + 5] = cy, dy, wy
        X[k + R + 6], X[k + R + 7], X[k + R + 8] = cz, dz, wz
        rx, ry, rz = a0 * ox + a1 * oy + a2 * oz, a3 * ox + a4 * oy + a5 * oz, a6 * ox + a7 * oy + a8 * oz
        X[k + ARM], X[k + ARM + 1], X[k + ARM + 2] = rx, ry, rz
        # acceleration of the origin and of the turn, without v'
        x, y, z = py * rz - pz * ry, pz * rx - px * rz, px * ry - py * rx
        if kind == SLIDE or kind == SCREW:
            x, y, z = x + 2.0 * slide * gx, y + 2.0 * slide * gy, z + 2.0 * slide * gz
        ax = X[p + LIFT] + ey * rz - ez * ry + py * z - pz * y
        ay = X[p + LIFT + 1] + ez * rx - ex * rz + pz * x - px * z
        az = X[p + LIFT + 2] + ex * ry - ey * rx + px * y - py * x
        ex += py * turnz - pz * turny
        ey += pz * turnx - px * turnz
        ez += px * turny - py * turnx
        px, py, pz = px + turnx, py + turny, pz + turnz
        X[k + LIFT], X[k + LIFT + 1], X[k + LIFT + 2] = ax, ay, az
        X[k + TURNING], X[k + TURNING + 1], X[k + TURNING + 2] = ex, ey, ez
        X[k + SPIN], X[k + SPIN + 1], X[k + SPIN + 2] = px, py, pz
        lump = tr.link[i + LUMP]
        if lump == NOTHING:
            for e in range(J, F + 3):
                X[k + e] = 0.0
            continue
        x, y, z = C[c + MOMENT], C[c + MOMENT + 1], C[c + MOMENT + 2]
        hx, hy, hz = cx * x + dx * y + wx * z, cy * x + dy * y + wy * z, cz * x + dz * y + wz * z
        x, y, z = C[c + TENSOR], C[c + TENSOR + 1], C[c + TENSOR + 2]
        if lump == DIAGONAL:  # x c c^T + y d d^T + z w w^T, with w w^T = 1 - c c^T - d d^T
            x, y = x - z, y - z
            ux, uy, uz = x * cx, x * cy, x * cz
            tx, ty, tz = y * dx, y * dy, y * dz
            Jxx, Jyy, Jzz = z + ux * cx + tx * dx, z + uy * cy + ty * dy, z + uz * cz + tz * dz
            Jxy, Jxz, Jyz = ux * cy + tx * dy, ux * cz + tx * dz, uy * cz + ty * dz
        else:
            xy, xz, yz = C[c + TENSOR + 3], C[c + TENSOR + 4], C[c + TENSOR + 5]
            ux, uy, uz = cx * x + dx * xy + wx * xz, cx * xy + dx * y + wx * yz, cx * xz + dx * yz + wx * z
            Jxx, Jxy, Jxz = ux * cx + uy * dx + uz * wx, ux * cy + uy * dy + uz * wy, ux * cz + uy * dz + uz * wz
            ux, uy, uz = cy * x + dy * xy + wy * xz, cy * xy + dy * y + wy * yz, cy * xz + dy * yz + wy * z
            Jyy, Jyz = ux * cy + uy * dy + uz * wy, ux * cz + uy * dz + uz * wz
            ux, uy, uz = cz * x + dz * xy + wz * xz, cz * xy + dz * y + wz * yz, cz * xz + dz * yz + wz * z
            Jzz = ux * cz + uy * dz + uz * wz
        m = C[c + MASS]
        X[k + J], X[k + J + 1], X[k + J + 2] = Jxx, Jyy, Jzz
        X[k + J + 3], X[k + J + 4], X[k + J + 5] = Jxy, Jxz, Jyz
        X[k + H], X[k + H + 1], X[k + H + 2] = 0.0, -hz, hy
        X[k + H + 3], X[k + H + 4], X[k + H + 5] = hz, 0.0, -hx
        X[k + H + 6], X[k + H + 7], X[k + H + 8] = -hy, hx, 0.0
        X[k + M], X[k + M + 1], X[k + M + 2] = m, m, m
        X[k + M + 3], X[k + M + 4], X[k + M + 5] = 0.0, 0.0, 0.0
        x, y, z = Jxx * px + Jxy * py + Jxz * pz, Jxy * px + Jyy * py + Jyz * pz, Jxz * px + Jyz * py + Jzz * pz
        X[k + N] = Jxx * ex + Jxy * ey + Jxz * ez + py * z - pz * y + hy * az - hz * ay
        X[k + N + 1] = Jxy * ex + Jyy * ey + Jyz * ez + pz * x - px * z + hz * ax - hx * az
        X[k + N + 2] = Jxz * ex + Jyz * ey + Jzz * ez + px * y - py * x + hx * ay - hy * ax
        x, y, z = py * hz - pz * hy, pz * hx - px * hz, px * hy - py * hx
        X[k + F] = m * ax + ey * hz - ez * hy + py * z - pz * y
        X[k + F + 1] = m * ay + ez * hx - ex * hz + pz * x - px * z
        X[k + F + 2] = m * az + ex * hy - ey * hx + px * y - py * x


@compiled()
def fold_space_links(header):
    """From tips to root: what each link leaves of the inertia and force that hang on it; 0, or 1 + freedom without
    inertia.   [T.19]-[T.21]"""
    s, tr = unpack(header), unpack_tree(header)
    X, Q = tr.link_room, s.Q
    for l in range(len(tr.link) // LINK - 1, -1, -1):
        i, k = LINK * l, SPACE_ROOM * (l + 1)
        kind, parent, iv = tr.link[i + KIND], tr.link[i + PARENT], tr.link[i + VELOCITY]
        Jxx, Jyy, Jzz = X[k + J], X[k + J + 1], X[k + J + 2]
        Jxy, Jxz, Jyz = X[k + J + 3], X[k + J + 4], X[k + J + 5]
        H0, H1, H2 = X[k + H], X[k + H + 1], X[k + H + 2]
        H3, H4, H5 = X[k + H + 3], X[k + H + 4], X[k + H + 5]
        H6, H7, H8 = X[k + H + 6], X[k + H + 7], X[k + H + 8]
        Mxx, Myy, Mzz = X[k + M], X[k + M + 1], X[k + M + 2]
        Mxy, Mxz, Myz = X[k + M + 3], X[k + M + 4], X[k + M + 5]
        nx, ny, nz, fx, fy, fz = X[k + N], X[k + N + 1], X[k + N + 2], X[k + F], X[k + F + 1], X[k + F + 2]
        if kind == BALL:
            # J^-1 by cofactors, then J^-1 H and J^-1 tau
            xx, xy, xz = Jyy * Jzz - Jyz * Jyz, Jxz * Jyz - Jxy * Jzz, Jxy * Jyz - Jxz * Jyy
            yy, yz, zz = Jxx * Jzz - Jxz * Jxz, Jxy * Jxz - Jxx * Jyz, Jxx * Jyy - Jxy * Jxy
            D = Jxx * xx + Jxy * xy + Jxz * xz
            if not D > 1e-14 * Jxx * Jyy * Jzz:
                return 1 + iv
            D = 1.0 / D
            xx, yy, zz, xy, xz, yz = xx * D, yy * D, zz * D, xy * D, xz * D, yz * D
            x, y, z = Q[iv], Q[iv + 1], Q[iv + 2]
            ox = X[k + R] * x + X[k + R + 1] * y + X[k + R + 2] * z
            oy = X[k + R + 3] * x + X[k + R + 4] * y + X[k + R + 5] * z
            oz = X[k + R + 6] * x + X[k + R + 7] * y + X[k + R + 8] * z
            x, y, z = ox - nx, oy - ny, oz - nz
            nx, ny, nz = ox, oy, oz
            x, y, z = xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z
            X[k + U], X[k + U + 1], X[k + U + 2] = x, y, z
            fx += H0 * x + H3 * y + H6 * z
            fy += H1 * x + H4 * y + H7 * z
            fz += H2 * x + H5 * y + H8 * z
            x0, x1, x2 = xx * H0 + xy * H3 + xz * H6, xx * H1 + xy * H4 + xz * H7, xx * H2 + xy * H5 + xz * H8
            y0, y1, y2 = xy * H0 + yy * H3 + yz * H6, xy * H1 + yy * H4 + yz * H7, xy * H2 + yy * H5 + yz * H8
            z0, z1, z2 = xz * H0 + yz * H3 + zz * H6, xz * H1 + yz * H4 + zz * H7, xz * H2 + yz * H5 + zz * H8
            X[k + H], X[k + H + 1], X[k + H + 2] = x0, x1, x2
            X[k + H + 3], X[k + H + 4], X[k + H + 5] = y0, y1, y2
            X[k + H + 6], X[k + H + 7], X[k + H + 8] = z0, z1, z2
            if parent == 0:
                continue
            Mxx -= H0 * x0 + H3 * y0 + H6 * z0
            Myy -= H1 * x1 + H4 * y1 + H7 * z1
            Mzz -= H2 * x2 + H5 * y2 + H8 * z2
            Mxy -= H0 * x1 + H3 * y1 + H6 * z1
            Mxz -= H0 * x2 + H3 * y2 + H6 * z2
            Myz -= H1 * x2 + H4 * y2 + H7 * z2
            Jxx, Jyy, Jzz, Jxy, Jxz, Jyz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            H0, H1, H2, H3, H4, H5, H6, H7, H8 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        else:
            wx, wy, wz = X[k + AXIS], X[k + AXIS + 1], X[k + AXIS + 2]
            if kind == SLIDE:
                ux, uy, uz = H0 * wx + H1 * wy + H2 * wz, H3 * wx + H4 * wy + H5 * wz, H6 * wx + H7 * wy + H8 * wz
                tx, ty, tz = Mxx * wx + Mxy * wy + Mxz * wz, Mxy * wx + Myy * wy + Myz * wz, 0.0
                tz = Mxz * wx + Myz * wy + Mzz * wz
                D = wx * tx + wy * ty + wz * tz
                tau = Q[iv] - (wx * fx + wy * fy + wz * fz)
            else:
                ux, uy, uz = Jxx * wx + Jxy * wy + Jxz * wz, Jxy * wx + Jyy * wy + Jyz * wz, 0.0
                uz = Jxz * wx + Jyz * wy + Jzz * wz
                tx, ty, tz = H0 * wx + H3 * wy + H6 * wz, H1 * wx + H4 * wy + H7 * wz, H2 * wx + H5 * wy + H8 * wz
                D = wx * ux + wy * uy + wz * uz
                tau = Q[iv] - (wx * nx + wy * ny + wz * nz)
                if kind == SCREW:
                    h = tr.link_data[SPACE_DATA * l + PITCH]
                    x, y, z = h * wx, h * wy, h * wz
                    D += 2.0 * (x * tx + y * ty + z * tz)
                    ux += H0 * x + H1 * y + H2 * z
                    uy += H3 * x + H4 * y + H5 * z
                    uz += H6 * x + H7 * y + H8 * z
                    px, py, pz = Mxx * x + Mxy * y + Mxz * z, Mxy * x + Myy * y + Myz * z, Mxz * x + Myz * y + Mzz * z
                    D += x * px + y * py + z * pz
                    tx, ty, tz = tx + px, ty + py, tz + pz
                    tau -= x * fx + y * fy + z * fz
            if not D > 0.0:
                return 1 + iv
            D = 1.0 / D
            X[k + U], X[k + U + 1], X[k + U + 2] = ux, uy, uz
            X[k + U + 3], X[k + U + 4], X[k + U + 5] = tx, ty, tz
            X[k + INVERSE], X[k + REST] = D, tau
            if parent == 0:
                continue
            tau *= D
            nx, ny, nz = nx + ux * tau, ny + uy * tau, nz + uz * tau
            fx, fy, fz = fx + tx * tau, fy + ty * tau, fz + tz * tau
            x, y, z = D * ux, D * uy, D * uz
            Jxx, Jyy, Jzz = Jxx - x * ux, Jyy - y * uy, Jzz - z * uz
            Jxy, Jxz, Jyz = Jxy - x * uy, Jxz - x * uz, Jyz - y * uz
            H0, H1, H2 = H0 - x * tx, H1 - x * ty, H2 - x * tz
            H3, H4, H5 = H3 - y * tx, H4 - y * ty, H5 - y * tz
            H6, H7, H8 = H6 - z * tx, H7 - z * ty, H8 - z * tz
            x, y, z = D * tx, D * ty, D * tz
            Mxx, Myy, Mzz = Mxx - x * tx, Myy - y * ty, Mzz - z * tz
            Mxy, Mxz, Myz = Mxy - x * ty, Mxz - x * tz, Myz - y * tz
        # moved to the parent's origin: G = H + r~ M, J - H r~ + r~ G^T
        p = SPACE_ROOM * parent
        x, y, z = X[k + ARM], X[k + ARM + 1], X[k + ARM + 2]
        X[p + N] += nx + y * fz - z * fy
        X[p + N + 1] += ny + z * fx - x * fz
        X[p + N + 2] += nz + x * fy - y * fx
        X[p + F] += fx
        X[p + F + 1] += fy
        X[p + F + 2] += fz
        G0, G1, G2 = H0 + y * Mxz - z * Mxy, H1 + y * Myz - z * Myy, H2 + y * Mzz - z * Myz
        G3, G4, G5 = H3 + z * Mxx - x * Mxz, H4 + z * Mxy - x * Myz, H5 + z * Mxz - x * Mzz
        G6, G7, G8 = H6 + x * Mxy - y * Mxx, H7 + x * Myy - y * Mxy, H8 + x * Myz - y * Mxz
        X[p + J] += Jxx + y * (H2 + G2) - z * (H1 + G1)
        X[p + J + 1] += Jyy + z * (H3 + G3) - x * (H5 + G5)
        X[p + J + 2] += Jzz + x * (H7 + G7) - y * (H6 + G6)
        X[p + J + 3] += Jxy + z * H0 - x * H2 + y * G5 - z * G4
        X[p + J + 4] += Jxz + x * H1 - y * H0 + y * G8 - z * G7
        X[p + J + 5] += Jyz + x * H4 - y * H3 + z * G6 - x * G8
        X[p + H] += G0
        X[p + H + 1] += G1
        X[p + H + 2] += G2
        X[p + H + 3] += G3
        X[p + H + 4] += G4
        X[p + H + 5] += G5
        X[p + H + 6] += G6
        X[p + H + 7] += G7
        X[p + H + 8] += G8
        X[p + M] += Mxx
        X[p + M + 1] += Myy
        X[p + M + 2] += Mzz
        X[p + M + 3] += Mxy
        X[p + M + 4] += Mxz
        X[p + M + 5] += Myz
    return 0


@compiled()
def accelerate_space_links(header):
    """From root to tips: v'.   [T.22]"""
    s, tr = unpack(header), unpack_tree(header)
    X = tr.link_room
    for l in range(len(tr.link) // LINK):
        i, k = LINK * l, SPACE_ROOM * (l + 1)
        kind, p, iv = tr.link[i + KIND], SPACE_ROOM * tr.link[i + PARENT], tr.link[i + VELOCITY]
        ex, ey, ez = X[p + N], X[p + N + 1], X[p + N + 2]
        x, y, z = X[k + ARM], X[k + ARM + 1], X[k + ARM + 2]
        ax = X[p + F] + ey * z - ez * y
        ay = X[p + F + 1] + ez * x - ex * z
        az = X[p + F + 2] + ex * y - ey * x
        if kind == BALL:
            x = X[k + U] - (X[k + H] * ax + X[k + H + 1] * ay + X[k + H + 2] * az)
            y = X[k + U + 1] - (X[k + H + 3] * ax + X[k + H + 4] * ay + X[k + H + 5] * az)
            z = X[k + U + 2] - (X[k + H + 6] * ax + X[k + H + 7] * ay + X[k + H + 8] * az)
            X[k + N], X[k + N + 1], X[k + N + 2] = x, y, z
            x, y, z = x - ex, y - ey, z - ez
            for c in range(3):
                s.a[iv + c] = X[k + R + c] * x + X[k + R + 3 + c] * y + X[k + R + 6 + c] * z
        else:
            rate = X[k + REST] - (X[k + U] * ex + X[k + U + 1] * ey + X[k + U + 2] * ez)
            rate -= X[k + U + 3] * ax + X[k + U + 4] * ay + X[k + U + 5] * az
            rate *= X[k + INVERSE]
            s.a[iv] = rate
            x, y, z = rate * X[k + AXIS], rate * X[k + AXIS + 1], rate * X[k + AXIS + 2]
            if kind == SLIDE:
                ax, ay, az = ax + x, ay + y, az + z
            else:
                ex, ey, ez = ex + x, ey + y, ez + z
                if kind == SCREW:
                    h = tr.link_data[SPACE_DATA * l + PITCH]
                    ax, ay, az = ax + h * x, ay + h * y, az + h * z
            X[k + N], X[k + N + 1], X[k + N + 2] = ex, ey, ez
        X[k + F], X[k + F + 1], X[k + F + 2] = ax, ay, az
