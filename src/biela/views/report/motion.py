"""The motion: of the input turned once round, and under forces; and what the joints carry."""

from __future__ import annotations

from math import degrees
from typing import Any

import numpy as np

from ...analysis.kinematics.kinematics import KinematicResult
from ...analysis.kinematics.kinematics import kinematics as moved
from ...analysis.kinematics.report import KinematicReport, kinematic_report
from ...errors import BielaError
from ...model.model import Model
from ...results.eventful import EventResult
from ...results.events import HEADS, shortened
from ...results.motion import Motion
from ...results.reactions.elements import elements
from ...results.result import Result
from ..curves.figures import moving_point, telling
from ..curves.plot import Line, components, label, stack
from .page import notes, paragraph, picture, table

MOST = 4
"""curves of coordinates that one picture can show"""
LARGEST = 6
"""curves of reactions: those of the largest"""


# ------------------------------------------------------------------------------------------------- kinematics
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
    channel = result[result.coordinate] if known else result.t
    over, unit = np.asarray(channel), channel.unit
    if unit == "rad":
        over, unit = np.degrees(over), "deg"
    groups = [[line for x in axes for line in components(result, f"{point}.{kind}{x}")] for kind in ("", "v", "a")]
    rate = "at unit rate of the input" if not result.system.resolved.drivers or known else ""
    figure = stack(over, groups, label(channel.name, unit), height=1.8)
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


# --------------------------------------------------------------------------------------------------- dynamics
def dynamics(model: Model, result: Result) -> str:
    """Curves over time, then where everything is at the end."""
    t, end = np.asarray(result.t), f"t = {float(result.t[-1]):g} s"
    out = [paragraph(f"Simulated for {result.duration:g} s in {result.method}.")]
    if not result.finished:
        out.append(paragraph(f"The run stopped at {end}: {result.message or result.status.sentence}", "bad"))
    groups = [group for group in (_points(result), _coordinates(result)) if group]
    for group, caption in zip(groups, ("The motion", "Coordinates"), strict=False):
        out.append(picture(stack(t, group), caption if len(groups) > 1 else "The motion"))
    energy = [("energy.kinetic", "kinetic"), ("energy.potential", "potential"), ("energy.total", "total")]
    if result.work is not None and np.abs(result.work).max(initial=0.0) > 0:
        energy.append(("energy.work", "work"))
    lines = [(name, np.asarray(result[key]), "J") for key, name in energy]
    out.append(picture(stack(t, [lines], quantity="energy"), "Energies"))
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


# -------------------------------------------------------------------------------------------------- reactions
def reactions(model: Model, result: Result) -> str:
    """A table of all pins, joints and drivers, and a picture of the largest forces."""
    named = {k: e for k, e in elements(result.system.resolved).items() if e.rows}
    if not named:
        return paragraph("There are none: no joint and no driver holds anything.")
    t = np.asarray(result.t)
    rows, curves, failed = [], [], []
    for name, e in named.items():
        try:
            body, force, moment = _sizes(result, name)
        except BielaError as error:
            failed.append(f"{name}: {error.problems[0].what}")
            continue
        k, j = int(np.nanargmax(force)), int(np.nanargmax(moment))
        noise = 1e-9 * result.system.size * force[k]  # a joint that turns freely carries no moment but round-off
        about = float(moment[j]) if e.kind != "pin" and moment[j] > noise else None
        when = None if about is None else _when(t, moment)
        rows.append((name, e.kind, body, float(force[k]), _when(t, force), about, when))
        if force[k] > 0:
            curves.append((name, force, "N"))
    headers = ["joint", "kind", "on", "largest force [N]", "at t [s]", "largest moment [N m]", "at t [s]"]
    if all(row[5] is None for row in rows):
        headers, rows = headers[:5], [row[:5] for row in rows]
    curves.sort(key=lambda line: -float(np.nanmax(line[1])))
    said = [paragraph("Of every pin, joint and driver: what it does to the body named, about its own point there.")]
    more = f", the largest {LARGEST} of {len(curves)}" if len(curves) > LARGEST else ""
    drawn = ""
    if curves:
        figure = stack(t, [curves[:LARGEST]], quantity="force", height=2.7)
        drawn = picture(figure, f"Sizes of the reaction forces{more}")
    return "".join([*said, table(headers, rows, text=3), drawn, notes([*failed, *result.notes])])


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
