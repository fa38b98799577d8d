"""Derivatives of the accelerations by positions and velocities, A_q and A_v, at the present state.

Differentiated, M a + B^T lam = Q, B a = gamma is

    [ M  B^T ] [ da   ]   [ K dq + C dv - (M a + B^T lam - Q)_q dq + (Q)_v dv ]
    [ B   0  ] [ dlam ] = [ (gamma - B a)_q dq + gamma_v dv                   ]        [I.27]

K and C, the stiffness and the damping of the forces, are exact (`force_tangent`). What remains is geometry: inertia,
reactions, and the levers of forces whose values are frozen. It does not grow with stiffness, and is differenced: by
velocities, of which it is quadratic, that is exact; by positions it is exact in natural coordinates but for angles and
cross products, and good to about 1e-9 in a tree.
"""

from __future__ import annotations

from ....kernels.calls import GATHER, PLACE
from ....kernels.force_tangent import force_tangents
from ....kernels.forces import applied_forces
from ....kernels.rows import row_times, rows
from ....kernels.state import displace
from ....machine.array_table import call_kernel, unpack, unpack_tree
from ....machine.compiled import compiled
from ...formulations.shared import stabilised_bias
from ...linear.lu import lu_factor, lu_solve
from .radau_workspace import (
    FROZEN,
    G_Q,
    G_V,
    LEFT_OVER,
    MINUS,
    P_Q,
    P_V,
    PLUS,
    Q_KEPT,
    RIGHT,
    SADDLE,
    SADDLE_MATRIX,
    SADDLE_PIVOT,
    V_KEPT,
    VECTORS_OF_FORCES,
    D,
    X,
    part,
)

SOFT = 1e-8
"""how soft a row is, against its own compliance: redundant ones share their load"""
REFINEMENTS = 1
"""of each solution: rows that are not redundant are firm then, to the square of that"""
CURVED, LINEAR = 1e-5, 1e-2
"""radians, or parts of the size: half the distance of two positions that are differenced"""


@compiled()
def put(header, q, v):
    """s.q, s.v."""
    s = unpack(header)
    for i in range(s.nq):
        s.q[i] = q[i]
    for i in range(s.n):
        s.v[i] = v[i]


@compiled()
def nudge(header, j):
    """How far coordinate j is moved for a difference."""
    s = unpack(header)
    if len(s.tree_calls) == 0 and len(s.trig_row) == 0:
        return LINEAR * s.par.length_scale
    kinds = unpack_tree(header).tree_kind
    if j < len(kinds):
        return CURVED if kinds[j] > 0 else CURVED * s.par.length_scale
    return CURVED * min(1.0, s.par.length_scale)


@compiled()
def geometry(header, t, a, lam, out):
    """(M a + B^T lam - Q, B a - gamma) at the present state, the forces on x being those frozen. Leaves x, x'."""
    s = unpack(header)
    n, count = s.n, len(s.active)
    rows(header, t)
    for i in range(n):
        out[i] = 0.0
    if len(s.tree_calls) > 0:
        frozen = part(header, FROZEN)
        for i in range(len(frozen)):
            s.Qx[i] = frozen[i]
        call_kernel(s.tree_calls[GATHER], header)
        for i in range(n):
            w = -s.Q[i]
            for l in range(s.mptr[i], s.mptr[i + 1]):
                w += s.mval[l] * a[s.mcol[l]]
            out[i] = w
    for p in range(count):
        k = s.active[p]
        for e in range(s.jptr[k], s.jptr[k + 1]):
            out[s.jcol[e]] += s.J[e] * lam[k]
        out[n + p] = row_times(header, k, a) + stabilised_bias(header, k)


@compiled()
def saddle_matrix(header):
    """[M B^T; B -soft] of the present state, kept and factorised; 0 if that can be done."""
    s = unpack(header)
    n, count = s.n, len(s.active)
    N, T, kept = n + count, part(header, SADDLE), part(header, SADDLE_MATRIX)
    for i in range(N * N):
        kept[i] = 0.0
    for i in range(n):
        for l in range(s.mptr[i], s.mptr[i + 1]):
            kept[i * N + s.mcol[l]] = s.mval[l]
    for p in range(count):
        k = s.active[p]
        for e in range(s.jptr[k], s.jptr[k + 1]):
            kept[s.jcol[e] * N + n + p] = s.J[e]
            kept[(n + p) * N + s.jcol[e]] = s.J[e]
    for i in range(N * N):
        T[i] = kept[i]
    for p in range(count):
        T[(n + p) * N + n + p] = -SOFT / (s.weight[s.active[p]] * s.par.mass_scale)
    return lu_factor(T, N, part(header, SADDLE_PIVOT))


