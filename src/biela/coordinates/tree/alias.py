"""Relative coordinates that a tree has already: x = scale q + offset of one of its own coordinates."""

from __future__ import annotations

from math import pi
from typing import Any

from ...model.resolved import ResolvedCoordinate
from .connection import TURN
from .lists import Extra
from .spanning import Tree


def alias(tree: Tree, c: ResolvedCoordinate) -> Extra | None:
    """The tree's own coordinate that a relative coordinate is, if there is one."""
    if c.joint is not None and c.name in tree.q_names:
        return _extra(tree, c.name, c.name)
    if c.joint is not None and c.type == "position":  # the advance of a screw
        for limb in tree.limbs:
            if limb.connection.joint == c.joint and limb.steps and limb.steps[0].pitch != 0:
                return _extra(tree, c.name, limb.steps[0].name, limb.steps[0].pitch)
    if c.type == "angle" and len(c.lines) == 2:
        return _planar_angle(tree, c)
    return None


def _extra(tree: Tree, name: str, own: str, scale: Any = 1, offset: Any = 0) -> Extra:
    return Extra(name, tree.q_names.index(own), tree.v_names.index(own), scale, offset)


def _planar_angle(tree: Tree, c: ResolvedCoordinate) -> Extra | None:
    """In the plane: lines of two bodies that one turn of the tree connects, with slides at most beside it."""
    fn = tree.frames.fn
    first, second = (line.in_body() for line in c.lines)
    if first is None or second is None:
        return None
    (base, zero), (body, aim) = ((name, fn.atan2(u[1], u[0])) for name, u in (first, second))
    for limb in tree.limbs:
        if {limb.parent, limb.child} != {base, body}:
            continue
        turns = [s for s in limb.steps if s.kind == TURN]
        if len(turns) != 1:
            return None
        # angle of the child against the parent: +-q beyond that of the joint at zero
        sign = (-1 if limb.backwards else 1) * (1 if limb.child == body else -1)
        R = tree.mounts[limb.parent].turn.T @ tree.mounts[limb.child].turn
        still = fn.atan2(R[1, 0], R[0, 0]) * (1 if limb.child == body else -1)
        offset = still + aim - zero
        offset = offset - 2 * fn.pi * round(fn.value(offset) / (2 * pi))
        return _extra(tree, c.name, turns[0].name, sign, offset)
    return None
