"""Generalized-alpha in the stabilised index-2 form (Gear, Leimkuhler & Gupta 1985; Arnold, Bruls & Cardona 2015).

The scheme of `alpha`, with positions that a second multiplier eta moves besides, so that velocities satisfy their
constraints, too:

    q_1 = q_0 moved by  w + C eta,    M v'_1 + B_1^T lam_1 = Q_1,    Phi_1 = 0,    Phi'_1 = B_1 v_1 + Phi_t = 0

C is B_0^T, each row by its own square. The multipliers start without the transient of the index-3 form.   [D.19]
"""

from __future__ import annotations

from ....kernels.products import add_scaled, clear, largest
from ....kernels.rows import rows
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from .alpha_family import (
    add_rows,
    begin_multipliers,
    begin_step,
    begin_variable,
    end_step,
    equations,
    scale_of,
    write_back,
)
from .newton import SOFT, dense_newton, dense_not_converged, difference_tangent, put_gradients
from .workspace import workspace


@compiled()
def keep_gradients(header, t):
    """C at the start of a step, m x n: its transpose."""
    s, w = unpack(header), workspace(header, 1, 2)
    rows(header, t)
    clear(w.across)
    for k in range(s.m):
        square = 0.0
        for e in range(s.jptr[k], s.jptr[k + 1]):
            square += s.J[e] * s.J[e]
        square = max(square, 1e-8 / s.weight[k])
        for e in range(s.jptr[k], s.jptr[k + 1]):
            w.across[k * s.n + s.jcol[e]] += s.J[e] / square


@compiled()
def times_across(header, eta, out):
    """out = C eta."""
    s, C = unpack(header), workspace(header, 1, 2).across
    for i in range(s.n):
        moved = 0.0
        for k in range(s.m):
            moved += C[k * s.n + i] * eta[k]
        out[i] = moved


@compiled()
def residual(header, t, h, out):
    """(M v' - Q + B^T lam, Phi, h Phi'), the first part scaled; returns the power of the forces without a potential."""
    s, w = unpack(header), workspace(header, 1, 2)
    n, m = s.n, s.m
    times_across(header, w.lam[m:], s.w)
    add_scaled(1.0, w.u[:n], s.w)
    power = equations(header, t, h, 2, s.w, out)
    add_rows(header, 2, out)
    for k in range(m):
        out[n + m + k] = h * s.Phid[k]
    return power


@compiled()
def multiplier_columns(header):
    """Derivatives with respect to lam: gradients of rows."""
    s, w = unpack(header), workspace(header, 1, 2)
    put_gradients(header, 1.0, s.J, w.matrix, s.n + 2 * s.m, 0, s.n)


@compiled()
def difference(header, k):
    """Of eta, the second set: one that moves positions as far as those of increments do."""
    s, C = unpack(header), workspace(header, 1, 2).across
    j = k - s.m
    return 1e-7 * s.par.length_scale / max(1e-300, largest(C[j * s.n : (j + 1) * s.n])) if j >= 0 else 0.0


@compiled()
def soften(header):
    """Rows, and their rates: each beside the multiplier of the other."""
    s, T = unpack(header), workspace(header, 1, 2).matrix
    n, m, N = s.n, s.m, s.n + 2 * s.m
    for k in range(m):
        T[(n + m + k) * N + n + k] -= SOFT / (s.weight[k] * s.par.mass_scale)
        T[(n + k) * N + n + m + k] += SOFT


@compiled()
def move(header):
    """The largest change of a position by a correction of the increments, or of eta."""
    s, w = unpack(header), workspace(header, 1, 2)
    times_across(header, w.change[s.n + s.m :], s.w)
    return max(largest(w.change[: s.n]), largest(s.w[: s.n]))


tangent = difference_tangent(residual, 1, 2, multiplier_columns, difference)
iterate = dense_newton(residual, tangent, 1, 2, soften=soften, move=move)


@compiled(STEP)
def step(header, f, settle, t, h):
    """One step."""
    s = unpack(header)
    begin_variable(header, f, t, h)
    before_power = s.power[0]
    begin_step(header, h, 2)
    begin_multipliers(header, h, 2)
    keep_gradients(header, t)
    converged, power = iterate(header, t, h, workspace(header, 1, 2).residual)
    if not converged:
        return dense_not_converged(header, 1, 2, scale_of(header, h))
    write_back(header, h, 2)
    return end_step(header, h, power, before_power)
