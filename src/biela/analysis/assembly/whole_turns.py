"""Whole turns at the start: positions do not tell them, so they are those that initial values and drivers give."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...mechanics.measure import local_direction
from ...model.expression import names
from ...model.resolved import GROUND, ResolvedCoordinate, ResolvedModel
from ...system.system import System
from ..quantities import is_angular, turns_towards


def given_angles(system: System, resolved: ResolvedModel, q: np.ndarray) -> dict[str, float]:
    """Angles of bodies of the plane that initial values or drivers fix."""
    return body_angles(resolved, given_coordinates(system, resolved, q))


def body_angles(resolved: ResolvedModel, values: dict[str, float]) -> dict[str, float]:
    """Angles of bodies of the plane, by the values of relative angles that are measured from the ground."""
    out: dict[str, float] = {}
    for name, value in values.items() if resolved.dimension == 2 else ():
        (base, zero), (body, local) = (local_direction(line) for line in resolved.coordinates[name].lines)
        if base == GROUND and body != GROUND:
            out[body] = value + _direction_angle(zero) - _direction_angle(local)
    return out


def given_coordinates(system: System, resolved: ResolvedModel, q: np.ndarray) -> dict[str, float]:
    """Relative angles that initial values or drivers fix."""
    return angle_values(system, resolved, [*resolved.position, *(d.coordinate for d in resolved.drivers)], q)


def angle_values(system: System, resolved: ResolvedModel, names: Iterable[str], q: np.ndarray) -> dict[str, float]:
    """Those of the named coordinates that are angles, with their values at a position."""
    return {name: float(system.value(name, q)[0][0]) for name in dict.fromkeys(names) if is_angular(resolved, name)}


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
        value = _by_bodies(c, bodies) if resolved.dimension == 2 else _by_joint(c, resolved, given)
        if value is not None:
            i = full.q_names.index(name)
            q[i] += turns_towards(q[i], value)


def _by_bodies(c: ResolvedCoordinate, bodies: dict[str, float]) -> float | None:
    total = 0.0
    for sign, line in zip((-1, 1), c.lines, strict=True):
        body, local = local_direction(line)
        if body != GROUND and body not in bodies:
            return None
        total += sign * (bodies.get(body, 0.0) + _direction_angle(local))
    return total


def _by_joint(c: ResolvedCoordinate, resolved: ResolvedModel, given: dict[str, float]) -> float | None:
    if c.joint is None:
        return None
    same = (resolved.coordinates[name] for name in given)
    return next((given[s.name] for s in same if (s.joint, s.freedom) == (c.joint, c.freedom)), None)


def _direction_angle(local: tuple) -> float:
    return float(np.arctan2(float(local[1]), float(local[0])))
