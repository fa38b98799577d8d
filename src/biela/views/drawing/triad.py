"""In the corners of drawings in space: the axes, which way weight pulls, and a length to measure by."""

from __future__ import annotations

from math import floor, log10
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.offsetbox import AnchoredOffsetbox, DrawingArea
from matplotlib.patches import Polygon
from matplotlib.text import Text

from ..style import GREY, INK
from .projection import Projection

REACH, TRIAD = 27.0, 82.0  # points: the axes in a corner, and the square they are drawn in


def put_triad(axes: Axes, view: Projection, gravity: Any, corner: str = "lower left") -> None:
    """The ground's axes, and the way that weight pulls, in a corner."""
    area = DrawingArea(TRIAD, TRIAD)
    origin = np.array([TRIAD / 2, TRIAD / 2 - 4])
    tips = {name: view.flat(axis) * REACH for name, axis in zip("xyz", np.eye(3), strict=True)}
    for tip in sorted(tips, key=lambda name: float(view.depth(np.eye(3)["xyz".index(name)]))):
        _arrow(area, origin, tips[tip], tip, INK)
    g = np.array([float(x) for x in gravity])
    if np.any(g):
        pull = view.flat(g / np.linalg.norm(g)) * 0.75 * REACH
        sides = [np.array([s * 0.72 * REACH, 0.55 * REACH]) - pull / 2 for s in (1, -1)]
        clear = [min(float(np.hypot(*(start + pull - tip))) for tip in tips.values()) for start in sides]
        _arrow(area, origin + sides[0 if clear[0] >= 0.8 * clear[1] else 1], pull, "g", GREY, beside=True)
    axes.add_artist(AnchoredOffsetbox(corner, child=area, frameon=False, pad=0.0, borderpad=0.0))


def _arrow(area: DrawingArea, start: np.ndarray, way: np.ndarray, name: str, ink: str, beside: bool = False) -> None:
    end = start + way
    area.add_artist(Line2D(*np.array([start, end]).T, color=ink, lw=1.3))
    length = float(np.hypot(*way))
    if length > 3.0:
        e = way / length
        n = np.array([-e[1], e[0]])
        area.add_artist(Polygon(np.array([end + 5 * e, end + 2.2 * n, end - 2.2 * n]), facecolor=ink, edgecolor=ink))
        x, y = start + way / 2 + 7 * np.array([1.0, 0.0]) if beside else end + 11 * e
    else:
        x, y = end + np.array([6.0, 6.0])
    area.add_artist(Text(x, y, name, ha="center", va="center", fontsize=10, fontstyle="italic", color=ink))


def put_scale(axes: Axes, width: float, corner: str = "lower right") -> None:
    """A bar of a round length, about a sixth of the picture, in a corner."""
    from mpl_toolkits.axes_grid1.anchored_artists import AnchoredSizeBar

    length = round_length(width / 6)
    bar = AnchoredSizeBar(
        axes.transData, length, f"{length:g} m", corner, pad=0.2, borderpad=0.3, sep=4, frameon=False, color=GREY,
    )  # fmt: skip
    axes.add_artist(bar)


def round_length(length: float) -> float:
    """1, 2 or 5 times a power of ten, not above a length.

    >>> round_length(0.37), round_length(4.9)
    (0.2, 2.0)
    """
    power = 10.0 ** floor(log10(length))
    return float(f"{max(k for k in (1, 2, 5) if k * power <= 1.0000001 * length) * power:.1g}")


def corners(axes: Axes, flat: np.ndarray) -> tuple[str, str] | None:
    """Two corners for the axes and the scale where nothing is drawn, those below first; None if there are none."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    share = (flat - [left, low]) / [right - left, high - low]

    def free(x: int, y: int, wide: float, tall: float) -> bool:
        return not ((np.abs(share[:, 0] - x) < wide) & (np.abs(share[:, 1] - y) < tall)).any()

    places = {"lower left": (0, 0), "lower right": (1, 0), "upper right": (1, 1)}
    triad = next((name for name, at in places.items() if free(*at, 0.19, 0.24)), None)
    scale = next((name for name in ("lower right", "upper right", "lower left")
                  if name != triad and free(*places[name], 0.19, 0.1)), None)  # fmt: skip
    return None if triad is None or scale is None else (triad, scale)
