"""Steps of a run, for every integrator: taken in chunks into tables of samples, or one by one so that they can be
repeated with another length, up to an event.

Within the steps just taken any instant can be reached again: by repeating the step from its start with a smaller
length, which keeps the integrator's own accuracy, or, for SciPy's integrators, by their dense output.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ...machine.records import RECORDS
from ...system.system import System
from ..checkpoint import Checkpoint
from ..evaluation import functions
from ..settings import Settings
from ..status import Status
from . import loop_calls

if TYPE_CHECKING:
    from ..integrators.scipy.library_steps import LibrarySteps

MUTABLE = (*RECORDS, "y", "ydot", "lam", "k", "direct", "turns", "head_below", "wound", "free", "piv", "left_out",
           "side_kept", "piece_kept", "greatest", "strain", "scan_most")  # fmt: skip
"""what a step changes beside what it computes anew"""
LONGEST_CHUNK = 64
TRIALS = 200
"""attempts of an error-controlled step before the run is given up"""
Tables = tuple[np.ndarray, ...]
"""t, y, y', multipliers and turns of samples, a row each"""


def sample_tables(system: System, rows: int) -> Tables:
    """Tables of so many samples."""
    size = len(system.arrays.y)
    return np.zeros(rows), *(np.zeros((rows, w)) for w in (size, size, system.m, len(system.arrays.turns)))


def first_sample(system: System, tables: Tables) -> None:
    """The initial state is sample 0."""
    s, (t, y, ydot, lam, turns) = system.arrays, tables
    t[0], y[0], ydot[0], lam[0], turns[0] = 0.0, s.y, s.ydot, s.lam[: system.m], s.turns


@dataclass
class Sample:
    """A state of a run."""

    t: float
    y: np.ndarray
    ydot: np.ndarray
    lam: np.ndarray
    turns: np.ndarray
    wanted: bool = True


Repeat = tuple[float, float, float, Callable[[float], int]]
"""(time x counts from, its least and its greatest value, a function that puts the system there)"""


def snapshot(system: System) -> list[np.ndarray]:
    """Copies of all that a step changes."""
    return [getattr(system.arrays, name).copy() for name in MUTABLE]


def restore(system: System, kept: list[np.ndarray]) -> None:
    """Back to a snapshot."""
    for name, values in zip(MUTABLE, kept, strict=True):
        getattr(system.arrays, name)[:] = values


def present(system: System, t: float, wanted: bool = True) -> Sample:
    """The state that the system is in."""
    from .monitors_from_python import turns_here

    s = system.arrays
    turns = np.zeros(len(s.turns))
    turns_here(system.header, turns)
    return Sample(t, s.y.copy(), s.ydot.copy(), s.lam[: system.m].copy(), turns, wanted)


