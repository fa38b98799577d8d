"""Motion of a linear model over time."""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure

from ...analysis.linear.motion import LinearMotion
from ..style import colour, heading, new_figure, save, style

MOST = 8


def plot_linear_motion(motion: LinearMotion, path: str | Path | None = None) -> Figure:
    """One panel for each output, or without outputs for each state; written to path if one is given."""
    names = (motion.outputs or motion.states)[:MOST]
    with style():
        figure = new_figure(8.0, 1.2 + 1.9 * len(names))
        for k, (axes, name) in enumerate(zip(figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0], names,
                                             strict=True)):  # fmt: skip
            axes.plot(motion.t, motion[name], color=colour(k))
            unit = motion.units.get(name)
            axes.set_ylabel(f"{name} [{unit}]" if unit else name)
        figure.axes[-1].set_xlabel("t [s]")
        heading(figure, f"{motion.model}: small motion", f"trapezoidal rule, h = {motion.step:g} s")
    if path is not None:
        save(figure, path)
    return figure
