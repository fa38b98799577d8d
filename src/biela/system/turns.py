"""Whole turns of the rigid bodies, counted at every step: no sampling, however coarse, can lose one."""

from __future__ import annotations

from .arena import unpack
from .compiled import compiled


@compiled()
def passes_half_turn(x0, y0, x1, y1):
    """+1 (-1) if the vector passes the negative x axis counter-clockwise (clockwise) on its way, else 0."""
    if (y0 < 0.0) == (y1 < 0.0):
        return 0.0
    if x0 * abs(y1) + x1 * abs(y0) >= 0.0:  # it passes the positive x axis
        return 0.0
    return 1.0 if y1 < 0.0 else -1.0


@compiled()
def heading(header, b):
    """The vector of the pair of rigid body b."""
    s = unpack(header)
    x, y = s.head_x0[b], s.head_y0[b]
    for e in range(s.head_ptr[b], s.head_ptr[b + 1]):
        q = s.q[s.head_col[e]]
        x += s.head_cx[e] * q
        y += s.head_cy[e] * q
    return x, y


@compiled()
def count_body_turns(header):
    """After an accepted step."""
    s = unpack(header)
    for b in range(len(s.turns)):
        x, y = heading(header, b)
        s.turns[b] += passes_half_turn(s.head_x[b], s.head_y[b], x, y)
        s.head_x[b] = x
        s.head_y[b] = y


@compiled()
def begin_turns(header):
    """At the start."""
    s = unpack(header)
    for b in range(len(s.turns)):
        s.head_x[b], s.head_y[b] = heading(header, b)
        s.turns[b] = 0.0


@compiled()
def turns_at_present(header, b):
    """Turns of a body at the present state, which lies within half a turn before the last accepted one."""
    s = unpack(header)
    x, y = heading(header, b)
    return s.turns[b] - passes_half_turn(x, y, s.head_x[b], s.head_y[b])
