"""Drivers whose laws jump or have a kink: velocities that change at once take infinite forces, and no effort shows
them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...kernels.calls_from_python import law_at
from ...system.system import System

GRID, PEAKS = 2000, 6
"""parts of the time at which laws are looked at; how many of the sharpest bends are looked at more closely"""
FINER, ROUNDS = 8, 5
"""how much closer each time, and how often: to 1e-8 of the time"""
SHARP = 0.3
"""of the change of velocity over a part of the grid that must be left over the shortest: what is smooth loses all"""
NOTICEABLE = 1e-6
"""of the largest velocity: a smaller change is none"""


Law = Callable[[np.ndarray], np.ndarray]


class Jump(NamedTuple):
    """A driver that jumps."""

    driver: str
    t: float
    velocity: float
    """by which it changes there"""
    place: float
    """by which the coordinate itself jumps; 0 at a kink"""

    @property
    def what(self) -> str:
        """In words."""
        if self.place:
            return f"jumps by {self.place:.4g} at t = {self.t:.6g} s, which nothing can follow"
        return f"has a kink at t = {self.t:.6g} s: its velocity changes by {self.velocity:.4g} at once"


def driver_jumps(system: System, start: float, end: float) -> list[Jump]:
    """Jumps and kinks of all drivers with formulas that switch, or tables, in a time."""
    s, rows, header = system.arrays, system.equations.rows, system.header
    bends = set(s.switch_law[1:].tolist())
    out: list[Jump] = []
    for row, law in zip(s.drv_row.tolist(), s.drv_law.tolist(), strict=True):
        if law in bends and end > start:

            def value(t: np.ndarray, law: int = law) -> np.ndarray:
                return np.array([law_at(header, law, x, 0.0, 0.0) for x in t.tolist()])

            out += [Jump(rows[row].name, *found) for found in _sharp_bends(value, start, end)]
    return out


def _sharp_bends(value: Law, start: float, end: float) -> list[tuple[float, float, float]]:
    """(when, change of velocity, jump) of a law wherever its slope jumps."""
    h = (end - start) / GRID
    t = np.linspace(start, end, GRID + 1)
    f = value(t)
    if not np.isfinite(f).all():
        return []
    bent = np.pad(np.diff(f, 2) / h, 2, mode="edge")
    bent = np.abs(bent[2:-2] - 0.5 * (bent[:-4] + bent[4:]))  # beside what the law does before and after
    fastest = float(np.abs(np.diff(f)).max(initial=0.0)) / h
    out: list[tuple[float, float, float]] = []
    for k in np.argsort(bent)[::-1][:PEAKS]:
        if bent[k] <= NOTICEABLE * fastest:
            break
        found = _closer(value, float(t[k + 1]), h, float(bent[k]))
        if found is None or not start + 1e-3 * h < found[0] < end - 1e-3 * h:
            continue
        if all(abs(found[0] - other[0]) > 2 * h for other in out):
            out.append(found)
    return sorted(out)


def _closer(value: Law, at: float, h: float, coarse: float) -> tuple[float, float, float] | None:
    """The sharpest bend near a time, looked at more and more closely; None where it turns out to be smooth."""
    change = coarse
    for _ in range(ROUNDS):
        h /= FINER
        t = at + h * np.arange(-2 * FINER, 2 * FINER + 1)
        bends = np.diff(value(t), 2) / h
        k = int(np.argmax(np.abs(bends)))
        at, change = float(t[k + 1]), float(bends[k])
    if abs(change) < SHARP * coarse:
        return None
    f = value(at + h * np.array([-3.0, -2.0, 2.0, 3.0]))
    if abs(change) > 1e3 * coarse:  # (what jumps seems the faster, the closer it is looked at)
        return at, 0.0, float(f[2] - f[1])
    return at, float(f[3] - f[2] - f[1] + f[0]) / h, 0.0


def notes_on_jumps(system: System, start: float, end: float) -> list[str]:
    """What is to be said of them."""
    out = []
    for jump in driver_jumps(system, start, end):
        cure = 'step(t, ...) in place of it, or a table with interpolation = "cubic", gives it a time'
        out.append(f"note: the law of driver {jump.driver!r} {jump.what}. No effort shows such a blow; {cure}")
    return out
