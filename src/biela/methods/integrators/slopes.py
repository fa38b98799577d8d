"""The state within a step from slopes within it: a polynomial as good as the step.

Any interpolation of the step gives states at a few instants of it, an order less accurate than its ends. The equations
there give slopes y' that are as accurate as these states, and integrating them gains the order back (Enright, Jackson,
Norsett & Thomsen, ACM Trans. Math. Softw. 12 (1986) 193-218): the polynomial through y at both ends, and y' at both
ends and at these instants. It holds for all of y, the work among it.   [I.14]
"""

from __future__ import annotations

import numpy as np

from ...kernels.products import clear
from ...kernels.state import normalise
from ...machine.array_table import unpack
from ...machine.compiled import compiled
from .step_vectors import SAMPLE_SLOPE, SLOPE_END, SLOPE_START, Y_END, Y_START

THIRDS = np.array([0.0, 1 / 3, 2 / 3, 1.0])
SEVEN = np.array([0.0, 0.1, 0.35, 0.45, 0.8, 0.9, 1.0])
"""instants for steps of order five, and eight. (Seven that lie alike on both sides of the middle tell nothing of the
way between the ends: their quadrature is too good.)"""


def _rates(nodes: np.ndarray) -> np.ndarray:
    """Coefficients, from the constant on: y'/y'_i of the cubic (sextic, ...) through the slopes, then a polynomial that
    vanishes at all of them and moves on by one over the step."""
    P = np.polynomial.polynomial
    out = np.zeros((len(nodes) + 1, len(nodes) + 1))
    for i, c in enumerate(nodes):
        others = np.delete(nodes, i)
        out[i, :-1] = P.polyfromroots(others) / np.prod(c - others)
    whole = P.polyfromroots(nodes)
    out[-1] = whole / P.polyval(1.0, P.polyint(whole))
    return out


def _ways(rates: np.ndarray) -> np.ndarray:
    """Their integrals from 0."""
    return np.array([np.polynomial.polynomial.polyint(row) for row in rates])


_RATES_3, _RATES_7 = _rates(THIRDS), _rates(SEVEN)
_WAYS_3, _WAYS_7 = _ways(_RATES_3), _ways(_RATES_7)


@compiled()
def value(table, row, x):
    """One of these polynomials."""
    out = 0.0
    for j in range(table.shape[1] - 1, -1, -1):
        out = out * x + table[row, j]
    return out


@compiled()
def along_slopes(header, x, h, first, seven):
    """y at t_n + x h, and the polynomial's own slope there in row SAMPLE_SLOPE of s.k, from y and y' at both ends and
    those y' between them that are from row `first` on."""
    s = unpack(header)
    size, k, sample = len(s.y), s.k, s.k[SAMPLE_SLOPE]
    rates, ways = (_RATES_7, _WAYS_7) if seven else (_RATES_3, _WAYS_3)
    last = len(rates) - 2
    clear(s.y)
    clear(sample)
    turn, way, whole = value(rates, last + 1, x), value(ways, last + 1, x), 0.0
    for j in range(last + 1):
        l, w, whole = value(rates, j, x), value(ways, j, x), value(ways, j, 1.0)
        slope = k[SLOPE_START if j == 0 else SLOPE_END if j == last else first + j - 1]
        for i in range(size):
            sample[i] += (l - whole * turn) * slope[i]
            s.y[i] += (w - whole * way) * slope[i]
    for i in range(size):
        moved = k[Y_END, i] - k[Y_START, i]
        s.y[i] = k[Y_START, i] + h * s.y[i] + way * moved
        sample[i] += turn * moved / h
    if len(s.quat_q) > 0:
        normalise(header)


@compiled()
def note_defect(header, at):
    """By how much the polynomial over a step misses the equations at a sample: over the time between samples that is
    velocity, and work, that the step did not see, as where a force is shorter than it."""
    s = unpack(header)
    size, apart, slope = len(s.y), s.ctl.sample_spacing, s.k[SAMPLE_SLOPE]
    worst = 0.0
    for i in range(size - 1 - s.n, size - 1):
        worst = max(worst, abs(s.ydot[i] - slope[i]))
    s.mon.missed_speed += apart * worst
    s.mon.missed_work += apart * (s.ydot[size - 1] - slope[size - 1])
    if apart * worst > s.mon.most_missed_speed:
        s.mon.most_missed_speed, s.mon.most_missed_time = apart * worst, at
