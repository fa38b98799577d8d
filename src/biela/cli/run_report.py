"""How a run went, for people: method, quality in green, amber or red, last positions, notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.text import Text

from ..results.events import HEADS, shortened
from ..results.quality.verdict import ENERGY, LOST, VIOLATION, graded
from .output import COLOURS, console, seconds, table

if TYPE_CHECKING:
    from ..model.model import Model
    from ..results.result import Result

MOST = 24  # points in the table
CHOICES = 4  # of independent coordinates


def show(model: Model, result: Result) -> None:
    """Print it."""
    out = console()
    for part in _parts(model, result):
        out.print(part, soft_wrap=isinstance(part, str))


def _parts(model: Model, result: Result) -> Iterator[Any]:
    tr = result.trajectory
    yield Text(model.title or model.name, style="bold")
    step = f"step {tr.step:g} s" if tr.step else "error-controlled steps"
    yield f"method   {result.system.coordinates} coordinates, {result.ran}, {step}"
    yield f"         ({result.reason})"
    yield _end(result)
    yield _verdict(result)
    yield from _errors(result)
    effort = f"{tr.steps:,} steps, {tr.evaluations:,} evaluations"
    effort += f", {tr.iterations:,} iterations" if tr.iterations else ""
    effort += f", {tr.rejected:,} rejected" if tr.rejected else ""
    effort += ", in machine code of its own" if tr.machine == "tape" else ""
    yield f"effort               {effort}, {seconds(tr.wall)}"
    if result.independent:  # which coordinates `projection` took, and when
        shown = [f"{', '.join(names)} from t = {t:.4g} s" for t, names in result.independent[:CHOICES]]
        more = f"; ... {tr.rechoices + 1} choices in all" if tr.rechoices + 1 > len(shown) else ""
        yield f"independent          {'; '.join(shown)}{more}"
    yield ""
    if result.events:
        yield table(*HEADS, rows=shortened(result.events.rows(), 12), right=range(3, len(HEADS)))
        yield ""
    elif result.system.resolved.eventful:
        yield "events               none: no stop was reached, no lock closed or opened"
        yield ""
    yield _positions(result)
    for note in result.notes:
        yield Text(note, style="dim")


def _end(result: Result) -> Text:
    if result.finished:
        style = COLOURS["good" if result.ok else "bad"]
        return Text().append("finished", style=style).append(f" at t = {float(result.t[-1]):g} s")
    what = f"stopped at t = {result.trajectory.stopped_at:.6g} s: {result.status.sentence}"
    text = Text().append(what, style=COLOURS["bad"])
    for line in (result.message, f"try: {result.cure}" if result.cure else ""):
        if line:
            text.append("\n" + line)
    return text


def _verdict(result: Result) -> Text:
    """The grade in its colour; why, and what to try."""
    v = result.verdict
    text = Text("verdict              ").append(v.grade, style=f"bold {COLOURS[v.grade]}").append(f": {v.reason}")
    return text.append(f"\n{'':21}try: {v.cure}") if v.cure and result.finished else text


def _errors(result: Result) -> Iterator[Text]:
    """Energy and constraints, against what they should be small beside."""
    tr, size, energy = result.trajectory, result.system.size, result.energy_scale
    rows = [("energy error", tr.energy_error, " J", energy, f"{energy:.3g} J", (ENERGY, LOST))]
    if result.system.m:
        speed = float(np.abs(result.v).max(initial=0.0))
        rows.append(("constraints |Phi|", tr.violation, "", size * size, "size squared", VIOLATION))
        rows.append(("their rate |Phi'|", tr.rate_violation, "", size * speed, "size times speed", VIOLATION))
    for name, value, unit, scale, of, bounds in rows:
        share = 0.0 if value == 0.0 else value / scale if scale > 0 else np.nan
        beside = f"  ({share:.1e} of {of})" if np.isfinite(share) else ""
        style = COLOURS[graded(share, *bounds)] if scale > 0 else ""  # no colour where there is nothing to compare with
        yield Text(f"{name:<20} ").append(f"{value:.2e}{unit}{beside}", style=style)


def _positions(result: Result) -> Any:
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
    return table(*headers, rows=rows, right=range(1, 1 + len(axes)))