class FixedSteps:
    """Steps of one length that end at t1."""

    def __init__(self, system: System, settings: Settings, t0: float, t1: float, times: np.ndarray | None = None):
        assert settings.step is not None
        self.system, self.t0, self.t1 = system, t0, t1
        self.f, self.settle = functions(settings, system)
        self.step, self.direct = settings.integrator.step(), bool(settings.integrator.direct)
        self.total = max(1, int(np.ceil((t1 - t0) / settings.step - 1e-9)))
        self.h = (t1 - t0) / self.total
        self.done = self.steps = 0
        self.chunk, self.times = 2, np.zeros(0) if times is None else times
        self.row = int(np.searchsorted(self.times, t0 + 1e-9 * self.h, side="right"))

    @property
    def finished(self) -> bool:
        """Whether its end is reached."""
        return self.done >= self.total

    def _march(self, t: float, h: float, first: int, count: int, total: int, stride: int, tables: Tables) -> tuple:
        return loop_calls.march(self.system.header, self.step, self.f, self.settle, t, h, first, count, total, stride,
                                *tables)  # fmt: skip

    # -------------------------------------------------------------------------------- in chunks, with tables of samples
    def fill(self, samples: int, resumed: Checkpoint | None) -> None:
        """Tables of about so many samples, for `take`; those of a run that goes on."""
        if resumed is not None:
            self.tables, self.done = resumed.tables, int(resumed.loop["done"])
            self.stride = int(resumed.loop["stride"])
            return
        self.stride = max(1, -(-self.total // samples))
        self.tables = sample_tables(self.system, -(-self.total // self.stride) + 1)
        first_sample(self.system, self.tables)

    def take(self, count: int) -> tuple[int, int]:
        """So many steps, or fewer where they take long: how that went, and how many there were."""
        count = min(count, self.total - self.done)
        status, taken = self._march(self.t0, self.h, self.done, count, self.total, self.stride, self.tables)
        self.done += taken
        return int(status), taken

    @property
    def place(self) -> dict[str, float]:
        """What `fill` needs to go on from here."""
        return {"done": self.done, "stride": self.stride}

    @property
    def taken(self) -> int:
        """Steps of the whole run."""
        return self.done

    @property
    def t(self) -> float:
        """The time that is reached."""
        return self.t0 + self.done * self.h

    @property
    def rows(self) -> int:
        """Samples in the tables."""
        return -(-self.done // self.stride) + 1 if self.finished else self.done // self.stride + 1

    # ------------------------------------------------------------------------------------------ such as can be repeated
    def _every(self, t: float, h: float, count: int, more: bool) -> tuple[int, int, Tables]:
        tables = sample_tables(self.system, count + 1)
        done, status = 0, int(Status.finished)
        while done < count and status == Status.finished:
            status, taken = self._march(t, h, done, count - done, count + more, 1, tables)
            done += taken
        return int(status), int(done), tables

    def advance(self) -> tuple[int, list[Sample]]:
        """Some steps: how they went, and the states after each of them."""
        count = min(self.chunk, self.total - self.done)
        self.kept, self.first = snapshot(self.system), self.done
        status, taken, (t, y, ydot, lam, turns) = self._every(self.t, self.h, count, self.done + count < self.total)
        self.done += taken
        self.steps += taken
        self.chunk = min(LONGEST_CHUNK, 2 * self.chunk)
        out = []
        for k in range(1, taken + 1):
            here = self.t1 if self.first + k == self.total else float(t[k])
            out.append(Sample(here, y[k], ydot[k], lam[k], turns[k], self._due(here)))
        return status, out

    def _due(self, t: float) -> bool:
        """Whether a sample has become due since the last one."""
        row = int(np.searchsorted(self.times, t + 1e-9 * self.h, side="right"))
        due, self.row = row > self.row, row
        return due

    def within(self, k: int, back: bool = False) -> Repeat:
        """The k-th step of those just taken (from 0), again; `back`: from one step before it, if there is one."""
        self.after = snapshot(self.system), self.done, self.steps
        restore(self.system, self.kept)
        start, before = self.t0 + self.first * self.h, max(k - back, 0)
        if before:
            self._every(start, self.h, before, True)
        self.steps += k + 1 - (self.done - self.first)
        self.done = self.first + k + 1
        if not self.direct:
            self.system.arrays.run.history = 0  # a multistep formula holds for steps of one length
        kept, base = snapshot(self.system), start + before * self.h

        def again(x: float) -> int:
            restore(self.system, kept)
            return self._every(base, x, 1, True)[0] if x > 0.0 else int(Status.finished)

        return base, (k - before) * self.h, (k + 1 - before) * self.h, again

    def undo(self) -> None:
        """Nothing was found within: on from where the steps had ended."""
        kept, self.done, self.steps = self.after
        restore(self.system, kept)


class ControlledSteps:
    """Error-controlled steps up to t1."""

    def __init__(self, system: System, settings: Settings, t0: float, t1: float, times: np.ndarray | None = None):
        self.system, self.t, self.t1 = system, t0, t1
        self.f, self.settle = functions(settings, system)
        self.step = settings.integrator.step()
        self.h_max = min(settings.step or (t1 - t0), t1 - t0)
        self.h, self.order = self.h_max, settings.integrator.order
        self.row, self.steps = 0, 0
        if times is not None:
            self._begin()
            self.times = times[(times > t0) & (times <= t1)]
            self.tables = sample_tables(system, len(self.times))
            self.tables[0][:] = self.times

    def _begin(self) -> None:
        """What errors are measured by, and the first step, from the state that the system is in."""
        system, span = self.system, self.t1 - self.t
        s = system.arrays
        s.ctl.duration = span
        s.ctl.starting_energy, s.ctl.negligible_energy = starting_energy(system), negligible_energy(system, span)
        self.h = min(first_step(system, self.order), self.h_max)

    @property
    def finished(self) -> bool:
        """Whether its end is reached."""
        return self.t >= self.t1 - 1e-13 * (abs(self.t1) + self.h_max)

    def _march(self, t: float, t1: float, h: float, h_max: float, trials: int, row: int, tables: Tables) -> tuple:
        return loop_calls.march_adaptive(self.system.header, self.step, self.f, self.settle, t, t1, h, h_max, trials,
                                         row, *tables)  # fmt: skip

    # -------------------------------------------------------------------------------- in chunks, with tables of samples
    def fill(self, samples: int, resumed: Checkpoint | None) -> None:
        """Tables of so many samples, for `take`; those of a run that goes on."""
        if resumed is not None:
            self.tables, self.row = resumed.tables, int(resumed.loop["row"])
            self.t, self.h = resumed.loop["t"], resumed.loop["h"]
            return
        self.tables = sample_tables(self.system, samples + 1)
        self.tables[0][:] = np.linspace(self.t, self.t1, samples + 1)
        first_sample(self.system, self.tables)
        self.row = 1
        self._begin()

    def take(self, trials: int) -> tuple[int, int]:
        """So many trials of steps: how that went, and their number."""
        status, self.t, self.h, row = self._march(self.t, self.t1, self.h, self.h_max, trials, self.row, self.tables)
        self.row = int(row)
        return int(status), trials

    @property
    def place(self) -> dict[str, float]:
        """What `fill` needs to go on from here."""
        return {"t": self.t, "h": self.h, "row": self.row}

    @property
    def taken(self) -> int:
        """Steps of the whole run."""
        return int(self.system.arrays.mon.steps)

    @property
    def rows(self) -> int:
        """Samples in the tables."""
        return self.row

    # ------------------------------------------------------------------------------------------ such as can be repeated
    def advance(self) -> tuple[int, list[Sample]]:
        """One step: how it went, the samples within it and the state at its end."""
        start, row = self.t, self.row
        for _ in range(TRIALS):
            self.kept, self.base = snapshot(self.system), self.t
            status, _ = self.take(1)
            if status != Status.finished or self.t > start:
                break
        else:
            status = Status.step_too_small
        out = [Sample(float(self.times[k]), *(x[k].copy() for x in self.tables[1:])) for k in range(row, self.row)]
        if self.t > start:
            self.steps += 1
            if not out or out[-1].t < self.t:
                out.append(present(self.system, self.t, wanted=self.finished))
        self.before = [start, *(s.t for s in out)]
        return int(status), out

    def within(self, k: int, back: bool = False) -> Repeat:
        """The part of the step between its samples k - 1 and k, again."""
        kept, base = self.kept, self.base
        self.after = snapshot(self.system)

        def again(x: float) -> int:
            restore(self.system, kept)
            if x <= 0.0:
                return int(Status.finished)
            t, h, none = base, x, sample_tables(self.system, 0)
            for _ in range(TRIALS):
                status, t, h, _ = self._march(t, base + x, h, x, 1, 0, none)
                if status != Status.finished:
                    return int(status)
                if t >= base + x - 1e-13 * (abs(base) + x):
                    return int(Status.finished)
            return int(Status.step_too_small)

        return base, self.before[k] - base, self.before[k + 1] - base, again

    def undo(self) -> None:
        """Nothing was found within: on from where the step had ended."""
        restore(self.system, self.after)


def first_step(system: System, order: int) -> float:
    """A cautious first step from the sizes of y and y' (Hairer, Norsett & Wanner, II.4)."""
    s = system.arrays
    tolerance = float(s.ctl.relative_tolerance)
    y, yd = float(np.abs(s.y).max(initial=0.0)), float(np.abs(s.ydot).max(initial=0.0))
    return 0.01 * max(y, 1e-5) / max(yd, 1e-5) * min(1.0, (tolerance / 1e-6) ** (1.0 / order))


def starting_energy(system: System) -> float:
    """What the accelerations at the start would do over the size of the mechanism: a measure before anything moves."""
    s = system.arrays
    most = float(np.abs(s.a).max(initial=0.0))
    M = system.sparse_mass() if system.is_large else system.M
    return float(s.a @ (M @ s.a)) * system.size / most if most > 0 else 0.0


def negligible_energy(system: System, span: float) -> float:
    """What the forces, or a motion through the whole mechanism in the time of the run, do with a billionth of it. A
    driver may begin with far less: the digits of its work then matter to nobody."""
    s = system.arrays
    force = float(np.abs(s.Q).max(initial=0.0)) * system.size
    return 1e-9 * max(force, float(s.par.mass_scale) * (system.size / max(span, 1.0)) ** 2)


Stepper: TypeAlias = "FixedSteps | ControlledSteps | LibrarySteps"


def stepper(system: System, settings: Settings, t0: float, t1: float, times: np.ndarray) -> Stepper:
    """The steps of a run from t0 to t1, from the state that the system is in; `times`: where samples are wanted."""
    if settings.integrator.scipy:
        from ..integrators.scipy.library_steps import LibrarySteps

        return LibrarySteps(system, settings, t0, t1, times)
    return (ControlledSteps if settings.adaptive else FixedSteps)(system, settings, t0, t1, times)
