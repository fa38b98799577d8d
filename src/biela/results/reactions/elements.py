"""The elements of a mechanism that act on bodies: pins, joints, drivers, forces; on which bodies, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...coordinates.tree.spanning import implied_pins
from ...model.expression import names
from ...model.groups import Groups
from ...model.joints import joint_class
from ...model.resolved import GROUND, Direction, Place, ResolvedCoordinate, ResolvedForce, ResolvedJoint, ResolvedModel

if TYPE_CHECKING:
    from .free_bodies import FreeBodies


@dataclass(frozen=True)
class Element:
    """Something that acts: its name, what it is, the bodies it acts on (the ground among them), and places of it."""

    name: str
    kind: str
    bodies: tuple[str, ...]
    places: tuple[Place, ...] = ()
    rows: tuple[str, ...] = ()
    """owners of its rows among the constraints"""
    joint: ResolvedJoint | None = None
    contact: Place | None = None
    """where it pushes both bodies, if that is not fixed in each of them"""

    def on(self, body: str) -> Place | None:
        """Its own place on a body: the last that it names there."""
        return next((p for p in reversed(self.places) if owner_of(p) == body), None)

    @property
    def last_body(self) -> str:
        """The body that a reaction is given on unless another is named: the last one that is not the ground."""
        return next((b for b in reversed(self.bodies) if b != GROUND), GROUND)

    def acts_at(self, body: str) -> Place | None:
        """Where it pushes a body; a couple is nowhere."""
        return self.contact or self.on(body)

    def force(self, free: FreeBodies) -> np.ndarray:
        """What it does, as generalised forces."""
        if self.rows:
            return free.owned(self.rows, "driver" if self.kind == "driver" else "joint")
        g = np.zeros((len(free.t), free.system.n))
        for f in free.system.equations.forces:
            if f.name == self.name:
                g += free.applied(f)
        return g


def elements(resolved: ResolvedModel) -> dict[str, Element]:
    """Everything that acts on bodies but their weight, by name; pins by the name of their point.

    >>> import biela
    >>> list(elements(biela.assemble("slider-crank").resolved))
    ['O', 'A', 'B', 'guide', 'motor']
    """
    found = [*_shared_points(resolved), *(joint_element(resolved, j) for j in resolved.joints)]
    found += [_driver(resolved, d) for d in resolved.drivers]
    found += [_force(resolved, f) for f in resolved.forces]
    out: dict[str, Element] = {}
    for e in found:
        name, k = e.name, 2
        while name in out:  # a driver may bear the name of a joint
            name, k = f"{e.name} ({e.kind}{'' if k == 2 else f' {k}'})", k + 1
        out[name] = e
    return out


def pins(resolved: ResolvedModel) -> dict[str, Element]:
    """The pins of the plane, by the name of each of their points: points that bodies share, or that pins and welds put
    together, with all that holds them."""
    if resolved.dimension == 3:
        return {}
    together = Groups((*resolved.ground, *resolved.start))
    named = [j for j in resolved.joints if joint_class(j.type, 2).pins and j.places]
    named = [j for j in named if all(p.point is not None for p in j.places)]
    for j in named:
        together.join(*(str(p.point) for p in j.places))
    places: dict[str, list[Place]] = {}
    for point, at in resolved.ground.items():
        places.setdefault(together.leader(point), [Place(GROUND, at, point)])
    for name, body in resolved.bodies.items():
        for point, at in body.points.items():
            places.setdefault(together.leader(point), []).append(Place(name, at, point))
    held: dict[str, list[str]] = {}
    for j in (*implied_pins(resolved), *named):
        if j.places[0].point in together:
            held.setdefault(together.leader(str(j.places[0].point)), []).append(j.name)
    out = {}
    for first, points in together.lists().items():
        here = tuple(places.get(first, ()))
        if len(here) > 1:
            bodies = _distinct(p.body for p in here)
            out |= {point: Element(point, "pin", bodies, here, tuple(held.get(first, ()))) for point in points}
    return out


def owner_of(p: Place) -> str:
    """The body of a place; a point that belongs to none stands for itself."""
    return p.body or str(p.point)


def body_of(line: Any) -> str:
    """The body of a line."""
    v = line.vector
    return v.body if isinstance(v, Direction) else owner_of(v.start)


def _shared_points(resolved: ResolvedModel) -> Iterable[Element]:
    """Points of the plane that several bodies share."""
    joints: dict[str, list[ResolvedJoint]] = {}
    for j in implied_pins(resolved):
        joints.setdefault(str(j.places[0].point), []).append(j)
    for point, here in joints.items():
        places = (here[0].places[0], *(j.places[1] for j in here))
        yield Element(point, "pin", tuple(map(owner_of, places)), places, tuple(j.name for j in here))


def joint_element(resolved: ResolvedModel, j: ResolvedJoint) -> Element:
    if j.terms and not j.frames:
        bodies = [b for name, _ in j.terms for b in coordinate_bodies(resolved.coordinates[name])]
        return Element(j.name, j.type, _distinct(bodies), (), (j.name,), j)
    if j.equation is not None:
        return Element(j.name, j.type, _named(resolved, j), (), (j.name,), j)
    lines = [x.through for x in j.lines if x.through is not None]
    places = [*(f.place for f in j.frames)] or ([*lines, *j.places] if j.lines else [*j.places])
    bodies = [owner_of(p) for p in places] + [body_of(x) for x in j.lines]
    kind = joint_class(j.type, resolved.dimension)
    if resolved.dimension == 2 and kind.turns_with_lines:
        bodies = [body_of(x) for x in j.lines] + [owner_of(p) for p in j.places]
    # one that slides pushes where the second body is, wherever that is on the first
    slides = kind.slides() and bool(places)
    return Element(j.name, j.type, _distinct(bodies), tuple(places), (j.name,), j, places[-1] if slides else None)


def _named(resolved: ResolvedModel, j: ResolvedJoint) -> tuple[str, ...]:
    """The bodies of which a user's equation speaks, and the ground, which takes what they do not give each other."""
    bodies: list[str] = []
    for name in sorted(names(j.equation) - {"t"}):
        if name in resolved.coordinates:
            bodies += coordinate_bodies(resolved.coordinates[name])
            continue
        what = name.rsplit(".", 1)[0]
        bodies.append(what.split(".", 1)[0] if "." in what else owner_of(resolved.place(what)))
    return _distinct([*bodies, GROUND])


