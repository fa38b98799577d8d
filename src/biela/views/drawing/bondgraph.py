"""Drawings of bond graphs: half-arrows where power is counted to, causal strokes where the effort is given.

The barb of the half-arrow is on the side of the flow, below or right of the bond; the stroke stands across the bond at
the end that is given the effort.
"""

from __future__ import annotations

from math import hypot
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...bondgraph.layout import layout
from ...bondgraph.model.graph import BondGraph
from ..style import COLOURS, GREY, INK, PAPER, finished, heading, new_figure, style

SCALE = 1.15
"""inches for one length of a bond"""
STORE, SOURCE, LOSS, DERIVATIVE = COLOURS[0], COLOURS[2], COLOURS[1], COLOURS[3]
INKS = {"I": STORE, "C": STORE, "R": LOSS, "Se": SOURCE, "Sf": SOURCE}
BARB, STROKE = 0.11, 0.085
Places = dict[str, tuple[float, float]]


def draw(graph: BondGraph, path: str | Path | None = None) -> Figure:
    """The graph as a figure; written to path (.svg, .png, .pdf) if one is given."""
    places = layout(graph)
    network, c = graph.network, graph.causality
    xs, ys = zip(*places.values(), strict=True)
    width, height = max(xs) - min(xs) + 1.9, max(ys) - min(ys) + 1.5
    with style():
        figure = new_figure(max(3.4, SCALE * width), max(2.6, SCALE * height + 0.5))
        axes = figure.add_subplot()
        axes.set_axis_off()
        axes.set_aspect("equal")
        axes.set_xlim(min(xs) - 0.95, max(xs) + 0.95)
        axes.set_ylim(min(ys) - 0.75, max(ys) + 0.75)
        for bond in network.bonds.values():
            _bond(axes, places, bond, c.stroke[bond.name], graph)
        for name in places:
            _element(axes, graph, name, places)
        heading(figure, graph.title or graph.name, _legend(graph))
    return finished(figure, path)


def _legend(graph: BondGraph) -> str:
    notes = []
    if graph.causality.derivative:
        notes.append("derivative causality: " + ", ".join(graph.causality.derivative))
    if graph.equations.loops:
        notes.append("algebraic loops: " + "; ".join(" - ".join(loop.elements) for loop in graph.equations.loops))
    return " · ".join(notes)


def _label(graph: BondGraph, name: str) -> tuple[str, str]:
    """The sign of an element, and its name with its value below."""
    node = graph.network.nodes[name]
    sign = ("M" if node.modulated else "") + node.kind
    value = f"{name}: {node.value}" if node.value and node.value != name and len(node.value) <= 18 else name
    return sign, value


def _element(axes: Axes, graph: BondGraph, name: str, places: Places) -> None:
    node, place = graph.network.nodes[name], places[name]
    sign, value = _label(graph, name)
    ink = DERIVATIVE if name in graph.causality.derivative else INKS.get(node.kind, INK)
    box = {"boxstyle": "round,pad=0.12", "facecolor": PAPER, "edgecolor": "none"}
    axes.text(*place, sign, ha="center", va="center", fontsize=14, fontweight="bold", color=ink, zorder=4, bbox=box)
    dx, dy, ha, va = _side(graph, name, places)
    plain: Any = {"fontsize": 8.5, "color": GREY, "zorder": 5, "ha": ha, "va": va}
    paper = {"boxstyle": "square,pad=0.05", "facecolor": PAPER, "edgecolor": "none", "alpha": 0.85}
    axes.text(place[0] + dx, place[1] + dy, value, bbox=paper, **plain)


def _side(graph: BondGraph, name: str, places: Places) -> tuple[float, float, str, str]:
    """Where the name goes: below or above if no bond is there, else the side that is farthest from the bonds."""
    place = places[name]
    sides = [(0.0, -0.2, "center", "top"), (0.0, 0.2, "center", "bottom")]
    corners = [(x, y) for y in (-0.13, 0.13) for x in (0.17, -0.17)]
    sides += [(x, y, "left" if x > 0 else "right", "top" if y < 0 else "bottom") for x, y in corners]
    best, freest = sides[0], -2.0
    for way in sides:
        size = hypot(way[0], way[1])
        free = 2.0
        for bond in graph.network.nodes[name].bonds:
            x, y = places[bond.other(name)]
            d = hypot(x - place[0], y - place[1])
            along = (way[0] * (x - place[0]) + way[1] * (y - place[1])) / (size * d)
            free = min(free, 1 - along)
        if way[0] == 0 and free > 0.9:
            return way
        if free > freest + 0.15:
            best, freest = way, free
    return best


def _bond(axes: Axes, places: Places, bond: Any, stroke: str, graph: BondGraph) -> None:
    (x0, y0), (x1, y1) = places[bond.start], places[bond.end]
    length = hypot(x1 - x0, y1 - y0)
    ex, ey = (x1 - x0) / length, (y1 - y0) / length
    gap = [0.2 + 0.1 * abs(ex) * (len(_label(graph, end)[0]) > 1) for end in (bond.start, bond.end)]
    a = (x0 + gap[0] * ex, y0 + gap[0] * ey)
    b = (x1 - gap[1] * ex, y1 - gap[1] * ey)
    # the barb is on the side of the flow: below a level bond, right of an upright one
    nx, ny = ey, -ex
    if ny > 1e-9 or (abs(ny) <= 1e-9 and nx < 0):
        nx, ny = -nx, -ny
    line: Any = {"color": INK, "lw": 1.3, "solid_capstyle": "butt", "zorder": 3}
    axes.plot([a[0], b[0]], [a[1], b[1]], **line)
    barb = (b[0] - BARB * 1.25 * ex + BARB * 0.75 * nx, b[1] - BARB * 1.25 * ey + BARB * 0.75 * ny)
    axes.plot([b[0], barb[0]], [b[1], barb[1]], **line)
    end = b if stroke == bond.end else a
    tips = [(end[0] + k * STROKE * nx, end[1] + k * STROKE * ny) for k in (1, -1)]
    axes.plot(*zip(*tips, strict=True), **{**line, "lw": 2.4})
    middle = ((a[0] + b[0]) / 2 - 0.1 * nx, (a[1] + b[1]) / 2 - 0.1 * ny)
    ha = "center" if abs(nx) < 0.4 else "right" if nx > 0 else "left"
    va = "center" if abs(ny) < 0.4 else "bottom"
    axes.text(*middle, bond.name, fontsize=8, color=COLOURS[0], ha=ha, va=va, zorder=5, style="italic")
