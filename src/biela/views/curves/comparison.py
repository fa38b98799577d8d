"""Methods compared: what an error costs, in time and in evaluations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...analysis.compare.study import Comparison, Row
from ..style import GREY, colour, dash, finished, heading, new_figure, style

MARKERS = "osD^vPX*<>hd"


def plot_comparison(comparison: Comparison, path: str | Path | None = None, theme: str = "light") -> Figure:
    """Errors against computing time and against evaluations, logarithmic, a line per method: lower left is better."""
    known = any(row.position_error for row in comparison.rows)
    errors = [("position_error", "position error at the end [m]")] if known else []
    errors.append(("energy_error", "largest energy error [J]"))
    costs = [("time", "time of computing [ms]", 1e3), ("evaluations", "evaluations", 1.0)]
    shown = [pair for pair in comparison.pairs if any(row.ok for row in comparison.of(pair))]
    failed = sum(not row.ok for row in comparison.rows)
    with style():
        figure = new_figure(12.4, 0.9 + 3.5 * len(errors))
        grid = figure.subplots(len(errors), 2, sharey="row", sharex="col", squeeze=False)
        for across, (error, name) in zip(grid, errors, strict=True):
            for axes, (cost, _, scale) in zip(across, costs, strict=True):
                for k, pair in enumerate(shown):
                    _line(axes, comparison.of(pair), cost, scale, error, k, pair)
                axes.set(xscale="log", yscale="log")
                axes.grid(which="minor", alpha=0.4)
                if error == "position_error" and comparison.reference_error > 0:
                    axes.axhline(comparison.reference_error, color=GREY, lw=1, ls=":", zorder=0)
            across[0].set_ylabel(name)
        for axes, (_, label, _) in zip(grid[-1], costs, strict=True):
            axes.set_xlabel(label)
        handles, labels = grid[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside right upper", fontsize=8.5 if len(shown) <= 24 else 6.5,
                      title="lower left is better", title_fontsize=8.5, alignment="left")  # fmt: skip
        made = f"reference: {comparison.reference}" if comparison.reference else "no reference"
        if known and comparison.reference_error > 0:
            made += "; dotted: how well it is known"
        if failed:
            made += f"; {failed} of {len(comparison.rows)} runs failed and are not shown"
        heading(figure, f"{comparison.model}, {comparison.duration:g} s", made)
    return finished(figure, path, theme)


def _line(axes: Axes, rows: list[Row], cost: str, scale: float, error: str, k: int, name: str) -> None:
    points: list[Any] = [(scale * getattr(r, cost), getattr(r, error)) for r in rows
                         if r.ok and getattr(r, cost) and getattr(r, error)]  # fmt: skip
    x, y = zip(*points, strict=True) if points else ((), ())
    axes.plot(x, y, color=colour(k), ls=dash(k), marker=MARKERS[k % len(MARKERS)], ms=5.5, label=name, lw=1.3)
