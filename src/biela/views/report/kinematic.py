"""How the mechanism moves when its input is turned: extremes, transmission angles, dead points, range."""

from __future__ import annotations

from math import degrees
from typing import Any

import numpy as np

from ...analysis.kinematics.kinematics import KinematicResult
from ...analysis.kinematics.kinematics import kinematics as moved
from ...analysis.kinematics.report import KinematicReport, kinematic_report
from ...model.model import Model
from ...results.motion import Motion
from ..curves.figures import moving_point
from ..curves.plot import components, draw, label
from ..style import new_figure, style
from .page import notes, paragraph, picture, table


def kinematics(model: Model, motion: Motion | None) -> str:
    """The input goes once round, or as the drivers say."""
    result = moved(model)
    if len(result.t) < 3:
        said = [result.message, *(str(p) for p in result.dead_points)]
        return paragraph(f"The input {result.coordinate} cannot move from where it starts.") + notes(filter(None, said))
    facts = kinematic_report(result, model)
    angular = result.coordinate in result and result.unit(result.coordinate) == "rad"
    lines = [f"Input: {result.coordinate}, {len(result.t)} positions; {result.quality()}."]
    lines += [str(p) for p in result.dead_points] or ["No dead points on the way."]
    if facts.range is not None:
        lines.append(f"Range of the input: {facts.range}.")
    lines += [str(f) for f in facts.four_bars]
    return (
        "".join(map(paragraph, lines))
        + _curves(result)
        + _extremes(facts, angular)
        + _transmission(facts, angular)
        + notes([*facts.notes, *result.notes, *([result.message] if result.message else [])])
    )


def _curves(result: KinematicResult) -> str:
    point = moving_point(result)
    if point is None:
        return ""
    axes = "xyz"[: result.system.resolved.dimension]
    known = result.coordinate in result
    given = result[result.coordinate] if known else result.t
    over, unit = np.asarray(given), given.unit
    if unit == "rad":
        over, unit = np.degrees(over), "deg"
    with style():
        figure = new_figure(8.0, 6.2)
        parts = figure.subplots(3, 1, sharex=True)
        for part, kind in zip(parts, ("", "v", "a"), strict=True):
            lines = [line for x in axes for line in components(result, f"{point}.{kind}{x}")]
            draw(part, over, lines)
        parts[-1].set_xlabel(label(given.name, unit))
    rate = "at unit rate of the input" if not result.system.resolved.drivers or known else ""
    return picture(figure, f"Position, velocity and acceleration of {point} {rate}".rstrip())


def _extremes(facts: KinematicReport, angular: bool) -> str:
    rows: list[list[Any]] = []
    sizes: dict[str, float] = {}
    for e in facts.extremes:
        sizes[e.unit] = max(sizes.get(e.unit, 0.0), abs(e.least), abs(e.greatest))
    for e in facts.extremes:
        turn, unit = (180 / np.pi, "deg") if e.unit == "rad" else (1.0, e.unit)
        at: list[float | None]
        at = [0.0 if abs(v) < 1e-12 else degrees(v) if angular else v for v in (e.least_at, e.greatest_at)]
        if e.greatest - e.least <= 1e-9 * sizes[e.unit]:
            at = [None, None]  # what does not change but by round-off has its extremes nowhere
        rows.append([e.name, turn * e.least, at[0], turn * e.greatest, at[1], unit])
    where = "at input [deg]" if angular else "at input"
    return table(["channel", "least", where, "greatest", where, "unit"], rows, "Extremes")


def _transmission(facts: KinematicReport, angular: bool) -> str:
    rows = [
        (x.pin, x.coupler, x.follower, float(np.degrees(np.min(x.angle))), float(np.degrees(np.max(x.angle))))
        for x in facts.transmission
    ]
    headers = ["pin", "coupler", "follower", "least [deg]", "greatest [deg]"]
    return table(headers, rows, "Transmission angles (90 deg is best, 0 and 180 deg are dead)", 3)
