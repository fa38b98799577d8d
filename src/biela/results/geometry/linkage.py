"""A planar mechanism as links and pairs: which bodies are pinned or slide where, and the dyads it is built up of.

A dyad (an Assur group of class II) is two links that a pin joins and whose other ends are on links that move already;
one of them may be a mere slide. Starting from the ground and the input, most mechanisms fall into dyads.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ...mechanics.measure import Posture
from ...model.joints import joint_class
from ...model.resolved import GROUND, Place, ResolvedLine, ResolvedModel, Vec
from ..reactions.elements import body_of, owner_of


@dataclass(frozen=True)
class Pair:
    """A pin or a slide between two links."""

    name: str
    kind: str
    """pin, slide (which keeps its angle too), or slot"""
    ends: tuple[tuple[str, Place], ...]
    """each link, and its place there; of a slide the link with the line first"""
    line: ResolvedLine | None = None
    at: str = ""
    """of a slot: the pin of all the links that turn about the point in it"""

    def place(self, link: str) -> Place:
        """Its place on one of its links."""
        return next(p for name, p in self.ends if name == link)

    @property
    def links(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.ends)


@dataclass(frozen=True)
class Dyad:
    """Two directions that meet in a pin (or in a slide of one link): of the coupler and of the follower."""

    pin: Pair
    coupler: str
    follower: str
    """a link, or the slide where there is none"""
    outer: tuple[Pair, Pair]
    """what holds the coupler, and the follower, to links that move already"""

    def directions(self, posture: Posture) -> tuple[np.ndarray, np.ndarray]:
        """From the pin along the coupler and along the follower: (samples, 2) each, of any length."""
        at = posture.place(self.pin.ends[-1][1])[0]
        first, second = self.outer
        return _direction(first, self.coupler, at, posture), _direction(second, self.follower, at, posture)


def _direction(pair: Pair, link: str, at: np.ndarray, posture: Posture) -> np.ndarray:
    """Towards the other pin of a link; across a slide, as if its link were endless."""
    if pair.kind == "pin":
        return posture.place(pair.place(link))[0] - at
    assert pair.line is not None
    u = posture.line(pair.line)[0]
    return np.stack([-u[:, 1], u[:, 0]], axis=1)


@dataclass
class Hinge:
    """Links that turn about one point: those that share it, and those pinned to it by joints."""

    name: str
    links: dict[str, Place]


def pairs(resolved: ResolvedModel) -> list[Pair]:
    """All pins and slides of a planar mechanism; point masses and points of no body are no links.

    A guide holds every link that turns about its point, whichever of them bears its force: the slider's mass, if it is
    no more than a point, is none of them.
    """
    hinges = _hinges(resolved)
    out = []
    for hinge in {id(h): h for h in hinges.values()}.values():
        for (a, pa), (b, pb) in combinations(hinge.links.items(), 2):
            out.append(Pair(hinge.name, "pin", ((a, pa), (b, pb))))
    for j in resolved.joints:
        kind = joint_class(j.type, 2)
        if kind.guides_a_point():
            hinge = hinges[str(j.places[0].point)]
            out += [_slide("slot", j.name, j.lines[0], end, hinge.name) for end in hinge.links.items()]
        elif kind.slides() and j.lines[1].through is not None:
            place = j.lines[1].through
            out.append(_slide("slide", j.name, j.lines[0], (owner_of(place), place)))
    return out


def _hinges(resolved: ResolvedModel) -> dict[str, Hinge]:
    """The hinge of every point; points that pins hold together have one."""
    out: dict[str, Hinge] = {}
    for point, owners in resolved.owners.items():
        rigid = [b for b in owners if _is_link(resolved, b)]
        out[point] = Hinge(point, {b: Place(b, _local(resolved, b, point), point) for b in rigid})
    for j in resolved.joints:
        if joint_class(j.type, 2).is_pin():
            first, second = (out[str(p.point)] for p in j.places)
            first.links.update(second.links)
            out.update({point: first for point, hinge in out.items() if hinge is second})
    for j in resolved.joints:
        if joint_class(j.type, 2).is_rod:  # a rod without mass is a link too
            for p in j.places:
                out[str(p.point)].links[j.name] = p
    return out


def _is_link(resolved: ResolvedModel, body: str) -> bool:
    return body == GROUND or not resolved.bodies[body].particle


def _local(resolved: ResolvedModel, body: str, point: str) -> Vec:
    return resolved.ground[point] if body == GROUND else resolved.bodies[body].points[point]


def _slide(kind: str, name: str, line: ResolvedLine, end: tuple[str, Place], at: str = "") -> Pair:
    through = line.through if line.through is not None else end[1]
    return Pair(name, kind, ((body_of(line), through), end), line, at)


def dyads(resolved: ResolvedModel, inputs: Iterable[str]) -> tuple[list[Dyad], list[str]]:
    """The dyads in the order in which they are put on, and the links that belong to none.

    >>> import biela
    >>> found, left = dyads(biela.assemble("four-bar").resolved, ["crank"])
    >>> [(d.pin.name, d.coupler, d.follower) for d in found], left
    ([('B', 'coupler', 'rocker')], [])
    """
    every = pairs(resolved)
    links = {b for p in every for b in p.links} - {GROUND}
    known = {GROUND, *inputs}
    out: list[Dyad] = []
    while True:
        found = _next(every, known)
        if found is None:
            return out, sorted(links - known)
        out.append(found)
        known |= {found.coupler, found.follower} & links


def _next(every: list[Pair], known: set[str]) -> Dyad | None:
    for pin in every:
        if pin.kind == "pin" and not pin.links & known:
            (a, _), (b, _) = pin.ends
            for coupler, follower in ((a, b), (b, a)):
                held = _held(every, coupler, known, pin.name), _held(every, follower, known, pin.name)
                if held[0] is not None and held[1] is not None:
                    outer = held[0], held[1]
                    return Dyad(pin, *_ordered(coupler, follower, outer))
    for slot in every:  # one link: pinned to what moves already, and in a slot with it
        if slot.kind == "slot":
            for link in slot.links - known:
                pin = _held(every, link, known, slot.at)
                led = any(p.name == slot.at and link in p.links and p.links & known for p in every if p.kind == "pin")
                if slot.links - {link} <= known and pin is not None and not led:
                    outer = (pin, slot) if link == slot.ends[1][0] else (slot, pin)
                    names = (link, slot.name) if link == slot.ends[1][0] else (slot.name, link)
                    return Dyad(slot, *names, outer)
    return None


def _held(every: list[Pair], link: str, known: set[str], but: str) -> Pair | None:
    """A pin or slide of a link with one that moves already; a slot does not hold it."""
    found = [p for p in every if p.kind != "slot" and link in p.links and p.name != but and (p.links - {link}) & known]
    return min(found, key=lambda p: p.kind, default=None)


def _ordered(a: str, b: str, outer: tuple[Pair, Pair]) -> tuple[str, str, tuple[Pair, Pair]]:
    """The follower is the one on the ground, or the one that slides."""
    grounded = [GROUND in p.links for p in outer]
    sliding = [p.kind == "slide" for p in outer]
    if (grounded[0] and not grounded[1]) or (sliding[0] and not sliding[1] and grounded[0] == grounded[1]):
        return b, a, (outer[1], outer[0])
    return a, b, outer


def four_bars(resolved: ResolvedModel) -> list[tuple[tuple[str, ...], tuple[Pair, ...]]]:
    """Loops of four links and four pins with the ground among them: links from the ground on, and their pins."""
    pins = [p for p in pairs(resolved) if p.kind == "pin"]
    out = []
    for first, last in combinations([p for p in pins if GROUND in p.links], 2):
        a, c = (next(iter(p.links - {GROUND})) for p in (first, last))
        if a == c or first.name == last.name:
            continue
        for second in pins:
            if a in second.links and GROUND not in second.links and second.name != first.name:
                b = next(iter(second.links - {a}))
                third = [p for p in pins if p.links == {b, c} and p.name not in (second.name, last.name)]
                if b != c:
                    out += [((GROUND, a, b, c), (first, second, p, last)) for p in third]
    return out
