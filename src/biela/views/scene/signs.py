"""The signs of joints and of force elements, by their words, once for stills, films and pages.

A joint says in its file which word it is drawn by (`sign`); here the word becomes parts, which both renderers know how
to draw (`drawing/joints.py` and `plane.py`, `player/web/space.js` and `signs.js`). Sizes are in units of the signs;
`lift` brings a part nearer to the eye, in the same units. Another package may add words of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Part = dict[str, Any]
FORK = 1.45, 2.1
"""half the width of a fork of a universal joint, and its depth"""
RAIL = 2.6
"""how far a rail goes beyond what slides on it"""


def axis(start: float, end: float) -> Part:
    """A dash-dot line along the axis, on both sides of the place."""
    return {"part": "axis", "from": start, "to": end}


def rail(start: float, end: float) -> Part:
    """Of the ground: a hatched rail as long as the joint travels; else the axis."""
    return {"part": "rail", "from": start, "to": end, "beyond": RAIL}


def cylinder(radius: float, half: float, metal: str = "steel", lift: float = 0.4) -> Part:
    """About the axis; `half` of its length on either side."""
    return {"part": "cylinder", "radius": radius, "half": half, "metal": metal, "lift": lift}


def box(*sides: float, lift: float = 0.4) -> Part:
    """Its sides along the axis, across it, and across both."""
    return {"part": "box", "sides": list(sides), "lift": lift}


def ball(radius: float, lift: float = 0.5) -> Part:
    return {"part": "ball", "radius": radius, "lift": lift}


PEDESTAL: Part = {"part": "pedestal"}
"""what a joint of the ground stands on"""
FORKS: Part = {"part": "forks", "width": FORK[0], "depth": FORK[1]}
"""of each body one, that holds its own axis, and the cross between them"""
TURNS: Part = {"part": "turns", "first": 0.78, "pitch": 0.3, "count": 4, "radius": 0.3}
"""of a thread, on both sides of its nut"""
FLOOR: Part = {"part": "floor", "half": RAIL, "normal": 2.3}
"""a piece of the plane that a body slides on, and its normal"""
WELD: Part = {"part": "weld", "half": 0.36}

JOINTS: dict[str, list[Part]] = {
    "hinge": [PEDESTAL, axis(0.95, 2.5), cylinder(0.5, 0.95)],
    "slide": [rail(1.2, 3.0), box(2.4, 1.3, 1.3)],
    "sleeve": [PEDESTAL, axis(1.8, 3.2), cylinder(0.24, 1.75, "shaft", 0.3), cylinder(0.5, 0.85)],
    "thread": [
        PEDESTAL, axis(1.8, 3.2), cylinder(0.26, 1.8, "shaft", 0.3), cylinder(0.54, 0.62, lift=0.5), TURNS
    ],
    "ball": [PEDESTAL, ball(0.58)],
    "cross": [PEDESTAL, FORKS, ball(0.34, lift=0.4)],
    "slot": [rail(0.0, RAIL), ball(0.58)],
    "disc on a plane": [FLOOR, cylinder(0.75, 0.16)],
    "ball on a plane": [FLOOR, ball(0.58)],
    "weld": [PEDESTAL, WELD],
    "end": [PEDESTAL, ball(0.45)],
}  # fmt: skip
"""word of a joint in space, or of the end of a rod -> what it is drawn with"""
LINKS = {"rod": ("end", "end"), "hinged rod": ("hinge", "end")}
"""words of joints that stand for rods, drawn as links between their two places -> the signs at these"""


def line(*points: tuple[float, float]) -> Part:
    """Of the plane: dash-dot, through points along and across the direction of the joint."""
    return {"part": "line", "points": [list(p) for p in points]}


def polygon(*points: tuple[float, float]) -> Part:
    """Of the plane: filled, with the colour of the mass that it stands for."""
    return {"part": "polygon", "points": [list(p) for p in points]}


GUIDE = [line((-3.2, 0.0), (3.2, 0.0)), polygon((-1.05, -0.62), (1.05, -0.62), (1.05, 0.62), (-1.05, 0.62))]
"""a line of a moving body, and the block that slides on it; on one of the ground the block alone, beside a wall"""
PLANE_JOINTS: dict[str, list[Part]] = {"guide": GUIDE}
"""word of a joint of the plane -> what it is drawn with, at its place and in the direction of its line"""


Stroke = Sequence[tuple[float, float, float]]


def element(most: float, share: float, *strokes: Stroke) -> dict[str, Any]:
    """Something between two places a length apart, as strokes of points (s, k, w): s times the length and k times a
    piece along the line, w units beside it. The piece is `most` units, but not above a `share` of the length."""
    return {"most": most, "share": share, "strokes": [[list(p) for p in stroke] for stroke in strokes]}


def _zigzag(turns: int = 14, wide: float = 0.6) -> Stroke:
    bends = [((k + 0.5) / turns, 1 - (2 * k + 1) / turns, wide * (-1) ** k) for k in range(turns)]
    return [(0, 0, 0), (0, 1, 0), *bends, (1, -1, 0), (1, 0, 0)]


def _pot(wide: float = 0.55) -> Sequence[Stroke]:
    """A piston in a pot: the rod to it, the pot, the piston, and its rod."""
    pot = [(0.5, k, w) for k, w in ((1, wide), (-1, wide), (-1, -wide), (1, -wide))]
    return [[(0, 0, 0), (0.5, -1, 0)], pot, [(0.5, 0, 0.8 * wide), (0.5, 0, -0.8 * wide)], [(0.5, 0, 0), (1, 0, 0)]]


ELEMENTS: dict[str, dict[str, Any]] = {"spring": element(1.2, 0.18, _zigzag()), "damper": element(0.9, 0.25, *_pot())}
"""word of a force element -> what it is drawn with between its two places"""
APART = 1.7
"""units from one element to the next, where several act between the same two places"""
