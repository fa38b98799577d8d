"""The joints' own coordinates in space: "J.angle", "J.position", ... are there without being declared.

An angle turns e1 of the second frame from e1 towards e2 of the first; a position is that of the second frame's
origin along an axis of the first. Where axes cross, angle1 turns the second axis about the first, and angle2 the
second body about its own axis.
"""

from __future__ import annotations

from ...joints import joint_class
from ...resolved import Direction, Number, Place, ResolvedCoordinate, ResolvedJoint, ResolvedLine, Vec
from . import vectors as v
from .context import SpaceContext


def joint_coordinates(ctx: SpaceContext) -> None:
    """Add the freedoms of all joints to the context's coordinates, none of them needed so far."""
    for joint in ctx.joints.values():
        for k, freedom in enumerate(joint_class(joint.type, 3).freedom_names()):
            name = f"{joint.name}.{freedom}"
            ctx.coordinates[name] = freedom_coordinate(joint, name, freedom, k, ctx.scalars.exact(1.0))


def freedom_coordinate(joint: ResolvedJoint, name: str, freedom: str, k: int, one: Number = 1.0) -> ResolvedCoordinate:
    """A freedom of a joint as a coordinate. `one`: as the numbers of the model are."""
    i, j = joint.frames

    def line(body: str, vector: Vec, through: Place | None = None) -> ResolvedLine:
        return ResolvedLine(Direction(body, vector), one, through)

    slides = joint_class(joint.type, 3).slide_axes()
    if freedom in slides:
        lines = (line(i.body, getattr(i, slides[freedom]), i.place),)
        return ResolvedCoordinate(name, "position", places=(j.place,), lines=lines, joint=joint.name, freedom=k)
    if freedom == "angle1":
        lines = line(i.body, i.e1), line(i.body, i.e2), line(j.body, j.e3)
    elif freedom == "angle2":  # the first axis as the second body sees it, which turns the other way
        lines = line(j.body, j.e1), line(j.body, v.scale(-one, j.e2)), line(i.body, i.e3)
    else:
        lines = line(i.body, i.e1), line(i.body, i.e2), line(j.body, j.e1)
    return ResolvedCoordinate(name, "angle", lines=lines, joint=joint.name, freedom=k)
