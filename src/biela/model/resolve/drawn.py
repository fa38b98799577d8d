"""Dimensions of a model that nobody gave a number: they are as the points and bodies are drawn.

They are told where the mechanism does not fit together as it is drawn; see `biela.analysis.assembly.drawing`.
"""

from __future__ import annotations

import math

from .. import bodies as bd
from .. import vectors as v
from ..joints import joint_class
from ..resolved import GROUND, Frame, Guess, ResolvedJoint
from .context import TINY, Context


def find_guesses(ctx: Context) -> None:
    """Fill the context's guesses: lengths of bars and distances, shapes of bodies, angles, axes."""
    for name, item in ctx.items.bodies.items():
        points = getattr(item, "points", None)
        if isinstance(item, bd.BARS):
            if item.length is None:
                a, b = (ctx.bodies[name].points[p] for p in item.points)
                length = ctx.size(v.subtract(b, a))
                _add(ctx, f"the length of {item.type} {name!r} is as drawn, {length:.4g} m", name)
        elif isinstance(points, list) and (len(points) > 1 or ctx.in_space):
            _add(ctx, f"the shape of body {name!r} is as its points are drawn", name)
    for name, joint in ctx.joints.items():
        kind, item = joint_class(joint.type, len(ctx.axes)), ctx.items.joints[name]
        bodies = joint.bodies or tuple(_bodies_of(ctx, joint))
        if kind.as_drawn and getattr(item, kind.as_drawn) is None:
            size = ""
            if joint.value is not None:
                value = ctx.scalars.value(joint.value)
                size = f", {value:.4g} m" if kind.as_drawn == "length" else f", {math.degrees(value):.4g} deg"
            _add(ctx, f"the {kind.as_drawn} of joint {name!r} is as drawn{size}", *bodies)
        if len(joint.frames) == 2:
            if kind.keeps_turned() and any(_turned(ctx, body) for body in bodies):
                _add(ctx, f"joint {name!r} keeps its bodies turned against each other as drawn", *bodies)
            _frames(ctx, joint)


def _add(ctx: Context, what: str, *bodies: str) -> None:
    ctx.guesses.append(Guess(what, tuple(b for b in bodies if b and b != GROUND)))


def _bodies_of(ctx: Context, joint: ResolvedJoint) -> list[str]:
    """Those of its points and lines, in the plane."""
    held = {place.body for place in joint.places} | {b for line in joint.lines for b in line.bodies}
    return [b for b in ctx.bodies if b in held]


def _turned(ctx: Context, body: str) -> bool:
    """Whether a body is drawn turned: a bar by its points, another by its orientation."""
    item = ctx.items.bodies.get(body)
    return isinstance(item, bd.BARS) or getattr(item, "orientation", None) is not None


def _frames(ctx: Context, joint: ResolvedJoint) -> None:
    """Axes and places of a joint in space that are fixed in a body by how it is drawn."""
    kind, axis = joint_class(joint.type, 3), getattr(ctx.items.joints[joint.name], "axis", None)
    in_own_axes = isinstance(axis, tuple | list) and len(axis) == 2
    for k, (frame, other) in enumerate(zip(joint.frames, reversed(joint.frames), strict=True)):
        body, drawn = frame.body, frame.place.point is None and not kind.anywhere
        if body == GROUND and drawn and other.place.point is not None:
            point = other.place.point
            _add(ctx, f"joint {joint.name!r} is fixed in the ground where {point!r} is drawn", other.body)
        if body == GROUND or ctx.bodies[body].particle or isinstance(ctx.items.bodies.get(body), bd.BARS):
            continue  # bars are aimed
        if not in_own_axes and k in kind.axis_in and axis not in ctx.bodies[body].directions:
            near, angle = _nearest(ctx, frame)
            if angle > 1e-6:
                what = f"the axis of joint {joint.name!r} is fixed in {body!r} as drawn"
                _add(ctx, f"{what}, {angle:.4g} deg from its {near}; give it in the axes of both bodies", body)
        if drawn:
            what = f"joint {joint.name!r} is fixed in {body!r} where it is drawn"
            _add(ctx, f"{what}; name a point of each body", body)


def _nearest(ctx: Context, frame: Frame) -> tuple[str, float]:
    """The axis or direction of a body that is nearest to the joint's, and the angle between them, in degrees."""
    known = dict(zip(("x axis", "y axis", "z axis"), ctx.identity, strict=True))
    known |= {f"direction {key!r}": u for key, u in ctx.bodies[frame.body].directions.items()}
    found = {}
    for key, u in known.items():
        angle = math.degrees(ctx.scalars.value(ctx.angle_between(u, frame.e3)))
        found[key] = min(angle, 180 - angle)
    key = min(found, key=lambda k: found[k])
    return key, 0.0 if found[key] < math.degrees(TINY) else found[key]
