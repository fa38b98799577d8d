"""Topologies of random planar mechanisms: what hangs together before joints and drivers are added."""

from __future__ import annotations

import math
from itertools import pairwise

from planar.sketch import Sketch, turned

TOPOLOGIES = ("chain", "tree", "loop", "loops", "redundant")


class Topologies(Sketch):
    """Chains, trees and loops."""

    def topology_chain(self, size: int) -> None:
        a = self.ground_point((self.between(-1, 1), self.between(-1, 1)))
        for _ in range(size):
            b = self.near(a)
            self.body(a, b)
            a = b

    def topology_tree(self, size: int) -> None:
        self.ground_point((0, 0))
        self.ground_point((self.between(1, 2), 0))
        for k in range(size):
            a = self.one(self.at)
            self.single(a) if k and self.rng.random() < 0.25 else self.body(a, self.near(a))

    def topology_loop(self, size: int) -> None:
        """A four-bar, or a five-bar."""
        u = self.between(-math.pi, math.pi)
        corners = [(0, 0), (self.between(-0.3, 0.3), self.between(0.5, 0.8))]
        if size == 4:
            corners.append((self.between(0.6, 0.9), self.between(1.1, 1.5)))
        corners += [(self.between(1.3, 1.6), self.between(0.7, 1.0)), (self.between(1.5, 2.0), 0)]
        inner = [self.point(turned(c, u)) for c in corners[1:-1]]
        names = [self.ground_point((0, 0)), *inner, self.ground_point(turned(corners[-1], u))]
        for a, b in pairwise(names):
            self.body(a, b)

    def topology_loops(self, size: int) -> None:
        """A four-bar with dyads on it."""
        self.topology_loop(3)
        for _ in range((size + 1) // 2):
            a, b = self.two_points()
            d = self.at[b] - self.at[a]
            side = self.one((-1, 1)) * self.between(0.5, 0.9) * turned(d, math.pi / 2)
            c = self.point(self.at[a] + self.between(0.4, 0.6) * d + side)
            self.body(a, c)
            self.body(b, c)

    def topology_redundant(self, size: int) -> None:
        """Three or four equal, parallel cranks under one coupler: one or two of them are too many."""
        crank = turned((self.between(0.4, 0.9), 0), self.between(0.6, 2.5))
        tops = []
        for k in range(3 + size // 3):
            base = self.ground_point((k * 0.7, 0))
            top = self.point(self.at[base] + crank)
            self.body(base, top, self.one(("bar", "two", "disc")))
            tops.append(top)
        name, angle = self.name("b"), self.between(-3, 3)
        local = {p: tuple(turned(self.at[p] - self.at[tops[0]], -angle)) for p in tops}
        self.data["bodies"][name] = {"points": local, "mass": 1.5, "center": (0.2, 0.1), "inertia": 0.3}
        self.points_of[name], self.angle_of[name] = tops, angle
