"""Random planar mechanisms: positions are drawn first and the bodies made to fit, so every joint holds exactly.

A `Recipe` says what a mechanism contains; `build` makes the model; `recipes()` is the hypothesis strategy and
`recipe(seed)` the plain seeded function. `Motion` follows bodies and points by elementary rigid-body kinematics,
without any of biela's coordinates, and `reference_accelerations` solves the equations of motion with plain NumPy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import strategies as st

from biela import Model
from biela.model.resolve import resolve
from biela.system.system import System

TOPOLOGIES = ("chain", "tree", "loop", "loops", "redundant")
SHAPES = ("bar", "rod", "plate", "disc", "two", "triangle", "aligned", "five", "listed")
JOINTS = ("revolute", "point-on-line", "prismatic", "fixed", "distance", "angle")
COORDINATES = ("distance", "angle", "position")
DRIVERS = ("angle", "body-angle", "point", "distance", "position")
LAWS = ("expression", "table", "callable")
FORCES = ("force", "follower", "moment", "couple", "line", "torsion", "on-distance", "on-angle", "on-position")
ELEMENTS = ("spring", "damper", "actuator")


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


def recipes(**fixed: Any) -> st.SearchStrategy[Recipe]:
    """Recipes of up to eight bodies; keywords fix some of the ingredients."""

    def some(choices: tuple[str, ...], most: int) -> st.SearchStrategy[tuple[str, ...]]:
        return st.lists(st.sampled_from(choices), max_size=most).map(tuple)

    free = {
        "topology": st.sampled_from(TOPOLOGIES),
        "size": st.integers(1, 4),
        "joints": some(JOINTS, 2),
        "coordinates": some(COORDINATES, 2),
        "drivers": some(DRIVERS, 1),
        "forces": some(FORCES, 3),
        "gravity": st.booleans(),
        "seed": st.integers(0, 9999),
    }
    return st.builds(Recipe, **{**free, **{key: st.just(value) for key, value in fixed.items()}})


def recipe(seed: int, **fixed: Any) -> Recipe:
    """The recipe of this number."""
    rng = np.random.default_rng(seed)

    def some(choices: tuple[str, ...], most: int) -> tuple[str, ...]:
        return tuple(str(x) for x in rng.choice(choices, rng.integers(0, most + 1)))

    drawn: dict[str, Any] = {
        "topology": str(rng.choice(TOPOLOGIES)),
        "size": int(rng.integers(1, 5)),
        "joints": some(JOINTS, 2),
        "coordinates": some(COORDINATES, 2),
        "drivers": some(DRIVERS, 1),
        "forces": some(FORCES, 3),
        "gravity": bool(rng.random() < 0.7),
        "seed": seed,
    }
    return Recipe(**{**drawn, **fixed})


def build(r: Recipe) -> Model:
    """The model of a recipe: always the same one for the same recipe."""
    sketch = Sketch(r)
    getattr(sketch, f"topology_{r.topology}")(r.size)
    for kind in r.joints:
        getattr(sketch, "joint_" + kind.replace("-", "_"))()
    for kind in r.drivers:
        sketch.driver(kind)
    for kind in r.coordinates:
        sketch.coordinate(kind)
    for kind in r.forces:
        sketch.force(kind)
    return Model(**sketch.data)


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

    # -------------------------------------------------------------------------------------- topologies
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

    # ------------------------------------------------------------------------------------------- joints
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

    # ---------------------------------------------------------------------------- coordinates and drivers
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


# ------------------------------------------------------------------------------------- states and their motion
def random_velocity(system: System, q: np.ndarray, seed: int = 0, t: float = 0.0) -> np.ndarray:
    """A velocity of order one that satisfies Phi_q v = -Phi_t."""
    at = system.at(q, None, t)
    rng = np.random.default_rng(seed)
    w = rng.standard_normal(system.n)
    return w + np.linalg.lstsq(at.B, -at.Phi_t - at.B @ w, rcond=1e-10)[0]


def reference_accelerations(system: System, q: np.ndarray, v: np.ndarray, t: float = 0.0) -> tuple:
    """(q'', Phi_q^T lam) from the whole system [M B^T; B 0] by NumPy's least squares."""
    at, n, m = system.at(q, v, t), system.n, system.m
    scale = 1.0 / np.maximum(np.linalg.norm(at.B, axis=1), 1e-12)
    B = at.B * scale[:, None]
    K = np.block([[system.M, B.T], [B, np.zeros((m, m))]])
    x = np.linalg.lstsq(K, np.concatenate([at.Q, at.gamma * scale]), rcond=1e-11)[0]
    return x[:n], B.T @ x[n:]


