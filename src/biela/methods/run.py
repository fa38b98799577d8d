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
from .formulations.independent_coordinates import choices_of
from .formulations.parameters import (
    BLURRED,
    DENSE,
    ENERGY_SEEN,
    ERROR_BEFORE,
    EVALUATIONS,
    FINEST,
    HALVED,
    HIDDEN,
    HOLDING,
    HOLDS_AT,
    ITERATIONS,
    LEAST_ENERGY,
    LOWER,
    MASS,
    MISSED_AT,
    MISSED_MOST,
    MISSED_SPEED,
    MISSED_WORK,
    NO_ENERGY,
    NOW,
    OFF_BY,
    ORDER,
    RECHOICES,
    REGULAR,
    SPAN,
    STRONGEST,
    WEAKEST,
    WORST,
)
from .loops import loop_calls
from .loops import monitors as m
from .registry import integrator
from .settings import Settings, apply, make_room
from .status import Status

CHUNK_SECONDS = 0.1
MANY_STEPS, STANDSTILL = 30_000, 1e-6
"""so many steps of error control for so small a part of the run mean that it will not get on: 3e10 of them are days"""
LOOK, FAR_OFF, HELD_BACK = 20_000, 200_000, 1.5
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
            float(s.ctl[ENERGY_SEEN]), float(np.nan_to_num(np.abs(s.Q)).max(initial=0.0)),
            float(s.margin[WEAKEST] - s.margin[STRONGEST]), int(s.mon[LOWER]), float(s.mon[MISSED_SPEED]),
            float(s.mon[MISSED_WORK]), float(s.mon[MISSED_MOST]), float(s.mon[MISSED_AT]), int(s.mon[HIDDEN]),
            int(s.mon[HOLDING]), float(s.mon[HOLDS_AT]),
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
    step = settings.integrator.step()
    loop = _adaptive if settings.adaptive else _fixed
    for module, name in (("loops.beginning", "begin_at"), LOOPS[settings.adaptive]):
        loop_calls.loop_of(module, name)  # loaded before the clock starts
    with Place(system, t_end, alpha, resumed, save) as place:
        return loop(system, settings, step, f, settle, t_end, samples, progress, place, resumed)


def functions(settings: Settings, system: System) -> tuple:
    """(evaluate, settle) of a formulation; an open tree has no constraints and takes the O(n) recursion instead."""
    f, settle = settings.formulation.functions()
    if system.is_open_tree:
        from .formulations.recursive import evaluate, settle_open

        f, settle = evaluate, settle_open
    return (specialised(settings, system, f, settle) if settings.machine == "tape" else f), settle


def machine_of(f: Callable) -> str:
    """Whose machine code an evaluation is."""
    return "tape" if hasattr(f, "generic") else "generic"


def specialised(settings: Settings, system: System, f: Callable, settle: Callable) -> Callable:
    """The machine code of this mechanism alone, if it can be made; else the evaluation as it is."""
    from .recorded import own_code

    own = own_code(system, settings, f, settle)
    return f if isinstance(own, str) else own


def implicit(system: System, settings: Settings) -> Settings:
    """The settings with which a run goes on that has turned out to be stiff; the system is made ready for them."""
    i = integrator("radau5")
    make_room(system, i)
    s = system.arrays
    s.ctl[ORDER], s.ctl[ERROR_BEFORE], s.opt[DENSE] = i.estimate, 0.0, 0
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


def _tables(system: System, rows: int) -> tuple:
    size = len(system.arrays.y)
    widths = (size, size, system.m, len(system.arrays.turns))
    return np.zeros(rows), *(np.zeros((rows, width)) for width in widths)


def first_sample(system: System, tables: tuple) -> None:
    """The initial state is sample 0."""
    s, (t, y, ydot, lam, turns) = system.arrays, tables
    t[0], y[0], ydot[0], lam[0], turns[0] = 0.0, s.y, s.ydot, s.lam[: system.m], s.turns


