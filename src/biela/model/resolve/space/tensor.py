"""Inertia tensors: how they are built, and which can belong to a body."""

from __future__ import annotations

import math

from ...resolved import Matrix, Number, Vec
from . import vectors as v
from .context import TINY, SpaceContext


def diagonal(values: Vec) -> Matrix:
    """
    >>> diagonal((1, 2, 3))
    ((1, 0, 0), (0, 2, 0), (0, 0, 3))
    """
    zero = values[0] * 0
    return (values[0], zero, zero), (zero, values[1], zero), (zero, zero, values[2])


def axial(across: Number, about: Number, axis: Vec) -> Matrix:
    """The tensor of a body of revolution (or as symmetric as one): `about` a unit axis, and `across` it.

    >>> axial(5, 2, (0, 0, 1))
    ((5, 0, 0), (0, 5, 0), (0, 0, 2))
    """
    base, more = diagonal((across,) * 3), v.outer(axis, axis)
    rows = [v.add(base[k], v.scale(about - across, more[k])) for k in range(3)]
    return rows[0], rows[1], rows[2]


def check_tensor(ctx: SpaceContext, body: str, tensor: Matrix, where: str) -> None:
    """Report a tensor that no distribution of mass has: not symmetric, negative, or against the triangle.

    Each principal moment is a sum of two second moments of mass, so it is at most the sum of the others.
    """
    values = [ctx.scalars.vector(row) for row in tensor]
    if not all(math.isfinite(x) for row in values for x in row):
        return  # reported already
    size = max(abs(x) for row in values for x in row)
    for k, l in ((0, 1), (0, 2), (1, 2)):
        if abs(values[k][l] - values[l][k]) > TINY * size:
            what = f"the inertia of {body!r} is not symmetric"
            names = f"I{'xyz'[k]}{'xyz'[l]}", f"I{'xyz'[l]}{'xyz'[k]}"
            why = f"{names[0]} = {values[k][l]:g}, {names[1]} = {values[l][k]:g}"
            ctx.problems.add(what, where, why, "give the same product of inertia (with its sign) on both sides")
            return
    import numpy as np

    small, middle, large = (float(x) for x in np.linalg.eigvalsh(np.array(values)))
    told = f"its principal moments are {small:g}, {middle:g} and {large:g} kg m^2"
    if small < -TINY * size:
        what = f"the inertia of {body!r} is negative about some axis"
        cure = "give the tensor about the centre of mass; off the diagonal Ixy = -(integral of x y dm)"
        ctx.problems.add(what, where, told, cure)
    elif small + middle < large * (1 - TINY):
        what = f"no body has the inertia of {body!r}"
        why = f"{told}, and {large:g} > {small:g} + {middle:g}"
        ctx.problems.add(what, where, why, "each moment is at most the sum of the other two: check the numbers")
