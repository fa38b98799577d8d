"""Joints of random planar mechanisms: each brings a body of its own."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from planar.sketch import cross, turned
from planar.topologies import Topologies

JOINTS = ("revolute", "point-on-line", "prismatic", "fixed", "distance", "angle")


class Joints(Topologies):
    """All kinds."""

    def joint(self, type: str, **data: Any) -> None:
        self.data["joints"][self.name("j")] = {"type": type, **data}

    def joint_revolute(self) -> None:
        a = self.one(self.at)
        twin = self.point(self.at[a], declared=self.maybe())
        self.body(twin, self.near(a), self.one(("two", "triangle")))
        self.joint("revolute", points=(a, twin))

    def joint_point_on_line(self) -> None:
        line, start, u = self.line(self.one(self.points_of), needs_start=True)
        p = self.point(start + self.between(0.3, 1.5) * u)
        if self.maybe():
            self.mass(p)
        else:
            self.body(p, self.near(p))
            self.mass(p)
        self.joint("point-on-line", point=p, line=line)

    def joint_prismatic(self) -> None:
        line, start, u = self.line(self.one(self.points_of), needs_start=True)
        angle = self.one((0.0, self.between(-3, 3)))
        v = turned(u, angle)
        a = self.point(start + self.between(0.3, 1.5) * u)
        b = self.point(self.at[a] + self.between(0.4, 1) * v)
        slider = self.body(a, b, self.one(("bar", "two", "triangle", "disc")))
        own: Any = (a, b)
        if self.maybe():
            own = {"body": slider, "angle": math.atan2(v[1], v[0]) - self.angle_of[slider], "through": a}
        self.joint("prismatic", line=line, slider=own, angle=angle)

    def joint_fixed(self) -> None:
        host = self.one(self.points_of)
        a = self.one(self.points_of[host])
        if self.maybe():
            self.joint("fixed", bodies=(host, self.body(a, self.near(a), "triangle")))
            return
        twin = self.point(self.at[a])
        guest = self.body(twin, self.near(a), self.one(("two", "plate")))
        angle = {"angle": self.angle_of[guest] - self.angle_of[host]} if self.maybe() else {}
        self.joint("fixed", bodies=(host, guest), points=(a, twin), **angle)

    def joint_distance(self) -> None:
        a = self.one(self.at)
        b = self.near(a)
        self.body(b, self.near(b), self.one(("bar", "two", "five")))
        length = {"length": float(np.hypot(*(self.at[b] - self.at[a])))} if self.maybe() else {}
        self.joint("distance", points=(a, b), **length)

    def joint_angle(self) -> None:
        line, _, u = self.line(self.one(self.points_of))
        a = self.one(self.at)
        b = self.near(a)
        self.body(a, b, self.one(("bar", "two", "five")))
        d = self.at[b] - self.at[a]
        angle = {"angle": math.atan2(cross(u, d), float(u @ d))} if self.maybe() else {}
        self.joint("angle", lines=(line, (a, b)), **angle)