@compiled()
def answer(header, right):
    """Accelerations and multipliers (active rows) that answer to `right`, in its place."""
    s = unpack(header)
    N, T, kept = s.n + len(s.active), part(header, SADDLE), part(header, SADDLE_MATRIX)
    order, rest, given = part(header, SADDLE_PIVOT), part(header, LEFT_OVER), part(header, PLUS)
    for i in range(N):
        given[i] = right[i]
    lu_solve(T, right, N, order)
    for _ in range(REFINEMENTS if N > s.n else 0):
        for i in range(N):
            w = given[i]
            for j in range(N):
                w -= kept[i * N + j] * right[j]
            rest[i] = w
        lu_solve(T, rest, N, order)
        for i in range(N):
            right[i] += rest[i]


@compiled()
def find_levers(header):
    """X: column j is x' for a unit velocity j."""
    s = unpack(header)
    n, levers, v = s.n, part(header, X), part(header, V_KEPT)
    for j in range(n):
        for i in range(n):
            s.v[i] = 0.0
        s.v[j] = 1.0
        call_kernel(s.tree_calls[PLACE], header)
        for i in range(len(s.x)):
            levers[i * n + j] = s.xd[i]
    for i in range(n):
        s.v[i] = v[i]


@compiled()
def bend(header, t, a, lam, Aq, Av):
    """The geometry by positions and velocities: -(...)_q and (...)_v into A_q, A_v and G_q, G_v; D."""
    s = unpack(header)
    n, count, nx = s.n, len(s.active), len(part(header, FROZEN))
    q, v, plus, minus = part(header, Q_KEPT), part(header, V_KEPT), part(header, PLUS), part(header, MINUS)
    Gq, Gv, rates = part(header, G_Q), part(header, G_V), part(header, D)
    fast = 1.0
    for i in range(n):
        fast = max(fast, abs(v[i]))
    for j in range(n):
        for i in range(n):
            s.w[i] = 0.0
        d = nudge(header, j)
        s.w[j] = d
        displace(header, s.w)
        geometry(header, t, a, lam, plus)
        for i in range(nx):
            rates[i * n + j] = 0.5 * s.xd[i] / d
        put(header, q, v)
        for i in range(n):
            s.w[i] = 0.0
        s.w[j] = -d
        displace(header, s.w)
        geometry(header, t, a, lam, minus)
        for i in range(nx):
            rates[i * n + j] -= 0.5 * s.xd[i] / d
        for i in range(n):
            Aq[i * n + j] = -0.5 * (plus[i] - minus[i]) / d
        for p in range(count):
            Gq[p * n + j] = -0.5 * (plus[n + p] - minus[n + p]) / d
        put(header, q, v)
        s.v[j] = v[j] + fast
        geometry(header, t, a, lam, plus)
        s.v[j] = v[j] - fast
        geometry(header, t, a, lam, minus)
        s.v[j] = v[j]
        for i in range(n):
            Av[i * n + j] = -0.5 * (plus[i] - minus[i]) / fast
        for p in range(count):
            Gv[p * n + j] = -0.5 * (plus[n + p] - minus[n + p]) / fast


@compiled()
def acceleration_tangents(header, t, a, lam, Aq, Av):
    """A_q and A_v (n x n) at the present state, whose accelerations and multipliers are a and lam, and the derivatives
    of the power in P_Q and P_V; 0 if that can be done. The state stays; what was evaluated there does not."""
    s = unpack(header)
    n, count, tree = s.n, len(s.active), len(s.tree_calls) > 0
    q, v, frozen = part(header, Q_KEPT), part(header, V_KEPT), part(header, FROZEN)
    Pq, Pv, Gq, Gv = part(header, P_Q), part(header, P_V), part(header, G_Q), part(header, G_V)
    right = part(header, RIGHT)
    for i in range(s.nq):
        q[i] = s.q[i]
    for i in range(n):
        v[i] = s.v[i]
        Pq[i] = Pv[i] = 0.0
    if tree:
        find_levers(header)
        call_kernel(s.tree_calls[PLACE], header)
        applied_forces(header, t)
        for i in range(len(frozen)):
            frozen[i] = s.Qx[i]
    if tree or count > 0:
        bend(header, t, a, lam, Aq, Av)
        geometry(header, t, a, lam, right)
    else:
        for i in range(n * n):
            Aq[i] = Av[i] = 0.0
    if saddle_matrix(header) != 0:
        return 1
    force_tangents(header, t, part(header, X), part(header, D), Aq, Av, Pq, Pv, part(header, VECTORS_OF_FORCES),
                   s.par.length_scale)  # fmt: skip
    for by_rate in range(2):
        A, G, P = (Av, Gv, Pv) if by_rate == 1 else (Aq, Gq, Pq)
        for j in range(n):
            for i in range(n):
                right[i] = A[i * n + j]
            for p in range(count):
                right[n + p] = G[p * n + j]
            answer(header, right)
            for i in range(n):
                A[i * n + j] = right[i]
            if len(s.drv_row) > 0:
                for p in range(count):
                    P[j] += s.Phit[s.active[p]] * right[n + p]
    for i in range(n * n):
        if not abs(Aq[i]) < 1e300 or not abs(Av[i]) < 1e300:
            return 1
    return 0
