"""Forces: what each acts on, and by which law."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .. import expression as ex
from .. import items as it
from ..resolved import GROUND, Direction, Number, Place, ResolvedCoordinate, ResolvedForce, ResolvedLaw, ResolvedLine
from .bearers import borne, borne_pair
from .context import Context
from .coordinates import KINDS, start_value, target
from .laws import law, with_scale
from .loads import distributed, on_vector

SpringLike = it.Spring | it.Damper | it.Actuator
# What is stretched by what: the kinds of quantity for the deformation, its force, stiffness and damping.
TRANSLATION = {"x": "length", "f": "force", "k": "stiffness", "c": "damping"}
TORSION = {"x": "angle", "f": "moment", "k": "torsional stiffness", "c": "torsional damping"}


class Ends(NamedTuple):
    """What a spring, damper or actuator acts on."""

    type: str
    places: tuple[Place, ...] = ()
    bodies: tuple[str, ...] = ()
    coordinate: str | None = None
    kinds: dict[str, str] = TRANSLATION
    start: Callable[[], Number | None] = lambda: None
    """the length or angle at the start"""


def resolve_forces(ctx: Context) -> tuple[ResolvedForce, ...]:
    """All the forces that make sense; what is wrong with the others is reported."""
    found: list[ResolvedForce | None] = []
    for name, item in ctx.model.forces.items():
        where = f"forces.{name}"
        if isinstance(item, it.PointForce):
            found.append(_force(ctx, name, item, where))
        elif isinstance(item, it.Moment):
            found.append(_moment(ctx, name, item, where))
        elif isinstance(item, it.VectorForce):
            found += on_vector(ctx, name, item, where)
        elif isinstance(item, it.DistributedLoad):
            found += distributed(ctx, name, item, where)
        else:
            found.append(_spring_like(ctx, name, item, where))
    return tuple(force for force in found if force is not None)


def _force(ctx: Context, name: str, item: it.PointForce, where: str) -> ResolvedForce | None:
    on_known = item.on is None or ctx.body(item.on, f"{where}.on", axes=False, ground=False)
    point = borne(ctx, item.point, where, f"force {name!r}", item.on) if on_known else None
    axes_known = ctx.body(item.axes, f"{where}.axes")
    laws = [law(ctx, one, f"{where}.value, {axis}", "force", ("t",)) for one, axis in zip(item.value, ctx.axes)]
    laws = with_scale(ctx, laws, item.scale, f"{where}.scale")
    if point is not None and item.point in ctx.ground:
        what = f"force {name!r} acts on the ground"
        why = f"point {item.point!r} is fixed, so the force moves nothing"
        ctx.problems.add(what, f"{where}.point", why, "name a moving point")
    if point is None or not axes_known or not on_known:
        return None
    return ResolvedForce(name, "force", **_components(laws), places=(point,), axes=item.axes)


def _moment(ctx: Context, name: str, item: it.Moment, where: str) -> ResolvedForce | None:
    known = [ctx.body(item.body, f"{where}.body", ground=False)]
    if item.against is not None:
        known.append(ctx.body(item.against, f"{where}.against"))
    if item.against == item.body:
        what = f"moment {name!r} acts on {item.body!r} against itself"
        ctx.problems.add(what, f"{where}.against", "the two cancel", "name another body, or leave it out")
    given = item.value if isinstance(item.value, tuple) else (item.value,)
    if ctx.in_space and len(given) == 1:
        cure = "give value = [Mx, My, Mz], in the ground's axes or in those of the body that `axes` names"
        ctx.problems.add(f"moment {name!r} has one component in space", f"{where}.value", "", cure)
    if item.axes is not None:
        known.append(ctx.body(item.axes, f"{where}.axes"))
    parts = [f", {axis}" for axis in ctx.axes] if ctx.in_space else [""]
    laws = [law(ctx, one, f"{where}.value{part}", "moment", ("t",)) for one, part in zip(given, parts)]
    laws = with_scale(ctx, laws, item.scale, f"{where}.scale")
    bodies = (item.body,) if item.against is None else (item.body, item.against)
    if not all(known):
        return None
    return ResolvedForce(name, "moment", **_components(laws), bodies=bodies, axes=item.axes or GROUND)


def _components(laws: list[ResolvedLaw]) -> dict[str, Any]:
    return dict(zip(("law", "law_y", "law_z"), laws))


def _spring_like(ctx: Context, name: str, item: SpringLike, where: str) -> ResolvedForce | None:
    ends = _ends(ctx, name, item, where)
    # Without valid ends the numbers are still checked, as far as that makes sense.
    kinds = ends.kinds if ends else TORSION if item.bodies else TRANSLATION
    read = ctx.scalars.read
    if isinstance(item, it.Actuator):
        value = law(ctx, item.value, f"{where}.value", kinds["f"], ("t", "x", "v"))
        value = with_scale(ctx, [value], item.scale, f"{where}.scale", kinds["x"])[0]
    else:
        damping = read(item.damping, f"{where}.damping", kinds["c"])
        if ctx.scalars.value(damping) < 0:
            what = f"the damping of {item.type} {name!r} is negative"
            cure = "give damping >= 0; to feed energy in, use an actuator"
            ctx.problems.add(what, f"{where}.damping", f"{ctx.scalars.value(damping):g}", cure)
        value = ResolvedLaw(damping=damping)
        if isinstance(item, it.Spring):
            make = _spring if _is_linear(ctx, name, item, where) else _curved_spring
            value = make(ctx, name, item, where, damping, ends, kinds)
    if ends is None:
        return None
    if ends.coordinate:
        ctx.acted_on.add(ends.coordinate)
    return ResolvedForce(name, ends.type, value, places=ends.places, bodies=ends.bodies, coordinate=ends.coordinate)


def _is_linear(ctx: Context, name: str, item: it.Spring, where: str) -> bool:
    """Whether a spring has a stiffness; it has that or a potential."""
    both = item.stiffness is not None and item.potential is not None
    if both or (item.stiffness is None and item.potential is None):
        what = f"spring {name!r} has both a stiffness and a potential" if both else f"spring {name!r} has no stiffness"
        cure = "give stiffness = k, or potential = a formula of x such as 'k*x^2/2 + c*x^4/4', and not both"
        ctx.problems.add(what, where, "", cure)
    if item.strain is not None and item.potential is not None:
        what = f"spring {name!r} has both a strain and a potential"
        ctx.problems.add(what, f"{where}.strain", "the one says the other", "leave one of them out")
    return item.potential is None and item.strain is None


def _curved_spring(
    ctx: Context, name: str, item: it.Spring, where: str, damping: Number, ends: Ends | None, kinds: dict[str, str]
) -> ResolvedLaw:
    """A spring by its potential V(x): the force is -dV/dx, so that no other force could go with it."""
    if item.potential is None:
        return _strained_spring(ctx, name, item, where, damping)
    if item.free is not None:
        what = f"spring {name!r} has a potential and a free length"
        ctx.problems.add(what, f"{where}.free", "the potential says where it is free", "leave `free` out")
    before = len(ctx.problems.found)
    V = law(ctx, item.potential, f"{where}.potential", "energy", ("x",)).expression
    if V is None:
        if len(ctx.problems.found) == before:
            cure = "give a formula of x, the length or the angle, such as 'k*x^2/2 + c*x^4/4'"
            ctx.problems.add(f"the potential of spring {name!r} does not depend on x", f"{where}.potential", "", cure)
        return ResolvedLaw(damping=damping)
    return ResolvedLaw(damping=damping, expression=ex.Unary("-", ex.differentiate(V, "x")), potential=V)


def _strained_spring(ctx: Context, name: str, item: it.Spring, where: str, damping: Number) -> ResolvedLaw:
    """A spring by a strain e(x): V = k (e - e0)^2 / 2, 002 (56). k and e0 are plain numbers, as e has any unit."""
    stiffness = 1.0 if item.stiffness is None else item.stiffness  # (that there is none is reported)
    free = 0.0 if item.free is None else item.free
    k = ctx.scalars.read(stiffness, f"{where}.stiffness", "number")
    ctx.scalars.read(free, f"{where}.free", "number")
    if ctx.scalars.value(k) <= 0:
        ctx.problems.add(f"the stiffness of spring {name!r} is not positive", f"{where}.stiffness",
                         f"{ctx.scalars.value(k):g}", "give stiffness > 0")  # fmt: skip
    before = len(ctx.problems.found)
    e = law(ctx, item.strain, f"{where}.strain", "number", ("x",)).expression
    if e is None:
        if len(ctx.problems.found) == before:
            ctx.problems.add(f"the strain of spring {name!r} does not depend on x", f"{where}.strain", "",
                             "give a formula of x, the length or the angle, such as 'x^2'")  # fmt: skip
        return ResolvedLaw(damping=damping)
    V = law(ctx, f"({stiffness})/2*(({item.strain}) - ({free}))^2", f"{where}.strain", "energy", ("x",)).expression
    if V is None:
        return ResolvedLaw(damping=damping)
    return ResolvedLaw(damping=damping, expression=ex.Unary("-", ex.differentiate(V, "x")), potential=V, strain=(k, e))


def _spring(
    ctx: Context,
    name: str,
    item: it.Spring,
    where: str,
    damping: Number,
    ends: Ends | None,
    kinds: dict[str, str],
) -> ResolvedLaw:
    stiffness = ctx.scalars.read(1.0 if item.stiffness is None else item.stiffness, f"{where}.stiffness", kinds["k"])
    if ctx.scalars.value(stiffness) <= 0:
        what = f"the stiffness of spring {name!r} is not positive"
        cure = "give stiffness > 0; for another law use an actuator with an expression of x"
        ctx.problems.add(what, f"{where}.stiffness", f"{ctx.scalars.value(stiffness):g}", cure)
    if item.free is not None:
        free = ctx.scalars.read(item.free, f"{where}.free", kinds["x"])
        signed = ends is not None and (ends.type == "torsion" or _is_signed(ctx, ends.coordinate))
        if ctx.scalars.value(free) < 0 and not signed and ends is not None:
            what = f"the free length of spring {name!r} is negative"
            cure = "give free >= 0, or leave it out: the spring is then free at the start"
            ctx.problems.add(what, f"{where}.free", f"{ctx.scalars.value(free):g} m", cure)
    else:
        free = ends.start() if ends else None
        free = ctx.scalars.exact(0.0) if free is None else free
    return ResolvedLaw(stiffness=stiffness, free=free, damping=damping, as_drawn=item.free is None)


def _is_signed(ctx: Context, coordinate: str | None) -> bool:
    return coordinate is not None and ctx.coordinates[coordinate].type != "distance"


def _ends(ctx: Context, name: str, item: SpringLike, where: str) -> Ends | None:
    given = [key for key in ("points", "bodies", "coordinate") if getattr(item, key) is not None]
    if len(given) != 1:
        what = f"{item.type} {name!r} must act on one thing"
        why = f"it names {' and '.join(given)}" if given else "it names nothing to act on"
        cure = "give exactly one of points = [A, B], bodies = [i, j], coordinate = name"
        ctx.problems.add(what, where, why, cure)
        return None
    if item.points is not None:
        pair = borne_pair(ctx, item.points, where, f"{item.type} {name!r}", item.on)
        if pair is None:
            return None
        between = ResolvedCoordinate(name, "distance", places=pair)
        return Ends("line", places=pair, start=lambda: start_value(ctx, between))
    if item.on is not None:
        what = f"{item.type} {name!r} has no points that `on` could give to a body"
        cure = "leave `on` out, or act between points"
        ctx.problems.add(what, f"{where}.on", f"it acts on its {given[0]}", cure)
    if item.bodies is not None:
        return _between_bodies(ctx, name, item, where)
    assert item.coordinate is not None
    found = target(ctx, item.coordinate, f"{where}.coordinate", "acted on")
    if isinstance(found, tuple):
        what = f"{item.type} {name!r} cannot act on a point's coordinate"
        cure = "declare a coordinate of type 'position' along a line of the ground, and act on that"
        ctx.problems.add(what, f"{where}.coordinate", f"{item.coordinate!r}", cure)
        return None
    if found is None:
        return None
    kinds = TORSION if KINDS[found.type] == "angle" else TRANSLATION
    return Ends("coordinate", coordinate=found.name, kinds=kinds, start=lambda: start_value(ctx, found))


def _between_bodies(ctx: Context, name: str, item: SpringLike, where: str) -> Ends | None:
    assert item.bodies is not None
    if ctx.in_space:
        what = f"{item.type} {name!r} acts between bodies, but in space they have no one angle between them"
        cure = "name the coordinate of a joint instead: coordinate = 'J.angle'; or declare an angle about an axis"
        ctx.problems.add(what, f"{where}.bodies", "", cure)
        return None
    i, j = item.bodies
    if i == j:
        what = f"{item.type} {name!r} acts on {i!r} against itself"
        ctx.problems.add(what, f"{where}.bodies", "", f"name two bodies; one may be {GROUND!r}")
        return None
    if not all([ctx.body(body, f"{where}.bodies") for body in (i, j)]):
        return None
    one, zero = ctx.scalars.exact(1.0), ctx.scalars.exact(0.0)
    axes = tuple(ResolvedLine(Direction(body, (one, zero)), one, None) for body in (i, j))
    between = ResolvedCoordinate(name, "angle", lines=axes)
    return Ends("torsion", bodies=(i, j), kinds=TORSION, start=lambda: start_value(ctx, between))
