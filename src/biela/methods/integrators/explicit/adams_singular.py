"""How Adams methods pass a singular position with fixed steps: next to it they extrapolate.   [I.25]

On a branch of the motion the derivatives stay smooth where the constraints lose rank, yet an evaluation next to that
place does not find them (see `singular_step`), and a projection there moves the mechanism far for the least violation.
A fixed step cannot be aimed. But the last derivatives, continued by their polynomial, are as good as the method itself.
Where the determinant falls, and an evaluation is off by far more than has been usual, it is the evaluation that is
wrong.
"""

from __future__ import annotations

import numpy as np

from ....kernels.products import clear, copy
from ....machine.array_table import unpack
from ....machine.compiled import compiled

FAR_OFF = 10.0
"""times what is usual"""
FALLS = 0.4
"""logarithm: fall of the determinant in a step before which nothing is beside a singular position"""
FADES = 0.7
"""of what was usual, from step to step"""
_SIX = np.array([6.0, -15.0, 20.0, -15.0, 6.0, -1.0])
_EIGHT = np.array([8.0, -28.0, 56.0, -70.0, 56.0, -28.0, 8.0, -1.0])
"""weights of the polynomial through the last derivatives, one step ahead"""


@compiled()
def extrapolate(header, ring, now, values, out):
    """out = y' a step ahead, from those of the last six or eight steps in the ring."""
    size = len(unpack(header).y)
    w = _EIGHT if values == 8 else _SIX
    clear(out)
    for back in range(0, values, 2):
        a, b = (now - back) % 8 * size, (now - back - 1) % 8 * size
        p, q = w[back], w[back + 1]
        for i in range(size):
            out[i] += p * ring[a + i] + q * ring[b + i]


@compiled()
def is_lost(header, extrapolated, before):
    """Whether the evaluation just made is beside a singular position; the derivatives are then those extrapolated.

    `before`: logarithm of the determinant a step ago. Never twice in a row: that would have another reason.
    """
    s = unpack(header)
    if s.margin.singularity_known == 0.0:  # the formulation does not feel singular positions
        return False
    off, usual = 0.0, s.margin.usual_difference
    for i in range(s.n):
        off = max(off, abs(s.a[i] - extrapolated[s.nq + i]))
    falls = s.run.near_singular != 0 and s.margin.singularity - before > FALLS
    if falls and usual > 0.0 and not off <= FAR_OFF * usual and s.margin.extrapolated == 0.0:
        s.margin.extrapolated = 1.0
        copy(extrapolated, s.ydot)
        return True
    s.margin.extrapolated = 0.0
    s.margin.usual_difference = max(off, FADES * usual)
    return False


@compiled()
def forget(header):
    """At the beginning of a history nothing is usual yet."""
    s = unpack(header)
    s.margin.usual_difference = s.margin.extrapolated = 0.0
