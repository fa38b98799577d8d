"""Newmark, HHT and generalized-alpha for the index-3 equations, in any coordinates (Arnold & Bruls 2007; on turning
coordinates Bruls, Cardona & Arnold 2012).

    q_1 = q_0 moved by  w = h v_0 + h^2 ((1/2 - beta) a_0 + beta a_1)        v_1 = v_0 + h ((1 - gamma) a_0 + gamma a_1)
    (1 - alpha_m) a_1 + alpha_m a_0 = (1 - alpha_f) v'_1 + alpha_f v'_0      M v'_1 + B^T lam_1 = Q_1,   Phi_1 = 0

a is a variable of the scheme beside v', namely v' a little later or earlier: a = v' + (alpha_m - alpha_f) h v'' + ...
It starts as that, and follows where the step changes. With alpha_m = alpha_f = 0 the scheme is Newmark's method, with
alpha_m = 0 that of Hilber, Hughes & Taylor.   [D.15]-[D.18]
"""

from __future__ import annotations

from ....kernels.forces import forces
from ....kernels.products import add_rows_transposed, copy, mass_row
from ....kernels.rows import rows
from ....kernels.state import displace, normalise
from ....machine.array_table import unpack
from ....machine.compiled import STEP, compiled
from ...formulations.shared import project
from ...status import OK
from ..settled import settled
from .alpha_natural import step_natural
from .alpha_rates import begin_variable, end_rates, end_step, end_variable, scale_of, variable
from .newton import dense_newton, difference_tangent, not_converged, prediction_share
from .workspace import workspace


@compiled()
def begin_step(header, h, sets):
    """Keep q, v and v' at the start of a step, and predict its unknowns."""
    s, w = unpack(header), workspace(header, 1, sets)
    n, a0, share, scale = s.n, variable(header), prediction_share(header, h), scale_of(header, h)
    copy(s.q, w.q0)
    copy(s.v, w.v0)
    copy(s.a, w.acc_0)
    for i in range(n):
        w.u[i] = h * w.v0[i] + 0.5 * share * h * h * a0[i]
        w.u[n + i] = 0.0
    for k in range(s.m):
        w.lam[k], w.lam[s.m + k] = scale * s.lam[k], 0.0


@compiled()
def equations(header, t, h, sets, out):
    """(M v' - Q + B^T lam, Phi), the first part scaled, where the second half of u moves positions alone; returns the
    power of the forces without a potential."""
    s, w, scale = unpack(header), workspace(header, 1, sets), scale_of(header, h)
    n = s.n
    copy(w.q0, s.q)
    for i in range(n):
        s.w[i] = w.u[i] + w.u[n + i]
    displace(header, s.w)
    end_rates(header, h, w.u, w.v0, w.acc_0, w.acc_1)
    rows(header, t + h)
    power = forces(header, t + h)
    for i in range(n):
        out[i] = scale * mass_row(header, i, w.acc_1, -s.Q[i])
    add_rows_transposed(header, 1.0, s.J, w.lam, out)
    for k in range(s.m):
        out[n + k] = s.Phi[k]
    return power


@compiled()
def write_back(header, h, sets):
    """Accelerations and multipliers of a step that has converged."""
    s, w, scale = unpack(header), workspace(header, 1, sets), scale_of(header, h)
    end_variable(header, h, w.u, w.v0)
    copy(w.acc_1, s.a)
    for k in range(s.m):
        s.lam[k] = w.lam[k] / scale
    if len(s.quat_q) > 0:
        normalise(header)


@compiled()
def residual(header, t, h, out):
    """`equations`."""
    return equations(header, t, h, 1, out)


iterate = dense_newton(residual, difference_tangent(residual, 1, 1), 1, 1)


@compiled(STEP)
def step(header, f, settle, t, h):
    """One step. Velocities and positions are put back on the constraints if that was asked for."""
    s = unpack(header)
    begin_variable(header, f, t, h)
    if len(s.tree_calls) == 0:
        return step_natural(header, settle, t, h, False)
    before_power = s.power[0]
    begin_step(header, h, 1)
    converged, power = iterate(header, t, h, workspace(header, 1, 1).residual)
    if not converged:
        return not_converged(header, 1, 1, scale_of(header, h))
    write_back(header, h, 1)
    if s.opt.project_every != 0:
        status = settled(header, settle, t + h)
        if status != OK:
            return status
    return end_step(header, h, power, before_power)


@compiled(STEP)
def step_projected(header, f, settle, t, h):
    """The same with velocities and accelerations projected at every step, in the metric of M (Bayo & Ledesma 1996,
    Cuadrado, Cardenal & Bayo 1997): those of the constraints' own surfaces."""
    s = unpack(header)
    if len(s.tree_calls) == 0:
        begin_variable(header, f, t, h)
        return step_natural(header, settle, t, h, True)
    status = step(header, f, settle, t, h)
    if status != OK:
        return status
    status = project(header, t + h)
    if status != OK:
        return status
    status = f(header, t + h)
    copy(s.a, variable(header))
    return status
