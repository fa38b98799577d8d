"""Relative coordinates, the drivers that prescribe them, and their values at the start."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .. import items as it
from .. import vectors as v
from ..interpolation import OF_DRIVERS
from ..resolved import GROUND, Direction, Number, Place, ResolvedCoordinate, ResolvedDriver, ResolvedLine
from .bearers import borne, borne_pair, tell_shared
from .context import TINY, Context
from .laws import law, with_scale
from .naming import did_you_mean, listed
from .places import direction, line, place

KINDS = {"distance": "length", "position": "length", "angle": "angle"}
RATES = {"length": "velocity", "angle": "angular velocity"}
Target = ResolvedCoordinate | tuple[Place, int]
"""A relative coordinate, or a component of a point"""


def resolve_coordinates(ctx: Context) -> None:
    """Fill the context's coordinates with those the user declares."""
    for name, item in ctx.items.coordinates.items():
        where = f"coordinates.{name}"
        if isinstance(item, it.DistanceCoordinate):
            pair = measured_pair(ctx, name, item.points, where, item.on)
            found = ResolvedCoordinate(name, "distance", places=pair) if pair else None
        elif getattr(item, "joint", None) is not None:
            found = _of_joint(ctx, name, item, where)
        elif isinstance(item, it.SpaceAngleCoordinate):
            found = _angle_in_space(ctx, name, item, where)
        elif isinstance(item, it.AngleCoordinate):
            found = _angle(ctx, name, item, where)
        else:
            found = _position(ctx, name, item, where)
        if found is not None:
            ctx.coordinates[name] = found


def _angle(ctx: Context, name: str, item: it.AngleCoordinate, where: str) -> ResolvedCoordinate | None:
    base = line(ctx, item.relative_to, f"{where}.relative_to")
    arm = line(ctx, item.of, f"{where}.of")
    if not base or not arm or not _moves(ctx, name, where, base.bodies & arm.bodies, "lines"):
        return None
    return ResolvedCoordinate(name, "angle", lines=(base, arm))


def _angle_in_space(
    ctx: Context, name: str, item: it.SpaceAngleCoordinate, where: str
) -> ResolvedCoordinate | None:
    """The angle of a direction, seen along an axis, in the directions u and v across it."""
    missing = [key for key in ("of", "relative_to", "about") if getattr(item, key) is None]
    if missing:
        what = f"coordinate {name!r} lacks {listed(missing)}"
        cure = "an angle in space is that `of` a direction, `relative_to` another, `about` an axis; or give joint = J"
        ctx.problems.add(what, where, "", cure)
        return None
    assert item.of is not None and item.relative_to is not None and item.about is not None
    found = line(ctx, item.of, f"{where}.of"), line(ctx, item.relative_to, f"{where}.relative_to")
    arm, base = (one.vector if one is not None else None for one in found)
    user = f"coordinate {name!r}"
    about = direction(ctx, item.about, base.body, f"{where}.about", user) if isinstance(base, Direction) else None
    if not isinstance(arm, Direction) or not isinstance(base, Direction) or about is None:
        return None
    if not _moves(ctx, name, where, {arm.body} & {base.body}, "lines"):
        return None
    across = v.across(base.local, about)
    shown = v.across(ctx.pose(arm.body).turn(arm.local), ctx.pose(base.body).turn(about))
    for vector, key in ((across, "relative_to"), (shown, "of")):
        if ctx.size(vector) < TINY:
            what = f"coordinate {name!r} has no angle: `{key}` lies along the axis `about`"
            ctx.problems.add(what, f"{where}.{key}", "seen along it, it has no direction", "give one across the axis")
            return None
    u = ctx.unit(across) or across
    vectors = Direction(base.body, u), Direction(base.body, v.cross(about, u)), arm
    one = ctx.scalars.exact(1.0)
    return ResolvedCoordinate(name, "angle", lines=tuple(ResolvedLine(vector, one, None) for vector in vectors))


