"""Joints that nobody wrote: bodies that share a point are held together there by a ball and socket."""

from __future__ import annotations

from dataclasses import replace

from ...groups import Groups
from ...joints import joint_class
from ...resolved import GROUND, ResolvedJoint, Vec
from . import vectors as v
from .context import TINY, SpaceContext
from .frames import parallel
from .joint_reader import made


def implied_joints(ctx: SpaceContext) -> list[ResolvedJoint]:
    """One ball for every body that no joint of the user holds to the others at a point they share.

    They go out from the ground, or from the first body that owns the point. One alone is called as the point,
    "P"; several are "P@b" for each further body b.
    """
    found: list[ResolvedJoint] = []
    at: dict[str, list[ResolvedJoint]] = {}
    for joint in ctx.joints.values():
        for body in joint.bodies if len(joint.bodies) == 2 else ():
            at.setdefault(body, []).append(joint)
    for point, owners in ctx.owners.items():
        pairs = _missing(ctx, point, owners, at)
        for first, second in pairs:
            name = point if len(pairs) == 1 else f"{point}@{second}"
            ends = ctx.place_in(point, first), ctx.place_in(point, second)
            joint = made(name, "spherical", ends, parallel(ctx, ends))
            found.append(replace(joint, implied=True))
    return found


def _missing(
    ctx: SpaceContext, point: str, owners: tuple[str, ...], at: dict[str, list[ResolvedJoint]]
) -> list[tuple[str, str]]:
    """The pairs of bodies to join at a point, so that all its owners hang together. `at`: joints of each body."""
    held = Groups(owners)
    for joint in (j for body in owners if body != GROUND for j in at.get(body, ())):
        if set(joint.bodies) <= set(owners) and _holds(ctx, joint, point):
            held.join(*joint.bodies)
    return [(owners[0], body) for body in owners[1:] if held.join(owners[0], body)]


def _holds(ctx: SpaceContext, joint: ResolvedJoint, point: str) -> bool:
    """Whether a joint of the user is at the point, or holds the point of one body to that of the other anyway."""
    kind = joint_class(joint.type, 3)
    if not kind.meets:
        return False
    if kind.freedoms == () or all(place.point == point for place in joint.places):
        return True
    return kind.shares_point and "e3" in kind.shared_axes and _on_axis(ctx, joint, point)


def _on_axis(ctx: SpaceContext, joint: ResolvedJoint, point: str) -> bool:
    """Whether a point lies on a hinge's axis, at the same place of it in both bodies."""
    heights: list[float] = []
    for frame in joint.frames:
        arm: Vec = v.sub(ctx.place_in(point, frame.body).local, frame.place.local)
        size = ctx.scalars.value(ctx.scalars.length(arm))
        if ctx.scalars.value(ctx.scalars.length(v.across(arm, frame.e3))) > TINY * size:
            return False
        heights.append(ctx.scalars.value(v.dot(arm, frame.e3)))
    return abs(heights[0] - heights[1]) <= TINY * (abs(heights[0]) + abs(heights[1]))
