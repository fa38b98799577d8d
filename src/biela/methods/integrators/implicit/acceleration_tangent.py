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

from typing import Any, NamedTuple

from ....kernels.calls import GATHER, PLACE
from ....kernels.force_tangent import VECTORS, force_tangents
from ....kernels.forces import applied_forces
from ....kernels.products import clear, copy, largest, mass_row
from ....kernels.rows import row_times, rows
from ....kernels.state import displace
from ....machine.array_table import call_kernel, unpack, unpack_tree
from ....machine.compiled import compiled
from ....machine.scratch import cut
from ...formulations.shared import stabilised_bias
from ...linear.lu import lu_factor, lu_solve
from ...loops.step_memory import memory_begins

SOFT = 1e-8
"""how soft a row is, against its own compliance: redundant ones share their load"""
REFINEMENTS = 1
"""of each solution: rows that are not redundant hold then, to the square of that"""
CURVED, LINEAR = 1e-5, 1e-2
"""radians, or parts of the size: half the distance of two positions that are differenced"""


class TangentWorkspace(NamedTuple):
    """Vectors, and their lengths."""

    p_q: Any  # derivatives of the power
    p_v: Any
    q: Any  # the present state
    v: Any
    X: Any  # x' by velocities, and by positions
    D: Any
    forces_x: Any  # frozen forces on the variables x
    g_q: Any  # derivatives of B a - gamma
    g_v: Any
    matrix: Any  # [M B^T; B 0], and its factors with soft rows
    factors: Any
    pivot: Any
    right: Any
    given: Any
    rest: Any
    plus: Any  # the geometry at two positions or velocities
    minus: Any
    forces: Any  # what `force_tangents` works with


@compiled()
def lengths(n, nq, x, rows):
    """How long the vectors are: n velocities, nq coordinates, x variables (0 in natural coordinates), rows in use."""
    N = n + rows
    return TangentWorkspace(
        n, n, nq, n, x * n, x * n, x, rows * n, rows * n, N * N, N * N, N, N, N, N, N, N, VECTORS * n
    )


def tangent_workspace_length(arrays: Any) -> int:
    """Numbers needed in all, for a system with these arrays."""
    s = arrays
    return sum(lengths.py_func(s.n, s.nq, len(s.x) if len(s.tree_calls) else 0, len(s.active)))


@compiled()
def tangent_workspace(header):
    """The vectors: before the memory of the step."""
    s = unpack(header)
    every, end = lengths(s.n, s.nq, len(s.x) if len(s.tree_calls) > 0 else 0, len(s.active)), memory_begins(header)
    return cut(s.direct[end - sum(every) : end], every)


@compiled()
def half_distance(header, j):
    """How far coordinate j is moved to either side for a difference."""
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
    s, n = unpack(header), unpack(header).n
    rows(header, t)
    clear(out[:n])
    if len(s.tree_calls) > 0:
        copy(tangent_workspace(header).forces_x, s.Qx)
        call_kernel(s.tree_calls[GATHER], header)
        for i in range(n):
            out[i] = mass_row(header, i, a, -s.Q[i])
    for p in range(len(s.active)):
        k = s.active[p]
        for e in range(s.jptr[k], s.jptr[k + 1]):
            out[s.jcol[e]] += s.J[e] * lam[k]
        out[n + p] = row_times(header, k, a) + stabilised_bias(header, k)


@compiled()
def moved_geometry(header, t, a, lam, j, distance, out):
    """The same with coordinate j moved by a distance."""
    s = unpack(header)
    clear(s.w[: s.n])
    s.w[j] = distance
    displace(header, s.w)
    geometry(header, t, a, lam, out)


@compiled()
def saddle_matrix(header):
    """[M B^T; B -soft] of the present state, kept and factorised; 0 if that can be done."""
    s, w = unpack(header), tangent_workspace(header)
    n, count = s.n, len(s.active)
    N, A = n + count, w.matrix
    clear(A)
    for i in range(n):
        for l in range(s.mptr[i], s.mptr[i + 1]):
            A[i * N + s.mcol[l]] = s.mval[l]
    for p in range(count):
        k = s.active[p]
        for e in range(s.jptr[k], s.jptr[k + 1]):
            A[s.jcol[e] * N + n + p] = s.J[e]
            A[(n + p) * N + s.jcol[e]] = s.J[e]
    copy(A, w.factors)
    for p in range(count):
        w.factors[(n + p) * N + n + p] = -SOFT / (s.weight[s.active[p]] * s.par.mass_scale)
    return lu_factor(w.factors, N, w.pivot)


