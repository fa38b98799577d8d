"""The time loop with error-controlled steps, compiled."""

from __future__ import annotations

from ...kernels.laws.path import START, strains
from ...kernels.products import copy
from ...kernels.turns import fastest_turn
from ...machine.addresses import ADDRESS, COUNT, PLACES, TABLES, TIME, evaluate_at, settle_at, step_at
from ...machine.array_table import unpack
from ...machine.compiled import HEADER, compiled
from ..control.law_switches import (
    AT_END,
    AT_START,
    CLEAR,
    CUT,
    PATIENT,
    TOO_LONG,
    finish_step,
    first_event,
    next_break,
    strains_at_end,
)
from ..control.singular_step import (
    FAR,
    REACH,
    TOO_NEAR,
    again,
    aimed,
    is_rounding,
    keep_distance,
    keep_multipliers,
    multipliers_again,
    time_to_singular,
)  # fmt: skip
from ..control.step_error import by_energy, by_halves
from ..control.sticking import A_WHILE, turn_now
from ..control.unseen_switches import passed_unseen
from ..formulations.independent_rows import hold_rows
from ..integrators.explicit.dopri8 import prepare, sample
from ..integrators.interpolation import prepare_within, sample_between
from ..integrators.step_vectors import step_vectors
from ..status import OK, SINGULAR, TOO_SMALL
from .monitors import begin_watching, count, crosses_singularity, end_watching, monitor_sample, monitor_state, store
from .step_memory import take_back

RESOLVED = 5e-15
"""of the time: the shortest step. A jump within a Python function wants short ones, from rest, and the clock has some
1e-16 of it"""
A_FIFTH, QUARTER, TOO_FAR = 1.25, 1.5, 300.0
"""radians that a body may turn in a step, by its rate at the beginning, and by the mean of both ends: more than a
quarter could be missed; the error of a step that turns farther"""


@compiled()
def sample_within(header, f, settle, t, h, at):
    """The state at a time within the last step, evaluated there, and its energy."""
    s = unpack(header)
    count = s.run.settle_calls
    if s.opt.has_polynomial != 0:
        status = sample(header, f, settle, t, h, at)
    else:
        status = sample_between(header, f, settle, t, h, at)
    s.run.settle_calls = count
    return monitor_sample(header, at) if status == OK else status


@compiled()
def trial(header, step, f, settle, t, h):
    """One step with its error in s.ctl.error."""
    s = unpack(header)
    if s.opt.step_criterion == 1:
        return by_halves(header, step, f, settle, t, h)
    if s.opt.step_criterion == 2:
        return by_energy(header, step, f, settle, t, h)
    return step(header, f, settle, t, h)


@compiled()
def undo(header):
    """The state at the start of the step just tried, with its derivatives; multipliers are finite."""
    s, kept = unpack(header), step_vectors(header)
    if s.opt.step_criterion != 0:
        take_back(header)
        return
    copy(kept.y_0, s.y)
    copy(kept.ydot_0, s.ydot)
    for l in range(len(s.lam)):
        if not abs(s.lam[l]) < 1e300:
            s.lam[l] = 0.0


