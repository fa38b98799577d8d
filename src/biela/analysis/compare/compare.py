"""Comparison: the same motion by several methods, what each costs and how far each is off (000, table 1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from math import dist
from pathlib import Path
from typing import Any

from ...errors import BielaError, MethodError, Problem
from ...methods.status import Status
from ...model.model import Model
from ...model.resolve import resolve
from ...results.result import Result
from ...system.system import typical_length
from ..assembly.assemble import as_model, assemble
from ..simulate.simulate import simulate
from ..simulate.step_rules import shortest_period
from .methods import MethodSpec, all_method_specs, method_spec
from .study import Comparison, Row

PAIRS = ("penalty+trapezoidal", "augmented+trapezoidal", "projection+rk2", "projection+abm4")
"""those of 000, table 1"""
REFERENCES = ("lagrange+dop853", "augmented+dop853", "augmented+radau")
REFERENCE_TOLERANCE, LOOSER = 1e-12, 1e-11
TOLERANCES = (1e-5, 1e-8)
REPEATS = 3  # the time is the best of these
REFINED = 8
"""steps of the self-convergence reference: so much smaller than the smallest"""

Tell = Callable[[str], None]


def compare(
    model: Model | str | Path,
    pairs: Sequence[str] | None = None,
    steps: Sequence[float] | None = None,
    duration: float | None = None,
    reference: str = "auto",
    tell: Tell | None = None,
    *,
    coordinates: Sequence[str] = (),
    formulations: Sequence[str] = (),
    integrators: Sequence[str] = (),
    tolerances: Sequence[float] | None = None,
    target: float | None = None,
    repeats: int = REPEATS,
) -> Comparison:
    """Run a mechanism in several ways and measure what each costs and how far it is off.

    A way is "[coordinates:][formulation+]integrator[knob=value]" (by default those of 000, table 1). All combinations
    of `coordinates`, `formulations` and `integrators` are run, too. Each way runs with every step, or, where the error
    is controlled, with every tolerance. What does not go together, and what fails, is a row with its reason.

    `reference` is "auto" (order 8, tolerance 1e-12; where that fails, "self"), "self" (each method against itself with
    an eighth of the smallest step), "none", or a way of your own. The recommendation asks for a position error of
    `target`, by default 1e-4 of the size of the mechanism.

    >>> import biela
    >>> c = biela.compare("simple-pendulum", ["augmented+rk4", "conserving"], steps=[2e-2, 1e-2], duration=1.0)
    >>> c.ok, [round(c.order(pair)) for pair in c.pairs]
    (True, [4, 2])
    """
    model, tell = as_model(model), tell or (lambda text: None)
    product = bool(coordinates or formulations or integrators)
    ways = [method_spec(pair) for pair in (pairs or (() if product else PAIRS))]
    ways = list(dict.fromkeys([*ways, *(all_method_specs(coordinates, formulations, integrators) if product else ())]))
    resolved = resolve(model)
    if duration is None and resolved.duration is None:
        raise MethodError(Problem("for how long?", cure="give duration (seconds), or run.duration in the model file"))
    first = float(resolved.step or 1e-3)
    steps = list(dict.fromkeys((first, 10 * first) if not steps else steps))
    tolerances = list(dict.fromkeys(TOLERANCES if not tolerances else tolerances))
    _refuse(ways, steps, tolerances, reference, product, repeats, target)
    out = Comparison(
        model.name, float(duration or resolved.duration or 0.0), [w.name for w in ways], steps,
        tolerances if any(w.adaptive for w in ways) else [], None, target=target, repeats=repeats,
        size=typical_length(resolved),
    )  # fmt: skip
    out.steps = steps if any(not w.adaptive for w in ways) else []
    with suppress(BielaError):  # what does not assemble is told by every row
        out.period = shortest_period(assemble(model))
    try:
        _fill(out, model, ways, steps, tolerances, duration, reference, tell)
    except KeyboardInterrupt:
        out.interrupted = True
    return out


def _fill(
    out: Comparison, model: Model, ways: list[MethodSpec], steps: list[float], tolerances: list[float],
    duration: float | None, reference: str, tell: Tell,
) -> None:  # fmt: skip
    """The rows, one after another: what is there when somebody interrupts is kept."""
    truth = None
    if reference not in ("none", "self"):
        truth, out.reference, out.reference_error = _truth(model, duration, reference, tell)
    own = reference == "self" or (reference == "auto" and truth is None)
    if own:
        out.reference = f"each method's own run with 1/{REFINED} of its smallest step (self-convergence)"
    runs = [(w, a) for w in ways for a in (tolerances if w.adaptive else steps)]
    warm: set[MethodSpec] = set()
    truths: dict[MethodSpec, Any] = {}
    for count, (w, accuracy) in enumerate(runs):
        where = f"[{count + 1}/{len(runs)}] {w.name}, {'tolerance' if w.adaptive else 'step'} {accuracy:g}"
        error = w.refused(accuracy)
        if error is None:
            try:
                if w not in warm:  # what a pair compiles, it compiles in a run that is not timed
                    tell(f"{where}: warming up")
                    _run(model, w, accuracy, min(out.duration or 1.0, 4 * accuracy) if not w.adaptive else duration)
                    warm.add(w)
                if own and w not in truths:
                    tell(f"{where}: its own reference")
                    finest = min(tolerances) if w.adaptive else min(steps)
                    fine = _run(model, w, finest / REFINED, duration)
                    truths[w] = _ends(fine) if fine.finished else None
                tell(where)
                results = []
                for _ in range(out.repeats):
                    results.append(_run(model, w, accuracy, duration))
                    if not results[-1].finished:
                        break
                best = min(results, key=lambda r: r.trajectory.cpu)
                out.rows.append(_row(w, accuracy, best, truths[w] if own else truth))
                continue
            except BielaError as problem:
                error = problem
        out.rows.append(_refused(w, accuracy, error))


def _refuse(ways: list[MethodSpec], steps: list[float], tolerances: list[float], reference: str, product: bool,
            repeats: int, target: float | None) -> None:  # fmt: skip
    """Nonsense is refused before anything runs; of a product of many, what does not go together is a row instead."""
    if not product:
        for w in ways:
            for accuracy in tolerances if w.adaptive else steps:
                error = w.refused(accuracy)
                if error is not None:
                    raise error
    if all(w.refused((tolerances if w.adaptive else steps)[0]) for w in ways):
        error = ways[0].refused((tolerances if ways[0].adaptive else steps)[0])
        assert error is not None
        raise error
    if reference not in ("auto", "none", "self"):
        error = method_spec(reference).refused(
            REFERENCE_TOLERANCE if method_spec(reference).adaptive else min(steps) / REFINED
        )
        if error is not None:
            raise error
    if repeats < 1:
        raise MethodError(Problem(f"repeats = {repeats} is not possible", cure="1, 2, 3, ..."))
    if target is not None and not target > 0:
        raise MethodError(Problem(f"target = {target} is not possible", cure="a positive length, in m"))


def _run(model: Model, w: MethodSpec, accuracy: float, duration: float | None) -> Result:
    return _finished(simulate(model, duration, samples=1, **w.options(accuracy)))


def _finished(result: Result) -> Result:
    """A run swallows Ctrl-C to keep what it has; a comparison has no use for half a run."""
    if result.status == Status.interrupted:
        raise KeyboardInterrupt
    return result


def _truth(model: Model, duration: float | None, reference: str, tell: Tell) -> tuple[Any, str | None, float]:
    """Where the points end by the reference, its name, and how far it may be off: what a looser one differs by."""
    for text in REFERENCES if reference == "auto" else (reference,):
        tell(f"reference: {text}")
        w = method_spec(text)
        fine, coarse = (REFERENCE_TOLERANCE, LOOSER) if w.adaptive else (None, None)
        try:
            result = _finished(simulate(model, duration, samples=1, **w.options(fine)))
            if not result.finished:
                continue
            looser = _finished(simulate(model, duration, samples=1, **w.options(coarse))) if w.adaptive else result
        except BielaError:
            if reference != "auto":
                raise
            continue
        ends = _ends(result)
        off = _distance(_ends(looser)[0], ends[0]) if looser.finished else 0.0
        return ends, text + (f", tolerance {fine:g}" if fine else ""), off
    return None, None, 0.0


def _row(w: MethodSpec, accuracy: float, result: Result, truth: Any) -> Row:
    tr = result.trajectory
    # where the equations are solved within the step, each iteration of Newton's evaluates them
    evaluations = tr.evaluations + (tr.iterations if result.settings.integrator.direct else 0)
    position = velocity = None
    if truth is not None and result.finished:
        here = _ends(result)
        position, velocity = (_distance(at, there) for at, there in zip(here, truth, strict=True))
    return Row(
        w.name, result.system.coordinates, result.settings.formulation.name, w.integrator,
        None if w.adaptive else accuracy, accuracy if w.adaptive else None, tr.cpu, tr.steps, evaluations,
        tr.iterations, tr.energy_error, tr.violation, position, velocity, result.ran, result.status.name,
        " ".join(result.message.split()),
    )  # fmt: skip


def _refused(w: MethodSpec, accuracy: float, error: BielaError) -> Row:
    why = "; ".join(f"{p.what}" + (f" ({p.why})" if p.why else "") for p in error.problems)
    step, tolerance = (None, accuracy) if w.adaptive else (accuracy, None)
    return Row(w.name, w.coordinates, w.formulation, w.integrator, step, tolerance, None, 0, 0, 0, None, None, None,
               None, "", "refused", why)  # fmt: skip


def _ends(result: Result) -> tuple[dict[str, Any], dict[str, Any]]:
    """Positions and velocities of the points at the end, and of the centres of bodies that have none."""
    bare = [name for name, body in result.system.resolved.bodies.items() if not body.points]
    places = result.final | {name: result[f"{name}.position"][-1] for name in bare}
    return places, {name: result[f"{name}.velocity"][-1] for name in places}


def _distance(here: dict[str, Any], there: dict[str, Any]) -> float:
    return max((dist(at, there[name]) for name, at in here.items()), default=0.0)
