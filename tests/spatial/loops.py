"""Open and closed mechanisms in space: chains, trees, loops of many kinds, and loops with too many constraints."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from spatial.joints import Joints
from spatial.sketch import GROUND, Vector

TOPOLOGIES = ("chain", "tree", "loop", "loops", "redundant")
LINKS = ("revolute", "prismatic", "cylindrical", "screw", "universal", "spherical", "planar", "skew-universal")
LOOPS = (
    ("revolute", "spherical", "spherical", "revolute"),
    ("revolute", "universal", "cylindrical", "spherical"),
    ("revolute", "spherical", "distance"),
    ("prismatic", "spherical", "revolute", "universal", "revolute"),
    ("revolute", "universal", "universal", "revolute", "revolute"),
    ("screw", "spherical", "cylindrical", "revolute"),
    ("revolute", "planar", "spherical"),
    ("revolute", "revolute", "revolute", "revolute", "revolute", "revolute", "revolute"),
    ("cylindrical", "cylindrical", "cylindrical", "revolute"),
    ("revolute", "spherical", "point-on-line"),
    ("revolute", "revolute", "point-on-plane"),
    ("revolute", "revolute", "revolute-spherical", "revolute"),
    ("skew-universal", "revolute", "spherical", "screw"),
)
"""joints around a loop; they leave seven freedoms or more"""
LEGS = (
    ("universal", "prismatic", "spherical"),
    ("spherical", "prismatic", "spherical"),
    ("revolute", "universal", "spherical"),
    ("spherical", "cylindrical", "universal"),
    ("revolute", "spherical", "spherical"),
)
"""chains between two bodies, with six freedoms or more"""
REDUNDANT = ("four-bar", "cranks", "hinges", "bricard", "bennett", "guides", "sandwich")


class Loops(Joints):
    """Topologies."""

    def links(self, count: int) -> list[str]:
        given = self.recipe.links
        return [given[k % len(given)] if given else self.one(LINKS) for k in range(count)]

    def topology_chain(self, size: int) -> None:
        body = GROUND
        for kind in self.links(size):
            body = self.attach(kind, body if body not in self.particles else None)

    def topology_tree(self, size: int) -> None:
        for kind in self.links(2 * size):
            self.attach(kind)

    def topology_loop(self, size: int) -> None:
        self.close_loop(GROUND, np.zeros(3), GROUND, 1.5 * self.direction(), self.one(LOOPS))

    def topology_loops(self, size: int) -> None:
        """A loop, and legs between bodies that are there."""
        self.topology_loop(size)
        for _ in range((size + 2) // 2):
            first, second = self.rng.choice(self.bodies(), 2)
            first = str(first) if self.maybe() and first != second else GROUND
            ends = [self.place(b, self.rng.uniform(-0.7, 0.7, 3)) for b in (first, str(second))]
            self.close_loop(first, ends[0], str(second), ends[1], self.one(LEGS))

    def close_loop(self, first: str, start: Vector, last: str, end: Vector, kinds: tuple[str, ...]) -> None:
        """Bodies on a bowed way from one place to another, and joints between them."""
        bow, count = self.step(0.5, 0.9), len(kinds) - 1
        rods = ("distance", "revolute-spherical")
        ways = [start + f * (end - start) + math.sin(math.pi * f) * bow + self.step(0.05, 0.25)
                for f in np.linspace(0, 1, count + 2)]  # fmt: skip
        plain = "body" if set(kinds) & {*rods, "point-on-line"} else None  # a bar takes no further points
        inner = [self.solid((a + b) / 2 + self.step(0.05, 0.3), plain) for a, b in pairwise(ways[: count + 1])]
        chain = [first, *inner, last]
        for k, kind in enumerate(kinds):
            a, b = chain[k], chain[k + 1]
            here = start if k == 0 else end if k == count else ways[k]
            if kind in rods:
                self.joint_between(kind, a, b, here - self.step(0.4, 0.6), here + self.step(0.4, 0.6))
            else:
                self.joint_between(kind, a, b, here)

    # ------------------------------------------------------------------------------- too many constraints
    def topology_redundant(self, size: int) -> None:
        kind = REDUNDANT[(size - 1 + self.recipe.seed) % len(REDUNDANT)]
        self.origin, self.turn = self.step(), self.rotation()
        getattr(self, "redundant_" + kind.replace("-", "_"))()

    def there(self, x: float, y: float, z: float = 0.0) -> Vector:
        return self.origin + self.turn @ np.array([x, y, z])

    def ring(self, corners: list[Vector], axes: list[Vector]) -> None:
        """Hinges at corners in the ground and back to it: a closed ring of bodies, the first and last corner fixed."""
        bodies = [GROUND] + [self.solid((a + b) / 2) for a, b in pairwise(corners)] + [GROUND]
        for (a, b), corner, axis in zip(pairwise(bodies), corners, axes):
            self.joint_between("revolute", a, b, corner, u=axis)

    def redundant_four_bar(self) -> None:
        """A four-bar (or five-bar) of the plane, each hinge anywhere along its axis."""
        flat = [(0, 0), (self.between(-0.3, 0.3), self.between(0.5, 0.8)), (1.4, self.between(0.7, 1)), (1.8, 0)]
        if self.maybe():
            flat.insert(2, (self.between(0.6, 0.9), self.between(1.1, 1.5)))
        corners = [self.there(x, y, self.between(-0.3, 0.3)) for x, y in flat]
        self.ring(corners, [self.turn[:, 2]] * len(corners))

    def redundant_cranks(self) -> None:
        """Three or four equal, parallel cranks under one platform."""
        crank = self.turn @ np.array([math.cos(1.1), math.sin(1.1), 0]) * self.between(0.4, 0.9)
        platform = self.solid(self.there(0.7, 0.8))
        for k in range(3 + self.maybe()):
            base = self.there(0.7 * k, self.between(-0.3, 0.3), self.between(-0.2, 0.2))
            body = self.solid(base + 0.5 * crank)
            self.joint_between("revolute", GROUND, body, base, u=self.turn[:, 2])
            self.joint_between("revolute", body, platform, base + crank, u=self.turn[:, 2])

    def redundant_hinges(self) -> None:
        """A door on two or three hinges of one axis, and a second door on it."""
        host = GROUND
        for _ in range(2):
            axis, base = self.direction(), self.place(host, self.rng.uniform(-0.5, 0.5, 3))
            door = self.solid(base + 0.4 * self.across(axis))
            for k in range(2 + self.maybe()):
                self.joint_between("revolute", host, door, base + 0.4 * k * axis, u=axis)
            host = door

    def redundant_guides(self) -> None:
        """A slide on two parallel rails, and a shaft in two bearings that let it slide."""
        axis = self.direction()
        slide = self.solid(self.there(0, 0))
        self.joint_between("prismatic", GROUND, slide, self.there(0, 0.3), u=axis)
        self.joint_between(self.one(("prismatic", "cylindrical")), GROUND, slide, self.there(0, -0.3, 0.2), u=axis)
        shaft, axis = self.solid(self.there(0.5, 0.2)), self.direction()
        for s in (0.0, 0.5):
            self.joint_between("cylindrical", slide, shaft, self.there(0.5, 0) + s * axis, u=axis)

    def redundant_sandwich(self) -> None:
        """A plate between two planes, held by a point on a third that says the same."""
        normal, plate = self.direction(), self.solid(self.there(0.4, 0.2))
        self.joint_between("planar", GROUND, plate, self.there(0, 0), u=normal)
        self.joint_between("planar", GROUND, plate, self.there(0.3, 0.5, 0.6), u=normal)
        self.joint_between("point-on-plane", GROUND, plate, self.there(0.6, -0.3), u=normal)

    def redundant_bricard(self) -> None:
        """Six hinges along edges of a cube: one freedom where counting gives none."""
        cube = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1), (0, 1, 1), (0, 0, 1)]
        axes = [self.turn[:, k] for k in (1, 2, 0, 1, 2, 0)]
        self.ring([self.there(*c) for c in cube], axes)

    def redundant_bennett(self) -> None:
        """Four hinges, none parallel: lengths go with the sines of the twists (Bennett 1903)."""
        a, twist_a, twist_b = self.between(0.6, 1), self.between(0.4, 0.8), self.between(1.1, 1.5)
        b = a * math.sin(twist_b) / math.sin(twist_a)
        theta = self.between(0.9, 2.2)
        ratio = math.sin((twist_b + twist_a) / 2) / math.sin((twist_b - twist_a) / 2)
        other = 2 * math.atan2(ratio, math.tan(theta / 2))
        T, corners, axes = np.eye(4), [], []
        for angle, length, twist in zip((theta, other, -theta, -other), (a, b, a, b), (twist_a, twist_b) * 2):
            c, s, ca, sa = math.cos(angle), math.sin(angle), math.cos(twist), math.sin(twist)
            corners.append(self.there(*T[:3, 3]))
            axes.append(self.turn @ T[:3, 2])
            T = T @ np.array([[c, -s * ca, s * sa, length * c], [s, c * ca, -c * sa, length * s],
                              [0, sa, ca, 0], [0, 0, 0, 1]])  # fmt: skip
        assert np.allclose(T, np.eye(4)), "the loop is open"
        self.ring(corners, axes)
