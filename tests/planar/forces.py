"""Coordinates, drivers, laws and forces of random planar mechanisms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from planar.joints import Joints
from planar.sketch import cross, turned

COORDINATES = ("distance", "angle", "position")
DRIVERS = ("angle", "body-angle", "point", "distance", "position")
LAWS = ("expression", "table", "callable")
FORCES = ("force", "follower", "moment", "couple", "line", "torsion", "on-distance", "on-angle", "on-position")
ELEMENTS = ("spring", "damper", "actuator")


class Forces(Joints):
    """All that moves and pulls."""

    def coordinate(self, kind: str) -> tuple[str, float]:
        """Declare a coordinate; its name and its value at the start."""
        name = self.name("c")
        if kind == "distance":
            a, b = self.two_points()
            item, value = {"points": (a, b)}, float(np.hypot(*(self.at[b] - self.at[a])))
        elif kind == "angle":
            (base, _, u), (of, _, v) = (self.line(b) for b in self.two_bodies())
            item, value = {"of": of, "relative_to": base}, math.atan2(cross(u, v), float(u @ v))
        else:
            host, guest = self.two_bodies()
            along, start, u = self.line(host, needs_start=True)
            if self.owners(p := self.one(self.points_of[guest])) & {host}:
                return self.coordinate("angle")
            item, value = {"point": p, "along": along}, float(u @ (self.at[p] - start))
        self.data["coordinates"][name] = {"type": kind, **item}
        return name, value

    def driver(self, kind: str) -> None:
        """A body of its own, and something that moves it."""
        a = self.one(self.at)
        name = self.name("c")
        if kind in ("angle", "body-angle", "point"):
            xy = self.at[a] + turned((self.between(0.5, 1), 0), self.between(0.6, 2.5))  # not too level
            b = self.point(xy)
            guest = self.body(a, b, self.one(("bar", "two", "triangle")))
            what, value = f"{b}.x", float(xy[0])
            if kind == "body-angle":
                turn = self.angle_of[guest]
                what, value = f"{guest}.angle", math.atan2(math.sin(turn), math.cos(turn))
            elif kind == "angle":
                base, _, u = self.line(self.one(b for b in self.points_of if b != guest))
                d = xy - self.at[a]
                self.data["coordinates"][name] = {"type": "angle", "of": (a, b), "relative_to": base}
                what, value = name, math.atan2(cross(u, d), float(u @ d))
        elif kind == "distance":
            b = self.near(a)
            self.body(b, self.near(b), self.one(("bar", "two")))
            self.data["coordinates"][name] = {"type": "distance", "points": (a, b)}
            what, value = name, float(np.hypot(*(self.at[b] - self.at[a])))
        else:
            line, start, u = self.line(self.one(self.points_of), needs_start=True)
            p = self.point(start + self.between(0.3, 1) * u)
            self.mass(p)
            self.joint("point-on-line", point=p, line=line)
            self.data["coordinates"][name] = {"type": "position", "point": p, "along": line}
            what, value = name, float(u @ (self.at[p] - start))
        self.data["drivers"][self.name("d")] = {"coordinate": what, "law": self.law_of_time(value)}

    # -------------------------------------------------------------------------------------- laws and forces
    def law_of_time(self, value: float) -> Any:
        """A smooth law with this value at t = 0."""
        kind, a, w = self.recipe.law or self.one(LAWS), self.between(0.1, 0.3), self.between(1, 2)
        if kind == "expression":
            return f"{value!r} + {a!r}*sin({w!r}*t) + 0.2*t^2"
        if kind == "callable":
            return lambda t: value + a * math.sin(w * t) + 0.2 * t * t
        times = np.linspace(-2, 4, 13)
        return {"x": times.tolist(), "y": (value + a * np.sin(w * times)).tolist()}

    def law_of_stretch(self) -> Any:
        """A law of t, x and v (a table: of x)."""
        kind, a, b = self.recipe.law or self.one(LAWS), self.between(1, 4), self.between(0.5, 2)
        if kind == "expression":
            return f"{a!r}*cos(2*t) - {b!r}*x^3 - 0.3*v*abs(v)"
        if kind == "callable":
            return lambda t, x, v: a * math.cos(2 * t) - b * x**3 - 0.3 * v * abs(v)
        xs = np.linspace(-8, 8, 33)
        return {"x": xs.tolist(), "y": (a * np.cos(xs)).tolist()}

    def load(self) -> Any:
        return self.one((self.between(-5, 5), f"{self.between(-5, 5)!r}*cos(3*t)"))

    def force(self, kind: str) -> None:
        name = self.name("f")
        if kind in ("force", "follower"):
            moving = [p for p in self.at if p not in self.points_of["ground"]]
            axes = {"axes": self.one(self.bodies())} if kind == "follower" else {}
            item = {"type": "force", "point": self.one(moving), "value": (self.load(), self.load()), **axes}
        elif kind in ("moment", "couple"):
            against, body = self.two_bodies()
            item = {"type": "moment", "body": body, "value": self.load()}
            item |= {"against": against} if kind == "couple" else {}
        else:
            item = {"type": self.recipe.element or self.one(ELEMENTS)}
            if kind == "line":
                item["points"] = self.two_points()
            elif kind == "torsion":
                item["bodies"] = self.one((self.two_bodies(), self.two_bodies()[::-1]))
            else:
                item["coordinate"] = self.coordinate(kind.removeprefix("on-"))[0]
            if item["type"] == "spring":
                item |= {"stiffness": self.between(2, 20), "damping": self.one((0.0, self.between(0.1, 1)))}
                item |= {"free": self.between(0.1, 1)} if self.maybe() else {}
            elif item["type"] == "damper":
                item["damping"] = self.between(0.5, 3)
            else:
                item["value"] = self.law_of_stretch()
        self.data["forces"][name] = item
