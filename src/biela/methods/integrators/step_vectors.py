"""Vectors as long as y that the time loop, the control of steps and the integrators share: `k`, by name.

What an integrator has of its own lies in the same array, under the names of its own file: in the vectors 1 to 3 and 5
to 7, and with error control in `stages`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernels.products import clear, copy
from ...machine.array_table import unpack
from ...machine.compiled import compiled
from ...machine.scratch import cut


class StepVectors(NamedTuple):
    """Vectors, and their lengths."""

    ydot_0: Any  # y' at the start of an error-controlled step
    own: Any  # three, of the integrator
    y_start: Any  # y at the start of a fixed step: multistep methods use it, and a step that fails is taken back
    more: Any  # three, of the integrator
    y_0: Any  # y at the start of an error-controlled step
    y_1: Any  # y and y' at its end
    ydot_1: Any
    stages: Any  # 21, of the integrator; between steps, of those who look ahead
    slope: Any  # of a polynomial over the step, at a sample
    within: Any  # 13, for samples within the step
    lam_1: Any  # multipliers at the end


@compiled()
def lengths(size):
    """How long the vectors are."""
    return StepVectors(size, 3 * size, size, 3 * size, size, size, size, 21 * size, size, 13 * size, size)


@compiled()
def cut_vectors(header, lengths):
    """Vectors of `k`, from the first number on, under the names of an integrator."""
    k = unpack(header).k
    return cut(k.reshape(k.size), lengths)


@compiled()
def step_vectors(header):
    """The vectors."""
    return cut_vectors(header, lengths(len(unpack(header).y)))


@compiled()
def keep_start(header):
    """Remember y at the start of a fixed step."""
    copy(unpack(header).y, step_vectors(header).y_start)


@compiled()
def start_again(header, f, t, y):
    """The state y at the time t, with its own accelerations and multipliers: a step that ran away may have left
    anything."""
    s = unpack(header)
    copy(y, s.y)
    clear(s.lam)
    return f(header, t)


@compiled()
def keep_end(header):
    """Remember y and y' at the end of a step."""
    s, kept = unpack(header), step_vectors(header)
    copy(s.y, kept.y_1)
    copy(s.ydot, kept.ydot_1)


@compiled()
def restore_end(header):
    """y and y' at the end of the step again."""
    s, kept = unpack(header), step_vectors(header)
    copy(kept.y_1, s.y)
    copy(kept.ydot_1, s.ydot)
