"""The time loop, compiled: steps, monitors, samples. Python is entered only between chunks of steps."""

from __future__ import annotations

from math import sqrt

from numba import types

from ..system.arena import call_kernel, unpack
from ..system.calls import PLACE
from ..system.compiled import EVALUATE, HEADER, SETTLE, STEP, compiled
from ..system.forces import kinetic_energy, potential_energy, remember_turns
from ..system.rows import violations
from ..system.state import displace
from ..system.turns import begin_turns, count_body_turns, turns_at_present
from .control import by_energy, by_halves
from .formulations.parameters import (
    BEFORE,
    CONTROL,
    DIRECT,
    ENERGY_SEEN,
    ERROR,
    ERROR_BEFORE,
    FINEST,
    HALVED,
    HISTORY,
    LANDS,
    LOOK,
    NOW,
    ORDER,
    REGULAR,
)
from .formulations.shared import project
from .integrators.interpolation import interpolate
from .integrators.settled import STATE_AT_START, keep_start, settled
from .spare import keep, take_back
from .status import ITERATION, NOT_FINITE, OK, SINGULAR, TOO_SMALL

# places in s.mon
E0, ENERGY_ERROR, VIOLATION, RATE_VIOLATION, KINETIC, POTENTIAL, SINGULAR_AT, REJECTED, STEPS = range(9)

_TABLE = types.Array(types.float64, 2, "C")
_LIST = types.Array(types.float64, 1, "C")
_F, _SETTLE, _STEP = (types.FunctionType(kind) for kind in (EVALUATE, SETTLE, STEP))
_COUNTS = types.UniTuple(types.int64, 2)


@compiled()
def monitor(header, t):
    """Energy and constraint violation of the accepted state (rows are evaluated anew, there)."""
    s = unpack(header)
    kinetic, potential = kinetic_energy(header), potential_energy(header)
    s.mon[KINETIC], s.mon[POTENTIAL] = kinetic, potential
    work = s.y[len(s.y) - 1]
    error = abs(kinetic + potential - s.mon[E0] - work)
    s.ctl[ENERGY_SEEN] = max(s.ctl[ENERGY_SEEN], kinetic + abs(work))
    violation, rate = violations(header, t)
    s.mon[ENERGY_ERROR] = max(s.mon[ENERGY_ERROR], error)
    s.mon[VIOLATION] = max(s.mon[VIOLATION], violation)
    s.mon[RATE_VIOLATION] = max(s.mon[RATE_VIOLATION], rate)
    remember_turns(header)
    count_body_turns(header)
    return OK if abs(error + violation + rate) < 1e300 else NOT_FINITE  # false for nan, too


@compiled()
def crosses_singularity(header, f, settle, t, h, ahead):
    """True if the constraints lose rank within the next step, of length `ahead`.

    The rank margin falls along a straight line towards a singular position. Where that line reaches zero within the
    step, the state is carried there by its Taylor series and the margin is looked at: it must be nearly gone.
    """
    s = unpack(header)
    now, before = s.margin[NOW], s.margin[BEFORE]
    s.margin[BEFORE] = now
    s.margin[REGULAR] = max(s.margin[REGULAR], now)
    if now < 0.0 or before <= now or now > 0.5 * s.margin[REGULAR] or now * h > (before - now) * ahead:
        return False
    tau = h * now / (before - now)
    n, size, k = s.n, len(s.y), s.k
    for i in range(size):
        k[12 * size + i] = s.y[i]
        k[13 * size + i] = s.ydot[i]
    for i in range(n):
        k[11 * size + i] = s.free[i]  # looking ahead must not change the choice of coordinates
        s.w[i] = tau * s.v[i] + 0.5 * tau * tau * s.a[i]
        s.v[i] += tau * s.a[i]
    displace(header, s.w)
    status = settled(header, settle, t + tau)
    if status == OK:
        status = f(header, t + tau)
    gone = status != OK or s.margin[NOW] < 0.2 * now
    for i in range(size):
        s.y[i] = k[12 * size + i]
        s.ydot[i] = k[13 * size + i]
    for i in range(n):
        s.free[i] = int(k[11 * size + i])
    s.margin[NOW] = now
    if gone:
        s.mon[SINGULAR_AT] = t + tau
    return gone


@compiled()
def back_to_start(header, f, t):
    """The last accepted state again, with its own accelerations and multipliers."""
    s = unpack(header)
    size = len(s.y)
    for i in range(size):
        s.y[i] = s.k[STATE_AT_START * size + i]
    for k in range(len(s.lam)):
        s.lam[k] = 0.0  # a step that ran away may have left anything
    s.opt[LOOK] = 1
    f(header, t)