class Motion:
    """Points and bodies at one state, by rigid-body kinematics from the named coordinates alone."""

    def __init__(self, system: System, model: Model, q: np.ndarray, v: np.ndarray):
        self.meaning = resolve(model)
        value = dict(zip(system.q_names, zip(q, v)))
        self.points = {p: (np.array(xy), np.zeros(2)) for p, xy in self.meaning.ground.items()}
        for name in system.q_names:
            if name.endswith(".x"):
                (x, vx), (y, vy) = value[name], value[name[:-1] + "y"]
                self.points[name[:-2]] = np.array([x, y]), np.array([vx, vy])
        pins = [j.points for j in model.joints.values() if j.type in ("revolute", "fixed") and j.points]
        made_up: dict[str, dict] = {}  # second points that biela gives to bodies with one point
        for p, (body, local) in system.lowered.exploded.layout.virtual.items():
            made_up.setdefault(body, {})[p] = local
        self.frames: dict[str, tuple[np.ndarray, np.ndarray, float, float]] = {}
        while True:
            before = len(self.points) + len(self.frames)
            for a, b in [*pins, *[(b, a) for a, b in pins]]:
                if a in self.points and b not in self.points:
                    self.points[b] = self.points[a]
            for name, body in self.meaning.bodies.items():
                if not body.particle and name not in self.frames:
                    self._place(name, body.points | made_up.get(name, {}))
            if len(self.points) + len(self.frames) == before:
                break

    def _place(self, name: str, local: dict) -> None:
        known = [p for p in local if p in self.points]
        pairs = [(a, b) for a in known for b in known if a != b]
        if not pairs:
            return
        span = lambda ab: np.hypot(*np.subtract(local[ab[1]], local[ab[0]]))  # noqa: E731
        a, b = max(pairs, key=span)
        e = np.subtract(local[b], local[a])
        d, dv = (self.points[b][k] - self.points[a][k] for k in (0, 1))
        angle = math.atan2(d[1], d[0]) - math.atan2(e[1], e[0])
        omega = cross(d, dv) / float(d @ d)
        arm = turned(local[a], angle)
        r, rd = self.points[a]
        self.frames[name] = r - arm, rd - omega * turned(arm, math.pi / 2), angle, omega
        for p in local:
            self.points.setdefault(p, self.at(name, local[p]))

    def at(self, body: str, local: Any) -> tuple[np.ndarray, np.ndarray]:
        """Position and velocity of a place of a body."""
        if body == "ground":
            return np.array(local, dtype=float), np.zeros(2)
        r, rd, angle, omega = self.frames[body]
        arm = turned(local, angle)
        return r + arm, rd + omega * turned(arm, math.pi / 2)

    def turn(self, body: str) -> tuple[float, float]:
        """Angle and rate of a body's own x axis."""
        return (0.0, 0.0) if body == "ground" else self.frames[body][2:]

    def center(self, body: str) -> tuple[np.ndarray, np.ndarray]:
        """Position and velocity of the centre of mass."""
        b = self.meaning.bodies[body]
        return self.points[next(iter(b.points))] if b.particle else self.at(body, b.center)

    def kinetic_energy(self) -> float:
        """sum of 1/2 m v_G^2 + 1/2 I omega^2."""
        total = 0.0
        for name, b in self.meaning.bodies.items():
            rate = 0.0 if b.particle else self.turn(name)[1]
            vg = self.center(name)[1]
            total += b.mass * float(vg @ vg) / 2 + b.inertia * rate**2 / 2
        return total

    def weight_potential(self) -> float:
        """- sum of m g . r_G."""
        g = np.array(self.meaning.gravity, dtype=float)
        return -sum(b.mass * float(g @ self.center(name)[0]) for name, b in self.meaning.bodies.items())

    def line(self, item: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
        """Where a line of a body starts, the velocity of that place, its unit vector, and how fast it turns."""
        if isinstance(item, tuple):
            (a, va), (b, vb) = (self.points[p] for p in item)
            d, dv = b - a, vb - va
            return a, va, d / np.hypot(*d), cross(d, dv) / float(d @ d)
        body = item if isinstance(item, str) else item.body
        angle, rate = self.turn(body)
        angle += 0.0 if isinstance(item, str) else float(item.angle)
        start = np.zeros(2), np.zeros(2)
        if not isinstance(item, str) and item.through is not None:
            start = self.points[item.through]
        return *start, turned((1, 0), angle), rate

    def measure(self, item: Any) -> tuple[float, float]:
        """A relative coordinate of the model (angles within half a turn) and its rate."""
        if item.type == "distance":
            return self.distance(*item.points)
        if item.type == "angle":
            (_, _, u, wu), (_, _, v, wv) = self.line(item.relative_to), self.line(item.of)
            return math.atan2(cross(u, v), float(u @ v)), wv - wu
        start, rate, u, w = self.line(item.along)
        p, vp = self.points[item.point]
        d, dv = p - start, vp - rate
        return float(u @ d), float(u @ dv) + w * float(turned(u, math.pi / 2) @ d)

    def distance(self, a: str, b: str) -> tuple[float, float]:
        """The distance of two points and its rate."""
        d, dv = (self.points[b][k] - self.points[a][k] for k in (0, 1))
        length = float(np.hypot(*d))
        return length, float(d @ dv) / length
