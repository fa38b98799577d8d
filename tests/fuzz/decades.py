"""Masses, sizes and times over decades: the same mechanism in other units of mass, length and time.

With all lengths times `length`, all masses times `mass`, and all times times `time`, forces are mass length / time^2
and so on; the motion must be the same one, in those units. Nothing in biela may know how large a metre is.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np

import biela
from fuzz import motions
from fuzz.bounds import MARGIN, ROUNDING, Yardstick
from fuzz.case import Case
from fuzz.finding import Finding, Tally

Units = tuple[float, float, float]
OMEGA = 10.0
"""what stabilised formulations take where nothing is said, 1/s (000 (91)): in other units of time it has to be said"""


def examine(case: Case, tally: Tally) -> list[Finding]:
    """The mechanism in its odd units by all methods, and against itself in plain ones."""
    units, duration = case.more["units"], float(case.more["duration"])
    more = {**case.more, "duration": duration * units[2], "omega": OMEGA / units[2]}
    odd = replace(case, model=scaled(case.model, units), more=more)
    out = motions.examine(odd, tally)
    if out:
        return out
    ends, speed, steps = [], 0.0, 0
    for each, time in ((case, 1.0), (odd, units[2])):
        result = biela.simulate(each.build(), each.more["duration"], samples=1, tolerance=motions.TIGHT)
        tally.add("runs")
        if not result.ok:
            return []  # both stop, or motions.examine has told it
        end = Yardstick(result.system, each.more["duration"]).track(result).end
        ends.append((end.x, end.v * time))
        speed, steps = (
            max(speed, float(np.abs(end.v * time).max(initial=0.0)), 1 / duration),
            steps + result.trajectory.steps,
        )
    tally.add("compared")
    off = max(float(np.abs(ends[0][k] - ends[1][k]).max(initial=0.0)) / (1.0, speed)[k] for k in (0, 1))
    # errors grow as those of motions.examine, over a time in which most motions make them grow less than 1000 times
    most = 1000 * (MARGIN * motions.TIGHT * steps + ROUNDING)
    if not off <= most:
        text = f"in units of {units[0]:g} kg, {units[1]:g} m and {units[2]:g} s the end is another one: {off:.3g}"
        return [Finding("units: another motion in other units", f"{text} (allowed {most:.3g})", {"ways": []})]
    return []


def scattered(data: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Masses that differ between the bodies by up to three decades, with their moments of inertia."""
    bodies = {}
    for name, body in data.get("bodies", {}).items():
        factor = float(10 ** rng.uniform(-1.5, 1.5))
        bodies[name] = {k: times(v, factor) if k in ("mass", "inertia") else v for k, v in body.items()}
    return {**data, "bodies": bodies}


def scaled(data: dict[str, Any], units: Units) -> dict[str, Any]:
    """The model in other units. Equations of the user's own cannot be rescaled: they are not given here."""
    _, length, time = units
    out: dict[str, Any] = {**data}
    if "gravity" in data:
        out["gravity"] = times(data["gravity"], length / time**2)
    for table in ("ground", "points"):
        out[table] = {k: times(v, length) for k, v in data.get(table, {}).items()}
    out["bodies"] = {k: _body(v, units) for k, v in data.get("bodies", {}).items()}
    out["joints"] = {k: _joint(v, length) for k, v in data.get("joints", {}).items()}
    out["forces"] = {k: _force(v, data, units) for k, v in data.get("forces", {}).items()}
    out["drivers"] = {
        k: {**v, "law": law(v["law"], size_of(v["coordinate"], data, length), time, 1.0, time)}
        for k, v in data.get("drivers", {}).items()
    }
    start = data.get("initial", {})
    out["initial"] = {
        "position": {k: times(v, size_of(k, data, length)) for k, v in start.get("position", {}).items()},
        "velocity": {k: times(v, size_of(k, data, length) / time) for k, v in start.get("velocity", {}).items()},
    }
    return out


def can_be_scaled(data: dict[str, Any]) -> bool:
    """Without equations, repeats or parameters of its own, and without events."""
    plain = not any(data.get(k) for k in ("repeat", "parameters", "stops", "locks"))
    return plain and all(j.get("type") != "user" for j in data.get("joints", {}).values())


def size_of(coordinate: str, data: dict[str, Any], length: float) -> float:
    """What a coordinate is multiplied by: angles and turning rates stay."""
    declared = data.get("coordinates", {}).get(coordinate)
    part = coordinate.rpartition(".")[2]
    if declared is not None:
        return 1.0 if declared["type"] == "angle" else length
    return 1.0 if part.startswith(("angle", "wx", "wy", "wz")) else length


def times(value: Any, factor: float) -> Any:
    """Numbers, however nested; a text stays what it is, times the factor."""
    if isinstance(value, dict):
        return {k: times(v, factor) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [times(v, factor) for v in value]
    return f"({value})*{factor!r}" if isinstance(value, str) else value * factor


def _body(body: dict[str, Any], units: Units) -> dict[str, Any]:
    mass, length, _ = units
    factor = {"mass": mass, "inertia": mass * length**2} | dict.fromkeys(
        ("center", "length", "radius", "width", "height", "size", "position"), length
    )
    out = {k: times(v, factor[k]) if k in factor else v for k, v in body.items()}
    if isinstance(body.get("points"), dict):
        out["points"] = times(body["points"], length)
    return out


def _joint(joint: dict[str, Any], length: float) -> dict[str, Any]:
    out = {k: times(v, length) if k in ("length", "lead", "radius") else v for k, v in joint.items()}
    at = joint.get("at")
    if isinstance(at, list) and all(isinstance(x, float | int) for x in at):
        out["at"] = times(at, length)
    return out


def _force(force: dict[str, Any], data: dict[str, Any], units: Units) -> dict[str, Any]:
    mass, length, time = units
    if force["type"] == "moment" or "bodies" in force:
        size = 1.0
    else:
        size = size_of(force["coordinate"], data, length) if "coordinate" in force else length
    # of a force on a coordinate q: energy / q
    effort = mass * length**2 / time**2 / (1.0 if force["type"] == "moment" else size)
    out = dict(force)
    for key, factor in (("stiffness", effort / size), ("damping", effort / size * time), ("free", size)):
        if key in force:
            out[key] = times(force[key], factor)
    if "value" in force:
        value = force["value"]
        across = size if force["type"] == "actuator" else time  # what a table is of
        each = [law(x, effort, time, size, across) for x in (value if isinstance(value, list) else [value])]
        out["value"] = each if isinstance(value, list) else each[0]
    return out


def law(value: Any, factor: float, time: float, size: float, across: float) -> Any:
    """A law of t, x, v in the new units; `across` is that of a table's x."""
    if isinstance(value, str):
        names = {"t": f"(t*{1 / time!r})", "x": f"(x*{1 / size!r})", "v": f"(v*{time / size!r})"}
        return f"({re.sub(r'[A-Za-z_]+', lambda m: names.get(m[0], m[0]), value)})*{factor!r}"
    if isinstance(value, dict):
        return {**value, "x": times(value["x"], across), "y": times(value["y"], factor)}
    return value * factor