def _position(
    ctx: Context, name: str, item: it.PositionCoordinate | it.SpacePositionCoordinate, where: str
) -> ResolvedCoordinate | None:
    if item.point is None or item.along is None:
        what = f"coordinate {name!r} lacks {'point' if item.point is None else 'along'}"
        cure = "give point = P and along = {body, direction, through}, or [A, B]; or give joint = J"
        ctx.problems.add(what, where, "", cure)
        return None
    point = measured(ctx, name, item.point, where, item.on)
    along = line(ctx, item.along, f"{where}.along", needs_start=True)
    if point is None or along is None:
        return None
    shared = along.bodies & set(ctx.rigid_owners(item.point))
    if not _moves(ctx, name, where, shared, "the point and the line"):
        return None
    return ResolvedCoordinate(name, "position", places=(point,), lines=(along,))


def _of_joint(
    ctx: Context, name: str, item: it.SpaceAngleCoordinate | it.SpacePositionCoordinate, where: str
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


def measured(ctx: Context, name: str, point: str, where: str, on: str | None) -> Place | None:
    """The place of a coordinate's point; whose body it is matters only if something acts through the coordinate."""
    if on is None and point in ctx.shared:
        ctx.unsure.setdefault(name, (point, where))
        return place(ctx, point, f"{where}.point", ctx.shared[point])
    return borne(ctx, point, where, f"coordinate {name!r}", on)


def measured_pair(
    ctx: Context, name: str, points: tuple[str, str], where: str, on: it.Bearers | None
) -> tuple[Place, Place] | None:
    """The same for the two points of a distance."""
    said = len(ctx.doubts)
    pair = borne_pair(ctx, points, where, f"coordinate {name!r}", on)
    if len(ctx.doubts) > said:
        ctx.unsure.setdefault(name, (next(p for p in points if p in ctx.shared), where))
        del ctx.doubts[said:]
    return pair


def _moves(ctx: Context, name: str, where: str, shared: set[str], what: str) -> bool:
    """Whether a coordinate can change: not if what it is measured between belongs to one body."""
    if shared:
        why = f"{what} belong to one body: {sorted(shared)[0]!r}"
        ctx.problems.add(f"coordinate {name!r} never changes", where, why, "measure between different bodies")
    return not shared


def target(ctx: Context, text: str, where: str, user: str) -> Target | None:
    """What "phi", "P.x" or "crank.angle" speaks of. `user`: what for, in words."""
    if text in ctx.coordinates:
        return ctx.coordinates[text]
    if text in ctx.model.coordinates:
        return None  # declared, and reported already
    owner, _, part = text.rpartition(".")
    if owner in ctx.refused:
        return None  # the coordinate of a joint that has been reported
    if owner in ctx.model.bodies and part == "angle" and not ctx.in_space:
        return body_angle(ctx, owner, where)
    if owner in ctx.owners and part in tuple(ctx.axes):
        if owner in ctx.ground:
            what = f"{text!r} cannot be {user}: point {owner!r} is fixed to the ground"
            ctx.problems.add(what, where, "", "name a moving point or a coordinate")
            return None
        found = place(ctx, owner, where, ctx.bearers.get(owner))
        return (found, ctx.axes.index(part)) if found else None
    cure = did_you_mean(text, names_of(ctx, ctx.start), "coordinates") + "; or declare one in [coordinates]"
    ctx.problems.add(f"there is no coordinate {text!r}", where, "", cure)
    return None


def body_angle(ctx: Context, body: str, where: str) -> ResolvedCoordinate | None:
    """The angle of a body's own x axis, declared when something first speaks of it."""
    if not ctx.body(body, where, ground=False):
        return None
    name, axes = f"{body}.angle", (ctx.x_axis(GROUND), ctx.x_axis(body))
    return ctx.coordinates.setdefault(name, ResolvedCoordinate(name, "angle", lines=axes))


def names_of(ctx: Context, points: Iterable[str], directions: Iterable[str] = ()) -> list[str]:
    """Names that formulas and drivers may speak of: coordinates, components of points, angles of bodies."""
    angles = [] if ctx.in_space else [f"{name}.angle" for name, body in ctx.bodies.items() if not body.particle]
    return [*ctx.coordinates, *(f"{p}.{axis}" for p in points for axis in ctx.axes), *directions, *angles]


def resolve_drivers(ctx: Context) -> tuple[ResolvedDriver, ...]:
    """The drivers; the coordinates they prescribe become part of the equations."""
    drivers: list[ResolvedDriver] = []
    first: dict[str, str] = {}
    for name, item in ctx.model.drivers.items():
        where = f"drivers.{name}"
        found = target(ctx, item.coordinate, f"{where}.coordinate", "driven")
        kind = KINDS[found.type] if isinstance(found, ResolvedCoordinate) else "length"
        motion = law(ctx, item.law, f"{where}.law", kind, ("t",), OF_DRIVERS)
        motion = with_scale(ctx, [motion], item.scale, f"{where}.scale")[0]
        if item.coordinate in first:
            what = f"drivers {first[item.coordinate]!r} and {name!r} both drive {item.coordinate!r}"
            ctx.problems.add(what, where, "one coordinate can follow one law only", "remove one of them")
        first.setdefault(item.coordinate, name)
        if isinstance(found, ResolvedCoordinate):
            ctx.acted_on.add(found.name)
            drivers.append(ResolvedDriver(name, found.name, motion))
            if item.on is not None:
                what = f"driver {name!r} cannot choose the body of {item.coordinate!r}"
                cure = "leave `on` out; it is for a point's coordinate, such as 'P.x'"
                ctx.problems.add(what, f"{where}.on", f"{item.coordinate!r} is a coordinate between bodies", cure)
        elif found is not None:
            point = item.coordinate.rpartition(".")[0]
            borne_at = borne(ctx, point, where, f"driver {name!r}", item.on)
            if borne_at is not None:
                drivers.append(ResolvedDriver(name, item.coordinate, motion, place=borne_at, axis=found[1]))
    return tuple(drivers)


def resolve_initial(ctx: Context) -> tuple[dict[str, Number], dict[str, Number]]:
    """Positions and rates at t = 0."""
    results: list[dict[str, Number]] = []
    for table, given in (("position", ctx.model.initial.position), ("velocity", ctx.model.initial.velocity)):
        values: dict[str, Number] = {}
        for key, value in given.items():
            where = f"initial.{table}.{key}"
            body, _, part = key.rpartition(".")
            if ctx.in_space and table == "velocity" and body in ctx.model.bodies and part in ("wx", "wy", "wz"):
                number = ctx.scalars.read(value, where, "angular velocity")  # in the body's own axes
                if ctx.body(body, where):
                    values[key] = number
                continue
            found = target(ctx, key, where, "given a value at the start")
            kind = KINDS[found.type] if isinstance(found, ResolvedCoordinate) else "length"
            number = ctx.scalars.read(value, where, kind if table == "position" else RATES[kind])
            if found is not None:
                values[key] = number
                _check_start(ctx, found, table, number, where)
        results.append(values)
    return results[0], results[1]


def _check_start(ctx: Context, found: Target, table: str, number: Number, where: str) -> None:
    if table == "position" and isinstance(found, ResolvedCoordinate) and found.type == "distance":
        value = ctx.scalars.value(number)
        if value < 0:
            what = f"the distance {found.name!r} cannot start at {value:g} m"
            cure = "give a distance >= 0, or use a coordinate of type 'position', which has a sign"
            ctx.problems.add(what, where, "a distance has no sign", cure)


def mark_needed(ctx: Context) -> None:
    """Tell the coordinates that forces and drivers act through from those only measured."""
    for name in ctx.unsure:
        if name in ctx.acted_on:
            point, where = ctx.unsure[name]
            tell_shared(ctx, point, f"what works through coordinate {name!r}", where)
    for name in ctx.acted_on & ctx.coordinates.keys():
        ctx.coordinates[name] = replace(ctx.coordinates[name], needed=True)
