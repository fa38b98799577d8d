"""What a comparison found: rows, observed orders, a table, and a recommendation with its reason."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from math import log
from pathlib import Path
from typing import Any

from ...viewing import views

TARGET = 1e-4
"""of the size of the mechanism: the error that a recommendation asks for, unless told otherwise"""


@dataclass(frozen=True)
class Row:
    """One method with one step or tolerance."""

    pair: str
    coordinates: str | None
    """those that were used"""
    formulation: str | None
    integrator: str
    step: float | None
    tolerance: float | None
    time: float | None
    """of the time loop alone, seconds of computing: compilation and assembly are not in it"""
    steps: int
    evaluations: int
    iterations: int
    energy_error: float | None
    violation: float | None
    position_error: float | None
    """largest distance of a point from where the reference has it at the end, m"""
    velocity_error: float | None
    """the same of velocities, m/s"""
    ran: str
    """formulation and integrator that did the work: those asked for may hand over to others"""
    status: str
    message: str

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
    """somebody lost patience: the rows that are there are sound"""

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
        from .study_text import text

        return text(self)

    def recommendation(self) -> str:
        """Which to take, and why, in a sentence or two."""
        from .study_text import recommendation

        return recommendation(self)

    def stability(self) -> str:
        """A-, L- or B-stability of each integrator, the longest stable step, and by how much it changes amplitude and
        period: 000 4.1.

        >>> import biela
        >>> c = biela.compare("simple-pendulum", ["augmented+trapezoidal"], steps=[0.1], duration=0.2, repeats=1)
        >>> print(c.stability().splitlines()[4].split()[:2])
        ['trapezoidal', 'A-stable']
        """
        from ..simulate.step_rules import stability_table
        from .methods import method_spec

        return stability_table([method_spec(pair) for pair in self.pairs], self.steps, self.period)

    def data(self) -> dict[str, Any]:
        """The same in numbers."""
        rows = [{**vars(row), "order": self.order(row.pair, row)} for row in self.rows]
        orders = {pair: self.order(pair) for pair in self.pairs}
        return {**vars(self), "rows": rows, "orders": orders, "recommendation": self.recommendation()}

    def to_csv(self, path: str | Path) -> None:
        """One line per method and step; failures with their reason."""
        from ...whole import whole

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
