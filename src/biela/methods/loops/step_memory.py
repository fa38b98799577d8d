"""Room at the end of `direct` for the start of a step, so that a compiled loop can take a step back."""

from __future__ import annotations

from ...machine.array_table import unpack
from ...machine.compiled import compiled
from ..formulations.parameters import CHOICES, HISTORY, RECHOICES, STEP_OF_A


def spare_room(size: int, multipliers: int, n: int) -> int:
    """Numbers needed: y, y' and another y; the multipliers; the variable a of the alpha family, twice; two more."""
    return 3 * size + multipliers + 2 * n + 2


@compiled()
def spare(header):
    """(y, y', lam and a at the start; a second y; a itself; [history, step of a])."""
    s = unpack(header)
    size, m, n, D = len(s.y), len(s.lam), s.n, s.direct
    a = len(D) - (3 * size + m + 2 * n + 2)
    b = a + 3 * size
    c = b + m
    return (
        D[a : a + size], D[a + size : a + 2 * size], D[b:c], D[c : c + n], D[a + 2 * size : b], D[c + n : c + 2 * n],
        D[c + 2 * n :],
    )  # fmt: skip


@compiled()
def note_choice(header, t):
    """Keep when these independent coordinates were chosen, and which they are: before the rest of the room, n + 1
    numbers each, as long as there is room."""
    s = unpack(header)
    size, most, n, D, which = len(s.y), s.opt[CHOICES], s.n, s.direct, s.opt[RECHOICES]
    if which < most:
        at = len(D) - (3 * size + len(s.lam) + 2 * n + 2) - (most - which) * (n + 1)
        D[at] = t
        for j in range(n):
            D[at + 1 + j] = s.free[j]


@compiled()
def keep(header):
    """Remember the state, its derivatives and multipliers."""
    s = unpack(header)
    y, ydot, lam, a0, _, a, more = spare(header)
    for i in range(len(s.y)):
        y[i] = s.y[i]
        ydot[i] = s.ydot[i]
    for k in range(len(s.lam)):
        lam[k] = s.lam[k]
    for i in range(s.n):
        a0[i] = a[i]
    more[0], more[1] = s.opt[HISTORY], s.ctl[STEP_OF_A]


@compiled()
def take_back(header):
    """The state that was kept, again."""
    s = unpack(header)
    y, ydot, lam, a0, _, a, more = spare(header)
    for i in range(len(s.y)):
        s.y[i] = y[i]
        s.ydot[i] = ydot[i]
    for k in range(len(s.lam)):
        s.lam[k] = lam[k]
    for i in range(s.n):
        a[i] = a0[i]
    s.opt[HISTORY], s.ctl[STEP_OF_A] = int(more[0]), more[1]
