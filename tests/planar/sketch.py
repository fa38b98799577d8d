"""A planar mechanism being drawn: positions first, then bodies that fit them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

SHAPES = ("bar", "rod", "plate", "disc", "two", "triangle", "aligned", "five", "listed")


@dataclass(frozen=True)
class Recipe:
    """What a mechanism is to contain. Every joint and every driver brings a body of its own along."""

    topology: str = "chain"
    size: int = 1
    joints: tuple[str, ...] = ()
    coordinates: tuple[str, ...] = ()
    drivers: tuple[str, ...] = ()
    forces: tuple[str, ...] = ()
    gravity: bool = True
    shape: str | None = None
    """of all bodies; None: each another one"""
    law: str | None = None
    """of all drivers and actuators; None: each another one"""
    element: str | None = None
    """what acts on lines, between bodies and on coordinates; None: each another one"""
    seed: int = 0


def turned(xy: Any, angle: float) -> np.ndarray:
    """A vector turned counterclockwise."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([c * xy[0] - s * xy[1], s * xy[0] + c * xy[1]])


def cross(a: Any, b: Any) -> float:
    """The component of a x b out of the plane."""
    return float(a[0] * b[1] - a[1] * b[0])


class Sketch:
    """A mechanism being drawn: where its points are, how its bodies lie, and the model's data so far."""

    def __init__(self, r: Recipe):
        self.recipe = r
        self.rng = np.random.default_rng(r.seed)
        self.at: dict[str, np.ndarray] = {}
        self.points_of: dict[str, list[str]] = {"ground": []}
        self.angle_of: dict[str, float] = {"ground": 0.0}
        tables = ("ground", "points", "bodies", "joints", "coordinates", "drivers", "forces")
        self.data: dict[str, Any] = {table: {} for table in tables}
        self.data["name"] = f"random-{r.topology}-{r.seed}"
        if r.gravity:
            self.data["gravity"] = (self.between(-3, 3), -9.81)

    # ------------------------------------------------------------------------------------------ chance
    def between(self, low: float, high: float) -> float:
        return float(self.rng.uniform(low, high))

    def one(self, choices: Any) -> Any:
        choices = list(choices)
        return choices[int(self.rng.integers(len(choices)))]

    def maybe(self) -> bool:
        return bool(self.rng.random() < 0.5)

    def name(self, kind: str) -> str:
        count = sum(len(self.data[t]) for t in ("bodies", "joints", "coordinates", "drivers", "forces"))
        return f"{kind}{count + len(self.at)}"

    # ---------------------------------------------------------------------------------- points and bodies
    def ground_point(self, xy: Any) -> str:
        name = self.name("G")
        self.at[name] = np.array(xy, dtype=float)
        self.points_of["ground"].append(name)
        self.data["ground"][name] = tuple(map(float, xy))
        return name

    def point(self, xy: Any, declared: bool = True) -> str:
        name = self.name("P")
        self.at[name] = np.array(xy, dtype=float)
        if declared:
            self.data["points"][name] = tuple(map(float, xy))
        return name

    def near(self, a: str, away: tuple[float, float] = (0.5, 1.5)) -> str:
        """A new point not far from another one."""
        return self.point(self.at[a] + turned((self.between(*away), 0), self.between(-math.pi, math.pi)))

    def body(self, a: str, b: str, shape: str | None = None) -> str:
        """A body from one point to another; some shapes bring further points."""
        shape = shape or self.recipe.shape or self.one(SHAPES)
        name, mass = self.name("b"), self.between(0.5, 3)
        along = self.at[b] - self.at[a]
        length, heading = float(np.hypot(*along)), math.atan2(along[1], along[0])
        item: dict[str, Any] = {"type": shape, "points": (a, b)}
        names, angle = [a, b], heading
        if shape == "rod":
            self.mass(b)
        elif shape == "bar":
            item["mass"] = mass
            if self.maybe():
                item |= {"center": (self.between(-1, 1), self.between(-1, 1)), "inertia": self.between(0.1, 1)}
        else:
            further = {"triangle": 1, "aligned": 1, "listed": 1, "five": 3}.get(shape, 0)
            for _ in range(further):
                side = 0.0 if shape == "aligned" else self.one((-1, 1)) * self.between(0.3, 1)
                xy = self.at[a] + turned((self.between(0.2, 0.8) * length, side), heading)
                names.append(self.point(xy, declared=shape == "listed" or self.maybe()))
            if shape != "listed":  # its axes then start in the first point, x through the second
                angle = self.between(-math.pi, math.pi)
                origin = self.at[a] + turned((self.between(-1, 1), self.between(-1, 1)), angle)
                item["points"] = {p: tuple(turned(self.at[p] - origin, -angle)) for p in names}
            else:
                item["points"] = names
            item |= {"mass": mass, "center": (self.between(-1, 1), self.between(-1, 1))}
            if shape == "plate":
                item |= {"width": self.between(0.2, 1), "height": self.between(0.2, 1)}
            elif shape == "disc":
                item["radius"] = self.between(0.2, 1)
            else:
                item |= {"type": "body", "inertia": self.between(0.1, 1)}
        if shape in ("bar", "rod") and self.maybe():
            item["length"] = length
        self.data["bodies"][name] = item
        self.points_of[name], self.angle_of[name] = names, angle
        return name

    def single(self, a: str) -> str:
        """A body with one point only, hung on it without being turned."""
        name, local = self.name("b"), (self.between(-1, 1), self.between(-1, 1))
        center = (self.between(-1, 1), self.between(-1, 1))
        self.data["bodies"][name] = {"points": {a: local}, "mass": 1.2, "center": center, "inertia": 0.4}
        self.points_of[name], self.angle_of[name] = [a], 0.0
        return name

    def mass(self, point: str) -> None:
        """A point mass, unless the point is fixed."""
        if point not in self.data["ground"]:
            self.data["bodies"][self.name("m")] = {"type": "mass", "point": point, "mass": self.between(0.3, 2)}

    def bodies(self) -> list[str]:
        return [b for b in self.points_of if b != "ground"]

    def owners(self, point: str) -> set[str]:
        return {b for b, points in self.points_of.items() if point in points}

    # ------------------------------------------------------------------------------------------- lines
    def line(self, body: str, needs_start: bool = False) -> tuple[Any, np.ndarray, np.ndarray]:
        """A line of a body as the model says it, where it starts, and its direction."""
        points = self.points_of[body]
        how = self.one(("points", "axis") if needs_start else ("points", "axis", "name"))
        if how == "points" and len(points) > 1:
            a, b = (points[k] for k in self.rng.permutation(len(points))[:2])
            d = self.at[b] - self.at[a]
            return (a, b), self.at[a], d / np.hypot(*d)
        through = self.one(points)
        angle = self.between(-math.pi, math.pi)
        if how == "name" and not needs_start:
            return body, self.at[through], turned((1, 0), self.angle_of[body])
        axis = {"body": body, "angle": angle}
        if needs_start or self.maybe():
            axis["through"] = through
        return axis, self.at[through], turned((1, 0), self.angle_of[body] + angle)

    def two_bodies(self) -> tuple[str, str]:
        """Two different bodies; the first may be the ground."""
        second = self.one(self.bodies())
        return self.one(b for b in self.points_of if b != second), second

    def two_points(self) -> tuple[str, str]:
        """Two points that no body keeps together, at least one of them moving, some way apart."""
        if not any(True for _ in self._pairs()):
            moving = self.one(p for p in self.at if p not in self.points_of["ground"])
            self.ground_point(self.at[moving] + turned((1.2, 0), self.between(-3, 3)))
        return self.one(self._pairs())

    def _pairs(self) -> Any:
        for a in self.at:
            for b in self.at:
                apart = np.hypot(*(self.at[a] - self.at[b])) > 0.3
                if apart and not self.owners(a) & self.owners(b) and {a, b} - set(self.points_of["ground"]):
                    yield a, b
