"""Kinematics: finite displacements, velocities and accelerations of a driven mechanism (003, sections 3-5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ...errors import AssemblyError, MethodError, Problem, so_many
from ...kernels.calls_from_python import count_turns, rows_and_forces
from ...mechanics.measure import heading, wound_at_start
from ...methods.loops import loop_calls
from ...methods.positions.closing import close, row_lengths
from ...methods.positions.prescribed_workspace import LARGEST, SIGN, workspace_length
from ...model.model import Model
from ...model.resolve.expansion import without_repeats
from ...results.motion import Motion
from ...system.system import System
from ..assembly.assemble import as_model, assemble, put_together
from ..assembly.branches import on_branch
from ..assembly.transfer import in_coordinates, largest_change
from ..check.mobility import left_free, merged_rows, mobility, scaled_jacobian
from ..events.describe import refuse_events, regard_stops
from ..numbers import number
from .dead_point import DeadPoint, crossing, dead_point, limit, orientation
from .driving import driven
from .inputs import default_coordinate, is_angle

MANY = 1000
"""positions from which on the compiled loop is worth its loading"""
CHUNK = 20_000
"""positions between two looks at the keyboard"""


class KinematicResult(Motion):
    """Positions, velocities and accelerations over a range of the input; no masses needed.

    Multipliers, and with them driver efforts and reactions, are those that the motion requires.
    """

    def __init__(self, system: System, t: Any, q: Any, v: Any, a: Any, lam: Any, coordinate: str):
        super().__init__(system, t, q, v, a, lam, None)
        self.coordinate = coordinate
        self.dead_points: list[DeadPoint] = []
        self.complete = True

    @property
    def ok(self) -> bool:
        """True if the whole range asked for could be reached."""
        return self.complete

    @property
    def method(self) -> str:
        return f"{self.system.coordinates} coordinates, Newton-Raphson at {len(self.t)} positions"

    def quality(self) -> str:
        worst = float(np.asarray(self["violation.position"]).max(initial=0.0))
        end = "complete" if self.complete else "stopped"
        return f"{end}; {len(self.t)} positions; |Phi| {worst:.1e}; {so_many(len(self.dead_points), 'dead point')}"

    def report(self) -> str:
        """What was found, in words."""
        lines = [self.quality(), *(str(p) for p in self.dead_points)]
        return "\n".join(lines + ([self.message] if self.message else []))

    def __repr__(self) -> str:
        return f"KinematicResult({self.system.name!r}: {self.quality()})"


def kinematics(
    model: Model | str | Path,
    coordinate: str | None = None,
    start: float | None = None,
    stop: float | None = None,
    count: int = 361,
    rate: float = 1.0,
    branch: int | None = None,
    coordinates: str | None = None,
) -> KinematicResult:
    """Move a coordinate of a mechanism over a range (by default one whole turn) at a constant rate.

    `coordinate` is a relative coordinate, one of a joint ("motor.angle"), "BODY.angle" in the plane, or "P.x"; without
    one, the model's own drivers move it over its run, or else its first angle moves. `branch` chooses another way to
    assemble it (see `biela.branches`). `coordinates`: the set in which Phi(q, t) = 0 is solved, natural ones if none is
    named; the motion is the same in all of them.

    >>> import biela
    >>> r = biela.kinematics("four-bar", "crank_angle")
    >>> r.ok, len(r["P"]), len(r.dead_points)
    (True, 361, 0)
    >>> biela.kinematics("four-bar", "crank_angle", coordinates="relative").method
    'relative coordinates, Newton-Raphson at 361 positions'
    """
    model = without_repeats(as_model(model))
    if coordinate is not None:
        angular = is_angle(model, coordinate)
        kind = "angle" if angular else "length"
        start = None if start is None else number(start, "start", kind)
        stop = None if stop is None else number(stop, "stop", kind)
        rate = number(rate, "rate", "angular velocity" if angular else "velocity")
    if not 2 <= count <= 10_000_000:
        raise MethodError(Problem(f"count = {count} is not possible", cure="from 2 to 10 million positions"))
    if coordinate is None and not model.drivers:
        coordinate = default_coordinate(model)
    if coordinate is not None:
        model, duration = driven(model, coordinate, start, stop, rate)
    else:
        if start is not None or stop is not None:
            raise MethodError(Problem("start and stop belong to a coordinate", cure="name the coordinate to move"))
        if model.run.duration is None:
            raise MethodError(Problem("for how long?", cure="give run.duration in the model, or name a coordinate"))
        coordinate = next(iter(model.drivers.values())).coordinate
        duration = 0.0
    system = assemble(model, "natural" if coordinates in (None, "auto") else coordinates)
    duration = duration or float(system.resolved.duration)  # type: ignore[arg-type]
    idle = _must_be_determined(system)
    q = system.q0 if branch is None else _on_branch(system, branch)
    refuse_events(system.resolved, "a motion that is prescribed", stops=False)
    result = _Way(system, q, np.linspace(0.0, duration, count), coordinate, idle).go()
    regard_stops(result, "the motion", refuse=False)
    return result


def _on_branch(system: System, branch: int) -> np.ndarray:
    """The start on another branch; branches are numbered as natural coordinates find them."""
    if system.coordinates == "natural":
        return on_branch(system, branch)
    natural = put_together(system.resolved, "natural")
    q = on_branch(natural, branch)
    return in_coordinates(system, natural, q, np.zeros(natural.n))[0]


def _must_be_determined(system: System) -> tuple[str, ...]:
    """Refuse what is not; gives the bodies that spin idly, a freedom that no point feels."""
    freedom = mobility(system)
    system.rank = freedom.rank
    moving, idle = left_free(system, freedom) if freedom.freedom > 0 else ([], [])
    if idle and not moving and freedom.freedom == len(idle):
        system.notes.append(f"note: {', '.join(idle)} can turn about its own line, which moves no point")
    elif freedom.freedom > 0:
        loose = [*moving, *idle]
        names = ", ".join(loose[:6]) + (f" and {len(loose) - 6} more" if len(loose) > 6 else "")
        counts = f"{freedom.n} coordinates, {freedom.rank} independent constraints (drivers included)"
        left = "1 freedom is" if freedom.freedom == 1 else f"{freedom.freedom} freedoms are"
        raise AssemblyError(
            Problem(
                f"{left} left: the motion is not determined",
                where=system.name,
                why=f"{counts}; {names} can move",
                cure="drive as many coordinates as the mechanism has freedoms",
            ),
            title=f"kinematics of {system.name!r}",
        )
    from ..simulate.simulate import locked_drivers

    locked = locked_drivers(system)
    if locked:
        raise AssemblyError(
            Problem(f"{', '.join(locked)} cannot move", why="the joints fix it", cure="move another coordinate"),
            title=f"kinematics of {system.name!r}",
        )
    return tuple(idle)


def velocities(system: System, q: np.ndarray, t: float) -> np.ndarray:
    """Phi_q q' = -Phi_t.   003, section 4"""
    at = system.at(q, None, t)
    return _solve(system, at.B, -at.Phi_t)