def _fixed(system, settings, step, f, settle, t_end, samples, progress, place, resumed) -> Trajectory:
    h = settings.step
    total = max(1, int(np.ceil(t_end / h - 1e-9)))
    h = t_end / total
    stride = max(1, -(-total // samples))
    done, chunk, status = 0, _first_chunk(system), int(Status.finished)
    if resumed is None:
        tables = _tables(system, total // stride + (1 if total % stride else 0) + 1)
        status = loop_calls.begin(system.header, f, settle, 0.0, t_end)
        first_sample(system, tables)
    else:
        tables, done, stride = resumed.tables, int(resumed.loop["done"]), int(resumed.loop["stride"])
    if total >= LONG and _may_specialise(settings, system):
        f = specialised(settings, system, f, settle)
    if total - done > chunk or system.users.functions:
        place.hold()
    try:
        while status == Status.finished and done < total:
            count, now = min(chunk, total - done), perf_counter()
            place.between = False
            count_and_stride = done, count, total, stride
            status, taken = loop_calls.march(system.header, step, f, settle, 0.0, h, *count_and_stride, *tables)
            done += taken
            place.look_in(tables, {"done": done, "stride": stride}, status == Status.finished and done < total)
            chunk = _next_chunk(taken, perf_counter() - now)
            if progress:
                progress(done / total, done)
    except KeyboardInterrupt:
        status = Status.interrupted
    spent = place.wall, place.cpu
    going = status == Status.interrupted and place.between
    kept = place.take(tables, {"done": done, "stride": stride}) if going else None
    rows = (done + stride - 1) // stride + 1 if done == total else done // stride + 1
    out = trajectory(system, tables, rows, status, done * h, done, h, spent[0], place.alpha)
    return _ended(spent[1], kept, f, out)


def _adaptive(system, settings, step, f, settle, t_end, samples, progress, place, resumed) -> Trajectory:
    s = system.arrays
    h_max = min(settings.step or t_end, t_end)
    t, row, chunk, status = 0.0, 1, _first_chunk(system), int(Status.finished)
    since = 0, 0.0  # steps and time when it last got on
    place.hold()
    if resumed is None:
        tables = _tables(system, samples + 1)
        tables[0][:] = np.linspace(0.0, t_end, samples + 1)
        status = loop_calls.begin(system.header, f, settle, 0.0, t_end)
        first_sample(system, tables)
        s.ctl[SPAN], s.ctl[LEAST_ENERGY], s.ctl[NO_ENERGY] = t_end, _least_energy(system), _no_energy(system, t_end)
        h = min(first_step(system, settings), h_max)
        looked, handed = 0.0, -1.0  # when the pace was looked at, and when the integrator was changed
    else:
        tables, t, h, row = resumed.tables, resumed.loop["t"], resumed.loop["h"], int(resumed.loop["row"])
        since = int(s.mon[m.STEPS]), t
        looked, handed = resumed.loop.get("looked", 0.0), resumed.loop.get("handed_over", -1.0)
    try:
        while status == Status.finished and t < t_end:
            now = perf_counter()
            place.between = False
            tried = int(s.mon[m.STEPS] + s.mon[m.REJECTED])
            if tried >= LONG and _may_specialise(settings, system):
                f = specialised(settings, system, f, settle)
            looks = settings.hands_over or tried < LONG
            count = min(chunk, LOOK - tried % LOOK) if looks else chunk
            status, t, h, row = loop_calls.march_adaptive(
                system.header, step, f, settle, t, t_end, h, h_max, count, int(row), *tables
            )
            status = int(status)
            tried = int(s.mon[m.STEPS] + s.mon[m.REJECTED])
            held = s.mon[HOLDING] > 0 and h > 0.0  # something rests by dry friction: stiff, as a rule
            if settings.hands_over and status == Status.finished and (tried % LOOK == 0 or held):
                far = held and t_end - t > FAR_OFF * h  # (a band is narrower than what is differenced)
                if far or is_held_back(system, f, t, h if held else (t - looked) / LOOK, t_end - t):
                    settings, handed = implicit(system, settings), t
                    s, step = system.arrays, settings.integrator.step()
                looked = t
            loop = {"t": t, "h": h, "row": row, "looked": looked, "handed_over": handed}
            place.look_in(tables, loop, status == Status.finished and t < t_end)
            chunk = _next_chunk(chunk, perf_counter() - now)
            if progress:
                progress(t / t_end, int(s.mon[m.STEPS]))
            if t >= t_end - 1e-12 * t_end:
                break
            if t - since[1] > STANDSTILL * t_end:
                since = int(s.mon[m.STEPS]), t
            elif s.mon[m.STEPS] - since[0] > MANY_STEPS and status == Status.finished:
                status = Status.step_too_small  # as where a driver asks for what the mechanism cannot reach
                break
    except KeyboardInterrupt:
        status = Status.interrupted
    spent = place.wall, place.cpu
    going = status == Status.interrupted and place.between
    loop = {"t": t, "h": h, "row": row, "looked": looked, "handed_over": handed}
    kept = place.take(tables, loop) if going else None
    steps = int(s.mon[m.STEPS])
    out = trajectory(system, tables, int(row), status, t, steps, None, spent[0], place.alpha)
    out.handed_over = handed if handed >= 0.0 else None
    return _ended(spent[1], kept, f, out)


def _may_specialise(settings: Settings, system: System) -> bool:
    """Whether a long run takes machine code of its own. (It is the count of steps that decides, not the clock: a run
    that is repeated or continued must compute as it did.)"""
    return settings.machine is None and not settings.integrator.direct and system.n + system.m <= SMALL


def _ended(cpu: float, kept: Checkpoint | None, f: Callable, out: Trajectory) -> Trajectory:
    out.cpu, out.checkpoint, out.machine = cpu, kept, machine_of(f)
    return out


def _first_chunk(system: System) -> int:
    """Steps before Python looks in for the first time (entering machine code costs as much as 1000 small steps)."""
    return max(16, min(12_000, 250_000 // (system.n * system.n + 1)))


def _next_chunk(chunk: int, seconds: float) -> int:
    """Aim at chunks of CHUNK_SECONDS: short enough for Ctrl-C, long enough to cost nothing."""
    return int(max(16, min(10_000_000, chunk * min(8.0, CHUNK_SECONDS / max(seconds, 1e-6)))))


def first_step(system: System, settings: Settings) -> float:
    """A cautious first step from the sizes of y and y' (Hairer, Norsett & Wanner, II.4)."""
    s = system.arrays
    tolerance, order = float(s.ctl[2]), settings.integrator.order
    y, yd = float(np.abs(s.y).max(initial=0.0)), float(np.abs(s.ydot).max(initial=0.0))
    return 0.01 * max(y, 1e-5) / max(yd, 1e-5) * min(1.0, (tolerance / 1e-6) ** (1.0 / order))


def _least_energy(system: System) -> float:
    """What the accelerations at the start would do over the size of the mechanism: a measure before anything moves."""
    s = system.arrays
    most = float(np.abs(s.a).max(initial=0.0))
    M = system.sparse_mass() if system.is_large else system.M
    return float(s.a @ (M @ s.a)) * system.size / most if most > 0 else 0.0


def _no_energy(system: System, span: float) -> float:
    """What the forces, or a motion through the whole mechanism in the time of the run, do with a billionth of it. A
    driver may begin with far less: the digits of its work then matter to nobody."""
    s = system.arrays
    force = float(np.abs(s.Q).max(initial=0.0)) * system.size
    return 1e-9 * max(force, float(s.par[MASS]) * (system.size / max(span, 1.0)) ** 2)


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
    if status == Status.step_too_small and 0.0 <= s.margin[NOW] < 0.02 * s.margin[REGULAR]:
        status = Status.singular  # the steps shrank because the constraints lose rank
    stopped = None
    if status != Status.finished:
        stopped = float(s.mon[m.SINGULAR_AT]) if status == Status.singular and s.mon[m.SINGULAR_AT] > 0 else float(t)
    return Trajectory(
        t_out, y, ydot, lam, turns, status, stopped, int(steps), h, int(s.opt[EVALUATIONS]), int(s.opt[ITERATIONS]),
        int(s.mon[m.REJECTED]), int(s.opt[RECHOICES]), wall, float(s.mon[m.ENERGY_ERROR]), float(s.mon[m.VIOLATION]),
        float(s.mon[m.RATE_VIOLATION]), alpha, float(s.margin[0]), (float(t), s.y.copy(), s.ydot.copy()),
        halved=int(s.mon[HALVED]), parts=int(s.mon[FINEST]), blurred=int(s.mon[BLURRED]),
        worst=(int(s.mon[WORST]), float(s.mon[OFF_BY])), seen=Seen.of(system), choices=choices_of(system),
    )  # fmt: skip
