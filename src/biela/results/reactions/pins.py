"""Pins of the plane: points that bodies share, or that pins and welds put together, and who meets there."""

from __future__ import annotations

from dataclasses import dataclass

from ...coordinates.tree.spanning import implied_pins
from ...model.groups import Groups
from ...model.joints import joint_class
from ...model.resolved import GROUND, ResolvedJoint, ResolvedModel


@dataclass(frozen=True)
class Pin:
    """Points that are one, and the moving bodies that meet there, each by its own point."""

    labels: tuple[str, ...]
    bodies: tuple[tuple[str, str], ...]
    grounded: bool
    joints: tuple[ResolvedJoint, ...]
    """what holds it together: joints of the model, and those that shared points are"""

    def beyond(self, joint: str, body: str) -> tuple[float, list[tuple[str, str]]] | None:
        """Moving bodies on one side of a joint, and 1 if that is the side of `body`, -1 if it is the other one.

        None where the sides hang together by other joints, too: what this one carries is a convention then.
        """
        side, grown = {body}, True
        while grown:
            grown = False
            for j in self.joints:
                ends = {p.body for p in j.places}
                if j.name != joint and ends & side and not ends <= side:
                    side |= ends
                    grown = True
        across = {p.body for j in self.joints if j.name == joint for p in j.places} - side
        if not across:
            return None
        if GROUND not in side:
            return 1.0, [(b, p) for b, p in self.bodies if b in side]
        return -1.0, [(b, p) for b, p in self.bodies if b not in side]


def pins(resolved: ResolvedModel) -> list[Pin]:
    """All the pins of a mechanism in the plane."""
    if resolved.dimension == 3:
        return []
    pinned = Groups((*resolved.ground, *resolved.start))
    named = [j for j in resolved.joints if joint_class(j.type, 2).pins and j.places]
    named = [j for j in named if all(p.point is not None for p in j.places)]
    for j in named:
        pinned.join(*(str(p.point) for p in j.places))
    joints = [*implied_pins(resolved), *named]
    bodies: dict[str, list[tuple[str, str]]] = {}
    for name, body in resolved.bodies.items():
        for p in body.points:
            bodies.setdefault(pinned.leader(p), []).append((name, p))
    held: dict[str, list[ResolvedJoint]] = {}
    for j in joints:
        if j.places[0].point in pinned:
            held.setdefault(pinned.leader(str(j.places[0].point)), []).append(j)
    out = []
    for first, names in pinned.lists().items():
        here, grounded = bodies.get(first, []), any(p in resolved.ground for p in names)
        if len(here) + grounded > 1:
            out.append(Pin(tuple(names), tuple(here), grounded, tuple(held.get(first, ()))))
    return out
