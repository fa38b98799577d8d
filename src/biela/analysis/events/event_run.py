"""A run with events: pieces in one mode, up to where something happens, joined to one trajectory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter

import numpy as np

from ...mechanics.measure import wound_at_start
from ...methods.checkpoint import cpu_seconds
from ...methods.evaluation import functions, machine_of
from ...methods.formulations.independent_coordinates import Choice, choices_of
from ...methods.loops import loop_calls
from ...methods.loops.stepper import FixedSteps, Repeat, Sample, Stepper, present, stepper
from ...methods.run import Progress, Seen, Trajectory
from ...methods.settings import Settings, apply
from ...methods.status import Status
from ...results.eventful import EventResult
from ...results.events import Event, Events
from ...system.system import System
from .impulses import HEIGHT, HEIGHT_3, EventState, PushedThroughStop, apply_impulses
from .locate import EventLocator
from .modes import Modes, row_names
from .monitor import EventMonitor, MonitoredState, StateAt

CLUSTER, CLUSTER_LIMIT = 1e-10, 400
"""so many events within this part of the run: it is given up"""
SHORT, MANY = 1e-3, 20_000
"""so many events within this part of the run: it is given up"""
EFFORTS = {"m": "N", "rad": "N*m", "1": "1"}
"""unit of a limit -> that of the force that holds it"""


def run_with_events(system: System, settings: Settings, duration: float, samples: int,
                    progress: Progress | None = None) -> EventResult:  # fmt: skip
    """Simulate a mechanism with stops and locks."""
    run = EventRun(system, settings, duration, samples, progress)
    trajectory = run.trajectory()
    units = {s.name: EFFORTS[s.unit] for s in system.resolved.stops}
    for lock in system.resolved.locks:
        units |= {name: EFFORTS[unit] for name, unit in zip(row_names(lock), lock.units, strict=True)}
    forces = {name: (np.array([f.get(name, 0.0) for f in run.forces]), unit) for name, unit in units.items()}
    spans = [(p.first, p.last, p.closed) for p in run.pieces if p.last > p.first]
    events = Events(run.events)
    result = EventResult(system, settings, trajectory, duration, events, forces, spans, run.modes.fresh)
    if run.message:
        result.message = run.message
    return result


@dataclass
class Piece:
    """Samples first ... last - 1 were made with these rows closed, at these values."""

    first: int
    last: int
    closed: dict[str, float]


class EventRun:
    """A run in pieces: each in one mode, up to the next event."""

    def __init__(self, base: System, settings: Settings, t_end: float, samples: int, progress: Progress | None = None):
        self.base, self.settings, self.t_end = base, settings, t_end
        self.progress = None if progress is None else partial(base.workspaces.aside, progress)
        self.modes = Modes(base)
        self.monitor = EventMonitor(self.modes, t_end)
        self.active = self.monitor.active
        self.times = np.linspace(0.0, t_end, samples + 1)
        self.events: list[Event] = []
        self.samples: list[Sample] = []
        self.forces: list[dict[str, float]] = []
        self.pieces: list[Piece] = []
        self.message = ""
        self.t, self.q, self.v, self.work = 0.0, base.q0.copy(), base.v0.copy(), 0.0
        self.turns = np.zeros(len(base.arrays.turns))
        self.wound = wound_at_start(base)
        self.energy0: float | None = None
        self.steps = self.evaluations = self.iterations = self.rechoices = self.rejected = 0
        self.choices: tuple[Choice, ...] = ()
        self.worst = np.zeros(3)
        self.seen = Seen()
        self.alpha = self.margin = 0.0
        self.cluster, self.many = [0.0, 0], [0.0, 0]
        self.system = base

    # ------------------------------------------------------------------------------------------- the run
    def trajectory(self) -> Trajectory:
        """All of it: from event to event, until the end."""
        begun, cpu = perf_counter(), cpu_seconds()
        status = int(Status.finished)
        try:
            first = EventState(0.0, self.q, self.v, [("lock", n) for n in self._locked_at_start()], start=True)
            self._apply(first)
            while status == Status.finished and self.t < self.t_end:
                status = self._run_to_next_event()
        except KeyboardInterrupt:
            status = int(Status.interrupted)
        except PushedThroughStop as forced:
            status, self.message = int(Status.position), str(forced)
        for system in self.modes.systems:
            if system.workspace.error is not None:
                status, self.base.workspace.error = int(Status.user_function), system.workspace.error
        out = self._joined(Status(status), perf_counter() - begun)
        out.cpu = cpu_seconds() - cpu
        return out

    def _locked_at_start(self) -> list[str]:
        reader, found = self.monitor.reader, []
        here = reader.at(0.0, self.q, self.v, None)
        for name, lock in self.modes.locks.items():
            moment = lock.closes
            if moment is None or (moment.time is not None and float(moment.time) == 0.0):
                found.append(name)
            elif moment.condition is not None:
                if reader.condition(moment, here, name) > 0.0:
                    found.append(name)
        return found

    def _next_time(self) -> tuple[float, list[str]]:
        """The next time at which a lock closes or opens by the clock, and which; the end of the run, if none."""
        due: dict[float, list[str]] = {}
        for name, lock in self.modes.locks.items():
            moment = lock.opens if name in self.active.locked else lock.closes
            if moment is not None and moment.time is not None and self.t < float(moment.time) <= self.t_end:
                due.setdefault(float(moment.time), []).append(name)
        first = min(due, default=self.t_end)
        return first, due.get(first, [])

    def _run_to_next_event(self) -> int:
        """From here to the next event, or to the end."""
        until, clock = self._next_time()
        status = self._enter_mode()
        if status != Status.finished:
            return status
        here = self._state_at(self.t)
        self.monitor.reset_levels(here)
        steps = stepper(self.system, self._settings(), self.t, until, self.times)
        while True:
            status, found = steps.advance()
            event = None
            self.monitor.bound_intervals(here, found)
            for k, sample in enumerate(found):
                now = self._state_of(sample)
                event = self._first_event(steps, k, here, now)
                if event is not None:
                    break
                here = now
                self.monitor.reset_levels(here)
                if sample.wanted:
                    self._store(sample)
            else:
                if status != Status.finished:
                    event = self._event_before_failure(steps, len(found), here)
                    if event is None:
                        self._leave_mode(steps, found[-1].t if found else self.t)
                        return status
            if self.progress:
                self.progress(min(1.0, (found[-1].t if found else self.t) / self.t_end), self.steps + steps.steps)
            if event is not None:
                t, what = event
                self._leave_mode(steps, t)
                return self._apply(EventState(t, self.q, self.v, what))
            if steps.finished:
                self._leave_mode(steps, until)
                if until < self.t_end or clock:
                    return self._apply(EventState(until, self.q, self.v, [("lock", name) for name in clock]))
                return status

    def _settings(self) -> Settings:
        """On a limit that moves, error-controlled steps are short enough to follow it."""
        moving = [self.monitor.laws[i].finest for i in self.active.resting if i in self.monitor.laws]
        if not moving or not self.settings.adaptive:
            return self.settings
        return replace(self.settings, step=min(4 * min(moving), self.settings.step or np.inf))

    # ----------------------------------------------------------------------------------------- one mode after another
    def _enter_mode(self) -> int:
        """Put the present mode to the present state."""
        closed = dict(self.active.held)
        for i in self.active.resting:
            closed[self.modes.contacts[i].name] = self.modes.contacts[i].limit
        self.system = system = self.modes.at(closed, self.q, self.t)
        system.q0, system.v0 = self.q.copy(), self.v.copy()
        self.alpha = apply(self.settings, system)
        s = system.arrays
        s.y[-1], s.wound[:] = self.work, self.wound
        f, settle = functions(self.settings, system)
        self.machine = machine_of(f)
        status = int(loop_calls.begin(system.header, f, settle, self.t, self.t_end))
        s.turns[:] = self.turns
        if self.energy0 is None:
            self.energy0 = float(s.mon.initial_energy)
        s.mon.initial_energy = self.energy0
        t = float(np.nextafter(self.t, np.inf)) if self.samples else self.t
        self.pieces.append(Piece(len(self.samples), len(self.samples), closed))
        self._store(present(system, t))
        self.own = self.modes.own_rows(system)
        self.contact_rows = {i: self.modes.place(system, self.modes.contacts[i].name) for i in self.active.resting}
        return status

    def _leave_mode(self, steps: Stepper, t: float) -> None:
        """Take the state over, count the effort, and keep the last sample."""
        s = self.system.arrays
        nq, n = self.system.nq, self.system.n
        self.t, self.q, self.v, self.work = t, s.y[:nq].copy(), s.y[nq : nq + n].copy(), float(s.y[-1])
        last = present(self.system, t)
        self.turns, self.wound = last.turns.copy(), s.wound.copy()
        if t > self.samples[-1].t:
            self._store(last)
        self.steps += steps.steps
        self.evaluations += int(s.run.evaluations)
        self.iterations += int(s.run.iterations)
        self.rechoices += int(s.run.rechoices)
        self.choices += choices_of(self.system)
        self.rejected += int(s.mon.rejected)
        self.worst = np.maximum(self.worst, [s.mon.energy_error, s.mon.violation, s.mon.rate_violation])
        self.margin = float(s.margin.now)
        self.seen = self.seen.with_next(Seen.of(self.system))

    def _store(self, sample: Sample) -> None:
        """A sample in the rows of the mechanism itself; the others are forces of stops and locks."""
        rows = self.system.equations.rows
        force = {r.owner: -float(x) for r, x in zip(rows, sample.lam, strict=True)
                 if r.role == "joint" and r.owner in self.modes.joints}  # fmt: skip
        own = self.modes.own_rows(self.system)
        self.samples.append(Sample(sample.t, sample.y.copy(), sample.ydot.copy(), sample.lam[own], sample.turns.copy()))
        self.forces.append(force)
        self.pieces[-1].last = len(self.samples)

    def _state_of(self, sample: Sample) -> MonitoredState:
        contacts = self.modes.contacts
        forces = {i: -contacts[i].sign * float(sample.lam[k]) for i, k in self.contact_rows.items()}
        return self.monitor.evaluate(sample.t, sample.y, sample.ydot, forces or None)

    def _state_at(self, t: float) -> MonitoredState:
        s = self.system.arrays
        return self.monitor.evaluate(t, s.y, s.ydot)

    def _first_event(
        self, steps: Stepper, k: int, before: MonitoredState, now: MonitoredState
    ) -> tuple[float, list] | None:
        """The first event between two evaluations, if there is one; the system is left there."""
        repeat: list[Repeat] = []

        def locator(end: MonitoredState | None = None) -> EventLocator:
            if not repeat:
                repeat.append(steps.within(k))
            out = EventLocator(self.monitor, repeat[0], self._state_at, end)
            out.hi = min(out.hi, now.t - out.base)
            return out

        def state_at(t: float) -> MonitoredState | None:
            here = locator()
            return here.evaluate(t - here.base)

        t = self.monitor.condition_met(k, before, now, state_at)
        if t is not None and before.t < t < now.t:
            now = state_at(t) or now  # what comes later does not matter
        event = self._moving_limit_event(steps, k, locator, state_at, before, now)
        if event is not None:
            return event
        grazing = self.monitor.grazing_contacts(before, now)
        lows = [x for x in map(locator().lowest_gap, grazing) if x is not None] if grazing else []
        if lows:
            now = state_at(locator().base + min(lows)) or now
        triggered = self.monitor.triggered(before, now)
        if triggered:
            return self._located(steps, k, locator(now), triggered, before)
        if repeat:
            steps.undo()
        return None

    def _moving_limit_event(
        self, steps: Stepper, k: int, locator: Callable[[], EventLocator], state_at: StateAt, before: MonitoredState,
        now: MonitoredState,
    ) -> tuple[float, list] | None:  # fmt: skip
        """A limit that moves with time may have closed a gap (and opened it again) between two evaluations."""
        found = self.monitor.moving_limit_reached(k, before, now, state_at)
        if found is None:
            return None
        contact, lo, hi = found
        here, what = locator(), ("strike", contact)
        whole = here.lo
        here.lo, here.hi = max(here.lo, lo - here.base), min(here.hi, hi - here.base)
        start, here.end = here.evaluate(here.lo), here.evaluate(here.hi)
        if start is None or here.end is None or self.monitor.margin(what, here.end) >= 0.0:
            return None
        triggered = self.monitor.triggered(before, here.end)
        others = [x for x in triggered if x[0] != "strike"]
        if others or self.monitor.margin(what, start) <= 0.0:  # others may come first
            here.lo, start = whole, before
        return self._located(steps, k, here, [*others, what], start)

    def _located(
        self, steps: Stepper, k: int, locator: EventLocator, triggered: list, before: MonitoredState
    ) -> tuple[float, list]:
        x = locator.first(triggered, before)
        if getattr(steps, "direct", False) and k > 0 and x - locator.lo < 0.1 * (locator.hi - locator.lo):
            # roundoff over h is an error in the velocities of the index-3 methods: no very short step
            until = locator.base + locator.hi
            locator = EventLocator(self.monitor, steps.within(k, back=True), self._state_at, locator.end)
            locator.hi = min(locator.hi, until - locator.base)
            x = locator.first(triggered, before)
        locator.repeat(x)
        t = locator.base + x
        state = self._state_at(t)
        close = [what for what in triggered if self.monitor.margin(what, state) <= self._coincidence(what, state)]
        return t, close or triggered

    def _coincidence(self, what: tuple, state: MonitoredState) -> float:
        """How little counts as having happened, at the instant of the first event."""
        kind, which = what
        if kind == "strike":
            return 1e-11 * float(self.monitor.scale[which])
        return 1e-12 * max(1.0, abs(self.monitor.margin(what, state))) if kind == "lock" else 0.0

    def _event_before_failure(self, steps: Stepper, k: int, before: MonitoredState) -> tuple[float, list] | None:
        """A step that fails beyond a limit ends there."""
        if not isinstance(steps, FixedSteps) or not self.monitor.levels.size:
            return None  # the others take shorter steps by themselves
        locator = EventLocator(self.monitor, steps.within(k), self._state_at)
        x = locator.shortened_step()
        if x is None:
            steps.undo()
            return None
        locator.hi = x
        state = self._state_at(locator.base + x)
        triggered = self.monitor.triggered(before, state)
        return self._located(steps, k, locator, triggered, before)

    # ------------------------------------------------------------------------------------------- an instant
    def _apply(self, here: EventState) -> int:
        """Impulses, and what is closed from now on."""
        for counter, part in ((self.cluster, CLUSTER), (self.many, SHORT)):
            if here.t - counter[0] > part * self.t_end:
                counter[:] = [here.t, 0]
            counter[1] += 1
        if self.cluster[1] > CLUSTER_LIMIT or self.many[1] > MANY:
            count, since = (self.cluster if self.cluster[1] > CLUSTER_LIMIT else self.many)[::-1]
            names = ", ".join(sorted({e.name for e in self.events[-20:]}))
            self.message = (f"events pile up: {count - 1} events within {here.t - since:.2g} s, "
                            f"at t = {here.t:.9g} s, of {names}")  # fmt: skip
            return int(Status.step_too_small)
        height = HEIGHT_3 if self.settings.integrator.direct else HEIGHT
        events, change, loss = apply_impulses(self.monitor, here, int(self.cluster[1]), height)
        self.events += events
        self.v = self.v + change
        self.work -= loss
        return int(Status.finished)

    # ------------------------------------------------------------------------------------------- the whole
    def _joined(self, status: Status, wall: float) -> Trajectory:
        """One trajectory of all the pieces, in the rows of the mechanism itself."""
        if not self.samples:  # interrupted before the first piece
            self.pieces.append(Piece(0, 0, {}))
            self._store(present(self.base, 0.0))
        kept = self.samples
        t = np.array([s.t for s in kept])
        y, ydot, lam, turns = (np.array([getattr(s, k) for s in kept]) for k in ("y", "ydot", "lam", "turns"))
        fixed = self.settings.step if not self.settings.adaptive else None
        stopped = None if status == Status.finished else max(self.t, kept[-1].t)
        last = (kept[-1].t, y[-1].copy(), ydot[-1].copy())
        return Trajectory(
            t, y, ydot, lam.reshape(len(t), -1), turns.reshape(len(t), -1), status, stopped, self.steps, fixed,
            self.evaluations, self.iterations, self.rejected, self.rechoices, wall, float(self.worst[0]),
            float(self.worst[1]), float(self.worst[2]), self.alpha, self.margin, last,
            seen=replace(self.seen, untold=self.monitor.undecided),
            choices=self.choices, machine=self.machine,
        )  # fmt: skip
