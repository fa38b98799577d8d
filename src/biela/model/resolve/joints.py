"""Joints: what each holds together, the coordinates that are its own, and those that nobody wrote.

Each type says in its own file, `model/joints`, what it needs. A point that bodies share holds them together without
more: in the plane it is a pin, which natural coordinates need no equation for; in space a joint is made of it here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .. import vectors as v
from ..groups import Groups
from ..joints import joint_class
from ..joints.joint import Coupling
from ..joints.steps import TURN
from ..resolved import (
    GROUND,
    Direction,
    Number,
    Place,
    ResolvedCoordinate,
    ResolvedJoint,
    ResolvedLine,
    Vec,
    shared_points,
)
from .context import TINY, Context
from .joint_reader import CouplingReader, JointReader
from .naming import did_you_mean
from .space_joint_reader import SpaceReader, joint_between, parallel_frames


def resolve_joints(ctx: Context) -> None:
    """Fill the context's joints with those between bodies; what is wrong with them is reported."""
    reader = SpaceReader if ctx.in_space else JointReader
    for name, item in ctx.items.joints.items():
        if not isinstance(item, Coupling):
            joint = item.resolve(reader(ctx, name, item))
            if joint is None:
                ctx.refused.add(name)
            else:
                ctx.joints[name] = joint


def resolve_couplings(ctx: Context) -> tuple[ResolvedJoint, ...]:
    """The joints of coordinates that make sense, after the coordinates they name.

    What they speak of becomes part of the equations, as that of drivers and forces does.
    """
    items = [(name, item) for name, item in ctx.model.joints.items() if isinstance(item, Coupling)]
    found = [item.resolve(CouplingReader(ctx, name, item)) for name, item in items]
    return tuple(joint for joint in found if joint is not None)


def opened_joints(ctx: Context, joints: tuple[ResolvedJoint, ...]) -> tuple[str, ...]:
    """The joints that the user wants to open, so that relative coordinates follow all the others of a loop (001 15.5).

    A pin of the plane is named by its point, or as "P@body", the pin of that body.
    """
    pins: dict[str, list[str]] = {}
    if not ctx.in_space:
        pins = {point: [f"{point}@{b}" for b in rest] for point, _, rest in shared_points(ctx.owners, ctx.bodies)}
    known = {j.name for j in joints} | {pin for every in pins.values() for pin in every}
    out: list[str] = []
    for name in ctx.model.open_joints:
        if name in known:
            out.append(name)
        elif name in pins:
            out += pins[name]
        elif name not in ctx.model.joints:  # else it has been reported already
            cure = did_you_mean(name, [*(j.name for j in joints), *pins], "joints and pins")
            ctx.problems.add(f"there is no joint {name!r} to open", "open_joints", "", cure)
    return tuple(dict.fromkeys(out))


# ----------------------------------------------------------------------------------- the joints' own coordinates
def joint_coordinates(ctx: Context) -> None:
    """Add the freedoms of all joints to the context's coordinates, none of them needed so far: "J.angle" and
    "J.position" belong to the joint J. A pin that nobody wrote, because bodies share the point P, has the angle
    "P.angle@b" of each further body b against the first one that P belongs to, the ground before all others."""
    for joint in ctx.joints.values():
        found = _freedoms_in_space(ctx, joint) if joint.frames else _freedom_in_plane(ctx, joint)
        ctx.coordinates.update({c.name: c for c in found})
    if not ctx.in_space:
        ctx.coordinates.update({c.name: c for c in _angles_of_pins(ctx)})


def _freedoms_in_space(ctx: Context, joint: ResolvedJoint) -> Iterator[ResolvedCoordinate]:
    for k, freedom in enumerate(joint_class(joint.type, 3).freedom_names()):
        yield freedom_coordinate(joint, f"{joint.name}.{freedom}", freedom, k, ctx.scalars.exact(1.0))


