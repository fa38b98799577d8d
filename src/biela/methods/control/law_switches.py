"""Steps that end where laws switch, and steps short enough that no law hides anything within them.   [I.29], [I.30]"""

from __future__ import annotations

from math import sqrt

from ...kernels.laws.hidden import hidden, passed
from ...kernels.laws.path import END, START, next_strains, strains, without_accelerations
from ...kernels.laws.sides import choose_sides, enter, leave
from ...kernels.laws.switching import (
    AT_ONCE,
    DOUBT,
    NONE,
    RESTS,
    UNTOLD,
    approach,
    change_side,
    crossing,
    law_value,
    margin,
    root,
    rounding,
)
from ...machine.array_table import unpack
from ...machine.compiled import compiled
from ..integrators.step_vectors import keep_start, start_again, step_vectors
from ..loops.step_memory import keep, take_back
from ..status import ITERATION, OK
from .sticking import A_WHILE, CHATTER, can_stick, count_changes, stick, turn_now

CLEAR, AT_END, CUT, AT_START, TOO_LONG, UNSURE = range(6)
"""what is found within a step: nothing; a switch at its end; a switch within; one that is left at once; a law that the
step is too long for; a switch that may be left by what is not known of the way within so long a step"""
PATIENT = 100
"""a step that has been taken again so often is taken as it is"""
SHORTEST, DIRECT_SHORTEST = 2e-13, 1e-5
"""to what a switch is located: of the time; of the step, where very short steps are bad ones (index 3)"""
NO_SPEED = 1e-10
"""of the speed of the mechanism: rounding"""
A_TRIFLE, USUAL = 1e-3, 1e-8
"""tolerances of the momentum: an impulse within a step that nobody looks for; the tolerance where none is given"""
ENOUGH = 0.1
"""tolerances of the size: a strain is known well enough, as the steps themselves are no better"""
ASTRAY = 1e-4
"""of its greatest margin: a switch that is so far on the other side, by its operands, has been on a wrong one"""
WITHIN = 17
"""parts of a step at whose ends a switch is looked at; a prime, so that no few periods hide between them"""
PATIENCE = 1e-5
"""of the run: shorter steps are taken as they are where too many parts of them are in doubt"""


@compiled()
def is_at_end(header, w, t, h, tau):
    """Whether a switch that is left after the time tau of a step is at its end, but for rounding. One that is there at
    the start as well must be clear of it all the way: a step may be as long as some periods of a sine."""
    noise = rounding(header, w, t, h, h)
    if abs(margin(header, w, t, h, h)) > noise:
        return False
    if h - tau <= 1e-3 * h:
        return True
    if margin(header, w, t, h, 0.0) > 1e6 * noise:
        return False
    for k in range(1, WITHIN):
        if margin(header, w, t, h, h * k / WITHIN) <= noise:
            return False
    return True


@compiled()
def astray(header, t, h, tau, mend):
    """Whether switches are, by their operands, far on another side than the run takes them for, after the time tau of a
    step: a switch within the condition of another may have been passed at the same instant. `mend`: they are put
    right."""
    s = unpack(header)
    found = False
    leave(header)
    for w in range(1, len(s.switch_law)):
        law, p, side = s.switch_law[w], s.switch_prog[w], s.side_kept[2 * w]
        if p >= 0 and abs(side) == 1.0:
            d = law_value(header, p, law, t, h, tau, 0.0)
            if side * d < -ASTRAY * s.greatest[w] and side * d < -1e3 * rounding(header, w, t, h, tau):
                found = True
                if mend:
                    s.side_kept[2 * w] = -side
    enter(header)
    return found


@compiled()
def strains_at_end(header, h):
    """Strains where a step has ended."""
    strains(header, END, h)
    if unpack(header).opt.index3 != 0:
        without_accelerations(header, h)


@compiled()
def accuracy(header):
    """The tolerance, and how far a strain may be off that nobody asks about."""
    s = unpack(header)
    tolerance = s.ctl.relative_tolerance if s.ctl.relative_tolerance > 0.0 else USUAL
    return tolerance, ENOUGH * tolerance * min(1.0, s.par.length_scale)


