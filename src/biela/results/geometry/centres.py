"""Instantaneous centres of planar bodies, and instantaneous screw axes in space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...errors import MethodError, Problem
from ...model.resolved import GROUND
from ..channels.channel import Channel

if TYPE_CHECKING:
    from ..motion import Motion

STILL = 1e-10
"""a relative angular velocity this small beside the speeds, over the size of the mechanism, counts as none"""


@dataclass(frozen=True)
class InstantCentre:
    """Where one body turns about another at each sample of a planar motion.   [W.6]

    Where the relative motion is a translation the centre is infinitely far away, along `direction`: `point` is inf
    there. Where nothing moves it is not defined: `point` is inf and `direction` zero.
    """

    bodies: tuple[str, str]
    point: Channel
    """(samples, 2), m, in ground axes"""
    rate: Channel
    """angular velocity of the first body against the second, rad/s"""
    direction: np.ndarray
    """unit vector towards the centre where it is infinitely far away, else zero"""

    @property
    def finite(self) -> np.ndarray:
        """At which samples there is such a point."""
        return np.asarray(np.isfinite(np.asarray(self.point)).all(axis=1))


@dataclass(frozen=True)
class ScrewAxis:
    """The axis about and along which one body moves against another at each sample of a motion in space.   [W.7]"""

    bodies: tuple[str, str]
    point: Channel
    """the point of the axis that is nearest to the ground's origin; inf where the motion is a translation"""
    direction: np.ndarray
    """unit vector along the angular velocity, or along the translation; zero where nothing moves"""
    rate: Channel
    """angular velocity, rad/s"""
    pitch: Channel
    """advance per radian, m; inf for a translation"""
    slide: Channel
    """velocity along the axis, m/s"""


def _twist(r: Motion, body: str) -> np.ndarray:
    """(w, velocity of the body's point at the origin): (samples, 6)."""
    if body == GROUND:
        return np.zeros((len(r.t), 6))
    resolved = r.system.resolved
    if body not in resolved.bodies or resolved.bodies[body].particle:
        rigid = [b for b, x in resolved.bodies.items() if not x.particle]
        raise MethodError(Problem(f"{body!r} is not a rigid body", cure=f"one of: ground, {', '.join(rigid)}"))
    p, w = r.body_motion(body).p, r.rotation(body)[0]
    return np.concatenate([w, p[1] - np.cross(w, p[0])], axis=1)


def instant_centre(r: Motion, body: str, other: str = GROUND) -> InstantCentre:
    """The point in which two planar bodies have the same velocity.

    >>> import biela
    >>> r = biela.kinematics("four-bar", count=5)
    >>> bool(abs(instant_centre(r, "coupler", "crank").point - r["A"]).max() < 1e-12)  # a pin is their centre
    True
    """
    if r.system.resolved.dimension == 3:
        raise MethodError(Problem("bodies in space turn about screw axes", cure="r.screw_axis(body, other)"))
    V = _twist(r, body) - _twist(r, other)
    w, u = V[:, 2], V[:, 3:5]
    normal = np.stack([-u[:, 1], u[:, 0]], axis=1)
    speed = np.hypot(*u.T)
    turning = np.abs(w) * r.system.size > STILL * np.maximum(speed, _speeds(r))
    point = np.full((len(w), 2), np.inf)
    point[turning] = normal[turning] / w[turning, None]
    direction = np.zeros((len(w), 2))
    sliding = ~turning & (speed > STILL * _speeds(r)) & (speed > 0)
    direction[sliding] = normal[sliding] / speed[sliding, None]
    name = f"{body}/{other}"
    return InstantCentre(
        (body, other), Channel.of(point, f"{name}.centre", "m"), Channel.of(w, f"{name}.rate", "rad/s"), direction
    )


def screw_axis(r: Motion, body: str, other: str = GROUND) -> ScrewAxis:
    """The axis of the relative motion of two bodies in space: about it one turns and along it one slides.

    >>> import biela
    >>> r = biela.simulate("bricard", 0.2)
    >>> axis = screw_axis(r, "bar1")  # it hangs on the ground by a hinge about y
    >>> abs(axis.direction[-1]).round(9).tolist(), bool(abs(axis.pitch[-1]) < 1e-9)
    ([0.0, 1.0, 0.0], True)
    """
    V = _twist(r, body) - _twist(r, other)
    w, u = V[:, :3], V[:, 3:]
    rate, speed = np.linalg.norm(w, axis=1), np.linalg.norm(u, axis=1)
    turning = rate * r.system.size > STILL * np.maximum(speed, _speeds(r))
    point, pitch = np.full((len(w), 3), np.inf), np.full(len(w), np.inf)
    direction, slide = np.zeros((len(w), 3)), speed.copy()
    k = turning
    square = (rate[k] ** 2)[:, None]
    point[k] = np.cross(w[k], u[k]) / square
    pitch[k] = (w[k] * u[k]).sum(axis=1) / square[:, 0]
    direction[k], slide[k] = w[k] / rate[k, None], pitch[k] * rate[k]
    moving = ~turning & (speed > STILL * _speeds(r)) & (speed > 0)
    direction[moving] = u[moving] / speed[moving, None]
    name = f"{body}/{other}"
    return ScrewAxis(
        (body, other), Channel.of(point, f"{name}.axis", "m"), direction, Channel.of(rate, f"{name}.rate", "rad/s"),
        Channel.of(pitch, f"{name}.pitch", "m"), Channel.of(slide, f"{name}.slide", "m/s"),
    )  # fmt: skip


def _speeds(r: Motion) -> np.ndarray:
    """The largest speed, or angular velocity times the size of the mechanism, at each sample."""
    out = np.zeros(len(r.t))
    for b, body in r.system.resolved.bodies.items():
        m = r.body_motion(b)
        out = np.maximum(out, np.abs(m.p[1]).max(axis=1))
        if not body.particle:
            out = np.maximum(out, r.system.size * np.abs(m.R[1]).max(axis=(1, 2)))
    return out
