"""Arrows on drawings: forces and velocities straight, moments round, with their names, and a key for their scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch

from ..style import INK, PAPER
from .symbols import head
from .triad import round_length

DASHES = (0, (4.5, 2.2))
HEAD = 13.0  # points
FONT = 9.5


@dataclass
class Labels:
    """Texts that look for a free place when all is drawn."""

    wanted: list[tuple[str, np.ndarray, np.ndarray, Any]] = field(default_factory=list)
    """text, where it belongs, which way it may move, its colour"""
    taken: list[np.ndarray] = field(default_factory=list)
    """places (in metres) that nothing should cover"""

    def add(self, text: str, at: np.ndarray, way: np.ndarray, ink: Any) -> None:
        self.wanted.append((text, np.asarray(at, dtype=float), np.asarray(way, dtype=float), ink))

    def cover(self, start: np.ndarray, end: np.ndarray, count: int = 14) -> None:
        self.taken.append(np.linspace(start, end, count))

    def put(self, axes: Axes) -> None:
        """Write them: each near its place, where it covers least of lines and of other texts."""
        figure: Any = axes.figure
        figure.canvas.draw()
        renderer = figure.canvas.get_renderer()
        scale = renderer.points_to_pixels(1.0)
        lines = np.vstack([axes.transData.transform(t) for t in self.taken]) if self.taken else np.zeros((0, 2))
        frame = axes.get_window_extent(renderer)
        boxes = [t.get_window_extent(renderer).get_points() for t in axes.texts]
        for text, at, way, ink in self.wanted:
            probe = axes.text(0, 0, text, fontsize=FONT)
            extent = probe.get_window_extent(renderer)
            probe.remove()
            half = np.array([extent.width, extent.height]) / 2 + 2.0 * scale
            anchor = axes.transData.transform(at)
            best, least = anchor, np.inf
            for middle in _candidates(anchor, way, half, scale):
                cost = _cost(middle, half, lines, boxes, frame) + 0.02 * float(np.hypot(*(middle - anchor))) / scale
                if cost < least:
                    best, least = middle, cost
            boxes.append(np.array([best - half, best + half]))
            offset = (best - anchor) / scale
            axes.annotate(
                text, tuple(at), xytext=tuple(offset), textcoords="offset points", ha="center", va="center",
                fontsize=FONT, color=ink, zorder=12, annotation_clip=False,
                bbox={"boxstyle": "round,pad=0.1", "facecolor": PAPER, "edgecolor": "none", "alpha": 0.8},
            )  # fmt: skip


def _candidates(anchor: np.ndarray, way: np.ndarray, half: np.ndarray, scale: float) -> list[np.ndarray]:
    """Round the anchor, those ahead first."""
    length = float(np.hypot(*way))
    ahead = np.arctan2(way[1], way[0]) if length else 0.5
    out = []
    for ring in (3.0, 9.0, 18.0, 30.0):
        for turn in (0.0, 0.5, -0.5, 1.0, -1.0, 1.6, -1.6, 2.3, -2.3, np.pi):
            e = np.array([np.cos(ahead + turn), np.sin(ahead + turn)])
            reach = min(half[0] / max(abs(e[0]), 1e-9), half[1] / max(abs(e[1]), 1e-9))
            out.append(anchor + (reach + ring * scale) * e)
    return out


def _cost(middle: np.ndarray, half: np.ndarray, lines: np.ndarray, boxes: list[np.ndarray], frame: Any) -> float:
    low, high = middle - half, middle + half
    cost = 2.0 * float(((lines > low) & (lines < high)).all(axis=1).sum())
    for a, b in boxes:
        cost += 60.0 * float(np.all(np.minimum(high, b) > np.maximum(low, a)))
    outside = np.maximum(0, [frame.x0, frame.y0] - low) + np.maximum(0, high - [frame.x1, frame.y1])
    return cost + 0.5 * float(outside.sum())


def straight(
    axes: Axes, start: np.ndarray, end: np.ndarray, ink: Any, dashed: bool = False, width: float = 1.9,
    zorder: float = 10.0,
) -> None:  # fmt: skip
    """An arrow from one place to another, in metres."""
    axes.plot(*np.array([start, end]).T, alpha=0.0)  # so that the limits know of it
    way = np.asarray(end) - np.asarray(start)
    tail = np.asarray(start)
    pixels = float(np.hypot(*(axes.transData.transform(end) - axes.transData.transform(start))))
    figure: Any = axes.figure
    longest = min(HEAD, max(0.9 * pixels * 72 / figure.dpi, 3.0))  # no head is longer than its arrow
    if dashed:  # the head stays whole
        axes.plot(*np.array([start, start + 0.9 * way]).T, color=ink, lw=width, ls=DASHES, zorder=zorder)
        tail = start + 0.9 * way
    axes.add_patch(
        FancyArrowPatch(
            tuple(tail), tuple(end), arrowstyle="-|>,head_length=0.62,head_width=0.26", mutation_scale=longest,
            shrinkA=0, shrinkB=0, color=ink, lw=0.6 if dashed else width, zorder=zorder, joinstyle="miter",
        )
    )  # fmt: skip


def curved(axes: Axes, arc: np.ndarray, ink: Any, size: float, dashed: bool = False, zorder: float = 10.0) -> None:
    """An arrow along a curve of places on paper."""
    line: dict[str, Any] = {"ls": DASHES} if dashed else {}
    axes.plot(*arc.T, color=ink, lw=1.9, zorder=zorder, solid_capstyle="butt", **line)
    head(axes, arc[-1], arc[-1] - arc[-3], 0.82 * size, ink, zorder + 0.1)


def round_arc(at: np.ndarray, radius: float, sign: float, start: float = -0.6, turn: float = 4.4) -> np.ndarray:
    """Three quarters of a circle, anticlockwise for a positive sign."""
    s = np.linspace(0.0, turn, 50)
    angle = start + s if sign > 0 else np.pi - start - s
    return at + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


@dataclass(frozen=True)
class Scale:
    """How long an arrow is: metres of the drawing per unit of the quantity."""

    what: str
    unit: str
    per_unit: float
    ink: Any = INK

    @staticmethod
    def fit(what: str, unit: str, values: Sequence[float], reach: float, ink: Any = INK) -> Scale:
        """The largest value is an arrow of this reach."""
        largest = max([float(v) for v in values if np.isfinite(v)], default=0.0)
        return Scale(what, unit, reach / largest if largest > 0 else 0.0, ink)


def put_key(axes: Axes, scales: Sequence[Scale], width: float, below: float = 0.0) -> None:
    """Below the drawing: an arrow of a round value for each scale."""
    from matplotlib.lines import Line2D
    from matplotlib.offsetbox import AnchoredOffsetbox, AuxTransformBox, HPacker, TextArea, VPacker

    rows = []
    for s in scales:
        if s.per_unit <= 0:
            continue
        value = round_length(0.16 * width / s.per_unit)
        box = AuxTransformBox(axes.transData)
        length = value * s.per_unit
        box.add_artist(Line2D([0, length], [0, 0], color=s.ink, lw=1.9))
        head = Line2D([0.97 * length], [0], marker=">", ms=6.5, color=s.ink, ls="")
        box.add_artist(head)
        text = TextArea(f"{value:g} {s.unit}  ({s.what})", textprops={"fontsize": FONT, "color": s.ink})
        rows.append(HPacker(children=[box, text], align="center", pad=0, sep=7))
    if rows:
        packed = VPacker(children=rows, pad=0, sep=4, align="left")
        place = {"bbox_to_anchor": (0.0, -below), "bbox_transform": axes.transAxes}
        axes.add_artist(AnchoredOffsetbox("upper left", child=packed, frameon=False, pad=0.4, **place))
