"""The end of a step: back to the constraints, for the formulations that ask for it."""

from __future__ import annotations

from ...kernels.state import normalise
from ...machine.array_table import unpack
from ...machine.compiled import compiled
from ..control.singular_step import is_near_singular
from ..status import OK


@compiled()
def settled(header, settle, t):
    """Call the formulation's `settle` only if there is something to do: a call through a pointer is not free."""
    s = unpack(header)
    if len(s.quat_q) > 0:
        normalise(header)
    return settle(header, t) if s.opt.project_every != 0 or s.run.near_singular != 0 else OK


@compiled()
def settled_from_near(header, settle, t):
    """The same where the last evaluation was at this time, next to this state: its matrices serve."""
    s = unpack(header)
    s.run.projection = 1
    status = settled(header, settle, t)
    s.run.projection = 0
    return status


@compiled()
def evaluated(header, f, settle, t):
    """The end of a step: back to the constraints if asked, then accelerations and multipliers of the new state."""
    status = settled(header, settle, t)
    return f(header, t) if status == OK else status


@compiled()
def begin_near_singular(header, h):
    """Whether a step of length h from here has a singular position near; then stages lie on the constraints, all to the
    last digit, until `end_near_singular`."""
    s = unpack(header)
    s.run.projection = -1 if is_near_singular(header, h) else 0
    return s.run.projection < 0


@compiled()
def end_near_singular(header, status):
    """The end of such a step."""
    unpack(header).run.projection = 0
    return status


@compiled()
def settled_within(header, settle, t):
    """`settled` for a stage beside a singular position: off the constraints its accelerations would be those of no
    motion. It is not counted."""
    s = unpack(header)
    count = s.run.settle_calls
    s.run.near_singular = 1
    status = settled(header, settle, t)
    s.run.settle_calls = count
    return status
