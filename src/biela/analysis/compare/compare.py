"""Comparison: the same motion by several methods, what each costs and how far each is off (000, table 1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
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
from ..simulate.step_length import shortest_period
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

    A method is "[coordinates:][formulation+]integrator[option=value]" (by default those of 000, table 1). All
    combinations of `coordinates`, `formulations` and `integrators` are run, too. Each method runs with every step, or,
    where the error is controlled, with every tolerance. What does not go together, and what fails, is a row with its
    reason.

    `reference` is "auto" (order 8, tolerance 1e-12; where that fails, "self"), "self" (each method against itself with
    an eighth of the smallest step), "none", or a method of your own. The recommendation asks for a position error of
    `target`, by default 1e-4 of the size of the mechanism.

    >>> import biela
    >>> c = biela.compare("simple-pendulum", ["augmented+rk4", "conserving"], steps=[2e-2, 1e-2], duration=1.0)
    >>> c.ok, [round(c.order(pair)) for pair in c.pairs]
    (True, [4, 2])
    """
    model = as_model(model)
    product = bool(coordinates or formulations or integrators)
    methods = [method_spec(pair) for pair in (pairs or (() if product else PAIRS))]
    methods += all_method_specs(coordinates, formulations, integrators) if product else []
    resolved = resolve(model)
    if duration is None and resolved.duration is None:
        raise MethodError(Problem("for how long?", cure="give duration (seconds), or run.duration in the model file"))
    first = float(resolved.step or 1e-3)
    runs = _Runs(
        model, list(dict.fromkeys(methods)), list(dict.fromkeys((first, 10 * first) if not steps else steps)),
        list(dict.fromkeys(TOLERANCES if not tolerances else tolerances)), duration, tell or (lambda text: None),
    )  # fmt: skip
    runs.refuse_nonsense(reference, product)
    if repeats < 1:
        raise MethodError(Problem(f"repeats = {repeats} is not possible", cure="1, 2, 3, ..."))
    if target is not None and not target > 0:
        raise MethodError(Problem(f"target = {target} is not possible", cure="a positive length, in m"))
    out = Comparison(
        model.name, float(duration or resolved.duration or 0.0), [w.name for w in runs.methods],
        runs.steps if any(not w.adaptive for w in runs.methods) else [],
        runs.tolerances if any(w.adaptive for w in runs.methods) else [],
        None, target=target, repeats=repeats, size=typical_length(resolved),
    )  # fmt: skip
    with suppress(BielaError):  # what does not assemble is reported by every row
        out.period = shortest_period(assemble(model))
    try:
        runs.fill(out, reference)
    except KeyboardInterrupt:
        out.interrupted = True
    return out


