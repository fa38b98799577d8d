"""The alpha family (Newmark, HHT, generalized-alpha): its constants, its velocities and accelerations from the
increment of a step and from one step to the next, and its equations in any coordinates.   [D.15]-[D.18]"""

from __future__ import annotations

from ....kernels.forces import forces
from ....kernels.products import add_rows_transposed, add_scaled, clear, copy, largest, mass_row
from ....kernels.rows import rows
from ....kernels.state import displace, normalise
from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ...formulations.shared import finish
from ...loops.step_memory import keep, step_memory, take_back
from ...status import OK
from .newton import keep_state, prediction_share
from .workspace import workspace


def alphas(name: str, rho: float) -> tuple[float, float, float, float]:
    """alpha_m, alpha_f, beta, gamma for a spectral radius rho at infinite frequency (Chung & Hulbert 1993).   [D.17]"""
    loss = (1.0 - rho) / (1.0 + rho)
    if name.startswith("generalized-alpha"):
        am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
        gamma = 0.5 + af - am
        return am, af, 0.25 * (gamma + 0.5) ** 2, gamma
    af = loss if name == "hht" else 0.0
    return 0.0, af, 0.25 * (1.0 + loss) ** 2, 0.5 + loss

@compiled()
def scale_of(header, h):
    """What the equations are multiplied by, so that M stands alone in the derivatives."""
    s = unpack(header)
    return s.par.newmark_beta * h * h * (1.0 - s.par.alpha_f) / (1.0 - s.par.alpha_m)


@compiled()
def variable(header):
    """a."""
    return step_memory(header).a


@compiled()
def begin_variable(header, f, t, h):
    """a at the start of a step: v' + (alpha_m - alpha_f) h v'' at first, v'' by a small step ahead; then as it is left,
    but for another step h its distance from v' is another.   [D.18]"""
    s = unpack(header)
    a, late, n = variable(header), s.par.alpha_m - s.par.alpha_f, s.n
    if s.run.history != 0:
        share = h / s.ctl.acceleration_step
        if share != 1.0:
            for i in range(n):
                a[i] = s.a[i] + share * (a[i] - s.a[i])
    else:
        clear(a)
        if late != 0.0:
            keep(header)
            d = 0.01 * h
            for i in range(n):
                s.w[i] = d * s.v[i] + 0.5 * d * d * s.a[i]
                s.v[i] += d * s.a[i]
            displace(header, s.w)
            known = f(header, t + d) == OK
            copy(s.a, s.w)
            take_back(header)
            limit = 0.0
            for i in range(n):
                a[i] = late * h * (s.w[i] - s.a[i]) / d
                limit = max(limit, abs(s.a[i]) + abs(s.v[i]) / h)
            if not known or not largest(a) < 0.5 * limit:  # beside stiff springs v'' says nothing about a step
                clear(a)
        add_scaled(1.0, s.a, a)
        s.run.history = 1
    s.ctl.acceleration_step = h


@compiled()
def end_rates(header, h, u, v0, acc_0, acc_1):
    """v_1 and v'_1 of the increment u."""
    s, a0 = unpack(header), variable(header)
    beta, gamma, am, af = s.par.newmark_beta, s.par.newmark_gamma, s.par.alpha_m, s.par.alpha_f
    per_increment, kept, share = 1.0 / (beta * h * h), 0.5 / beta - 1.0, 1.0 / (1.0 - af)
    for i in range(s.n):
        a = (u[i] - h * v0[i]) * per_increment - kept * a0[i]
        s.v[i] = v0[i] + h * ((1.0 - gamma) * a0[i] + gamma * a)
        acc_1[i] = ((1.0 - am) * a + am * a0[i] - af * acc_0[i]) * share


@compiled()
def end_variable(header, h, u, v0):
    """a at the end of the increment u."""
    s, a = unpack(header), variable(header)
    beta = s.par.newmark_beta
    per_increment, kept = 1.0 / (beta * h * h), 0.5 / beta - 1.0
    for i in range(s.n):
        a[i] = (u[i] - h * v0[i]) * per_increment - kept * a[i]


@compiled()
def begin_step(header, h, sets):
    """Keep q, v and v' at the start of a step, and predict its increment."""
    s, w, a0, share = unpack(header), workspace(header, 1, sets), variable(header), prediction_share(header, h)
    keep_state(header, 1, sets)
    copy(s.a, w.acc_0)
    for i in range(s.n):
        w.u[i] = h * (w.v0[i] + 0.5 * share * h * a0[i])


@compiled()
def move_to_end(header, h, sets, displacement):
    """The position after a displacement; velocities and accelerations at the end of the increment u."""
    s, w = unpack(header), workspace(header, 1, sets)
    copy(w.q0, s.q)
    displace(header, displacement)
    end_rates(header, h, w.u, w.v0, w.acc_0, w.acc_1)


@compiled()
def equations(header, t, h, sets, displacement, out):
    """M v' - Q, scaled, at the end of a displacement; returns the power of the forces without a potential."""
    s, w, scale = unpack(header), workspace(header, 1, sets), scale_of(header, h)
    move_to_end(header, h, sets, displacement)
    rows(header, t + h)
    power = forces(header, t + h)
    for i in range(s.n):
        out[i] = scale * mass_row(header, i, w.acc_1, -s.Q[i])
    return power


@compiled()
def begin_multipliers(header, h, sets):
    """Those of the start, scaled; a second set is zero."""
    s, lam, scale = unpack(header), workspace(header, 1, sets).lam, scale_of(header, h)
    for k in range(s.m):
        lam[k], lam[s.m + k] = scale * s.lam[k], 0.0


@compiled()
def add_rows(header, sets, out):
    """B^T lam, and Phi beneath."""
    s, lam = unpack(header), workspace(header, 1, sets).lam
    add_rows_transposed(header, 1.0, s.J, lam, out)
    for k in range(s.m):
        out[s.n + k] = s.Phi[k]


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
def end_step(header, h, power, before_power):
    """q' and power of the new state, and the work of the step by the trapezoidal rule."""
    s = unpack(header)
    finish(header, power)
    s.y[len(s.y) - 1] += 0.5 * h * (before_power + s.power[0])
    return OK
