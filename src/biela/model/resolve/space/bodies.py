"""Bodies in space: where each starts, its points in its own axes, and who owns which point."""

from __future__ import annotations

from ... import items as it
from ... import space_items as si
from ...resolved import GROUND, Pose, ResolvedBody, Vec
from ..bearers import find_bearers
from ..naming import did_you_mean
from ..scalars import NAN
from . import vectors as v
from .context import TINY, SpaceContext
from .orientation import rotation
from .shapes import particle_mass, weight
from .tensor import diagonal

FAR_OFF = 0.05
"""of the mechanism: drawings are rough, and so far off is another place"""


def resolve_bodies(ctx: SpaceContext) -> None:
    """Fill the context's ground, start, bodies, starts and owners.

    Poses are as the user gives them: points that two bodies share need not meet yet, assembling closes them.
    """
    model = ctx.model
    ctx.ground = {name: ctx.triple(xyz, f"ground.{name}") for name, xyz in model.ground.items()}
    given = {name: ctx.triple(xyz, f"points.{name}") for name, xyz in model.points.items()}
    ctx.starts[GROUND] = Pose(ctx.zero(), ctx.identity())
    known = {**ctx.ground, **given}
    local: dict[str, dict[str, Vec]] = {}
    for name, item in ctx.items.bodies.items():
        if isinstance(item, it.PointMass):
            continue
        where = f"bodies.{name}"
        origin = ctx.triple(item.position, f"{where}.position")
        ctx.starts[name] = Pose(origin, rotation(ctx, name, item.orientation, f"{where}.orientation"))
        if isinstance(item.points, dict):
            local[name] = {p: ctx.triple(xyz, f"{where}.points.{p}") for p, xyz in item.points.items()}
            for point, xyz in local[name].items():
                known.setdefault(point, v.add(origin, v.to_ground(ctx.starts[name].rotation, xyz)))
    _names_lost_with_a_body(ctx, known)
    owners: dict[str, list[str]] = {name: [GROUND] for name in ctx.ground} | {name: [] for name in given}
    for name, item in ctx.items.bodies.items():
        points = _by_name(ctx, name, item, known) if name not in local else local[name]
        ctx.bodies[name] = _meaning(ctx, name, item, points)
        for point in points:
            owners.setdefault(point, []).append(name)
    ctx.owners = {point: tuple(bodies) for point, bodies in owners.items()}
    ctx.used |= {point for body in ctx.bodies.values() for point in body.points}
    ctx.drawn = known
    _start(ctx, known, given)
    _drawn_elsewhere(ctx, given, local)
    find_bearers(ctx, ctx.items.joints.values())


def _drawn_elsewhere(ctx: SpaceContext, given: dict[str, Vec], local: dict[str, dict[str, Vec]]) -> None:
    """A point that has a place of its own and one on a body starts where the body has it; told where it is far off."""
    number = ctx.scalars.vector
    every = [number(x) for x in ctx.start.values()]
    size = max((max(x) - min(x) for x in zip(*every, strict=True)), default=0.0) or 1.0
    for point, place in given.items():
        body = next((b for b in ctx.owners.get(point, ()) if b in local and point in local[b]), None)
        drawn, there = number(place), number(ctx.start[point])
        off = sum((a - b) ** 2 for a, b in zip(drawn, there, strict=True)) ** 0.5
        if body is not None and off > FAR_OFF * size:
            at, has = (", ".join(f"{x:g}" for x in xyz) for xyz in (drawn, there))
            ctx.doubts.append(
                f"point {point!r} is drawn at ({at}), but body {body!r}, which starts at its own position, has it at "
                f"({has}): the body decides; give bodies.{body}.position, or leave the point's place out"
            )


def reshape(ctx: SpaceContext, name: str, points: dict[str, Vec]) -> None:
    """Give a body other places of its points."""
    ctx.bodies[name] = _meaning(ctx, name, ctx.items.bodies[name], points)
    _start(ctx, ctx.drawn, {point: ctx.drawn[point] for point in ctx.model.points})


def _names_lost_with_a_body(ctx: SpaceContext, known: dict[str, Vec]) -> None:
    """Points of bodies that could not be read: reported with the body, so nobody need report them again."""
    for name, item in ctx.model.bodies.items():
        points = getattr(item, "points", None)
        if name not in ctx.items.bodies and isinstance(points, dict):
            for point in points:
                known.setdefault(point, (NAN, NAN, NAN))


def _start(ctx: SpaceContext, known: dict[str, Vec], given: dict[str, Vec]) -> None:
    """Where moving points start: as the first body that owns them has them."""
    ctx.start = dict(given)  # for the order
    for point, bodies in ctx.owners.items():
        if point in ctx.ground:
            continue
        rigid = [body for body in bodies if body in ctx.starts]
        ctx.start[point] = known[point]
        if rigid and bodies[0] == rigid[0]:
            pose = ctx.starts[rigid[0]]
            ctx.start[point] = v.add(pose.origin, v.to_ground(pose.rotation, ctx.bodies[rigid[0]].points[point]))


