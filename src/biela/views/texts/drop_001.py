"""Figures 15.10 and 15.11 of text 001: a mass let go on a spring and a damper."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from ...analysis.simulate import simulate
from ...results.result import Result
from ..style import colour, heading, new_figure, style
from .panels import panels

REST = 250 * 9.8 / 10000
"""where the mass hangs still, m below where it was let go"""
MADE = "augmented + dopri5, tolerance 1e-10"


def _run() -> Result:
    return simulate("mass-spring-damper", 2.0, formulation="augmented", integrator="dopri5", tolerance=1e-10,
                    samples=2000)  # fmt: skip


def acceleration() -> tuple[Figure, list[str]]:
    """The acceleration of the hung mass, downwards."""
    r = _run()
    a = np.asarray(r["y.acceleration"])
    parts = [("", "acceleration [m/s²]", [("y''", r.t, a)])]
    figure = panels("text 001: acceleration of the hung mass", MADE, (1, 1), parts, size=(8.0, 3.6))
    return figure, [f"from {a[0]:.4g} m/s² at the start down to {a.min():.4g}, {a[-1]:.1e} after 2 s"]


def falling() -> tuple[Figure, list[str]]:
    """Where the mass is, at instants side by side, until it hangs still."""
    r = _run()
    t, y = np.asarray(r.t), np.asarray(r["y"])
    with style():
        figure = new_figure(9.0, 4.2)
        axes = figure.subplots()
        for k, at in enumerate(np.arange(0.0, 1.61, 0.1)):
            here = float(np.interp(at, t, y))
            axes.plot([at, at], [0.12, -here], color="#9AA0A6", lw=1, ls=":", zorder=1)
            axes.add_patch(Rectangle((at - 0.03, -here - 0.025), 0.06, 0.05, fc=colour(0), ec="none",
                                     alpha=0.35 + 0.04 * k, zorder=3))  # fmt: skip
        shown = t <= 1.65
        axes.plot(t[shown], -y[shown], color=colour(1), lw=1.2, zorder=2)
        axes.axhline(-REST, color=colour(2), lw=1, ls="--", zorder=0)
        axes.text(-0.06, -REST + 0.008, "static deflection", ha="left", color=colour(2), fontsize=9)
        axes.set(xlabel="t [s]", ylabel="height of the mass [m]", xlim=(-0.08, 1.74))
        heading(figure, "text 001: the mass falls and swings until it hangs still", MADE)
    return figure, [f"lowest {y.max():.4f} m, static deflection {REST:g} m, {y[-1]:.4f} m after 2 s"]
