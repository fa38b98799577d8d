"""Modes: the mechanism with some of its stops reached and some of its locks closed.

Each is the same model with more rows, in the same variables, so a state of one is a state of all. One system holds
the rows of all stops and locks: gaps, their rates and their gradients are read off there, in any coordinates.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from ...errors import MethodError, Problem
from ...model.resolved import ResolvedJoint, ResolvedLock, ResolvedStop
from ...system.system import System
from ..assembly.transfer import rebuilt
from ..check.mobility import mobility


@dataclass(frozen=True)
class Contact:
    """One limit of a stop: its gap is sign times (value - limit)."""

    stop: ResolvedStop
    sign: float
    limit: float

    @property
    def name(self) -> str:
        return self.stop.name

    @property
    def side(self) -> str:
        return "lower" if self.sign > 0 else "upper"

    @property
    def restitution(self) -> float:
        return float(self.stop.restitution)


def contacts_of(stops: tuple[ResolvedStop, ...]) -> list[Contact]:
    """All the limits there are."""
    out = []
    for stop in stops:
        for sign, limit in ((1.0, stop.lower), (-1.0, stop.upper)):
            if limit is not None:
                out.append(Contact(stop, sign, float(limit)))
    return out


def row_names(lock: ResolvedLock) -> list[str]:
    """What the rows of a lock are called."""
    count = len(lock.equations)
    return [lock.name] if count == 1 else [f"{lock.name}.{k + 1}" for k in range(count)]


class Modes:
    """The systems of all modes that a run meets, and the one with all rows."""

    def __init__(self, base: System):
        resolved = base.resolved
        self.base = base
        self.contacts = contacts_of(resolved.stops)
        self.locks = {lock.name: lock for lock in resolved.locks}
        self.joints = {s.name: ResolvedJoint(s.name, "user", equation=s.equation) for s in resolved.stops}
        for lock in resolved.locks:
            for name, equation in zip(row_names(lock), lock.equations, strict=True):
                self.joints[name] = ResolvedJoint(name, "user", equation=equation)
        self.full = self._build(list(self.joints))
        owners = _joint_owners(self.full)
        still = [name for name in self.joints if name not in owners]
        if still:
            problems = [Problem(f"{name!r} speaks of what cannot move", where=resolved.name, cure="remove it")
                        for name in still]  # fmt: skip
            raise MethodError(problems)
        self.row = {name: owners.index(name) for name in self.joints}
        self.own = self.own_rows(self.full)
        """rows of the mechanism itself"""
        self.offset = {name: float(self.full.arrays.c[k]) for name, k in self.row.items()}
        self._cache: dict[frozenset[str], System] = {frozenset(): copy(base)}  # its start changes at every event
        self._ranks: dict[frozenset[str], int] = {}

    def _build(self, names: list[str]) -> System:
        base = self.base
        joints = (*base.resolved.joints, *(self.joints[name] for name in names))
        resolved = replace(base.resolved, joints=joints, stops=(), locks=())
        low = base.equations
        system = rebuilt(base, resolved, [c for c in resolved.coordinates if c in low.carried or c in low.variables])
        assert system.q_names == base.q_names
        system.notes = []
        return system

    def at(self, closed: dict[str, float], q: np.ndarray, t: float) -> System:
        """The system in which these rows hold, each at its value."""
        key = frozenset(closed)
        if key not in self._cache:
            system = self._closed_at(self._build([name for name in self.joints if name in closed]), closed)
            system.q0 = q.copy()
            system.rank = mobility(system, q, t).rank
            self._cache[key] = system
        return self._closed_at(self._cache[key], closed)

    def _closed_at(self, system: System, closed: dict[str, float]) -> System:
        """Each of the closed rows at its value."""
        for name, value in closed.items():
            system.arrays.c[self.place(system, name)] = self.offset[name] - value
        return system

    def rank(self, names: list[str], q: np.ndarray, t: float) -> int:
        """Independent rows of the mechanism with these rows of stops and locks."""
        key = frozenset(names)
        if key not in self._ranks:
            if key not in self._cache:
                values = self.full.at(q, None, t).Phi
                self.at({name: float(values[self.row[name]]) for name in names}, q, t)
            self._ranks[key] = self._cache[key].rank
        return self._ranks[key]

    def fresh(self, closed: dict[str, float]) -> System:
        """A system of its own for these rows, at these values."""
        system = self._closed_at(self._build([name for name in self.joints if name in closed]), closed)
        key = frozenset(closed)
        system.rank = self._cache[key].rank if key in self._cache else -1
        return system

    @property
    def systems(self) -> list[System]:
        """All that there are by now."""
        return [*self._cache.values(), self.full]

    def place(self, system: System, name: str) -> int:
        """Where the row of a stop or a lock is, in a mode."""
        return _joint_owners(system).index(name)

    def own_rows(self, system: System) -> np.ndarray:
        """Rows of the mechanism itself, in a mode."""
        owners = _joint_owners(system)
        return np.array([k for k, owner in enumerate(owners) if owner not in self.joints], dtype=int)


def _joint_owners(system: System) -> list[str]:
    """The joint that each row belongs to; nothing of other rows."""
    return [row.owner if row.role == "joint" else "" for row in system.equations.rows]
