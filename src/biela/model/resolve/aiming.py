"""Bars that are drawn roughly stand exactly across, or along, the axes of their joints.

A bar takes its direction from the starting positions of its two points, and the axes of its joints are given beside
it; so where those positions are rough, the angle between the bar and its hinge would be a guess. It is not, where the
drawing leaves no doubt: the bar is then aimed at what it nearly makes with all its axes.
"""

from __future__ import annotations

import math
from typing import Any

from .. import bodies as bd
from .. import vectors as v
from ..joints import joint_class
from ..resolved import Vec
from .context import Context
from .space_bodies import reshape

MOST = 20.0
"""degrees that a roughly drawn bar may be off across or along an axis and still mean it"""
EXACT = 1e-9


def aim_bars(ctx: Context) -> bool:
    """Aim the bars that are drawn roughly; whether there were any. What stays a guess is told."""
    axes: dict[str, list[tuple[str, Vec]]] = {}
    for joint in ctx.joints.values():
        for k in joint_class(joint.type, 3).axis_in if joint.frames else ():
            axes.setdefault(joint.frames[k].body, []).append((joint.name, joint.frames[k].e3))
    aimed = False
    for name, item in ctx.items.bodies.items():
        if isinstance(item, bd.BARS) and name in axes:
            aimed |= _aim(ctx, name, item, axes[name])
    return aimed


def _aim(ctx: Context, name: str, item: Any, axes: list[tuple[str, Vec]]) -> bool:
    a, b = (ctx.bodies[name].points[p] for p in item.points)
    line = v.subtract(b, a)
    d = ctx.unit(line)
    rough = _roughness(ctx, name, item)
    if d is None or not rough > EXACT:
        return False
    # a point that is off across the bar by e changes its length by e^2/2 only
    most = min(MOST, math.degrees(3 * math.sqrt(2 * rough)))
    across: list[Vec] = []
    along: list[Vec] = []
    for joint, axis in axes:
        angle = math.degrees(ctx.scalars.value(ctx.angle_between(axis, d)))
        if abs(angle - 90) <= most:
            across.append(axis)
        elif min(angle, 180 - angle) <= most:
            along.append(axis)
        elif rough > 1e-6:
            _tell(ctx, name, item, joint, angle)
    target = _direction(ctx, d, across, along)
    off = 0.0 if target is None else math.degrees(ctx.scalars.value(ctx.angle_between(d, target)))
    if target is None or off > 1.5 * most:
        for joint, axis in axes if rough > 1e-6 and (across or along) else ():
            _tell(ctx, name, item, joint, math.degrees(ctx.scalars.value(ctx.angle_between(axis, d))))
        return False
    if off > 0.01:
        how = "along" if along else "across"
        joints = ", ".join(repr(joint) for joint, _ in axes)
        ctx.remarks.append(
            f"{item.type} {name!r} is drawn roughly, {off:.3g} deg from where it is exactly {how} the axis of "
            f"{joints}; that is taken to be meant"
        )
    reshape(ctx, name, {item.points[0]: a, item.points[1]: v.add(a, v.scale(ctx.scalars.length(line), target))})
    return True


def _roughness(ctx: Context, name: str, item: Any) -> float:
    """How far a bar's own ends, as drawn, are from being its ends: in its lengths."""
    a, b = (ctx.bodies[name].points[p] for p in item.points)
    length = ctx.size(v.subtract(b, a))
    drawn = [ctx.drawn[p] for p in item.points]
    off = abs(ctx.size(v.subtract(drawn[1], drawn[0])) - length)
    for point, here in zip(item.points, drawn, strict=True):
        for body in ctx.rigid_owners(point):
            if body in ctx.items.bodies and not isinstance(ctx.items.bodies[body], bd.BARS):
                there = ctx.at_start(ctx.place_in(point, body))
                off = max(off, ctx.size(v.subtract(there, here)))
    return off / length if length > 0 else 0.0


def _direction(ctx: Context, d: Vec, across: list[Vec], along: list[Vec]) -> Vec | None:
    """The direction nearest to d that is along and across these axes; None if there is none."""
    size, value = ctx.size, ctx.scalars.value
    if along:
        found: Vec | None = along[0]
    elif not across:
        return None
    else:
        pairs = [v.cross(across[0], other) for other in across[1:]]
        widest = max(pairs, key=size, default=None)
        if widest is not None and size(widest) > EXACT:
            found = ctx.unit(widest)
        else:
            found = ctx.unit(v.across(d, across[0]))
    if found is None:
        return None
    if value(v.dot(found, d)) < 0:
        found = v.scale(ctx.scalars.exact(-1.0), found)
    fits = all(abs(value(v.dot(axis, found))) < EXACT for axis in across)
    fits &= all(size(v.cross(axis, found)) < EXACT for axis in along)
    return found if fits else None


def _tell(ctx: Context, name: str, item: Any, joint: str, angle: float) -> None:
    ctx.doubts.append(
        f"joint {joint!r}: its axis keeps an angle of {angle:.4g} deg to {item.type} {name!r}, which is drawn roughly; "
        "give exact points, or make it a body with points and axis in its own axes"
    )