@compiled()
def note_noise(header):
    """What is rounding of a rate; and the speed of the mechanism."""
    s = unpack(header)
    speed = sqrt(2.0 * s.ctl.largest_energy / s.par.mass_scale)
    fastest = speed
    for i in range(s.n):  # (no energy has been seen before the end of the first step)
        fastest = max(fastest, min(1.0, s.par.length_scale) * abs(s.v[i]))
    noise = NO_SPEED * fastest * max(1.0, 1.0 / s.par.length_scale)
    if s.opt.index3 != 0:  # velocities of index 3 are off the constraints, by less and by more in turn
        noise = max(noise, 0.9 * s.switching.rate_noise)
        for k in range(s.m):
            noise = max(noise, 2.0 * abs(s.Phid[k]) * sqrt(s.weight[k]))
    s.switching.rate_noise = noise
    return speed


@compiled()
def first_event(header, t, h, scan):
    """(what, when, which switch) is the first thing within a step just taken, from the strains at both its ends."""
    s = unpack(header)
    speed = note_noise(header)
    what, tau, which = first_switch(header, t, h, scan)
    if scan and (what == CLEAR or what == AT_END):
        part = short_enough(header, t, h, speed)
        if part < h:
            return TOO_LONG, part, 0
        if what == CLEAR and h > PATIENCE * s.switching.duration and astray(header, t, h, h, False):
            return TOO_LONG, 0.25 * h, 0
    return what, tau, which


@compiled()
def first_switch(header, t, h, scan):
    """The same of switches alone; `scan`: where too many parts of the step are in doubt it is too long."""
    s = unpack(header)
    resolution = SHORTEST * (abs(t) + h) if s.opt.index3 == 0 else max(SHORTEST * abs(t), DIRECT_SHORTEST * h)
    tau, which, untold, unsure = h, 0, False, False
    enough = accuracy(header)[1]
    for w in range(1, len(s.switch_law)):
        if s.side[2 * w] == 0.0:
            continue
        a, b = crossing(header, w, t, h, tau, enough)
        if b == AT_ONCE:
            return AT_START, 0.0, w
        if b == RESTS and h < A_WHILE * s.switching.duration:
            s.switching.resting_steps += 1.0
            if s.switching.resting_steps > CHATTER:  # steps that cannot get on hold it no worse than a narrow band
                s.switching.chatter, s.switching.chatter_since = CHATTER, t
                return AT_START, 0.0, w
        if b == UNTOLD and scan and h > PATIENCE * s.switching.duration:
            return TOO_LONG, 0.25 * h, 0
        untold = untold or b == UNTOLD
        unsure = unsure or b == DOUBT
        if b > 0.0:
            tau, which = root(header, w, t, h, a, b), w
    if which > 0:
        at_end = h - tau <= resolution or is_at_end(header, which, t, h, tau)
        if tau < resolution and not at_end:
            return AT_START, 0.0, which
        if not at_end:
            return CUT, tau, which
        tau = h
    if unsure:
        return UNSURE, 0.5 * h, 0
    if which > 0:
        return AT_END, h, which
    for w in range(1, len(s.switch_law)):
        if s.side[2 * w] != 0.0 and margin(header, w, t, h, h) < 1e-6 * s.greatest[w]:
            end, rate = approach(header, w, t, h)
            noise = rounding(header, w, t, h, h)
            within = max(margin(header, w, t, h, 0.0), margin(header, w, t, h, 0.5 * h))  # (it may begin at one, too)
            if within > noise and end <= max(rate * resolution, noise):
                return AT_END, h, w
    if untold:
        s.mon.coarse_steps += 1.0
    return CLEAR, h, 0


@compiled()
def short_enough(header, t, h, speed):
    """A part of a step that hides less of what a law does; all of it where it hides nothing."""
    s = unpack(header)
    tolerance, enough = accuracy(header)
    tolerance, mass, size = max(tolerance, USUAL), s.par.mass_scale, min(1.0, s.par.length_scale)
    speed = size * max(speed, 1.0)  # (absolute tolerances are of 1 m/s)
    for q in range(len(s.scan_law)):
        driver = s.law_ddprog[s.scan_law[q]] >= 0
        negligible = A_TRIFLE * tolerance * speed * (1.0 if driver else mass)
        tau = hidden(header, q, t, h, tolerance, negligible, enough)
        if tau != NONE:
            return min(0.9 * h, max(0.9 * tau, 0.1 * h))
    for l in range(len(s.scale_law)):
        part = passed(header, l, h)
        if part < 1.0:
            return max(0.9 * part, 0.1) * h
    return h