@compiled()
def solve_saddle(header, right):
    """Accelerations and multipliers (active rows) that answer to `right`, in its place."""
    s, w = unpack(header), tangent_workspace(header)
    N = s.n + len(s.active)
    copy(right, w.given)
    lu_solve(w.factors, right, N, w.pivot)
    for _ in range(REFINEMENTS if N > s.n else 0):
        for i in range(N):
            rest = w.given[i]
            for j in range(N):
                rest -= w.matrix[i * N + j] * right[j]
            w.rest[i] = rest
        lu_solve(w.factors, w.rest, N, w.pivot)
        for i in range(N):
            right[i] += w.rest[i]


@compiled()
def find_levers(header):
    """X: column j is x' for a unit velocity j."""
    s, w = unpack(header), tangent_workspace(header)
    n = s.n
    for j in range(n):
        clear(s.v)
        s.v[j] = 1.0
        call_kernel(s.tree_calls[PLACE], header)
        for i in range(len(s.x)):
            w.X[i * n + j] = s.xd[i]
    copy(w.v, s.v)


@compiled()
def geometry_tangents(header, t, a, lam, Aq, Av):
    """The geometry by positions and velocities: -(...)_q and (...)_v into A_q, A_v and G_q, G_v; D."""
    s, w = unpack(header), tangent_workspace(header)
    n, count, nx, plus, minus = s.n, len(s.active), len(w.forces_x), w.plus, w.minus
    fast = max(1.0, largest(w.v))
    for j in range(n):
        d = half_distance(header, j)
        moved_geometry(header, t, a, lam, j, d, plus)
        for i in range(nx):
            w.D[i * n + j] = 0.5 * s.xd[i] / d
        copy(w.q, s.q)
        moved_geometry(header, t, a, lam, j, -d, minus)
        for i in range(nx):
            w.D[i * n + j] -= 0.5 * s.xd[i] / d
        for i in range(n):
            Aq[i * n + j] = -0.5 * (plus[i] - minus[i]) / d
        for p in range(count):
            w.g_q[p * n + j] = -0.5 * (plus[n + p] - minus[n + p]) / d
        copy(w.q, s.q)
        s.v[j] = w.v[j] + fast
        geometry(header, t, a, lam, plus)
        s.v[j] = w.v[j] - fast
        geometry(header, t, a, lam, minus)
        s.v[j] = w.v[j]
        for i in range(n):
            Av[i * n + j] = -0.5 * (plus[i] - minus[i]) / fast
        for p in range(count):
            w.g_v[p * n + j] = -0.5 * (plus[n + p] - minus[n + p]) / fast


@compiled()
def acceleration_tangents(header, t, a, lam, Aq, Av):
    """A_q and A_v (n x n) at the present state, whose accelerations and multipliers are a and lam, and the derivatives
    of the power in the workspace; 0 if that can be done. The state stays; what was evaluated there does not."""
    s, w = unpack(header), tangent_workspace(header)
    n, count, tree, right = s.n, len(s.active), len(s.tree_calls) > 0, w.right
    copy(s.q, w.q)
    copy(s.v, w.v)
    clear(w.p_q)
    clear(w.p_v)
    if tree:
        find_levers(header)
        call_kernel(s.tree_calls[PLACE], header)
        applied_forces(header, t)
        copy(s.Qx, w.forces_x)
    if tree or count > 0:
        geometry_tangents(header, t, a, lam, Aq, Av)
        geometry(header, t, a, lam, right)
    else:
        clear(Aq)
        clear(Av)
    if saddle_matrix(header) != 0:
        return 1
    force_tangents(header, t, w.X, w.D, Aq, Av, w.p_q, w.p_v, w.forces, s.par.length_scale)
    for by_rate in range(2):
        A, G, P = (Av, w.g_v, w.p_v) if by_rate == 1 else (Aq, w.g_q, w.p_q)
        for j in range(n):
            for i in range(n):
                right[i] = A[i * n + j]
            for p in range(count):
                right[n + p] = G[p * n + j]
            solve_saddle(header, right)
            for i in range(n):
                A[i * n + j] = right[i]
            if len(s.drv_row) > 0:
                for p in range(count):
                    P[j] += s.Phit[s.active[p]] * right[n + p]
    for i in range(n * n):
        if not abs(Aq[i]) < 1e300 or not abs(Av[i]) < 1e300:
            return 1
    return 0
