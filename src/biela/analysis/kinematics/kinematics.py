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
from ..assembly.transfer import in_coordinates
from ..check.mobility import merged_rows, mobility, scaled_jacobian
from ..check.movability import locked_drivers, must_be_determined
from ..events.describe import check_stops, refuse_events
from ..numbers import count_of, listed, number
from .dead_point import DeadPoint, crossing, dead_point, limit, orientation
from .following import advance
from .inputs import default_coordinate, driven, is_angle

MANY = 1000
"""positions from which on the compiled loop is worth its loading"""
CHUNK = 20_000
"""positions after which Ctrl-C is heard"""


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
    count = count_of(count, "count", 2, 10_000_000, "positions")
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
    idle = _must_be_driven(system)
    q = system.q0 if branch is None else _on_branch(system, branch)
    refuse_events(system.resolved, "a motion that is prescribed", stops=False)
    result = _Sweep(system, q, np.linspace(0.0, duration, count), coordinate, idle).run()
    check_stops(result, "the motion", refuse=False)
    return result


def _on_branch(system: System, branch: int) -> np.ndarray:
    """The start on another branch; branches are numbered as natural coordinates find them."""
    if system.coordinates == "natural":
        return on_branch(system, branch)
    natural = put_together(system.resolved, "natural")
    q = on_branch(natural, branch)
    return in_coordinates(system, natural, q, np.zeros(natural.n))[0]


def _must_be_driven(system: System) -> tuple[str, ...]:
    """Refuse a motion that the drivers do not determine; gives the bodies that spin idly."""
    freedom, title = mobility(system), f"kinematics of {system.name!r}"

    def refusal(bodies: list[str]) -> AssemblyError:
        left = "1 freedom is" if freedom.freedom == 1 else f"{freedom.freedom} freedoms are"
        counts = f"{freedom.n} coordinates, {freedom.rank} independent constraints (drivers included)"
        why = f"{counts}; {listed(bodies, 6)} can move"
        cure = "drive as many coordinates as the mechanism has freedoms"
        return AssemblyError(Problem(f"{left} left: the motion is not determined", system.name, why, cure), title)

    idle, notes = must_be_determined(system, freedom, refusal)
    system.notes += notes
    locked = locked_drivers(system)
    if locked:
        problem = Problem(f"{', '.join(locked)} cannot move", why="the joints fix it", cure="move another coordinate")
        raise AssemblyError(problem, title)
    return tuple(idle)


def required_multipliers(system: System, q: np.ndarray, v: np.ndarray, a: np.ndarray, t: float) -> np.ndarray:
    """Phi_q^T lam = Q - M q'': the efforts and reactions that this motion needs, of least norm."""
    at = system.at(q, v, t)
    return np.linalg.lstsq(at.B.T, at.Q - at.M @ a, rcond=1e-10)[0]


class _Sweep:
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
        self._keep(close(system, q, float(times[0])).q)

    def run(self) -> KinematicResult:
        """All of it: position by position, and with many of them in a compiled loop, wherever that is plain."""
        plain = self.system.nq == self.system.n and not self.system.is_large  # quaternions turn, they do not add up
        loop = _CompiledLoop(self) if len(self.times) >= MANY and plain else None
        while self.done < len(self.times) and self.stopped is None:
            if loop is not None:
                self.done = loop.run()
            if self.done < len(self.times) and (loop is None or not loop.complete):
                self._next()
        return self._result()

    # -------------------------------------------------------------------------------------- the equations at an instant
    def position(self, guess: np.ndarray, t: float) -> np.ndarray | None:
        """Phi(q, t) = 0.   003, section 3"""
        closed = close(self.system, guess, t, max_iterations=25)
        return closed.q if closed.converged else None

    def rates(self, q: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Phi_q q' = -Phi_t and Phi_q q'' = gamma.   003, sections 4 and 5"""
        at = self.system.at(q, None, t)
        v = self._solve(at.B, -at.Phi_t)
        return v, self._solve(at.B, self.system.at(q, v, t).gamma)

    def _solve(self, B: np.ndarray, f: np.ndarray) -> np.ndarray:
        system = self.system
        J = B * system.unit
        scale = row_lengths(system, J)
        return system.unit * np.linalg.lstsq(J / scale[:, None], f / scale, rcond=1e-11)[0]

    # ------------------------------------------------------------------------------------------ position by position
    def _next(self) -> None:
        """The next position, with an eye on dead points and branches."""
        k, times = self.done, self.times
        before, t = float(times[k - 1]), float(times[k])
        state = self.Q[k - 1], self.V[k - 1], self.A[k - 1]
        moved = advance(self, state, before, t)
        if moved is None:
            self.stopped = limit(self.system, self.Q[k - 1], before, t, self.coordinate, self.idle)
        else:
            self._keep(moved)

    def _keep(self, q: np.ndarray) -> None:
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
            v, a = self.rates(q, t)
            before = orientation(system, last[0], t - dt, idle) if last and idle else self.seen[SIGN]
            if last and self.seen[SIGN] and here * before < 0:
                self.dead.append(crossing(system, last, t - dt, t, self.coordinate, idle))
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


class _CompiledLoop:
    """The compiled loop over the positions of a sweep."""

    def __init__(self, sweep: _Sweep):
        self.sweep, system = sweep, sweep.system
        self.complete = True
        """the last positions it was asked for are all there"""
        idle, torsions = len(sweep.idle), len(system.arrays.wound)
        names = [system.equations.rows[k].owner for k in system.twins]
        self.twins = np.array(system.twins, dtype=np.int64)
        self.angles = np.array([system.q_names.index(name) for name in names], dtype=np.int64)
        self.work = np.zeros(workspace_length(system.m, system.n, idle, torsions))
        self.unit = system.unit.astype(float)
        self.Z = np.zeros(idle * system.n)

    def run(self) -> int:
        """Up to CHUNK positions; the number of those that are there."""
        sweep, system = self.sweep, self.sweep.system
        first, idle = sweep.done, len(sweep.idle)
        last = min(first + CHUNK, len(sweep.times))
        if idle and not (self.complete and first > 1):
            self._spins(sweep.Q[first - 1], float(sweep.times[first - 1]))
        done = int(
            loop_calls.follow(system.header, rows_and_forces, sweep.times, first, last, self.unit, system.size,
                              system.slack, self.twins, self.angles, idle, self.Z, sweep.seen, self.work,
                              sweep.Q, sweep.V, sweep.A, sweep.L)
        )  # fmt: skip
        self.complete = done == last
        return done

    def _spins(self, q: np.ndarray, t: float) -> None:
        """The motions that no row feels at a position, and the determinant with them: its sign depends on theirs."""
        B, idle, seen = scaled_jacobian(self.sweep.system, q, t), len(self.sweep.idle), self.sweep.seen
        spins = np.linalg.svd(B)[2][-idle:]
        self.Z[:] = spins.ravel()
        square = np.vstack([merged_rows(self.sweep.system, q, B)[0], spins])
        if seen[SIGN] and square.shape[0] == square.shape[1]:
            seen[SIGN] = np.linalg.det(square)


def turn_angles(system: System, before: tuple | None, now: tuple, dt: float) -> None:
    """Tell elements that count whole turns how far their bodies have turned from one position to the next."""
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
