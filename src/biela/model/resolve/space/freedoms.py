"""The joints' own coordinates in space: "J.angle", "J.position", ... are there without being declared.

An angle turns e1 of the second frame from e1 towards e2 of the first; a position is that of the second frame's
origin along an axis of the first. In a universal joint the first angle turns the second axis about the first, and
the second angle turns the second body about its own axis.
"""

from __future__ import annotations

from ...resolved import Direction, Number, Place, ResolvedCoordinate, ResolvedJoint, ResolvedLine, Vec
from . import vectors as v
from .context import SpaceContext

FREEDOMS: dict[str, tuple[str, ...]] = {
    "revolute": ("angle",),
    "prismatic": ("position",),
    "cylindrical": ("position", "angle"),
    "screw": ("position", "angle"),
    "planar": ("position1", "position2", "angle"),
    "universal": ("angle1", "angle2"),
    "point-on-line": ("position",),
    "point-on-plane": ("position1", "position2"),
}
"""what each type leaves free, in order; its coordinates are called by these"""


def joint_coordinates(ctx: SpaceContext) -> None:
    """Add the freedoms of all joints to the context's coordinates, none of them needed so far."""
    for joint in ctx.joints.values():
        for k, freedom in enumerate(FREEDOMS.get(joint.type, ())):
            name = f"{joint.name}.{freedom}"
            ctx.coordinates[name] = freedom_coordinate(joint, name, freedom, k, ctx.scalars.exact(1.0))


def screw_terms(ctx: SpaceContext, name: str, lead: Number) -> tuple[tuple[str, Number], ...]:
    """What a thread keeps: its position less the lead for every turn of its angle."""
    ctx.acted_on |= {f"{name}.position", f"{name}.angle"}
    return (f"{name}.position", ctx.scalars.exact(1.0)), (f"{name}.angle", -lead / (2 * ctx.pi()))


def freedom_coordinate(joint: ResolvedJoint, name: str, freedom: str, k: int, one: Number = 1.0) -> ResolvedCoordinate:
    """A freedom of a joint as a coordinate. `one`: as the numbers of the model are."""
    i, j = joint.frames

    def line(body: str, vector: Vec, through: Place | None = None) -> ResolvedLine:
        return ResolvedLine(Direction(body, vector), one, through)

    if freedom.startswith("position"):
        axis = {"position": i.e3, "position1": i.e1, "position2": i.e2}[freedom]
        lines = (line(i.body, axis, i.place),)
        return ResolvedCoordinate(name, "position", places=(j.place,), lines=lines, joint=joint.name, freedom=k)
    if freedom == "angle1":
        lines = line(i.body, i.e1), line(i.body, i.e2), line(j.body, j.e3)
    elif freedom == "angle2":  # the first axis as the second body sees it, which turns the other way
        lines = line(j.body, j.e1), line(j.body, v.scale(-one, j.e2)), line(i.body, i.e3)
    else:
        lines = line(i.body, i.e1), line(i.body, i.e2), line(j.body, j.e1)
    return ResolvedCoordinate(name, "angle", lines=lines, joint=joint.name, freedom=k)