def accelerations(system: System, q: np.ndarray, v: np.ndarray, t: float) -> np.ndarray:
    """Phi_q q'' = gamma.   003, section 5"""
    at = system.at(q, v, t)
    return _solve(system, at.B, at.gamma)


def required_multipliers(system: System, q: np.ndarray, v: np.ndarray, a: np.ndarray, t: float) -> np.ndarray:
    """Phi_q^T lam = Q - M q'': the efforts and reactions that this motion needs, of least norm."""
    at = system.at(q, v, t)
    return np.linalg.lstsq(at.B.T, at.Q - at.M @ a, rcond=1e-10)[0]


def _solve(system: System, B: np.ndarray, f: np.ndarray) -> np.ndarray:
    J = B * system.unit
    scale = row_lengths(system, J)
    return system.unit * np.linalg.lstsq(J / scale[:, None], f / scale, rcond=1e-11)[0]


class _Way:
    """Positions one after another; stops where the mechanism can go no further."""

    def __init__(self, system: System, q: np.ndarray, times: np.ndarray, coordinate: str, idle: tuple[str, ...]):
        self.system, self.times, self.coordinate, self.idle = system, times, coordinate, idle
        count = len(times)
        self.Q, self.V, self.A = (np.empty((count, size)) for size in (system.nq, system.n, system.n))
        self.L = np.empty((count, system.m))
        self.dead: list[DeadPoint] = []
        self.stopped: DeadPoint | None = None
        self.seen = np.zeros(2)
        """determinant of the rows at the last position (0: it tells nothing), the largest so far"""
        self.done = 0
        self._position(close(system, q, float(times[0])).q)

    def go(self) -> KinematicResult:
        """All of it: position by position, and with many of them in a compiled loop, wherever that is plain."""
        plain = self.system.nq == self.system.n and not self.system.is_large  # quaternions turn, they do not add up
        loop = _Loop(self) if len(self.times) >= MANY and plain else None
        while self.done < len(self.times) and self.stopped is None:
            if loop is not None:
                self.done = loop.go()
            if self.done < len(self.times) and (loop is None or not loop.well):
                self._next()
        return self._result()

    def _next(self) -> None:
        """The next position, with an eye on dead points and branches."""
        k, times = self.done, self.times
        before, t = float(times[k - 1]), float(times[k])
        moved = _advance(self.system, self.Q[k - 1], self.V[k - 1], self.A[k - 1], before, t)
        if moved is None:
            self.stopped = limit(self.system, self.Q[k - 1], before, t, self.coordinate, self.idle)
        else:
            self._position(moved)

    def _position(self, q: np.ndarray) -> None:
        """Keep a position, with all that belongs to it."""
        system, k, idle = self.system, self.done, self.idle
        t = float(self.times[k])
        dt = t - float(self.times[k - 1]) if k else 0.0
        last = (self.Q[k - 1], self.V[k - 1], self.A[k - 1]) if k else None
        here = orientation(system, q, t, idle)
        self.seen[LARGEST] = max(self.seen[LARGEST], abs(here))
        if last and abs(here) < 1e-7 * self.seen[LARGEST]:
            # exactly in a dead point the constraints do not determine the velocity: keep what the motion brings along
            self.dead.append(dead_point(system, q, t, self.coordinate, "crossing"))
            v, a = last[1] + dt * last[2], last[2]
            self.seen[SIGN] = 0.0
        else:
            v = velocities(system, q, t)
            a = accelerations(system, q, v, t)
            before = orientation(system, last[0], t - dt, idle) if last and idle else self.seen[SIGN]
            if last and self.seen[SIGN] and here * before < 0:
                self.dead.append(crossing(system, last[0], last[1], last[2], t - dt, t, self.coordinate, idle))
            self.seen[SIGN] = here
        turn_angles(system, last[:2] if last else None, (q, v), dt)
        lam = required_multipliers(system, q, v, a, t)
        self.Q[k], self.V[k], self.A[k], self.L[k] = q, v, a, lam
        self.done = k + 1

    def _result(self) -> KinematicResult:
        done = self.done
        t, q, v, a, lam = (x[:done] for x in (self.times, self.Q, self.V, self.A, self.L))
        result = KinematicResult(self.system, t, q, v, a, lam, self.coordinate)
        result.dead_points = self.dead
        if self.stopped is not None:
            result.complete = False
            result.dead_points.append(self.stopped)
            left = len(self.times) - done
            end = f"{self.coordinate} cannot go beyond {self.stopped.value:.9g}"
            result.message = f"{end}; {left} positions are out of reach"
        return result


