"""Forces: what each acts on, and by which law."""

from __future__ import annotations

from ..resolved import ResolvedForce
from .context import Context
from .force_reader import ForceReader


def resolve_forces(ctx: Context) -> tuple[ResolvedForce, ...]:
    """All the forces that make sense; what is wrong with the others is reported."""
    readers = [ForceReader(ctx, name, item) for name, item in ctx.model.forces.items()]
    return tuple(force for read in readers for force in read.item.resolve(read))
