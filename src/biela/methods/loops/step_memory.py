"""The start of a step, at the end of `direct`, so that a compiled loop can take a step back; and before it the choices
of independent coordinates."""

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


def step_memory_length(size: int, multipliers: int, n: int) -> int:
    """Numbers needed in all."""
    return sum(lengths.py_func(size, multipliers, n))


@compiled()
def memory_begins(header):
    """Where in `direct` the memory begins."""
    s = unpack(header)
    return len(s.direct) - sum(lengths(len(s.y), len(s.lam), s.n))


@compiled()
def step_memory(header):
    """The vectors."""
    s = unpack(header)
    return cut(s.direct[memory_begins(header) :], lengths(len(s.y), len(s.lam), s.n))


@compiled()
def note_choice(header, t):
    """Keep when these independent coordinates were chosen, and which they are: n + 1 numbers for each choice, of so
    many as are kept."""
    s = unpack(header)
    most, n, which = s.opt.max_choices, s.n, s.run.rechoices
    if which < most:
        at = memory_begins(header) - (most - which) * (n + 1)
        s.direct[at] = t
        copy(s.free, s.direct[at + 1 :])


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
