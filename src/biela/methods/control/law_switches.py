"""Steps that end where laws switch, and steps short enough that no law hides anything within them.   [I.29], [I.30]"""

from __future__ import annotations

from math import sqrt

from ...kernels.laws.hidden import hidden, passed
from ...kernels.laws.law import elastic_part, other_part, program_value
from ...kernels.laws.program import BLENDED
from ...kernels.laws.sides import LET_BE, choose_sides, enter, leave
from ...kernels.laws.switching import (
    AT_ONCE,
    NONE,
    RESTS,
    SPEED_NOISE,
    UNTOLD,
    approach,
    change_side,
    crossing,
    law_value,
    margin,
    next_strains,
    root,
    rounding,
    strain_at,
    strains,
)
from ...machine.array_table import unpack
from ...machine.compiled import compiled
from ..formulations.parameters import DIRECT, ENERGY_SEEN, HIDDEN, HISTORY, HOLDING, HOLDS_AT, MASS, RELATIVE, SIZE
from ..integrators.settled import STATE_AT_START, keep_start
from ..loops.step_memory import keep, take_back
from ..status import ITERATION, OK

CLEAR, AT_END, CUT, AT_START, TOO_LONG = range(5)
"""what is found within a step: nothing; a switch at its end; a switch within; one that is left at once; a law that the
step is too long for"""
AGAIN, PATIENT = 6, 100
"""place in `switching`: how often the present step has been taken again; beyond so often it is taken as it is"""
WANTED, CHANGES, SINCE, LAST, LASTS = range(5)
"""places in `switching`: the step before it was cut; how often sides were changed without getting on, and since when;
the last switch that was left at once; how long the run is"""
FLUTTERED, FLUTTERS_SINCE, RESTED = 7, 8, 9
"""places in `switching`: how often sides were changed within a short while, and since when; in how many tiny steps a
switch has been neither left nor got clear of"""
SHORTEST, DIRECT_SHORTEST = 2e-13, 1e-5
"""to what a switch is located: of the time; of the step, where very short steps are bad ones (index 3)"""
NO_SPEED = 1e-10
"""of the speed of the mechanism: rounding"""
A_TRIFLE, USUAL = 1e-3, 1e-8
"""tolerances of the momentum: an impulse within a step that nobody looks for; the tolerance where none is given"""
CREEP = 1e-6
"""of the size, in the whole run: how far a mechanism may creep that is held by a switch"""
ASTRAY = 1e-4
"""of its greatest margin: a switch that is so far on the other side, by its operands, has been on a wrong one"""
WITHIN = 17
"""parts of a step at whose ends a switch is looked at; a prime, so that no few periods hide between them"""
PATIENCE = 1e-5
"""of the run: shorter steps are taken as they are where too many parts of them are in doubt"""
A_MOMENT = 1e-9
"""part of the run within which a switch that is left at once on both of its sides holds the mechanism"""
FLUTTER, A_WHILE = 200, 1e-6
"""so many changes of side within this part of the run: it is left to both sides at once, but for errors of the steps"""


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
    step: a switch within the condition of another may have been passed at the same instant. They are put right."""
    s = unpack(header)
    found = False
    leave(header)
    for w in range(1, len(s.switch_law)):
        law, p, side = s.switch_law[w], s.switch_prog[w], s.side_kept[2 * w]
        if p >= 0 and abs(side) == 1.0:
            d = law_value(header, p, law, t, h, tau)
            if side * d < -ASTRAY * s.greatest[w] and side * d < -1e3 * rounding(header, w, t, h, tau):
                found = True
                if mend:
                    s.side_kept[2 * w] = -side
    enter(header)
    return found


@compiled()
def look_ahead(header, t, h, scan):
    """(what, when, which switch) is the first thing within a step just taken, from the strains at both its ends."""
    s = unpack(header)
    resolution = SHORTEST * (abs(t) + h) if s.opt[DIRECT] == 0 else max(SHORTEST * abs(t), DIRECT_SHORTEST * h)
    tau, which, untold = h, 0, False
    speed = sqrt(2.0 * s.ctl[ENERGY_SEEN] / s.par[MASS])
    fastest = speed
    for i in range(s.n):  # (no energy has been seen before the end of the first step)
        fastest = max(fastest, min(1.0, s.par[SIZE]) * abs(s.v[i]))
    noise = NO_SPEED * fastest * max(1.0, 1.0 / s.par[SIZE])
    if s.opt[DIRECT] != 0:  # velocities of index 3 are off the constraints, by less and by more in turn
        noise = max(noise, 0.9 * s.switching[SPEED_NOISE])
        for k in range(s.m):
            noise = max(noise, 2.0 * abs(s.Phid[k]) * sqrt(s.weight[k]))
    s.switching[SPEED_NOISE] = noise
    for w in range(1, len(s.switch_law)):
        if s.side[2 * w] == 0.0:
            continue
        a, b = crossing(header, w, t, h, tau)
        if b == AT_ONCE:
            return AT_START, 0.0, w
        if b == RESTS and h < A_WHILE * s.switching[LASTS]:
            s.switching[RESTED] += 1.0
            if s.switching[RESTED] > FLUTTER:  # steps that cannot get on hold it no worse than a narrow band
                s.switching[FLUTTERED], s.switching[FLUTTERS_SINCE] = FLUTTER, t
                return AT_START, 0.0, w
        if b == UNTOLD and scan and h > PATIENCE * s.switching[LASTS]:
            return TOO_LONG, 0.25 * h, 0
        untold = untold or b == UNTOLD
        if b > 0.0:
            tau, which = root(header, w, t, h, a, b), w
    if which > 0:
        if h - tau <= resolution or is_at_end(header, which, t, h, tau):
            return AT_END, h, which
        if tau < resolution:
            return AT_START, 0.0, which
        return CUT, tau, which
    for w in range(1, len(s.switch_law)):
        if s.side[2 * w] != 0.0 and margin(header, w, t, h, h) < 1e-6 * s.greatest[w]:
            end, rate = approach(header, w, t, h)
            noise = rounding(header, w, t, h, h)
            within = max(margin(header, w, t, h, 0.0), margin(header, w, t, h, 0.5 * h))  # (it may begin at one, too)
            if within > noise and end <= max(rate * resolution, noise):
                return AT_END, h, w
    if scan:
        tolerance, mass, size = max(s.ctl[RELATIVE], USUAL), s.par[MASS], min(1.0, s.par[SIZE])
        speed = size * max(speed, 1.0)  # (absolute tolerances are of 1 m/s)
        for q in range(len(s.scan_law)):
            driver = s.law_ddprog[s.scan_law[q]] >= 0
            tau = hidden(header, q, t, h, tolerance, A_TRIFLE * tolerance * speed * (1.0 if driver else mass))
            if tau != NONE:
                return TOO_LONG, min(0.9 * h, max(0.9 * tau, 0.1 * h)), 0
        for l in range(len(s.scale_law)):
            part = passed(header, l, h)
            if part < 1.0:
                return TOO_LONG, max(0.9 * part, 0.1) * h, 0
        if h > PATIENCE * s.switching[LASTS] and astray(header, t, h, h, False):
            return TOO_LONG, 0.25 * h, 0
    if untold:
        s.mon[HIDDEN] += 1.0
    return CLEAR, h, 0


@compiled()
def count_changes(header, t):
    """How often sides have been changed within a moment, and within a short while."""
    s = unpack(header)
    if t - s.switching[SINCE] > A_MOMENT * s.switching[LASTS]:
        s.switching[SINCE], s.switching[CHANGES] = t, 0.0
    s.switching[CHANGES] += 1.0
    if t - s.switching[FLUTTERS_SINCE] > A_WHILE * s.switching[LASTS]:
        s.switching[FLUTTERS_SINCE], s.switching[FLUTTERED] = t, 0.0
    s.switching[FLUTTERED] += 1.0
    return s.switching[CHANGES], s.switching[FLUTTERED]


@compiled()
def can_hold(header, w, t):
    """Whether a switch goes by place or speed: what goes by time alone, or is a piece of a table, holds nothing."""
    s = unpack(header)
    law, p = s.switch_law[w], s.switch_prog[w]
    if p < 0 or s.side[2 * w] == BLENDED:
        return False
    x, v = strain_at(header, law, 1.0, 0.0)
    d = program_value(header, p, t, x, v)
    return program_value(header, p, t, x + 0.37 * s.par[SIZE], v) != d or program_value(header, p, t, x, v + 0.37) != d


@compiled()
def nearby(header):
    """A speed and a distance within which a mechanism counts as held: it creeps no farther than a millionth of its
    size, or of a radian, in the whole run. (What is narrower than the rounding of its speeds holds nothing.)"""
    s = unpack(header)
    size = min(1.0, s.par[SIZE])
    return max(CREEP * size / max(s.switching[LASTS], 1e-300), s.switching[SPEED_NOISE]), 0.01 * CREEP * size


@compiled()
def jumps(header, w, t):
    """Whether a law jumps with a switch, or is steep enough there to move the mechanism noticeably in the time of the
    run. (Where it only bends, as with v*abs(v), it is the same on both sides.)"""
    s = unpack(header)
    law, side, (speed, place) = s.switch_law[w], s.side[2 * w], nearby(header)
    x, v = strain_at(header, law, 1.0, 0.0)
    s.side[2 * w] = 0.0
    jump = other_part(header, law, t, x + place, v + speed) - other_part(header, law, t, x - place, v - speed)
    jump += elastic_part(header, law, x + place) - elastic_part(header, law, x - place)
    s.side[2 * w] = side
    return not abs(jump) * s.switching[LASTS] ** 2 <= CREEP * min(1.0, s.par[SIZE]) * s.par[MASS]


@compiled()
def band(header, w, t):
    """The width of a switch over which a mechanism is held."""
    s = unpack(header)
    law, p, (speed, place) = s.switch_law[w], s.switch_prog[w], nearby(header)
    x, v = strain_at(header, law, 1.0, 0.0)
    d = program_value(header, p, t, x, v)
    more, less = program_value(header, p, t, x, v + speed), program_value(header, p, t, x, v - speed)
    far, near = program_value(header, p, t, x + place, v), program_value(header, p, t, x - place, v)
    return max(max(abs(more - d), abs(less - d)) + max(abs(far - d), abs(near - d)), 1e-300)


@compiled()
def hold(header, t, which, blend):
    """A switch that is left to both sides at once holds the mechanism where it is, as dry friction does at rest: from
    now on it goes from one side to the other over a narrow band; with fixed steps, by its operands."""
    s = unpack(header)
    s.switching[CHANGES], s.switching[FLUTTERED], s.switching[RESTED] = 0.0, 0.0, 0.0
    jump = jumps(header, which, t)
    s.side[2 * which], s.side[2 * which + 1] = 0.0, LET_BE
    if not jump:  # for this step its operands tell; for good where it never leaves rounding, as |v| within one body
        if s.greatest[which] > 1e3 * rounding(header, which, t, 1.0, 0.0):
            s.side[2 * which + 1] = 0.0
        return
    if blend:
        s.side[2 * which + 1] = band(header, which, t)
        s.side[2 * which] = BLENDED
    s.mon[HOLDING], s.mon[HOLDS_AT] = which, t


@compiled()
def turn(header, t, h, which):
    """Other sides from the end of a step on: of this switch, and of all that are left at the same instant."""
    s = unpack(header)
    resolution = SHORTEST * (abs(t) + h) if s.opt[DIRECT] == 0 else max(SHORTEST * abs(t), DIRECT_SHORTEST * h)
    for w in range(1, len(s.switch_law)):
        if s.side[2 * w] == 0.0:
            continue
        end, rate = approach(header, w, t, h)
        if w == which or (end <= 2.0 * max(rate, 0.0) * resolution and rate > 0.0 and end < 1e-3 * s.greatest[w]):
            change_side(header, w, t, h, h)
    next_strains(header)
    choose_sides(header, t + h, 0.0)


@compiled()
def turn_now(header, t, which, blend):
    """Another side at the start of a step."""
    s = unpack(header)
    changes, fluttered = count_changes(header, t)
    again = s.switching[LAST] == which and changes >= 2.0
    if (again or fluttered > FLUTTER) and can_hold(header, which, t):
        hold(header, t, which, blend)
    else:
        change_side(header, which, t, 1.0, 0.0)
    s.switching[LAST] = which


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
    if h >= A_WHILE * s.switching[LASTS]:
        s.switching[RESTED] = 0.0
    if what == AT_END:
        turn(header, t, h, which)
        if count_changes(header, t + h)[1] > FLUTTER and can_hold(header, which, t + h):
            hold(header, t + h, which, blend)
    else:
        next_strains(header)
        choose_sides(header, t + h, 0.0)
    wrong = astray(header, t + h, 1.0, 0.0, True)
    if wrong:
        s.mon[HIDDEN] += 1.0
    if what != AT_END and not wrong:
        return OK
    s.opt[HISTORY] = 0
    return f(header, t + h)


@compiled()
def in_parts(header, step, f, settle, t, h):
    """A fixed step that contains switches, in parts that end there. The state is back at the start of the step, with
    its accelerations; memories of steps before begin anew."""
    s = unpack(header)
    here, part, end, tries = t, h, t + h, 0
    s.opt[HISTORY] = 0
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
        strains(header, True)
        what, tau, which = look_ahead(header, here, part, False)
        if tries > 400:
            what = CLEAR
            s.mon[HIDDEN] += 1.0
        if what == CUT or what == AT_START:
            take_back(header)
            s.opt[HISTORY] = 0
            if what == AT_START:
                turn_now(header, here, which, False)
                status = f(header, here)
                if status != OK:
                    return status
                keep(header)
            else:
                part = tau
            continue
        status = finish_step(header, f, here, part, what, which, False)
        if status == OK and what != AT_END and s.opt[DIRECT] != 0:
            status = f(header, here + part)  # accelerations of index 3 are as uncertain as rounding over part^2
        if status != OK:
            return status
        s.opt[HISTORY] = 0
        here += part
        part = end - here
        keep(header)
        keep_start(header)
    return OK


@compiled()
def through_switches(header, step, f, settle, t, h):
    """After a fixed step: where laws switch within it, the step again in parts. Too long ones for a law are counted."""
    s = unpack(header)
    strains(header, True)
    what, _, which = look_ahead(header, t, h, True)
    if what == TOO_LONG:
        s.mon[HIDDEN] += 1.0
        what = CLEAR
    if what == CLEAR or what == AT_END:
        return finish_step(header, f, t, h, what, which, False)
    size = len(s.y)
    for i in range(size):
        s.y[i] = s.k[STATE_AT_START * size + i]
    for l in range(len(s.lam)):
        s.lam[l] = 0.0
    status = f(header, t)
    return in_parts(header, step, f, settle, t, h) if status == OK else status
