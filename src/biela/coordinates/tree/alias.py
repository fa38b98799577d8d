"""Relative coordinates that a tree has already: x = scale q + offset of one of its own coordinates."""

from __future__ import annotations

from math import pi
from typing import Any

from ...mechanics.scalars import Functions
from ...model.resolved import Direction, ResolvedCoordinate, ResolvedLine
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
    if c.type == "angle" and tree.frames.dimension == 2:
        return _planar_angle(tree, c)
    return None


def _extra(tree: Tree, name: str, own: str, scale: Any = 1, offset: Any = 0) -> Extra:
    return Extra(name, tree.q_names.index(own), tree.v_names.index(own), scale, offset)


def _planar_angle(tree: Tree, c: ResolvedCoordinate) -> Extra | None:
    """In the plane: lines of two bodies that one turn of the tree connects, with slides at most beside it."""
    fn = tree.frames.fn
    ends = [_line(line, fn) for line in c.lines]
    if None in ends:
        return None
    (base, zero), (body, aim) = ends  # type: ignore[misc]
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


def _line(line: ResolvedLine, fn: Functions) -> tuple[str, Any] | None:
    """Body and angle of a line to the body's x axis."""
    v = line.vector
    if isinstance(v, Direction):
        return v.body, fn.atan2(v.local[1], v.local[0])
    if v.start.body != v.end.body or not v.start.body:
        return None
    return v.start.body, fn.atan2(v.end.local[1] - v.start.local[1], v.end.local[0] - v.start.local[0])
