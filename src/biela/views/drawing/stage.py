"""What drawings in space are made on: strokes, faces and balls on paper, what is nearer covering what is farther."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.patches import Circle, Polygon

from ..scene.solids import Face, convex_hull
from ..style import INK, PAPER, STEEL, light
from .projection import Projection
from .symbols import EDGE, THICK

BACK, FRONT = 2.6, 6.6  # zorder of the farthest and of the nearest
DASHED = (0, (7, 2.2, 1.4, 2.2))
Colour = str | tuple[float, float, float]


@dataclass(frozen=True)
class Stage:
    """Axes, how space is seen on them, the size of the signs (in metres, and of pens beside the usual ones), and the
    range of depths."""

    axes: Axes
    view: Projection
    unit: float
    far: float
    near: float
    pen: float = 1.0
    taken: list[np.ndarray] = field(default_factory=list)
    """places on paper that signs cover: names keep clear of them"""

    def order(self, points: Any, lift: float = 0.0) -> float:
        """The zorder of something at these places; `lift` brings it nearer, in units of the signs."""
        depth = float(np.mean(self.view.depth(points))) + lift * self.unit
        span = max(self.near - self.far, 1e-300)
        return BACK + (FRONT - BACK) * float(np.clip((depth - self.far) / span, -0.1, 1.1))

    def line(self, points: Any, lift: float = 0.0, colour: Colour = INK, width: float = 1.2, **style: Any) -> None:
        """A line through places."""
        points = np.asarray(points, dtype=float)
        order = style.pop("zorder", self.order(points, lift))
        self.axes.plot(*self.view.flat(points).T, color=colour, lw=self.pen * width, zorder=order, **style)

    def bar(self, a: np.ndarray, b: np.ndarray, colour: str, width: float = THICK, lift: float = 0.0) -> None:
        """A link with round ends, light inside. It is drawn in pieces, each at its own depth, with a gap in what it
        crosses, so that two bars show which of them is in front; near its ends it is as deep as they are, under the
        signs of its joints."""
        length = float(np.hypot(*(self.view.flat(b) - self.view.flat(a))))
        pieces = int(np.clip(length / (1.6 * self.unit), 1, 40))
        width = self.pen * width
        inside = width - 2 * self.pen * EDGE if width > 4 * self.pen else 0.0
        for end in (a, b):
            for size, ink in ((width, colour), (inside, light(colour))):
                self.axes.plot(*self.view.flat(end), marker="o", ms=size, mew=0, color=ink, ls="",
                               zorder=self.order(end, lift - 0.05))  # fmt: skip
        overlap = min(0.07 * self.unit / length, 0.02) if length else 0.0
        for k in range(pieces):
            near, far = k / pieces, (k + 1) / pieces
            at = a if far * length < 2.4 * self.unit else b if (1 - near) * length < 2.4 * self.unit else None
            order = self.order([a + near * (b - a), a + far * (b - a)] if at is None else at, lift)
            if at is None:
                self._stroke(a, b, near + overlap, far - overlap, PAPER, width + 3.2 * self.pen, order - 0.01)
            for size, ink, more in ((width, colour, overlap), (inside, light(colour), 2 * overlap)):  # no seams
                self._stroke(a, b, max(near - more, 0.0), min(far + more, 1.0), ink, size, order)

    def _stroke(self, a: Any, b: Any, start: float, end: float, ink: Colour, width: float, order: float) -> None:
        flat = self.view.flat(np.array([a + start * (b - a), a + end * (b - a)]))
        self.axes.plot(*flat.T, color=ink, lw=width, zorder=order, solid_capstyle="butt")

    def tint(self, colour: Colour, normal: np.ndarray) -> tuple[float, float, float]:
        """The colour of a surface in light from the upper left."""
        n = normal / (float(np.linalg.norm(normal)) or 1.0)
        bright = float(n @ (-0.45 * self.view.right + 0.65 * self.view.up + 0.6 * self.view.towards))
        share = 0.62 + 0.27 * bright
        return tuple(1 - (1 - x) * (1 - share) for x in to_rgb(colour))  # type: ignore[return-value]

    def solid(
        self,
        faces: list[Face],
        colour: Colour,
        edge: Colour = INK,
        lift: float = 0.0,
        width: float = 1.2,
        order: float | None = None,
    ) -> None:
        """A convex body: the faces that look towards the eye, shaded, and its outline."""
        every = np.concatenate([face.corners for face in faces])
        order = self.order(every.mean(axis=0), lift) if order is None else order
        width = self.pen * width
        shown, tints, rims = [], [], []
        for face in faces:
            normal = _normal(face.corners)
            if float(normal @ self.view.towards) > 1e-9 * float(np.linalg.norm(normal)):
                shown.append(self.view.flat(face.corners))
                tints.append(self.tint(colour, normal))
                if face.sharp:
                    rims.append(shown[-1])
        self.axes.add_collection(
            PolyCollection(shown, facecolors=tints, edgecolors=tints, linewidths=0.7, zorder=order), autolim=False
        )
        for rim in rims:
            self.axes.add_patch(Polygon(rim, fill=False, edgecolor=edge, lw=0.75 * width, joinstyle="round",
                                        zorder=order + 0.001))  # fmt: skip
        outline = convex_hull(self.view.flat(every))
        self.axes.add_patch(Polygon(outline, fill=False, edgecolor=edge, lw=width, joinstyle="round",
                                    zorder=order + 0.002))  # fmt: skip

    def sheet(self, corners: np.ndarray, colour: str, lift: float = 0.0) -> None:
        """A flat body: a polygon with thick edges where bars would be."""
        order, flat = self.order(corners, lift), self.view.flat(corners)
        fill = self.tint(colour, _facing(_normal(corners), self.view.towards))
        for width, ink in ((THICK, colour), (THICK - 2 * EDGE, light(colour))):
            self.axes.add_patch(Polygon(flat, facecolor=fill, edgecolor=ink, lw=self.pen * width, joinstyle="round",
                                        zorder=order))  # fmt: skip

    def ball(
        self,
        at: np.ndarray,
        radius: float,
        colour: Colour = STEEL,
        edge: Colour = INK,
        lift: float = 0.0,
        order: float | None = None,
    ) -> None:
        """A ball, lit from the upper left."""
        order, x = self.order(at, lift) if order is None else order, self.view.flat(at)
        rings = 7
        for k in range(rings):
            s = k / rings
            share = 0.35 + 0.6 * s
            ink = tuple(1 - (1 - c) * (1 - share) for c in to_rgb(colour))
            shift = 0.42 * s * radius * np.array([-0.6, 0.8])
            self.axes.add_patch(Circle(tuple(x + shift), radius * (1 - 0.93 * s), facecolor=ink, edgecolor="none",
                                       zorder=order))  # fmt: skip
        rim = {"fill": False, "edgecolor": edge, "lw": 1.2 * self.pen, "zorder": order + 0.001}
        self.axes.add_patch(Circle(tuple(x), radius, **rim))


def _normal(corners: np.ndarray) -> np.ndarray:
    """Of a polygon, its length twice the area (Newell)."""
    ahead = np.roll(corners, -1, axis=0)
    return np.cross(corners - corners[0], ahead - corners[0]).sum(axis=0)


def _facing(normal: np.ndarray, eye: np.ndarray) -> np.ndarray:
    return normal if float(normal @ eye) >= 0 else -normal
