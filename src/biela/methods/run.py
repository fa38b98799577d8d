"""Running a system: chunks of steps in machine code, with progress and interruption between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from time import perf_counter

import numpy as np

from ..system.system import System
from .checkpoint import Checkpoint, Place, Save, cpu_seconds
from .control.stiffness import fastest_decay
from .evaluation import functions, machine_of, specialised
from .formulations.independent_coordinates import choices_of
from .loops import loop_calls
from .loops.stepper import ControlledSteps, FixedSteps
from .registry import integrator
from .settings import Settings, apply, make_workspace
from .status import Status

CHUNK_SECONDS = 0.1
MANY_STEPS, STANDSTILL = 30_000, 1e-6
"""so many steps of error control for so small a part of the run mean that it will not get on: 3e10 of them are days"""
PACE_CHECK, FAR_OFF, HELD_BACK = 20_000, 200_000, 1.5
"""trials after which a run is looked at; how many more at that pace are too many; decay rate times step from which on
it is the decay that makes the steps short"""
LONG, SMALL = 200_000, 60
"""steps from which on a run takes machine code of its own, and coordinates and rows up to which it does: about where
making it is paid back"""
LOOPS = {False: ("loops.fixed_steps", "march"), True: ("loops.variable_steps", "march_adaptive")}
Progress = Callable[[float, int], None]
"""called between chunks with the fraction done and the steps taken"""


@dataclass
class Seen:
    """What the time loop has seen beside errors, for the verdict."""

    energy: float = 0.0
    """largest kinetic energy and work together"""
    force: float = 0.0
    """largest force at the last evaluation"""
    weakened: float = 0.0
    """logarithm of the fall of the constraints' determinant: how near a singular position was"""
    lower: int = 0
    """steps of an order below eight"""
    missed_speed: float = 0.0
    missed_work: float = 0.0
    """velocity, and work, that the equations at the samples within steps ask for and the steps did not see"""
    missed_most: float = 0.0
    missed_at: float = 0.0
    """the most velocity missed at one sample, and when"""
    hidden: int = 0
    """fixed steps that are too long for what a law does"""
    holding: int = 0
    held_at: float = 0.0
    """the last switch that was left to both sides at once, and when"""
    untold: int = 0
    """steps of which it cannot be told whether a stop or the condition of a lock was met for a moment"""

    @staticmethod
    def of(system: System) -> Seen:
        """What lies in the arrays of a system that has just run."""
        s = system.arrays
        return Seen(
            float(s.ctl.largest_energy), float(np.nan_to_num(np.abs(s.Q)).max(initial=0.0)),
            float(s.margin.greatest_singularity - s.margin.least_singularity), int(s.mon.low_order_steps),
            float(s.mon.missed_speed), float(s.mon.missed_work), float(s.mon.most_missed_speed),
            float(s.mon.most_missed_time), int(s.mon.coarse_steps), int(s.mon.sticking_switch),
            float(s.mon.sticking_time),
        )  # fmt: skip

    def with_next(self, other: Seen) -> Seen:
        """This and the next stretch of a run together."""
        at = other.missed_at if other.missed_most > self.missed_most else self.missed_at
        return Seen(
            max(self.energy, other.energy), max(self.force, other.force), max(self.weakened, other.weakened),
            self.lower + other.lower, self.missed_speed + other.missed_speed, self.missed_work + other.missed_work,
            max(self.missed_most, other.missed_most), at, self.hidden + other.hidden,
            other.holding or self.holding, other.held_at if other.holding else self.held_at,
            self.untold + other.untold,
        )  # fmt: skip


@dataclass
class Trajectory:
    """What a run left: samples of the state, and its monitors."""

    t: np.ndarray
    y: np.ndarray
    ydot: np.ndarray
    lam: np.ndarray
    turns: np.ndarray
    """whole turns of each rigid body since the start"""
    status: Status
    stopped_at: float | None
    steps: int
    step: float | None
    evaluations: int
    iterations: int
    rejected: int
    rechoices: int
    wall: float
    energy_error: float
    violation: float
    rate_violation: float
    alpha: float
    margin: float
    last: tuple[float, np.ndarray, np.ndarray]
    """time, y and y' of the last accepted step, sampled or not"""
    cpu: float = 0.0
    """seconds of computing, whatever else the machine did meanwhile"""
    checkpoint: Checkpoint | None = None
    """of a run that was interrupted: where it can go on"""
    halved: int = 0
    """steps that did not converge and were taken in parts"""
    parts: int = 0
    """the most parts of one of them"""
    blurred: int = 0
    """steps whose error is no more than rounding, so that it says nothing"""
    worst: tuple[int, float] = (-1, 0.0)
    """of a corrector that failed: the worst equation (motions, then rows), and by how much it was off"""
    handed_over: float | None = None
    """when `radau5` took over from an explicit integrator"""
    seen: Seen = field(default_factory=lambda: Seen())
    choices: tuple[tuple[float, tuple[int, ...]], ...] = ()
    """of `projection`: when independent coordinates were chosen, and which velocities are theirs"""
    machine: str = "generic"
    """whose machine code evaluated in the end: that of all mechanisms, or the tape of this one"""


