"""Figure 20 of text 000 and figure 9 of text 002: drawings of the mechanisms themselves."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Arc

from ..mechanism import sketch
from ..style import GREY, INK, style
from .pendulum_000 import _run as pendulum_run
from .top_002 import run as top_run


def angles() -> tuple[Figure, list[str]]:
    """The double pendulum with its two angles from the downward vertical."""
    result = pendulum_run("penalty")
    at = int(np.argmin(np.abs(np.asarray(result.t) - 0.55)))
    drawn = sketch(result, at=at, title="text 000, figure 20: relative coordinates of the double pendulum")
    axes = drawn.axes[0]
    with style():
        for start, end, name in (("P0", "P1", "φ1"), ("P1", "P2", "φ2")):
            a, b = (np.asarray(result[p])[at] for p in (start, end))
            way = float(np.degrees(np.arctan2(b[1] - a[1], b[0] - a[0])))
            axes.plot([a[0], a[0]], [a[1], a[1] - 1.3], color=GREY, lw=1.2, ls=(0, (6, 3)), zorder=8)
            axes.plot(*np.array([a, a + 0.65 * (b - a)]).T, color=GREY, lw=1.2, ls=(0, (6, 3)), zorder=8)
            low, high = sorted((-90.0, way))
            axes.add_patch(Arc(tuple(a), 1.5, 1.5, theta1=low, theta2=high, color=INK, lw=1.4, zorder=8))
            middle = np.radians((low + high) / 2)
            axes.text(a[0] + 0.98 * np.cos(middle), a[1] + 0.98 * np.sin(middle), name, fontsize=12, ha="center",
                      va="center", fontstyle="italic", zorder=9)  # fmt: skip
    return drawn, ["angles are counted from the downward vertical"]


def symmetric_top() -> tuple[Figure, list[str]]:
    """The top at its start."""
    return sketch(top_run("conserving", 0.01, 2), title="symmetric top"), ["leaning 0.3 rad, 50 rad/s about its axis"]
