"""The motion under forces: how it was computed, and its most telling curves."""

from __future__ import annotations

import numpy as np

from ...model.model import Model
from ...results.events import HEADS, shortened
from ...results.result import Result
from ..curves.figures import moving_point, telling
from ..curves.plot import Line, components, draw
from ..style import new_figure, style
from .page import paragraph, picture, table

MOST = 4
"""curves of coordinates that one picture can show"""


def dynamics(model: Model, result: Result) -> str:
    """Curves over time, then where everything is at the end."""
    end = f"t = {float(result.t[-1]):g} s"
    out = [paragraph(f"Simulated for {result.duration:g} s in {result.method}.")]
    if not result.finished:
        out.append(paragraph(f"The run stopped at {end}: {result.message or result.status.sentence}", "bad"))
    groups = [group for group in (_points(result), _coordinates(result)) if group]
    for group, caption in zip(groups, ("The motion", "Coordinates"), strict=False):
        out.append(_figure(result, group, caption if len(groups) > 1 else "The motion"))
    energy = [("energy.kinetic", "kinetic"), ("energy.potential", "potential"), ("energy.total", "total")]
    if result.work is not None and np.abs(result.work).max(initial=0.0) > 0:
        energy.append(("energy.work", "work"))
    out.append(_figure(result, [[(name, np.asarray(result[key]), "J") for key, name in energy]], "Energies"))
    events = getattr(result, "events", None)
    if events is not None:
        said = (
            f"{len(events)} events; {events.loss:.4g} J of kinetic energy are lost in them." if events else "No events."
        )
        out.append(paragraph(said))
        out.append(table(HEADS, shortened(events.rows(), 24), "Events (impulses in N s, of angles in N m s)", 3))
    axes = "xyz"[: result.system.resolved.dimension]
    headers = ["point", *(f"{x} [m]" for x in axes)]
    moving = [(p, *at) for p, at in result.final.items() if p in result.system.resolved.start]
    out.append(table(headers, moving, f"Positions at {end}"))
    return "".join(out)


def _points(result: Result) -> list[list[Line]]:
    point = moving_point(result)
    if point is None:
        return [[telling(result)]]
    axes = "xyz"[: result.system.resolved.dimension]
    position = [line for x in axes for line in components(result, f"{point}.{x}")]
    return [position, components(result, f"{point}.speed")]


def _coordinates(result: Result) -> list[list[Line]]:
    resolved = result.system.resolved
    names = [c for c, x in resolved.coordinates.items() if x.joint is None]
    names += [c for c, x in resolved.coordinates.items() if x.joint is not None and x.type != "term"]
    lines = [line for name in names[:MOST] if name in result for line in components(result, name)]
    by_unit: dict[str, list[Line]] = {}
    for line in lines:
        by_unit.setdefault(line[2], []).append(line)
    return list(by_unit.values())


def _figure(result: Result, groups: list[list[Line]], caption: str) -> str:
    with style():
        figure = new_figure(8.0, 0.7 + 2.3 * len(groups))
        axes = figure.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0]
        for one, lines in zip(axes, groups, strict=True):
            draw(one, np.asarray(result.t), lines, "energy" if caption == "Energies" else "")
        axes[-1].set_xlabel("t [s]")
    return picture(figure, caption)