@compiled()
def finer(header, step, f, settle, t, h):
    """A step whose corrector did not converge, again in 2, 4, ... 1024 parts; multistep methods start anew."""
    s = unpack(header)
    size = len(s.y)
    for i in range(size):
        s.y[i] = s.k[STATE_AT_START * size + i]
    for l in range(len(s.lam)):
        s.lam[l] = 0.0
    f(header, t)
    s.opt[HISTORY] = 0
    keep(header)
    status, parts = ITERATION, 1
    while status == ITERATION and parts < 1024:
        parts *= 2
        take_back(header)
        s.mon[REJECTED] += 1
        for part in range(parts):
            status = step(header, f, settle, t + part * h / parts, h / parts)
            if status != OK:
                break
    s.opt[HISTORY] = 0
    s.mon[HALVED] += 1
    s.mon[FINEST] = max(s.mon[FINEST], parts)
    return status


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


@compiled(
    _COUNTS(
        HEADER, _STEP, _F, _SETTLE, types.float64, types.float64, types.int64, types.int64, types.int64,
        types.int64, _LIST, _TABLE, _TABLE, _TABLE, _TABLE,
    )
)  # fmt: skip
def march(header, step, f, settle, t0, h, first, count, total, stride, out_t, out_y, out_ydot, out_lam, out_turns):
    """Fixed steps first+1 ... first+count of `total`; sample row i/stride. Returns (status, steps taken)."""
    s = unpack(header)
    row = first // stride + 1
    due = row * stride  # the step at which the next sample is taken; no division in the loop
    for i in range(first, first + count):
        t = t0 + i * h
        s.opt[LOOK] = i + 1 == due or i + 1 == total
        keep_start(header)
        status = step(header, f, settle, t, h)
        if status == ITERATION:
            status = finer(header, step, f, settle, t, h)
        if status != OK:
            if status == SINGULAR and s.mon[SINGULAR_AT] == 0.0:
                s.mon[SINGULAR_AT] = t + h
            back_to_start(header, f, t)
            return status, i - first
        t = t0 + (i + 1) * h
        status = monitor(header, t)
        if status != OK:
            back_to_start(header, f, t - h)
            return status, i - first
        if i + 1 == due or i + 1 == total:
            store(header, t, row, out_t, out_y, out_ydot, out_lam, out_turns)
            row += 1
            due += stride
        if crosses_singularity(header, f, settle, t, h, h) and i + 1 < total:
            return SINGULAR, i + 1 - first
    return OK, count


@compiled()
def sample_within(header, f, settle, t, h, at):
    """The state at a time within the last step, evaluated there; the work since its start by Simpson's rule."""
    s = unpack(header)
    last = len(s.y) - 1
    work, powers = s.k[8 * len(s.y) + last], s.k[last]
    for half in range(2):
        here = t + 0.5 * (at - t) if half == 0 else at
        interpolate(header, (here - t) / h, h)
        status = settle(header, here) if s.opt[DIRECT] == 0 else project(header, here)
        if status == OK:
            status = f(header, here)
        if status != OK:
            return status
        powers += (4.0 if half == 0 else 1.0) * s.power[0]
    s.y[last] = work + (at - t) / 6.0 * powers
    return OK


@compiled()
def trial(header, step, f, settle, t, h):
    """One step with its error in s.ctl[ERROR]."""
    s = unpack(header)
    if s.opt[CONTROL] == 1:
        return by_halves(header, step, f, settle, t, h)
    if s.opt[CONTROL] == 2:
        return by_energy(header, step, f, settle, t, h)
    return step(header, f, settle, t, h)


