"""What two right runs may differ by: rounding and tolerances, as far as the motion itself makes them grow.

Every bound has a reason. A run with fixed steps is off by no more than it moves when its step is halved (and its
penalty factor made ten times larger); one that controls its error by its tolerance, once per step; both as far as a
tiny difference of the start grows on the way, which a twin run with another start tells. What they are held against is
itself known only as far as two tight runs, which share neither coordinates nor formulation nor code, agree.

Runs are compared wherever they have samples at the same instants, not at the end alone: samples are what a user gets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from biela.results.result import Result
from biela.system.system import System
from fuzz.sheets import Sheet
from spatial.states import random_velocity, size

ROUNDING = 1e-10
"""share of the motion that two right runs differ by in any case: 1e-12 per position on the constraints, many steps"""
NUDGE = 1e-7
CHAOS = 1e4
"""where a nudge grows by this, ends tell nothing of the methods any more"""
MARGIN = 10.0
"""the factor that the stated error of a good run may be exceeded by"""
COARSE = 0.02
"""a run that moves by more than this when its step is halved says nothing"""


@dataclass(frozen=True)
class Track:
    """Places and velocities of all bodies and points at the samples, in units of the mechanism's size."""

    t: np.ndarray
    x: np.ndarray
    v: np.ndarray

    @property
    def end(self) -> Track:
        return Track(self.t[-1:], self.x[-1:], self.v[-1:])


class Yardstick:
    """The size of a mechanism and the speed of its motion: the same for all runs of it."""

    def __init__(self, system: System, duration: float):
        L = system.size
        bodies, points = len(system.resolved.bodies), len(system.resolved.start)
        self.sheets: dict[int, Sheet] = {}
        start = self.sheet(system).look(system.q0, system.v0)
        wide = (len(start.x) - 12 * bodies) // max(points, 1)
        self.unit = np.array(([L] * 3 + [1.0] * 9) * bodies + [L] * (wide * points))
        self.duration = duration
        self.speed = max(size(start.xd / self.unit), 1.0 / duration)

    def sheet(self, system: System) -> Sheet:
        """How to read bodies and points off a system's variables."""
        if id(system) not in self.sheets:
            self.sheets[id(system)] = Sheet(system)
        return self.sheets[id(system)]

    def track(self, result: Result) -> Track:
        """A run as it is compared."""
        x, v = self.sheet(result.system).follow(result.q, result.v)
        return Track(np.asarray(result.t), x / self.unit, v / self.unit)

    def faster(self, track: Track) -> None:
        """Speeds are compared with the largest one there is."""
        self.speed = max(self.speed, size(track.v))

    def off(self, one: Track, other: Track) -> float:
        """How far two runs are from one another, in sizes and speeds of the mechanism: at all samples, or at the end
        where they have other samples."""
        if len(one.t) != len(other.t) or np.abs(one.t - other.t).max() > 1e-12 * self.duration:
            one, other = one.end, other.end
        return max(size(one.x - other.x), size(one.v - other.v) / self.speed)


def nudged(system: System, seed: int) -> np.ndarray:
    """A starting velocity next to the system's own: its free part changes by NUDGE of its size."""
    free = random_velocity(system, seed) - random_velocity(system, seed + 1)
    return system.v0 + NUDGE * max(size(system.v0), 1e-3) * free / max(size(free), 1e-300)
