"""A planar mechanism as bare numbers, from which every peer builds its own model, and the errors of a motion of it.

The axes of every body are parallel to the ground's at the start, so a body's angle is its turn since then and a point's
place in a body is its offset from the centre at the start. A motion is an array [sample, body, 6] of x, y, angle and
their rates, of the centres of mass: energy, gap and position error are computed from it in one way for all programs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

GROUND = -1


@dataclass
class Planar:
    """Bodies, pins, gravity, springs to the ground and constant torques."""

    name: str
    mass: list[float]
    inertia: list[float]
    center: list[tuple[float, float]]
    """of mass, at the start"""
    pins: list[tuple[int, int, float, float]]
    """body (or GROUND), body, and where they meet at the start"""
    duration: float
    gravity: float = 9.81
    velocity: list[tuple[float, float, float]] = field(default_factory=list)
    """vx, vy, w of each body at the start; none: at rest"""
    springs: list[tuple[int, tuple[float, float], tuple[float, float], float, float]] = field(default_factory=list)
    """body, its point at the start, ground point, stiffness, free length"""
    torques: list[tuple[int, float]] = field(default_factory=list)
    mechanism: str = ""
    """its name in biela's library"""
    parameters: dict[str, float] = field(default_factory=dict)
    watch: tuple[int, float, float] = (0, 0.0, 0.0)
    """body and place at the start of the point whose position at the end is compared"""
    reference: Any = None
    """t -> x, y of the watched point"""
    unit: str = "m"
    coarse: float = 0.016
    """a step that is large for this motion, s"""

    def __post_init__(self) -> None:
        self.velocity = self.velocity or [(0.0, 0.0, 0.0)] * len(self.mass)

    # ------------------------------------------------------------------------------------------ as a tree
    def tree(self) -> tuple[list[int], list[tuple[float, float]], list[tuple[int, int, float, float]]]:
        """Parent of each body, place of its hinge at the start, and the pins that are left over (the loops)."""
        parent, hinge, loops = [-2] * len(self.mass), [(0.0, 0.0)] * len(self.mass), []
        waiting = list(self.pins)
        while waiting:
            rest = []
            for pin in waiting:
                i, j, x, y = pin
                if j == GROUND or (i != GROUND and parent[i] == -2 and j != GROUND and parent[j] != -2):
                    i, j = j, i
                if (i == GROUND or parent[i] != -2) and parent[j] == -2:
                    parent[j], hinge[j] = i, (x, y)
                elif (i == GROUND or parent[i] != -2) and parent[j] != -2:
                    loops.append((i, j, x, y))
                else:
                    rest.append(pin)
            if len(rest) == len(waiting):
                raise ValueError("some bodies hang on nothing")
            waiting = rest
        return parent, hinge, loops

    def order(self) -> list[int]:
        """Bodies, depth first (as Pinocchio and mujoco number them)."""
        parent, _, _ = self.tree()
        children: dict[int, list[int]] = {}
        for b, p in enumerate(parent):
            children.setdefault(p, []).append(b)
        done, stack = [], children[GROUND][::-1]
        while stack:
            done.append(stack.pop())
            stack += children.get(done[-1], [])[::-1]
        return done

    def from_relative(self, angles: np.ndarray, rates: np.ndarray, order: list[int] | None = None) -> np.ndarray:
        """Motion of the bodies from relative angles [sample, hinge] of the tree, hinges in `order`."""
        parent, hinge, _ = self.tree()
        order = self.order() if order is None else order
        out = np.zeros((len(angles), len(self.mass), 6))
        for k, b in enumerate(order):
            p = parent[b]
            turn, rate = angles[:, k].copy(), rates[:, k].copy()
            if p == GROUND:
                at = np.tile([*hinge[b], 0.0, 0.0], (len(angles), 1))
            else:
                turn, rate = turn + out[:, p, 2], rate + out[:, p, 5]
                at = self.place(out, p, *hinge[b])
            cx, cy = self.center[b][0] - hinge[b][0], self.center[b][1] - hinge[b][1]
            rx, ry = np.cos(turn) * cx - np.sin(turn) * cy, np.sin(turn) * cx + np.cos(turn) * cy
            out[:, b] = np.column_stack(
                [at[:, 0] + rx, at[:, 1] + ry, turn, at[:, 2] - rate * ry, at[:, 3] + rate * rx, rate]
            )
        return out

    def relative_start(self, order: list[int] | None = None) -> np.ndarray:
        """Rates of the hinges at the start; their angles are zero."""
        parent, _, _ = self.tree()
        return np.array(
            [
                self.velocity[b][2] - (self.velocity[parent[b]][2] if parent[b] != GROUND else 0.0)
                for b in (order or self.order())
            ]
        )

    def motion_of_biela(self, r: Any) -> np.ndarray:
        """That of a result of biela, whose bodies are in the same order."""
        names = list(r.system.resolved.bodies)
        out = np.zeros((len(r.t), len(names), 6))
        for b, name in enumerate(names):
            channels = (f"{name}.{c}" for c in ("x", "y", "angle", "vx", "vy", "rate"))
            out[:, b] = np.column_stack([np.asarray(r[c]) for c in channels])
            out[:, b, 2] -= out[0, b, 2]
        return out

    # ------------------------------------------------------------------------------------------- judgement
    def place(self, motion: np.ndarray, body: int, x: float, y: float) -> np.ndarray:
        """x, y, vx, vy of a point of a body, given where it is at the start."""
        if body == GROUND:
            return np.tile([x, y, 0.0, 0.0], (len(motion), 1))
        cx, cy = x - self.center[body][0], y - self.center[body][1]
        m = motion[:, body]
        rx = np.cos(m[:, 2]) * cx - np.sin(m[:, 2]) * cy
        ry = np.sin(m[:, 2]) * cx + np.cos(m[:, 2]) * cy
        return np.column_stack([m[:, 0] + rx, m[:, 1] + ry, m[:, 3] - m[:, 5] * ry, m[:, 4] + m[:, 5] * rx])

    def energy(self, motion: np.ndarray) -> np.ndarray:
        """Kinetic and potential energy less the work of the torques, at each sample."""
        m, J = np.array(self.mass), np.array(self.inertia)
        E = 0.5 * (m * (motion[..., 3] ** 2 + motion[..., 4] ** 2) + J * motion[..., 5] ** 2).sum(axis=1)
        E += (m * self.gravity * motion[..., 1]).sum(axis=1)
        for body, at, ground, k, free in self.springs:
            p = self.place(motion, body, *at)
            E += 0.5 * k * (np.hypot(p[:, 0] - ground[0], p[:, 1] - ground[1]) - free) ** 2
        for body, torque in self.torques:
            E -= torque * motion[:, body, 2]
        return E

    def start_energy(self) -> float:
        """That of the exact start."""
        return float(self.energy(self.start()[None])[0])

    def start(self) -> np.ndarray:
        """The motion's first sample."""
        return np.array([[*c, 0.0, *v] for c, v in zip(self.center, self.velocity, strict=True)])

    def position_error(self, motion: np.ndarray, t: float) -> float:
        """Of the watched point in the last sample."""
        p = self.place(motion[-1:], *self.watch)[0, :2]
        return float(np.hypot(*(p - np.asarray(self.reference(t)))))

    def errors(self, motion: np.ndarray, t: float) -> dict[str, float]:
        """Position at the end, energy and gap of the pins (largest over the samples)."""
        if not np.isfinite(motion).all():
            return {"position": float("nan"), "energy": float("nan"), "gap": float("nan")}
        gap = 0.0
        for i, j, x, y in self.pins:
            d = self.place(motion, i, x, y) - self.place(motion, j, x, y)
            gap = max(gap, float(np.hypot(d[:, 0], d[:, 1]).max()))
        energy = float(np.abs(self.energy(motion) - self.start_energy()).max())
        return {"position": self.position_error(motion, t), "energy": energy, "gap": gap}
