"""The signs that mechanisms are drawn with: pins, ground, bars, plates, discs, sliders, springs, dampers.

Every function draws on matplotlib axes in metres; `unit` is the size of the signs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Polygon

from ..style import CASE, INK, PAPER, light

THICK, EDGE = 9.0, 1.6  # points


def bar(axes: Axes, ends: np.ndarray, colour: str, **options: Any) -> None:
    """A link with round ends, light inside."""
    for width, ink in ((THICK, colour), (THICK - 2 * EDGE, light(colour))):
        axes.plot(*ends.T, color=ink, lw=width, solid_capstyle="round", **{"zorder": 3, **options})


def rod(axes: Axes, ends: np.ndarray, colour: str, **options: Any) -> None:
    """A rod without mass: a thin line."""
    axes.plot(*ends.T, color=colour, lw=2.2, solid_capstyle="round", **{"zorder": 3, **options})


def plate(axes: Axes, corners: np.ndarray, colour: str, rounded: bool = True) -> None:
    """A body as a polygon; rounded if the corners are pins, sharp if they are its real outline."""
    if rounded:
        for width, ink in ((THICK, colour), (THICK - 2 * EDGE, light(colour))):
            fill = {"facecolor": light(colour), "edgecolor": ink, "lw": width}
            axes.add_patch(Polygon(corners, joinstyle="round", zorder=2, **fill))
    else:
        axes.add_patch(Polygon(corners, facecolor=light(colour, 0.85), edgecolor=colour, lw=EDGE, zorder=0.9))


def disc(axes: Axes, center: np.ndarray, radius: float, colour: str, e: np.ndarray) -> None:
    """A disc, with a stroke at its rim in the direction `e` that shows how it has turned."""
    axes.add_patch(Circle(tuple(center), radius, facecolor=light(colour, 0.85), edgecolor=colour, lw=EDGE, zorder=0.9))
    axes.plot(*np.array([center + 0.72 * radius * e, center + radius * e]).T, color=colour, lw=EDGE, zorder=0.9)


def mass(axes: Axes, at: np.ndarray, unit: float, colour: str) -> None:
    """A point mass: a filled dot."""
    axes.add_patch(Circle(tuple(at), 0.8 * unit, facecolor=colour, edgecolor=INK, lw=1.0, zorder=6))


def center(axes: Axes, at: np.ndarray, colour: str) -> None:
    """A centre of mass."""
    axes.plot(*at, marker="+", ms=7, mew=1.3, color=colour, zorder=4)


def pin(axes: Axes, at: np.ndarray, unit: float, above: bool = True) -> None:
    """A pin between bodies, or a point of one."""
    axes.add_patch(
        Circle(tuple(at), 0.36 * unit, facecolor=PAPER, edgecolor=INK, lw=1.3, zorder=7 if above else 4.5)
    )


def ground_pin(axes: Axes, at: np.ndarray, unit: float) -> None:
    """A pin held by the ground: a triangle on hatching."""
    x, y = at
    w, h = 0.95 * unit, 1.55 * unit
    axes.add_patch(
        Polygon([(x, y), (x - w, y - h), (x + w, y - h)], facecolor=CASE, edgecolor=INK, lw=1.2, zorder=1)
    )
    hatched_line(axes, np.array([x - 1.5 * w, y - h]), np.array([x + 1.5 * w, y - h]), unit)
    pin(axes, at, unit)


def hatched_line(
    axes: Axes, start: np.ndarray, end: np.ndarray, unit: float, strokes: int = 7, zorder: float = 1
) -> None:
    """The ground: a line with strokes on its right-hand side."""
    axes.plot(*np.array([start, end]).T, color=INK, lw=1.3, zorder=zorder, solid_capstyle="butt")
    along = end - start
    length = float(np.hypot(*along)) or 1.0
    e = along / length
    down = np.array([e[1], -e[0]])
    for s in np.linspace(0.08, 1.0, strokes):
        a = start + s * along
        axes.plot(*np.array([a, a + 0.45 * unit * (down - e)]).T, color=INK, lw=0.9, zorder=zorder)


def guide(
    axes: Axes, at: np.ndarray, direction: np.ndarray, reach: tuple[float, float], unit: float, away: float
) -> np.ndarray:
    """A straight guide of the ground from reach[0] to reach[1] along a direction: a wall so far away from its line.
    Gives the ends of the wall."""
    ends = np.array([at + s * direction for s in reach])
    normal = np.array([-direction[1], direction[0]])
    if normal[1] > 0 or (normal[1] == 0 and normal[0] > 0):
        ends = ends[::-1]  # the hatching goes below
        normal = -normal
    strokes = int(np.clip((reach[1] - reach[0]) / (0.55 * unit), 5, 60))
    shifted = ends[::-1] + away * unit * normal
    hatched_line(axes, shifted[0], shifted[1], unit, strokes)
    return shifted


def side_by_side(axes: Axes, start: np.ndarray, end: np.ndarray, unit: float, sign: dict, zorder: float = 4) -> None:
    """Springs and dampers between the same two points, beside each other, with a crossbar at both ends."""
    frame, count = _frame(start, end), len(sign["elements"])
    if frame is None:
        return
    e, n, length = frame
    options: dict[str, Any] = {"color": INK, "lw": 1.3, "zorder": zorder, "solid_joinstyle": "round"}
    for k, element in enumerate(sign["elements"]):
        side = sign["apart"] * (k - (count - 1) / 2)
        piece = min(element["share"] * length, element["most"] * unit)
        for stroke in element["strokes"]:
            s, pieces, w = np.array(stroke, dtype=float).T
            points = start + np.outer(s * length + pieces * piece, e) + np.outer((w + side) * unit, n)
            axes.plot(*points.T, **options)
    if count > 1:
        reach = sign["apart"] * (count - 1) / 2 * unit * n
        for place in (start, end):
            axes.plot(*np.array([place - reach, place + reach]).T, color=INK, lw=1.3, zorder=zorder)


def turning(axes: Axes, at: np.ndarray, unit: float, colour: str) -> None:
    """An arrow round a pin: something drives it."""
    r, angles = 1.45 * unit, np.pi * np.linspace(0.35, 1.15, 30)
    axes.plot(*(at + r * np.stack([np.cos(angles), np.sin(angles)], axis=1)).T, color=colour, lw=1.6, zorder=6.5)
    e = np.array([-np.sin(angles[-1]), np.cos(angles[-1])])
    head(axes, at + r * np.array([e[1], -e[0]]), e, unit, colour, 6.5)


def head(axes: Axes, foot: np.ndarray, way: np.ndarray, size: float, ink: Any, zorder: float) -> None:
    """The head of an arrow that goes this way."""
    e = way / (float(np.hypot(*way)) or 1.0)
    n = np.array([-e[1], e[0]])
    corners = np.array([foot + 0.75 * size * e, foot + 0.35 * size * n, foot - 0.35 * size * n])
    axes.add_patch(Polygon(corners, facecolor=ink, edgecolor="none", zorder=zorder))


def wall(axes: Axes, at: np.ndarray, normal: np.ndarray, reach: tuple[float, float], unit: float) -> None:
    """A straight limit at a place, hatched on the side of its normal."""
    along = np.array([-normal[1], normal[0]])
    strokes = int(np.clip((reach[1] - reach[0]) / (0.55 * unit), 4, 60))
    hatched_line(axes, at + reach[0] * along, at + reach[1] * along, unit, strokes, zorder=2.2)


def angle_stop(
    axes: Axes, at: np.ndarray, e: np.ndarray, radius: float, side: int, unit: float, away: float, colour: str | None
) -> None:
    """A short wall beside where an arm along `e` would strike it; of a moving body a block in the body's colour."""
    n = side * np.array([-e[1], e[0]])
    foot = at + radius * e + away * unit * n
    if colour is None:
        return wall(axes, foot, n, (-1.3 * unit, 1.3 * unit), unit)
    corners = [foot + a * 0.8 * unit * e + b * 0.8 * unit * n for a, b in ((-1, 0), (1, 0), (1, 1), (-1, 1))]
    axes.plot(*np.array([at, foot + 0.4 * unit * n]).T, color=colour, lw=0.9, ls=(0, (3, 2)), zorder=2.1)
    axes.add_patch(Polygon(np.array(corners), facecolor=light(colour), edgecolor=colour, lw=1.3, zorder=3.5))


