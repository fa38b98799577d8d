"""Velocities and accelerations of the alpha family: from the increment of a step, and from one step to the next."""

from __future__ import annotations

from ....kernels.products import add_scaled, clear, copy, largest
from ....kernels.state import displace
from ....machine.array_table import unpack
from ....machine.compiled import compiled
from ...formulations.shared import finish
from ...loops.step_memory import keep, step_memory, take_back
from ...status import OK


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
    per_way, kept, share = 1.0 / (beta * h * h), 0.5 / beta - 1.0, 1.0 / (1.0 - af)
    for i in range(s.n):
        a = (u[i] - h * v0[i]) * per_way - kept * a0[i]
        s.v[i] = v0[i] + h * ((1.0 - gamma) * a0[i] + gamma * a)
        acc_1[i] = ((1.0 - am) * a + am * a0[i] - af * acc_0[i]) * share


@compiled()
def end_variable(header, h, u, v0):
    """a at the end of the increment u."""
    s, a = unpack(header), variable(header)
    beta = s.par.newmark_beta
    per_way, kept = 1.0 / (beta * h * h), 0.5 / beta - 1.0
    for i in range(s.n):
        a[i] = (u[i] - h * v0[i]) * per_way - kept * a[i]


@compiled()
def end_step(header, h, power, before_power):
    """q' and power of the new state, and the work of the step by the trapezoidal rule."""
    s = unpack(header)
    finish(header, power)
    s.y[len(s.y) - 1] += 0.5 * h * (before_power + s.power[0])
    return OK
