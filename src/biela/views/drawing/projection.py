"""From space to paper: an orthographic view from above and aside, with what is against gravity pointing upwards."""

from __future__ import annotations

from dataclasses import dataclass
from math import radians
from typing import Any

import numpy as np

ELEVATION = 24.0
"""degrees that the eye is above the horizon"""
AZIMUTHS = (28.0, -62.0, 38.0, -52.0, 62.0, -28.0, 52.0, -38.0)
"""degrees from the first horizontal axis towards the second: views to try; of nearly equal ones the first is taken"""


@dataclass(frozen=True)
class Projection:
    """Three perpendicular unit vectors: to the right on paper, upwards on paper, and out of it towards the eye."""

    right: np.ndarray
    up: np.ndarray
    towards: np.ndarray

    @staticmethod
    def view(gravity: Any, azimuth: float, elevation: float = ELEVATION) -> Projection:
        """Seen from an azimuth and an elevation in degrees.

        >>> p = Projection.view((0, 0, -9.81), 0.0, 0.0)
        >>> p.flat(np.array([[1.0, 2.0, 3.0]])).tolist(), p.depth(np.array([1.0, 2.0, 3.0])).tolist()
        ([[2.0, 3.0]], 1.0)
        """
        first, second, above = horizon(gravity)
        a, e = radians(azimuth), radians(elevation)
        ahead = np.cos(a) * first + np.sin(a) * second
        towards = np.cos(e) * ahead + np.sin(e) * above
        right = -np.sin(a) * first + np.cos(a) * second
        return Projection(right, np.cross(towards, right), towards)

    def flat(self, points: Any) -> np.ndarray:
        """Places (..., 3) on paper: (..., 2)."""
        return np.asarray(points, dtype=float) @ np.stack([self.right, self.up], axis=1)

    def depth(self, points: Any) -> np.ndarray:
        """How far places are out of the paper, towards the eye."""
        return np.asarray(points, dtype=float) @ self.towards


def horizon(gravity: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two horizontal axes and the one that points up, right-handed; z is up where nothing has weight.

    >>> [axis.tolist() for axis in horizon((0, -9.81, 0))]
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    g = np.array([float(x) for x in gravity])
    k = int(np.argmax(np.abs(g))) if np.any(g) else 2
    above = np.eye(3)[k] * (-1.0 if g[k] > 0 else 1.0)
    first = np.eye(3)[(k + 1) % 3]
    return first, np.cross(above, first), above


def best_view(gravity: Any, points: np.ndarray, lines: list[np.ndarray]) -> Projection:
    """The view in which points (n, 3) cover each other least and lines (pairs of places) look longest."""

    def merit(p: Projection) -> float:
        flat = p.flat(points)
        apart = _nearest(points, flat)
        shown = [float(np.hypot(*(p.flat(b) - p.flat(a)))) / d for a, b in lines if (d := float(np.linalg.norm(b - a)))]
        return min(apart, 0.12) / 0.12 + (float(np.mean(shown)) + min(shown) if shown else 1.0)

    views = [Projection.view(gravity, azimuth) for azimuth in AZIMUTHS]
    merits = [merit(p) for p in views]
    return views[next(k for k, m in enumerate(merits) if m > 0.95 * max(merits))]


def _nearest(points: np.ndarray, flat: np.ndarray) -> float:
    """The least distance on paper of points that are apart in space, over the size of the drawing."""
    if len(points) < 2:
        return 1.0
    size = float(np.ptp(flat, axis=0).max()) or 1.0
    space = np.linalg.norm(points[:, None] - points[None], axis=2)
    paper = np.linalg.norm(flat[:, None] - flat[None], axis=2)
    apart = space > 1e-6 * max(float(space.max()), 1e-300)
    return float(paper[apart].min(initial=size)) / size
