"""What a comparison found: rows, observed orders, a table, and a recommendation with its reason."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import log
from pathlib import Path
from typing import Any

from ...methods.control.oscillation import Oscillation
from ...methods.registry import Integrator, integrator
from ...viewing import views
from ...whole import whole
from ..simulate.step_length import ENOUGH, FEW
from .methods import MethodSpec, method_spec

TARGET = 1e-4
"""of the size of the mechanism: the error that a recommendation asks for, unless another is given"""
HEAD = ("step", "time [ms]", "evaluations", "energy error [J]", "position error [m]", "order")
WIDTHS = (11, 11, 13, 18, 20, 7)


@dataclass(frozen=True)
class Row:
    """One method with one step or tolerance."""

    pair: str
    coordinates: str | None
    """those that were used"""
    formulation: str | None
    integrator: str
    step: float | None = None
    tolerance: float | None = None
    time: float | None = None
    """of the time loop alone, seconds of computing: compilation and assembly are not in it"""
    steps: int = 0
    evaluations: int = 0
    iterations: int = 0
    energy_error: float | None = None
    violation: float | None = None
    position_error: float | None = None
    """largest distance of a point from where the reference has it at the end, m"""
    velocity_error: float | None = None
    """the same of velocities, m/s"""
    ran: str = ""
    """formulation and integrator that did the work: those asked for may hand over to others"""
    status: str = "refused"
    message: str = ""

    @property
    def ok(self) -> bool:
        return self.status == "finished"

    @property
    def accuracy(self) -> str:
        """The step or the tolerance, in words."""
        return f"{self.step:g} s" if self.step is not None else f"tol {self.tolerance:g}"


@dataclass
class Comparison:
    """Rows for every method and step or tolerance, and the reference they were measured against."""

    model: str
    duration: float
    pairs: list[str]
    steps: list[float]
    tolerances: list[float]
    reference: str | None
    reference_error: float = 0.0
    """how far the reference itself may be off, m: smaller errors say nothing"""
    target: float | None = None
    """the position error that the recommendation asks for, m"""
    repeats: int = 3
    size: float = 1.0
    rows: list[Row] = field(default_factory=list)

    period: float | None = None
    """shortest period of the mechanism at its start, s, where steps are to be compared with it"""

    interrupted: bool = False
    """by the user: the rows that are there are sound"""

    @property
    def ok(self) -> bool:
        """True if every run was made and reached its end."""
        return not self.interrupted and all(row.ok for row in self.rows)

    def row(self, pair: str, step: float) -> Row | None:
        """The row of one method and step (or tolerance)."""
        return next((r for r in self.rows if r.pair == pair and step in (r.step, r.tolerance)), None)

    def of(self, pair: str) -> list[Row]:
        """The rows of one method, from coarse to fine."""
        return sorted((r for r in self.rows if r.pair == pair), key=lambda r: -(r.step or r.tolerance or 0.0))

    def order(self, pair: str, fine: Row | None = None) -> float | None:
        """Observed order in the positions: the slope of log(error) over log(step) between a row and the next coarser
        one that can be trusted; without a row, over the two finest."""
        usable = [r for r in self.of(pair) if r.ok and r.step and self._trusted(r)]
        if fine is None:
            fine = usable[-1] if usable else None
        if fine not in usable or usable.index(fine) == 0:
            return None
        coarse = usable[usable.index(fine) - 1]
        above, below = coarse.position_error or 0.0, fine.position_error or 0.0
        return log(above / below) / log((coarse.step or 1.0) / (fine.step or 1.0))

    def _trusted(self, row: Row) -> bool:
        """Its error is known: above what the reference may be off, and small enough to be an error at all."""
        error = row.position_error
        return error is not None and 3 * self.reference_error < error < 0.3 * self.size and error > 0

    def text(self) -> str:
        """A line for each method and step, what failed and why, and the recommendation."""
        return _text(self)

    def recommendation(self) -> str:
        """Which to take, and why, in a sentence or two."""
        return _recommendation(self)

    def stability(self) -> str:
        """A-, L- or B-stability of each integrator, the longest stable step, and by how much it changes amplitude and
        period: 000 4.1.

        >>> import biela
        >>> c = biela.compare("simple-pendulum", ["augmented+trapezoidal"], steps=[0.1], duration=0.2, repeats=1)
        >>> print(c.stability().splitlines()[4].split()[:2])
        ['trapezoidal', 'A-stable']
        """
        return _stability_table([method_spec(pair) for pair in self.pairs], self.steps, self.period)

    def data(self) -> dict[str, Any]:
        """The same in numbers."""
        rows = [{**vars(row), "order": self.order(row.pair, row)} for row in self.rows]
        orders = {pair: self.order(pair) for pair in self.pairs}
        return {**vars(self), "rows": rows, "orders": orders, "recommendation": self.recommendation()}

    def to_csv(self, path: str | Path) -> None:
        """One line per method and step; failures with their reason."""
        names = list(Row.__dataclass_fields__)

        def write(file: Path) -> None:
            with open(file, "w", newline="", encoding="utf-8") as stream:
                table = csv.writer(stream)
                table.writerow([*names[:-1], "order", names[-1]])
                for row in self.rows:
                    values = [getattr(row, name) for name in names]
                    table.writerow([*values[:-1], self.order(row.pair, row), " ".join(row.message.split())])

        whole(path, write)

    def plot(self, path: str | Path | None = None, theme: str = "light") -> Any:
        """Error against computing time and against evaluations; gives a matplotlib figure."""
        return views().comparison(self, path, theme)


# -------------------------------------------------------------------------------------------- the table and the advice
def _text(study: Comparison) -> str:
    """The table, failures with their reasons, the recommendation."""
    width = max([6, *(len(pair) for pair in study.pairs)])
    reference = f"reference: {study.reference}" if study.reference else "no reference"
    if study.reference and study.reference_error > 0:
        reference += f", known to {study.reference_error:.0e} m"
    best = f"time is the best of {study.repeats} runs" if study.repeats > 1 else "time of one run"
    lines = [
        f"{study.model}, {study.duration:g} s; {best}; {reference}",
        "",
        f"{'method':<{width}}" + "".join(f"{name:>{w}}" for name, w in zip(HEAD, WIDTHS, strict=True)),
        "-" * (width + sum(WIDTHS)),
    ]
    for pair in study.pairs:
        rows = study.of(pair)
        lines += [f"{pair:<{width}}" + _cells(study, row) for row in rows]
        if not rows:
            lines.append(f"{pair:<{width}}{'-':>{WIDTHS[0]}}")
    failures = _failures(study)
    close = [r for r in study.rows if r.ok and r.position_error is not None and not _known(study, r)]
    notes = ["* not distinguished from the reference, which may be off by as much"] if close else []
    notes += _handed_over(study)
    advice = study.recommendation()
    out = [*lines, *notes, *(["", *failures] if failures else []), *(["", advice] if advice else [])]
    return "\n".join(line.rstrip() for line in out)


def _failures(study: Comparison) -> list[str]:
    """What failed and why."""
    return _grouped((row, row.message) for row in study.rows if not row.ok)


def _handed_over(study: Comparison) -> list[str]:
    """Methods that handed over to others."""
    own = ((row, f"{row.formulation} + {row.integrator}") for row in study.rows if row.ok)
    return _grouped((row, f"run with {row.ran}") for row, asked in own if row.ran not in (asked, ""))


def _grouped(remarks: Iterable[tuple[Row, str]]) -> list[str]:
    """Remarks on rows; the same one of one method is made once."""
    found: dict[tuple[str, str], list[str]] = {}
    for row, remark in remarks:
        found.setdefault((row.pair, remark), []).append(row.accuracy)
    return [f"{pair}, {' and '.join(at)}: {remark}" for (pair, remark), at in found.items()]


def _known(study: Comparison, row: Row) -> bool:
    return (row.position_error or 0.0) > 3 * study.reference_error or study.reference_error == 0


def _cells(study: Comparison, row: Row) -> str:
    accuracy = f"{row.accuracy:>{WIDTHS[0]}}"
    if not row.ok:
        word = row.status if row.status == "refused" else f"stopped ({row.status})"
        return accuracy + f"  {word}"
    order = study.order(row.pair, row)
    position = "-" if row.position_error is None else f"{row.position_error:.2e}" + (" " if _known(study, row) else "*")
    values = (
        f"{1e3 * (row.time or 0.0):.2f}",
        f"{row.evaluations}",
        f"{row.energy_error:.2e}",
        position,
        "" if order is None else f"{order:.1f}",
    )
    return accuracy + "".join(f"{value:>{w}}" for value, w in zip(values, WIDTHS[1:], strict=True))


def _recommendation(study: Comparison) -> str:
    """The cheapest row that is good enough, what it is measured by, and what comes next."""
    done = [r for r in study.rows if r.ok and r.time]
    if len({r.pair for r in done}) < 2:
        return ""
    by_position = all(r.position_error is not None for r in done)

    def error(row: Row) -> float:
        return float((row.position_error if by_position else row.energy_error) or 0.0)

    unit, kind = ("m", "position error") if by_position else ("J", "energy error")
    if by_position:
        target = study.target if study.target is not None else TARGET * study.size
    else:  # without a reference the energy is all that can be judged
        target = 10.0 * min(error(r) for r in done)
    good = sorted((r for r in done if error(r) <= target), key=lambda r: r.time or 0.0)
    failed = sorted({r.pair for r in study.rows if not r.ok})
    unfinished = f" Not all runs of {', '.join(failed)} reached their end." if failed else ""
    if not good:
        best = min(done, key=error)
        return (
            f"None reaches a {kind} of {target:.1e} {unit}: {best.pair} comes nearest, {error(best):.1e} {unit} at "
            f"{best.accuracy} in {1e3 * (best.time or 0):.3g} ms; take a smaller step or another method.{unfinished}"
        )
    best = good[0]
    others = {}
    for row in good[1:]:
        if row.pair != best.pair:
            others.setdefault(row.pair, row)
    why = "no other method reaches it"
    if others:
        second = next(iter(others.values()))
        ratio = (second.time or 0.0) / (best.time or 1.0)
        longer = f"{ratio:.2g} times as long" if ratio > 1.05 else "about as long"
        why = f"{second.pair}, the next, takes {longer} (at {second.accuracy})"
    judged = "" if by_position else " (judged by the energy alone: there is no reference)"
    return (
        f"Take {best.pair} at {best.accuracy}: of the runs with a {kind} below {target:.1e} {unit} it is the fastest, "
        f"{1e3 * (best.time or 0):.3g} ms for {error(best):.1e} {unit}{judged}; {why}.{unfinished}"
    )


def _stability_table(methods: Sequence[MethodSpec], steps: Sequence[float], period: float | None) -> str:
    """Stability and errors of the integrators of a comparison: for periods of 20 and 10 steps, and for the mechanism's
    shortest period with each of its steps."""
    named: dict[str, tuple[Integrator, Oscillation]] = {}
    for w in methods:
        i, options = integrator(w.integrator), dict(w.settings)
        said = {k: float(v) for k, v in options.items() if k in ("rho", "dissipation")}
        label = w.integrator + (f"[{','.join(f'{k}={v:g}' for k, v in said.items())}]" if said else "")
        named[label] = i, Oscillation.of(i, said.get("rho"), said.get("dissipation"))
    width = max(10, *(len(name) for name in named))
    columns = [(f"T = {n} h", float(n)) for n in (ENOUGH, FEW)]
    if period is not None:
        columns += [(f"h = {h:g} s", period / h) for h in steps]
    head = f"{'integrator':<{width}}{'stability':>22}" + "".join(f"{name:>24}" for name, _ in columns)
    title = "what a period of an oscillation changes of its amplitude and of its own length, in per cent (000 4.1)"
    lines = [title, "", head, "-" * len(head)]
    for name, (i, o) in named.items():
        cells = ""
        for _, count in columns:
            found = None if i.adaptive else o.errors(count) if count > 2 else None
            cells += f"{'-':>24}" if found is None else f"{100 * found[0]:>+13.2g}{100 * found[1]:>+11.2g}"
        lines.append(f"{name:<{width}}{o.words:>22}{cells}")
    if period is not None:
        least, most = period / ENOUGH, period / FEW
        rule = f"to follow it 000 (115) takes steps of {least:.3g} to {most:.3g} s"
        lines += ["", f"shortest period at the start: T = {period:.5g} s; {rule}"]
    return "\n".join(line.rstrip() for line in lines)
