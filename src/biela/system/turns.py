"""Whole turns of the rigid bodies, counted at every step: no sampling, however coarse, can lose one.

The vector of a body's pair of points passes the negative x axis once per turn; a step may turn it by a quarter.
"""

from __future__ import annotations

from .arena import unpack
from .compiled import compiled


@compiled()
def component(header, row):
    """One component of the vector of a body's pair: x of body b in row 2b, y in row 2b + 1."""
    s = unpack(header)
    value = s.head_0[row]
    for e in range(s.head_ptr[row], s.head_ptr[row + 1]):
        value += s.head_c[e] * s.x[s.head_col[e]]
    return value


@compiled()
def begin_turns(header):
    """At the start."""
    s = unpack(header)
    for b in range(len(s.turns)):
        s.head_below[b] = component(header, 2 * b + 1) < 0.0
        s.turns[b] = 0.0


@compiled()
def count_body_turns(header):
    """After an accepted step."""
    s = unpack(header)
    for b in range(len(s.turns)):
        below = component(header, 2 * b + 1) < 0.0
        if below != (s.head_below[b] == 1):
            if component(header, 2 * b) < 0.0:
                s.turns[b] += 1.0 if below else -1.0
            s.head_below[b] = below


@compiled()
def turns_at_present(header, b):
    """Turns of a body at the present state, which lies within a quarter turn before the last accepted one."""
    s = unpack(header)
    below = component(header, 2 * b + 1) < 0.0
    if below == (s.head_below[b] == 1) or component(header, 2 * b) >= 0.0:
        return s.turns[b]
    return s.turns[b] + (1.0 if below else -1.0)
