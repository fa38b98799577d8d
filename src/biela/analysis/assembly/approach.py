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
from ..quantities import is_angular, turns_towards

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
    wanted = _Wanted(system, targets or Targets.none(system.n), keep)
    if not wanted.rows.any() and not len(wanted.targets.values):
        return closed
    here = close(system, drawn, 0.0, keep=wanted.keep & ~wanted.rows)
    if not here.converged:
        return closed
    starts = [here.q] if system.is_large else [here.q, *regular_poses(system, here.q, 0.0, OTHER_STARTS)[1:]]
    for start in starts:
        for begin in wanted.both_directions(start):
            for parts in PARTS:
                found = wanted.reach_in_parts(begin, parts)
                if found is not None:
                    return found
    return closed


class _Wanted:
    """The values that a start asks for: rows of drivers and of relations, and targets."""

    def __init__(self, system: System, targets: Targets, keep: np.ndarray | None):
        self.system, self.targets = system, targets
        self.keep = np.ones(system.m, dtype=bool) if keep is None else keep
        rows, resolved = system.equations.rows, system.resolved
        relations = {j.name for j in resolved.joints if j.keeps_start}
        self.rows = np.array([r.role == "driver" or r.owner in relations for r in rows], dtype=bool) & self.keep
        driven = {d.name: d.coordinate for d in resolved.drivers}
        variables = set(system.equations.carried)
        self.driven = {
            system.q_names.index(driven[r.name]): k
            for k, r in enumerate(rows)
            if self.rows[k] and r.role == "driver" and driven.get(r.name) in variables
        }
        """coordinates among the variables that are driven, and the rows that drive them"""
        self.targeted = {int(np.flatnonzero(x)[0]): k for k, x in enumerate(targets.rows) if np.count_nonzero(x) == 1}
        """coordinates that are targets by themselves, and which"""

    def _missing(self, q: np.ndarray, i: int) -> float:
        """How far a coordinate is from the value asked of it."""
        if i in self.targeted:
            k = self.targeted[i]
            return float(q[i] - self.targets.values[k] / self.targets.rows[k, i])
        self.system.evaluate(q)
        return float(self.system.arrays.Phi[self.driven[i]])

    def both_directions(self, q: np.ndarray) -> Iterator[np.ndarray]:
        """The same pose with whole turns added to the angles asked for, so that each lies within half a turn of its
        value; then, of those more than a quarter away, with one turn more or less: in the other direction."""
        system, q, far = self.system, q.copy(), []
        for i in dict.fromkeys([*self.driven, *self.targeted]):
            if not is_angular(system.resolved, system.q_names[i]):
                continue
            q[i] += turns_towards(self._missing(q, i), 0.0)
            if abs(self._missing(q, i)) > np.pi / 2:
                far.append(i)
        yield q
        if far:
            other = q.copy()
            for i in far:
                other[i] -= 2 * np.pi * np.sign(self._missing(q, i))
            yield other

    def reach_in_parts(self, q: np.ndarray, parts: int) -> Closed | None:
        """From a pose in which the joints are closed to the values asked for; None if some part is not found."""
        system, targets = self.system, self.targets
        system.evaluate(q)
        violation = np.where(self.rows, system.arrays.Phi[: system.m], 0.0)
        gap = targets.rows @ q - targets.values
        closed = None
        for k in range(1, parts + 1):
            left = 1.0 - k / parts
            partly = Targets(targets.rows, targets.values + left * gap)
            closed = close(system, q, 0.0, partly, self.keep, max_iterations=50, leave=left * violation)
            if not closed.converged:
                return None
            q = closed.q
        return closed
