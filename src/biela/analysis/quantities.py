"""Quantities by the names that users give them: "crank.angle", "P.x", "J.position", with rates and accelerations."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import MethodError, Problem
from ..mechanics.measure import measure
from ..model.resolve.naming import did_you_mean
from ..model.resolved import ResolvedModel
from ..results.motion import Motion
from ..system.system import System


# ---------------------------------------------------------------------------------------------------------- names
def point_components(resolved: ResolvedModel) -> list[str]:
    """ "P.x", "P.y", ... of all points that may move."""
    return [f"{point}.{axis}" for point in resolved.start for axis in "xyz"[: resolved.dimension]]


def body_angles(resolved: ResolvedModel) -> list[str]:
    """ "crank.angle" of the bodies that can turn; in space a body has no single angle."""
    if resolved.dimension == 3:
        return []
    return [f"{name}.angle" for name, body in resolved.bodies.items() if not body.particle]


def is_angular(resolved: ResolvedModel, name: str) -> bool:
    """Whether a relative coordinate of this name is an angle; components of points are lengths."""
    c = resolved.coordinates.get(name)
    return c is not None and c.type == "angle"


def derivative_names(name: str) -> list[tuple[str, str]]:
    """What the rate and the acceleration of a quantity may be called."""
    owner, _, part = name.rpartition(".")
    found = [(f"{name}.rate", f"{name}.acceleration")]
    if part in ("x", "y", "z"):
        found.append((f"{owner}.v{part}", f"{owner}.a{part}"))
    if part == "angle":
        found.append((f"{owner}.rate", f"{owner}.angular_acceleration"))
    return found


def integral_name(name: str) -> tuple[str, int]:
    """What a name is a rate of, and how often: ("A.x", 1) for "A.vx" or "A.x.rate", ("A.x", 0) for "A.x" itself."""
    owner, _, part = name.rpartition(".")
    if part == "rate":
        return owner, 1
    return (f"{owner}.{part[1:]}", 1) if part in ("vx", "vy", "vz") else (name, 0)


# --------------------------------------------------------------------------------------------------------- values
def turns_towards(angle: Any, other: Any) -> Any:
    """The whole turns, in radians, that bring an angle within half a turn of another.

    >>> round(turns_towards(0.1, 6.3) / np.pi), round(turns_towards(0.1, 1.0) / np.pi)
    (2, 0)
    """
    return 2 * np.pi * np.round((other - angle) / (2 * np.pi))


def value_of(system: System, name: str, q: np.ndarray, resolved: ResolvedModel | None = None) -> float:
    """A relative coordinate, or a component of a point, at a position. `resolved`: where the name is declared, if that
    is not the model of the system itself."""
    declared = resolved or system.resolved
    if resolved is None and name in declared.coordinates:
        return float(np.asarray(system.value(name, q)[0])[0])
    here = system.posture(q)
    if name in declared.coordinates:
        return float(measure(here, declared.coordinates[name])[0][0])
    point, axis = name.rsplit(".", 1)
    return float(here.place(declared.place(point))[0][0]["xyz".index(axis)])


def channels_of(motion: Motion, name: str) -> tuple[str, str, str] | None:
    """The channels of a quantity, its rate and its acceleration, where a motion has all three."""
    triples = ((name, *others) for others in derivative_names(name))
    return next((found for found in triples if all(channel in motion for channel in found)), None)


class MeasuredCoordinates:
    """Some quantities of a system as functions of q and v, read from the channels of a motion."""

    def __init__(self, system: System, names: list[str], t: float = 0.0):
        self.system, self.names, self.t = system, names, t
        here = Motion.at_start(system)
        found = [channels_of(here, name) for name in names]
        problems = []
        for name, channels in zip(names, found, strict=True):
            if channels is None:
                known = [c for c in here.channels() if channels_of(here, c) is not None]
                cure = did_you_mean(name, known, "coordinates", most=8)
                problems.append(Problem(f"there is no coordinate {name!r}", where=system.name, cure=cure))
        if problems:
            raise MethodError(problems)
        self.channels = [c for c in found if c is not None]
        self.angular = np.array([here.unit(c[0]) == "rad" for c in self.channels], dtype=bool)

    def _read(self, q: np.ndarray, v: np.ndarray, a: np.ndarray, order: int) -> np.ndarray:
        """Values (order 0), rates or accelerations at some states, all at one instant: (quantities, states)."""
        count = len(q)
        motion = Motion(self.system, np.full(count, self.t), q, v, a, np.zeros((count, self.system.m)), np.zeros(count))
        return np.array([np.asarray(motion[c[order]]) for c in self.channels]).reshape(len(self.names), count)

    def difference(self, q: np.ndarray, base: np.ndarray) -> np.ndarray:
        """Value at q less that at base; angles within half a turn."""
        zero = np.zeros((2, self.system.n))
        both = self._read(np.array([base, q]), zero, zero, 0)
        out = both[:, 1] - both[:, 0]
        return np.where(self.angular, out + turns_towards(out, 0.0), out)

    def rows(self, q: np.ndarray) -> np.ndarray:
        """W of x' = W v: the rates are linear in v."""
        n = self.system.n
        return self._read(np.tile(q, (n, 1)), np.eye(n), np.zeros((n, n)), 1)

    def bias(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The accelerations with v' = 0."""
        return self._read(q[None, :], v[None, :], np.zeros((1, self.system.n)), 2)[:, 0]
