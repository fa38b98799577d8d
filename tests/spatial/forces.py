"""What acts on random mechanisms in space: forces, moments, springs, dampers, actuators and drivers."""

from __future__ import annotations

from typing import Any

import numpy as np

from mechanisms import ELEMENTS
from spatial.joints import Joints
from spatial.sketch import GROUND, said

DRIVERS = ("angle", "position", "cylinder", "universal", "screw", "point", "distance")
COORDINATES = ("distance", "angle", "position", "joint")
FORCES = ("force", "follower", "moment", "own-moment", "couple", "line", "on-joint", "on-distance", "on-position")


class Forces(Joints):
    """Coordinates, drivers and forces."""

    # ---------------------------------------------------------------------------- coordinates and drivers
    def two_points(self) -> tuple[str, str]:
        """Points of two different bodies, some way apart, not both fixed."""
        for _ in range(50):
            second = self.one(self.bodies())
            first = self.one(b for b in self.pose_of if b != second)
            a, b = self.some_point(first), self.some_point(second)
            shared = any(a in own and b in own for own in self.points_of.values())
            if not shared and np.linalg.norm(self.at[a] - self.at[b]) > 0.3:
                return a, b
        far = self.point_on(GROUND, self.at[b] + 1.5 * self.direction())
        return far, b

    def coordinate(self, kind: str) -> tuple[str, float]:
        """Declare a coordinate; its name and its value at the start."""
        name = self.name("c")
        if kind == "joint" and self.values:
            own = self.one(self.values)
            kind = "angle" if ".angle" in own else "position"
            if own.endswith(("position1", "position2")):
                return own, self.values[own]
            self.data["coordinates"][name] = {"type": kind, "joint": own}
            return name, self.values[own]
        if kind == "angle" and (hinges := [c for c in self.values if c.endswith(".angle")]):
            return self._hinge_angle(name, self.one(hinges).split(".")[0])
        if kind == "position":
            a, b = self.two_points()
            host = next(body for body, own in self.points_of.items() if a in own)
            if host not in self.particles:
                u = self.direction()
                line = {"body": host, "direction": said(self.turned(host, u)), "through": a}
                self.data["coordinates"][name] = {"type": "position", "point": b, "along": line}
                return name, float(u @ (self.at[b] - self.at[a]))
        a, b = self.two_points()
        self.data["coordinates"][name] = {"type": "distance", "points": [a, b]}
        return name, float(np.linalg.norm(self.at[b] - self.at[a]))

    def _hinge_angle(self, name: str, joint: str) -> tuple[str, float]:
        """The angle of a joint once more, by directions of its bodies across the axis."""
        item = self.data["joints"][joint]
        a, b = item["bodies"]
        u = self.axis_of(item)
        e, angle = self.across(u), self.between(-2, 2)
        w = np.cos(angle) * e + np.sin(angle) * np.cross(u, e)
        base = {"body": a, "direction": said(self.turned(a, e))}
        of = {"body": b, "direction": said(self.turned(b, w))}
        about = said(self.turned(a, u))
        self.data["coordinates"][name] = {"type": "angle", "of": of, "relative_to": base, "about": about}
        return name, angle

    def axis_of(self, item: dict[str, Any]) -> np.ndarray:
        """The axis of a joint in the ground, however it was said."""
        axis = item["axis"]
        if isinstance(axis, str):
            body = next(b for b in item["bodies"] if axis in self.data["bodies"].get(b, {}).get("directions", {}))
            return self.pose_of[body][1] @ self.data["bodies"][body]["directions"][axis]
        if len(axis) == 2:
            return self.pose_of[item["bodies"][0]][1] @ axis[0]
        return np.array(axis) / np.linalg.norm(axis)

    def driver(self, kind: str) -> None:
        """A body of its own, and something that moves it."""
        joints = {"angle": "revolute", "position": "prismatic", "cylinder": "cylindrical", "universal": "universal",
                  "screw": "screw"}  # fmt: skip
        if kind in joints:
            before = set(self.values)
            self.attach(joints[kind])
            what = self.one([c for c in self.values if c not in before])
            value = self.values[what]
        else:
            guest = self.attach("free")
            p = self.free_point(guest)
            axis = int(self.rng.integers(3))
            what, value = f"{p}.{'xyz'[axis]}", float(self.at[p][axis])
            if kind == "distance":
                far = self.some_point(self.one(b for b in self.pose_of if b != guest))
                if np.linalg.norm(self.at[far] - self.at[p]) < 0.3:
                    far = self.point_on(GROUND, self.at[p] + self.direction())
                what, value = self.name("c"), float(np.linalg.norm(self.at[far] - self.at[p]))
                self.data["coordinates"][what] = {"type": "distance", "points": [far, p]}
        self.data["drivers"][self.name("d")] = {"coordinate": what, "law": self.law_of_time(value)}

    # ------------------------------------------------------------------------------------------ forces
    def force(self, kind: str) -> None:
        name = self.name("f")
        rigid = [b for b in self.solids() if b != GROUND]
        if kind in ("force", "follower") or (not rigid and "moment" in kind) or (kind == "couple" and not rigid):
            point = self.free_point(self.one(self.bodies()))
            item: dict[str, Any] = {"type": "force", "point": point, "value": [self.load() for _ in "xyz"]}
            if kind == "follower" and rigid:
                item["axes"] = self.one(rigid)
        elif kind in ("moment", "own-moment", "couple"):
            item = {"type": "moment", "body": self.one(rigid), "value": [self.load() for _ in "xyz"]}
            if kind == "own-moment":
                item["axes"] = item["body"]
            elif kind == "couple":
                item["against"] = self.one(b for b in self.solids() if b != item["body"])
        else:
            item = {"type": self.recipe.element or self.one(ELEMENTS)}
            if kind == "on-joint" and self.values:
                item["coordinate"] = self.one(self.values)
            elif kind in ("on-distance", "on-position"):
                item["coordinate"] = self.coordinate(kind.removeprefix("on-"))[0]
            else:
                item["points"] = self.two_points()
            if item["type"] == "spring":
                item |= {"stiffness": self.between(2, 20), "damping": self.one((0.0, self.between(0.1, 1)))}
                item |= {"free": self.between(0.1, 1)} if self.maybe() else {}
            elif item["type"] == "damper":
                item["damping"] = self.between(0.5, 3)
            else:
                item["value"] = self.law_of_stretch()
        self.data["forces"][name] = item
