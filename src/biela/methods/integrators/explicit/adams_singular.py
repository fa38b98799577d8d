"""How Adams methods pass a singular position with fixed steps: next to it they believe what they foresee.   [I.25]

On a branch of the motion the derivatives stay smooth where the constraints lose rank, yet an evaluation next to that
place does not find them (see `leap`), and a projection there moves the mechanism far for the least violation. A fixed
step cannot be aimed. But the last derivatives, continued by their polynomial, are as good as the method itself. Where
the determinant falls, and an evaluation is off by far more than has been usual, it is the evaluation that is wrong.
"""

from __future__ import annotations

import numpy as np

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
def foresee(header, ring, now, values, at):
    """y' a step ahead, from those of the last six or eight steps, into vector `at` of s.k."""
    s = unpack(header)
    size, k = len(s.y), s.k
    w = _EIGHT if values == 8 else _SIX
    to = at * size
    for i in range(size):
        k[to + i] = 0.0
    for back in range(0, values, 2):
        a, b = (ring + (now - back) % 8) * size, (ring + (now - back - 1) % 8) * size
        p, q = w[back], w[back + 1]
        for i in range(size):
            k[to + i] += p * k[a + i] + q * k[b + i]


@compiled()
def _off_by(header, at):
    """The largest difference of the accelerations from those foreseen."""
    s = unpack(header)
    off, first = 0.0, at * len(s.y) + s.nq
    for i in range(s.n):
        off = max(off, abs(s.a[i] - s.k[first + i]))
    return off


@compiled()
def is_lost(header, at, before):
    """Whether the evaluation just made is beside a singular position; the derivatives are then those foreseen.

    `before`: logarithm of the determinant a step ago. Never twice in a row: that would have another reason.
    """
    s = unpack(header)
    if s.margin.singularity_known == 0.0:  # the formulation does not feel singular positions
        return False
    off, usual = _off_by(header, at), s.margin.usual_difference
    falls = s.run.near_singular != 0 and s.margin.singularity - before > FALLS
    if falls and usual > 0.0 and not off <= FAR_OFF * usual and s.margin.extrapolated == 0.0:
        s.margin.extrapolated = 1.0
        for i in range(len(s.y)):
            s.ydot[i] = s.k[at * len(s.y) + i]
        return True
    s.margin.extrapolated = 0.0
    s.margin.usual_difference = max(off, FADES * usual)
    return False


@compiled()
def forget(header):
    """At the beginning of a history nothing is usual yet."""
    s = unpack(header)
    s.margin.usual_difference = s.margin.extrapolated = 0.0
