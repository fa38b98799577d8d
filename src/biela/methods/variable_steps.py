"""The time loop with error-controlled steps, compiled."""

from __future__ import annotations

from ..system.arena import unpack
from ..system.compiled import HEADER, compiled
from ..system.turns import fastest_turn
from .addresses import ADDRESS, COUNT, PLACES, TABLES, TIME, evaluate_at, settle_at, step_at
from .control import by_energy, by_halves
from .formulations.parameters import (
    AHEAD,
    BEFORE,
    CONTROL,
    DENSE,
    DIRECT,
    ERROR,
    ERROR_BEFORE,
    LANDS,
    NOW,
    ORDER,
    REGULAR,
    SPIN,
    STRONGEST,
    UNAIMED,
    WEAK,
    WEAKEST,
    WEAKNESS,
)  # fmt: skip
from .formulations.shared import project
from .integrators.dopri8 import prepare, sample
from .integrators.interpolation import interpolate
from .leap import FAR, REACH, TOO_NEAR, aimed, is_rounding, keep_distance, keep_multipliers, multipliers_again, seek
from .march import REJECTED, SINGULAR_AT, STEPS, count, crosses_singularity, look, store
from .spare import take_back
from .status import OK, SINGULAR, TOO_SMALL

A_FIFTH, QUARTER, TOO_FAR = 1.25, 1.5, 300.0
"""radians that a body may turn in a step, by its rate at the beginning, and by the mean of both ends: more than a
quarter could be missed; the error of a step that turns farther"""


@compiled()
def sample_within(header, f, settle, t, h, at):
    """The state at a time within the last step, evaluated there; the work since its start by Simpson's rule, unless
    the integrator has a polynomial of its own."""
    s = unpack(header)
    if s.opt[DENSE] != 0:
        return sample(header, f, settle, t, h, at)
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


