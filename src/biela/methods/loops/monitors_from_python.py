"""Monitors for time loops that are not compiled: SciPy's, and the search for events."""

from __future__ import annotations

from numba import types

from ...kernels.calls import PLACE
from ...kernels.laws.path import END, START, next_strains, strains, strains_here
from ...kernels.laws.sides import choose_sides, enter, is_watched, leave
from ...kernels.laws.switching import margin
from ...kernels.turns import turns_at_present
from ...machine.array_table import call_kernel, unpack
from ...machine.compiled import EVALUATE, HEADER, SETTLE, compiled
from ..control.law_switches import first_event, turn
from ..control.sticking import turn_now
from ..control.unseen_switches import passed_unseen
from .monitors import crosses_singularity, monitor, monitor_sample

_F, _SETTLE = types.FunctionType(EVALUATE), types.FunctionType(SETTLE)


@compiled(types.int64(HEADER, types.float64))
def monitor_here(header, t):
    """`monitor` for a state that Python has set."""
    return monitor(header, t)


@compiled(types.int64(HEADER, types.float64))
def monitor_sample_here(header, t):
    """`monitor_sample` for a sample that Python has set."""
    if is_watched(header):
        enter(header)
        if passed_unseen(header, t):
            unpack(header).mon.coarse_steps += 1.0
        leave(header)
    return monitor_sample(header, t)


@compiled(types.boolean(HEADER, _F, _SETTLE, types.float64, types.float64, types.float64))
def crosses_here(header, f, settle, t, h, ahead):
    """`crosses_singularity` for a time loop that is not compiled."""
    return crosses_singularity(header, f, settle, t, h, ahead)


@compiled(types.void(HEADER, types.Array(types.float64, 1, "C")))
def turns_here(header, out):
    """`turns_at_present` of every body, for a time loop that is not compiled."""
    s = unpack(header)
    if len(s.tree_calls) > 0:
        call_kernel(s.tree_calls[PLACE], header)
    for b in range(len(out)):
        out[b] = turns_at_present(header, b)


_FOUND = types.UniTuple(types.float64, 3)


@compiled(types.boolean(HEADER))
def watched_here(header):
    """`is_watched`."""
    return is_watched(header)


@compiled(types.void(HEADER))
def enter_here(header):
    """Sides in force."""
    enter(header)


@compiled(types.void(HEADER))
def leave_here(header):
    """Sides out of force."""
    leave(header)


@compiled(types.void(HEADER))
def strains_within(header):
    """Strains at an instant of a step that Python has taken, for `margin_here`."""
    strains_here(header, END)


@compiled(types.void(HEADER, types.float64))
def strains_at_end_here(header, h):
    """Strains at the end of a step of length h that Python has taken; accelerations have been evaluated there."""
    strains(header, END, h)


@compiled(types.void(HEADER, types.float64))
def strains_at_start_here(header, h):
    """The same at the start of a step, where a side has been changed."""
    strains(header, START, h)


@compiled(_FOUND(HEADER, types.float64, types.float64))
def first_event_here(header, t, h):
    """`first_event`."""
    what, tau, which = first_event(header, t, h, True)
    return float(what), tau, float(which)


@compiled(types.float64(HEADER, types.int64, types.float64, types.float64))
def margin_here(header, which, t, h):
    """Margin of a switch at the end of a step."""
    return margin(header, which, t, h, h)


@compiled(types.void(HEADER, types.int64, types.float64))
def turn_now_here(header, which, t):
    """`turn_now`."""
    turn_now(header, t, which, True)


@compiled(types.void(HEADER, types.int64, types.float64, types.float64))
def finish_here(header, which, t, h):
    """After a step: another side of this switch, if any, and on to the next step."""
    if which > 0:
        turn(header, t, h, which)
    else:
        next_strains(header)
        choose_sides(header, t + h, 0.0)
