"""Dragging a point of a planar mechanism: the text takes the numbers that put the point there.

The mechanism stays as it is drawn at its start, but for the point: a ground point moves; in a body that has the point
in its own axes it gets new ones; bars that end there get new lengths; a starting angle or distance measured to it is
the new one. What is given by a formula stays: a length that is one parameter changes that parameter, anything else is
left, and said to be left.
"""

from __future__ import annotations

import tomllib
from math import atan2, cos, hypot, pi, sin
from typing import TYPE_CHECKING, Any

import numpy as np

from ...analysis.assembly.assemble import assemble
from ...errors import BielaError, ModelError, Problem
from ...results.motion import Motion
from ..controls import number_and_unit
from .model_text import Values, read, rewritten

if TYPE_CHECKING:
    from ..worker import Watch

NEAR = 1e-3
"""of the size of the mechanism within which a point is where it was dragged to"""
PROBES = 20
"""points of a text whose formulas are tried out"""
DIGITS = 5
"""significant ones of what is written, of the size of the mechanism"""


def drag(request: dict[str, Any], watch: Watch) -> dict[str, Any]:
    """The text with a point elsewhere."""
    text, point = str(request["text"]), str(request["point"])
    x, y = (float(v) for v in request["to"])
    motion = Motion.at_start(assemble(read({**request, "values": None})))
    data = tomllib.loads(text)
    values, notes = moved(data, motion, point, (x, y))
    if not values:
        raise ModelError(Problem(f"{point} cannot be dragged", why=why_fixed(data, point, notes), cure="edit the text"))
    out: dict[str, Any] = {"text": rewritten(text, values), "notes": notes}
    there = _place(out["text"], request, point)
    if there is not None and np.linalg.norm(there - (x, y)) > NEAR * motion.system.size:
        notes.append(f"{point} is held by the rest of the model at ({there[0]:.4g}, {there[1]:.4g}) m")
    if request.get("run"):
        from .running import run

        out |= run({**request, "text": out["text"]}, watch)
    return out


def handles(text: str, data: dict[str, Any], motion: Motion, probe: bool = False) -> list[dict[str, Any]]:
    """Every named point of a planar mechanism, where it is at the start, and whether it can be dragged; `probe` tries
    it out where formulas make it doubtful, which takes as many assemblies."""
    resolved = motion.system.resolved
    if resolved.dimension != 2:
        return []
    out, looks = [], PROBES if probe else 0
    for name in (*resolved.ground, *resolved.start):
        at = [float(v) for v in np.asarray(motion[name])[0]]
        values, notes = moved(data, motion, name, (at[0], at[1]))
        why = "" if values else why_fixed(data, name, notes)
        doubtful = notes or data.get("repeat") or any(path[0] == "parameters" for path, _ in values)
        if values and doubtful and looks > 0:
            looks -= 1
            why = "" if _follows(text, data, motion, name, at) else why_fixed(data, name, notes)
        out.append({"point": name, "at": at, "fixed": name in resolved.ground, "ok": not why, "why": why})
    return out


def why_fixed(data: dict[str, Any], point: str, notes: list[str]) -> str:
    """Why a point cannot be dragged."""
    if notes:
        return "; ".join(notes)
    blocks = [b for b in data.get("repeat") or () if isinstance(b, dict)]
    named = any(point in (data.get(table) or {}) for table in ("ground", "points"))
    if blocks and not named:
        return "it is made by a [[repeat]] block, where one formula places many points: change the formula there"
    return "no number of the text places it by itself: it follows from other points and lengths"


def _follows(text: str, data: dict[str, Any], motion: Motion, point: str, at: list[float]) -> bool:
    """Whether a point comes along, at least one way: what is written may be overruled by what is not."""
    away = 0.02 * motion.system.size
    for dx, dy in ((away, 0.0), (0.0, away)):
        to = (at[0] + dx, at[1] + dy)
        there = _place(rewritten(text, moved(data, motion, point, to)[0]), {}, point)
        if there is not None and np.linalg.norm(there - to) < 0.5 * away:
            return True
    return False


def _place(text: str, request: dict[str, Any], point: str) -> np.ndarray | None:
    """Where a point of a text is at the start, if it can be put together."""
    try:
        model = read({"name": request.get("name"), "text": text})
        return np.round(np.asarray(Motion.at_start(assemble(model))[point])[0], 12) + 0.0
    except BielaError:
        return None


