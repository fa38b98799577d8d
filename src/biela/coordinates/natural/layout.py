"""Natural coordinates, the decisions: which points and vectors carry variables, and which of them carry each body.

Decisions compare lengths, so they are taken on the floats behind the scalars; the equations may be written in symbols.
In the plane a body is carried by two points: the vector between them, and that across it, span its axes (000 2.1). What
carries bodies in space is in `space_layout`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from math import hypot

from ...errors import ModelError, Problem
from ...mechanics.scalars import FLOATS, Functions
from ...model.groups import Groups
from ...model.joints import joint_class
from ...model.resolved import GROUND, ResolvedBody, ResolvedModel, Vec

POINT, VECTOR, CROSS = "point", "vector", "cross"


@dataclass(frozen=True)
class Element:
    """A point or a unit vector of one body, in the body's axes; or a point by itself, of the body ""."""

    body: str
    kind: str
    local: tuple
    name: str


@dataclass(frozen=True)
class Carrier:
    """How a body is carried: its elements, and those of them that span its axes."""

    body: str
    elements: tuple[Element, ...]
    basis: tuple[int, ...]
    """positions in `elements`: a point from which vectors start, and one more in the plane, three more in space; of a
    point mass the point alone"""


@dataclass
class Layout:
    """Elements of every body, and which of them are one."""

    carriers: dict[str, Carrier] = field(default_factory=dict)
    bare: tuple[Element, ...] = ()
    """points that belong to no body"""
    same: dict[Element, Element] = field(default_factory=dict)
    """element -> the one whose variables it uses, or that of the ground"""
    order: tuple[Element, ...] = ()
    """moving elements with variables"""
    crosses: tuple[Element, ...] = ()
    """in space: vectors that are cross products, without variables of their own"""
    shared_axes: dict[str, set[str]] = field(default_factory=dict)
    """in space: joint -> axes that both bodies share"""


def bare_points(resolved: ResolvedModel) -> tuple[Element, ...]:
    """Points that belong to no body: each has variables of its own."""
    zero = (0,) * resolved.dimension
    return tuple(Element("", POINT, zero, p) for p in resolved.start if not resolved.owners.get(p))


def lay_out_plane(resolved: ResolvedModel, fn: Functions = FLOATS) -> Layout:
    """Choose the natural coordinates of a mechanism of the plane."""
    layout = Layout(bare=bare_points(resolved))
    leading = _pins(resolved)
    shared = _shared(resolved, leading)
    for name, body in resolved.bodies.items():
        layout.carriers[name] = _carrier(body, {p for p in body.points if leading[p] in shared}, fn)
    every = [e for carrier in layout.carriers.values() for e in carrier.elements] + list(layout.bare)
    leaders = {p: Element(GROUND, POINT, xy, p) for p, xy in resolved.ground.items()}
    for e in every:
        leaders.setdefault(e.name, e)
    layout.same = {e: leaders[leading.get(e.name, e.name)] for e in every}
    moving = {e for e in layout.same.values() if e.body != GROUND}
    made_up = [e.name for e in every if e.name not in leading]
    layout.order = tuple(e for p in (*resolved.start, *made_up) if (e := leaders.get(p)) in moving and e is not None)
    return layout


def _carrier(body: ResolvedBody, shared: set[str], fn: Functions) -> Carrier:
    """The points that joints share, at least two, and the two of them that are farthest apart."""
    local: dict[str, Vec] = dict(body.points)
    if body.particle:
        return Carrier(body.name, tuple(Element(body.name, POINT, xy, p) for p, xy in local.items()), (0,))
    at = {p: tuple(map(fn.value, xy)) for p, xy in local.items()}
    basic = [p for p in local if p in shared]
    rest = [p for p in local if p not in shared]
    while len(basic) < 2 and rest:
        # the first, or the point farthest from what is there already
        far = max(rest, key=lambda p: min(_gap(at[p], at[b]) for b in basic)) if basic else rest[0]
        basic.append(far)
        rest.remove(far)
    if not basic:
        local[f"{body.name}.o"] = (0, 0)
        basic.append(f"{body.name}.o")
    if len(basic) < 2:
        x, y = local[basic[0]]
        far = max(abs(fn.value(x)), abs(fn.value(y)))  # (beside which a metre may be less than rounding)
        local[f"{body.name}.e"] = (x + (1 if far < 1e9 else far), y)
        basic.append(f"{body.name}.e")
    order = list(local)
    basic.sort(key=order.index)
    at |= {p: tuple(map(fn.value, local[p])) for p in basic}
    # rounded, so that equal lengths leave the choice to the order of the points
    pair = max(combinations(range(len(basic)), 2), key=lambda ij: round(_gap(at[basic[ij[0]]], at[basic[ij[1]]]), 9))
    return Carrier(body.name, tuple(Element(body.name, POINT, local[p], p) for p in basic), pair)


def _gap(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return hypot(*(x - y for x, y in zip(a, b, strict=True)))


def _pins(resolved: ResolvedModel) -> Mapping[str, str]:
    """Of every point that which leads those that joints put together with it; ground points lead."""
    pinned = Groups((*resolved.ground, *resolved.start))
    problems = []
    for j in resolved.joints:
        if not joint_class(j.type, 2).pins or not j.places:
            continue
        p, q = j.places[0].point, j.places[1].point
        if p is None or q is None:
            continue
        a, b = pinned.leader(p), pinned.leader(q)
        if a == b:
            continue
        if a in resolved.ground and b in resolved.ground:
            problems.append(
                Problem(
                    f"joint {j.name!r} would pull two ground points together",
                    where=f"joints.{j.name}",
                    why=f"{a!r} and {b!r} are both fixed",
                    cure="remove one of the pins between these points",
                )
            )
            continue
        if b in resolved.ground:
            a, b = b, a
        pinned.join(a, b)
    if problems:
        raise ModelError(problems, title=f"model {resolved.name!r}")
    return {p: pinned.leader(p) for p in pinned}


def _shared(resolved: ResolvedModel, leading: Mapping[str, str]) -> set[str]:
    """Points that must carry variables: fixed ones, and those that belong to several bodies."""
    count: dict[str, set[str]] = {}
    for p, owners in resolved.owners.items():
        count.setdefault(leading[p], set()).update(owners)
    return {p for p, owners in count.items() if len(owners) > 1 or GROUND in owners}
