"""Rows of `s.k`, vectors of the size of y, that time loops and integrators share. All other rows are scratch of the
integrator, which has names of its own for them."""

from __future__ import annotations

from ...kernels.products import copy
from ...machine.array_table import unpack
from ...machine.compiled import compiled

SLOPE_START, Y_START = 0, 8
"""y'_n and y_n of an error-controlled step, so that it can be taken back and samples within it found"""
Y_END, SLOPE_END = 9, 10
"""y_{n+1} and y'_{n+1}, while samples within the step are found"""
STATE_AT_START = 4
"""y_n, where the loop with fixed steps keeps it: multistep methods use it, and a step that fails is taken back"""
SAMPLE_SLOPE = 32
"""slope at a sample of the polynomial over the step"""
MULTIPLIERS = 46
"""multipliers at the end of the last step"""


@compiled()
def keep_start(header):
    """Remember y_n of a fixed step."""
    s = unpack(header)
    copy(s.y, s.k[STATE_AT_START])


@compiled()
def restore_start(header):
    """y_n of a fixed step again."""
    s = unpack(header)
    copy(s.k[STATE_AT_START], s.y)


@compiled()
def keep_end(header):
    """Remember y and y' of the end of a step."""
    s = unpack(header)
    copy(s.y, s.k[Y_END])
    copy(s.ydot, s.k[SLOPE_END])


@compiled()
def restore_end(header):
    """y and y' of the end of the step again."""
    s = unpack(header)
    copy(s.k[Y_END], s.y)
    copy(s.k[SLOPE_END], s.ydot)