@compiled(
    types.UniTuple(types.float64, 4)(
        HEADER, _STEP, _F, _SETTLE, types.float64, types.float64, types.float64, types.float64, types.int64,
        types.int64, _LIST, _TABLE, _TABLE, _TABLE, _TABLE,
    )
)  # fmt: skip
def march_adaptive(
    header, step, f, settle, t, t_end, h, h_max, trials, row, out_t, out_y, out_ydot, out_lam, out_turns
):
    """Error-controlled steps, at most `trials` of them. out_t holds the times at which samples are wanted,
    from `row` on. Returns (status, t, next step, next row)."""
    s = unpack(header)
    size, k, order = len(s.y), s.k, s.ctl[ORDER]
    end = t_end - 1e-13 * (abs(t_end) + h_max)
    for _ in range(trials):
        if t >= end:
            break
        h = min(h, h_max)
        wanted, goal = h, t_end
        if s.opt[LANDS] != 0 and row < len(out_t):
            goal = min(goal, out_t[row])
        last = t + 1.0001 * h >= goal
        if last:
            h = goal - t
        elif s.opt[LANDS] != 0 and t + 2.0 * h > goal:
            h = 0.5 * (goal - t)
        fresh = goal if last else t + h
        status = trial(header, step, f, settle, t, h)
        error = s.ctl[ERROR]
        if status == OK and error <= 1.0:
            status = monitor(header, fresh)
        if status != OK or error > 1.0:
            if s.opt[CONTROL] != 0:
                take_back(header)
            else:
                for i in range(size):
                    s.y[i] = k[8 * size + i]
                    s.ydot[i] = k[i]
                for l in range(len(s.lam)):
                    if not abs(s.lam[l]) < 1e300:
                        s.lam[l] = 0.0
            s.mon[REJECTED] += 1
            h *= 0.25 if status != OK else max(0.1, 0.9 * error ** (-1.0 / order))
            if h < 1e-13 * (abs(t) + h_max):
                if status == SINGULAR:
                    s.mon[SINGULAR_AT] = t
                return (TOO_SMALL if status == OK else status), t, h, row
            continue
        s.mon[STEPS] += 1
        margin = s.margin[NOW]
        if row < len(out_t) and out_t[row] <= fresh:
            for i in range(size):
                k[9 * size + i] = s.y[i]
                k[10 * size + i] = s.ydot[i]
            while row < len(out_t) and out_t[row] <= fresh:
                at = out_t[row]
                if at < fresh:
                    status = sample_within(header, f, settle, t, h, at)
                    if status != OK:
                        return status, t, h, row
                store(header, at, row, out_t, out_y, out_ydot, out_lam, out_turns)
                row += 1
                for i in range(size):
                    s.y[i] = k[9 * size + i]
                    s.ydot[i] = k[10 * size + i]
                if at < fresh and row < len(out_t) and out_t[row] == fresh:
                    f(header, fresh)  # the next sample is the step's end: its own multipliers again
        s.margin[NOW] = margin  # that of the step's end, not of a sample within it
        t = fresh
        # proportional-integral control (Hairer, Norsett & Wanner, II.4)
        before = max(s.ctl[ERROR_BEFORE], 1e-4)
        if s.opt[CONTROL] == 0:
            factor = 0.9 * max(error, 1e-10) ** -0.17 * before**0.04
        else:
            factor = 0.9 * max(error, 1e-10) ** (-0.7 / order) * max(before, 1e-2) ** (0.4 / order)
        ahead = h * min(5.0, max(0.2, factor))
        if h < wanted and factor > 1.0:
            ahead = max(ahead, wanted)  # it was short for the sake of a sample
        falling, now = s.margin[BEFORE] - s.margin[NOW], s.margin[NOW]
        if now > 0.02 * s.margin[REGULAR] and now < 0.5 * s.margin[REGULAR] and falling > 0.0:
            ahead = min(ahead, 0.6 * h * now / falling)  # no leap over a singular position
        if crosses_singularity(header, f, settle, t, h, ahead) and t < end:
            return SINGULAR, t, ahead, row
        h = ahead
        s.ctl[ERROR_BEFORE] = error
    return OK, t, h, row


@compiled(types.int64(HEADER, _F, _SETTLE, types.float64))
def begin(header, f, settle, t):
    """First evaluation: accelerations, multipliers and energy of the initial state."""
    s = unpack(header)
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[PLACE], header)
    remember_turns(header)
    begin_turns(header)
    status = settle(header, t)
    if status == OK:
        status = f(header, t)
    if status != OK:
        return status
    s.mon[E0] = kinetic_energy(header) + potential_energy(header) - s.y[len(s.y) - 1]
    s.margin[BEFORE] = -1.0
    finite = 0.0
    for i in range(len(s.ydot)):
        finite += abs(s.ydot[i])
    return OK if sqrt(finite) < 1e300 else NOT_FINITE


@compiled(types.int64(HEADER, types.float64))
def monitor_here(header, t):
    """`monitor` for a state that Python has set."""
    return monitor(header, t)


@compiled(types.boolean(HEADER, _F, _SETTLE, types.float64, types.float64, types.float64))
def crosses_here(header, f, settle, t, h, ahead):
    """`crosses_singularity` for a time loop that is not compiled."""
    return crosses_singularity(header, f, settle, t, h, ahead)


@compiled(types.void(HEADER, _LIST))
def turns_here(header, out):
    """`turns_at_present` of every body, for a time loop that is not compiled."""
    s = unpack(header)
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[PLACE], header)
    for b in range(len(out)):
        out[b] = turns_at_present(header, b)
