"""What the compiled time loops share: monitors, samples, singular positions. Python is entered only between chunks."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernels.calls import PLACE
from ...kernels.forces import kinetic_energy, potential_energy, remember_turns
from ...kernels.laws.sides import enter, is_watched, leave
from ...kernels.products import copy
from ...kernels.rows import violations
from ...kernels.state import displace
from ...kernels.turns import count_body_turns, turns_at_present
from ...machine.array_table import call_kernel, unpack
from ...machine.compiled import compiled
from ...machine.scratch import cut
from ..formulations.independent_rows import hold_rows
from ..integrators.settled import settled
from ..integrators.step_vectors import start_again, step_vectors
from ..status import NOT_FINITE, OK


@compiled()
def monitor_state(header, t):
    """Energy and constraint violation of a state (rows are evaluated anew, there)."""
    s = unpack(header)
    kinetic, potential = kinetic_energy(header), potential_energy(header)
    s.mon.kinetic_energy, s.mon.potential_energy = kinetic, potential
    work = s.y[len(s.y) - 1]
    error = abs(kinetic + potential - s.mon.initial_energy - work)
    s.ctl.largest_energy = max(s.ctl.largest_energy, kinetic + abs(work))
    violation, rate = violations(header, t)
    s.mon.energy_error = max(s.mon.energy_error, error)
    s.mon.violation = max(s.mon.violation, violation)
    s.mon.rate_violation = max(s.mon.rate_violation, rate)
    return OK if abs(error + violation + rate) < 1e300 else NOT_FINITE  # false for nan, too


@compiled()
def monitor_sample(header, t):
    """The same for a sample within a step. What steers the steps is left alone: samples do not change the run."""
    s = unpack(header)
    seen, kinetic, potential = s.ctl.largest_energy, s.mon.kinetic_energy, s.mon.potential_energy
    status = monitor_state(header, t)
    s.ctl.largest_energy, s.mon.kinetic_energy, s.mon.potential_energy = seen, kinetic, potential
    return status


@compiled()
def count(header):
    """Turns up to the accepted state."""
    remember_turns(header)
    count_body_turns(header)


@compiled()
def monitor(header, t):
    """All of that, of the accepted state."""
    status = monitor_state(header, t)
    count(header)
    return status


class Kept(NamedTuple):
    """What looking ahead must not change: vectors among the `stages` of a step, and their lengths."""

    y: Any
    ydot: Any
    free: Any


@compiled()
def crosses_singularity(header, f, settle, t, h, ahead):
    """True if the constraints lose rank within the next step, of length `ahead`.

    The rank margin falls along a straight line towards a singular position. Where that line reaches zero within the
    step, the state is carried there by its Taylor series and the margin is looked at: it must be nearly gone.
    """
    s = unpack(header)
    now, before = s.margin.now, s.margin.previous
    s.margin.previous = now
    s.margin.regular = max(s.margin.regular, now)
    if now < 0.0 or before <= now or now > 0.5 * s.margin.regular or now * h > (before - now) * ahead:
        return False
    tau = h * now / (before - now)
    kept = cut(step_vectors(header).stages, Kept(len(s.y), len(s.y), s.n))
    copy(s.y, kept.y)
    copy(s.ydot, kept.ydot)
    copy(s.free, kept.free)  # looking ahead must not change the choice of coordinates
    for i in range(s.n):
        s.w[i] = tau * s.v[i] + 0.5 * tau * tau * s.a[i]
        s.v[i] += tau * s.a[i]
    displace(header, s.w)
    status = settled(header, settle, t + tau)
    if status == OK:
        status = f(header, t + tau)
    gone = status != OK or s.margin.now < 0.2 * now
    if gone and s.opt.rows_per_step != 0:  # perhaps only these rows fail there: others do not
        hold_rows(header, f, t + tau, True)
        status = f(header, t + tau)
        gone = status != OK or s.margin.now < 0.2 * now
    copy(kept.y, s.y)
    copy(kept.ydot, s.ydot)
    for i in range(s.n):
        s.free[i] = int(kept.free[i])
    s.margin.now = now
    if gone:
        s.mon.singular_time = t + tau
    return gone


@compiled()
def begin_watching(header):
    """Whether laws may switch, or hide something, within steps; then their sides are in force until `end_watching`."""
    watched = is_watched(header)
    if watched:
        enter(header)
    return watched


@compiled()
def end_watching(header, watched):
    """Sides out of force."""
    if watched:
        leave(header)


@compiled()
def back_to_start(header, f, t):
    """The last accepted state again, with its own accelerations and multipliers."""
    unpack(header).run.multipliers_wanted = 1
    start_again(header, f, t, step_vectors(header).y_start)


@compiled()
def store(header, t, row, out_t, out_y, out_ydot, out_lam, out_turns):
    """Write the present state as one sample."""
    s = unpack(header)
    out_t[row] = t
    for i in range(len(s.y)):
        out_y[row, i] = s.y[i]
        out_ydot[row, i] = s.ydot[i]
    for k in range(s.m):
        out_lam[row, k] = s.lam[k]
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[PLACE], header)
    for b in range(len(s.turns)):
        out_turns[row, b] = turns_at_present(header, b)