@compiled()
def turn(header, t, h, which):
    """Other sides from the end of a step on: of this switch, and of all that are left at the same instant."""
    s = unpack(header)
    resolution = SHORTEST * (abs(t) + h) if s.opt.index3 == 0 else max(SHORTEST * abs(t), DIRECT_SHORTEST * h)
    for w in range(1, len(s.switch_law)):
        if s.side[2 * w] == 0.0:
            continue
        end, rate = approach(header, w, t, h)
        if w == which or (end <= 2.0 * max(rate, 0.0) * resolution and rate > 0.0 and end < 1e-3 * s.greatest[w]):
            change_side(header, w, t, h, h)
    next_strains(header)
    choose_sides(header, t + h, 0.0)


@compiled()
def next_break(header, t, goal):
    """The next knot of a table of time before the goal, else the goal."""
    s = unpack(header)
    for w in range(1, len(s.switch_law)):
        law, k = s.switch_law[w], -1 - s.switch_prog[w]
        if k >= 0 and s.law_of_x[law] == 0 and s.piece[k] < s.tab_ptr[k + 1] - 1:
            at = s.tab_breaks[s.piece[k] + 1]
            if at > t and at < goal:
                goal = at
    return goal


@compiled()
def finish_step(header, f, t, h, what, which, blend):
    """After an accepted step: new sides where it ended at a switch, and the accelerations there."""
    s = unpack(header)
    if h >= A_WHILE * s.switching.duration:
        s.switching.resting_steps = 0.0
    if what == AT_END:
        turn(header, t, h, which)
        if count_changes(header, t + h)[1] > CHATTER and can_stick(header, which, t + h):
            stick(header, t + h, which, blend)
    else:
        next_strains(header)
        choose_sides(header, t + h, 0.0)
    wrong = astray(header, t + h, 1.0, 0.0, True)
    if wrong:
        s.mon.coarse_steps += 1.0
    if what != AT_END and not wrong:
        return OK
    s.run.history = 0
    status = f(header, t + h)
    strains(header, START, h)
    return status


@compiled()
def first_event_fixed(header, t, h):
    """`first_event` for fixed steps: too long ones for a law are counted, and taken as they are."""
    s = unpack(header)
    before = s.mon.coarse_steps
    what, tau, which = first_event(header, t, h, True)
    if what == TOO_LONG:
        what, tau, which = first_event(header, t, h, False)
        s.mon.coarse_steps = before + 1.0
    return what, tau, which


@compiled()
def in_parts(header, step, f, settle, t, h):
    """A fixed step that contains switches, in parts that end there. The state is back at the start of the step, with
    its accelerations; memories of steps before begin anew."""
    s = unpack(header)
    here, part, end, tries = t, h, t + h, 0
    s.run.history = 0
    keep(header)
    keep_start(header)
    while end - here > 1e-12 * h:
        part = min(part, end - here)
        tries += 1
        status = step(header, f, settle, here, part)
        if status == ITERATION and tries < 200:
            take_back(header)
            part *= 0.5
            continue
        if status != OK:
            return status
        strains_at_end(header, part)
        what, tau, which = first_event_fixed(header, here, part)
        if tries > 400:
            what = CLEAR
            s.mon.coarse_steps += 1.0
        if what > AT_END:
            take_back(header)
            s.run.history = 0
            if what == AT_START:
                turn_now(header, here, which, False)
                status = f(header, here)
                if status != OK:
                    return status
                strains(header, START, part)
                keep(header)
            else:
                part = tau
            continue
        status = finish_step(header, f, here, part, what, which, False)
        if status == OK and what != AT_END and s.opt.index3 != 0:
            status = f(header, here + part)  # accelerations of index 3 are as uncertain as rounding over part^2
        if status != OK:
            return status
        s.run.history = 0
        here += part
        part = end - here
        keep(header)
        keep_start(header)
    return OK


@compiled()
def through_switches(header, step, f, settle, t, h):
    """After a fixed step: where laws switch within it, the step again in parts."""
    s = unpack(header)
    strains_at_end(header, h)
    before = s.mon.coarse_steps
    what, _, which = first_event_fixed(header, t, h)
    if what == CLEAR or what == AT_END:
        return finish_step(header, f, t, h, what, which, False)
    s.mon.coarse_steps = before  # (its parts will be counted)
    status = start_again(header, f, t, step_vectors(header).y_start)
    return in_parts(header, step, f, settle, t, h) if status == OK else status
