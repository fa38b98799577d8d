"""Which joints the user wants to open, so that relative coordinates follow all the others of a loop (001 15.5)."""

from __future__ import annotations

from ..resolved import GROUND, ResolvedJoint
from .context import Context
from .naming import did_you_mean


def opened_joints(ctx: Context, joints: tuple[ResolvedJoint, ...]) -> tuple[str, ...]:
    """Their names; a pin of the plane is named by its point, or as "P@body", the pin of that body."""
    pins: dict[str, list[str]] = {}
    if not ctx.in_space:
        for point, owners in ctx.owners.items():
            if len(owners) > 1:  # the first holds the others: the ground, or else a rigid body
                order = sorted(owners, key=lambda b: (b != GROUND, b != GROUND and ctx.bodies[b].particle))
                pins[point] = [f"{point}@{body}" for body in order[1:]]
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
