"""Free bodies: every body with its own copy of its points, and all that acts on them. Reactions come from here.

For each body  M_b x'' = weights + applied forces - (rows)^T lam + pins:  what is left is what the pins do.
All quantities are arrays over the samples of a result.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...mechanics.polynomial import Polynomial
from ...model.resolved import GROUND
from ...system.equations import ForceInfo, RowInfo

if TYPE_CHECKING:
    from ..motion import Motion

Copies = dict[int, np.ndarray]
"""exploded variable -> force on it, over the samples"""


class FreeBodies:
    """The mechanism taken apart, at every sample of a result."""

    def __init__(self, result: Motion):
        self.result = result
        self.low = result.system.equations
        self.exploded = self.low.exploded
        self.x, self.xd, self.xdd = result.posture.x, result.posture.xd, result.posture.xdd

    def value(self, p: Any) -> np.ndarray:
        """A polynomial of exploded variables at every sample."""
        out = np.zeros(len(self.x))
        if not isinstance(p, Polynomial):
            return out + float(p)
        out += float(p.constant)
        for i, c in p.linear.items():
            out += float(c) * self.x[:, i]
        for (i, j), c in p.quadratic.items():
            out += float(c) * self.x[:, i] * self.x[:, j]
        return out

    def gradient(self, p: Any) -> Copies:
        """Derivatives of a row's equation with respect to the exploded variables (points only)."""
        out: Copies = {}
        size, zero = len(self.exploded.copies), np.zeros(len(self.x))
        if not isinstance(p, Polynomial):
            return out
        for i, c in p.linear.items():
            if i < size:
                out[i] = out.get(i, zero) + float(c)
        for (i, j), c in p.quadratic.items():
            for a, b in ((i, j), (j, i)):
                if a < size:
                    out[a] = out.get(a, zero) + float(c) * self.x[:, b]
        return out

    def row_force(self, row: RowInfo, lam: np.ndarray) -> Copies:
        """What a row does to the bodies: -lam times its gradient."""
        return {i: -lam * g for i, g in self.gradient(row.exploded).items()}

    def applied(self, f: ForceInfo) -> Copies:
        """What a force element does to the bodies."""
        out: Copies = {}
        result = self.result
        if f.kind == "load":
            value = result.law_value(f, None, None)
            return {i: value * self.value(p) for i, p in f.exploded.items()}
        if f.kind == "distance":
            d = f.vectors[0]
            parts = [self.value(c) for c in d]
            length, rate = result.force_motion(f)
            force = result.law_value(f, length, rate)
            inverse = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
            for component, part in zip(d, parts, strict=True):
                for i, c in component.linear.items():
                    out[i] = out.get(i, 0.0) + force * inverse * part * float(c)
            return out
        if f.kind == "angle":
            moment = result.law_value(f, *result.force_motion(f))
            for sign, u in zip((-1.0, 1.0), f.vectors, strict=True):
                x, y = self.value(u[0]), self.value(u[1])
                g = sign * moment / (x * x + y * y)
                for i in set(_linear(u[0])) | set(_linear(u[1])):
                    cx, cy = float(_linear(u[0]).get(i, 0.0)), float(_linear(u[1]).get(i, 0.0))
                    out[i] = out.get(i, 0.0) + g * (x * cy - y * cx)
        return out

    @cached_property
    def pins(self) -> np.ndarray:
        """Force of the pins on each exploded variable: (samples, copies)."""
        out = np.zeros_like(self.x)
        for matrix in self.low.masses.values():
            for (i, j), c in matrix.items():
                out[:, i] += float(c) * self.xdd[:, j]  # type: ignore[index]
        for weight in self.low.weights.values():
            for i, c in weight.items():
                out[:, i] -= float(c)
        for f in self.low.forces:
            for i, force in self.applied(f).items():
                out[:, i] -= force
        for k, row in enumerate(self.low.rows):
            for i, force in self.row_force(row, self.result.multipliers[:, k]).items():
                out[:, i] -= force
        return out

    def pin_force(self, point: str, body: str) -> np.ndarray:
        """Force of the pin at a point on a body, in ground axes: (samples, 2)."""
        base = self.exploded._index[body, point, 0]
        return self.pins[:, base : base + 2]

    def wrench(self, forces: Copies, body: str, about: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Resultant force and moment about a point of the forces on one body: (samples, 3) both, in the plane
        (samples, 2) and (samples). A force on a unit vector of the body is a moment only."""
        samples, dimension = len(self.x), self.exploded.dimension
        total, moment = np.zeros((samples, 3)), np.zeros((samples, 3))
        about = np.pad(about, ((0, 0), (0, 3 - about.shape[1])))
        for i, force in forces.items():
            owner, part, axis = self.exploded.copies[i]
            if owner != body:
                continue
            base = i - axis
            arm = np.zeros((samples, 3))
            arm[:, :dimension] = self.x[:, base : base + dimension]
            if not part.startswith((".", "^")):
                total[:, axis] += force
                arm -= about
            push = np.zeros((samples, 3))
            push[:, axis] = force
            moment += np.cross(arm, push)
        return (total, moment) if dimension == 3 else (total[:, :2], moment[:, 2])

    def balance(self, body: str) -> tuple[np.ndarray, np.ndarray]:
        """Newton-Euler of one body from its own centre: (force, moment) left over, which must vanish.

        The pins, the rows, the applied forces and the weight on one side, m a_G and I alpha on the other.
        """
        result, resolved = self.result, self.result.system.resolved
        G = result.vector(self.exploded.center(body))
        forces: Copies = {}
        parts: list[Copies] = [{i: self.pins[:, i] for i in range(self.pins.shape[1])}]
        parts += [self.applied(f) for f in self.low.forces]
        parts += [self.row_force(row, result.multipliers[:, k]) for k, row in enumerate(self.low.rows)]
        parts.append({i: np.full(len(self.x), float(c)) for i, c in self.low.weights[body].items()})
        for part in parts:
            for i, force in part.items():
                forces[i] = forces.get(i, 0.0) + force
        force, moment = self.wrench(forces, body, G[0])
        force = force - float(resolved.bodies[body].mass) * G[2]
        if not resolved.bodies[body].particle:
            moment = moment - self._spin(body)
        else:
            moment = np.zeros_like(moment)
        return force, moment

    def _spin(self, body: str) -> np.ndarray:
        """Rate of the angular momentum about the centre: I alpha, in space J alpha + w x J w."""
        result, resolved = self.result, self.result.system.resolved
        alpha, J = np.asarray(result[f"{body}.angular_acceleration"]), resolved.bodies[body].inertia
        if resolved.dimension == 2:
            return float(J) * alpha
        w, R = np.asarray(result[f"{body}.angular_velocity"]), result.body_motion(body).R[0]
        tensor = R @ np.array(J, dtype=float) @ np.swapaxes(R, 1, 2)
        spin = np.einsum("kij,kj->ki", tensor, w)
        return np.einsum("kij,kj->ki", tensor, alpha) + np.cross(w, spin)


def _linear(p: Any) -> dict[int, Any]:
    return p.linear if isinstance(p, Polynomial) else {}


def partner(resolved: Any, bodies: list[str]) -> str:
    """The body a reaction is given on: the last one that is not the ground."""
    moving = [b for b in bodies if b != GROUND]
    return moving[-1] if moving else GROUND
