"""Panels side by side: the form that most figures of the texts have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..style import colour, heading, legend, new_figure, plain_numbers, style

Curve = tuple[str, Any, Any]
"""label, abscissas, ordinates"""


def panels(title: str, made: str, shape: tuple[int, int], parts: Sequence[tuple[str, str, Sequence[Curve]]],
           xlabel: str = "t [s]", size: tuple[float, float] = (5.4, 2.9), **options: Any) -> Figure:  # fmt: skip
    """A grid of panels, each with its letter, the quantity it shows, and its curves."""
    rows, columns = shape
    with style():
        figure = new_figure(size[0] * columns, 0.9 + size[1] * rows)
        grid = figure.subplots(rows, columns, squeeze=False).ravel()
        for letter, axes, (head, ylabel, curves) in zip("abcdefgh", grid, parts, strict=False):
            draw_curves(axes, curves, **options)
            axes.set_ylabel(ylabel)
            axes.set_xlabel(xlabel)
            # the legend stands above the axes, the panel's own title above it
            axes.set_title(f"({letter}) {head}" if len(parts) > 1 else head, pad=22 if len(curves) > 1 else 8)
        heading(figure, title, made)
    return figure


def draw_curves(axes: Axes, curves: Sequence[Curve], **options: Any) -> None:
    """Lines with a legend above them. None hides another: what is smaller lies on top, and one that goes the same way
    as another is dashed."""
    every = [np.asarray(y) for _, _, y in curves]
    for k, (label, x, y) in enumerate(curves):
        dashed = any(same_way(every[k], other) for other in every[:k])
        larger = sum(_spread(other) > 1.05 * _spread(every[k]) for other in every)
        order = 2 + (0.1 * larger + 0.5 * dashed) / (1 + len(curves))
        line: dict[str, Any] = {"zorder": order, "ls": (0, (4, 3)) if dashed else "-"}
        axes.plot(np.asarray(x), np.asarray(y), color=colour(k), label=label, **{"lw": 1.1, **line, **options})
    plain_numbers(axes)
    if len(curves) > 1:
        legend(axes, len(curves))


def _spread(y: np.ndarray) -> float:
    known = y[np.isfinite(y)]
    return float(np.std(known)) if len(known) else 0.0


def same_way(y: np.ndarray, other: np.ndarray) -> bool:
    """Whether one curve lies on another for most of its way: within a fiftieth of the height of both.

    >>> x = np.linspace(0, 6, 200)
    >>> same_way(np.sin(x), np.sin(x + 0.01)), same_way(np.sin(x), np.cos(x))
    (True, False)
    """
    known = np.isfinite(y) & np.isfinite(other) if y.shape == other.shape else np.zeros(0, dtype=bool)
    if not known.any():
        return False
    height = max(float(np.ptp(y[known])), float(np.ptp(other[known])))
    return bool(np.mean(np.abs(y - other)[known] <= 0.02 * height) > 0.5)
