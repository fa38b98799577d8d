"""Inertia and forces of a tree: composite-body mass matrix, and generalised forces by one pass from tips to root.

A body's inertia about the ground's origin O is ten numbers: m, m p, and the tensor of second moments about O. They
add up along the tree without any transformation.   001 (9), (13); Featherstone (2008) 6.2, 5.3   [T.7]-[T.11]
"""

from __future__ import annotations

from ...machine.array_table import unpack, unpack_tree
from ...machine.compiled import compiled


@compiled()
def weigh_body(header, b):
    """Inertia of a body about O: mass, m p, and A J A^T + m (p.p I - p p^T) as xx, yy, zz, xy, xz, yz."""
    s, tr = unpack(header), unpack_tree(header)
    x, g, o = 12 * b, 7 * b, 10 * b
    X, m = s.x, tr.body_mass[g]
    px, py, pz = X[x], X[x + 1], X[x + 2]
    xx, yy, zz = tr.body_mass[g + 1], tr.body_mass[g + 2], tr.body_mass[g + 3]
    xy, xz, yz = tr.body_mass[g + 4], tr.body_mass[g + 5], tr.body_mass[g + 6]
    I = tr.body_I
    I[o], I[o + 1], I[o + 2], I[o + 3] = m, m * px, m * py, m * pz
    for k in range(6):  # entry (i, j) of A J A^T
        i = k if k < 3 else (0 if k < 5 else 1)
        j = k if k < 3 else (1 if k == 3 else 2)
        a, c, e = X[x + 3 + i], X[x + 6 + i], X[x + 9 + i]
        u, v, w = X[x + 3 + j], X[x + 6 + j], X[x + 9 + j]
        I[o + 4 + k] = a * (xx * u + xy * v + xz * w) + c * (xy * u + yy * v + yz * w) + e * (xz * u + yz * v + zz * w)
    square = px * px + py * py + pz * pz
    I[o + 4] += m * (square - px * px)
    I[o + 5] += m * (square - py * py)
    I[o + 6] += m * (square - pz * pz)
    I[o + 7] -= m * px * py
    I[o + 8] -= m * px * pz
    I[o + 9] -= m * py * pz


@compiled()
def momentum(I, o, V, i, out, k):
    """out = I V: angular momentum about O, and linear momentum."""
    m, hx, hy, hz = I[o], I[o + 1], I[o + 2], I[o + 3]
    wx, wy, wz, ux, uy, uz = V[i], V[i + 1], V[i + 2], V[i + 3], V[i + 4], V[i + 5]
    out[k] = I[o + 4] * wx + I[o + 7] * wy + I[o + 8] * wz + hy * uz - hz * uy
    out[k + 1] = I[o + 7] * wx + I[o + 5] * wy + I[o + 9] * wz + hz * ux - hx * uz
    out[k + 2] = I[o + 8] * wx + I[o + 9] * wy + I[o + 6] * wz + hx * uy - hy * ux
    out[k + 3] = m * ux + wy * hz - wz * hy
    out[k + 4] = m * uy + wz * hx - wx * hz
    out[k + 5] = m * uz + wx * hy - wy * hx


@compiled()
def inertial_force(header, b, k):
    """tr.tree_F[k:] += I a + V x* (I V) of body b, with the acceleration in tr.body_a."""
    tr = unpack_tree(header)
    F, i = tr.tree_F, 6 * b
    size = 6 * len(tr.tree_parent)  # scratch behind the freedoms
    momentum(tr.body_I, 10 * b, tr.body_a, i, F, size)
    momentum(tr.body_I, 10 * b, tr.body_V, i, F, size + 6)
    wx, wy, wz = tr.body_V[i], tr.body_V[i + 1], tr.body_V[i + 2]
    ux, uy, uz = tr.body_V[i + 3], tr.body_V[i + 4], tr.body_V[i + 5]
    nx, ny, nz = F[size + 6], F[size + 7], F[size + 8]
    fx, fy, fz = F[size + 9], F[size + 10], F[size + 11]
    F[k] += F[size] + wy * nz - wz * ny + uy * fz - uz * fy
    F[k + 1] += F[size + 1] + wz * nx - wx * nz + uz * fx - ux * fz
    F[k + 2] += F[size + 2] + wx * ny - wy * nx + ux * fy - uy * fx
    F[k + 3] += F[size + 3] + wy * fz - wz * fy
    F[k + 4] += F[size + 4] + wz * fx - wx * fz
    F[k + 5] += F[size + 5] + wx * fy - wy * fx


@compiled()
def force_at_origin(G, x, X, out, k):
    """out = moment about O and resultant of the forces G on the twelve variables X of one body (from x on)."""
    nx, ny, nz = 0.0, 0.0, 0.0
    for l in range(4):
        i = x + 3 * l
        nx += X[i + 1] * G[i + 2] - X[i + 2] * G[i + 1]
        ny += X[i + 2] * G[i] - X[i] * G[i + 2]
        nz += X[i] * G[i + 1] - X[i + 1] * G[i]
    out[k], out[k + 1], out[k + 2] = nx, ny, nz
    out[k + 3], out[k + 4], out[k + 5] = G[x], G[x + 1], G[x + 2]


