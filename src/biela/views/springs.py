"""Springs and dampers of a mechanism: between which places they are drawn, and with which signs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..model.resolved import GROUND, Direction, Place, ResolvedCoordinate
from ..results.motion import Motion
from .plane import symbols

SHORT = 0.2
"""a position that comes nearer to zero than this part of its range is told from where the spring is at rest"""


def spring_signs(motion: Motion) -> Iterator[tuple[tuple[Place, ...], list[Any]]]:
    """The two places between which springs and dampers act, and the signs of all that act there."""
    resolved = motion.system.resolved
    pairs: dict[tuple[Place, ...], list[Any]] = {}
    for force in resolved.forces:
        places = force.places
        if force.coordinate is not None:
            c = resolved.coordinates.get(force.coordinate)
            places = () if c is None else _ends(motion, c)
        if len(places) == 2:
            pairs.setdefault(tuple(places), []).append(force)
    for places, forces in pairs.items():
        yield places, [s for f in forces for s in _signs(f.law)]


def bare_anchor(place: Place) -> bool:
    """An end that is fixed to the ground where no point has a name: it needs a wall of its own."""
    return place.body == GROUND and place.point is None


def _ends(motion: Motion, coordinate: ResolvedCoordinate) -> tuple[Place, ...]:
    """What a distance or a position is measured between; an angle has no such ends."""
    if coordinate.type != "position":
        return coordinate.places
    line = coordinate.lines[0]
    if line.through is None:
        return coordinate.places
    return (_behind(motion, coordinate, line.through), coordinate.places[0])


def _behind(motion: Motion, coordinate: ResolvedCoordinate, through: Place) -> Place:
    """Where the spring of a position is fixed. A position that passes zero tells how far the spring is from its rest,
    not how long it is: then the fixed end is drawn as far behind zero as the spring has room."""
    x = np.asarray(motion[coordinate.name], dtype=float)
    x = x[np.isfinite(x)]
    low, high = float(x.min(initial=np.inf)), float(x.max(initial=-np.inf))
    v = coordinate.lines[0].vector
    if not len(x) or low > SHORT * high > 0:
        return through
    if isinstance(v, Direction):
        body, e = v.body, np.array([float(c) for c in v.local])
    elif v.start.body == v.end.body:
        body, e = v.start.body, np.array([float(b) - float(a) for a, b in zip(v.start.local, v.end.local, strict=True)])
    else:
        return through
    if body != through.body:
        return through
    back = max(-low, 0.0) + max(0.8 * (high - low), 0.5 * motion.system.size)
    local = np.array([float(c) for c in through.local]) - back * e / np.linalg.norm(e)
    return Place(body, tuple(local.tolist()))


def _signs(law: Any) -> list[Any]:
    out = [symbols.spring] if law.stiffness or law.potential is not None else []
    return out + [symbols.damper] if law.damping else out


def wall_distance(motion: Motion, block: Place, e: np.ndarray, at: int) -> float:
    """How far the wall of a guide is from its line, in units of the signs: beside the block, and clear of springs and
    dampers that lie along it."""
    posture, most = motion.posture, 0
    for places, signs in spring_signs(motion):
        a, b = (posture.derivative(posture.exploded.place(p), 0) for p in places)
        k = at if np.any(a[at] != b[at]) else int(np.argmax(np.abs(b - a).sum(axis=1)))
        along, here = b[k] - a[k], posture.derivative(posture.exploded.place(block), 0)[k]
        straight = abs(along[0] * e[1] - along[1] * e[0]) < 1e-6 * motion.system.size
        if straight and min(float(np.hypot(*(p[k] - here))) for p in (a, b)) < 1e-6 * motion.system.size:
            most = max(most, len(signs))
    return 0.62 if most == 0 else 0.85 * most
