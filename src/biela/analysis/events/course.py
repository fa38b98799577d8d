"""The course of a run with events: stretches in one mode, cut where something happens, joined to one trajectory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter

import numpy as np

from ...mechanics.measure import wound_at_start
from ...methods.checkpoint import cpu_seconds
from ...methods.formulations.independent_coordinates import Choice, choices_of
from ...methods.formulations.parameters import EVALUATIONS, ITERATIONS, RECHOICES
from ...methods.loops import loop_calls
from ...methods.loops import monitors as m
from ...methods.loops.stepper import FixedSteps, Repeat, Sample, Stretch, present, stretch
from ...methods.run import Progress, Seen, Trajectory, functions, machine_of
from ...methods.settings import Settings, apply
from ...methods.status import Status
from ...results.eventful import EventResult
from ...results.events import Event, Events
from ...system.system import System
from .instant import HEIGHT, HEIGHT_3, Forced, Instant, strike
from .locate import Located
from .modes import Modes, row_names
from .watch import Look, See, Situation, Watch

CROWD, CROWDED = 1e-10, 400
"""so many events within this part of the run: it is given up"""
SHORT, MANY = 1e-3, 20_000
"""so many events within this part of the run: it is given up"""
EFFORTS = {"m": "N", "rad": "N*m", "1": "1"}
"""unit of a limit -> that of the force that holds it"""


def run_with_events(system: System, settings: Settings, duration: float, samples: int,
                    progress: Progress | None = None) -> EventResult:  # fmt: skip
    """Simulate a mechanism with stops and locks."""
    course = Course(system, settings, duration, samples, progress)
    trajectory = course.run()
    units = {s.name: EFFORTS[s.unit] for s in system.resolved.stops}
    for lock in system.resolved.locks:
        units |= {name: EFFORTS[unit] for name, unit in zip(row_names(lock), lock.units, strict=True)}
    forces = {name: (np.array([f.get(name, 0.0) for f in course.forces]), unit) for name, unit in units.items()}
    spans = [(p.first, p.last, p.closed) for p in course.pieces if p.last > p.first]
    events = Events(course.events)
    result = EventResult(system, settings, trajectory, duration, events, forces, spans, course.modes.fresh)
    if course.message:
        result.message = course.message
    return result


@dataclass
class Piece:
    """Samples first ... last - 1 were made with these rows closed, at these values."""

    first: int
    last: int
    closed: dict[str, float]


class Course:
    """A run that is cut at events."""

    def __init__(self, base: System, settings: Settings, t_end: float, samples: int, progress: Progress | None = None):
        self.base, self.settings, self.t_end = base, settings, t_end
        self.progress = None if progress is None else partial(base.workspaces.aside, progress)
        self.modes = Modes(base)
        self.watch = Watch(self.modes, t_end)
        self.situation = Situation()
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
        self.crowd, self.many = [0.0, 0], [0.0, 0]
        self.system = base

    # ------------------------------------------------------------------------------------------- the run
    def run(self) -> Trajectory:
        """All of it."""
        begun, spent = perf_counter(), cpu_seconds()
        status = int(Status.finished)
        try:
            first = Instant(0.0, self.q, self.v, [("lock", n) for n in self._locked_at_start()], start=True)
            self._happen(first)
            while status == Status.finished and self.t < self.t_end:
                status = self._stretch()
        except KeyboardInterrupt:
            status = int(Status.interrupted)
        except Forced as forced:
            status, self.message = int(Status.position), str(forced)
        for system in self.modes.systems:
            if system.workspace.error is not None:
                status, self.base.workspace.error = int(Status.user_function), system.workspace.error
        out = self._trajectory(Status(status), perf_counter() - begun)
        out.cpu = cpu_seconds() - spent
        return out

    def _locked_at_start(self) -> list[str]:
        reader, found = self.watch.reader, []
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
            moment = lock.opens if name in self.situation.locked else lock.closes
            if moment is not None and moment.time is not None and self.t < float(moment.time) <= self.t_end:
                due.setdefault(float(moment.time), []).append(name)
        first = min(due, default=self.t_end)
        return first, due.get(first, [])

    def _stretch(self) -> int:
        """From here to the next event, or to the end."""
        until, clock = self._next_time()
        status = self._begin()
        if status != Status.finished:
            return status
        here = self._look()
        self.watch.settle_levels(here)
        steps = stretch(self.system, self._settings(), self.t, until, self.times)
        while True:
            status, found = steps.advance()
            cut = None
            self.watch.screen(here, found, self.situation)
            for k, sample in enumerate(found):
                now = self._look_at(sample)
                cut = self._cut(steps, k, here, now)
                if cut is not None:
                    break
                here = now
                self.watch.settle_levels(here)
                if sample.wanted:
                    self._keep(sample)
            else:
                if status != Status.finished:
                    cut = self._rescue(steps, len(found), here)
                    if cut is None:
                        self._end(steps, found[-1].t if found else self.t)
                        return status
            if self.progress:
                self.progress(min(1.0, (found[-1].t if found else self.t) / self.t_end), self.steps + steps.steps)
            if cut is not None:
                t, what = cut
                self._end(steps, t)
                return self._happen(Instant(t, self.q, self.v, what))
            if steps.finished:
                self._end(steps, until)
                if until < self.t_end or clock:
                    return self._happen(Instant(until, self.q, self.v, [("lock", name) for name in clock]))
                return status

    def _settings(self) -> Settings:
        """On a limit that shakes, error-controlled steps are short enough to feel it."""
        shaking = [self.watch.laws[i].finest for i in self.situation.resting if i in self.watch.laws]
        if not shaking or not self.settings.adaptive:
            return self.settings
        return replace(self.settings, step=min(4 * min(shaking), self.settings.step or np.inf))

    # ------------------------------------------------------------------------------------- parts of a stretch
    def _begin(self) -> int:
        """Put the present mode to the present state."""
        closed = dict(self.situation.held)
        for i in self.situation.resting:
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
            self.energy0 = float(s.mon[m.E0])
        s.mon[m.E0] = self.energy0
        t = float(np.nextafter(self.t, np.inf)) if self.samples else self.t
        self.pieces.append(Piece(len(self.samples), len(self.samples), closed))
        self._keep(present(system, t))
        self.own = self.modes.own_rows(system)
        self.lying = {i: self.modes.place(system, self.modes.contacts[i].name) for i in self.situation.resting}
        return status

    def _end(self, steps: Stretch, t: float) -> None:
        """Take the state over, count the effort, and keep the last sample."""
        s = self.system.arrays
        nq, n = self.system.nq, self.system.n
        self.t, self.q, self.v, self.work = t, s.y[:nq].copy(), s.y[nq : nq + n].copy(), float(s.y[-1])
        last = present(self.system, t)
        self.turns, self.wound = last.turns.copy(), s.wound.copy()
        if t > self.samples[-1].t:
            self._keep(last)
        self.steps += steps.steps
        self.evaluations += int(s.opt[EVALUATIONS])
        self.iterations += int(s.opt[ITERATIONS])
        self.rechoices += int(s.opt[RECHOICES])
        self.choices += choices_of(self.system)
        self.rejected += int(s.mon[m.REJECTED])
        self.worst = np.maximum(self.worst, [s.mon[m.ENERGY_ERROR], s.mon[m.VIOLATION], s.mon[m.RATE_VIOLATION]])
        self.margin = float(s.margin[0])
        self.seen = self.seen.with_next(Seen.of(self.system))

    def _keep(self, sample: Sample) -> None:
        """A sample in the rows of the mechanism itself; the others are forces of stops and locks."""
        rows = self.system.equations.rows
        force = {r.owner: -float(x) for r, x in zip(rows, sample.lam, strict=True)
                 if r.role == "joint" and r.owner in self.modes.joints}  # fmt: skip
        own = self.modes.own_rows(self.system)
        self.samples.append(Sample(sample.t, sample.y.copy(), sample.ydot.copy(), sample.lam[own], sample.turns.copy()))
        self.forces.append(force)
        self.pieces[-1].last = len(self.samples)

    def _look(self) -> Look:
        return self._seen(self.t)

    def _look_at(self, sample: Sample) -> Look:
        told = None
        if self.situation.resting:
            told = {i: -self.modes.contacts[i].sign * float(sample.lam[k]) for i, k in self.lying.items()}
        return self.watch.look(sample.t, sample.y, sample.ydot, self.situation, told)

    def _seen(self, t: float) -> Look:
        s = self.system.arrays
        return self.watch.look(t, s.y, s.ydot, self.situation)

    def _cut(self, steps: Stretch, k: int, before: Look, now: Look) -> tuple[float, list] | None:
        """The first event between two looks, if there is one; the system is left there."""
        repeat: list[Repeat] = []

        def place(end: Look | None = None) -> Located:
            if not repeat:
                repeat.append(steps.within(k))
            out = Located(self.watch, self.situation, repeat[0], self._seen, end)
            out.hi = min(out.hi, now.t - out.base)
            return out

        def see(t: float) -> Look | None:
            here = place()
            return here.look(t - here.base)

        t = self.watch.held(k, before, now, self.situation, see)
        if t is not None and before.t < t < now.t:
            seen = see(t)
            now = now if seen is None else seen  # what comes later is not looked at
        cut = self._shaken(steps, k, place, see, before, now)
        if cut is not None:
            return cut
        dips = self.watch.dips(before, now, self.situation)
        lows = [x for x in map(place().lowest, dips) if x is not None] if dips else []
        if lows:
            seen = see(place().base + min(lows))
            now = now if seen is None else seen
        fired = self.watch.fired(before, now, self.situation)
        if fired:
            return self._at(steps, k, place(now), fired, before)
        if repeat:
            steps.undo()
        return None

    def _shaken(self, steps: Stretch, k: int, place: Callable[[], Located], see: See, before: Look,
                now: Look) -> tuple[float, list] | None:  # fmt: skip
        """A limit that moves with time may have closed a gap (and opened it again) between two looks."""
        found = self.watch.shaken(k, before, now, self.situation, see)
        if found is None:
            return None
        contact, lo, hi = found
        here, what = place(), ("strike", contact)
        whole = here.lo
        here.lo, here.hi = max(here.lo, lo - here.base), min(here.hi, hi - here.base)
        start, here.end = here.look(here.lo), here.look(here.hi)
        if start is None or here.end is None or self.watch.margin(what, here.end) >= 0.0:
            return None
        fired = self.watch.fired(before, here.end, self.situation)
        others = [x for x in fired if x[0] != "strike"]
        if others or self.watch.margin(what, start) <= 0.0:  # others may come first
            here.lo, start = whole, before
        return self._at(steps, k, here, [*others, what], start)

    def _at(self, steps: Stretch, k: int, place: Located, fired: list, before: Look) -> tuple[float, list]:
        x = place.first(fired, before)
        if getattr(steps, "direct", False) and k > 0 and x - place.lo < 0.1 * (place.hi - place.lo):
            # roundoff over h is an error in the velocities of the index-3 methods: no very short step
            until = place.base + place.hi
            place = Located(self.watch, self.situation, steps.within(k, back=True), self._seen, place.end)
            place.hi = min(place.hi, until - place.base)
            x = place.first(fired, before)
        place.again(x)
        t = place.base + x
        look = self._seen(t)
        close = [what for what in fired if self.watch.margin(what, look) <= self._near(what, look)]
        return t, close or fired

    def _near(self, what: tuple, look: Look) -> float:
        """How little counts as having happened, at the instant of the first event."""
        kind, which = what
        if kind == "strike":
            return 1e-11 * float(self.watch.scale[which])
        return 1e-12 * max(1.0, abs(self.watch.margin(what, look))) if kind == "lock" else 0.0

    def _rescue(self, steps: Stretch, k: int, before: Look) -> tuple[float, list] | None:
        """A step that fails beyond a limit is cut there."""
        if not isinstance(steps, FixedSteps) or not self.watch.levels.size:
            return None  # the others take shorter steps by themselves
        place = Located(self.watch, self.situation, steps.within(k), self._seen)
        x = place.halves()
        if x is None:
            steps.undo()
            return None
        place.hi = x
        look = self._seen(place.base + x)
        fired = self.watch.fired(before, look, self.situation)
        return self._at(steps, k, place, fired, before)

    # ------------------------------------------------------------------------------------------- an instant
    def _happen(self, instant: Instant) -> int:
        """Impulses, and what is closed from now on."""
        for counter, part in ((self.crowd, CROWD), (self.many, SHORT)):
            if instant.t - counter[0] > part * self.t_end:
                counter[:] = [instant.t, 0]
            counter[1] += 1
        if self.crowd[1] > CROWDED or self.many[1] > MANY:
            count, since = (self.crowd if self.crowd[1] > CROWDED else self.many)[::-1]
            names = ", ".join(sorted({e.name for e in self.events[-20:]}))
            self.message = (f"events pile up: {count - 1} events within {instant.t - since:.2g} s, "
                            f"at t = {instant.t:.9g} s, of {names}")  # fmt: skip
            return int(Status.step_too_small)
        height = HEIGHT_3 if self.settings.integrator.direct else HEIGHT
        events, change, loss = strike(self.watch, self.situation, instant, int(self.crowd[1]), height)
        self.events += events
        self.v = self.v + change
        self.work -= loss
        return int(Status.finished)

    # ------------------------------------------------------------------------------------------- the whole
    def _trajectory(self, status: Status, wall: float) -> Trajectory:
        """One trajectory of all the stretches, in the rows of the mechanism itself."""
        if not self.samples:  # interrupted before the first stretch
            self.pieces.append(Piece(0, 0, {}))
            self._keep(present(self.base, 0.0))
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
            seen=replace(self.seen, untold=self.watch.untold),
            choices=self.choices, machine=self.machine,
        )  # fmt: skip
