"""Any point of a body, named or not: where it is and how it moves; the curve that it draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import MethodError, Problem
from ...model.resolved import GROUND, Place
from ..channels.channel import Channel

ORIGIN = "origin"
"""of the axes of the ground"""

if TYPE_CHECKING:
    from ..motion import Motion


@dataclass(frozen=True)
class BodyPoint:
    """Position, velocity and acceleration of a point over a motion; its path is a coupler curve.

    >>> import biela
    >>> P = biela.kinematics("four-bar", count=9).point("coupler", (0.1, 0.05))
    >>> P.position.shape, P.velocity.unit, P.name
    ((9, 2), 'm/s', 'coupler@0.1,0.05')
    """

    name: str
    position: Channel
    velocity: Channel
    acceleration: Channel

    @property
    def length(self) -> float:
        """Length of the path between the samples, m."""
        return float(np.linalg.norm(np.diff(np.asarray(self.position), axis=0), axis=1).sum())

    @property
    def radius(self) -> Channel:
        """Radius of curvature of the path, |v|^3 / |v x a|, m; inf where it is straight or the point rests."""
        v, a = (np.asarray(x) for x in (self.velocity, self.acceleration))
        if v.shape[1] == 2:
            v, a = (np.concatenate([x, np.zeros((len(x), 1))], axis=1) for x in (v, a))
        bend = np.linalg.norm(np.cross(v, a), axis=1)
        cube = np.linalg.norm(v, axis=1) ** 3
        flat = bend <= 1e-12 * np.linalg.norm(v, axis=1) * np.linalg.norm(a, axis=1)
        radius = np.divide(cube, bend, out=np.full_like(cube, np.inf), where=~flat & (bend > 0))
        return Channel.of(radius, f"{self.name}.radius", "m")


def body_point(r: Motion, body: str, local: Any = None) -> BodyPoint:
    """A point of a body by its coordinates in the body's axes, or a named point."""
    resolved, d = r.system.resolved, r.system.resolved.dimension
    if local is None:
        return _named(r, body, "('rod', (0.1, 0))")
    if body != GROUND and body not in resolved.bodies:
        raise MethodError(Problem(f"there is no body {body!r}", cure=f"one of: {', '.join(resolved.bodies)}"))
    if body != GROUND and resolved.bodies[body].particle:
        raise MethodError(Problem(f"{body!r} is a point mass and has no axes", cure="name its point"))
    try:
        xyz = tuple(float(x) for x in local)
    except (TypeError, ValueError):
        xyz = ()
    if len(xyz) != d or not np.isfinite(xyz).all():
        raise MethodError(Problem(f"{local!r} is not a position in {body!r}", cure=f"give {d} coordinates in metres"))
    motion = r.vector(r.system.equations.exploded.place(Place(body, xyz)))
    name = f"{body}@{','.join(f'{x:g}' for x in xyz)}"
    parts = zip(motion, ("position", "velocity", "acceleration"), ("m", "m/s", "m/s^2"), strict=True)
    return BodyPoint(name, *(Channel.of(x, f"{name}.{part}", unit) for x, part, unit in parts))


def _named(r: Motion, point: str, example: str) -> BodyPoint:
    known = [*r.system.resolved.ground, *r.system.resolved.start]
    if point not in known:
        cure = f"one of: {', '.join(known)}; or a body and coordinates in its axes, as in {example}"
        raise MethodError(Problem(f"there is no point {point!r}", cure=cure))
    return BodyPoint(point, *(r[f"{point}.{part}"] for part in ("position", "velocity", "acceleration")))


def read_point(r: Motion, text: str) -> BodyPoint:
    """A point by name, or as "body@x,y" (metres, in the body's axes)."""
    resolved = r.system.resolved
    body, at, local = text.partition("@")
    rigid = next((name for name, b in resolved.bodies.items() if not b.particle), GROUND)
    example = f"{rigid}@{','.join(['0.1', *['0'] * (resolved.dimension - 1)])}"
    if not at:
        return _named(r, text, example)
    try:
        numbers = [float(x) for x in local.split(",")]
    except ValueError:
        numbers = []
    if body in (GROUND, *resolved.bodies) and len(numbers) != resolved.dimension:
        cure = f"{resolved.dimension} coordinates in metres, as in {example}"
        raise MethodError(Problem(f"{text!r} is not a position in {body!r}", cure=cure))
    return body_point(r, body, numbers)


def pivot(r: Motion, text: str) -> np.ndarray:
    """What moments may be taken about: a point by name or as "body@x,y" (also "ground@x,y"), a body's name for its
    centre of mass, or "origin"; over the samples, with three components.

    >>> import biela
    >>> r = biela.kinematics("four-bar", count=5)
    >>> pivot(r, "D").shape, pivot(r, "ground@0.1,0.2")[0].tolist()
    ((5, 3), [0.1, 0.2, 0.0])
    """
    resolved = r.system.resolved
    if text == ORIGIN:
        return np.zeros((len(r.t), 3))
    if text in resolved.bodies and text not in (*resolved.ground, *resolved.start):
        place = np.asarray(r[f"{text}.position"])
    else:
        place = np.asarray(read_point(r, text).position)
    return np.pad(place, ((0, 0), (0, 3 - place.shape[1])))
