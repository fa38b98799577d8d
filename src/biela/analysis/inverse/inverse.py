"""Inverse dynamics: from a motion to the motor efforts and the joint reactions that it needs (000, introduction)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import MethodError, ModelError, Problem, so_many
from ...methods.run import Progress
from ...model.model import Model
from ...model.resolve import resolve
from ...model.resolve.expansion import without_repeats
from ...model.resolved import ResolvedDriver, ResolvedForce, ResolvedLaw, ResolvedModel
from ...results.inverse import InverseResult
from ...results.quality.driver_jumps import notes_on_jumps
from ...system.system import System, build, hold_relations
from ..assembly.assemble import as_model, automatic, put_together, refuse_unknown_coordinates, with_sections
from ..assembly.transfer import rebuilt
from ..assembly.whole_turns import angle_values, body_angles
from ..check.mobility import left_free, mobility
from ..check.movability import must_be_determined
from ..events.describe import check_stops, refuse_events
from ..kinematics.following import Follower
from ..kinematics.inputs import default_coordinate
from ..numbers import positive_number
from .efforts import States, as_force, conventions, motor_of, multipliers, required_efforts
from .instants import instants
from .prescription import Prescription, read_motion
from .recording import replay
from .refusals import break_the_joints, cannot_produce, left_undetermined, refuse_fixed, which_motion, which_motors


def inverse(
    model: Model | str | Path,
    motion: Any = None,
    *,
    motors: str | Iterable[str] | None = None,
    t_end: float | None = None,
    samples: int | None = None,
    times: Any = None,
    coordinates: str | None = None,
    smoothing: Any = None,
    spline: str = "quintic",
    free: str | None = None,
    tolerance: float = 1e-6,
    simulation: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> InverseResult:
    """Motor efforts and joint reactions that a motion needs.

    `motion` says how coordinates move: {"crank.angle": "2*pi*t"}, {"P.x": (times, values)}, a table with a column
    "t", a CSV file, a result of biela (or a .nc file of one), or a list of those; without it, the model's own drivers
    do. `motors` names the coordinates on which efforts act, by default those that are prescribed. `smoothing` is the
    noise in tables, as in "0.5 mm", or "auto". `free="simulate"` lets freedoms that nothing prescribes move as the
    forces make them. `tolerance` is the gap between prescriptions that is admitted, relative to the mechanism's size.

    >>> import biela
    >>> r = biela.inverse("slider-crank", {"theta": "20*t"}, t_end=0.3, samples=100)
    >>> bool(r.power_error < 1e-12 * r.power_scale), r["theta.effort"].unit
    (True, 'N*m')
    """
    refuse_unknown_coordinates(coordinates)
    if free not in (None, "simulate"):
        raise MethodError(Problem(f"free = {free!r} is not possible", cure='free="simulate", or leave it out'))
    tolerance = positive_number(tolerance, "tolerance", "a small positive number")
    model = without_repeats(as_model(model))
    bare = build(resolve(model.model_copy(update={"drivers": {}})), "natural")
    refuse_events(bare.resolved, "inverse dynamics" + (' with free="simulate"' if free else ""), stops=free is not None)
    asked = read_motion(model, bare, motion, smoothing, spline)
    problem = _InverseProblem(model, bare, asked, motors, coordinates)
    t = instants(asked, problem.resolved, t_end, samples, times)
    if free == "simulate" and asked.recorded is None:
        result = problem.simulated(t, samples, times, simulation, progress)
    elif asked.recorded is not None:
        result = problem.replayed(t, tolerance, progress)
    else:
        result = problem.followed(t, tolerance, progress)
    check_stops(result, "the motion", refuse=True)
    return result


class _InverseProblem:
    """One inverse problem: the same mechanism with prescriptions, with motors as unknowns, and with motors as forces.

    All three have the same coordinates, so that a state of one is a state of the others.
    """

    def __init__(self, model: Model, bare: System, asked: Prescription, motors: Any, coordinates: str | None):
        self.asked = asked
        drivers = {} if asked.recorded is not None else {d.coordinate: d.law for d in model.drivers.values()}
        self.laws = {**drivers, **asked.laws}
        self.named = None if motors is None else [motors] if isinstance(motors, str) else list(dict.fromkeys(motors))
        refuse_fixed(bare, [*self.laws, *(self.named or ())])
        if not self.laws and asked.recorded is None:
            raise which_motion(model)
        names = self.named if self.named is not None else self._default_motors(model)
        self.model = model
        self._resolve(names or [], coordinates)
        if names is None:
            names = self._motors_by_freedom()
            self._resolve(names, coordinates)
        self.motors = names

    def _resolve(self, motors: list[str], coordinates: str | None) -> None:
        self.resolved, self.tags = with_drivers(self.model, self.laws, motors)
        bare = replace(self.resolved, drivers=())
        name = automatic(bare) if coordinates in (None, "auto") else coordinates
        assert name is not None
        self.base = put_together(replace(bare, velocity={}), name)
        self.freedom = mobility(self.base)
        self.base.rank = self.freedom.rank

    # ----------------------------------------------------------------------------------------- motors
    def _default_motors(self, model: Model) -> list[str] | None:
        """Where efforts act if nobody says: on what the user prescribes, or on what the model drives."""
        driven = [d.coordinate for d in model.drivers.values()]
        if self.asked.recorded is None and not self.asked.from_file:
            return list(self.laws)
        return driven or None

    def _motors_by_freedom(self) -> list[str]:
        """A file or a recording tells how all moves: as many columns as freedoms, or the one coordinate there is."""
        count = self.freedom.freedom - len(left_free(self.base, self.freedom)[1])
        if self.laws and len(self.laws) == count:
            return list(self.laws)
        if count == 1:
            chosen = default_coordinate(self.model)
            self.asked.notes.append(f"note: no motor was named; it is taken to act on {chosen}")
            return [chosen]
        raise which_motors(self.base, count)

    # --------------------------------------------------------------------------------- the three systems
    def _like(self, drivers: Iterable[ResolvedDriver] = (), forces: Iterable[ResolvedForce] = ()) -> System:
        """The same mechanism with other drivers and further forces, in the same coordinates; with no inertia but the
        bodies' own: a motion that is prescribed may spin a rod about its line, and no motor has to pay for what holds
        such spins in other analyses ([N.9])."""
        resolved = self.base.resolved
        bodies = {name: replace(b, inertia=self.resolved.bodies[name].inertia) for name, b in resolved.bodies.items()}
        changed = replace(resolved, bodies=bodies, drivers=tuple(drivers), forces=(*resolved.forces, *forces))
        system = rebuilt(self.base, changed)
        assert system.q_names == self.base.q_names
        return system

    def _drivers(self, names: Iterable[str]) -> list[ResolvedDriver]:
        found = {d.name: d for d in self.resolved.drivers}
        return [found[self.tags[name]] for name in names]

    # ------------------------------------------------------------------------------------ three ways to a motion
    def followed(self, t: np.ndarray, tolerance: float, progress: Progress | None) -> InverseResult:
        """The prescriptions determine the motion."""
        system = self._like(self._drivers(self.laws))
        m = mobility(system, None, float(t[0]))
        refusal = partial(left_undetermined, system, m, list(self.laws))
        notes = must_be_determined(system, m, refusal)[1]
        follower = Follower(system, list(self.laws), tolerance, self.freedom.rank, m.rank - self.freedom.rank)
        done = follower.follow(self.base.q0, t, progress)
        notes += [*follower.notes, *notes_on_jumps(system, float(t[0]), float(t[-1]))]
        if len(self.laws) > follower.determined:
            worst = int(np.argmax(done.gap / follower.size))
            notes.append(
                f"note: {len(self.laws)} prescriptions for {so_many(follower.determined, 'freedom')}; they agree to "
                f"{done.gap[worst]:.2g} {follower.units[worst]} (least squares)"
            )
        if done.singular:
            at = ", ".join(f"{x:.6g}" for x in done.singular[:4])
            notes.append(
                f"note: at t = {at} s the prescribed coordinates do not determine the motion (a dead point): velocity "
                "and acceleration there are continued from the previous instant"
            )
        count, resolved = len(done.q), self.base.resolved
        states = States(t[:count], *(np.array(x) for x in (done.q, done.v, done.a)))
        self.base.q0 = states.q[0]  # angles with the whole turns that the motion gives them
        self.base.starts |= body_angles(resolved, angle_values(self.base, resolved, self.laws, states.q[0]))
        result = self._result(states, notes, progress, done.interrupted)
        result.how = f"Newton-Raphson at {count} instants"
        result.gap = dict(zip(self.laws, map(float, done.gap), strict=True))
        return result

    def replayed(self, t: np.ndarray, tolerance: float, progress: Progress | None) -> InverseResult:
        """A recording tells all positions, velocities and accelerations."""
        assert self.asked.recorded is not None
        states = replay(self.asked.recorded, self.base, t)
        self.base.q0, self.base.v0 = states.q[0], states.v[0]
        hold_relations(self.base, states.q[0])
        source = self.asked.recorded.source
        if source is not None:
            self.base.starts, self.base.given = dict(source.system.starts), dict(source.system.given)
        notes = break_the_joints(self.base, states, tolerance)
        if self.model.drivers:
            names = ", ".join(self.model.drivers)
            notes.append(f"note: the recording gives the whole motion; the laws of {names} were not used")
        result = self._result(states, notes, progress)
        result.how = f"recorded motion at {len(t)} instants"
        return result

    def simulated(
        self, t: np.ndarray, samples: int | None, times: Any, options: Mapping[str, Any] | None,
        progress: Progress | None,
    ) -> InverseResult:  # fmt: skip
        """Some coordinates are driven, the others move as the forces make them: the mixed problem."""
        from ..simulate.simulate import simulate

        if times is not None:
            what = "with free='simulate' the instants are evenly spaced"
            raise MethodError(Problem(what, cure="give t_end and samples"))
        if t[0] != 0.0:
            why = f"the motion starts at t = {t[0]:g} s"
            raise MethodError(Problem("a simulation starts at t = 0", why=why, cure="shift the times of the table"))
        if self.named is not None and set(self.named) != set(self.laws):
            why = f"prescribed: {', '.join(self.laws)}; motors: {', '.join(self.named)}"
            cure = "leave motors out, or prescribe all freedoms"
            what = "with free='simulate' motors act where motion is prescribed"
            raise MethodError(Problem(what, "motors", why, cure))
        kept = {
            part: {k: x for k, x in getattr(self.resolved, part).items() if k not in self.laws}
            for part in ("position", "velocity")
        }
        driven = replace(self.resolved, drivers=tuple(self._drivers(self.laws)), **kept)
        system = put_together(driven, self.base.coordinates)
        count = samples if samples is not None else max(1, len(t) - 1)
        run = simulate(system, float(t[-1]), samples=count, progress=progress, **dict(options or {}))
        self.base.q0, self.base.v0, self.base.starts = system.q0, system.v0, dict(system.starts)
        self.base.given = dict(system.given)
        hold_relations(self.base, system.q0)
        result = self._result(States(np.asarray(run.t), run.q, run.v, run.a, run.turns), list(run.notes))
        result.how = f"the rest simulated by {run.ran}"
        result.notes.append(f"note: {', '.join(self.laws)} driven; the rest moved freely ({run.quality()})")
        if not run.ok:
            result.complete, result.message = False, run.message
            result.interrupted = run.status.name == "interrupted"
        return result

    # ------------------------------------------------------------------------------------------- in the end
    def _result(
        self, states: States, notes: list[str], progress: Progress | None = None, interrupted: bool = False
    ) -> InverseResult:
        """The efforts of the motors, and the reactions with these as forces."""
        unknown = [replace(d, law=ResolvedLaw()) for d in self._drivers(self.motors)]
        efforts = required_efforts(self._like(unknown), states, self.freedom.rank, None if interrupted else progress)
        states = states.first(len(efforts.u))
        if np.abs(efforts.missing).max(initial=0.0) > 1e-6 * efforts.scale:
            raise cannot_produce(self._like(unknown), self.motors, states.t, efforts)
        system = self._like(forces=[as_force(d, states.t, u) for d, u in zip(unknown, efforts.u.T, strict=True)])
        system.rank = self.freedom.rank
        lam, left = multipliers(system, states)
        motors = [motor_of(self.model, d, self.resolved) for d in unknown]
        t, q, v, a = states.t, states.q, states.v, states.a
        result = InverseResult(system, t, q, v, a, lam, motors, efforts.u, states.turns)
        result.scale = efforts.scale
        result.residual = left / max(efforts.scale, 1e-300)
        result.notes += [*self.asked.notes, *notes, *conventions(efforts, self.motors, self.freedom)]
        result.missing = float(np.abs(efforts.missing).max(initial=0.0) / max(efforts.scale, 1e-300))
        if result.residual > 1e-8:
            result.notes.append(
                f"note: {result.residual:.1e} of the largest force is left over in the equations of motion: positions "
                "or accelerations do not quite fit the joints"
            )
        if interrupted or efforts.interrupted:
            result.complete, result.interrupted = False, True
            result.message = f"interrupted; all that was computed up to t = {float(t[-1]):.6g} s is kept"
        return result


def with_drivers(model: Model, laws: Mapping[str, Any], motors: Iterable[str]) -> tuple[ResolvedModel, dict[str, str]]:
    """The resolved model with a driver on everything prescribed and on every motor; coordinate -> driver."""
    known = {d.coordinate: name for name, d in model.drivers.items()}
    wanted = dict.fromkeys([*laws, *motors])
    tags = {c: known.get(c, f"drive-{k}") for k, c in enumerate(wanted)}
    drivers = {tags[c]: {"coordinate": c, "law": laws.get(c, 0.0)} for c in wanted}
    try:
        return resolve(with_sections(model, drivers=drivers)), tags
    except ModelError as error:
        called = {tag: c for c, tag in tags.items()}
        problems = [replace(p, where=_renamed(p.where, called, laws)) for p in error.problems]
        raise ModelError(problems, title=f"motion of {model.name!r}") from None


def _renamed(where: str, called: Mapping[str, str], laws: Mapping[str, Any]) -> str:
    """Not the driver that stands for it: what the user wrote."""
    parts = where.split(".")
    if parts[0] == "drivers" and len(parts) > 1 and parts[1] in called:
        c = called[parts[1]]
        return f"motion of {c}" if c in laws else f"motor on {c}"
    return where
