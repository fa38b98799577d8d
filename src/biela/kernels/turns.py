"""Whole turns, counted at every step: no sampling, however coarse, can lose one.

In the plane a vector of each rigid body is watched, in space the sine v.w and the cosine u.w of each angle of a joint.
Such a vector passes the negative x axis once per turn. A step may turn it by a quarter: steps of variable length see to
that, by its rate; steps of a fixed length are the user's.
"""

from __future__ import annotations

from ..machine.array_table import unpack
from ..machine.compiled import compiled


@compiled()
def component(header, row):
    """One component of a watched vector: linear in the variables x."""
    s = unpack(header)
    value = s.head_0[row]
    for e in range(s.head_ptr[row], s.head_ptr[row + 1]):
        value += s.head_c[e] * s.x[s.head_col[e]]
    return value


@compiled()
def watched(header, b):
    """x and y of what is watched: rows 2b, 2b + 1 in the plane; in space u.w and v.w of the rows from 9b on."""
    s = unpack(header)
    if len(s.head_0) == 2 * len(s.turns):
        return component(header, 2 * b), component(header, 2 * b + 1)
    x, y = 0.0, 0.0
    for axis in range(3):
        w = component(header, 9 * b + 6 + axis)
        x += component(header, 9 * b + axis) * w
        y += component(header, 9 * b + 3 + axis) * w
    return x, y


@compiled()
def is_below(header, b):
    """Whether what is watched points below the x axis."""
    s = unpack(header)
    if len(s.head_0) == 2 * len(s.turns):
        return component(header, 2 * b + 1) < 0.0
    return watched(header, b)[1] < 0.0


@compiled()
def begin_turns(header):
    """At the start."""
    s = unpack(header)
    for b in range(len(s.turns)):
        s.head_below[b] = is_below(header, b)
        s.turns[b] = 0.0


@compiled()
def count_body_turns(header):
    """After an accepted step."""
    s = unpack(header)
    for b in range(len(s.turns)):
        below = is_below(header, b)
        if below != (s.head_below[b] == 1):
            if watched(header, b)[0] < 0.0:
                s.turns[b] += 1.0 if below else -1.0
            s.head_below[b] = below


@compiled()
def rate(header, row):
    """Of one component of a watched vector."""
    s = unpack(header)
    value = 0.0
    for e in range(s.head_ptr[row], s.head_ptr[row + 1]):
        value += s.head_c[e] * s.xd[s.head_col[e]]
    return value


@compiled()
def fastest_turn(header):
    """The largest rate, in rad/s, at which what is watched turns."""
    s = unpack(header)
    plane = len(s.head_0) == 2 * len(s.turns)
    fastest = 0.0
    for b in range(len(s.turns)):
        x, y = watched(header, b)
        u, v = 0.0, 0.0
        if plane:
            u, v = rate(header, 2 * b), rate(header, 2 * b + 1)
        else:
            for axis in range(9 * b, 9 * b + 3):
                w, wd = component(header, axis + 6), rate(header, axis + 6)
                u += component(header, axis) * wd + rate(header, axis) * w
                v += component(header, axis + 3) * wd + rate(header, axis + 3) * w
        fastest = max(fastest, abs(x * v - y * u) / max(x * x + y * y, 1e-30))
    return fastest


@compiled()
def turns_at_present(header, b):
    """Turns at the present state, which lies within a quarter turn before the last accepted one."""
    s = unpack(header)
    below = is_below(header, b)
    if below == (s.head_below[b] == 1) or watched(header, b)[0] >= 0.0:
        return s.turns[b]
    return s.turns[b] + (1.0 if below else -1.0)
