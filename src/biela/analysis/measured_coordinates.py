"""Quantities of the user's as coordinates: "crank.angle", "P.x", "J.position", measured with rate and acceleration.

They are read from the channels of a motion, so whatever has a value, a rate and an acceleration there can be one.
"""

from __future__ import annotations

import numpy as np

from ..errors import MethodError, Problem
from ..model.resolve.naming import did_you_mean
from ..results.motion import Motion
from ..system.system import System


def samples(system: System, q: np.ndarray, v: np.ndarray, a: np.ndarray, t: float = 0.0) -> Motion:
    """A motion whose samples are states at one instant."""
    count = len(q)
    return Motion(system, np.full(count, t), q, v, a, np.zeros((count, system.m)), np.zeros(count))


def derivatives_of(motion: Motion, name: str) -> tuple[str, str, str] | None:
    """The channels of a quantity, its rate and its acceleration."""
    head, _, last = name.rpartition(".")
    for found in (
        (name, f"{name}.rate", f"{name}.acceleration"),
        (name, f"{head}.v{last}", f"{head}.a{last}"),
        (name, f"{head}.rate", f"{head}.angular_acceleration"),
    ):
        if (last in ("x", "y", "z") or found[1] != f"{head}.v{last}") and all(x in motion for x in found):
            if found[1] != f"{head}.rate" or last == "angle":
                return found
    return None


class Gauge:
    """Some quantities of a system, as functions of q and v."""

    def __init__(self, system: System, names: list[str], t: float = 0.0):
        self.system, self.names, self.t = system, names, t
        here = Motion.at_start(system)
        found = [derivatives_of(here, name) for name in names]
        problems = []
        for name, channels in zip(names, found, strict=True):
            if channels is None:
                known = [c for c in here.channels() if derivatives_of(here, c) is not None]
                cure = did_you_mean(name, known, "coordinates", most=8)
                problems.append(Problem(f"there is no coordinate {name!r}", where=system.name, cure=cure))
        if problems:
            raise MethodError(problems)
        self.channels = [c for c in found if c is not None]
        self.angular = np.array([here.unit(c[0]) == "rad" for c in self.channels], dtype=bool)
        self.units = [here.unit(c[0]) for c in self.channels]

    def _read(self, q: np.ndarray, v: np.ndarray, a: np.ndarray, order: int) -> np.ndarray:
        motion = samples(self.system, q, v, a, self.t)
        return np.array([np.asarray(motion[c[order]]) for c in self.channels]).reshape(len(self.names), len(q))

    def value(self, q: np.ndarray) -> np.ndarray:
        still = np.zeros((1, self.system.n))
        return self._read(q[None, :], still, still, 0)[:, 0]

    def difference(self, q: np.ndarray, base: np.ndarray) -> np.ndarray:
        """Value at q less that at base; angles within half a turn."""
        still = np.zeros((2, self.system.n))
        both = self._read(np.array([base, q]), still, still, 0)
        out = both[:, 1] - both[:, 0]
        turns = np.round(out / (2 * np.pi))
        return np.where(self.angular, out - 2 * np.pi * turns, out)

    def rows(self, q: np.ndarray) -> np.ndarray:
        """The rates are linear in v."""
        n = self.system.n
        return self._read(np.tile(q, (n, 1)), np.eye(n), np.zeros((n, n)), 1)

    def bias(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The accelerations with v' = 0."""
        return self._read(q[None, :], v[None, :], np.zeros((1, self.system.n)), 2)[:, 0]
