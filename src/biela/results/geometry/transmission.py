"""Transmission angles of dyads, and the class of four-bars by Grashof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...errors import MethodError, Problem
from ...model.resolved import GROUND
from ..channels.channel import Channel
from ..reactions.elements import coordinate_bodies, owner_of
from .linkage import Dyad, dyads, four_bars, pairs

if TYPE_CHECKING:
    from ..motion import Motion


@dataclass(frozen=True)
class Transmission:
    """The angle between coupler and follower at the pin between them, over a motion.

    90 deg is best; at 0 and 180 deg the follower cannot be driven.   [W.4]
    """

    pin: str
    coupler: str
    follower: str
    angle: Channel
    """from 0 to pi"""

    @property
    def least(self) -> float:
        """How near it comes to 0 or 180 deg, rad."""
        a = np.asarray(self.angle)
        return float(np.minimum(a, np.pi - a).min())


def transmission_angles(r: Motion, inputs: list[str] | None = None) -> list[Transmission]:
    """Of every dyad of a planar mechanism, seen from the ground and the input.

    The input is that of a kinematic result, else of the drivers, else the first body on the ground.

    >>> import biela
    >>> [(x.pin, x.coupler, x.follower) for x in transmission_angles(biela.kinematics("slider-crank", "theta"))]
    [('guide', 'rod', 'guide')]
    """
    _plane(r)
    found, _ = dyads(r.system.resolved, input_bodies(r) if inputs is None else inputs)
    return [Transmission(d.pin.name, d.coupler, d.follower, _angle(r, d)) for d in found]


def transmission_angle(r: Motion, pin: str, bodies: tuple[str, str] | None = None) -> Channel:
    """The angle between the two bodies of a pin: from it to the other pin of each.

    Without `bodies` that of the dyad at this pin. With them, each is taken from the pin to its other pin; if it has
    several, to the one farthest away.
    """
    _plane(r)
    if bodies is None:
        found = [x for x in transmission_angles(r) if x.pin == pin]
        if found:
            return found[0].angle
    every = pairs(r.system.resolved)
    here = [p for p in every if p.kind == "pin" and p.name == pin]
    known = list(dict.fromkeys(p.name for p in every if p.kind == "pin" and GROUND not in p.links))
    wanted = None if bodies is None else frozenset(bodies)
    at = next((p for p in here if wanted is None or p.links == wanted), None)
    if at is None or (bodies is None and (len(here) != 1 or GROUND in at.links)):
        who = "" if bodies is None else f" between {' and '.join(bodies)}"
        cure = f"a pin between two moving bodies, one of: {', '.join(known)}" + ("" if bodies else "; or name bodies")
        raise MethodError(Problem(f"no transmission angle at {pin!r}{who}", cure=cure))
    place = r.posture.place(at.ends[0][1])[0]
    directions = []
    for link, _ in at.ends:
        others = [p for p in every if p.kind == "pin" and p.name != pin and link in p.links]
        if not others:
            raise MethodError(Problem(f"{link!r} has no other pin than {pin!r}", cure="name a pin between two links"))
        far = [r.posture.place(p.place(link))[0] - place for p in others]
        directions.append(max(far, key=lambda d: float(np.hypot(*d.T).max())))
    return Channel.of(_between(*directions), f"{pin}.transmission", "rad")


def _angle(r: Motion, d: Dyad) -> Channel:
    return Channel.of(_between(*d.directions(r.posture)), f"{d.pin.name}.transmission", "rad")


def _between(u: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Angle between two vectors, accurate at all angles."""
    return np.arctan2(np.abs(u[:, 0] * w[:, 1] - u[:, 1] * w[:, 0]), (u * w).sum(axis=1))


def _plane(r: Motion) -> None:
    if r.system.resolved.dimension == 3:
        cure = "in space see the reactions: r.reaction(joint)"
        raise MethodError(Problem("transmission angles are those of planar mechanisms", cure=cure))


def input_bodies(r: Motion) -> list[str]:
    """The bodies that are driven: by the input of a kinematic result, by drivers, else the first on the ground."""
    resolved = r.system.resolved
    moved = [c for c in (getattr(r, "coordinate", None),) if c] or [d.coordinate for d in resolved.drivers]
    out: list[str] = []
    for name in moved:
        c = resolved.coordinates.get(name)
        if c is not None:
            out += [b for b in coordinate_bodies(c) if b != GROUND]
        elif name.endswith(".angle") and name.rpartition(".")[0] in resolved.bodies:
            out.append(name.rpartition(".")[0])
        elif "." in name and name.rpartition(".")[0] in resolved.start:
            out.append(owner_of(resolved.place(name.rpartition(".")[0])))
    if not out:
        grounded = [p.links - {GROUND} for p in pairs(resolved) if p.kind == "pin" and GROUND in p.links]
        angles = [b for c in resolved.coordinates.values() if c.joint is None and c.type == "angle"
                  for b in coordinate_bodies(c)]  # fmt: skip
        on_ground = [b for links in grounded for b in links]
        out = [b for b in angles if b in on_ground][:1] or on_ground[:1]
    return list(dict.fromkeys(out))


@dataclass(frozen=True)
class FourBar:
    """A loop of four bars with the ground among them: its lengths, and what Grashof says of it.   [W.5]"""

    links: tuple[str, str, str, str]
    """ground, two links on it with the coupler between them: (ground, a, coupler, c)"""
    lengths: tuple[float, float, float, float]

    @property
    def excess(self) -> float:
        """p + q - s - l, m: not negative if the shortest link can turn fully."""
        s, p, q, l = sorted(self.lengths)
        return p + q - s - l

    @property
    def kind(self) -> str:
        """crank-rocker, double crank, double rocker, triple rocker, or change point."""
        tiny = 1e-9 * max(self.lengths)
        if abs(self.excess) <= tiny:
            return "change point (the links can come into line)"
        if self.excess < 0:
            return "triple rocker (no link turns fully)"
        shortest = self.links[int(np.argmin(self.lengths))]
        if shortest == GROUND:
            return f"double crank ({self.links[1]} and {self.links[3]} turn fully)"
        if shortest == self.links[2]:
            return f"double rocker (only {shortest} turns fully against the others)"
        return f"crank-rocker ({shortest} turns fully)"

    def __str__(self) -> str:
        s, p, q, l = sorted(self.lengths)
        sign = "=" if abs(self.excess) <= 1e-9 * l else "<" if self.excess > 0 else ">"
        return f"four-bar {'-'.join(self.links)}: {self.kind}; s + l = {s + l:.6g} {sign} p + q = {p + q:.6g} m"


def grashof(r: Motion) -> list[FourBar]:
    """The four-bars with the ground among their links.

    >>> import biela
    >>> [x.kind for x in grashof(biela.kinematics("four-bar", count=2))]
    ['crank-rocker (crank turns fully)']
    """
    if r.system.resolved.dimension == 3:
        return []
    out = []
    for links, pins in four_bars(r.system.resolved):
        at = [r.posture.place(p.ends[0][1])[0][0] for p in pins]
        ends = ((0, 3), (0, 1), (1, 2), (2, 3))
        lengths = tuple(float(np.hypot(*(at[j] - at[i]))) for i, j in ends)
        out.append(FourBar(links, lengths))  # type: ignore[arg-type]
    return out