@dataclass
class _Runs:
    """The runs of a comparison: every method with every step, or, where the error is controlled, every tolerance."""

    model: Model
    methods: list[MethodSpec]
    steps: list[float]
    tolerances: list[float]
    duration: float | None
    tell: Tell

    def accuracies(self, w: MethodSpec) -> list[float]:
        return self.tolerances if w.adaptive else self.steps

    def refuse_nonsense(self, reference: str, product: bool) -> None:
        """Refused before anything runs; of a product of many, what does not go together is a row instead."""
        refused = [w.refused(x) for w in self.methods for x in self.accuracies(w)[: 1 if product else None]]
        errors = [error for error in refused if error is not None]
        if errors and (not product or len(errors) == len(refused)):
            raise errors[0]
        if reference not in ("auto", "none", "self"):
            w = method_spec(reference)
            error = w.refused(REFERENCE_TOLERANCE if w.adaptive else min(self.steps) / REFINED)
            if error is not None:
                raise error

    def fill(self, out: Comparison, reference: str) -> None:
        """The rows, one after another: what is there when the user interrupts is kept."""
        truth = None
        if reference not in ("none", "self"):
            truth, out.reference, out.reference_error = self._reference(reference)
        own = reference == "self" or (reference == "auto" and truth is None)
        if own:
            out.reference = f"each method's own run with 1/{REFINED} of its smallest step (self-convergence)"
        every = [(w, x) for w in self.methods for x in self.accuracies(w)]
        compiled: set[MethodSpec] = set()
        truths: dict[MethodSpec, Any] = {}
        for count, (w, accuracy) in enumerate(every):
            where = f"[{count + 1}/{len(every)}] {w.name}, {'tolerance' if w.adaptive else 'step'} {accuracy:g}"
            error = w.refused(accuracy)
            if error is None:
                try:
                    if w not in compiled:  # what a pair compiles, it compiles in a run that is not timed
                        self.tell(f"{where}: warming up")
                        short = min(out.duration or 1.0, 4 * accuracy)
                        self._run(w, accuracy, self.duration if w.adaptive else short)
                        compiled.add(w)
                    if own and w not in truths:
                        self.tell(f"{where}: its own reference")
                        fine = self._run(w, min(self.accuracies(w)) / REFINED, self.duration)
                        truths[w] = _ends(fine) if fine.finished else None
                    self.tell(where)
                    best = self._best_of(out.repeats, w, accuracy)
                    out.rows.append(_row(w, accuracy, best, truths[w] if own else truth))
                    continue
                except BielaError as problem:
                    error = problem
            out.rows.append(_refused(w, accuracy, error))

    def _best_of(self, repeats: int, w: MethodSpec, accuracy: float) -> Result:
        """The fastest of some runs; one that fails is not repeated."""
        results = []
        for _ in range(repeats):
            results.append(self._run(w, accuracy, self.duration))
            if not results[-1].finished:
                break
        return min(results, key=lambda r: r.trajectory.cpu)

    def _reference(self, reference: str) -> tuple[Any, str | None, float]:
        """Where the points end by the reference, its name, and how far it may be off: what a looser one differs by."""
        for text in REFERENCES if reference == "auto" else (reference,):
            self.tell(f"reference: {text}")
            w = method_spec(text)
            fine, coarse = (REFERENCE_TOLERANCE, LOOSER) if w.adaptive else (None, None)
            try:
                result = self._run(w, fine, self.duration)
                if not result.finished:
                    continue
                looser = self._run(w, coarse, self.duration) if w.adaptive else result
            except BielaError:
                if reference != "auto":
                    raise
                continue
            ends = _ends(result)
            off = _distance(_ends(looser)[0], ends[0]) if looser.finished else 0.0
            return ends, text + (f", tolerance {fine:g}" if fine else ""), off
        return None, None, 0.0

    def _run(self, w: MethodSpec, accuracy: float | None, duration: float | None) -> Result:
        result = simulate(self.model, duration, samples=1, **w.options(accuracy))
        if result.status == Status.interrupted:  # a run keeps what it has; a comparison has no use for half a run
            raise KeyboardInterrupt
        return result


def _row(w: MethodSpec, accuracy: float, result: Result, truth: Any) -> Row:
    tr = result.trajectory
    # where the equations are solved within the step, each iteration of Newton's evaluates them
    evaluations = tr.evaluations + (tr.iterations if result.settings.integrator.direct else 0)
    position = velocity = None
    if truth is not None and result.finished:
        here = _ends(result)
        position, velocity = (_distance(at, there) for at, there in zip(here, truth, strict=True))
    return Row(
        w.name, result.system.coordinates, result.settings.formulation.name, w.integrator, **w.accuracy(accuracy),
        time=tr.cpu, steps=tr.steps, evaluations=evaluations, iterations=tr.iterations, energy_error=tr.energy_error,
        violation=tr.violation, position_error=position, velocity_error=velocity, ran=result.ran,
        status=result.status.name, message=" ".join(result.message.split()),
    )  # fmt: skip


def _refused(w: MethodSpec, accuracy: float, error: BielaError) -> Row:
    why = "; ".join(f"{p.what}" + (f" ({p.why})" if p.why else "") for p in error.problems)
    return Row(w.name, w.coordinates, w.formulation, w.integrator, **w.accuracy(accuracy), message=why)


def _ends(result: Result) -> tuple[dict[str, Any], dict[str, Any]]:
    """Positions and velocities of the points at the end, and of the centres of bodies that have none."""
    bare = [name for name, body in result.system.resolved.bodies.items() if not body.points]
    places = result.final | {name: result[f"{name}.position"][-1] for name in bare}
    return places, {name: result[f"{name}.velocity"][-1] for name in places}


def _distance(here: dict[str, Any], there: dict[str, Any]) -> float:
    return max((dist(at, there[name]) for name, at in here.items()), default=0.0)
