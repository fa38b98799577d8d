"""Methods compared: what an error costs."""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure

from ..analysis.compare import Comparison
from .style import colour, heading, legend, new_figure, save, style

MARKERS = "osD^vP"


def plot_comparison(comparison: Comparison, path: str | Path | None = None) -> Figure:
    """Error against time spent, both on logarithmic axes, a line per method: lower left is better."""
    known = [row for row in comparison.rows if row.position_error is not None]
    columns = (("energy_error", "largest energy error [J]"), ("position_error", "position error at the end [m]"))
    shown = columns if known else columns[:1]
    with style():
        figure = new_figure(5.2 * len(shown) + 0.4, 4.8)
        for axes, (key, name) in zip(figure.subplots(1, len(shown), squeeze=False)[0], shown, strict=True):
            for k, pair in enumerate(comparison.pairs):
                rows = [comparison.row(pair, h) for h in sorted(comparison.steps)]
                points = [(1e3 * r.time, getattr(r, key)) for r in rows if r and r.ok and getattr(r, key)]
                if points:
                    x, y = zip(*points, strict=True)
                    axes.plot(x, y, color=colour(k), marker=MARKERS[k % len(MARKERS)], ms=6, label=pair)
            axes.set(xscale="log", yscale="log", xlabel="time [ms]", ylabel=name)
            axes.grid(which="minor", alpha=0.4)
        legend(figure.axes[0], 2)
        steps = ", ".join(f"{h:g}" for h in sorted(comparison.steps))
        heading(figure, f"{comparison.model}, {comparison.duration:g} s", f"steps {steps} s")
    if path is not None:
        save(figure, path)
    return figure
