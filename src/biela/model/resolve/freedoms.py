"""The joints' own coordinates: the angle of a pin, the position in a slot. They are there without being declared.

"J.angle" and "J.position" belong to the joint J. A pin that nobody wrote, because bodies share the point P, has the
angle "P.angle@b" of each further body b against the first one that P belongs to, the ground before all others.
"""

from __future__ import annotations

from itertools import chain

from ..joints import joint_class
from ..joints.steps import TURN
from ..resolved import GROUND, Direction, ResolvedCoordinate, ResolvedJoint, ResolvedLine
from .context import Context


def joint_coordinates(ctx: Context, joints: tuple[ResolvedJoint, ...]) -> None:
    """Add the freedoms of all joints to the context's coordinates, none of them needed so far."""
    found = chain((_freedom(ctx, joint) for joint in joints), _pins(ctx, joints))
    ctx.coordinates.update({c.name: c for c in found if c is not None})


def _freedom(ctx: Context, joint: ResolvedJoint) -> ResolvedCoordinate | None:
    """The first of them: what turns in a slot is seen by the angles of bodies."""
    kind = joint_class(joint.type, 2)
    way = kind.way(joint)
    if way is None or not kind.freedoms:
        return None
    name = f"{joint.name}.{kind.freedoms[0].name}"
    if kind.freedoms[0].kind == TURN:
        first, second = way.first.body, way.second.body
        if not (_turns(ctx, first) and _turns(ctx, second)):
            return None
        return ResolvedCoordinate(name, "angle", lines=(_axis(ctx, first), _axis(ctx, second)), joint=joint.name)
    if way.along is None or way.along.length is None:  # a line between two bodies has no scale of its own
        return None
    return ResolvedCoordinate(name, "position", places=(way.second,), lines=(way.along,), joint=joint.name)


def _pins(ctx: Context, joints: tuple[ResolvedJoint, ...]) -> list[ResolvedCoordinate]:
    welded = {frozenset(joint.bodies) for joint in joints if joint_class(joint.type, 2).freedoms == ()}
    found: list[ResolvedCoordinate] = []
    for point in ctx.owners:
        owners = ctx.rigid_owners(point)
        for k, body in enumerate(owners[1:]):
            if frozenset((owners[0], body)) not in welded:
                lines = (_axis(ctx, owners[0]), _axis(ctx, body))
                name = f"{point}.angle@{body}"
                found.append(ResolvedCoordinate(name, "angle", lines=lines, joint=point, freedom=k))
    return found


def _turns(ctx: Context, body: str) -> bool:
    """Whether a body has axes: a point mass, or a point of no body at all, has none."""
    return body == GROUND or (body in ctx.bodies and not ctx.bodies[body].particle)


def _axis(ctx: Context, body: str) -> ResolvedLine:
    one, zero = ctx.scalars.exact(1.0), ctx.scalars.exact(0.0)
    return ResolvedLine(Direction(body, (one, zero)), one, None)
