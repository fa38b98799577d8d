"""Whole turns at the start: positions do not tell them, so they are those that initial values and drivers give."""

from __future__ import annotations

import numpy as np

from ...mechanics.measure import local_direction
from ...model.expression import names
from ...model.resolved import GROUND, ResolvedCoordinate, ResolvedModel
from ...system.system import System


def given_angles(full: System, resolved: ResolvedModel, q: np.ndarray) -> dict[str, float]:
    """Angles of bodies of the plane that initial values or drivers fix."""
    out: dict[str, float] = {}
    for name, value in given_coordinates(full, resolved, q).items() if resolved.dimension == 2 else ():
        (base, zero), (body, local) = (local_direction(line) for line in resolved.coordinates[name].lines)
        if base == GROUND and body != GROUND:
            out[body] = value + _aim(zero) - _aim(local)
    return out


def given_coordinates(full: System, resolved: ResolvedModel, q: np.ndarray) -> dict[str, float]:
    """Relative angles that initial values or drivers fix."""
    asked = {**dict.fromkeys(resolved.position), **dict.fromkeys(d.coordinate for d in resolved.drivers)}
    angles = [n for n in asked if n in resolved.coordinates and resolved.coordinates[n].type == "angle"]
    return {name: float(full.value(name, q)[0][0]) for name in angles}


def share_turns(full: System, resolved: ResolvedModel, q: np.ndarray) -> None:
    """An angle that forces act through starts with the whole turns given to the same angle under another name.

    `full`: with all these coordinates among its variables. In the plane the same angle is that of the same bodies, from
    whatever lines; in space it is the same freedom of a joint. Equations that the user writes, and threads, say
    themselves what their angles are.
    """
    given, bodies = given_coordinates(full, resolved, q), given_angles(full, resolved, q)
    fixed = set(given)
    for joint in resolved.joints:
        fixed |= names(joint.equation) if joint.equation is not None else set()
        fixed |= {name for name, _ in joint.terms} if joint.frames else set()
    for name in full.equations.carried:
        c = resolved.coordinates[name]
        if c.type != "angle" or name in fixed:
            continue
        value = _told_by_bodies(c, bodies) if resolved.dimension == 2 else _told_by_joint(c, resolved, given)
        if value is not None:
            i = full.q_names.index(name)
            q[i] += 2 * np.pi * np.round((value - q[i]) / (2 * np.pi))


def _told_by_bodies(c: ResolvedCoordinate, bodies: dict[str, float]) -> float | None:
    total = 0.0
    for sign, line in zip((-1, 1), c.lines, strict=True):
        body, local = local_direction(line)
        if body != GROUND and body not in bodies:
            return None
        total += sign * (bodies.get(body, 0.0) + _aim(local))
    return total


def _told_by_joint(c: ResolvedCoordinate, resolved: ResolvedModel, given: dict[str, float]) -> float | None:
    if c.joint is None:
        return None
    same = (resolved.coordinates[name] for name in given)
    return next((given[s.name] for s in same if (s.joint, s.freedom) == (c.joint, c.freedom)), None)


def _aim(local: tuple) -> float:
    return float(np.arctan2(float(local[1]), float(local[0])))
