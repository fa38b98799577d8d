"""Room at the end of `direct` for the start of a step, so that a compiled loop can take a step back."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernels.products import copy
from ...machine.array_table import unpack
from ...machine.compiled import compiled
from ...machine.scratch import cut


class StepMemory(NamedTuple):
    """Vectors, and their lengths."""

    y: Any  # the start of a step: y, y', multipliers, the variable a of the alpha family, [history, step of a]
    ydot: Any
    y_whole: Any  # y at the end of a whole step, beside halved ones
    lam: Any
    a_start: Any
    a: Any  # the variable itself
    more: Any


@compiled()
def lengths(size, multipliers, n):
    """How long the vectors are."""
    return StepMemory(size, size, size, multipliers, n, n, 2)


def memory_length(size: int, multipliers: int, n: int) -> int:
    """Numbers needed in all."""
    return sum(lengths.py_func(size, multipliers, n))


@compiled()
def step_memory(header):
    """The vectors, at the end of `direct`."""
    s = unpack(header)
    size, m, n = len(s.y), len(s.lam), s.n
    return cut(s.direct[len(s.direct) - (3 * size + m + 2 * n + 2) :], lengths(size, m, n))


@compiled()
def note_choice(header, t):
    """Keep when these independent coordinates were chosen, and which they are: before the rest of the room, n + 1
    numbers each, as long as there is room."""
    s = unpack(header)
    size, most, n, D, which = len(s.y), s.opt.max_choices, s.n, s.direct, s.run.rechoices
    if which < most:
        at = len(D) - (3 * size + len(s.lam) + 2 * n + 2) - (most - which) * (n + 1)
        D[at] = t
        for j in range(n):
            D[at + 1 + j] = s.free[j]


@compiled()
def keep(header):
    """Remember the state, its derivatives and multipliers."""
    s, memory = unpack(header), step_memory(header)
    copy(s.y, memory.y)
    copy(s.ydot, memory.ydot)
    copy(s.lam, memory.lam)
    copy(memory.a, memory.a_start)
    memory.more[0], memory.more[1] = s.run.history, s.ctl.acceleration_step


@compiled()
def take_back(header):
    """The state that was kept, again."""
    s, memory = unpack(header), step_memory(header)
    copy(memory.y, s.y)
    copy(memory.ydot, s.ydot)
    copy(memory.lam, s.lam)
    copy(memory.a_start, memory.a)
    s.run.history, s.ctl.acceleration_step = int(memory.more[0]), memory.more[1]