def run(
    system: System, settings: Settings, t_end: float, samples: int, progress: Progress | None = None,
    resumed: Checkpoint | None = None, save: Save | None = None,
) -> Trajectory:  # fmt: skip
    """Integrate from 0, or from a checkpoint, to t_end. About `samples` states are kept, however many steps it takes.
    `save` is called with a checkpoint now and then."""
    if progress is not None:
        progress = partial(system.workspaces.aside, progress)
    alpha = apply(settings, system)
    f, settle = functions(settings, system)
    if settings.integrator.scipy:
        from .integrators.scipy.scipy_ode import run_scipy

        begun = cpu_seconds()
        out = run_scipy(system, settings, f, settle, t_end, samples, alpha, progress)
        out.cpu = cpu_seconds() - begun
        return out
    if resumed is not None:
        if resumed.loop.get("handed_over", -1.0) >= 0.0:
            settings = implicit(system, settings)
        resumed.restore(system)
    settings.integrator.step()
    for module, name in (("loops.beginning", "begin_at"), LOOPS[settings.adaptive]):
        loop_calls.loop_of(module, name)  # loaded before the clock starts
    with Place(system, t_end, alpha, resumed, save) as place:
        return _in_chunks(system, settings, f, settle, t_end, samples, progress, place, resumed)


def implicit(system: System, settings: Settings) -> Settings:
    """The settings with which a run goes on that has turned out to be stiff; the system is made ready for them."""
    i = integrator("radau5")
    make_workspace(system, i)
    s = system.arrays
    s.ctl.order, s.ctl.previous_error, s.opt.has_polynomial = i.estimate, 0.0, 0
    return replace(settings, integrator=i, hands_over=False)


def is_held_back(system: System, f: Callable, t: float, mean: float, left: float) -> bool:
    """Whether steps of this mean length will not get to the end soon, and a fast decay is the reason."""
    if not (mean > 0.0 and left > FAR_OFF * mean):
        return False
    from .loops.monitors_from_python import enter_here, leave_here

    enter_here(system.header)  # laws as the time loop sees them
    try:
        return fastest_decay(system, f, t) * mean > HELD_BACK
    finally:
        leave_here(system.header)


def _in_chunks(system, settings, f, settle, t_end, samples, progress, place, resumed) -> Trajectory:
    """Steps in chunks, between which somebody may look in, save the run, stop it."""
    status = int(Status.finished)
    if settings.adaptive:
        place.hold()
    if resumed is None:
        status = loop_calls.begin(system.header, f, settle, 0.0, t_end)
    steps = (ControlledSteps if settings.adaptive else FixedSteps)(system, settings, 0.0, t_end)
    steps.fill(samples, resumed)
    pace = Pace(system, settings, f, steps, resumed) if isinstance(steps, ControlledSteps) else None
    chunk = _first_chunk(system)
    if isinstance(steps, FixedSteps) and steps.total >= LONG and _may_specialise(settings, system):
        steps.f = specialised(settings, system, f, settle)
    if isinstance(steps, FixedSteps) and (steps.total - steps.done > chunk or system.users.functions):
        place.hold()

    def here() -> dict[str, float]:
        return steps.place | pace.place if pace else steps.place

    try:
        while status == Status.finished and not steps.finished:
            now = perf_counter()
            place.between = False
            if pace and pace.tried >= LONG and _may_specialise(pace.settings, system):
                steps.f = specialised(pace.settings, system, f, settle)
            status, taken = steps.take(pace.until_next_check(chunk) if pace else chunk)
            if pace:
                status, taken = pace.check(status), chunk
            place.after_chunk(steps.tables, here(), status == Status.finished and not steps.finished)
            chunk = _next_chunk(taken, perf_counter() - now)
            if progress:
                progress(steps.t / t_end, steps.taken)
    except KeyboardInterrupt:
        status = Status.interrupted
    wall, cpu = place.wall, place.cpu
    going = status == Status.interrupted and place.between
    kept = place.take(steps.tables, here()) if going else None
    h = None if pace else steps.h
    out = trajectory(system, steps.tables, steps.rows, status, steps.t, steps.taken, h, wall, place.alpha)
    out.cpu, out.checkpoint, out.machine = cpu, kept, machine_of(steps.f)
    if pace and pace.handed_over >= 0.0:
        out.handed_over = pace.handed_over
    return out


def _may_specialise(settings: Settings, system: System) -> bool:
    """Whether a long run takes machine code of its own. (It is the count of steps that decides, not the clock: a run
    that is repeated or continued must compute as it did.)"""
    return settings.machine is None and not settings.integrator.direct and system.n + system.m <= SMALL


