"""Who bears what acts on a point that several bodies share: a force, a guide, an end of a spring.

The motion does not depend on it, but what the pin hands on does, and so do reactions and free bodies. What a user
does not say (`on`) is taken to act on the slider at the point, or on the point mass there; else on the first body,
and that is told.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import items as it
from ..joints.joint import Joint, SpaceJoint
from ..resolved import GROUND, Place
from .context import Context
from .naming import listed
from .places import place, places


def find_bearers(ctx: Context) -> None:
    """Fill the context's bearers: for every shared point the body that bears what acts there, if one is plain."""
    sliding = _sliding(ctx, list(ctx.items.joints.values()))
    for point, owners in ctx.owners.items():
        if GROUND in owners or len(owners) < 2:
            continue  # what acts on a point of the ground acts on the ground
        sliders = [b for b in owners if b in sliding]
        masses = [b for b in owners if ctx.bodies[b].particle]
        plain = sliders if len(sliders) == 1 else masses if not sliders and len(masses) == 1 else []
        if plain:
            ctx.bearers[point] = plain[0]
        else:
            ctx.shared[point] = (sliders or list(ctx.rigid_owners(point)) or list(owners))[0]


def _sliding(ctx: Context, joints: list[Joint]) -> set[str]:
    """Bodies that slide: those of a slide, and those with two points, or their only one, in guides."""
    found: set[str] = set()
    guided: dict[str, set[str]] = {}
    for item in joints:
        if item.slides() and not item.guides_a_point():
            rail, block = _slide(ctx, item)
            found.add(rail if block == GROUND else block)
        for point, body in _in_guide(ctx, item):
            guided.setdefault(body, set()).add(point)
    for body, points in guided.items():
        if body in ctx.bodies and (len(points) > 1 or len(ctx.bodies[body].points) == 1):
            found.add(body)
    return found


def _slide(ctx: Context, item: Joint) -> tuple[str, str]:
    """The bodies of a slide; "" if there are none, which is reported elsewhere."""
    if isinstance(item, SpaceJoint):
        return item.bodies or ("", "")
    lines = (getattr(item, key, None) for key in ("line", "slider"))
    rail, block = ("" if line is None else _body_of(ctx, line) for line in lines)
    return rail, block


def _in_guide(ctx: Context, item: Joint) -> Iterator[tuple[str, str]]:
    """The point that a guide holds, with every moving body that it belongs to."""
    if not item.guides_a_point():
        return
    named = (getattr(item, key, None) for key in ("point", "at"))
    point = next((name for name in named if isinstance(name, str)), None)
    if point is not None:
        yield from ((point, body) for body in ctx.owners.get(point, ()) if body != GROUND)


def _body_of(ctx: Context, line: it.Line) -> str:
    """The body of a line of the plane; "" if there is none, which is reported elsewhere."""
    if isinstance(line, str):
        return line
    if isinstance(line, it.Axis):
        return line.body
    a, b = (ctx.rigid_owners(point) for point in line)
    return next((body for body in a if body in b), "")


def borne(ctx: Context, point: str, where: str, user: str, on: str | None = None) -> Place | None:
    """The place where something acts on a point: on the body named, else on its bearer. `user`: what acts, in words."""
    if on is not None:
        if not ctx.body(on, f"{where}.on", axes=False):
            return None
        return place(ctx, point, f"{where}.on", on)
    found = place(ctx, point, where, ctx.bearers.get(point))
    if found is not None and point in ctx.shared:
        tell_shared(ctx, point, user, where)
    return found


def borne_pair(
    ctx: Context, points: tuple[str, str], where: str, user: str, on: it.Bearers | None
) -> tuple[Place, Place] | None:
    """The same for the two ends of something; the points must be different and can move against each other."""
    if places(ctx, points, f"{where}.points", user) is None:
        return None
    pair = _each(ctx, points, where, on)
    if pair is None:
        return None
    first, second = (borne(ctx, point, where, user, body) for point, body in zip(points, pair, strict=True))
    return (first, second) if first and second else None


def _each(
    ctx: Context, points: tuple[str, str], where: str, on: it.Bearers | None
) -> tuple[str | None, str | None] | None:
    """The body that each end is said to act on."""
    if on is None:
        return None, None
    if not isinstance(on, str):
        return on
    if not ctx.body(on, f"{where}.on", axes=False):
        return None
    mine = [point for point in points if on in ctx.owners[point]]
    if not mine:
        owners = "; ".join(f"{p!r} belongs to {listed(ctx.owners[p])}" for p in points)
        what = f"neither {points[0]!r} nor {points[1]!r} is a point of {on!r}"
        cure = "name a body that one of the two points belongs to, or one for each point"
        ctx.problems.add(what, f"{where}.on", owners, cure)
        return None
    return (on, None) if mine[0] == points[0] else (None, on)


def tell_shared(ctx: Context, point: str, user: str, where: str) -> None:
    """Something acts on a point that several bodies share, and nobody said on which."""
    owners = ctx.owners[point]
    cure = f"name it in {where}: on = {owners[-1]!r}"
    if where.endswith(".equation"):
        cure = "declare a coordinate with on = ..., and use that"
    ctx.doubts.append(
        f"{user} acts at {point!r} on {ctx.shared[point]!r}, the first of {', '.join(owners)}: the motion is the same "
        f"on any of them, but the reactions at {point!r} and the free bodies are not; {cure}"
    )