def _by_name(ctx: SpaceContext, name: str, item: si.Rigid | it.PointMass, known: dict[str, Vec]) -> dict[str, Vec]:
    """The points of a body that only names them, from where they start."""
    where = f"bodies.{name}"
    names = [item.point] if isinstance(item, it.PointMass) else list(item.points)
    unknown = [point for point in names if point not in known]
    for point in unknown:
        cure = did_you_mean(point, sorted(known), "points")
        ctx.problems.add(f"there is no point {point!r}", where, f"body {name!r} needs it", cure)
    twice = next((p for p in names if names.count(p) > 1), None)
    if twice is not None:
        what = f"body {name!r} names the point {twice!r} twice"
        ctx.problems.add(what, f"{where}.points", "", "give each point once")
    if isinstance(item, it.PointMass):
        known.setdefault(item.point, (NAN, NAN, NAN))
        return {item.point: ctx.zero()}
    lost = (NAN, NAN, NAN)
    points = {p: ctx.local(name, known[p]) if p in known else lost for p in names}
    for point in unknown:
        known[point] = lost
    if isinstance(item, si.SpaceBar | si.SpaceRod) and twice is None:
        points[names[1]] = _end_of_bar(ctx, name, item, points[names[0]], points[names[1]])
    return points


def _end_of_bar(ctx: SpaceContext, name: str, item: si.SpaceBar | si.SpaceRod, a: Vec, b: Vec) -> Vec:
    """The second end of a bar: as it starts, or in that direction at the length the bar is given."""
    where, line = f"bodies.{name}", v.sub(b, a)
    distance = ctx.scalars.value(ctx.scalars.length(line))
    size = max(map(abs, (*ctx.scalars.vector(a), *ctx.scalars.vector(b))))
    if distance <= 1e-12 * size or distance == 0:
        what = f"the points {item.points[0]!r} and {item.points[1]!r} of {item.type} {name!r} coincide"
        why = "between them the body has no length, so nothing says how it is turned"
        ctx.problems.add(what, where, why, "move one of them")
        return NAN, NAN, NAN
    if item.length is None:
        return b
    length = ctx.scalars.read(item.length, f"{where}.length", "length")
    if ctx.scalars.value(length) <= 0:
        what = f"{item.type} {name!r} needs a length above zero"
        why = f"length = {item.length} gives {ctx.scalars.value(length):g} m"
        cure = "give a positive length, or leave it out to take it from the starting positions"
        ctx.problems.add(what, f"{where}.length", why, cure)
    axis = ctx.unit(line)
    return v.add(a, v.scale(length, axis)) if axis else b


def _meaning(ctx: SpaceContext, name: str, item: si.Rigid | it.PointMass, points: dict[str, Vec]) -> ResolvedBody:
    if isinstance(item, it.PointMass):
        mass, zero = particle_mass(ctx, name, item), ctx.zero()
        return ResolvedBody(name, "mass", points, mass, zero, diagonal(zero), particle=True)
    directions: dict[str, Vec] = {}
    for key, vector in (item.directions or {}).items():
        found = ctx.direction(vector, f"bodies.{name}.directions.{key}", f"direction {key!r} of {name!r}")
        directions[key] = found or ctx.identity()[0]
    if item.carrier is not None:
        _check_carrier(ctx, name, item.carrier, points)
    mass, center, inertia = weight(ctx, name, item, points)
    return ResolvedBody(name, item.type, points, mass, center, inertia, directions=directions, carrier=item.carrier)


def _check_carrier(ctx: SpaceContext, name: str, carrier: str, points: dict[str, Vec]) -> None:
    """Report a carrier whose points span less than they should: two a line, three a plane, four space."""
    needed = int(carrier[0]) - 1  # dimensions that its points span
    places = [ctx.scalars.vector(xyz) for xyz in points.values()]
    if needed == 0 or any(x != x for xyz in places for x in xyz):
        return
    import numpy as np

    spread = np.array(places).reshape(-1, 3)
    sizes = np.linalg.svd(spread - spread[:1], compute_uv=False) if len(places) else np.zeros(1)
    spanned = int(np.sum(sizes > TINY * max(sizes[0], 1e-300)))
    if spanned < needed:
        shapes = ("a point", "a line", "a plane", "space")
        what = f"body {name!r} cannot be carried by {carrier!r}"
        why = f"its {len(places)} points span {shapes[spanned] if places else 'nothing'}, not {shapes[needed]}"
        cure = "give it more points, or another carrier: '1 point + 3 vectors' carries any body"
        ctx.problems.add(what, f"bodies.{name}.carrier", why, cure)
