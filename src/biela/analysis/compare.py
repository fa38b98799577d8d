"""Comparison: the same motion by several methods, what each costs and how far each is off (000, table 1)."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import dist
from pathlib import Path
from typing import Any

from ..errors import MethodError, Problem
from ..methods.settings import choose
from ..methods.status import Status
from ..model.model import Model
from ..model.resolve import resolve
from ..results.result import Result
from .assembly import as_model
from .simulate import simulate

PAIRS = ("penalty+trapezoidal", "augmented+trapezoidal", "projection+rk2", "projection+abm4")
"""those of 000, table 1"""
REFERENCES = ("lagrange+dop853", "augmented+dop853")
REFERENCE_TOLERANCE = 1e-12
REPEATS = 3  # the time is the best of these
COLUMNS = {"time [ms]": 10, "evaluations": 13, "energy error [J]": 18, "position error [m]": 21}
WIDTH = sum(COLUMNS.values())

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Row:
    """One method with one step."""

    pair: str
    step: float
    time: float
    """of the time loop alone, s: compilation and assembly are not in it"""
    steps: int
    evaluations: int
    iterations: int
    energy_error: float
    violation: float
    position_error: float | None
    """largest distance of a point from where the reference has it at the end, m"""
    status: str
    message: str

    @property
    def ok(self) -> bool:
        return self.status == "finished"


@dataclass
class Comparison:
    """Rows for every method and step, and the reference they were measured against."""

    model: str
    duration: float
    pairs: list[str]
    steps: list[float]
    reference: str | None
    rows: list[Row] = field(default_factory=list)

    interrupted: bool = False
    """somebody lost patience: the rows that are there are sound"""

    @property
    def ok(self) -> bool:
        """True if every run was made and reached its end."""
        return not self.interrupted and all(row.ok for row in self.rows)

    def row(self, pair: str, step: float) -> Row | None:
        """The row of one method and step."""
        return next((r for r in self.rows if r.pair == pair and r.step == step), None)

    def text(self) -> str:
        """Table 1 of 000: methods downwards, steps across."""
        width = max(len(pair) for pair in self.pairs)
        reference = f"reference: {self.reference}" if self.reference else "no reference"
        head = " | ".join(f"{f'step {h:g} s':^{WIDTH}}" for h in self.steps)
        names = " | ".join("".join(f"{name:>{w}}" for name, w in COLUMNS.items()) for _ in self.steps)
        lines = [
            f"{self.model}, {self.duration:g} s; time is the best of {REPEATS} runs; {reference}",
            "",
            f"{'':<{width}} | {head}",
            f"{'':<{width}} | {names}",
            "-" * (width + 1) + ("+" + "-" * (WIDTH + 2)) * len(self.steps),
        ]
        for pair in self.pairs:
            cells = [_cells(self.row(pair, h)) for h in self.steps]
            lines.append(f"{pair:<{width}} | " + " | ".join(cells))
        stops = [f"{r.pair}, step {r.step:g} s: {r.message}" for r in self.rows if not r.ok]
        return "\n".join(line.rstrip() for line in [*lines, *([""] if stops else []), *stops])

    def data(self) -> dict[str, Any]:
        """The same in numbers."""
        return {**vars(self), "rows": [vars(row) for row in self.rows]}

    def to_csv(self, path: str | Path) -> None:
        """One line per method and step."""
        from ..results.table import whole

        names = [name for name in Row.__dataclass_fields__ if name != "message"]

        def write(file: Path) -> None:
            with open(file, "w", newline="", encoding="utf-8") as stream:
                table = csv.writer(stream)
                table.writerow(names)
                table.writerows([getattr(row, name) for name in names] for row in self.rows)

        whole(path, write)


def _cells(row: Row | None) -> str:
    if row is None or not row.ok:
        return f"{f'stopped ({row.status})' if row else '-':>{WIDTH}}"
    position = "-" if row.position_error is None else f"{row.position_error:.2e}"
    values = (f"{1e3 * row.time:.2f}", f"{row.evaluations}", f"{row.energy_error:.2e}", position)
    return "".join(f"{value:>{w}}" for value, w in zip(values, COLUMNS.values(), strict=True))


def compare(
    model: Model | str | Path,
    pairs: Sequence[str] | None = None,
    steps: Sequence[float] | None = None,
    duration: float | None = None,
    reference: str = "auto",
    tell: Tell | None = None,
) -> Comparison:
    """Run a mechanism by several pairs "formulation+integrator" and steps (by default those of 000, table 1).

    `reference` is "auto" (error-controlled, order 8, tolerance 1e-12), "none", or a pair of your own.

    >>> import biela
    >>> c = biela.compare("simple-pendulum", ["projection+abm4"], steps=[1e-3], duration=1.0)
    >>> c.ok, bool(c.rows[0].position_error < 1e-6)
    (True, True)
    """
    model, tell = as_model(model), tell or (lambda text: None)
    pairs = list(dict.fromkeys(PAIRS if not pairs else pairs))
    meaning = resolve(model)
    first = float(meaning.step or 1e-3)
    steps = list(dict.fromkeys((first, 10 * first) if not steps else steps))
    for pair in pairs:
        for step in steps:
            choose(*split(pair), step)  # refuse nonsense before anything runs
    if reference not in ("auto", "none"):
        choose(*split(reference), tolerance=REFERENCE_TOLERANCE)
    out = Comparison(model.name, float(duration or meaning.duration or 0.0), pairs, steps, None)
    try:
        truth, out.reference = _truth(model, duration, reference, tell)
        # what a pair compiles, it compiles in a run that is not timed
        for pair in pairs:
            tell(f"warming up {pair}")
            _run(model, pair, min(steps), min(out.duration or 1.0, 4 * min(steps)))
        for step in steps:
            for pair in pairs:
                tell(f"{pair}, step {step:g} s")
                runs = [_run(model, pair, step, duration) for _ in range(REPEATS)]
                out.rows.append(_row(pair, step, min(runs, key=lambda r: r.trajectory.wall), truth))
    except KeyboardInterrupt:
        out.interrupted = True
    return out


def split(pair: str) -> tuple[str, str]:
    """Formulation and integrator of a pair.

    >>> split("penalty+trapezoidal")
    ('penalty', 'trapezoidal')
    """
    formulation, plus, integrator = (part.strip() for part in pair.partition("+"))
    if not (formulation and plus and integrator):
        raise MethodError(Problem(f"{pair!r} is no pair", cure="formulation+integrator, as in penalty+trapezoidal"))
    return formulation, integrator


def _run(model: Model, pair: str, step: float, duration: float | None) -> Result:
    formulation, integrator = split(pair)
    options: dict[str, Any] = {"formulation": formulation, "integrator": integrator, "samples": 1}
    return _finished(simulate(model, duration, step=step, **options))


def _finished(result: Result) -> Result:
    """A run swallows Ctrl-C to keep what it has; a comparison has no use for half a run."""
    if result.status == Status.interrupted:
        raise KeyboardInterrupt
    return result


def _truth(model: Model, duration: float | None, reference: str, tell: Tell) -> tuple[Result | None, str | None]:
    """The motion that the others are measured against, if one can be computed."""
    if reference == "none":
        return None, None
    for pair in REFERENCES if reference == "auto" else (reference,):
        tell(f"reference: {pair}")
        formulation, integrator = split(pair)
        options: dict[str, Any] = {"formulation": formulation, "integrator": integrator, "samples": 1}
        result = _finished(simulate(model, duration, tolerance=REFERENCE_TOLERANCE, **options))
        if result.ok:
            return result, f"{pair}, tolerance {REFERENCE_TOLERANCE:g}"
    return None, None


def _row(pair: str, step: float, result: Result, truth: Result | None) -> Row:
    tr = result.trajectory
    error = None
    if truth is not None and result.ok:
        here, there = _ends(result), _ends(truth)
        error = max(dist(at, there[name]) for name, at in here.items())
    return Row(
        pair, step, tr.wall, tr.steps, tr.evaluations, tr.iterations, tr.energy_error, tr.violation, error,
        result.status.name, result.message,
    )  # fmt: skip


def _ends(result: Result) -> dict[str, Any]:
    """Where the points are at the end, and the centres of bodies that have none."""
    bare = [name for name, body in result.system.meaning.bodies.items() if not body.points]
    return result.final | {name: result[f"{name}.position"][-1] for name in bare}
