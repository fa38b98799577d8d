"""Monitors for time loops that are not compiled: SciPy's, and the search for events."""

from __future__ import annotations

from numba import types

from ..system.arena import call_kernel, unpack
from ..system.calls import PLACE
from ..system.compiled import EVALUATE, HEADER, SETTLE, compiled
from ..system.turns import turns_at_present
from .march import crosses_singularity, monitor

_F, _SETTLE = types.FunctionType(EVALUATE), types.FunctionType(SETTLE)


@compiled(types.int64(HEADER, types.float64))
def monitor_here(header, t):
    """`monitor` for a state that Python has set."""
    return monitor(header, t)


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
