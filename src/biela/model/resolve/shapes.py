"""Bodies: from bars, plates, discs, ... to points in the body's own axes, mass, centre and inertia."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import log10

from .. import items as it
from ..resolved import Number, ResolvedBody, Vec
from .context import Context
from .naming import did_you_mean, listed
from .scalars import NAN

COINCIDENT = 1e-12  # of the body's size
FARTHEST = 1e9  # times its own size that a body may lie from the origin of its axes
MANY = 300  # points of a body that are all compared in pairs


@dataclass
class Draft:
    """A body whose shape may still be unknown, because it follows from starting positions."""

    name: str
    item: it.AnyBody
    names: list[str]
    local: dict[str, Vec] | None = None
    sound: bool = True
    """False once a mistake in its points has been reported: then it is left out of what follows from them"""


def draft(ctx: Context, name: str, item: it.AnyBody, declared: set[str]) -> Draft:
    """A body's points, checked, with their local coordinates if it states them."""
    where = f"bodies.{name}"
    if isinstance(item, it.PointMass):
        zero = ctx.scalars.exact(0.0)
        result = Draft(name, item, [item.point], {item.point: (zero, zero)})
    elif isinstance(item.points, dict):
        local = {p: ctx.scalars.pair(xy, f"{where}.points.{p}") for p, xy in item.points.items()}
        return Draft(name, item, list(local), local, bool(local) or _no_points(ctx, where))
    else:
        result = Draft(name, item, list(item.points))
        result.sound = bool(result.names) or _no_points(ctx, where)
        if isinstance(item, it.Plate | it.Disc) and result.names:
            what = f"{item.type} {name!r} gives no coordinates of its points"
            cure = f"give points = {{ {result.names[0]} = [x, y], ... }} in its own axes"
            ctx.problems.add(what, f"{where}.points", "", cure)
            result.sound = False
        length = getattr(item, "length", None)
        if length is not None:
            zero, end = ctx.scalars.exact(0.0), ctx.scalars.read(length, f"{where}.length", "length")
            result.local = {item.points[0]: (zero, zero), item.points[1]: (end, zero)}
    for point in result.names:
        if point not in declared:
            cure = did_you_mean(point, sorted(declared), "points")
            ctx.problems.add(f"there is no point {point!r}", where, f"body {name!r} needs it", cure)
            result.sound = False
    if len(set(result.names)) < len(result.names):
        twice = next(p for p in result.names if result.names.count(p) > 1)
        what = f"body {name!r} names the point {twice!r} twice"
        ctx.problems.add(what, f"{where}.points", "", "give each point once")
        result.sound = False
    return result


def _no_points(ctx: Context, where: str) -> bool:
    what = f"body {where.split('.')[1]!r} has no points"
    ctx.problems.add(what, f"{where}.points", "", "name at least one point of it")
    return False


def shape_from_start(ctx: Context, names: list[str], known: dict[str, Vec]) -> dict[str, Vec]:
    """Local coordinates from starting positions: origin in the first point, x through the second."""
    zero, (x0, y0) = ctx.scalars.exact(0.0), known[names[0]]
    local: dict[str, Vec] = {names[0]: (zero, zero)}
    if len(names) == 1:
        return local
    dx, dy = known[names[1]][0] - x0, known[names[1]][1] - y0
    length = ctx.scalars.length((dx, dy))
    if ctx.scalars.value(length) == 0.0:
        return {name: (zero, zero) for name in names}  # reported by `check_points`
    local[names[1]] = (length, zero)
    for name in names[2:]:
        x, y = known[name][0] - x0, known[name][1] - y0
        local[name] = ((x * dx + y * dy) / length, (y * dx - x * dy) / length)
    return local


def check_points(ctx: Context, body: Draft) -> None:
    """Report points of one body that lie in one place, in the body or at the start."""
    if body.local is None or not body.sound or len(body.names) < 2:
        return
    where = f"bodies.{body.name}"
    local = {name: ctx.scalars.vector(xy) for name, xy in body.local.items()}
    x0, y0 = local[body.names[0]]
    size = max(abs(x - x0) + abs(y - y0) for x, y in local.values())
    length = getattr(body.item, "length", None)
    if length is not None:
        end = local[body.names[1]][0]
        if end <= 0.0:
            why = f"length = {length} gives {end:g} m"
            what = f"{body.item.type} {body.name!r} needs a length above zero"
            cure = "give a positive length, or leave it out to take it from the starting positions"
            ctx.problems.add(what, f"{where}.length", why, cure)
            return
    for a, b in combinations(body.names[:MANY], 2):
        (xa, ya), (xb, yb) = local[a], local[b]
        if abs(xa - xb) + abs(ya - yb) <= COINCIDENT * size:
            what = f"the points {a!r} and {b!r} of {body.item.type} {body.name!r} coincide"
            why = "between them the body has no length, so nothing says how it is turned"
            ctx.problems.add(what, where, why, "move one of them, or use one point for both")
            return
    starts = [ctx.scalars.vector(ctx.position(p)) for p in body.names if p in ctx.start or p in ctx.ground]
    spread = max((abs(x - starts[0][0]) + abs(y - starts[0][1]) for x, y in starts), default=0.0)
    if spread <= 1e-9 * size and len(starts) > 1:
        what = f"the points {listed(body.names)} of {body.item.type} {body.name!r} start in one place"
        why = f"all at ({starts[0][0]:g}, {starts[0][1]:g}), so nothing says how the body is turned"
        ctx.problems.add(what, where, why, "give them roughly the positions they start from")


