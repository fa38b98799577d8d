"""Names beside the points of a drawing, each where it covers least."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes

from ..style import INK, PAPER
from .stage import Stage

SIDES = ((1, 1), (-1, 1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1))
TALL, WIDE, GAP = 1.15, 0.78, 0.75
"""a letter's height and width and its distance from the point, in units of the signs"""


def sides(
    places: dict[str, np.ndarray], lines: Sequence[np.ndarray], taken: Sequence[tuple[float, float, float, float]],
    unit: float, gap: dict[str, float], sheets: Sequence[np.ndarray] = (),
) -> dict[str, tuple[int, int]]:  # fmt: skip
    """Which way from its point each name goes: the box that fewest lines cross and that no other name or box holds.

    `lines` are polygonal lines (links, springs, guides), `sheets` convex polygons (plates), `taken` boxes (left, low,
    right, high), `gap` how far some names keep from their points, in units.

    >>> sides({"A": np.zeros(2)}, [np.array([[0.0, 0.0], [1.0, 1.0]])], [], 0.1, {})
    {'A': (-1, 1)}
    """
    dots = [_sampled(line, 0.4 * unit) for line in lines]
    cloud = np.concatenate(dots) if dots else np.zeros((0, 2))
    boxes, out = list(taken), {}
    middle = np.mean(list(places.values()), axis=0) if places else np.zeros(2)
    half = max((abs(p[0] - middle[0]) for p in places.values()), default=0.0)
    for name, at in places.items():
        best, least = SIDES[0], np.inf
        for rank, way in enumerate(SIDES):
            box = _box(name, at, way, unit, gap.get(name, GAP))
            left, low, right, high = box
            inside = (cloud[:, 0] > left) & (cloud[:, 0] < right) & (cloud[:, 1] > low) & (cloud[:, 1] < high)
            inwards = abs(at[0] - middle[0]) > 0.6 * half and way[0] * (at[0] - middle[0]) < 0
            within = sum(_holds(sheet, np.array([(left + right) / 2, (low + high) / 2])) for sheet in sheets)
            crowded = sum(_overlap(box, other) for other in boxes)
            ring = [(x - 0.3 * unit, y - 0.3 * unit, x + 0.3 * unit, y + 0.3 * unit)
                    for other, (x, y) in places.items() if other != name]  # fmt: skip
            covered = sum(_overlap(box, other) for other in ring)
            cost = 0.15 * rank + 0.5 * inwards + 2.0 * within + float(inside.sum()) + 6.0 * crowded + 5.0 * covered
            if cost < least - 1e-9:
                best, least = way, cost
        boxes.append(_box(name, at, best, unit, gap.get(name, GAP)))
        out[name] = best
    return out


def together(place: dict[str, np.ndarray], unit: float) -> dict[str, np.ndarray]:
    """Points at the same place have one label with all their names, those that move first."""
    out: dict[str, np.ndarray] = {}
    for name, xy in reversed(place.items()):
        same = next((k for k, other in out.items() if float(np.hypot(*(other - xy))) < 0.05 * unit), None)
        if same is not None:
            out = {f"{k}, {name}" if k == same else k: v for k, v in out.items()}
        else:
            out[name] = xy
    return out


def put(axes: Axes, places: dict[str, np.ndarray], on: dict[str, tuple[int, int]], unit: float,
        gap: dict[str, float]) -> None:  # fmt: skip
    """Write the names."""
    for name, at in places.items():
        way, away = on[name], gap.get(name, GAP) * unit
        reach = away if 0 in way else 0.8 * away
        _write(axes, name, at + reach * np.array(way), way, 0.0)


def _write(axes: Axes, name: str, at: np.ndarray, side: tuple[int, int], points: float) -> None:
    """A name on this side of a place, so many points away."""
    axes.annotate(
        name, tuple(at), xytext=(points * side[0], points * side[1]), textcoords="offset points", zorder=9,
        ha=("right", "center", "left")[side[0] + 1], va=("top", "center", "bottom")[side[1] + 1],
        fontsize=10.5, fontweight="bold", color=INK,
        bbox={"boxstyle": "round,pad=0.12", "facecolor": PAPER, "edgecolor": "none", "alpha": 0.75},
    )  # fmt: skip


def put_names(stage: Stage, places: dict[str, np.ndarray], crowd: np.ndarray) -> None:
    """Each name on the side of its point that is freest: clear of `crowd` and of the signs on the stage."""
    taken = [*([stage.view.flat(crowd)] if len(crowd) else []), *stage.taken]
    for name, place in places.items():
        x = stage.view.flat(place)
        best, most = SIDES[0], -1.0
        for way in SIDES:
            middle = x + stage.unit * np.array([way[0] * (1.0 + 0.38 * len(name)), way[1] * 1.35])
            free = min((float(np.hypot(*(others - middle).T).min()) for others in taken), default=np.inf)
            free = min(free, 3.0 * stage.unit)
            if free > 1.05 * most:
                best, most = way, free
        across = [best[0] * s * (1.0 + 0.38 * len(name)) for s in (0.6, 1.0, 1.4)]
        taken.append(x + stage.unit * np.array([[side, best[1] * 1.35] for side in across]))
        stage.taken.append(taken[-1])
        _write(stage.axes, name, x, best, 8.0)


def _box(name: str, at: np.ndarray, way: tuple[int, int], unit: float, gap: float) -> tuple[float, float, float, float]:
    wide, tall = WIDE * len(name) * unit, TALL * unit
    away = (gap if 0 in way else 0.8 * gap) * unit
    x = at[0] + way[0] * away - (0.5 * (1 - way[0])) * wide
    y = at[1] + way[1] * away - (0.5 * (1 - way[1])) * tall
    return x, y, x + wide, y + tall


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _holds(sheet: np.ndarray, p: np.ndarray) -> bool:
    """Whether a convex polygon holds a place."""
    d, a = np.roll(sheet, -1, axis=0) - sheet, p - sheet
    turn = d[:, 0] * a[:, 1] - d[:, 1] * a[:, 0]
    return bool((turn > 0).all() or (turn < 0).all())


def _sampled(line: np.ndarray, step: float) -> np.ndarray:
    parts = []
    for a, b in pairwise(line):
        count = int(np.clip(np.hypot(*(b - a)) / step, 1, 400))
        parts.append(a + np.linspace(0, 1, count + 1)[:, None] * (b - a))
    return np.concatenate(parts) if parts else np.zeros((0, 2))