@compiled(PLACES(HEADER, ADDRESS, ADDRESS, ADDRESS, TIME, TIME, TIME, TIME, COUNT, COUNT, *TABLES))
def march_adaptive(header, step_address, f_address, settle_address, t, t_end, h, h_max, trials, row, out_t, out_y,
                   out_ydot, out_lam, out_turns):  # fmt: skip
    """Error-controlled steps, at most `trials` of them. out_t holds the times at which samples are wanted,
    from `row` on. Returns (status, t, next step, next row)."""
    step, f, settle = step_at(step_address), evaluate_at(f_address), settle_at(settle_address)
    s = unpack(header)
    size, k = len(s.y), s.k
    end = t_end - 1e-13 * (abs(t_end) + h_max)
    for _ in range(trials):
        if t >= end:
            break
        h = min(h, h_max)
        wanted, goal = max(h, s.margin[UNAIMED]), t_end
        if s.opt[LANDS] != 0 and row < len(out_t):
            goal = min(goal, out_t[row])
        last = t + 1.0001 * h >= goal
        if last:
            h = goal - t
        elif s.opt[LANDS] != 0 and t + 2.0 * h > goal:
            h = 0.5 * (goal - t)
        fresh = goal if last else t + h
        weak, strongest, weakest = s.opt[WEAK], s.margin[STRONGEST], s.margin[WEAKEST]
        status = trial(header, step, f, settle, t, h)
        error, order = s.ctl[ERROR], s.ctl[ORDER]
        singular, missed = 1e300, False
        if status == OK and s.opt[CONTROL] == 0 and s.opt[DIRECT] == 0 and is_rounding(header, h, error):
            error = 1.0
        if status == OK and error <= 1.0:
            if s.opt[CONTROL] == 0 and s.opt[DIRECT] == 0:
                singular = seek(header, f, fresh, h, wanted)
                missed = singular < TOO_NEAR * h and s.margin[AHEAD] > FAR * h
                keep_multipliers(header)
            if s.opt[DENSE] != 0 and row < len(out_t) and out_t[row] < fresh and not missed:
                status = prepare(header, f, settle, t, h)
                multipliers_again(header)
            if status == OK and not missed:
                status = look(header, fresh)
                spin = fastest_turn(header)
                if status == OK and 0.5 * (s.margin[SPIN] + spin) * h > QUARTER:
                    error = TOO_FAR
                elif status == OK:
                    s.margin[SPIN] = spin
                    count(header)
        if status != OK or error > 1.0 or missed:
            if s.opt[CONTROL] != 0:
                take_back(header)
            else:
                for i in range(size):
                    s.y[i] = k[8 * size + i]
                    s.ydot[i] = k[i]
                for l in range(len(s.lam)):
                    if not abs(s.lam[l]) < 1e300:
                        s.lam[l] = 0.0
            s.opt[WEAK], s.margin[STRONGEST], s.margin[WEAKEST] = weak, strongest, weakest  # a wild trial says nothing
            s.mon[REJECTED] += 1
            if missed:
                s.margin[AHEAD] = h + singular
            elif status != OK:
                h *= 0.25
            else:
                h *= max(0.1, 0.9 * error ** (-1.0 / order))
            if h > 0.7 * s.margin[UNAIMED]:
                s.margin[UNAIMED] = 0.0
            h = aimed(s.margin[AHEAD], h)
            if h < 1e-13 * (abs(t) + h_max):
                if status == SINGULAR:
                    s.mon[SINGULAR_AT] = t
                return (TOO_SMALL if status == OK else status), t, h, row
            continue
        s.mon[STEPS] += 1
        margin, weak, strongest, weakest = s.margin[NOW], s.opt[WEAK], s.margin[STRONGEST], s.margin[WEAKEST]
        weakness = s.margin[WEAKNESS]
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
                if at < fresh and s.opt[CONTROL] == 0 and s.opt[DIRECT] == 0 and len(s.lam) <= size:
                    multipliers_again(header)
                elif at < fresh and row < len(out_t) and out_t[row] == fresh:
                    f(header, fresh)  # the next sample is the step's end: its own multipliers again
        # those of the step's end, not of a sample within it: the number of samples does not change the run
        s.margin[NOW], s.opt[WEAK], s.margin[STRONGEST], s.margin[WEAKEST] = margin, weak, strongest, weakest
        s.margin[WEAKNESS] = weakness
        t = fresh
        # proportional-integral control (Hairer, Norsett & Wanner, II.4)
        before = max(s.ctl[ERROR_BEFORE], 1e-4)
        if s.opt[CONTROL] == 0:
            factor = 0.9 * max(error, 1e-10) ** (-0.85 / order) * before ** (0.2 / order)
        else:
            factor = 0.9 * max(error, 1e-10) ** (-0.7 / order) * max(before, 1e-2) ** (0.4 / order)
        ahead = h * min(5.0, max(0.2, factor))
        if h < wanted and (factor > 1.0 or s.margin[UNAIMED] > h):
            ahead = max(ahead, wanted)  # it was short for the sake of a sample, or of a leap
        if s.margin[SPIN] * ahead > A_FIFTH:
            ahead = A_FIFTH / s.margin[SPIN]  # turns are counted at the ends of steps
        s.margin[UNAIMED] = 0.0
        if s.opt[CONTROL] == 0 and s.opt[DIRECT] == 0:
            keep_distance(header, h, singular)
            if singular <= REACH * ahead:
                s.margin[UNAIMED] = ahead
                ahead = aimed(singular, ahead)
        falling, now = s.margin[BEFORE] - s.margin[NOW], s.margin[NOW]
        if now > 0.02 * s.margin[REGULAR] and now < 0.5 * s.margin[REGULAR] and falling > 0.0:
            ahead = min(ahead, 0.6 * h * now / falling)  # no leap over a singular position
        if crosses_singularity(header, f, settle, t, h, ahead) and t < end:
            return SINGULAR, t, ahead, row
        h = ahead
        s.ctl[ERROR_BEFORE] = error
    return OK, t, h, row
