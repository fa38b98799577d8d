"""Stops and locks of a mechanism of the plane, drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from ...model.resolved import GROUND, Direction, Place
from ...results.motion import Motion
from ..limits import CLEAR_BAR, Mark, Reach, Wall, holds, wheels
from . import symbols


def ends_of(motion: Motion, places: Sequence[Place], at: int) -> list[np.ndarray]:
    """Where places are at a sample."""
    posture = motion.posture
    return [posture.derivative(posture.exploded.place(p), 0)[at] for p in places]


def draw_stops(axes: Axes, motion: Motion, marks: list[Mark], at: int, unit: float, colours: dict[str, str]) -> None:
    natural = motion.system.equations.exploded
    for mark in marks:
        if isinstance(mark, Reach):
            a, b = ends_of(motion, mark.ends, at)
            symbols.reach_arc(axes, a, b - a, mark.radius, mark.side, unit)
            continue
        here = ends_of(motion, [mark.at], at)[0]
        if isinstance(mark, Wall):
            normal = motion.posture.derivative(natural.direction(Direction(mark.at.body, mark.normal)), 0)[at]
            low, high = mark.reach or (0.0, 0.0)
            margin = (2.2 if mark.reach is None else 6.0) * unit
            symbols.wall(axes, here + mark.clear * unit * normal, normal, (low - margin, high + margin), unit)
            continue
        base = motion.posture.derivative(natural.vector(mark.line), 0)[at]
        angle = np.arctan2(base[1], base[0]) + mark.turn
        e = np.array([np.cos(angle), np.sin(angle)])
        ink = None if mark.body == GROUND else colours.get(mark.body)
        symbols.angle_stop(axes, here, e, max(mark.radius, 2.6 * unit), mark.side, unit, CLEAR_BAR, ink)


def draw_locks(axes: Axes, motion: Motion, at: int, unit: float) -> None:
    t = float(np.asarray(motion.t)[at])
    for hold in holds(motion):
        ends = ends_of(motion, hold.ends, at)
        if len(ends) == 2 and float(np.hypot(*(ends[1] - ends[0]))) > unit:
            rims = [wheels(motion.system.resolved).get(p.body, 0.0) for p in hold.ends]
            e = (ends[1] - ends[0]) / float(np.hypot(*(ends[1] - ends[0])))
            symbols.clutch(axes, ends[0] + rims[0] * e, ends[1] - rims[1] * e, unit, hold.is_closed(t))
        else:
            symbols.brake(axes, ends[0], unit, hold.is_closed(t))
