"""Loads that are not on one point: on a unit vector, along a line, over a surface, through a volume (000 2.3).

All of them do the virtual power of a few point forces fixed to the body, and become these: whatever knows point forces
knows them. A force f on the components of a unit vector u has the power f . u', that of f at the tip and -f at the root
of u. A place on a line is linear in its ends, one on a rigid body in any four of its points: the integral of the load
times the share of each is the force there.   [C.17], [C.18]
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from .. import expression as ex
from .. import items as it
from ..resolved import Place, ResolvedForce, ResolvedLaw
from .bearers import borne
from .context import Context
from .laws import law, number, with_scale
from .space.vectors import cross, dot, sub

FLAT = 1e-6
"""of its size: by how much the corners of a surface may be out of one plane"""


def times(share: Any, given: ResolvedLaw, value: float | None = None) -> ResolvedLaw:
    """A law times a number; with symbols times a formula, which is the number `value`.

    >>> times(-2.0, ResolvedLaw(constant=3.0)).constant
    -6.0
    >>> ex.to_text(times(-2.0, ResolvedLaw(expression=ex.parse("sin(t)"))).expression)
    '-2.0*sin(t)'
    """
    if given.expression is not None:
        return replace(given, expression=ex.Binary("*", _node(share, value), given.expression))
    value = share if value is None else value
    if given.table is not None:
        x, y, kind = given.table
        return replace(given, table=(x, tuple(value * v for v in y), kind))
    if given.function is not None:
        function = given.function
        return replace(given, function=lambda *at: value * function(*at))
    return replace(given, constant=share * given.constant)


def _node(share: Any, value: float | None) -> ex.Node:
    """A factor of an expression: a number, or a formula of parameters, which keep their names."""
    if value is None:
        return number(share)
    try:
        return ex.parse(str(share).replace("**", "^"))
    except ex.ExpressionError:
        return number(value)


def _acting(ctx: Context, name: str, share: Any, laws: list[ResolvedLaw], place: Place, axes: str) -> ResolvedForce:
    value = ctx.scalars.value(share) if ctx.scalars.symbolic else None
    parts = dict(zip(("law", "law_y", "law_z"), (times(share, one, value) for one in laws), strict=False))
    return ResolvedForce(name, "force", **parts, places=(place,), axes=axes)  # type: ignore[arg-type]


def on_vector(ctx: Context, name: str, item: it.VectorForce, where: str) -> list[ResolvedForce]:
    """f at the tip of a unit vector that begins at the centre of mass, and -f there."""
    if not ctx.in_space:
        why = "bodies of the plane have no unit vectors there"
        ctx.problems.add(f"vector-force {name!r} is in the plane", where, why, "give a moment: type = 'moment'")
        return []
    known = [ctx.body(item.body, f"{where}.body", ground=False), ctx.body(item.axes, f"{where}.axes")]
    laws = [law(ctx, one, f"{where}.value, {axis}", "moment", ("t",)) for one, axis in zip(item.value, ctx.axes)]
    laws = with_scale(ctx, laws, item.scale, f"{where}.scale")
    if not all(known):
        return []
    body = ctx.bodies[item.body]
    if isinstance(item.direction, str):
        if item.direction not in body.directions:
            named = ", ".join(body.directions) or "none"
            what = f"body {item.body!r} has no direction {item.direction!r}"
            cure = "name one of them, or give a vector in its axes"
            ctx.problems.add(what, f"{where}.direction", f"its directions: {named}", cure)
            return []
        u = body.directions[item.direction]
    else:
        found = ctx.direction(item.direction, f"{where}.direction", f"the direction of {name!r}")  # type: ignore[attr-defined]
        if found is None:
            return []
        u = found
    root = Place(item.body, body.center)
    tip = Place(item.body, tuple(c + x for c, x in zip(body.center, u, strict=True)))
    ends = ((f"{name}.tip", 1.0, tip), (f"{name}.root", -1.0, root))
    return [_acting(ctx, label, ctx.scalars.exact(sign), laws, place, item.axes) for label, sign, place in ends]


def distributed(ctx: Context, name: str, item: it.DistributedLoad, where: str) -> list[ResolvedForce]:
    """Two point forces for a line, one for a surface or a volume."""
    known = [ctx.body(item.body, f"{where}.body", axes=False, ground=False), ctx.body(item.axes, f"{where}.axes")]
    over = item.over
    kind = "load per volume" if over is None else "load per length" if len(over) == 2 else "load per area"

    def read(values: Any, key: str) -> list[ResolvedLaw]:
        laws = [law(ctx, one, f"{where}.{key}, {axis}", kind, ("t",)) for one, axis in zip(values, ctx.axes)]
        return with_scale(ctx, laws, item.scale, f"{where}.scale")

    laws = read(item.value, "value")
    end = None if item.end is None else read(item.end, "end")
    if item.end is not None and (over is None or len(over) != 2):
        ctx.problems.add(f"load {name!r} has an `end`, but no line", f"{where}.end", "only along a line it may change",
                         "over = [A, B], or leave the end out")  # fmt: skip
        return []
    if item.volume is not None and over is not None:
        why = "it is spread over the one or the other"
        ctx.problems.add(f"load {name!r} has a volume and points", f"{where}.volume", why, "leave one of them out")
        return []
    if not all(known):
        return []
    if over is None:
        return _through(ctx, name, item, laws, where)
    if len(over) < 2 or len(set(over)) < len(over):
        ctx.problems.add(f"load {name!r} is spread over {', '.join(over) or 'nothing'}", f"{where}.over", "",
                         "name two points for a line, three or more for a surface, each once")  # fmt: skip
        return []
    places = [borne(ctx, point, f"{where}.over", f"load {name!r}", item.body) for point in over]
    found = [place for place in places if place is not None and place.body == item.body]
    if len(found) < len(over):
        return []
    corners = np.array([[float(ctx.scalars.value(x)) for x in place.local] for place in found])
    if len(over) == 2:
        length: Any = float(np.linalg.norm(corners[1] - corners[0]))
        if ctx.scalars.symbolic:
            length = ctx.scalars.length(tuple(b - a for a, b in zip(*(place.local for place in found), strict=True)))
        if end is None:
            parts = [(over[k], length / 2, laws, found[k]) for k in (0, 1)]
        else:  # what is spread evenly from p to 0: a third of p l at the one end, a sixth at the other
            parts = [(over[k], length / (3 if k == 0 else 6), laws, found[k]) for k in (0, 1)]
            parts += [(f"end.{over[k]}", length / (6 if k == 0 else 3), end, found[k]) for k in (0, 1)]
        return [_acting(ctx, f"{name}.{label}", share, which, place, item.axes) for label, share, which, place in parts]
    surface = _surface(corners)
    if surface is None:
        what = f"the corners of load {name!r} are the corners of no flat surface"
        cure = "name them round the edge of a flat surface that does not cross itself"
        ctx.problems.add(what, f"{where}.over", ", ".join(over), cure)
        return []
    area, middle = _exact_surface(ctx, found) if ctx.scalars.symbolic else surface
    return [_acting(ctx, name, area, laws, Place(item.body, tuple(middle)), item.axes)]


def _surface(corners: np.ndarray) -> tuple[float, list[float]] | None:
    """Area and centroid of a flat polygon; None where it is none.

    >>> _surface(np.array([[0, 0], [3, 0], [0, 3.0]]))
    (4.5, [1.0, 1.0])
    """
    p = corners if corners.shape[1] == 3 else np.column_stack([corners, np.zeros(len(corners))])
    rays = p[1:] - p[0]
    crossed = 0.5 * np.cross(rays[:-1], rays[1:])
    total = crossed.sum(axis=0)
    area, size = float(np.linalg.norm(total)), float(np.abs(rays).max())
    if not area > 1e-9 * size * size:
        return None
    normal = total / area
    shares = crossed @ normal / area
    if np.abs(rays @ normal).max() > FLAT * size or _crosses_itself(p, normal):
        return None
    middle = p[0] + (shares[:, None] * (rays[:-1] + rays[1:]) / 3).sum(axis=0)
    return area, [float(x) for x in middle[: corners.shape[1]]]


def _exact_surface(ctx: Context, corners: list[Place]) -> tuple[Any, list[Any]]:
    """The same, exactly, of a polygon that is known to be one."""
    axes, p = len(ctx.axes), [(*place.local, 0)[:3] for place in corners]
    rays = [sub(x, p[0]) for x in p[1:]]
    crossed = [cross(a, b) for a, b in pairwise(rays)]
    total = tuple(sum(parts) for parts in zip(*crossed, strict=True))
    size = dot(total, total)
    shares = [dot(one, total) / size for one in crossed]
    thirds = [tuple((x + y) / 3 for x, y in zip(a, b, strict=True)) for a, b in pairwise(rays)]
    middle = [p[0][k] + sum(share * third[k] for share, third in zip(shares, thirds, strict=True)) for k in range(axes)]
    return ctx.scalars.length(total) / 2, middle


def _crosses_itself(p: np.ndarray, normal: np.ndarray) -> bool:
    """Whether two edges that share no corner meet."""
    edges = [(p[k], p[(k + 1) % len(p)]) for k in range(len(p))]

    def side(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
        return float(np.cross(b - a, c - a) @ normal)

    for i, (a, b) in enumerate(edges):
        for j in range(i + 2, len(edges) - (i == 0)):
            c, d = edges[j]
            if side(a, b, c) * side(a, b, d) <= 0 and side(c, d, a) * side(c, d, b) <= 0:
                return True
    return False


def _through(
    ctx: Context, name: str, item: it.DistributedLoad, laws: list[ResolvedLaw], where: str
) -> list[ResolvedForce]:
    """The resultant at the centre of mass: that of the volume, as a homogeneous body has it."""
    given, body = ctx.model.bodies[item.body], ctx.bodies[item.body]
    if item.volume is not None:
        size = ctx.scalars.read(item.volume, f"{where}.volume", "volume")
    else:
        density = getattr(given, "density", None)
        if density is None:
            ctx.problems.add(f"load {name!r} goes through a volume that is not known", where,
                             f"body {item.body!r} has no density, so that its mass does not tell its volume",
                             "give volume = ..., or the density of the body in place of its mass")  # fmt: skip
            return []
        size = body.mass / ctx.scalars.read(density, f"bodies.{item.body}.density", "density")
    if not (value := ctx.scalars.value(size)) > 0:
        ctx.problems.add(f"the volume of load {name!r} is not positive", where, f"{value:g} m^3", "give a volume > 0")
        return []
    center = tuple(ctx.scalars.exact(0.0) for _ in ctx.axes) if body.particle else body.center
    return [_acting(ctx, name, size, laws, Place(item.body, center), item.axes)]
