"""Simulation: the direct dynamic problem, from a model to a result."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any, Unpack
from weakref import WeakKeyDictionary

import numpy as np

from ...coordinates.natural.space_layout import CROSSED
from ...errors import AssemblyError, BielaError, MethodError, Problem, so_many
from ...machine.kept_code import notes as notes_on_machine_code
from ...methods.checkpoint import Save
from ...methods.control.stiffness import LARGEST, fastest_decay
from ...methods.options import OPTIONS, RunOptions, check_names, spelled_out
from ...methods.registry import Integrator, relatives
from ...methods.run import Progress, functions, run
from ...methods.settings import Settings, apply, choose
from ...methods.status import Status
from ...model import expression as ex
from ...model.model import Model
from ...model.resolve.expansion import without_repeats
from ...results.quality.unseen import LOOKS, opaque_forces
from ...results.result import Result
from ...system.system import System
from ..assembly.assemble import as_model, assemble
from ..check.large_mobility import locked_large
from ..check.massless import without_inertia
from ..check.mobility import Mobility, mobility, nearly_redundant, rank_of, scaled_jacobian
from ..check.singularity import describe_singularity
from ..events.course import run_with_events
from ..numbers import number, whole_number
from .law_ends import law_that_ends
from .longest_step import longest_step
from .step_notes import step_notes, worst_equation
from .step_rules import shortest_period, step_rule_notes

LONGEST = 1e9
"""seconds; thirty years"""
ROOM_FOR_SAMPLES = 100_000_000
"""numbers that all samples of a run may take together: 800 MB"""
STIFF = 3e5
"""decay rate times duration beyond which an explicit integrator is not the choice of `auto`"""


@spelled_out
def simulate(
    model: Model | System | str | Path,
    t_end: float | None = None,
    *,
    coordinates: str | None = None,
    formulation: str | None = None,
    integrator: str | None = None,
    samples: int = 1000,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
    **options: Unpack[RunOptions],
) -> Result:
    """Simulate a mechanism for t_end seconds (by default the duration its file gives).

    With nothing chosen, biela chooses and controls the error. Whatever happens, a `Result` comes back with all that
    was computed; `result.ok` and `result.explain()` say how it went. An interrupted run goes on with `biela.resume`;
    `checkpoint` names a file (.npz) that a long run writes every minute, and when it is interrupted.

    `adaptive=True` gives any integrator of one step steps of variable length: `tolerance` is then the accuracy of the
    whole run, `step` the longest step, and `criterion` what steers it, "error" or "energy".

    As text 000 runs its examples: `corrector_tolerance` and `position_tolerance` (of `projection`) are absolute, in the
    units of the coordinates and of Phi, `starter="rk2"` begins the Adams methods, `multiplier_updates=1` improves the
    multipliers once in each iteration of the corrector.

    >>> import biela
    >>> r = biela.simulate("double-pendulum", 10, formulation="penalty", integrator="trapezoidal", step=1e-3)
    >>> r.ok, bool(0.002 < r.trajectory.energy_error < 0.02)
    (True, True)
    """
    samples = whole_number(samples, "samples")
    more = read_options(options)
    step = more.pop("step", None)
    wanted = choose(formulation, integrator, step, **more).integrator  # refuse nonsense at once
    if isinstance(model, System):
        system = model
        if checkpoint is not None:
            raise MethodError(Problem("a system does not know its model, so no checkpoint can be written",
                                      cure="give the model itself"))  # fmt: skip
        if coordinates not in (None, "auto", system.coordinates):
            raise MethodError(Problem(f"the system is in {system.coordinates} coordinates, not in {coordinates}",
                                      cure=f"give the model itself, or assemble(model, {coordinates!r})"))  # fmt: skip
    else:
        model = as_model(model)
        system = assemble(model, coordinates_for(model, coordinates, formulation, wanted))
    check_coordinates(wanted, system)
    duration = _duration(system, t_end)
    if not 1 <= samples <= 10_000_000:
        raise MethodError(Problem(f"samples = {samples} is not possible", cure="from 1 to 10 million"))
    freedom = looked_over(system)
    stiff = integrator in (None, "auto") and (is_stiff(system, duration, formulation) or sticks_between_events(system))
    more |= {"stiff": stiff, "eventful": system.resolved.eventful, "redundant": freedom.redundant > 0}
    settings = choose(formulation, integrator, step, **more)
    if settings.step is None and not settings.adaptive:
        chosen = system.resolved.step or duration / 2000
        settings = choose(formulation, integrator, float(chosen), **more)
    if settings.step is not None and settings.step > duration:
        raise MethodError(
            Problem(f"step = {settings.step:g} s is longer than the run of {duration:g} s", cure="give a smaller step")
        )
    if settings.step is not None and duration / settings.step > 1e10:
        raise MethodError(Problem(f"step = {settings.step:g} s means {duration / settings.step:.1e} steps",
                                  cure="give a larger step"))  # fmt: skip
    period = None if settings.adaptive or settings.integrator.scipy else shortest_period(system)
    if settings.step is None:  # error-controlled: no step may be longer than what the laws of time show
        settings = replace(settings, step=longest_step(system, duration))
    system.workspace.begin_counting()
    kept = min(samples, max(2, ROOM_FOR_SAMPLES // (2 * len(system.arrays.y) + system.m + 1)))
    save = None
    if checkpoint is not None and system.resolved.eventful:
        raise MethodError(
            Problem("a run with events writes no checkpoints", why="it is made of pieces between its events",
                    cure="leave the checkpoint out")
        )  # fmt: skip
    if checkpoint is not None and isinstance(model, Model):
        save = _saver(Path(checkpoint), model, system, settings, duration, kept)
    if system.resolved.eventful:
        result: Result = run_with_events(system, settings, duration, kept, progress)
    else:
        result = Result(system, settings, run(system, settings, duration, kept, progress, save=save), duration)
        keep_place(result, save)
    remarks(result, freedom)
    result.notes += step_rule_notes(settings, period)
    if kept < samples:
        result.notes.append(f"note: {kept} samples are kept instead of {samples}, to save memory")
    return result


def read_options(options: RunOptions) -> dict[str, Any]:
    """Options with their numbers in SI units, as `choose` takes them."""
    check_names(options)
    out: dict[str, Any] = {}
    for name, value in options.items():
        o = OPTIONS[name]
        if value is None or o.kind == "word":
            out[name] = value
        elif o.kind == "flag":
            out[name] = bool(value)
        elif o.is_quantity:
            out[name] = number(value, name, o.kind)
        else:
            out[name] = whole_number(value, name)
    return out


def coordinates_for(
    model: Model, coordinates: str | None, formulation: str | None, integrator: Integrator | None = None
) -> str | None:
    """The R matrix likes relative coordinates as its independent ones (000 4.4.3); some integrators work in few."""
    if coordinates in (None, "auto") and integrator is not None and integrator.coordinates:
        return integrator.coordinates[0]
    if coordinates in (None, "auto") and formulation == "projection" and without_repeats(model).coordinates:
        return "mixed"
    return coordinates


def check_coordinates(integrator: Integrator, system: System) -> None:
    """Refuse coordinates that an integrator does not work in."""
    crossed = system.coordinates in ("natural", "mixed") and len(system.arrays.tree_calls) > 0
    if not integrator.coordinates or (system.coordinates in integrator.coordinates and not crossed):
        return
    bodies = [b.name for b in system.resolved.bodies.values() if b.carrier in CROSSED]
    why = "it needs a mass matrix that does not change"
    if crossed:
        why += f"; that of a body carried by {', '.join(CROSSED)} does: {', '.join(bodies)}"
    cure = f"coordinates = one of {', '.join(integrator.coordinates)}"
    if others := relatives(integrator, system.coordinates):
        cure += f"; or integrator = {' or '.join(repr(name) for name in others)}, in {system.coordinates} coordinates"
    raise MethodError(
        Problem(
            f"{integrator.name} does not work in {system.coordinates} coordinates" + (" here" if crossed else ""),
            why=why,
            cure="leave the carrier out" if crossed else cure,
        )
    )


def _duration(system: System, t_end: float | None) -> float:
    value = system.resolved.duration if t_end is None else t_end
    if value is None:
        raise MethodError(Problem("for how long?", cure="give t_end (seconds), or run.duration in the model file"))
    value = number(value, "t_end", "time")
    if not (isfinite(value) and 0 < value <= LONGEST):
        cure = f"give a positive number of seconds, at most {LONGEST:g}"
        raise MethodError(Problem(f"a duration of {value:g} s is not possible", cure=cure))
    return value


_LOOKED_OVER: WeakKeyDictionary[System, tuple[bytes, bytes, Mobility]] = WeakKeyDictionary()
"""of each system: the start and the constants of the rows that it was looked over with, and what was found"""


def looked_over(system: System) -> Mobility:
    """Mobility at the start, where it can move as asked; looked at once, however often the system is run from there."""
    start, constants = system.q0.tobytes(), system.arrays.c.tobytes()
    known = _LOOKED_OVER.get(system)
    if known is not None and known[:2] == (start, constants):
        return known[2]
    freedom = mobility(system)
    system.rank = freedom.rank
    check_motion(system, freedom)
    _LOOKED_OVER[system] = start, constants, freedom
    return freedom


def check_motion(system: System, freedom: Mobility, inertia: bool = True) -> None:
    """Refuse models that cannot move as asked: no freedom, locked drivers, parts without inertia (if that matters)."""
    problems = []
    rows = system.equations.rows
    if freedom.freedom == 0 and not freedom.drivers:
        problems.append(
            Problem(
                "nothing can move: the mechanism is a structure",
                where=", ".join(dict.fromkeys(r.owner for r in rows)),
                why=f"{freedom.n} coordinates, {freedom.rank} independent constraints",
                cure="remove a joint or a bar",
            )
        )
    locked = locked_drivers(system)
    for name in locked:
        problems.append(
            Problem(
                f"driver {name!r} drives what is fixed already",
                where=f"drivers.{name}",
                why="the joints and the other drivers determine its coordinate",
                cure="remove the driver, or a constraint that locks its coordinate",
            )
        )
    problems += without_inertia(system) if inertia else []
    if problems:
        raise AssemblyError(problems, title=f"model {system.name!r}")


def locked_drivers(system: System) -> list[str]:
    """Drivers whose row adds nothing to the rank of the rows before it, in any nearby pose."""
    from ..check.mobility import regular_poses

    if system.is_large:
        return locked_large(system)
    rows = system.equations.rows
    names = [r.name for r in rows if r.role == "driver"]
    if not names:
        return []
    others = [k for k, r in enumerate(rows) if r.role != "driver"]
    drivers = [k for k, r in enumerate(rows) if r.role == "driver"]
    locked = []
    poses = regular_poses(system, system.q0, 0.0)
    matrices = [scaled_jacobian(system, q) for q in poses]
    kept = list(others)
    for k in drivers:
        gains = [rank_of(B[[*kept, k]], system.slack) - rank_of(B[kept], system.slack) for B in matrices]
        if max(gains) == 0:
            locked.append(rows[k].name)
        else:
            kept.append(k)
    return locked


def is_stiff(system: System, duration: float, formulation: str | None) -> bool:
    """Fast decay somewhere: eigenvalues of the linearised equations at the start."""
    if system.n > LARGEST or not system.equations.forces:
        return False
    settings = choose(formulation if formulation not in (None, "auto", "projection") else "augmented", "rk4")
    apply(settings, system)
    return fastest_decay(system, functions(settings, system)[0], 0.0) * duration > STIFF


def sticks_between_events(system: System) -> bool:
    """Laws that switch by speed, as dry friction does, and events beside them: where such a law holds the mechanism it
    is stiff, and a run in pieces does not change its integrator."""
    laws = [f.law.expression for f in system.equations.forces if f.law.expression is not None]
    return system.resolved.eventful and any(ex.switches_by(law, "v") for law in laws)


def _beside_a_singularity(result: Result) -> str:
    """Where a run stops because drivers ask for more than the mechanism can reach, that is what must be said."""
    system, (t, y, _) = result.system, result.trajectory.last
    q = y[: system.nq]
    drivers = [repr(r.name) for r in system.equations.rows if r.role == "driver"]
    if not drivers or not np.isfinite(q).all() or system.rank < 1 or system.is_large:
        return ""
    s = np.linalg.svd(scaled_jacobian(system, q, t), compute_uv=False)
    if s[system.rank - 1] > 0.02:
        return ""
    what = describe_singularity(system, q, t)
    return f". {what}. Driver {' and '.join(drivers)} may ask for more than the mechanism can reach from here"


def _saver(path: Path, model: Model, system: System, settings: Settings, duration: float, samples: int) -> Save:
    from .checkpoint_file import saver

    if settings.integrator.scipy:
        raise MethodError(Problem(f"{settings.integrator.name} cannot be resumed, so no checkpoint can be written",
                                  why="its memory is SciPy's own",
                                  cure="integrator='dopri5', or one with fixed steps"))  # fmt: skip
    return saver(path, model, system, settings, duration, samples)


def keep_place(result: Result, save: Save | None) -> None:
    """Write where an interrupted run is; if that fails the result is kept all the same, and says so."""
    if save is None or result.trajectory.checkpoint is None:
        return
    try:
        save(result.trajectory.checkpoint)
    except BielaError as error:
        result.notes.append(f"note: no checkpoint: {'; '.join(f'{p.what} ({p.why})' for p in error.problems)}")


def remarks(result: Result, freedom: Mobility) -> None:
    """What is to be said of a run: why it stopped, what was redundant, what was changed."""
    tr, system = result.trajectory, result.system
    result.asked, system.workspace.asked = system.workspace.asked, {}
    if result.status == Status.singular:
        t, y, ydot = tr.last
        ahead, nq, n = (tr.stopped_at or t) - t, system.nq, system.n
        q = system.displaced(y[:nq], ahead * y[nq : nq + n] + 0.5 * ahead**2 * ydot[nq : nq + n])
        result.message = describe_singularity(system, q, tr.stopped_at)
    elif result.status == Status.user_function:
        result.message = str(system.workspace.error)
    elif result.status != Status.finished and not result.message:
        kept = f"all that was computed up to t = {float(result.t[-1]):.6g} s is kept"
        failed = worst_equation(result) if result.status == Status.iteration else ""
        result.ended_law = law_that_ends(result)
        what = result.ended_law or result.hopeless or f"{result.status.sentence}{failed}{_beside_a_singularity(result)}"
        result.message = f"{what}; {kept}"
    if freedom.singular:
        where = describe_singularity(system, system.q0, 0.0)
        result.notes.append(f"note: {where}; accelerations and reactions at the start are not determined by the "
                            "constraints")  # fmt: skip
    if freedom.redundant > 0:
        result.notes.append(
            f"note: {so_many(freedom.redundant, 'redundant constraint row')} among {', '.join(freedom.involved)}; "
            "multipliers are those of least norm"
        )
    if tr.handed_over is not None:
        before = result.settings.integrator.name
        result.notes.append(f"note: from t = {tr.handed_over:.6g} s on, radau5 took over: a fast decay, not the "
                            f"tolerance, had made the steps of {before} short")  # fmt: skip
    if result.settings.machine == "tape" and tr.machine != "tape":
        why = system.workspaces.codes.get(result.settings, "nothing was evaluated")
        result.notes.append(f"note: there is no machine code for this mechanism alone: {why}; the generic code ran")
    result.notes += [*step_notes(result), *notes_on_machine_code()]
    if freedom.doubtful:
        result.notes.append(f"note: {nearly_redundant(freedom.doubtful)}")
    here = system.workspace
    if here.calls:
        share = 100 * here.seconds / max(tr.wall, 1e-9)
        result.notes.append(f"note: Python functions were called {here.calls} times, {share:.0f} % of the time")
    if opaque := opaque_forces(result):
        names = ", ".join(repr(f.name) for f in opaque)
        looked = f"by a Python function, looked at every {result.duration / LOOKS:.2g} s"
        result.notes.append(f"note: {names}: {looked}; if it changes faster than that, give scale=")
    if result.settings.step and tr.step and abs(tr.step / result.settings.step - 1) > 1e-9:
        asked = result.settings.step
        result.notes.append(f"note: step {asked:g} s changed to {tr.step:.9g} s to end at {result.duration:g} s")
