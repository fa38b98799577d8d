"""Reaching the values that a start asks for: at once where the drawing is near, else as the joints allow.

Newton-Raphson sees only the slope. From a bar that is drawn at 0 degrees it finds no way to 180: the straight way there
leads through the pin, and the violation has a saddle on it. So the joints are closed first, as they are drawn, and the
values asked for are approached in small parts, each of them closed; an angle that lies nearly opposite by one way round
or the other.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...methods.positions.closing import Closed, Targets, close
from ...system.system import System
from ..check.mobility import regular_poses
from ..quantities import turns_towards

PARTS = 8, 64
"""into which the approach is divided: few, then many"""
OTHER_STARTS = 2
"""poses beside the drawing that are tried, where the drawing is a dead point of what is asked for"""


def approach(
    system: System, q: np.ndarray, drawn: np.ndarray, targets: Targets | None = None, keep: np.ndarray | None = None
) -> Closed:
    """Positions that satisfy the rows (of `keep`) and the targets, near q; `drawn`: with all coordinates as drawn."""
    closed = close(system, q, 0.0, targets, keep)
    if closed.converged:
        return closed
    targets = targets or Targets.none(system.n)
    keep = np.ones(system.m, dtype=bool) if keep is None else keep
    relations = {j.name for j in system.resolved.joints if j.keeps_start}
    asked = np.array([r.role == "driver" or r.owner in relations for r in system.equations.rows], dtype=bool) & keep
    if not asked.any() and not len(targets.values):
        return closed
    here = close(system, drawn, 0.0, keep=keep & ~asked)
    if not here.converged:
        return closed
    for start in _starts(system, here.q):
        for begin in _either_way(system, start, targets, asked):
            for parts in PARTS:
                found = _in_parts(system, begin, targets, keep, asked, parts)
                if found is not None:
                    return found
    return closed


def _starts(system: System, q: np.ndarray) -> Iterator[np.ndarray]:
    yield q
    if not system.is_large:
        yield from regular_poses(system, q, 0.0, OTHER_STARTS)[1:]


def _either_way(system: System, q: np.ndarray, targets: Targets, asked: np.ndarray) -> Iterator[np.ndarray]:
    """The same pose with whole turns added to the angles asked for, so that each lies within half a turn of its value;
    then, of those more than a quarter away, with one turn more or less: round the other way."""
    q, far = q.copy(), []
    for i in _angles(system, targets, asked):
        q[i] += turns_towards(_missing(system, q, i, targets, asked), 0.0)
        if abs(_missing(system, q, i, targets, asked)) > np.pi / 2:
            far.append(i)
    yield q
    if far:
        other = q.copy()
        for i in far:
            other[i] -= 2 * np.pi * np.sign(_missing(system, q, i, targets, asked))
        yield other


def _angles(system: System, targets: Targets, asked: np.ndarray) -> list[int]:
    """Which angles among the coordinates have values asked of them."""
    found = [system.q_names.index(c) for c in _driven(system, asked).values()]
    for row in targets.rows:
        at = np.flatnonzero(row)
        if len(at) == 1:
            found.append(int(at[0]))
    turning = {c for c in system.equations.carried if system.resolved.coordinates[c].type == "angle"}
    return [i for i in dict.fromkeys(found) if system.q_names[i] in turning]


def _driven(system: System, asked: np.ndarray) -> dict[int, str]:
    """Rows of drivers, and the coordinates among the variables that they drive."""
    of = {d.name: d.coordinate for d in system.resolved.drivers}
    rows = enumerate(system.equations.rows)
    named = {k: of[r.name] for k, r in rows if asked[k] and r.role == "driver" and r.name in of}
    return {k: c for k, c in named.items() if c in system.equations.carried}


def _missing(system: System, q: np.ndarray, i: int, targets: Targets, asked: np.ndarray) -> float:
    """How far a coordinate is from the value asked of it."""
    for row, value in zip(targets.rows, targets.values, strict=True):
        if row[i] and np.count_nonzero(row) == 1:
            return float(q[i] - value / row[i])
    system.look(q)
    return next(float(system.arrays.Phi[k]) for k, c in _driven(system, asked).items() if system.q_names.index(c) == i)


def _in_parts(
    system: System, q: np.ndarray, targets: Targets, keep: np.ndarray, asked: np.ndarray, parts: int
) -> Closed | None:
    """From a pose in which the joints are closed to the values asked for; None if some part of the way is not found."""
    system.look(q)
    open_ = np.where(asked, system.arrays.Phi[: system.m], 0.0)
    gap = targets.rows @ q - targets.values
    closed = None
    for k in range(1, parts + 1):
        left = 1.0 - k / parts
        partly = Targets(targets.rows, targets.values + left * gap)
        closed = close(system, q, 0.0, partly, keep, max_iterations=50, leave=left * open_)
        if not closed.converged:
            return None
        q = closed.q
    return closed
