"""Switches that are left to both sides at once, and so hold the mechanism, as dry friction does at rest.   [I.29]"""

from __future__ import annotations

from ...kernels.laws.law import elastic_part, other_part, program_value
from ...kernels.laws.path import strain_at
from ...kernels.laws.program import BLENDED
from ...kernels.laws.sides import LET_BE
from ...kernels.laws.switching import change_side, rounding
from ...machine.array_table import unpack
from ...machine.compiled import compiled

CREEP = 1e-6
"""of the size, in the whole run: how far a mechanism may creep that is held by a switch"""
A_MOMENT = 1e-9
"""part of the run within which a switch that is left at once on both of its sides holds the mechanism"""
CHATTER, A_WHILE = 200, 1e-6
"""so many changes of side within this part of the run: it is left to both sides at once, but for errors of the steps"""


@compiled()
def count_changes(header, t):
    """How often sides have been changed within a moment, and within a short while."""
    s = unpack(header)
    if t - s.switching.changes_since > A_MOMENT * s.switching.duration:
        s.switching.changes_since, s.switching.changes = t, 0.0
    s.switching.changes += 1.0
    if t - s.switching.chatter_since > A_WHILE * s.switching.duration:
        s.switching.chatter_since, s.switching.chatter = t, 0.0
    s.switching.chatter += 1.0
    return s.switching.changes, s.switching.chatter


@compiled()
def can_stick(header, w, t):
    """Whether a switch goes by place or speed: what goes by time alone, or is a piece of a table, holds nothing."""
    s = unpack(header)
    law, p = s.switch_law[w], s.switch_prog[w]
    if p < 0 or s.side[2 * w] == BLENDED:
        return False
    x, v = strain_at(header, law, 1.0, 0.0, 0.0)
    d = program_value(header, p, t, x, v)
    farther = program_value(header, p, t, x + 0.37 * s.par.length_scale, v)
    return farther != d or program_value(header, p, t, x, v + 0.37) != d


@compiled()
def nearby(header):
    """A speed and a distance within which a mechanism counts as held: it creeps no farther than a millionth of its
    size, or of a radian, in the whole run. (What is narrower than the rounding of its speeds holds nothing.)"""
    s = unpack(header)
    size = min(1.0, s.par.length_scale)
    return max(CREEP * size / max(s.switching.duration, 1e-300), s.switching.rate_noise), 0.01 * CREEP * size


@compiled()
def jumps(header, w, t):
    """Whether a law jumps with a switch, or is steep enough there to move the mechanism noticeably in the time of the
    run. (Where it only bends, as with v*abs(v), it is the same on both sides.)"""
    s = unpack(header)
    law, side, (speed, place) = s.switch_law[w], s.side[2 * w], nearby(header)
    x, v = strain_at(header, law, 1.0, 0.0, 0.0)
    s.side[2 * w] = 0.0
    jump = other_part(header, law, t, x + place, v + speed) - other_part(header, law, t, x - place, v - speed)
    jump += elastic_part(header, law, x + place) - elastic_part(header, law, x - place)
    s.side[2 * w] = side
    return not abs(jump) * s.switching.duration**2 <= CREEP * min(1.0, s.par.length_scale) * s.par.mass_scale


@compiled()
def band(header, w, t):
    """The width of a switch over which a mechanism is held."""
    s = unpack(header)
    law, p, (speed, place) = s.switch_law[w], s.switch_prog[w], nearby(header)
    x, v = strain_at(header, law, 1.0, 0.0, 0.0)
    d = program_value(header, p, t, x, v)
    more, less = program_value(header, p, t, x, v + speed), program_value(header, p, t, x, v - speed)
    far, near = program_value(header, p, t, x + place, v), program_value(header, p, t, x - place, v)
    return max(max(abs(more - d), abs(less - d)) + max(abs(far - d), abs(near - d)), 1e-300)


@compiled()
def stick(header, t, which, blend):
    """A switch that is left to both sides at once holds the mechanism where it is, as dry friction does at rest: from
    now on it goes from one side to the other over a narrow band; with fixed steps, by its operands."""
    s = unpack(header)
    s.switching.changes, s.switching.chatter, s.switching.resting_steps = 0.0, 0.0, 0.0
    jump = jumps(header, which, t)
    s.side[2 * which], s.side[2 * which + 1] = 0.0, LET_BE
    if not jump:  # for this step its operands tell; for good where it never leaves rounding, as |v| within one body
        if s.greatest[which] > 1e3 * rounding(header, which, t, 1.0, 0.0):
            s.side[2 * which + 1] = 0.0
        return
    if blend:
        s.side[2 * which + 1] = band(header, which, t)
        s.side[2 * which] = BLENDED
    s.mon.sticking_switch, s.mon.sticking_time = which, t


@compiled()
def turn_now(header, t, which, blend):
    """Another side at the start of a step."""
    s = unpack(header)
    changes, chatter = count_changes(header, t)
    again = s.switching.last_switch == which and changes >= 2.0
    if (again or chatter > CHATTER) and can_stick(header, which, t):
        stick(header, t, which, blend)
    else:
        change_side(header, which, t, 1.0, 0.0)
    s.switching.last_switch = which