def check_digits(ctx: Context) -> None:
    """Report bodies so far from the origin of their own axes that little is left of their dimensions: numbers have
    sixteen digits."""
    for name, body in ctx.bodies.items():
        places = [ctx.scalars.vector(xy) for xy in body.points.values()]
        if ctx.scalars.value(body.mass) > 0 and not body.particle:
            places.append(ctx.scalars.vector(body.center))
        far = max((abs(x) for place in places for x in place), default=0.0)
        near = max((abs(x - o) for place in places for x, o in zip(place, places[0], strict=True)), default=0.0) or 1.0
        if not body.particle and far > FARTHEST * near:
            what = f"{name!r} lies {far:.2g} m from the origin of its own axes, and is {near:.2g} m large"
            why = f"of its dimensions {max(0, int(15.5 - log10(far / near)))} digits are left"
            ctx.problems.add(what, f"bodies.{name}", why, "put the origin of its axes near its points")


def resolved(ctx: Context, body: Draft) -> ResolvedBody:
    """The finished body: mass, centre and inertia."""
    item, where, read = body.item, f"bodies.{body.name}", ctx.scalars.read
    zero = ctx.scalars.exact(0.0)
    local = body.local if body.local is not None else dict.fromkeys(body.names, (NAN, NAN))
    points = {name: local[name] for name in body.names}
    if isinstance(item, it.Rod):
        return ResolvedBody(body.name, "rod", points, zero, (zero, zero), zero)
    mass = read(item.mass, f"{where}.mass", "mass")
    _check_mass(ctx, body, mass)
    if isinstance(item, it.PointMass):
        return ResolvedBody(body.name, "mass", points, mass, (zero, zero), zero, particle=True)
    if isinstance(item, it.Bar):
        length = points[body.names[-1]][0]
        center = ctx.scalars.pair(item.center, f"{where}.center") if item.center else (length / 2, zero)
        inertia = mass * length**2 / 12 if item.inertia is None else _inertia(ctx, item.inertia, where)
        return ResolvedBody(body.name, "bar", points, mass, center, inertia)
    if isinstance(item, it.Plate):
        width, height = (_size(ctx, body, getattr(item, side), side) for side in ("width", "height"))
        inertia = mass * (width**2 + height**2) / 12
        return ResolvedBody(body.name, "plate", points, mass, _center(ctx, item, where), inertia)
    if isinstance(item, it.Disc):
        inertia = mass * _size(ctx, body, item.radius, "radius") ** 2 / 2
        return ResolvedBody(body.name, "disc", points, mass, _center(ctx, item, where), inertia)
    if item.center is None and ctx.scalars.value(mass) > 0:
        what = f"body {body.name!r} has a mass but no centre of mass"
        why = f"mass = {item.mass}"
        ctx.problems.add(what, where, why, "add center = [x, y], in the body's own axes")
    inertia = _inertia(ctx, item.inertia, where)
    return ResolvedBody(body.name, "body", points, mass, _center(ctx, item, where), inertia)


def _check_mass(ctx: Context, body: Draft, mass: Number) -> None:
    value, kind, where = ctx.scalars.value(mass), body.item.type, f"bodies.{body.name}.mass"
    if value < 0:
        what = f"the mass of {kind} {body.name!r} is negative"
        ctx.problems.add(what, where, f"{value:g} kg", "give a positive mass")
    elif value == 0 and kind != "body":
        cure = {
            "bar": "use a rod for a massless bar (type = 'rod')",
            "mass": "leave the point mass out, or give it a positive mass",
        }.get(kind, "use type = 'body' for a massless rigid body")
        what = f"{kind} {body.name!r} has no mass"
        ctx.problems.add(what, where, "mass = 0", cure)


def _inertia(ctx: Context, value: float | str, where: str) -> Number:
    inertia = ctx.scalars.read(value, f"{where}.inertia", "inertia")
    if ctx.scalars.value(inertia) < 0:
        why = f"{ctx.scalars.value(inertia):g} kg m^2"
        what = f"the inertia of {where.split('.')[1]!r} is negative"
        cure = "give the moment of inertia about the centre of mass, >= 0"
        ctx.problems.add(what, f"{where}.inertia", why, cure)
    return inertia


def _size(ctx: Context, body: Draft, value: float | str, side: str) -> Number:
    size = ctx.scalars.read(value, f"bodies.{body.name}.{side}", "length")
    if ctx.scalars.value(size) <= 0:
        what = f"the {side} of {body.item.type} {body.name!r} is not positive"
        why = f"{ctx.scalars.value(size):g} m"
        ctx.problems.add(what, f"bodies.{body.name}.{side}", why, f"give {side} > 0")
    return size


def _center(ctx: Context, item: it.Body | it.Plate | it.Disc, where: str) -> Vec:
    if item.center is None:
        return ctx.scalars.exact(0.0), ctx.scalars.exact(0.0)
    return ctx.scalars.pair(item.center, f"{where}.center")
