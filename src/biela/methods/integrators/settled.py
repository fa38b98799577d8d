"""The end of a step: back to the constraints, for the formulations that ask for it."""

from __future__ import annotations

from ...kernels.state import normalise
from ...machine.array_table import unpack
from ...machine.compiled import compiled
from ..control.singular_step import is_beside
from ..formulations.parameters import COUNT, EVERY, NEAR, WEAK
from ..status import OK


@compiled()
def settled(header, settle, t):
    """Call the formulation's `settle` only if there is something to do: a call through a pointer is not free."""
    s = unpack(header)
    if len(s.quat_q) > 0:
        normalise(header)
    return settle(header, t) if s.opt[EVERY] != 0 or s.opt[WEAK] != 0 else OK


@compiled()
def settled_from_near(header, settle, t):
    """The same where the last evaluation was at this time, next to this state: its matrices serve."""
    s = unpack(header)
    s.opt[NEAR] = 1
    status = settled(header, settle, t)
    s.opt[NEAR] = 0
    return status


@compiled()
def evaluated(header, f, settle, t):
    """The end of a step: back to the constraints if asked, then accelerations and multipliers of the new state."""
    status = settled(header, settle, t)
    return f(header, t) if status == OK else status


@compiled()
def beside(header, h):
    """Whether a step of length h from here has a singular position near; then stages lie on the constraints, all to the
    last digit, until `away`."""
    s = unpack(header)
    s.opt[NEAR] = -1 if is_beside(header, h) else 0
    return s.opt[NEAR] < 0


@compiled()
def away(header, status):
    """The end of such a step."""
    unpack(header).opt[NEAR] = 0
    return status


@compiled()
def settled_within(header, settle, t):
    """`settled` for a stage beside a singular position: off the constraints its accelerations would be those of no
    motion. It is not counted."""
    s = unpack(header)
    count = s.opt[COUNT]
    s.opt[WEAK] = 1
    status = settled(header, settle, t)
    s.opt[COUNT] = count
    return status


STATE_AT_START = 4
"""vector of s.k where the time loop keeps y_n: multistep methods use it, and a step that fails is taken back"""


@compiled()
def keep_start(header):
    """Remember y_n."""
    s = unpack(header)
    size = len(s.y)
    for i in range(size):
        s.k[STATE_AT_START * size + i] = s.y[i]
