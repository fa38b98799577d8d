"""Relative coordinates, the drivers that prescribe them, and their values at the start."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, cast

from .. import items as it
from ..interpolation import OF_DRIVERS
from ..resolved import GROUND, Direction, Number, Place, ResolvedCoordinate, ResolvedDriver, ResolvedLine
from .bearers import borne, borne_pair, tell_shared
from .context import Context
from .laws import law, with_scale
from .lines import line, place, start_vector
from .naming import did_you_mean

KINDS = {"distance": "length", "position": "length", "angle": "angle"}
RATES = {"length": "velocity", "angle": "angular velocity"}
Target = ResolvedCoordinate | tuple[Place, int]
"""A relative coordinate, or a component of a point"""


def resolve_coordinates(ctx: Context) -> None:
    """Fill the context's coordinates with those the user declares."""
    for name, item in ctx.model.coordinates.items():
        where = f"coordinates.{name}"
        if isinstance(item, it.DistanceCoordinate):
            pair = measured_pair(ctx, name, item.points, where, item.on)
            if pair:
                ctx.coordinates[name] = ResolvedCoordinate(name, "distance", places=pair)
            continue
        if isinstance(item, it.AngleCoordinate):
            base = line(ctx, item.relative_to, f"{where}.relative_to")
            arm = line(ctx, item.of, f"{where}.of")
            if base and arm and moves(ctx, name, where, base.bodies & arm.bodies, "lines"):
                ctx.coordinates[name] = ResolvedCoordinate(name, "angle", lines=(base, arm))
            continue
        point = measured(ctx, name, item.point, where, item.on)
        along = line(ctx, item.along, f"{where}.along", needs_start=True)
        if point and along:
            shared = along.bodies & set(ctx.rigid_owners(item.point))
            if moves(ctx, name, where, shared, "the point and the line"):
                ctx.coordinates[name] = ResolvedCoordinate(name, "position", places=(point,), lines=(along,))


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


def moves(ctx: Context, name: str, where: str, shared: set[str], what: str) -> bool:
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
    known = [*ctx.coordinates, *(f"{p}.{c}" for p in ctx.start for c in ctx.axes)]
    if not ctx.in_space:
        known += [f"{name}.angle" for name, body in ctx.bodies.items() if not body.particle]
    cure = did_you_mean(text, known, "coordinates") + "; or declare one in [coordinates]"
    ctx.problems.add(f"there is no coordinate {text!r}", where, "", cure)
    return None


def body_angle(ctx: Context, body: str, where: str) -> ResolvedCoordinate | None:
    """The angle of a body's own x axis, declared when something first speaks of it."""
    if not ctx.body(body, where, ground=False):
        return None
    one, zero = ctx.scalars.exact(1.0), ctx.scalars.exact(0.0)
    axes = tuple(ResolvedLine(Direction(b, (one, zero)), one, None) for b in (GROUND, body))
    name = f"{body}.angle"
    return ctx.coordinates.setdefault(name, ResolvedCoordinate(name, "angle", lines=axes))


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


class _InSpace(Protocol):
    """What a context of space knows, and one of the plane need not."""

    def value_at_start(self, coordinate: ResolvedCoordinate) -> Number | None: ...


def start_value(ctx: Context, coordinate: ResolvedCoordinate) -> Number | None:
    """The value a coordinate has with everything at its starting position."""
    if ctx.in_space:
        return cast(_InSpace, ctx).value_at_start(coordinate)
    if coordinate.type == "distance":
        a, b = (_position(ctx, p) for p in coordinate.places)
        return ctx.scalars.length((b[0] - a[0], b[1] - a[1]))
    if coordinate.type == "angle":
        u, v = (start_vector(ctx, one) for one in coordinate.lines)
        if u is None or v is None:
            return None
        return ctx.scalars.angle(u[0] * v[0] + u[1] * v[1], u[0] * v[1] - u[1] * v[0])
    along = coordinate.lines[0]
    vector = start_vector(ctx, along)
    if vector is None or along.through is None:
        return None
    p, o = _position(ctx, coordinate.places[0]), _position(ctx, along.through)
    return ((p[0] - o[0]) * vector[0] + (p[1] - o[1]) * vector[1]) / ctx.scalars.length(vector)


def _position(ctx: Context, where: Place) -> tuple[Number, Number]:
    assert where.point is not None  # every place comes from a named point
    return ctx.position(where.point)