@compiled()
def steps(header, step, f, settle, t, t_end, h, h_max, trials, row, watched, out_t, out_y, out_ydot, out_lam,
          out_turns):  # fmt: skip
    """The loop itself; `watched`: laws may switch, or hide something, within a step."""
    s, kept = unpack(header), step_vectors(header)
    end = t_end - 1e-13 * (abs(t_end) + h_max)
    if s.opt.rows_per_step != 0 and s.left_out[len(s.active)] == 0:
        hold_rows(header, f, t, True)
    for _ in range(trials):
        if t >= end:
            break
        h = min(h, h_max)
        wanted, goal = max(h, s.margin.intended_step), t_end
        if watched:
            wanted, goal = max(wanted, s.switching.intended_step), next_break(header, t, t_end)
        # held by dry friction, a step may be longer than what happens at its start: samples are ends of steps
        lands = s.opt.steps_end_at_samples != 0 or s.mon.sticking_switch > 0.0
        if lands and row < len(out_t):
            goal = min(goal, out_t[row])
        last = t + 1.0001 * h >= goal
        if last:
            h = goal - t
        elif lands and t + 2.0 * h > goal:
            h = 0.5 * (goal - t)
        fresh = goal if last else t + h
        near = s.run.near_singular
        least, greatest = s.margin.least_singularity, s.margin.greatest_singularity
        status = trial(header, step, f, settle, t, h)
        error, order = s.ctl.error, s.ctl.order
        singular, missed = 1e300, False
        what, cut, which = CLEAR, h, 0
        if status == OK and s.opt.step_criterion == 0 and s.opt.index3 == 0 and is_rounding(header, h, error):
            error = 1.0
        if watched and status == OK and error <= 1.0:
            strains_at_end(header, h)
            what, cut, which = first_event(header, t, h, h > 1e-9 * h_max)
            if what > AT_END:
                s.switching.repetitions += 1.0
                if s.switching.repetitions > PATIENT:  # rounding, as a rule: shorter steps, and at last as it is
                    s.switching.repetitions = 0.0
                    if h > A_WHILE * s.switching.duration:
                        what, cut = TOO_LONG, 0.1 * h
                    else:
                        what = CLEAR
                        s.mon.coarse_steps += 1.0
        if status == OK and error <= 1.0 and what <= AT_END:
            if s.opt.step_criterion == 0 and s.opt.index3 == 0:
                singular = time_to_singular(header, f, fresh, h, wanted)
                missed = singular < TOO_NEAR * h and s.margin.time_to_singular > FAR * h
                keep_multipliers(header)
            if s.opt.has_polynomial != 0 and row < len(out_t) and out_t[row] < fresh and not missed:
                status = prepare(header, f, settle, t, h)
                multipliers_again(header)
            if status == OK and not missed:
                status = monitor_state(header, fresh)
                spin = fastest_turn(header)
                if status == OK and 0.5 * (s.margin.turning_rate + spin) * h > QUARTER:
                    error = TOO_FAR
                elif status == OK:
                    s.margin.turning_rate = spin
                    count(header)
        if status != OK or error > 1.0 or missed or what > AT_END:
            undo(header)
            s.run.near_singular = near  # a wild trial says nothing
            s.margin.least_singularity, s.margin.greatest_singularity = least, greatest
            s.mon.rejected += 1
            if what > AT_END:
                if what == AT_START:
                    turn_now(header, t, which, True)
                    status = f(header, t)
                    if status != OK:
                        return status, t, h, row
                    strains(header, START, h)
                else:
                    s.switching.intended_step = max(s.switching.intended_step, h if what == CUT else 0.0)
                    h = cut
                continue
            if missed:
                s.margin.time_to_singular = h + singular
            elif status != OK:
                h *= 0.25
            if status == OK and not missed:
                h = again(header, h, error, order)
            else:
                if h > 0.7 * s.margin.intended_step:
                    s.margin.intended_step = 0.0
                h = aimed(s.margin.time_to_singular, h)
            if h < RESOLVED * (abs(t) + 1e-2 * h_max):
                if status == SINGULAR:
                    s.mon.singular_time = t
                return (TOO_SMALL if status == OK else status), t, h, row
            continue
        s.mon.steps += 1
        if s.ctl.order < 8.0:
            s.mon.low_order_steps += 1
        margin, near, singularity, unseen = s.margin.now, s.run.near_singular, s.margin.singularity, False
        least, greatest = s.margin.least_singularity, s.margin.greatest_singularity
        if row < len(out_t) and out_t[row] <= fresh:
            copy(s.y, kept.y_1)
            copy(s.ydot, kept.ydot_1)
            if s.opt.has_polynomial == 0 and out_t[row] < fresh:
                status = prepare_within(header, f, settle, t, h)
                if status != OK:
                    undo(header)
                    return status, t, h, row
            while row < len(out_t) and out_t[row] <= fresh:
                at = out_t[row]
                s.ctl.sample_spacing = at - out_t[row - 1] if row > 0 else at - t
                if at < fresh:
                    status = sample_within(header, f, settle, t, h, at)
                    if status != OK:
                        undo(header)
                        return status, t, h, row
                    unseen = unseen or (watched and passed_unseen(header, at))
                store(header, at, row, out_t, out_y, out_ydot, out_lam, out_turns)
                row += 1
                copy(kept.y_1, s.y)
                copy(kept.ydot_1, s.ydot)
                if at < fresh and s.opt.step_criterion == 0 and s.opt.index3 == 0 and len(s.lam) <= len(s.y):
                    multipliers_again(header)
                elif at < fresh and row < len(out_t) and out_t[row] == fresh:
                    f(header, fresh)  # the next sample is the step's end: its own multipliers again
        # those of the step's end, not of a sample within it: the number of samples does not change the run
        s.margin.now, s.run.near_singular, s.margin.singularity = margin, near, singularity
        s.margin.least_singularity, s.margin.greatest_singularity = least, greatest
        if watched:
            s.switching.intended_step, s.switching.repetitions = 0.0, 0.0
            s.mon.coarse_steps += 1.0 if unseen else 0.0
            status = finish_step(header, f, t, h, what, which, True)
            if status != OK:
                undo(header)
                return status, t, h, row
        hold_rows(header, f, fresh, False)
        t = fresh
        # proportional-integral control (Hairer, Norsett & Wanner, II.4)
        before = max(s.ctl.previous_error, 1e-4)
        if s.opt.step_criterion == 0:
            factor = 0.9 * max(error, 1e-10) ** (-0.85 / order) * before ** (0.2 / order)
        else:
            factor = 0.9 * max(error, 1e-10) ** (-0.7 / order) * max(before, 1e-2) ** (0.4 / order)
        ahead = h * min(5.0, max(0.2, factor))
        if h < wanted and (factor > 1.0 or s.margin.intended_step > h):
            ahead = max(ahead, wanted)  # it was short for the sake of a sample, or of a singular position
        if s.margin.turning_rate * ahead > A_FIFTH:
            ahead = A_FIFTH / s.margin.turning_rate  # turns are counted at the ends of steps
        s.margin.intended_step = 0.0
        if s.opt.step_criterion == 0 and s.opt.index3 == 0:
            keep_distance(header, h, singular)
            if singular <= REACH * ahead:
                s.margin.intended_step = ahead
                ahead = aimed(singular, ahead)
        falling, now = s.margin.previous - s.margin.now, s.margin.now
        if now > 0.02 * s.margin.regular and now < 0.5 * s.margin.regular and falling > 0.0:
            ahead = min(ahead, 0.6 * h * now / falling)  # no step over a singular position
        if crosses_singularity(header, f, settle, t, h, ahead) and t < end:
            return SINGULAR, t, ahead, row
        h = ahead
        s.ctl.previous_error = error
    return OK, t, h, row


@compiled(PLACES(HEADER, ADDRESS, ADDRESS, ADDRESS, TIME, TIME, TIME, TIME, COUNT, COUNT, *TABLES))
def march_adaptive(header, step_address, f_address, settle_address, t, t_end, h, h_max, trials, row, out_t, out_y,
                   out_ydot, out_lam, out_turns):  # fmt: skip
    """Error-controlled steps, at most `trials` of them. out_t holds the times at which samples are wanted,
    from `row` on. Returns (status, t, next step, next row)."""
    step, f, settle = step_at(step_address), evaluate_at(f_address), settle_at(settle_address)
    watched = begin_watching(header)
    out = steps(header, step, f, settle, t, t_end, h, h_max, trials, row, watched, out_t, out_y, out_ydot, out_lam,
                out_turns)  # fmt: skip
    end_watching(header, watched)
    return out