def moved(data: dict[str, Any], motion: Motion, point: str, to: tuple[float, float]) -> tuple[Values, list[str]]:
    """What to write so that a point is elsewhere at the start, and what stays because it is a formula."""
    resolved = motion.system.resolved
    if resolved.dimension != 2:
        raise ModelError(Problem("only points of planar mechanisms can be dragged", point, cure="edit the text"))
    if point not in resolved.ground and point not in resolved.start:
        raise ModelError(Problem("the model has no such point", point))
    if not all(np.isfinite(to)):
        raise ModelError(Problem("this is not a position", point))
    values: Values = []
    notes: list[str] = []
    unit = 10.0 ** (np.floor(np.log10(motion.system.size)) - DIGITS + 1)

    def neat(value: float) -> float:
        return float(f"{round(value / unit) * unit:.12g}")

    def write(path: list[str | int], value: float) -> bool:
        """Put a number where one is, in its own unit, or into the parameter that stands there."""
        here: Any = data
        for part in path:
            here = here[part]
        read = number_and_unit(here)
        if read is None and isinstance(here, str) and here in (data.get("parameters") or {}):
            return write(["parameters", here], value)
        if read is None:
            where = ".".join(map(str, path))
            notes.append(f"{where} = {here!r} is a formula: left as it is")
            return False
        values.append((path, neat(value) if not read[1] else _with_unit(value, read[1])))
        return True

    here = np.asarray(motion[point])[0]
    table = next((t for t in ("ground", "points") if point in (data.get(t) or {})), None)
    if table is not None and isinstance(data[table][point], list):
        # what a formula says stays, the whole of it: half a point is no point
        plain = all(number_and_unit(v) is not None for v in data[table][point])
        if plain:
            for k in range(2):
                write([table, point, k], to[k])
        else:
            notes.append(f"{table}.{point} is given by formulas: left as it is")
            if table == "ground":
                return [], notes
    for name, body in (data.get("bodies") or {}).items():
        own = body.get("points")
        if isinstance(own, dict) and point in own:
            origin, angle = _pose(motion, name)
            dx, dy = to[0] - origin[0], to[1] - origin[1]
            local = (cos(angle) * dx + sin(angle) * dy, -sin(angle) * dx + cos(angle) * dy)
            if all(number_and_unit(v) is not None for v in own[point]):
                for k in range(2):
                    write(["bodies", name, "points", point, k], local[k])
            else:
                notes.append(f"bodies.{name}.points.{point} is given by formulas: left as it is")
        elif isinstance(own, list) and point in own and "length" in body and len(own) == 2:
            other = next(p for p in own if p != point)
            there = np.asarray(motion[other])[0]
            write(["bodies", name, "length"], hypot(to[0] - there[0], to[1] - there[1]))
    if values:
        for name, value in _starts(data, motion, point, to, here):
            write(["initial", "position", name], value)
    return values, notes


def _starts(data: dict[str, Any], motion: Motion, point: str, to: tuple, here: np.ndarray) -> list[tuple[str, float]]:
    """Starting angles and distances that the text gives and that are measured to the point."""
    out = []
    for name in (data.get("initial") or {}).get("position") or {}:
        c = (data.get("coordinates") or {}).get(name)
        if not isinstance(c, dict):
            continue
        ends = c.get("of") if c.get("type") == "angle" and not c.get("relative_to") else c.get("points")
        if not (isinstance(ends, list) and len(ends) == 2 and point in ends and all(isinstance(p, str) for p in ends)):
            continue
        old, new = (
            np.subtract(*(place if p == point else np.asarray(motion[p])[0] for p in reversed(ends)))
            for place in (here, np.array(to))
        )
        value = float(motion[name][0])
        if c.get("type") == "angle":
            turn = atan2(new[1], new[0]) - atan2(old[1], old[0])
            out.append((name, value + turn - 2 * pi * round(turn / (2 * pi))))
        elif c.get("type") == "distance":
            out.append((name, hypot(*new)))
    return out


def _pose(motion: Motion, body: str) -> tuple[np.ndarray, float]:
    """Origin and angle of a body's axes at the start."""
    here = motion.body_motion(body)
    R, p = np.asarray(here.R[0])[0], np.asarray(here.p[0])[0]
    center = np.array([float(v) for v in motion.system.resolved.bodies[body].center[:2]])
    return p[:2] - R[:2, :2] @ center, float(np.arctan2(R[1, 0], R[0, 0]))


def _with_unit(value: float, unit: str) -> str:
    """A number in SI units as a text in the unit that the user wrote."""
    from ...model.units import parse_quantity

    one = parse_quantity(f"1 {unit}")
    assert one is not None
    return f"{value / one.value:.6g} {unit}"
