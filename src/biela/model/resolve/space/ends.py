"""Which two bodies a joint joins, and where in each of them it is."""

from __future__ import annotations

from ...joints.joint import SpaceJoint
from ...resolved import GROUND, Place, Vec
from ..lines import place
from ..naming import did_you_mean, listed
from . import vectors as v
from .context import TINY, SpaceContext

Ends = tuple[Place, Place]


def ends(
    ctx: SpaceContext, name: str, item: SpaceJoint, turning: tuple[bool, bool], anywhere: bool = False
) -> Ends | None:
    """The places of a joint in its two bodies. `turning`: whether it needs the axes of each.

    `anywhere`: it may leave out where it is; it is then at the origin of the second body.
    """
    pair = _bodies(ctx, name, item)
    if pair is None:
        return None
    where = f"joints.{name}"
    known = [ctx.body(body, f"{where}.bodies", axes) for body, axes in zip(pair, turning)]
    if pair[0] == pair[1]:
        what = f"joint {name!r} joins {ctx.called(pair[0])} to itself"
        ctx.problems.add(what, f"{where}.bodies", "", f"name two different bodies; one may be {GROUND!r}")
        return None
    return _places(ctx, name, item, pair, anywhere) if all(known) else None


def _bodies(ctx: SpaceContext, name: str, item: SpaceJoint) -> tuple[str, str] | None:
    """As given; or the two that own the point, or one each of the points, where the joint is."""
    if item.bodies is not None:
        return item.bodies
    where, at = f"joints.{name}", item.at
    what, cure = f"joint {name!r} does not say which bodies it joins", "add bodies = [i, j]; one may be 'ground'"
    if at is None or (len(at) == 3 and not isinstance(at, str)):
        ctx.problems.add(what, where, "", cure)
        return None
    names = (at,) if isinstance(at, str) else at
    found = [ctx.owners.get(str(point)) for point in names]
    for point, owners in zip(names, found):
        if owners is None:
            place(ctx, str(point), f"{where}.at")  # reports it
        elif len(owners) != 3 - len(names):
            why = f"point {point!r} belongs to {listed(owners)}"
            ctx.problems.add(what, where, why, cure)
            return None
    if None in found:
        return None
    both = [body for owners in found if owners for body in owners]
    return both[0], both[1]


def _places(ctx: SpaceContext, name: str, item: SpaceJoint, pair: tuple[str, str], anywhere: bool) -> Ends | None:
    where, at = f"joints.{name}.at", item.at
    if at is None:
        shared = [p for p, owners in ctx.owners.items() if set(pair) <= set(owners)]
        if anywhere and len(shared) != 1:
            return _both(ctx, pair, ctx.origin(pair[1]))
        if len(shared) == 1:
            return _named(ctx, shared[0], pair, where)
        what = f"joint {name!r} does not say where it is"
        told = f"share the points {listed(shared)}" if shared else "share no point"
        why = f"{ctx.called(pair[0])} and {ctx.called(pair[1])} {told}"
        cure = "add at = a point of both, [a point of the first, a point of the second], or [x, y, z]"
        ctx.problems.add(what, f"joints.{name}", why, cure)
        return None
    if isinstance(at, str):
        return _named(ctx, at, pair, where)
    if len(at) == 2:
        found = [place(ctx, str(point), where, body) for point, body in zip(at, pair)]
        return (found[0], found[1]) if found[0] and found[1] else None
    return _both(ctx, pair, ctx.triple(at, where))


def _named(ctx: SpaceContext, point: str, pair: tuple[str, str], where: str) -> Ends | None:
    """At a point of both bodies; or of one, or of none (a mark in space), and where that point starts in the other."""
    owners = ctx.owners.get(point)
    mine = [body for body in pair if owners and body in owners]
    if owners is None or (owners and not mine):
        if owners is None:
            ctx.problems.add(f"there is no point {point!r}", where, "", did_you_mean(point, ctx.owners, "points"))
        else:
            what = f"point {point!r} belongs to neither {ctx.called(pair[0])} nor {ctx.called(pair[1])}"
            cure = "name a point of one of them, or give at = [x, y, z]"
            ctx.problems.add(what, where, f"it belongs to {listed(owners)}", cure)
        return None
    ctx.marks.add(point)
    home = place(ctx, point, where, mine[0]) if mine else None
    start = ctx.at_start(home) if home else ctx.position(point)
    if len(mine) == 2:
        second = place(ctx, point, where, pair[1])
        return (home, second) if home and second else None
    return _both(ctx, pair, start, home)


def _both(ctx: SpaceContext, pair: tuple[str, str], start: Vec, known: Place | None = None) -> Ends:
    """Where a position of the ground is in both bodies; a shared point that is there gives it its name."""
    found: list[Place] = []
    for body in pair:
        if known and known.body == body:
            found.append(known)
        elif body != GROUND and ctx.bodies[body].particle:
            point, xyz = next(iter(ctx.bodies[body].points.items()))
            found.append(Place(body, xyz, point))
        else:
            found.append(Place(body, ctx.local(body, start)))
    for point, owners in ctx.owners.items():
        if set(pair) <= set(owners):
            here = [ctx.place_in(point, body) for body in pair]
            if all(_close(ctx, a.local, b.local) for a, b in zip(here, found)):
                return here[0], here[1]
    return found[0], found[1]


def _close(ctx: SpaceContext, a: Vec, b: Vec) -> bool:
    apart, size = ctx.scalars.vector(v.sub(a, b)), ctx.scalars.vector(a)
    return max(map(abs, apart)) <= TINY * max(map(abs, size), default=0.0) + 1e-14
