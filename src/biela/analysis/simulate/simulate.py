"""Simulation: the direct dynamic problem, from a model to a result."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from ...coordinates.natural.space_layout import CROSSED
from ...errors import BielaError, MethodError, Problem
from ...methods.checkpoint import Save
from ...methods.control.stiffness import LARGEST, fastest_decay
from ...methods.evaluation import functions
from ...methods.options import OPTIONS, RunOptions, check_names, spelled_out
from ...methods.registry import Integrator, relatives
from ...methods.run import Progress, run
from ...methods.settings import Settings, apply, choose
from ...model import expression as ex
from ...model.model import Model
from ...model.resolve.expansion import without_repeats
from ...results.result import Result
from ...system.system import System
from ..assembly.assemble import as_model, assemble
from ..check.movability import checked_mobility
from ..events.event_run import run_with_events
from ..numbers import count_of, number, whole_number
from .notes import add_notes
from .step_length import longest_step, shortest_period, step_rule_notes

LONGEST = 1e9
"""seconds; thirty years"""
MOST_NUMBERS = 100_000_000
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
    samples = count_of(samples, "samples", 1, 10_000_000)
    more = read_options(options)
    step = more.pop("step", None)
    wanted = choose(formulation, integrator, step, **more).integrator  # refuse nonsense at once
    model = model if isinstance(model, System) else as_model(model)
    system = _system(model, coordinates, formulation, wanted)
    duration = _duration(system, t_end)
    freedom = checked_mobility(system)
    stiff = integrator in (None, "auto") and (is_stiff(system, duration, formulation) or sticks_between_events(system))
    more |= {"stiff": stiff, "eventful": system.resolved.eventful, "redundant": freedom.redundant > 0}
    settings = choose(formulation, integrator, step, **more)
    if settings.step is None and not settings.adaptive:
        settings = choose(formulation, integrator, float(system.resolved.step or duration / 2000), **more)
    if settings.step is None:  # error-controlled: no step may be longer than what the laws of time show
        settings = replace(settings, step=longest_step(system, duration))
    else:
        _check_step(settings.step, duration)
    period = None if settings.adaptive or settings.integrator.scipy else shortest_period(system)
    kept = min(samples, max(2, MOST_NUMBERS // (2 * len(system.arrays.y) + system.m + 1)))
    save = None if checkpoint is None else _saver(Path(checkpoint), model, system, settings, duration, kept)
    system.workspace.begin_counting()
    if system.resolved.eventful:
        result: Result = run_with_events(system, settings, duration, kept, progress)
    else:
        result = Result(system, settings, run(system, settings, duration, kept, progress, save=save), duration)
        keep_checkpoint(result, save)
    result.again = partial(run_again, system, duration, kept, (system.q0.copy(), system.v0.copy()))
    add_notes(result, freedom)
    result.notes += step_rule_notes(settings, period)
    if kept < samples:
        result.notes.append(f"note: {kept} samples are kept instead of {samples}, to save memory")
    return result


def run_again(
    system: System, duration: float, samples: int, start: tuple[np.ndarray, np.ndarray], settings: Settings,
    progress: Progress,
) -> Result:  # fmt: skip
    """A run once more, with other settings, wherever the system starts by now."""
    twin = copy(system)
    twin.q0, twin.v0 = start
    if system.resolved.eventful:
        return run_with_events(twin, settings, duration, samples, progress)
    return Result(twin, settings, run(twin, settings, duration, samples, progress), duration)


def _system(model: Model | System, coordinates: str | None, formulation: str | None, integrator: Integrator) -> System:
    """The system to be run, in coordinates that the integrator works in."""
    if not isinstance(model, System):
        system = assemble(model, coordinates_for(model, coordinates, formulation, integrator))
    elif coordinates not in (None, "auto", model.coordinates):
        what = f"the system is in {model.coordinates} coordinates, not in {coordinates}"
        raise MethodError(Problem(what, cure=f"give the model itself, or assemble(model, {coordinates!r})"))
    else:
        system = model
    check_coordinates(integrator, system)
    return system


def _check_step(step: float, duration: float) -> None:
    if step > duration:
        what = f"step = {step:g} s is longer than the run of {duration:g} s"
        raise MethodError(Problem(what, cure="give a smaller step"))
    if duration / step > 1e10:
        raise MethodError(Problem(f"step = {step:g} s means {duration / step:.1e} steps", cure="give a larger step"))


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


def _saver(
    path: Path, model: Model | System, system: System, settings: Settings, duration: float, samples: int
) -> Save:
    """What writes checkpoints of the run."""
    from .checkpoint_file import SavedRun, saver

    if isinstance(model, System):
        what = "a system does not know its model, so no checkpoint can be written"
        raise MethodError(Problem(what, cure="give the model itself"))
    if system.resolved.eventful:
        why = "it is made of pieces between its events"
        raise MethodError(Problem("a run with events writes no checkpoints", why=why, cure="leave the checkpoint out"))
    if settings.integrator.scipy:
        what = f"{settings.integrator.name} cannot be resumed, so no checkpoint can be written"
        cure = "integrator='dopri5', or one with fixed steps"
        raise MethodError(Problem(what, why="its memory is SciPy's own", cure=cure))
    return saver(path, SavedRun(model, system, settings, duration, samples))


def keep_checkpoint(result: Result, save: Save | None) -> None:
    """Write where an interrupted run is; if that fails the result is kept all the same, and says so."""
    if save is None or result.trajectory.checkpoint is None:
        return
    try:
        save(result.trajectory.checkpoint)
    except BielaError as error:
        result.notes.append(f"note: no checkpoint: {'; '.join(f'{p.what} ({p.why})' for p in error.problems)}")
