"""How a run went, for people: method, quality in green, amber or red, last positions, notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import show

if TYPE_CHECKING:
    from ..model.model import Model
    from ..results.result import Result

ENERGY = (1e-5, 1e-2)
"""share of the energy exchanged up to which an energy error is good, and doubtful"""
VIOLATION = (1e-6, 1e-3)
"""the same for the constraints, against the size and the speed of the mechanism"""
MOST = 24  # points in the table
CHOICES = 4  # of independent coordinates


def report(model: Model, result: Result) -> Iterator[Any]:
    """Pieces to print, one after another."""
    from rich.text import Text

    tr = result.trajectory
    yield Text(model.title or model.name, style="bold")
    step = f"step {tr.step:g} s" if tr.step else "error-controlled steps"
    yield f"method   {result.system.coordinates} coordinates, {result.ran}, {step}"
    yield f"         ({result.reason})"
    yield _end(result)
    yield _verdict(result)
    for m in measures(result):
        yield Text(f"{m.name:<20} ").append(str(m), style=m.style)
    effort = f"{tr.steps:,} steps, {tr.evaluations:,} evaluations"
    effort += f", {tr.iterations:,} iterations" if tr.iterations else ""
    effort += f", {tr.rejected:,} rejected" if tr.rejected else ""
    effort += ", in machine code of its own" if tr.machine == "tape" else ""
    yield f"effort               {effort}, {show.seconds(tr.wall)}"
    yield from _independent(result)
    yield ""
    if result.system.resolved.eventful:
        yield happened(result)
        yield ""
    yield positions(result)
    for note in result.notes:
        yield Text(note, style="dim")


def _independent(result: Result) -> Iterator[str]:
    """Which coordinates `projection` took, and when; the first few of many."""
    if not result.independent:
        return
    shown = [f"{', '.join(names)} from t = {t:.4g} s" for t, names in result.independent[:CHOICES]]
    count = result.trajectory.rechoices + 1
    more = f"; ... {count} choices in all" if count > len(shown) else ""
    yield f"independent          {'; '.join(shown)}{more}"


def _end(result: Result) -> Any:
    from rich.text import Text

    if result.finished:
        style = show.GOOD if result.ok else show.BAD
        return Text().append("finished", style=style).append(f" at t = {float(result.t[-1]):g} s")
    what = f"stopped at t = {result.trajectory.stopped_at:.6g} s: {result.status.sentence}"
    text = Text().append(what, style=show.BAD)
    for line in (result.message, f"try: {result.cure}" if result.cure else ""):
        if line:
            text.append("\n" + line)
    return text


def _verdict(result: Result) -> Any:
    """Good in green, doubtful in amber, bad in red; why, and what to try."""
    from rich.text import Text

    v = result.verdict
    style = {"good": show.GOOD, "doubtful": show.DOUBTFUL, "bad": show.BAD}[v.grade]
    text = Text("verdict              ").append(v.grade, style=f"bold {style}").append(f": {v.reason}")
    return text.append(f"\n{'':21}try: {v.cure}") if v.cure and result.finished else text


@dataclass(frozen=True)
class Measure:
    """Something that should be small beside something else."""

    name: str
    value: float
    unit: str
    scale: float
    of: str
    grades: tuple[float, float]

    @property
    def share(self) -> float:
        """What it is of its scale; not a number if there is none."""
        if self.value == 0.0:
            return 0.0
        return self.value / self.scale if self.scale > 0 else float("nan")

    @property
    def style(self) -> str:
        """Green, amber, red; no colour where there is nothing to compare with."""
        return show.grade(self.share, *self.grades) if self.scale > 0 else ""

    def __str__(self) -> str:
        share = f"  ({self.share:.1e} of {self.of})" if np.isfinite(self.share) else ""
        return f"{self.value:.2e}{self.unit}{share}"


def measures(result: Result) -> list[Measure]:
    """Energy and constraints, against what they should be small beside."""
    tr, size = result.trajectory, result.system.size
    energy = result.energy_scale
    speed = float(np.abs(result.v).max(initial=0.0))
    out = [Measure("energy error", tr.energy_error, " J", energy, f"{energy:.3g} J", ENERGY)]
    if result.system.m:
        out.append(Measure("constraints |Phi|", tr.violation, "", size * size, "size squared", VIOLATION))
        out.append(Measure("their rate |Phi'|", tr.rate_violation, "", size * speed, "size times speed", VIOLATION))
    return out


def happened(result: Result) -> Any:
    """The events of a run: the first and the last where they are many."""
    from ..results.events import HEADS, shortened

    if not result.events:
        return "events               none: no stop was reached, no lock closed or opened"
    return show.table(*HEADS, rows=shortened(result.events.rows(), 12), right=range(3, len(HEADS)))


def positions(result: Result) -> Any:
    """The last position of every point that can move, and of the centre of every body without points."""
    resolved = result.system.resolved
    moving = {name: at for name, at in result.final.items() if name in resolved.start}
    bare = [name for name, body in resolved.bodies.items() if not body.points]
    moving |= {f"{name} (centre)": result[f"{name}.position"][-1] for name in bare}
    axes = "xyz"[: resolved.dimension]
    rows = [(name, *(f"{x:.9g}" for x in at)) for name, at in list(moving.items())[:MOST]]
    if len(moving) > MOST:
        rows.append((f"... {len(moving) - MOST} more", *("" for _ in axes)))
    headers = (f"at t = {float(result.t[-1]):g} s", *(f"{x} [m]" for x in axes))
    return show.table(*headers, rows=rows, right=range(1, 1 + len(axes)))
