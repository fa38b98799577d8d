"""Joints: what each holds together, as places, lines and values. Each type says it in its own file, `model/joints`."""

from __future__ import annotations

from ..joints.joint import Coupling, PlaneJoint
from ..resolved import ResolvedJoint
from .context import Context
from .joint_reader import CouplingReader, JointReader


def resolve_joints(ctx: Context) -> tuple[ResolvedJoint, ...]:
    """The joints of bodies that make sense; what is wrong with the others is reported."""
    found = {
        name: item.resolve(JointReader(ctx, name, item))
        for name, item in ctx.model.joints.items()
        if isinstance(item, PlaneJoint)
    }
    ctx.refused |= {name for name, joint in found.items() if joint is None}
    return tuple(joint for joint in found.values() if joint is not None)


def resolve_couplings(ctx: Context) -> tuple[ResolvedJoint, ...]:
    """The joints of coordinates that make sense, after the coordinates they name.

    What they speak of becomes part of the equations, as that of drivers and forces does.
    """
    items = [(name, item) for name, item in ctx.model.joints.items() if isinstance(item, Coupling)]
    found = [item.resolve(CouplingReader(ctx, name, item)) for name, item in items]
    return tuple(joint for joint in found if joint is not None)
