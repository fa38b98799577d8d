"""States of planar mechanisms, and their motion without any of biela's coordinates."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from biela import Model
from biela.model.resolve import resolve
from biela.system.system import System
from planar.sketch import cross, turned


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
        self.resolved = resolve(model)
        value = dict(zip(system.q_names, zip(q, v)))
        self.points = {p: (np.array(xy), np.zeros(2)) for p, xy in self.resolved.ground.items()}
        for name in system.q_names:
            if name.endswith(".x"):
                (x, vx), (y, vy) = value[name], value[name[:-1] + "y"]
                self.points[name[:-2]] = np.array([x, y]), np.array([vx, vy])
        pins = [j.points for j in model.joints.values() if j.type in ("revolute", "fixed") and j.points]
        made_up: dict[str, dict] = {}  # second points that biela gives to bodies with one point
        for name, carrier in system.equations.exploded.layout.carriers.items():
            own = self.resolved.bodies[name].points
            made_up[name] = {e.name: e.local for e in carrier.elements if e.name not in own}
        self.frames: dict[str, tuple[np.ndarray, np.ndarray, float, float]] = {}
        while True:
            before = len(self.points) + len(self.frames)
            for a, b in [*pins, *[(b, a) for a, b in pins]]:
                if a in self.points and b not in self.points:
                    self.points[b] = self.points[a]
            for name, body in self.resolved.bodies.items():
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
        b = self.resolved.bodies[body]
        return self.points[next(iter(b.points))] if b.particle else self.at(body, b.center)

    def kinetic_energy(self) -> float:
        """sum of 1/2 m v_G^2 + 1/2 I omega^2."""
        total = 0.0
        for name, b in self.resolved.bodies.items():
            rate = 0.0 if b.particle else self.turn(name)[1]
            vg = self.center(name)[1]
            total += b.mass * float(vg @ vg) / 2 + b.inertia * rate**2 / 2
        return total

    def weight_potential(self) -> float:
        """- sum of m g . r_G."""
        g = np.array(self.resolved.gravity, dtype=float)
        return -sum(b.mass * float(g @ self.center(name)[0]) for name, b in self.resolved.bodies.items())

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
