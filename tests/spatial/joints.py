"""Joints of random mechanisms in space: each between two bodies that are there, or bringing a body of its own."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from spatial.sketch import GROUND, SpaceSketch, Vector, said, unit

FREEDOM = {
    "revolute": 1, "prismatic": 1, "screw": 1, "cylindrical": 2, "universal": 2, "skew-universal": 2, "spherical": 3,
    "planar": 3, "fixed": 0, "point-on-line": 4, "point-on-plane": 5, "distance": 5, "revolute-spherical": 4,
    "angle": 5,
}  # fmt: skip
"""what each joint between two bodies leaves free"""
COUPLINGS = ("gear", "rack-and-pinion", "user")
JOINTS = (*FREEDOM, *COUPLINGS, "free")
POINTS_ONLY = ("spherical", "point-on-line", "point-on-plane", "distance", "revolute-spherical")
"""those whose second body may be a point mass"""
TIME = "0.2*sin(1.5*t)"


class Joints(SpaceSketch):
    """Joints, gears, racks and equations."""

    def attach(self, kind: str, host: str | None = None) -> str:
        """A new body, held by one joint of this kind (or by a pair of them and a coupling); its name."""
        if kind in COUPLINGS:
            return getattr(self, "attach_" + kind.replace("-", "_"))()
        host = host or self.one(self.solids())
        here = self.place(host, self.rng.uniform(-0.7, 0.7, 3))
        if kind in ("distance", "revolute-spherical"):
            there = here + self.step()
        else:
            there = here
        stuck = kind == "spherical" and host == GROUND  # a point mass would be
        if kind in POINTS_ONLY and not stuck and self.takes_points(host) and self.rng.random() < 0.25:
            guest = self.particle(there)
        else:
            guest = self.solid(there + self.step(0.2, 0.6))
        if kind == "free":
            return guest
        self.joint_between(kind, host, guest, here, there)
        return guest

    def joint_between(self, kind: str, a: str, b: str, here: Any, there: Any = None, u: Vector | None = None) -> str:
        """A joint that fits two bodies as they lie; `here` on the first, `there` on the second."""
        name = self.name("j")
        here = np.asarray(here, dtype=float)
        u = self.direction() if u is None else u
        if b == GROUND or (a != GROUND and b not in self.particles and self.maybe() and kind in REVERSIBLE):
            a, b, here, there = b, a, here if there is None else np.asarray(there), None if there is None else here
        make = getattr(self, "make_" + kind.replace("-", "_"), None)
        item = make(name, a, b, here, there, u) if make else self._along(name, kind, a, b, here, u)
        item = {"type": kind, **item}
        if kind == "skew-universal":
            item["type"] = "universal"
        self.data["joints"][name] = item
        return name

    # --------------------------------------------------------------------- joints with an axis of their own
    def _along(self, name: str, kind: str, a: str, b: str, here: Vector, u: Vector) -> dict[str, Any]:
        """Revolute, prismatic, cylindrical, planar, screw, point-on-line, point-on-plane."""
        item: dict[str, Any] = {}
        shift, zero = 0.0, 0.0
        free = self.takes_points(a) and (b in self.particles or self.takes_points(b))
        if kind in ("prismatic", "cylindrical", "point-on-line", "screw") and free and self.maybe():
            shift = self.between(-0.8, 0.8)  # the second point lies elsewhere on the axis
        if kind in ("revolute", "cylindrical", "planar") and self.maybe():
            item["zero"] = zero = self.between(-3, 3)
        if kind == "screw":
            lead = self.one((-1, 1)) * self.between(0.1, 0.6)
            item["lead"] = lead
            if shift:  # within half a turn: bodies that start do not tell whole turns
                zero = self.between(-3, 3)
                item["zero"], shift = zero, zero * lead / (2 * math.pi)
        off, positions = shift * u, {"position": shift}
        if kind in ("planar", "point-on-plane"):
            positions = {}
            if free and self.maybe():
                off = self.between(-0.6, 0.6) * self.across(u)
        item |= {"bodies": [a, b], "at": self.say_at(a, b, here - off, here), "axis": self.say_axis(a, b, u)}
        if kind in ("prismatic", "cylindrical", "screw", "point-on-line"):
            self.values |= {f"{name}.{k}": v for k, v in positions.items()}
        if kind in ("revolute", "cylindrical", "planar", "screw"):
            self.values[f"{name}.angle"] = zero
        if kind in ("planar", "point-on-plane") and not np.any(off):
            self.values |= {f"{name}.position1": 0.0, f"{name}.position2": 0.0}
        return item

    # ------------------------------------------------------------------------------------------ other joints
    def make_spherical(self, name: str, a: str, b: str, here: Vector, there: Any, u: Vector) -> dict[str, Any]:
        return {"bodies": [a, b], "at": self.say_at(a, b, here)}

    def make_fixed(self, name: str, a: str, b: str, here: Vector, there: Any, u: Vector) -> dict[str, Any]:
        return {"bodies": [a, b]} | ({"at": self.say_at(a, b, here)} if self.maybe() else {})

    def make_universal(self, name: str, a: str, b: str, here: Vector, there: Any, u: Vector) -> dict[str, Any]:
        self.values |= {f"{name}.angle1": 0.0, f"{name}.angle2": 0.0}
        axes = self.own_axes(a, b, u, self.across(u))
        return {"bodies": [a, b], "at": self.say_at(a, b, here), "axis": axes}

    def make_skew_universal(self, name: str, a: str, b: str, here: Vector, there: Any, u: Vector) -> dict[str, Any]:
        angle = self.one((-1, 1)) * self.between(0.5, 1.2) + math.pi / 2
        w = math.cos(angle) * u + math.sin(angle) * self.across(u)
        axes = self.own_axes(a, b, u, w)
        self.values |= {f"{name}.angle1": 0.0, f"{name}.angle2": 0.0}
        return {"bodies": [a, b], "at": self.say_at(a, b, here), "axis": axes, "angle": angle}

    def make_angle(self, name: str, a: str, b: str, here: Vector, there: Any, u: Vector) -> dict[str, Any]:
        angle = self.between(0.4, 2.7)
        axes = self.own_axes(a, b, u, math.cos(angle) * u + math.sin(angle) * self.across(u))
        return {"bodies": [a, b], "axis": axes} | ({"angle": angle} if self.maybe() else {})

    def make_distance(self, name: str, a: str, b: str, here: Vector, there: Any, u: Vector) -> dict[str, Any]:
        at = [self._named_or_any(a, here), self._named_or_any(b, there)]
        length = float(np.linalg.norm(self.at[at[1]] - self.at[at[0]]))
        item: dict[str, Any] = {"length": length} if self.maybe() else {}
        if self.maybe():
            return {"points": at, **item}
        return {"bodies": [a, b], "at": at, **item}

    def make_revolute_spherical(self, name: str, a: str, b: str, here: Vector, there: Any, u: Vector) -> dict[str, Any]:
        at = [self._named_or_any(a, here), self._named_or_any(b, there)]
        d = self.at[at[1]] - self.at[at[0]]
        axis = self.across(unit(d))
        length = {"length": float(np.linalg.norm(d))} if self.maybe() else {}
        return {"bodies": [a, b], "at": at, "axis": self.say_axis(a, b, axis), **length}

    def make_point_on_line(self, name: str, a: str, b: str, here: Vector, there: Any, u: Vector) -> dict[str, Any]:
        if self.takes_points(a) and (b in self.particles or self.takes_points(b)) and self.rng.random() < 0.3:
            ends = [self.point_on(a, here + s * u) for s in (-self.between(0.2, 0.6), self.between(0.2, 0.6))]
            point = self.points_of[b][0] if b in self.particles else self.point_on(b, here)
            self.values[f"{name}.position"] = float(np.linalg.norm(here - self.at[ends[0]]))
            return {"point": point, "line": ends}
        return self._along(name, "point-on-line", a, b, here, u)

    def own_axes(self, a: str, b: str, u: Vector, w: Vector) -> list:
        """An axis of each body, in its own axes or by name."""
        out: list[Any] = []
        for body, axis in ((a, u), (b, w)):
            named = body != GROUND and self.maybe()
            out.append(self.say_direction(body, axis) if named else said(self.turned(body, axis)))
        return out

    def _named_or_any(self, body: str, xyz: Any) -> str:
        return self._named(body, xyz) if body in self.particles or self.takes_points(body) else self.points_of[body][0]

    # --------------------------------------------------------------------- couplings, and what they couple
    def wheel(self, kind: str, host: str) -> str:
        """A new body on a joint of one freedom; the name of its coordinate."""
        here = self.place(host, self.rng.uniform(-0.7, 0.7, 3))
        joint = self.joint_between(kind, host, self.solid(here + self.step(0.2, 0.6)), here)
        return f"{joint}.{'angle' if kind == 'revolute' else 'position'}"

    def attach_gear(self) -> str:
        host = self.one(self.solids())
        turns = [c for c in self.values if c.endswith(".angle")]
        first = self.one(turns) if turns and self.maybe() else self.wheel("revolute", host)
        item = {"type": "gear", "coordinates": [first, self.wheel("revolute", host)]}
        item |= {"ratio": self.between(0.4, 2.5), "internal": self.maybe()}
        self.data["joints"][self.name("g")] = item
        return host

    def attach_rack_and_pinion(self) -> str:
        host = self.one(self.solids())
        pinion, rack = self.wheel("revolute", host), self.wheel("prismatic", self.one(self.solids()))
        item = {"type": "rack-and-pinion", "pinion": pinion, "rack": rack, "radius": self.between(0.2, 0.7)}
        self.data["joints"][self.name("g")] = item
        return host

    def attach_user(self) -> str:
        """An equation of points, directions, coordinates and time, of degree two at most, on a body that is free."""
        guest = self.attach(self.one(("free", "spherical", "revolute", "point-on-plane")))
        p = self.free_point(guest)
        q = self.some_point(self.one(b for b in self.solids() if b != guest))
        (x, y, z), far = self.at[p], self.at[q]
        kind = self.one(("linear", "product", "time", "direction", "coordinate"))
        a = self.between(0.5, 2)
        if kind == "direction" and guest not in self.particles:
            u = self.direction()
            way = self.say_direction(guest, u)
            text, value = f"{guest}.{way}.x*{p}.y + {a!r}*{guest}.{way}.z", u[0] * y + a * u[2]
        elif kind == "product":
            text, value = f"{p}.x*{q}.y - {p}.z^2", x * far[1] - z * z
        elif kind == "coordinate" and (own := [c for c in self.values if f"{c.split('.')[0]}" in self.data["joints"]]):
            c = own[-1]
            text, value = f"{a!r}*{c} - {p}.z - {p}.x*{p}.y", a * self.values[c] - z - x * y
        else:
            text, value = f"{a!r}*{p}.x - {p}.z + 0.3*{p}.y", a * x - z + 0.3 * y
        value = float(value)
        right = f"{value!r} + {TIME}" if kind == "time" else f"{value!r}"
        self.data["joints"][self.name("e")] = {"type": "user", "equation": f"{text} = {right}"}
        return guest


REVERSIBLE = (
    "revolute", "prismatic", "cylindrical", "screw", "spherical", "universal", "skew-universal", "fixed", "planar",
    "point-on-line", "point-on-plane", "distance", "revolute-spherical", "angle",
)  # fmt: skip
"""joints that may be said with the new body first"""
