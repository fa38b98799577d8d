"""Relative coordinates in space that the user declares, and directions of bodies by name."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from ... import items as it
from ... import space_coordinates as sc
from ...resolved import GROUND, Direction, Place, ResolvedCoordinate, ResolvedLine, Vec
from ..coordinates import measured, measured_pair, moves
from ..lines import place
from ..naming import did_you_mean, listed
from . import vectors as v
from .context import TINY, SpaceContext
from .frames import COORDINATE_AXES, one_of


class Line(NamedTuple):
    """A unit vector of a body, and a place the line passes through."""

    body: str
    vector: Vec
    through: Place


def resolve_coordinates(ctx: SpaceContext) -> None:
    """Add the declared coordinates to those of the joints."""
    for name, item in ctx.items.coordinates.items():
        where = f"coordinates.{name}"
        if isinstance(item, it.DistanceCoordinate):
            pair = measured_pair(ctx, name, item.points, where, item.on)
            found = ResolvedCoordinate(name, "distance", places=pair) if pair else None
        elif item.joint is not None:
            found = _of_joint(ctx, name, item, where)
        elif isinstance(item, sc.SpaceAngleCoordinate):
            found = _angle(ctx, name, item, where)
        else:
            found = _position(ctx, name, item, where)
        if found is not None:
            ctx.coordinates[name] = found


def _of_joint(
    ctx: SpaceContext, name: str, item: sc.SpaceAngleCoordinate | sc.SpacePositionCoordinate, where: str
) -> ResolvedCoordinate | None:
    """Another name for a joint's own coordinate."""
    others = item.model_fields_set - {"type", "joint"}
    if others:
        what = f"coordinate {name!r} is that of a joint, and something else"
        ctx.problems.add(what, where, f"it gives joint and {listed(sorted(others))}", "give one or the other")
        return None
    own = {c.name: c for c in ctx.coordinates.values() if c.joint is not None and c.type == item.type}
    text = item.joint or ""
    found = [text] if text in own else [c.name for c in own.values() if c.joint == text]
    if len(found) == 1:
        return replace(own[found[0]], name=name)
    if text in ctx.refused or text.rpartition(".")[0] in ctx.refused:
        return None
    if found:
        what, cure = f"joint {text!r} has several of type {item.type!r}", f"name one of them: {listed(found)}"
    elif text in ctx.model.joints:
        what = f"joint {text!r} has no {item.type} of its own"
        kind = getattr(ctx.model.joints[text], "type", "")
        cure = f"it is of type {kind!r}; joints that have: {listed(c for c in own)}"
        if text not in ctx.joints:
            return None  # reported already
    else:
        what, cure = f"there is no joint {text!r}", did_you_mean(text, ctx.model.joints, "joints")
    ctx.problems.add(what, f"{where}.joint", "", cure)
    return None


def _angle(ctx: SpaceContext, name: str, item: sc.SpaceAngleCoordinate, where: str) -> ResolvedCoordinate | None:
    missing = [key for key in ("of", "relative_to", "about") if getattr(item, key) is None]
    if missing:
        what = f"coordinate {name!r} lacks {listed(missing)}"
        cure = "an angle in space is that `of` a direction, `relative_to` another, `about` an axis; or give joint = J"
        ctx.problems.add(what, where, "", cure)
        return None
    assert item.of is not None and item.relative_to is not None and item.about is not None
    arm, base = directed(ctx, item.of, f"{where}.of"), directed(ctx, item.relative_to, f"{where}.relative_to")
    about = one_of(ctx, item.about, base.body, f"{where}.about", f"coordinate {name!r}") if base else None
    if arm is None or base is None or about is None or not moves(ctx, name, where, {arm.body} & {base.body}, "lines"):
        return None
    across = v.across(base.vector, about)
    axis = v.to_ground(ctx.rotation(base.body), about)
    shown = v.across(v.to_ground(ctx.rotation(arm.body), arm.vector), axis)
    for vector, key in ((across, "relative_to"), (shown, "of")):
        if ctx.scalars.value(ctx.scalars.length(vector)) < TINY:
            what = f"coordinate {name!r} has no angle: `{key}` lies along the axis `about`"
            ctx.problems.add(what, f"{where}.{key}", "seen along it, it has no direction", "give one across the axis")
            return None
    u = ctx.unit(across) or across
    one = ctx.scalars.exact(1.0)
    vectors = (base.body, u), (base.body, v.cross(about, u)), (arm.body, arm.vector)
    lines = tuple(ResolvedLine(Direction(body, vector), one, None) for body, vector in vectors)
    return ResolvedCoordinate(name, "angle", lines=lines)


def _position(ctx: SpaceContext, name: str, item: sc.SpacePositionCoordinate, where: str) -> ResolvedCoordinate | None:
    if item.point is None or item.along is None:
        what = f"coordinate {name!r} lacks {'point' if item.point is None else 'along'}"
        cure = "give point = P and along = {body, direction, through}, or [A, B]; or give joint = J"
        ctx.problems.add(what, where, "", cure)
        return None
    point, line = measured(ctx, name, item.point, where, item.on), directed(ctx, item.along, f"{where}.along")
    if point is None or line is None:
        return None
    if not moves(ctx, name, where, {line.body} & set(ctx.owners[item.point]), "the point and the line"):
        return None
    lines = (ResolvedLine(Direction(line.body, line.vector), ctx.scalars.exact(1.0), line.through),)
    return ResolvedCoordinate(name, "position", places=(point,), lines=lines)


def directed(ctx: SpaceContext, item: sc.Directed, where: str) -> Line | None:
    """A line of a body: through two of its points, by the name of a direction, or by its components."""
    if isinstance(item, sc.SpaceLine):
        if not ctx.body(item.body, f"{where}.body"):
            return None
        vector = one_of(ctx, item.direction, item.body, f"{where}.direction", "a line")
        through: Place | None = Place(item.body, ctx.zero())
        if item.through is not None:
            through = place(ctx, item.through, f"{where}.through", item.body)
        return Line(item.body, vector, through) if vector and through else None
    if isinstance(item, str):
        body, _, direction = item.rpartition(".")
        if body != GROUND and body not in ctx.bodies:
            known = [f"{b}.{u}" for b, body in ctx.bodies.items() for u in body.directions]
            known += [f"{GROUND}.{u}" for u in COORDINATE_AXES]
            ctx.problems.add(f"there is no direction {item!r}", where, "", did_you_mean(item, known, "directions"))
            return None
        vector = one_of(ctx, direction, body, where, "a line") if ctx.body(body, where) else None
        return Line(body, vector, Place(body, ctx.zero())) if vector else None
    a, b = item
    if place(ctx, a, where) is None or place(ctx, b, where) is None:
        return None
    homes = [body for body in ctx.rigid_owners(a) if body in ctx.rigid_owners(b)]
    if not homes or a == b:
        why = f"{a!r} belongs to {listed(ctx.owners[a])}, {b!r} to {listed(ctx.owners[b])}"
        what = f"{a!r} and {b!r} are not two points of one body"
        ctx.problems.add(what, where, why, "name two points of one body")
        return None
    start, end = ctx.place_in(a, homes[0]), ctx.place_in(b, homes[0])
    vector = ctx.unit(v.sub(end.local, start.local))
    if vector is None:
        what = f"the line {a!r} - {b!r} has no length"
        ctx.problems.add(what, where, "the two points are in one place", "name two points that are apart")
        return None
    return Line(homes[0], vector, start)
