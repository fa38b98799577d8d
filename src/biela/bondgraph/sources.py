"""How sources change with time: where they jump, and how long a step may be so that no pulse falls between two."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .numeric import Numeric

GRID = 10_000
"""instants at which sources are looked at; what is shorter than the run over this is not seen"""
FEWEST, MOST_JUMPS = 20, 500


@dataclass(frozen=True)
class Pace:
    """What the error control must be told: steps and stretches without jumps."""

    longest: float
    stretches: list[tuple[float, float]]
    """(from, to): integrated one after the other, with a jump of a source between them"""


def pace(numeric: Numeric, duration: float) -> Pace:
    """Look at all sources on a grid. A jump is what is left between neighbours; between jumps straight lines over a
    step must follow every source within a tenth of its range."""
    t = np.linspace(0.0, duration, GRID + 1)
    if numeric.constant:
        return Pace(duration / FEWEST, [(0.0, duration)])
    values = np.array([_inputs(numeric, float(x)) for x in t]).T
    values = np.where(np.isfinite(values), values, 0.0)
    spread = np.ptp(values, axis=1)
    values = values[spread > 0] / spread[spread > 0][:, None]
    if not len(values):
        return Pace(duration / FEWEST, [(0.0, duration)])
    leaps = np.diff(values, axis=1)
    where = np.flatnonzero(np.abs(leaps).max(axis=0) > 0.05)
    stretches = [(0.0, duration)]
    if 0 < len(where) <= MOST_JUMPS:
        stretches, begun = [], 0.0
        for k in where:
            a, b = float(t[k]), float(t[k + 1])
            cut = _located(numeric, a, b)
            if cut is None:  # a steep ramp is a stretch of its own
                stretches += [(begun, a), (a, b)]
                begun = b
            else:
                stretches.append((begun, cut[0]))
                begun = cut[1]
        stretches = [(a, b) for a, b in (*stretches, (begun, duration)) if b > a]
        leaps[:, where] = 0.0
        values = np.concatenate([np.zeros((len(values), 1)), np.cumsum(leaps, axis=1)], axis=1)
    steps = FEWEST
    while steps < GRID:
        knots = np.linspace(0, GRID, steps + 1).round().astype(int)
        if max(np.abs(np.interp(t, t[knots], row[knots]) - row).max() for row in values) < 0.1:
            break
        steps *= 2
    return Pace(duration / min(steps, GRID), stretches)


def _inputs(numeric: Numeric, t: float) -> np.ndarray:
    return np.array(numeric.sources(t), dtype=float)


def _located(numeric: Numeric, a: float, b: float) -> tuple[float, float] | None:
    """The instants just before and after a jump; None where it is only a steep ramp."""
    before, after = _inputs(numeric, a), _inputs(numeric, b)
    size = float(np.abs(after - before).max())
    for _ in range(60):
        middle = 0.5 * (a + b)
        if not a < middle < b:
            break
        here = _inputs(numeric, middle)
        if np.abs(here - before).max() > np.abs(after - here).max():
            b, after = middle, here
        else:
            a, before = middle, here
    return (a, b) if float(np.abs(after - before).max()) > 0.3 * size else None
