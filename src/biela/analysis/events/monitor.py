"""What is monitored during a run: each event is a number that is negative once it has happened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...kernels.calls_from_python import law_at
from ...methods.loops.stepper import Sample
from ...methods.positions.impulse import Free, contact_forces
from ...model import expression as ex
from ...model.resolved import Moment
from ...system.system import Point
from .conditions import Reader, Readings, first_true
from .modes import Modes
from .moving_limits import FormulaLimit, SampledLimit
from .paths import cubic, hull

StateAt = Callable[[float], "MonitoredState | None"]
FAR = 0.05
"""part of its greatest value beyond which a contact force is far from zero"""
CLEARLY = 1e-7
"""by which a condition must be false before it can close a lock again"""
AGAIN = 1e-9
"""part of the way of a limit below which a contact beside it has just been struck"""
TOUCHING = 1e-11
"""a gap below this, in sizes of the mechanism (or radians), is none"""


@dataclass
class ActiveSet:
    """Which limits are reached and which locks are closed."""

    resting: set[int] = field(default_factory=set)
    """contacts that are closed"""
    held: dict[str, float] = field(default_factory=dict)
    """rows of locks that are closed, and the values they keep"""
    locked: set[str] = field(default_factory=set)
    """locks that are closed"""


@dataclass
class MonitoredState:
    """Everything that is monitored, at one state."""

    t: float
    gaps: np.ndarray
    rates: np.ndarray
    forces: dict[int, float]
    """of the contacts that are closed, and above zero by what counts as little"""
    conditions: dict[str, float]
    """of the locks that wait for one: positive where it holds"""
    moving: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """the part of the rates that comes from limits that move with time"""
    bends: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """rates of the rates"""
    readings: Readings = field(default_factory=lambda: Readings(0.0, {}))
    """what conditions read"""


class EventMonitor:
    """Evaluates gaps, contact forces and conditions at states of a run."""

    def __init__(self, modes: Modes, t_end: float = 0.0):
        self.modes, self.full, self.active = modes, modes.full, ActiveSet()
        self.rows = np.array([modes.row[c.name] for c in modes.contacts], dtype=int)
        self.signs = np.array([c.sign for c in modes.contacts])
        self.limits = np.array([c.limit for c in modes.contacts])
        self.scale = np.array([modes.base.size if c.stop.unit == "m" else 1.0 for c in modes.contacts])
        self.largest_forces = np.full(len(modes.contacts), 1e-300)
        """the greatest force of each contact so far"""
        self.closed: set[str] = set()
        """locks that were closed at the last evaluation"""
        self.disarmed: set[str] = set()
        """open locks whose condition has not been clearly false since they opened: it does not close them again"""
        self.levels = np.zeros(len(modes.contacts))
        """gap below which an open contact is struck: zero, or where it was left after a rest that had drifted"""

        moments = [m for lock in modes.locks.values() for m in (lock.closes, lock.opens)]
        self.reader = Reader(modes.base, [m for m in moments if m is not None and m.condition is not None])
        self.undecided = 0
        """steps of which it cannot be decided whether a condition held for a moment"""
        self.possible: dict[str, np.ndarray] = {}
        """of every lock that waits for a condition: before which of the present samples it may become true"""
        self.reach: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        """of every law of a moving limit: its bounds before each of the present samples"""
        self.laws = self._laws(t_end)
        """of the contacts whose limits move with time"""
        self.beside = Reader(modes.base, [])
        self.beside.meant = {FormulaLimit.GAP: (FormulaLimit.GAP, 0)}

    def _laws(self, t_end: float) -> dict[int, SampledLimit | FormulaLimit]:
        full, s = self.full, self.full.arrays
        known: dict[int, SampledLimit | FormulaLimit] = {}
        of = {int(row): int(law) for row, law in zip(s.drv_row, s.drv_law, strict=True)}
        for row in dict.fromkeys(self.rows.tolist()):
            if row not in of or t_end <= 0.0:
                continue
            law = full.equations.laws[of[row]]
            if law.expression is not None:
                known[row] = FormulaLimit(law.expression, float(law.constant), t_end)
                continue
            knots = None if law.table is None else np.array([float(x) for x in law.table[0]])
            known[row] = SampledLimit(lambda t, k=of[row]: law_at(full.header, k, t, 0.0, 0.0), t_end, knots)
        return {i: known[row] for i, row in enumerate(self.rows.tolist()) if row in known}

    def moving_limit_reached(
        self, k: int, before: MonitoredState, now: MonitoredState, state_at: StateAt
    ) -> tuple[int, float, float] | None:
        """Before the k-th sample, the first open contact that a moving limit closes between two evaluations, and two
        instants between which. `state_at`: the state at an instant between, computed anew."""
        found = []
        for i, law in self.laws.items():
            if i in self.active.resting or now.t <= before.t:
                continue
            if isinstance(law, FormulaLimit):
                between = self._by_bounds(k, i, law, before, now, state_at)
            else:
                between = self._by_instants(i, law, before, now)
            if between is not None:
                found.append((between[1], i, between[0]))
        if not found:
            return None
        hi, contact, lo = min(found)
        return contact, lo, hi

    def _by_instants(
        self, i: int, law: SampledLimit, before: MonitoredState, now: MonitoredState
    ) -> tuple[float, float] | None:
        h, sign = now.t - before.t, float(self.signs[i])
        ends = law.at(np.array([before.t, now.t]))
        smooth = []
        for state, f in zip((before, now), ends, strict=True):
            smooth += [state.gaps[i] - self.levels[i] + sign * f, h * (state.rates[i] - state.moving[i])]
        return law.first_below(before.t, now.t, tuple(smooth), sign)

    def _by_bounds(
        self, k: int, i: int, law: FormulaLimit, before: MonitoredState, now: MonitoredState, state_at: StateAt
    ) -> tuple[float, float] | None:
        sign = float(self.signs[i])

        def reading(state: MonitoredState | None) -> Readings | None:
            if state is None:
                return None
            f, second = law.at(state.t)
            # the mechanism's part of the row itself, whichever side its limit is on
            three = (state.gaps[i] - self.levels[i] + sign * f, state.rates[i] - state.moving[i],
                     state.bends[i] + sign * second)  # fmt: skip
            return Readings(state.t, {FormulaLimit.GAP: tuple(sign * float(x) for x in three)})  # type: ignore[dict-item]

        first, last = reading(before), reading(now)
        assert first is not None and last is not None
        low, high = (float(x[k]) for x in self.reach[id(law)])
        least, most = hull(last.t - first.t, first.of[FormulaLimit.GAP], last.of[FormulaLimit.GAP])
        if least > high if sign > 0 else most < low:
            return None
        if self.margin(("strike", i), before) <= AGAIN * abs(first.of[FormulaLimit.GAP][0]) + TOUCHING * self.scale[i]:
            # it has just been struck: it must get away first
            away, _ = first_true(self.beside, law.open[sign], first, last, lambda t: reading(state_at(t)))
            middle = None if away is None else reading(state_at(away[1]))
            if middle is None or not first.t < middle.t < last.t:
                return None
            first = middle
        hit, certain = first_true(self.beside, law.closed[sign], first, last, lambda t: reading(state_at(t)))
        self.undecided += not certain
        return hit

    def gaps(self, at: Point) -> np.ndarray:
        """Distance of every coordinate from every limit."""
        return self.signs * (at.Phi[self.rows] - self.limits)

    def free(self, at: Point, names: list[str], q: np.ndarray, t: float) -> Free:
        """The motions that the mechanism, and these rows of stops and locks, leave free."""
        modes = self.modes
        rows = np.array([*modes.own, *(modes.row[name] for name in names)], dtype=int)
        return Free.of(at, rows, self.full.unit, modes.rank(names, q, t))

    def evaluate(
        self, t: float, y: np.ndarray, ydot: np.ndarray, known_forces: dict[int, float] | None = None
    ) -> MonitoredState:
        """Gaps, contact forces and conditions at a state. `known_forces`: contact forces that the integrator has found;
        where they are far from zero they will do."""
        nq, n = self.full.nq, self.full.n
        q, v = y[:nq], y[nq : nq + n]
        at = self.full.at(q, v, t)
        gaps, rates = self.gaps(at), self.signs * at.Phi_dot[self.rows]
        forces: dict[int, float] = {}
        if known_forces is not None and all(p > FAR * self.largest_forces[i] for i, p in known_forces.items()):
            forces = known_forces
        elif self.active.resting:
            which = sorted(self.active.resting)
            free = self.free(at, list(self.active.held), q, t)
            push, little = contact_forces(free, self.rows[which], self.signs[which])
            forces = {i: float(p + e) for i, p, e in zip(which, push, little, strict=True)}
            for i, p in forces.items():
                self.largest_forces[i] = max(self.largest_forces[i], p)
        waiting, readings = self.waiting(), Readings(t, {})
        if waiting:
            readings = self.reader.at(t, q, v, ydot[nq : nq + n])
        values = {name: self.reader.condition(moment, readings, name) for name, moment in waiting.items()}
        bends = np.zeros(0)
        if self.laws:
            bends = self.signs * (at.B[self.rows] @ ydot[nq : nq + n] - at.gamma[self.rows])
        return MonitoredState(t, gaps, rates, forces, values, self.signs * at.Phi_t[self.rows], bends, readings)

    def waiting(self) -> dict[str, Moment]:
        """The conditions that locks wait for."""
        moments = {n: lock.opens if n in self.active.locked else lock.closes for n, lock in self.modes.locks.items()}
        return {n: m for n, m in moments.items() if m is not None and m.condition is not None}

    def bound_intervals(self, before: MonitoredState, samples: list[Sample]) -> None:
        """Before the samples of some steps are examined one by one: between which of them anything may happen."""
        self.possible, self.reach = {}, {}
        if not samples:
            return
        for name, moment in self.waiting().items():
            self.possible[name] = self.reader.possible(moment.condition, before.readings, samples)
        t = np.array([before.t, *(s.t for s in samples)])
        for law in {id(law): law for law in self.laws.values() if isinstance(law, FormulaLimit)}.values():
            self.reach[id(law)] = law.along(t[:-1], t[1:])
            law.prepare(t)

    def condition_met(self, k: int, before: MonitoredState, now: MonitoredState, state_at: StateAt) -> float | None:
        """Before the k-th sample, an instant between two evaluations at which the condition of a lock is true, within
        the first while for which it is; None where none is."""
        found: list[float] = []

        def read(t: float) -> Readings | None:
            state = state_at(t)
            return None if state is None else state.readings

        for name, moment in self.waiting().items():
            if not self.possible[name][k]:
                continue
            start, end, certain = before.readings, now.readings, True
            least = -CLEARLY if name in self.disarmed else 0.0
            if name in self.disarmed or before.conditions.get(name, 1.0) > 0.0:
                # it must have been false before it can become true
                false = ex.Binary("-", ex.parse(repr(least)), moment.condition)
                gone, certain = first_true(self.reader, false, start, end, read)
                middle = None if gone is None else read(gone[1])
                if middle is None or middle.t <= start.t or middle.t >= end.t:
                    self.undecided += not certain
                    continue
                start = middle
            hit, also = first_true(self.reader, moment.condition, start, end, read)
            self.undecided += not (certain and also)
            if hit is not None:
                found.append(hit[1])
        return min(found, default=None)

    def triggered(self, before: MonitoredState, now: MonitoredState) -> list[tuple[str, Any]]:
        """What has happened from one state to the next: ("strike", contact), ("release", contact), ("lock", name)."""
        found: list[tuple[str, Any]] = []
        for i in range(len(self.levels)):
            if i not in self.active.resting and self.margin(("strike", i), now) < 0.0:
                found.append(("strike", i))
        found += [("release", i) for i, force in now.forces.items() if force < 0.0]
        self._rearm(now)
        found += [("lock", n) for n, c in now.conditions.items()
                  if c > 0.0 and before.conditions.get(n, 1.0) <= 0.0 and n not in self.disarmed]  # fmt: skip
        return found

    def _rearm(self, now: MonitoredState) -> None:
        """What a lock has held lies on the threshold of its own condition, but for rounding."""
        self.disarmed |= self.closed - self.active.locked
        self.disarmed -= self.active.locked
        self.disarmed -= {n for n in self.disarmed if now.conditions.get(n, 0.0) < -CLEARLY}
        self.closed = set(self.active.locked)

    def margin(self, what: tuple[str, Any], state: MonitoredState) -> float:
        """Negative once this has happened."""
        kind, which = what
        if kind == "strike":
            return float(state.gaps[which] - self.levels[which])
        if kind == "release":
            return state.forces.get(which, 0.0)
        return -state.conditions[which]

    def grazing_contacts(self, before: MonitoredState, now: MonitoredState) -> list[int]:
        """Open contacts whose gap may have been closed for a moment between two evaluations: by a cubic."""
        h = now.t - before.t
        out = []
        for i in range(len(self.levels)):
            d0, d1 = before.rates[i], now.rates[i]
            if i in self.active.resting or not (d0 < 0.0 < d1) or h <= 0.0:
                continue
            gap = np.polyval(cubic(before.gaps[i], h * d0, now.gaps[i], h * d1), np.linspace(0.0, 1.0, 17))
            if gap.min() < self.levels[i] + 0.02 * h * max(-d0, d1):
                out.append(i)
        return out

    def reset_levels(self, state: MonitoredState) -> None:
        """A contact that has got away is struck at its limit again."""
        away = state.gaps > TOUCHING * self.scale
        self.levels[away] = 0.0