def _driver(resolved: ResolvedModel, d: Any) -> Element:
    c = resolved.coordinates.get(d.coordinate)
    if c is None:
        return Element(d.name, "driver", (owner_of(d.place), GROUND), (d.place,), (d.name,))
    return Element(d.name, "driver", _distinct(coordinate_bodies(c)), _ends(resolved, c), (d.name,))


def _force(resolved: ResolvedModel, f: ResolvedForce) -> Element:
    if f.type == "force":
        return Element(f.name, "load", (owner_of(f.places[0]),), f.places)
    if f.type == "moment":
        return Element(f.name, "moment", tuple(f.bodies))
    if f.type == "distance":
        return Element(f.name, _called(f), tuple(map(owner_of, f.places)), f.places)
    if f.type == "angle":
        return Element(f.name, _called(f), tuple(f.bodies))
    c = resolved.coordinates[str(f.coordinate)]
    return Element(f.name, _called(f), _distinct(coordinate_bodies(c)), _ends(resolved, c))


def _called(f: ResolvedForce) -> str:
    law = f.law
    curved = law.potential is not None
    parts = [name for name, value in (("spring", law.stiffness or curved), ("damper", law.damping)) if value]
    formula = law.expression is not None and not curved
    if formula or law.table is not None or law.function is not None or law.constant or not parts:
        parts.append("actuator")
    return "-".join(parts)


def coordinate_bodies(c: ResolvedCoordinate) -> list[str]:
    """The bodies between which a relative coordinate is measured."""
    return [*(body_of(x) for x in c.lines), *(owner_of(p) for p in c.places)]


def _ends(resolved: ResolvedModel, c: ResolvedCoordinate) -> tuple[Place, ...]:
    """Places that an effort on a coordinate is seen at: the ends of a length, the joint of an angle."""
    if c.type == "distance":
        return c.places
    if c.type == "position":
        through = c.lines[0].through
        return (*(() if through is None else (through,)), *c.places)
    joint = next((j for j in resolved.joints if j.name == c.joint), None)
    return () if joint is None else tuple(f.place for f in joint.frames)


def _distinct(bodies: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(bodies))
