"""What the compiled time loops share: monitors, samples, singular positions. Python is entered only between chunks."""

from __future__ import annotations

from math import sqrt

from ...kernels.calls import PLACE
from ...kernels.forces import kinetic_energy, potential_energy, remember_turns
from ...kernels.laws.path import START, strains
from ...kernels.laws.sides import AHEAD, begin_sides, is_watched, leave
from ...kernels.products import clear, copy
from ...kernels.rows import violations
from ...kernels.state import displace
from ...kernels.turns import begin_turns, count_body_turns, turns_at_present
from ...machine.array_table import call_kernel, unpack
from ...machine.compiled import compiled
from ..formulations.independent_rows import hold_rows
from ..integrators.settled import settled
from ..integrators.step_vectors import restore_start
from ..status import NOT_FINITE, OK

SAVED_CHOICE, SAVED_Y, SAVED_SLOPE = 11, 12, 13
"""rows of s.k: choice of coordinates, y and y', while the state is carried ahead"""


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
    n, k = s.n, s.k
    copy(s.y, k[SAVED_Y])
    copy(s.ydot, k[SAVED_SLOPE])
    for i in range(n):
        k[SAVED_CHOICE, i] = s.free[i]  # looking ahead must not change the choice of coordinates
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
    copy(k[SAVED_Y], s.y)
    copy(k[SAVED_SLOPE], s.ydot)
    for i in range(n):
        s.free[i] = int(k[SAVED_CHOICE, i])
    s.margin.now = now
    if gone:
        s.mon.singular_time = t + tau
    return gone


@compiled()
def back_to_start(header, f, t):
    """The last accepted state again, with its own accelerations and multipliers."""
    s = unpack(header)
    restore_start(header)
    clear(s.lam)  # a step that ran away may have left anything
    s.run.multipliers_wanted = 1
    f(header, t)


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


@compiled()
def begin(header, f, settle, t, lasts):
    """First evaluation: accelerations, multipliers and energy of the initial state; the sides of switches, for a run
    that lasts so long."""
    s = unpack(header)
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[PLACE], header)
    remember_turns(header)
    begin_turns(header)
    status = settle(header, t)
    if status == OK:
        status = f(header, t)
    if status == OK and is_watched(header):
        begin_sides(header, t, AHEAD * lasts)
        s.switching.duration = lasts
        status = f(header, t)
        strains(header, START, 1e5 * AHEAD * lasts)
        leave(header)
    if status != OK:
        return status
    s.mon.initial_energy = kinetic_energy(header) + potential_energy(header) - s.y[len(s.y) - 1]
    s.margin.previous = -1.0
    finite = 0.0
    for i in range(len(s.ydot)):
        finite += abs(s.ydot[i])
    return OK if sqrt(finite) < 1e300 else NOT_FINITE
