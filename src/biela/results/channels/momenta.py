"""Momenta as channels: of each body, of all of them together, and the centre of mass of the whole (001 15.2-15.4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from .channel import Catalogue

if TYPE_CHECKING:
    from ..motion import Motion

LINEAR, ANGULAR = "kg*m/s", "kg*m^2/s"
DERIVATIVES = (("position", "", "m"), ("velocity", "v", "m/s"), ("acceleration", "a", "m/s^2"))
"""of a point: what each is called, the letter before the axis, its unit"""


def momentum_channels(r: Motion, out: Catalogue) -> None:
    """`momentum`, `angular_momentum` (about the origin), `angular_momentum_about_center`, `center_of_mass.*`, and for
    each body `B.momentum` and `B.angular_momentum` (about its own centre of mass).   [W.3]"""
    dimension, bodies = r.system.resolved.dimension, r.system.resolved.bodies
    axes = "xyz"[:dimension]
    own = Catalogue()

    def moment(name: str, compute: Callable[[], np.ndarray]) -> None:
        """A vector in space, in the plane the component out of it."""
        if dimension == 3:
            own.vector(name, compute, ANGULAR, axes)
        else:
            own[name] = (lambda: compute()[:, 2], ANGULAR)

    for name in bodies:
        own.vector(f"{name}.momentum", lambda name=name: _linear(r, name)[:, :dimension], LINEAR, axes)
        moment(f"{name}.angular_momentum", lambda name=name: _spin(r, name))
    if bodies:
        own.vector("momentum", lambda: _total(r)[0][:, :dimension], LINEAR, axes)
        moment("angular_momentum", lambda: _total(r)[1])
    if sum(float(b.mass) for b in bodies.values()) > 0:
        moment("angular_momentum_about_center", lambda: _about_center(r))
        for k, (part, letter, unit) in enumerate(DERIVATIVES):
            value = lambda k=k: center_of_mass(r)[k][:, :dimension]  # noqa: E731
            own.vector(f"center_of_mass.{part}", value, unit, axes, f"center_of_mass.{letter}{{}}")
        own["center_of_mass"] = own["center_of_mass.position"]
    for name, entry in own.items():
        out.setdefault(name, entry)  # a body or point of the user's that bears one of these names comes first


def _linear(r: Motion, body: str) -> np.ndarray:
    """m v_G."""
    return float(r.system.resolved.bodies[body].mass) * np.asarray(r.body_motion(body).p[1])


def _spin(r: Motion, body: str) -> np.ndarray:
    """J w about the body's centre of mass, in ground axes: (samples, 3)."""
    return np.einsum("kij,kj->ki", r.inertia_tensor(body), r.rotation(body)[0])


def _total(r: Motion) -> tuple[np.ndarray, np.ndarray]:
    """Momentum, and angular momentum about the origin, of all bodies: (samples, 3) both."""
    P, L = np.zeros((len(r.t), 3)), np.zeros((len(r.t), 3))
    for body in r.system.resolved.bodies:
        p = _linear(r, body)
        P += p
        L += _spin(r, body) + np.cross(r.body_motion(body).p[0], p)
    return P, L


def center_of_mass(r: Motion) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Position, velocity and acceleration of the centre of mass of all bodies: (samples, 3) each."""
    total, out = 0.0, [np.zeros((len(r.t), 3)) for _ in range(3)]
    for name, body in r.system.resolved.bodies.items():
        m, p = float(body.mass), r.body_motion(name).p
        total += m
        for k in range(3):
            out[k] += m * np.asarray(p[k])
    return tuple(x / total for x in out)  # type: ignore[return-value]


def _about_center(r: Motion) -> np.ndarray:
    """L_C = L_O - r_C x P."""
    P, L = _total(r)
    return L - np.cross(center_of_mass(r)[0], P)
