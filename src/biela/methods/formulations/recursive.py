"""Open trees in relative or reference-point coordinates need no multipliers: the articulated-body recursion, O(n)."""

from __future__ import annotations

from ...kernels.tree.articulated import articulated
from ...machine.array_table import unpack
from ...machine.compiled import EVALUATE, SETTLE, compiled
from ..status import NO_INERTIA, OK
from .shared import finish


@compiled(EVALUATE)
def evaluate(header, t):
    """v' of a tree without constraint rows; every formulation is this one then."""
    s = unpack(header)
    bare, power = articulated(header, t)
    if bare != 0:
        return NO_INERTIA
    s.margin.now = 1.0
    finish(header, power)
    return OK


@compiled(SETTLE)
def settle_open(header, t):
    """There is nothing to come back to."""
    return OK