def freedom_coordinate(joint: ResolvedJoint, name: str, freedom: str, k: int, one: Number = 1.0) -> ResolvedCoordinate:
    """A freedom of a joint in space as a coordinate. `one`: as the numbers of the model are.

    An angle turns e1 of the second frame from e1 towards e2 of the first; a position is that of the second frame's
    origin along an axis of the first. Where axes cross, angle1 turns the second axis about the first, and angle2 the
    second body about its own axis.
    """
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


def _freedom_in_plane(ctx: Context, joint: ResolvedJoint) -> Iterator[ResolvedCoordinate]:
    """The first of them: what turns in a slot is seen by the angles of bodies."""
    kind = joint_class(joint.type, 2)
    path = kind.path(joint)
    if path is None or not kind.freedoms:
        return
    name = f"{joint.name}.{kind.freedoms[0].name}"
    if kind.freedoms[0].kind == TURN:
        bodies = path.first.body, path.second.body
        if all(b == GROUND or (b in ctx.bodies and not ctx.bodies[b].particle) for b in bodies):
            yield ResolvedCoordinate(name, "angle", lines=tuple(map(ctx.x_axis, bodies)), joint=joint.name)
    elif path.along is not None and path.along.length is not None:  # a line between two bodies has no scale of its own
        yield ResolvedCoordinate(name, "position", places=(path.second,), lines=(path.along,), joint=joint.name)


def _angles_of_pins(ctx: Context) -> Iterator[ResolvedCoordinate]:
    welded = {frozenset(joint.bodies) for joint in ctx.joints.values() if joint_class(joint.type, 2).freedoms == ()}
    for point in ctx.owners:
        first, *rest = ctx.rigid_owners(point) or ("",)
        for k, body in enumerate(rest):
            if frozenset((first, body)) not in welded:
                lines = ctx.x_axis(first), ctx.x_axis(body)
                yield ResolvedCoordinate(f"{point}.angle@{body}", "angle", lines=lines, joint=point, freedom=k)


# ----------------------------------------------------------------------------------- joints in space that nobody wrote
def implied_joints(ctx: Context) -> list[ResolvedJoint]:
    """Bodies that share a point are held together there by a ball and socket: one for every body that no joint of the
    user holds to the others.

    They go out from the ground, or from the first body that owns the point. One alone is called as the point,
    "P"; several are "P@b" for each further body b.
    """
    found: list[ResolvedJoint] = []
    at: dict[str, list[ResolvedJoint]] = {}
    for joint in ctx.joints.values():
        for body in joint.bodies if len(joint.bodies) == 2 else ():
            at.setdefault(body, []).append(joint)
    for point, owners in ctx.owners.items():
        held = Groups(owners)
        for joint in (j for body in owners if body != GROUND for j in at.get(body, ())):
            if set(joint.bodies) <= set(owners) and _holds(ctx, joint, point):
                held.join(*joint.bodies)
        loose = [body for body in owners[1:] if held.join(owners[0], body)]
        for body in loose:
            name = point if len(loose) == 1 else f"{point}@{body}"
            ends = ctx.place_in(point, owners[0]), ctx.place_in(point, body)
            joint = joint_between(name, "spherical", ends, parallel_frames(ctx, ends))
            found.append(replace(joint, implied=True))
    return found


def _holds(ctx: Context, joint: ResolvedJoint, point: str) -> bool:
    """Whether a joint of the user is at the point, or holds the point of one body to that of the other anyway."""
    kind = joint_class(joint.type, 3)
    if not kind.meets:
        return False
    if kind.freedoms == () or all(place.point == point for place in joint.places):
        return True
    return kind.shares_point and "e3" in kind.shared_axes and _on_axis(ctx, joint, point)


def _on_axis(ctx: Context, joint: ResolvedJoint, point: str) -> bool:
    """Whether a point lies on a hinge's axis, at the same place of it in both bodies."""
    heights: list[float] = []
    for frame in joint.frames:
        arm = v.subtract(ctx.place_in(point, frame.body).local, frame.place.local)
        if ctx.size(v.across(arm, frame.e3)) > TINY * ctx.size(arm):
            return False
        heights.append(ctx.scalars.value(v.dot(arm, frame.e3)))
    return abs(heights[0] - heights[1]) <= TINY * (abs(heights[0]) + abs(heights[1]))
