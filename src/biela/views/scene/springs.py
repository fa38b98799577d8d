"""Springs and dampers as things to draw: between which places, and with which signs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...model.resolved import GROUND, Place, ResolvedCoordinate
from ...results.motion import Motion
from .frames import Frames, Thing, floats, local_direction
from .signs import APART, ELEMENTS

SHORT = 0.2
"""a position that comes nearer to zero than this part of its range is told from where the spring is at rest"""


def spring_signs(frames: Frames) -> list[Thing]:
    """Those between the same two places together: {type, ends, signs (words), elements (their strokes), walls}."""
    resolved = frames.resolved
    pairs: dict[tuple[Place, ...], list[str]] = {}
    for force in resolved.forces:
        places = force.places
        if force.coordinate is not None:
            c = resolved.coordinates.get(force.coordinate)
            places = () if c is None else _ends(frames.motion, c)
        if len(places) == 2:
            pairs.setdefault(tuple(places), []).extend(_words(force.law))
    return [
        {
            "type": "springs",
            "ends": [frames.place(p) for p in places],
            "signs": words,
            "elements": [ELEMENTS[word] for word in words],
            "apart": APART,
            "walls": [p.body == GROUND and p.point is None for p in places],  # no point shows that it is fixed there
        }
        for places, words in pairs.items()
        if words
    ]


def _words(law: Any) -> list[str]:
    elastic = law.stiffness or law.potential is not None
    return [*(["spring"] if elastic else []), *(["damper"] if law.damping else [])]


def _ends(motion: Motion, coordinate: ResolvedCoordinate) -> tuple[Place, ...]:
    """What a distance or a position is measured between; an angle has no such ends."""
    if coordinate.type != "position" or coordinate.lines[0].through is None:
        return coordinate.places
    return (_behind(motion, coordinate, coordinate.lines[0].through), coordinate.places[0])


def _behind(motion: Motion, coordinate: ResolvedCoordinate, through: Place) -> Place:
    """Where the spring of a position is fixed. A position that passes zero tells how far the spring is from its rest,
    not how long it is: then the fixed end is drawn so far behind zero that the spring always has a length."""
    x = np.asarray(motion[coordinate.name], dtype=float)
    x = x[np.isfinite(x)]
    low, high = float(x.min(initial=np.inf)), float(x.max(initial=-np.inf))
    body, e = local_direction(coordinate.lines[0].vector)
    if not len(x) or low > SHORT * high > 0 or body != through.body:
        return through
    back = max(-low, 0.0) + max(0.8 * (high - low), 0.5 * motion.system.size)
    return Place(through.body, tuple((floats(through.local) - back * e).tolist()))


def wall_distance(frames: Frames, springs: list[Thing], block: list[float], e: np.ndarray, sample: int) -> float:
    """How far the wall of a guide is from its line, in units of the signs: beside the block, and clear of springs and
    dampers that lie along it."""
    most, near = 0, 1e-6 * frames.motion.system.size
    for spring in springs:
        a, b = (frames.path(p) for p in spring["ends"])
        k = sample if np.any(a[sample] != b[sample]) else int(np.argmax(np.abs(b - a).sum(axis=1)))
        along, here = b[k] - a[k], frames.at(block, k)
        straight = abs(along[0] * e[1] - along[1] * e[0]) < near
        if straight and min(float(np.hypot(*(p[k] - here))) for p in (a, b)) < near:
            most = max(most, len(spring["signs"]))
    return 0.62 if most == 0 else 0.85 * most