class Pace:
    """How an error-controlled run gets on: whether it is held back by a fast decay, and goes on implicitly; or stands
    still."""

    def __init__(self, system: System, settings: Settings, f: Callable, steps: ControlledSteps,
                 resumed: Checkpoint | None):  # fmt: skip
        self.system, self.settings, self.f, self.stepper = system, settings, f, steps
        loop = resumed.loop if resumed else {}
        self.looked, self.handed_over = loop.get("looked", 0.0), loop.get("handed_over", -1.0)
        """when the pace was looked at, and when the integrator was changed"""
        self.since = steps.taken, steps.t
        """steps and time when it last got on"""

    @property
    def tried(self) -> int:
        """Steps tried."""
        return int(self.system.arrays.mon.steps + self.system.arrays.mon.rejected)

    @property
    def place(self) -> dict[str, float]:
        """What it needs to go on from here."""
        return {"looked": self.looked, "handed_over": self.handed_over}

    def until_next_check(self, chunk: int) -> int:
        """Trials until the pace is looked at, or a chunk of them."""
        looks = self.settings.hands_over or self.tried < LONG
        return min(chunk, PACE_CHECK - self.tried % PACE_CHECK) if looks else chunk

    def check(self, status: int) -> int:
        """After a chunk that ended so; returns how the run goes on."""
        steps, t_end = self.stepper, self.stepper.t1
        # something rests by dry friction: stiff, as a rule
        sticks = self.system.arrays.mon.sticking_switch > 0 and steps.h > 0.0
        if self.settings.hands_over and status == Status.finished and (self.tried % PACE_CHECK == 0 or sticks):
            far = sticks and t_end - steps.t > FAR_OFF * steps.h  # (a band is narrower than what is differenced)
            mean = steps.h if sticks else (steps.t - self.looked) / PACE_CHECK
            if far or is_held_back(self.system, self.f, steps.t, mean, t_end - steps.t):
                self.settings, self.handed_over = implicit(self.system, self.settings), steps.t
                steps.step = self.settings.integrator.step()
            self.looked = steps.t
        if steps.t - self.since[1] > STANDSTILL * t_end:
            self.since = steps.taken, steps.t
        elif steps.taken - self.since[0] > MANY_STEPS and status == Status.finished and not steps.finished:
            return Status.step_too_small  # as where a driver asks for what the mechanism cannot reach
        return status


def _first_chunk(system: System) -> int:
    """Steps before Python looks in for the first time (entering machine code costs as much as 1000 small steps)."""
    return max(16, min(12_000, 250_000 // (system.n * system.n + 1)))


def _next_chunk(chunk: int, seconds: float) -> int:
    """Aim at chunks of CHUNK_SECONDS: short enough for Ctrl-C, long enough to cost nothing."""
    return int(max(16, min(10_000_000, chunk * min(8.0, CHUNK_SECONDS / max(seconds, 1e-6)))))


def trajectory(system, tables, rows, status, t, steps, h, wall, alpha) -> Trajectory:
    """Collect what a run left in the system's arrays."""
    s = system.arrays
    status = Status(status)
    t_out, y, ydot, lam, turns = (x[:rows] for x in tables)
    if status != Status.finished and rows and t > t_out[-1]:  # the last good state, sampled or not
        present = ([t], s.y[None, :], s.ydot[None, :], s.lam[None, : system.m], s.turns[None, :])
        before = (t_out, y, ydot, lam, turns)
        t_out, y, ydot, lam, turns = (np.concatenate(pair) for pair in zip(before, present, strict=True))
    if status == Status.no_inertia and steps > 0:
        status = Status.not_finite  # inertia was looked at before the start: the numbers have run away
    if system.workspace.error is not None:
        status = Status.user_function
    if status == Status.step_too_small and 0.0 <= s.margin.now < 0.02 * s.margin.regular:
        status = Status.singular  # the steps shrank because the constraints lose rank
    stopped = None
    if status != Status.finished:
        stopped = float(s.mon.singular_time) if status == Status.singular and s.mon.singular_time > 0 else float(t)
    return Trajectory(
        t_out, y, ydot, lam, turns, status, stopped, int(steps), h, int(s.run.evaluations), int(s.run.iterations),
        int(s.mon.rejected), int(s.run.rechoices), wall, float(s.mon.energy_error), float(s.mon.violation),
        float(s.mon.rate_violation), alpha, float(s.margin.now), (float(t), s.y.copy(), s.ydot.copy()),
        halved=int(s.mon.divided_steps), parts=int(s.mon.most_parts), blurred=int(s.mon.rounding_steps),
        worst=(int(s.mon.worst_equation), float(s.mon.worst_residual)), seen=Seen.of(system),
        choices=choices_of(system),
    )  # fmt: skip
