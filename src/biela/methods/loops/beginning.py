"""The beginning of a run: its first evaluation."""

from __future__ import annotations

from math import sqrt

from numba import types

from ...kernels.calls import PLACE
from ...kernels.forces import kinetic_energy, potential_energy, remember_turns
from ...kernels.laws.path import START, strains
from ...kernels.laws.sides import AHEAD, begin_sides, is_watched, leave
from ...kernels.turns import begin_turns
from ...machine.addresses import ADDRESS, TIME, evaluate_at, settle_at
from ...machine.array_table import call_kernel, unpack
from ...machine.compiled import HEADER, compiled
from ..status import NOT_FINITE, OK


@compiled()
def begin(header, f, settle, t, lasts):
    """First evaluation: accelerations, multipliers and energy of the initial state; the sides of switches, for a run
    that lasts so long."""
    s = unpack(header)
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[PLACE], header)
    remember_turns(header)
    begin_turns(header)
    status = settle(header, t)
    if status == OK:
        status = f(header, t)
    if status == OK and is_watched(header):
        begin_sides(header, t, AHEAD * lasts)
        s.switching.duration = lasts
        status = f(header, t)
        strains(header, START, 1e5 * AHEAD * lasts)
        leave(header)
    if status != OK:
        return status
    s.mon.initial_energy = kinetic_energy(header) + potential_energy(header) - s.y[len(s.y) - 1]
    s.margin.previous = -1.0
    finite = 0.0
    for i in range(len(s.ydot)):
        finite += abs(s.ydot[i])
    return OK if sqrt(finite) < 1e300 else NOT_FINITE


@compiled(types.int64(HEADER, ADDRESS, ADDRESS, TIME, TIME))
def begin_at(header, f, settle, t, lasts):
    """`begin`, by addresses."""
    return begin(header, evaluate_at(f), settle_at(settle), t, lasts)