class _Loop:
    """The compiled loop over the positions of a way."""

    def __init__(self, way: _Way):
        self.way, system = way, way.system
        self.well = True
        """the last positions it was asked for are all there"""
        idle, torsions = len(way.idle), len(system.arrays.wound)
        names = [system.equations.rows[k].owner for k in system.twins]
        self.twins = np.array(system.twins, dtype=np.int64)
        self.angles = np.array([system.q_names.index(name) for name in names], dtype=np.int64)
        self.work = np.zeros(workspace_length(system.m, system.n, idle, torsions))
        self.unit = system.unit.astype(float)
        self.Z = np.zeros(idle * system.n)

    def go(self) -> int:
        """Up to CHUNK positions; the number of those that are there."""
        way, system = self.way, self.way.system
        first, idle = way.done, len(way.idle)
        last = min(first + CHUNK, len(way.times))
        if idle and not (self.well and first > 1):
            self._spins(way.Q[first - 1], float(way.times[first - 1]))
        done = int(
            loop_calls.follow(system.header, rows_and_forces, way.times, first, last, self.unit, system.size,
                              system.slack, self.twins, self.angles, idle, self.Z, way.seen, self.work, way.Q, way.V,
                              way.A, way.L)
        )  # fmt: skip
        self.well = done == last
        return done

    def _spins(self, q: np.ndarray, t: float) -> None:
        """The motions that no row feels at a position, and the determinant with them: its sign depends on theirs."""
        B, idle, seen = scaled_jacobian(self.way.system, q, t), len(self.way.idle), self.way.seen
        spins = np.linalg.svd(B)[2][-idle:]
        self.Z[:] = spins.ravel()
        square = np.vstack([merged_rows(self.way.system, q, B)[0], spins])
        if seen[SIGN] and square.shape[0] == square.shape[1]:
            seen[SIGN] = np.linalg.det(square)


def turn_angles(system: System, before: tuple | None, now: tuple, dt: float) -> None:
    """Elements between bodies hear about how far these have turned: they count whole turns between positions."""
    turn = system.arrays.wound
    if not len(turn):
        return
    if before is None:
        turn[:] = wound_at_start(system)
        return
    for l, f in enumerate(system.equations.wound):
        rates = []
        for q, v in (before, now):
            here = system.posture(q, v)
            u, w = (heading(*here.vector(vec)[:2]) for vec in f.vectors)
            rates.append(float(w[1][0] - u[1][0]))
        turn[l] += 0.5 * dt * sum(rates)
    system.arrays.q[:] = now[0]
    count_turns(system.header)


def _advance(system: System, q: np.ndarray, v: np.ndarray, a: np.ndarray, t0: float, t1: float, depth: int = 0) -> Any:
    """Position at t1 from the state at t0: Taylor prediction, Newton correction; halved if it leaves the branch."""
    dt, unit = t1 - t0, system.unit
    guess = system.displaced(q, dt * v + 0.5 * dt * dt * a)
    closed = close(system, guess, t1, max_iterations=25)
    stride, jump = largest_change(system, guess, q), largest_change(system, closed.q, guess)
    if closed.converged and (jump <= max(0.3 * stride, 1e-9) or jump < 1e-6):
        return closed.q
    if depth == 12:
        return None
    middle = _advance(system, q, v, a, t0, 0.5 * (t0 + t1), depth + 1)
    if middle is None:
        return None
    tm = 0.5 * (t0 + t1)
    vm = velocities(system, middle, tm)
    am = accelerations(system, middle, vm, tm)
    if np.abs(vm / unit).max(initial=0.0) * abs(dt) > 50:  # racing towards a dead point
        return None
    return _advance(system, middle, vm, am, tm, t1, depth + 1)
