"""What the joints carry: the largest force and moment of each, and how they go over time."""

from __future__ import annotations

import numpy as np

from ...errors import BielaError
from ...model.model import Model
from ...results.eventful import EventResult
from ...results.reactions.elements import elements
from ...results.result import Result
from ..curves.plot import Line, draw
from ..style import new_figure, style
from .page import notes, paragraph, picture, table

MOST = 6
"""curves in the picture: those of the largest reactions"""


def reactions(model: Model, result: Result) -> str:
    """A table of all pins, joints and drivers, and a picture of the largest forces."""
    named = {k: e for k, e in elements(result.system.resolved).items() if e.rows}
    if not named:
        return paragraph("There are none: no joint and no driver holds anything.")
    t = np.asarray(result.t)
    rows, curves, failed = [], [], []
    for label, e in named.items():
        try:
            body, force, moment = _sizes(result, label)
        except BielaError as error:
            failed.append(f"{label}: {error.problems[0].what}")
            continue
        k, j = int(np.nanargmax(force)), int(np.nanargmax(moment))
        noise = 1e-9 * result.system.size * force[k]  # a joint that turns freely carries no moment but round-off
        about = float(moment[j]) if e.kind != "pin" and moment[j] > noise else None
        when = None if about is None else _when(t, moment)
        rows.append((label, e.kind, body, float(force[k]), _when(t, force), about, when))
        if force[k] > 0:
            curves.append((label, force, "N"))
    headers = ["joint", "kind", "on", "largest force [N]", "at t [s]", "largest moment [N m]", "at t [s]"]
    if all(row[5] is None for row in rows):
        headers, rows = headers[:5], [row[:5] for row in rows]
    curves.sort(key=lambda line: -float(np.nanmax(line[1])))
    said = [paragraph("Of every pin, joint and driver: what it does to the body named, about its own point there.")]
    return "".join([*said, table(headers, rows, text=3), _figure(t, curves), notes([*failed, *result.notes])])


def _when(t: np.ndarray, size: np.ndarray) -> float | None:
    """When it is largest; never, if it changes by round-off only."""
    k = int(np.nanargmax(size))
    return float(t[k]) if size[k] - np.nanmin(size) > 1e-9 * size[k] else None


def _sizes(result: Result, label: str) -> tuple[str, np.ndarray, np.ndarray]:
    """On which body, and the sizes of force and moment over time; where stops or locks were closed, piece by piece."""
    closed = isinstance(result, EventResult) and result.closed
    found = [piece.reaction(label) for piece in (result.pieces if closed else [result])]  # type: ignore[attr-defined]
    return found[0].body, *(np.concatenate([np.asarray(getattr(r, part).norm) for r in found])
                            for part in ("force", "moment"))  # type: ignore[return-value]  # fmt: skip


def _figure(t: np.ndarray, curves: list[Line]) -> str:
    if not curves:
        return ""
    with style():
        figure = new_figure(8.0, 3.4)
        draw(figure.subplots(), t, curves[:MOST], "force")
        figure.axes[0].set_xlabel("t [s]")
    more = f", the largest {MOST} of {len(curves)}" if len(curves) > MOST else ""
    return picture(figure, f"Sizes of the reaction forces{more}")
