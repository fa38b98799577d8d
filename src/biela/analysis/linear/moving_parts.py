"""Which parts move, and how: a velocity of the whole mechanism by the names of its bodies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...coordinates.tree.from_poses import body_motion
from ...model.resolved import GROUND
from ...system.system import System
from ..numbers import listed

NOTABLE = 0.2
"""a body moves if it does so by this share of the one that moves most"""


@dataclass(frozen=True)
class PartMotion:
    """A body in a small motion: velocity of its centre of mass, and angular velocity, in ground axes."""

    body: str
    centre: np.ndarray
    spin: np.ndarray
    energy: float
    """twice its kinetic energy"""


def part_motions(system: System, q: np.ndarray, v: np.ndarray) -> list[PartMotion]:
    """All bodies (and points that belong to none) in the motion v, real or complex."""
    if np.iscomplexobj(v):
        real, imaginary = part_motions(system, q, np.real(v)), part_motions(system, q, np.imag(v))
        return [
            PartMotion(a.body, a.centre + 1j * b.centre, a.spin + 1j * b.spin, a.energy + b.energy)
            for a, b in zip(real, imaginary, strict=True)
        ]
    resolved = system.resolved
    here = system.posture(q, v)
    bare = [p for p in resolved.start if not [b for b in resolved.owners.get(p, ()) if b != GROUND]]
    out = []
    for name in (*resolved.bodies, *bare):
        motion, body = body_motion(here, name), resolved.bodies.get(name)
        centre, R, Rd = motion.p[1][0], motion.R[0][0], motion.R[1][0]
        W = Rd @ R.T
        spin = np.zeros(3)
        energy = 0.0 if body is None else float(body.mass) * float(centre @ centre)
        if body is not None and not body.particle:
            spin = np.array([W[2, 1], W[0, 2], W[1, 0]])
            J = np.array(body.inertia, dtype=float)
            own = R.T @ spin
            energy += float(own @ J @ own) if J.ndim else float(J) * float(spin[2] ** 2)
        out.append(PartMotion(name, centre, spin, energy))
    return out


def extent(part: PartMotion, size: float) -> float:
    """How much a body moves: its centre, or its turning over the size of the mechanism."""
    return float(max(np.linalg.norm(part.centre), size * np.linalg.norm(part.spin)))


def describe_motion(system: System, q: np.ndarray, v: np.ndarray, most: int = 4) -> str:
    """The bodies that move most, each with how it moves."""
    parts = sorted(part_motions(system, q, v), key=lambda p: -extent(p, system.size))
    if not parts:
        return "nothing"
    top = extent(parts[0], system.size)
    notable = [f"{p.body} {_manner(p, system)}" for p in parts if extent(p, system.size) > NOTABLE * top]
    return listed(notable, most)


def unit_motion(system: System, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, str]:
    """v such that the part that moves most does so at 1 m/s, or turns at 1 rad/s; and the unit of a force along it."""
    parts = part_motions(system, q, v)
    part = max(parts, key=lambda p: extent(p, system.size))
    moved, turned = float(np.linalg.norm(part.centre)), float(np.linalg.norm(part.spin))
    if moved >= system.size * turned or turned == 0:
        return v / (moved or 1.0), "N"
    return v / turned, "N*m"


def _manner(p: PartMotion, system: System) -> str:
    moved, turned = float(np.linalg.norm(p.centre)), system.size * float(np.linalg.norm(p.spin))
    plane = system.resolved.dimension == 2
    if turned > moved:
        return "turns" if plane else f"turns about {_direction(p.spin, 3)}"
    along = _direction(p.centre, 2 if plane else 3)
    return f"moves along {along}" + (" and turns" if turned > NOTABLE * moved else "")


def _direction(vector: np.ndarray, axes: int) -> str:
    """x, -y, ... or components."""
    u = np.real(vector[:axes])
    length = float(np.linalg.norm(u))
    if length == 0:
        return "nothing"
    u = u / length
    k = int(np.argmax(np.abs(u)))
    if abs(u[k]) > 0.999:
        return ("-" if u[k] < 0 else "") + "xyz"[k]
    return "(" + ", ".join(f"{x:.2g}" for x in np.where(np.abs(u) < 5e-3, 0.0, u)) + ")"
