"""A mechanism in space being drawn: poses of bodies, named points, and the many ways to say a place or an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from planar.forces import Forces as PlaneSketch

SHAPES = ("body", "box", "cylinder", "sphere", "cone", "plate", "disc", "bar")
CARRIERS = ("1 point + 3 vectors", "2 points + 2 vectors", "3 points + 1 vector", "4 points", "2 points + 1 vector",
            "3 points", "1 point + 2 vectors")  # fmt: skip
GROUND = "ground"
Vector = np.ndarray


def said(x: Any) -> list:
    """Numbers as a model takes them."""
    return np.asarray(x, dtype=float).tolist()


def unit(x: Any) -> Vector:
    return np.asarray(x, dtype=float) / np.linalg.norm(x)


class SpaceSketch(PlaneSketch):
    """Where bodies and points are, and the model's data so far. (Of the plane's sketch it takes chance and laws.)"""

    def __init__(self, r: Any):
        self.recipe = r
        self.rng = np.random.default_rng(r.seed)
        self.at: dict[str, Vector] = {}
        self.points_of: dict[str, list[str]] = {GROUND: []}
        self.pose_of: dict[str, tuple[Vector, Vector]] = {GROUND: (np.zeros(3), np.eye(3))}
        self.particles: set[str] = set()
        self.values: dict[str, float] = {}
        """coordinates of joints and where they start"""
        tables = ("ground", "points", "bodies", "joints", "coordinates", "drivers", "forces")
        self.data: dict[str, Any] = {table: {} for table in tables}
        self.data |= {"name": f"random-space-{r.topology}-{r.seed}", "dimension": 3}
        if r.gravity:
            self.data["gravity"] = tuple(said(9.81 * self.direction()))

    # --------------------------------------------------------------------------------------------- chance
    def direction(self) -> Vector:
        """A unit vector; now and then along an axis of the ground."""
        if self.rng.random() < 0.15:
            return np.eye(3)[self.rng.integers(3)]
        return unit(self.rng.standard_normal(3))

    def across(self, u: Vector) -> Vector:
        """A unit vector normal to another."""
        return unit(np.cross(u, np.eye(3)[np.argmin(np.abs(u))] + 0.3 * self.rng.standard_normal(3)))

    def rotation(self) -> Vector:
        """Any, or none."""
        if self.rng.random() < 0.15:
            return np.eye(3)
        p = unit(self.rng.standard_normal(4))
        w, v = p[0], p[1:]
        skew = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
        return np.eye(3) + 2 * w * skew + 2 * skew @ skew

    def step(self, low: float = 0.4, high: float = 1.2) -> Vector:
        return self.between(low, high) * self.direction()

    # ------------------------------------------------------------------------------------- points and bodies
    def place(self, body: str, local: Any) -> Vector:
        p, R = self.pose_of[body]
        return p + R @ local

    def local(self, body: str, xyz: Any) -> Vector:
        p, R = self.pose_of[body]
        return R.T @ (np.asarray(xyz) - p)

    def turned(self, body: str, direction: Any) -> Vector:
        """A direction of the ground in the axes of a body."""
        return self.pose_of[body][1].T @ direction

    def point_on(self, body: str, xyz: Any, name: str | None = None) -> str:
        """A new named point of a body (or of the ground) where it is now."""
        name = name or self.name("P" if body != GROUND else "G")
        self.at[name] = np.array(xyz, dtype=float)
        self.points_of[body].append(name)
        if body == GROUND:
            self.data["ground"][name] = said(xyz)
        else:
            self.data["bodies"][body]["points"][name] = said(self.local(body, xyz))
        return name

    def takes_points(self, body: str) -> bool:
        return body == GROUND or isinstance(self.data["bodies"][body].get("points"), dict)

    def some_point(self, body: str) -> str:
        """A point of a body, made if it has none."""
        if self.points_of[body] and (self.maybe() or not self.takes_points(body)):
            return self.one(self.points_of[body])
        return self.point_on(body, self.place(body, self.rng.uniform(-0.6, 0.6, 3)))

    def free_point(self, body: str) -> str:
        """A point of a body that is nowhere near a joint, as far as that can be had."""
        if self.takes_points(body):
            return self.point_on(body, self.place(body, 0.5 * self.direction()))
        return self.one(self.points_of[body])

    def solid(self, where: Any, shape: str | None = None, pose: Vector | None = None) -> str:
        """A rigid body with its axes at a place."""
        shape = shape or self.recipe.shape or self.one(SHAPES)
        name, R = self.name("b"), self.rotation() if pose is None else pose
        self.pose_of[name] = np.array(where, dtype=float), R
        self.points_of[name] = []
        item: dict[str, Any] = {"type": shape, "position": said(where), "orientation": said(R)}
        self.data["bodies"][name] = item
        if shape == "bar":
            ends = [self.place(name, s * self.between(0.3, 0.8) * self.direction()) for s in (1, -1)]
            item["points"] = [self.loose_point(xyz) for xyz in ends]
            self.points_of[name] = list(item["points"])
            return self._weighed(name, item)
        item["points"] = {}
        carrier = self.one(CARRIERS) if self.rng.random() < 0.3 else None
        corners = np.eye(4, 3) + self.rng.uniform(-0.25, 0.25, (4, 3))  # in no line or plane, whatever the carrier
        for local in corners[: 4 if carrier else int(self.rng.integers(0, 4))]:
            self.point_on(name, self.place(name, local))
        if carrier:
            item |= {"carrier": carrier, "directions": {"n": said(self.direction())}}
        return self._weighed(name, item)

    def _weighed(self, name: str, item: dict[str, Any]) -> str:
        shape = item["type"]
        item["mass"] = self.between(0.5, 3)
        if shape in ("cylinder", "sphere", "cone", "disc"):
            item["radius"] = self.between(0.2, 0.6)
        if shape == "bar" and self.rng.random() < 0.8:  # else slender: no inertia about its line
            item[self.one(("radius", "width"))] = self.between(0.1, 0.4)
        if shape in ("cylinder", "cone"):
            item["length" if shape == "cylinder" else "height"] = self.between(0.3, 1)
        if shape in ("cylinder", "cone", "disc") and self.maybe():
            item["axis"] = said(self.direction())
        if shape == "box":
            item["size"] = said(self.rng.uniform(0.2, 1, 3))
        if shape == "plate":
            item |= {"width": self.between(0.2, 1), "height": self.between(0.2, 1)}
        if shape == "body":  # an ellipsoid, its axes anyhow in the body
            a, b, c = self.rng.uniform(0.2, 0.8, 3) ** 2
            R = self.rotation()
            item["inertia"] = said(item["mass"] / 5 * R @ np.diag([b + c, a + c, a + b]) @ R.T)
        if shape == "body" or (shape != "bar" and self.maybe()):
            item["center"] = said(self.rng.uniform(-0.5, 0.5, 3))
        return name

    def loose_point(self, xyz: Any) -> str:
        name = self.name("P")
        self.at[name] = np.array(xyz, dtype=float)
        self.data["points"][name] = said(xyz)
        return name

    def particle(self, xyz: Any) -> str:
        """A point mass by itself."""
        point, name = self.loose_point(xyz), self.name("m")
        self.data["bodies"][name] = {"type": "mass", "point": point, "mass": self.between(0.3, 2)}
        self.pose_of[name] = np.array(xyz, dtype=float), np.eye(3)
        self.points_of[name] = [point]
        self.particles.add(name)
        return name

    def solids(self) -> list[str]:
        return [b for b in self.pose_of if b not in self.particles]

    def bodies(self) -> list[str]:
        return [b for b in self.pose_of if b != GROUND]

    # -------------------------------------------------------------------------------------- ways of saying
    def say_at(self, first: str, second: str, here: Any, there: Any = None) -> Any:
        """Where a joint is: `here` on the first body and `there` on the second, the same unless told."""
        apart = there is not None and np.linalg.norm(np.subtract(here, there)) > 0
        there = here if there is None else there
        if second in self.particles:
            return [self._named(first, here), self.points_of[second][0]]
        if apart:
            return [self._named(first, here), self._named(second, there)]
        ways = ["numbers", "mark"] + ["first"] * self.takes_points(first) + ["second"] * self.takes_points(second)
        if self.takes_points(first) and self.takes_points(second):
            ways += ["pair", "shared"]
        how = self.one(ways)
        if how == "numbers":
            return said(here)
        if how == "mark":
            return self.loose_point(here)
        if how == "pair":
            return [self.point_on(first, here), self.point_on(second, here)]
        name = self.point_on(first if how != "second" else second, here)
        if how == "shared":
            self.data["bodies"][second]["points"][name] = said(self.local(second, here))
            self.points_of[second].append(name)
        return name

    def _named(self, body: str, xyz: Any) -> str:
        if body in self.particles:
            return self.points_of[body][0]
        if self.takes_points(body):
            return self.point_on(body, xyz)
        raise ValueError(f"{body} has no further points")

    def say_axis(self, first: str, second: str, u: Vector) -> Any:
        """The axis of a joint, a direction in the ground."""
        ways = ["numbers"] + ["own"] * (second not in self.particles)
        named = [b for b in (first, second) if b != GROUND and b not in self.particles]
        how = self.one(ways + ["named"] * bool(named))
        if how == "numbers":
            return said(self.between(0.3, 3) * u)
        if how == "own":
            return [said(self.turned(b, u)) for b in (first, second)]
        return self.say_direction(self.one(named), u)

    def say_direction(self, body: str, u: Vector) -> str:
        """A new named direction of a body."""
        name = self.name("w")  # biela calls the vectors that it makes up u1, u2, u3
        self.data["bodies"][body].setdefault("directions", {})[name] = said(self.turned(body, u))
        return name
