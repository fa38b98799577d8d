"""How the bodies of a mechanism move: along a fixed line, about a fixed axis, or in a way that no bond graph tells.

Velocities are compared in all freedoms, at the start and in other positions: what is linear with constant factors
everywhere becomes a bond graph. [B.12]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...analysis.check.mobility import rank_of, scaled_jacobian
from ...results.motion import Motion
from ...system.system import System

TOLERANCE = 1e-7


@dataclass
class Axis:
    """The line along which, or about which, a body moves."""

    angular: bool
    direction: np.ndarray
    """unit vector in the ground's axes"""
    center: np.ndarray
    """where the centre of mass starts"""
    foot: np.ndarray
    """of a body that turns: the point of the axis nearest to its centre"""


@dataclass
class Kinematics:
    """Speeds of bodies and rates of force elements in the freedoms of a mechanism, at one position."""

    center: dict[str, np.ndarray]
    velocity: dict[str, np.ndarray]
    """(freedoms, 3)"""
    spin: dict[str, np.ndarray]
    rates: dict[str, np.ndarray]
    """(freedoms,) of coordinates and force elements by channel"""


def freedoms(system: System, q: np.ndarray) -> np.ndarray:
    """Velocities that the joints allow, drivers set aside; one in each row."""
    keep = np.array([r.role != "driver" for r in system.equations.rows], dtype=bool)
    B = scaled_jacobian(system, q, 0.0)[keep]
    if not B.size:
        return np.diag(system.unit)
    _, _, Vt = np.linalg.svd(B)
    return Vt[rank_of(B) :] * system.unit


def kinematics(system: System, q: np.ndarray, v: np.ndarray, rates: list[str]) -> Kinematics:
    """Everything that moves, for velocities v (one in each row)."""
    count = len(v)
    zero = np.zeros((count, system.n))
    motion = Motion(
        system, np.arange(count) * 1e-9, np.tile(q, (count, 1)), v, zero, np.zeros((count, system.m)), np.zeros(count)
    )
    center, velocity, spin = {}, {}, {}
    for name in system.resolved.bodies:
        body = motion.body_motion(name)
        center[name], velocity[name] = np.asarray(body.p[0])[0], np.asarray(body.p[1])
        spin[name] = motion.rotation(name)[0]
    return Kinematics(center, velocity, spin, {r: np.asarray(motion[r]) for r in rates})


def axis_of(k: Kinematics, body: str, size: float) -> Axis | str | None:
    """The axis of a body; None if it rests; in words, why it has none."""
    v, w, center = k.velocity[body], k.spin[body], k.center[body]
    scale = max(float(np.abs(v).max()), float(np.abs(w).max()) * size)
    top = max(float(np.abs(x).max()) for x in k.velocity.values())
    turning = max(float(np.abs(x).max()) for x in k.spin.values()) * size
    if scale <= TOLERANCE * max(top, turning):
        return None
    angular = float(np.abs(w).max()) * size > TOLERANCE * scale
    rows = w if angular else v
    _, s, Vt = np.linalg.svd(rows)
    if len(s) > 1 and s[1] > TOLERANCE * s[0]:
        return "it turns about more than one axis" if angular else "it moves in more than one direction"
    u = Vt[0]
    if not angular:
        return Axis(False, u, center, center)
    rate = w @ u
    k0 = int(np.abs(rate).argmax())
    foot = center + np.cross(u, v[k0]) / rate[k0]  # v = rate u x (center - foot)
    left = v - rate[:, None] * np.cross(u, center - foot)
    if float(np.abs(left).max()) > TOLERANCE * scale:
        return "it moves and turns at once"
    return Axis(True, u, center, foot)


def speeds(k: Kinematics, axes: dict[str, Axis]) -> np.ndarray:
    """(bodies, freedoms): speed of each body along or about its axis."""
    rows = [(k.spin[b] if a.angular else k.velocity[b]) @ a.direction for b, a in axes.items()]
    return np.array(rows).reshape(len(axes), -1)
