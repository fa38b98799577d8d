"""The end of a step: back to the constraints, for the formulations that ask for it."""

from __future__ import annotations

from ...system.arena import unpack
from ...system.compiled import compiled
from ..formulations.parameters import EVERY
from ..status import OK


@compiled()
def settled(header, settle, t):
    """Call the formulation's `settle` only if there is something to do: a call through a pointer is not free."""
    s = unpack(header)
    return settle(header, t) if s.opt[EVERY] != 0 else OK
