"""Forward dynamics of an open tree in O(n): the articulated-body recursion, about the ground's origin.

From tips to root, each freedom takes out of the inertia of what hangs on it the motion that it allows; from root to
tips the accelerations follow.   Featherstone (2008) 7.3   [T.12]-[T.14]
"""

from __future__ import annotations

from ..arena import unpack, unpack_tree
from ..compiled import compiled
from .inertia import force_at_origin, inertial_force, weigh_body


@compiled()
def start_articulated(header):
    """Articulated inertia and bias force begin as those of the rigid bodies."""
    s, tr = unpack(header), unpack_tree(header)
    count = len(tr.tree_parent)
    A, F = tr.tree_A, tr.tree_F
    for i in range(36 * count):
        A[i] = 0.0
    for i in range(6 * count):
        F[i] = 0.0
    for b in range(len(tr.body_at)):
        d = tr.body_at[b]
        force_at_origin(s.Qx, 12 * b, s.x, tr.body_W, 6 * b)
        for k in range(6):
            tr.body_a[6 * b + k] = 0.0  # accelerations come with the recursion
            if d >= 0:
                F[6 * d + k] -= tr.body_W[6 * b + k]
    for l in range(len(tr.massed)):
        b = tr.massed[l]
        d = tr.body_at[b]
        if d < 0:
            continue
        weigh_body(header, b)
        inertial_force(header, b, 6 * d)
        o, k = 10 * b, 36 * d
        I = tr.body_I
        m, hx, hy, hz = I[o], I[o + 1], I[o + 2], I[o + 3]
        A[k] += I[o + 4]
        A[k + 7] += I[o + 5]
        A[k + 14] += I[o + 6]
        A[k + 1] += I[o + 7]
        A[k + 6] += I[o + 7]
        A[k + 2] += I[o + 8]
        A[k + 12] += I[o + 8]
        A[k + 8] += I[o + 9]
        A[k + 13] += I[o + 9]
        for r in range(3, 6):
            A[k + 7 * r] += m
        # h x u in the upper right block, its transpose below
        A[k + 4] -= hz
        A[k + 5] += hy
        A[k + 9] += hz
        A[k + 11] -= hx
        A[k + 15] -= hy
        A[k + 16] += hx
        A[k + 24] -= hz
        A[k + 30] += hy
        A[k + 19] += hz
        A[k + 31] -= hx
        A[k + 20] -= hy
        A[k + 26] += hx


@compiled()
def articulated(header):
    """v' of an open tree from the forces in Qx (and Q on freedoms themselves); 0, or 1 + freedom without inertia."""
    s, tr = unpack(header), unpack_tree(header)
    count = len(tr.tree_parent)
    A, F, S, U, D, c, a = tr.tree_A, tr.tree_F, tr.tree_S, tr.tree_U, tr.tree_D, tr.tree_c, tr.tree_a
    start_articulated(header)
    for i in range(s.n):
        s.Q[i] = 0.0
    for l in range(len(tr.extra_x)):
        s.Q[tr.extra_v[l]] += tr.extra_scale[l] * s.Qx[tr.extra_x[l]]
    for d in range(count - 1, -1, -1):
        i, k, parent = 6 * d, 36 * d, tr.tree_parent[d]
        inertia, rest = 0.0, s.Q[d]
        for r in range(6):
            w = 0.0
            for l in range(6):
                w += A[k + 6 * r + l] * S[i + l]
            U[i + r] = w
            inertia += S[i + r] * w
            rest -= S[i + r] * F[i + r]
        if not inertia > 0.0:
            return 1 + d
        inverse = 1.0 / inertia
        D[2 * d], D[2 * d + 1] = inverse, rest
        if parent >= 0:
            j, p = 36 * parent, 6 * parent
            gain = rest * inverse
            for r in range(6):
                f = U[i + r] * inverse
                w = F[i + r] + U[i + r] * gain
                for l in range(6):
                    left = A[k + 6 * r + l] - f * U[i + l]
                    A[j + 6 * r + l] += left
                    w += left * c[i + l]
                F[p + r] += w
    for d in range(count):
        i, parent = 6 * d, tr.tree_parent[d]
        rest = D[2 * d + 1]
        for k in range(6):
            w = c[i + k]
            if parent >= 0:
                w += a[6 * parent + k]
            a[i + k] = w
            rest -= U[i + k] * w
        rate = rest * D[2 * d]
        s.a[d] = rate
        for k in range(6):
            a[i + k] += S[i + k] * rate
    return 0