def reach_arc(axes: Axes, at: np.ndarray, towards: np.ndarray, radius: float, side: int, unit: float) -> None:
    """A part of a circle that a distance may not pass: strokes on the forbidden side."""
    middle, half = np.arctan2(towards[1], towards[0]), min(2.4 * unit / max(radius, 1e-300), 0.9)
    angles = middle + np.linspace(-half, half, 25)
    rim = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    axes.plot(*(at + radius * rim).T, color=INK, lw=1.3, zorder=2.2)
    for e in rim[1::4]:
        across = np.array([-e[1], e[0]])
        strokes = np.array([at + radius * e, at + radius * e + 0.45 * unit * (side * e - across)])
        axes.plot(*strokes.T, color=INK, lw=0.9, zorder=2.2)


def lock(axes: Axes, ends: Sequence[np.ndarray], rims: Sequence[float], unit: float, closed: bool) -> None:
    """A clutch between two places that are apart, from rim to rim of their wheels; a brake at one."""
    frame = _frame(*ends) if len(ends) == 2 else None
    if frame is None or frame[2] <= unit:
        return _brake(axes, ends[0], unit, closed)
    _clutch(axes, ends[0] + rims[0] * frame[0], ends[1] - rims[1] * frame[0], unit, closed)


def _clutch(axes: Axes, start: np.ndarray, end: np.ndarray, unit: float, closed: bool) -> None:
    """Two plates on a shaft: apart while a lock is open, pressed together while it is closed."""
    frame = _frame(start, end)
    if frame is None:
        return
    e, n, length = frame
    middle, gap = 0.5 * length, (0.14 if closed else 0.55) * unit
    for s, sign in ((0.0, -1), (length, 1)):
        plate_at = middle + sign * gap
        axes.plot(*np.array([start + s * e, start + plate_at * e]).T, color=INK, lw=1.3, ls=(0, (5, 2)), zorder=4)
        ends = np.array([start + plate_at * e - 1.1 * unit * n, start + plate_at * e + 1.1 * unit * n])
        axes.plot(*ends.T, color=INK, lw=2.6, zorder=4.2, solid_capstyle="butt")


def _brake(axes: Axes, at: np.ndarray, unit: float, closed: bool) -> None:
    """A shoe over a pin: pressed on it while a lock is closed, lifted while it is open."""
    low = (0.42 if closed else 0.95) * unit
    corners = at + np.array([(-0.75, 0.0), (0.75, 0.0), (0.55, 0.7), (-0.55, 0.7)]) * unit + [0.0, low]
    fill = INK if closed else PAPER
    axes.add_patch(Polygon(corners, facecolor=fill, edgecolor=INK, lw=1.2, zorder=8))


def _frame(start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray, float] | None:
    """Unit vectors from one place to another and across, and how far they are apart; None where they are not."""
    along = end - start
    length = float(np.hypot(*along))
    if length == 0.0:
        return None
    e = along / length
    return e, np.array([-e[1], e[0]]), length
