"""Surfaces of bodies in space: boxes, cylinders, cones, balls, hulls; and the shape that a body's inertia tells.

A resolved body keeps its kind, its mass and its inertia, not its sizes: a homogeneous box, cylinder, cone or ball has
only one size with that inertia.
"""

from __future__ import annotations

from itertools import product
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from ...model.resolved import ResolvedBody

ROUND = 40  # corners of a circle


class Face(NamedTuple):
    """A flat piece of a convex surface: its corners, anticlockwise from outside."""

    corners: np.ndarray
    sharp: bool = True
    """whether its edges show"""


class Ball(NamedTuple):
    """The surface that is the same from everywhere."""

    radius: float


Surface = list[Face] | Ball
SHAPES = ("box", "plate", "cylinder", "disc", "cone", "sphere")


def across(axis: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors perpendicular to an axis and to each other, right-handed with it."""
    helper = np.eye(3)[int(np.argmin(np.abs(axis)))]
    u = np.cross(axis, helper)
    u = u / np.linalg.norm(u)
    return u, np.cross(axis, u)


def circle(center: np.ndarray, axis: np.ndarray, radius: float, start: float = 0.0, turn: float = 1.0) -> np.ndarray:
    """Places on a circle, or a part of it, anticlockwise about the axis (in turns)."""
    u, v = across(axis)
    angles = 2 * np.pi * (start + turn * np.arange(ROUND + 1) / ROUND)
    return center + radius * (np.outer(np.cos(angles), u) + np.outer(np.sin(angles), v))


def cylinder(center: np.ndarray, axis: np.ndarray, radius: float, half: float) -> list[Face]:
    """A round cylinder."""
    top, bottom = (circle(center + s * half * axis, axis, radius)[:-1] for s in (1, -1))
    return [*_sides(bottom, top), Face(top), Face(bottom[::-1])]


def cone(base: np.ndarray, apex: np.ndarray, radius: float) -> list[Face]:
    """A round cone."""
    axis = (apex - base) / np.linalg.norm(apex - base)
    rim = circle(base, axis, radius)[:-1]
    sides = [Face(np.array([rim[k - 1], rim[k], apex]), sharp=False) for k in range(len(rim))]
    return [*sides, Face(rim[::-1])]


def box(center: np.ndarray, axes: np.ndarray, sides: Any) -> list[Face]:
    """A box; `axes` are three columns, `sides` its lengths along them."""
    half = axes * np.asarray(sides, dtype=float) / 2
    faces = []
    for k, sign in product(range(3), (1.0, -1.0)):
        n, u, v = sign * half[:, k], half[:, (k + 1) % 3], sign * half[:, (k + 2) % 3]
        faces.append(Face(np.array([center + n + a * u + b * v for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])))
    return faces


def hull(points: np.ndarray) -> list[Face]:
    """The convex hull of points that span space."""
    from scipy.spatial import ConvexHull

    found, middle = ConvexHull(points), points.mean(axis=0)
    faces = []
    for simplex in found.simplices:
        corners = points[simplex]
        n = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        faces.append(Face(corners if n @ (corners[0] - middle) > 0 else corners[::-1]))
    return faces


def convex_hull(points: np.ndarray) -> np.ndarray:
    """The corners of a set of points of the plane; two of them if all lie on a line (Andrew's monotone chain).

    >>> convex_hull(np.array([[0, 0], [2, 0], [1, 0], [1, 1]])).tolist()
    [[0, 0], [2, 0], [1, 1]]
    """
    order = sorted(map(tuple, np.unique(points, axis=0)))
    if len(order) < 3:
        return np.array(order)
    size = float(np.ptp(points, axis=0).max())

    def half(items: list[tuple]) -> list[tuple]:
        out: list[tuple] = []
        for p in items:
            while len(out) > 1 and _cross(out[-2], out[-1], p) <= 1e-9 * size * size:
                out.pop()
            out.append(p)
        return out

    return np.array(half(order)[:-1] + half(order[::-1])[:-1])


def _cross(o: tuple, a: tuple, b: tuple) -> float:
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def _sides(bottom: np.ndarray, top: np.ndarray) -> list[Face]:
    count = len(top)
    return [
        Face(np.array([bottom[k], bottom[(k + 1) % count], top[(k + 1) % count], top[k]]), sharp=False)
        for k in range(count)
    ]


def shape(body: ResolvedBody) -> Surface | None:
    """The surface of a body in its own axes, from its inertia; None if no homogeneous shape has it.

    >>> ball = ResolvedBody("b", "sphere", {}, 2.0, (0, 0, 0), ((0.2, 0, 0), (0, 0.2, 0), (0, 0, 0.2)))
    >>> shape(ball)
    Ball(radius=0.5)
    """
    kind = body.kind
    mass, J = float(body.mass), np.array(body.inertia, dtype=float)
    if mass <= 0 or not np.any(J):
        return None
    center = np.array([float(x) for x in body.center])
    if kind == "sphere":
        return Ball(sqrt(2.5 * J[0, 0] / mass))
    values, vectors = np.linalg.eigh(J)
    if kind in ("box", "plate"):
        values, vectors = np.diag(J), np.eye(3)
    elif kind in ("cylinder", "disc", "cone") or np.ptp(np.sort(values)[:2]) < 1e-6 * values[2]:
        return _round(body, kind, center, values / mass, vectors)
    elif np.ptp(np.sort(values)[1:]) < 1e-6 * values[2]:
        return _round(body, kind, center, values / mass, vectors)
    square = 6 * (values.sum() - 2 * values) / mass
    if square.min() < -1e-6 * square.max():
        return None
    sides = np.sqrt(np.maximum(square, 0.0))
    return box(center, vectors, np.maximum(sides, 0.01 * sides.max()))


def _round(body: ResolvedBody, kind: str, center: np.ndarray, values: np.ndarray, vectors: np.ndarray) -> Any:
    """A cylinder, or a cone, about the axis whose moment of inertia is not like the two others."""
    odd = 0 if values[1] - values[0] > values[2] - values[1] else 2
    along, over = float(values[odd]), float(values[1])
    axis = vectors[:, odd]
    if abs(along - over) < 1e-6 * over:  # alike about every axis: its points must tell
        axis = np.array([0.0, 0.0, 1.0])
    points = np.array([[float(x) for x in p] for p in body.points.values()]).reshape(-1, 3) - center
    if kind != "cone":
        radius = sqrt(2 * along)
        square = 12 * over - 3 * radius**2
        if square < -1e-6 * radius**2:
            return None
        return cylinder(center, axis, radius, max(sqrt(max(square, 0.0)) / 2, 0.01 * radius))
    radius = sqrt(10 * along / 3)
    height = sqrt(max(80 * over / 3 - 4 * radius**2, 1e-4 * radius**2))
    directions = [axis, -axis]
    if abs(along - over) < 1e-6 * over:
        directions = [s * e for e in np.eye(3)[::-1] for s in (1, -1)]
        directions += [s * p / np.linalg.norm(p) for p in points if np.linalg.norm(p) > 1e-9 for s in (1, -1)]

    def miss(way: np.ndarray) -> float:
        """How far the nearest point of the body is from the apex, or from the middle of the base."""
        ends = (0.75 * height * way, -0.25 * height * way)
        return min((float(np.linalg.norm(p - end)) for p in points for end in ends), default=0.0)

    best = min(directions, key=miss)
    return cone(center - 0.25 * height * best, center + 0.75 * height * best, radius)


def inside(surface: Surface, point: np.ndarray, center: np.ndarray) -> bool:
    """Whether a place is within a convex surface (nearly), both in the same axes."""
    if isinstance(surface, Ball):
        return float(np.linalg.norm(point - center)) <= 1.02 * surface.radius
    for face in surface:
        a = face.corners[0]
        n = np.cross(face.corners[1] - a, face.corners[2] - a)
        if float(n @ (point - a)) > 0.03 * abs(float(n @ (center - a))) + 1e-12:
            return False
    return True
