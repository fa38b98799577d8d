"""Joints in space: each type says in its own file, `model/joints`, what it needs."""

from __future__ import annotations

from ...joints.joint import SpaceJoint
from .context import SpaceContext
from .joint_reader import SpaceReader


def resolve_joints(ctx: SpaceContext) -> None:
    """Fill the context's joints with those the user wrote; what is wrong with them is reported.

    Those that couple coordinates come after the coordinates they name.
    """
    for name, item in ctx.items.joints.items():
        if isinstance(item, SpaceJoint):
            joint = item.resolve(SpaceReader(ctx, name, item))
            if joint is not None:
                ctx.joints[name] = joint
            else:
                ctx.refused.add(name)
