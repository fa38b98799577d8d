"""Natural coordinates, the decisions: which points carry variables, and which pair of them carries each body.

Decisions compare lengths, so they are taken on numbers; the equations may then be written in symbols.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import hypot

from ...errors import ModelError, Problem
from ...model.groups import Groups
from ...model.joints import joint_class
from ...model.resolved import GROUND, ResolvedModel


@dataclass(frozen=True)
class Carrier:
    """How natural coordinates carry a body: its basic points, and the two of them that span its plane."""

    body: str
    basic: tuple[str, ...]
    pair: tuple[int, int]
    """positions in `basic`; (0, 0) for a point mass"""


@dataclass(frozen=True)
class Layout:
    """Basic points of every body, which points are one (pins), which are fixed, and their order."""

    carriers: dict[str, Carrier]
    same: dict[str, str]
    """point -> the point whose variables it uses"""
    fixed: frozenset[str]
    order: tuple[str, ...]
    """moving points with variables, in order"""
    virtual: dict[str, tuple[str, tuple[float, float]]]
    """points made up to give a body a second point: name -> (body, local)"""
    rigid_extra: dict[str, tuple[int, ...]]
    """body -> positions of basic points beyond the pair, tied by linear rows"""


def lay_out(resolved: ResolvedModel) -> Layout:
    """Choose the natural coordinates of a mechanism (numbers, not symbols)."""
    same = _pins(resolved)
    shared = _shared(resolved, same)
    carriers: dict[str, Carrier] = {}
    virtual: dict[str, tuple[str, tuple[float, float]]] = {}
    for name, body in resolved.bodies.items():
        if body.particle:
            carriers[name] = Carrier(name, tuple(body.points), (0, 0))
            continue
        local = dict(body.points)
        basic = [p for p in local if same[p] in shared]
        rest = [p for p in local if p not in basic]
        while len(basic) < 2 and rest:
            # the point farthest from what is there already
            far = max(rest, key=lambda p: min([_gap(local[p], local[b]) for b in basic], default=0.0))
            if not basic:
                far = rest[0]
            basic.append(far)
            rest.remove(far)
        if len(basic) < 2:
            origin = local[basic[0]] if basic else (0.0, 0.0)
            if not basic:
                virtual[f"{name}.o"] = (name, origin)
                basic.append(f"{name}.o")
                local[f"{name}.o"] = origin
            far = max(abs(origin[0]), abs(origin[1]))  # (beside which a metre may be less than rounding)
            end = (origin[0] + (1.0 if far < 1e9 else far), origin[1])
            virtual[f"{name}.e"] = (name, end)
            local[f"{name}.e"] = end
            basic.append(f"{name}.e")
        basic.sort(key=list(local).index)
        pair = max(combinations(range(len(basic)), 2), key=lambda ij: _reach(local, basic, ij))
        carriers[name] = Carrier(name, tuple(basic), pair)
    for p in virtual:
        same[p] = p
    fixed = frozenset(p for p in same if same[p] in resolved.ground)
    used = {same[p] for c in carriers.values() for p in c.basic}
    used |= {same[p] for p in resolved.start if not resolved.owners.get(p) and p not in virtual}
    declared = [p for p in (*resolved.start, *virtual) if same[p] == p]
    order = tuple(p for p in declared if p in used and p not in fixed)
    extra = {
        n: tuple(i for i in range(len(c.basic)) if i not in c.pair)
        for n, c in carriers.items()
        if not resolved.bodies[n].particle
    }
    return Layout(carriers, same, fixed, order, virtual, extra)


def _pins(resolved: ResolvedModel) -> dict[str, str]:
    """Union of the points that joints put together; ground points lead."""
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


def _shared(resolved: ResolvedModel, same: dict[str, str]) -> set[str]:
    """Points that must carry variables: fixed ones, and those that belong to several bodies."""
    count: dict[str, set[str]] = {}
    for p, owners in resolved.owners.items():
        count.setdefault(same[p], set()).update(owners)
    return {p for p, owners in count.items() if len(owners) > 1 or GROUND in owners}


def _gap(a: tuple, b: tuple) -> float:
    return hypot(float(a[0]) - float(b[0]), float(a[1]) - float(b[1]))


def _reach(local: dict, basic: list[str], ij: tuple[int, int]) -> float:
    """Length of a pair; rounded, so that equal lengths leave the choice to the order of the points."""
    return round(_gap(local[basic[ij[0]]], local[basic[ij[1]]]), 9)
