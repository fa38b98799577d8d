"""Models in space: what is theirs alone. Drivers, forces and couplings are resolved as in the plane."""

from __future__ import annotations

from ...either import in_space
from ...model import Model
from ...resolved import ResolvedJoint
from ..problems import Problems
from ..scalars import Scalars
from .aiming import aim_bars
from .bodies import resolve_bodies
from .context import SpaceContext
from .coordinates import resolve_coordinates
from .freedoms import joint_coordinates
from .guesses import find_guesses
from .implied import implied_joints
from .joints import resolve_joints

__all__ = ["resolve_space"]


def resolve_space(model: Model, problems: Problems, scalars: Scalars) -> tuple[SpaceContext, tuple[ResolvedJoint, ...]]:
    """Bodies, joints between them and coordinates of a spatial model."""
    items, wrong = in_space(model)
    for problem in wrong:
        problems.add(problem.what, problem.where, problem.why, problem.cure)
    ctx = SpaceContext(model, problems, scalars, axes="xyz", items=items)
    ctx.refused |= model.joints.keys() - items.joints.keys()
    resolve_bodies(ctx)
    resolve_joints(ctx)
    if aim_bars(ctx):
        ctx.joints.clear()  # they are where the bars are now
        resolve_joints(ctx)
    find_guesses(ctx)
    implied = implied_joints(ctx)
    joint_coordinates(ctx)
    resolve_coordinates(ctx)
    ctx.name_directions()
    ctx.forget_marks()
    return ctx, (*ctx.joints.values(), *implied)