@compiled()
def weigh_tree(header):
    """Inertia of all the bodies, and the mass matrix: M_de = S_d . (I of all that hangs on e) S_e."""
    s, tr = unpack(header), unpack_tree(header)
    count = len(tr.tree_parent)
    I = tr.tree_I
    for i in range(10 * count):
        I[i] = 0.0
    for l in range(len(tr.massed)):
        b = tr.massed[l]
        weigh_body(header, b)
        d = tr.body_at[b]
        if d >= 0:
            for k in range(10):
                I[10 * d + k] += tr.body_I[10 * b + k]
    F, size = tr.tree_F, 6 * count
    for d in range(count - 1, -1, -1):
        parent = tr.tree_parent[d]
        if parent >= 0:
            for k in range(10):
                I[10 * parent + k] += I[10 * d + k]
        momentum(I, 10 * d, tr.tree_S, 6 * d, F, size)
        e = d
        while e >= 0:
            w = 0.0
            for k in range(6):
                w += tr.tree_S[6 * e + k] * F[size + k]
            s.M[d * s.n + e] = w
            s.M[e * s.n + d] = w
            e = tr.tree_parent[e]
    for i in range(s.n):
        for l in range(s.mptr[i], s.mptr[i + 1]):
            s.mval[l] = s.M[i * s.n + s.mcol[l]]


@compiled()
def gather_forces(header):
    """Q = sum over the bodies of (applied - inertial force without v') . S, and what acts on coordinates themselves."""
    s, tr = unpack(header), unpack_tree(header)
    count = len(tr.tree_parent)
    F = tr.tree_F
    for i in range(6 * count):
        F[i] = 0.0
    for b in range(len(tr.body_at)):
        force_at_origin(s.Qx, 12 * b, s.x, tr.body_W, 6 * b)
        d = tr.body_at[b]
        if d >= 0:
            for k in range(6):
                F[6 * d + k] -= tr.body_W[6 * b + k]
    for l in range(len(tr.massed)):
        b = tr.massed[l]
        if tr.body_at[b] >= 0:
            inertial_force(header, b, 6 * tr.body_at[b])
    for i in range(s.n):
        s.Q[i] = 0.0
    for l in range(len(tr.extra_x)):
        s.Q[tr.extra_v[l]] += tr.extra_scale[l] * s.Qx[tr.extra_x[l]]
    for d in range(count - 1, -1, -1):
        parent = tr.tree_parent[d]
        w = 0.0
        for k in range(6):
            w += tr.tree_S[6 * d + k] * F[6 * d + k]
            if parent >= 0:
                F[6 * parent + k] += F[6 * d + k]
        s.Q[d] -= w


@compiled()
def contract_rows(header):
    """Phi_x to B = Phi_x X, row by row: the force that a row would exert on each body, times S of its freedoms.

    The bias gains Phi_x times x'' without the v'.
    """
    s, tr = unpack(header), unpack_tree(header)
    for e in range(len(s.J)):
        s.J[e] = 0.0
    W, scratch = tr.tree_F, 6 * len(tr.tree_parent)
    X = s.x
    for k in range(len(tr.seg_ptr) - 1):
        extra = 0.0
        for e in range(s.xptr[k], s.xptr[k + 1]):
            extra += s.Jx[e] * tr.xbias[s.xcol[e]]
        s.bias[k] += extra
        for g in range(tr.seg_ptr[k], tr.seg_ptr[k + 1]):
            b = tr.seg_body[g]
            nx, ny, nz, fx, fy, fz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            for e in range(tr.seg_x[2 * g], tr.seg_x[2 * g + 1]):
                part = s.xcol[e] - 12 * b
                axis = part % 3
                i, value = s.xcol[e] - axis, s.Jx[e]
                if axis == 0:
                    ny += X[i + 2] * value
                    nz -= X[i + 1] * value
                    fx += value if part < 3 else 0.0
                elif axis == 1:
                    nx -= X[i + 2] * value
                    nz += X[i] * value
                    fy += value if part < 3 else 0.0
                else:
                    nx += X[i + 1] * value
                    ny -= X[i] * value
                    fz += value if part < 3 else 0.0
            W[scratch], W[scratch + 1], W[scratch + 2] = nx, ny, nz
            W[scratch + 3], W[scratch + 4], W[scratch + 5] = fx, fy, fz
            for l in range(tr.seg_dof[g], tr.seg_dof[g + 1]):
                d = 6 * tr.dof_of[l]
                w = 0.0
                for c in range(6):
                    w += tr.tree_S[d + c] * W[scratch + c]
                s.J[tr.dof_entry[l]] += w
    for l in range(len(tr.plain_from)):
        s.J[tr.plain_to[l]] += tr.plain_scale[l] * s.Jx[tr.plain_from[l]]
