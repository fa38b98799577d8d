"""The sides of switches during a run: chosen at its start, in force while a time loop runs and no longer.

Outside a time loop all laws go by their operands (side 0, piece -1): results, equilibria, kinematics know no sides. The
sides of a run are kept beside, in `side_kept` and `piece_kept`.
"""

from __future__ import annotations

from ...machine.array_table import unpack
from ...machine.compiled import compiled
from ..products import clear, copy
from .law import program_value
from .path import START, strain_at, strains

LET_BE = -1.0
"""in the place of its width: a switch without a side stays without"""
AHEAD = 1e-9
"""of the time of a run: where a difference is zero, its sign so much later counts"""


@compiled()
def is_watched(header):
    """Whether any law switches, bends, or might hide something."""
    s = unpack(header)
    return len(s.switch_law) > 1 or len(s.scan_law) > 0 or len(s.scale_law) > 0


@compiled()
def enter(header):
    """The sides of the run are in force."""
    s = unpack(header)
    copy(s.side_kept, s.side)
    for k in range(len(s.piece)):
        j = s.piece_kept[k]
        s.piece[k] = j if s.tab_ptr[k] <= j < s.tab_ptr[k + 1] else -1


@compiled()
def leave(header):
    """They are kept for the next entry, and laws go by their operands."""
    s = unpack(header)
    for k in range(len(s.side)):
        s.side_kept[k], s.side[k] = s.side[k], 0.0
    for k in range(len(s.piece)):
        s.piece_kept[k], s.piece[k] = s.piece[k], -1


@compiled()
def piece_at(header, k, x):
    """The piece of table k that x lies in."""
    s = unpack(header)
    low, high = s.tab_ptr[k], s.tab_ptr[k + 1]
    while high - low > 1:
        middle = (low + high) // 2
        if s.tab_breaks[middle] <= x:
            low = middle
        else:
            high = middle
    return low


@compiled()
def choose_sides(header, t, ahead):
    """Tell the switches that have no side yet, from the strains at the start of the step: by their difference now, or,
    where it is nothing, a moment later."""
    s = unpack(header)
    for w in range(1, len(s.switch_law)):
        law, p = s.switch_law[w], s.switch_prog[w]
        x, v = strain_at(header, law, 1.0, 0.0, 0.0)
        if p < 0:
            k = -1 - p
            if s.piece[k] < 0:
                s.piece[k] = piece_at(header, k, x + ahead * v if s.law_of_x[law] == 1 else t + 1e-15 * abs(t))
            s.side[2 * w] = 1.0
        elif s.side[2 * w] == 0.0 and s.side[2 * w + 1] != LET_BE:
            d = program_value(header, p, t, x, v)
            if d == 0.0:
                d = program_value(header, p, t + ahead, x + ahead * v, v)
            s.side[2 * w] = 1.0 if d > 0.0 else -1.0 if d < 0.0 else 0.0


@compiled()
def begin_sides(header, t, ahead):
    """At the start of a run; they are left in force."""
    s = unpack(header)
    clear(s.side)
    clear(s.greatest)
    clear(s.scan_most)
    for k in range(len(s.piece)):
        s.piece[k] = -1
    history = s.switching
    history.intended_step = history.duration = history.rate_noise = history.repetitions = 0.0
    history.changes = history.changes_since = history.chatter = history.chatter_since = 0.0
    history.last_switch = history.resting_steps = 0.0
    strains(header, START, 1e5 * ahead)
    choose_sides(header, t, ahead)
