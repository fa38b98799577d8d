"""The spanning tree: which joints the coordinates follow, and which close the loops by their equations (001 15.5).

Joints with the least freedom are followed first, so that each loop is cut where most freedom is and fewest equations
are needed. What hangs on nothing floats: it gets reference-point coordinates of its own.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...errors import ModelError, Problem
from ...mechanics.scalars import FLOATS, Functions
from ...model.groups import Groups
from ...model.resolved import GROUND, Place, ResolvedJoint, ResolvedModel, shared_points
from ...model.vectors import IDENTITY
from .connection import BALL, SLIDE, Connection, Step, connect, free_connection
from .frames import Frames


@dataclass
class Freedom:
    """One freedom of the tree, in the axes of what it hangs on (all axes are parallel at zero coordinates)."""

    parent: int
    kind: int
    """0 slides, 1 turns, 2 3 4 the three of a ball"""
    q: int
    axis: np.ndarray
    offset: np.ndarray
    pitch: Any = 0


@dataclass
class Limb:
    """A connection as the tree follows it, from parent to child."""

    connection: Connection
    parent: str
    child: str
    backwards: bool
    steps: tuple[Step, ...]
    first: int
    """its first freedom"""

    @property
    def freedom(self) -> int:
        return sum(s.freedom for s in self.steps)


@dataclass
class Mount:
    """How a body is mounted on the freedom that moves it."""

    at: int
    turn: np.ndarray
    """body axes in those of the freedom"""
    origin: np.ndarray
    """the freedom's origin, in body axes"""


@dataclass
class Tree:
    """Freedoms, bodies and names."""

    frames: Frames
    limbs: list[Limb] = field(default_factory=list)
    freedoms: list[Freedom] = field(default_factory=list)
    mounts: dict[str, Mount] = field(default_factory=dict)
    cut: list[ResolvedJoint] = field(default_factory=list)
    """joints that stay equations"""
    q_names: list[str] = field(default_factory=list)
    v_names: list[str] = field(default_factory=list)
    angular: list[bool] = field(default_factory=list)
    """of each velocity: an angle's"""

    def path(self, body: str) -> list[int]:
        """The freedoms that move a body, from the root."""
        out, d = [], self.mounts[body].at
        while d >= 0:
            out.append(d)
            d = self.freedoms[d].parent
        return out[::-1]


def implied_pins(resolved: ResolvedModel) -> list[ResolvedJoint]:
    """In the plane a point that several bodies share is a pin between the first of them and each of the others."""
    if resolved.dimension == 3:
        return []

    def place(body: str, point: str) -> Place:
        return Place(body, resolved.ground[point] if body == GROUND else resolved.bodies[body].points[point], point)

    return [
        ResolvedJoint(f"{p}@{b}", "revolute", (place(first, p), place(b, p)), bodies=(first, b), implied=True)
        for p, first, rest in shared_points(resolved.owners, resolved.bodies) for b in rest
    ]  # fmt: skip


def grow(resolved: ResolvedModel, relative: bool, fn: Functions = FLOATS) -> Tree:
    """The tree of a mechanism: along its joints, or (reference point) every body by itself."""
    frames = Frames.of(resolved, fn)
    tree = Tree(frames)
    joints = [*resolved.joints, *implied_pins(resolved)]
    found = [(j, connect(j, frames)) for j in joints] if relative else []
    followed = [(j, c) for j, c in found if c is not None and j.name not in resolved.opened]
    if relative:
        _check_opened(resolved, frames, found)
    held = {b for _, c in followed if not _slides(c) for b in _particle(c, frames)}
    edges = sorted(followed, key=lambda jc: _freedom(jc[1], frames, held))
    connected = Groups((GROUND, *frames.bodies))
    taken = [c for _, c in edges if connected.join(c.first.body, c.second.body)]
    used = {id(c) for c in taken}
    kept = {j.name for j, c in found if c is not None and id(c) in used}
    tree.cut = [j for j in joints if j.name not in kept]
    tree.mounts[GROUND] = Mount(-1, fn.array(IDENTITY), fn.array((0, 0, 0)))
    at: Neighbours = {}
    for c in taken:
        at.setdefault(c.first.body, []).append((c, c.second.body, False))
        at.setdefault(c.second.body, []).append((c, c.first.body, True))
    _attach(tree, at, GROUND)
    for body in frames.bodies:
        if body not in tree.mounts:
            _hang(tree, free_connection(body, frames), backwards=False)
            _attach(tree, at, body)
    return tree


def _check_opened(
    resolved: ResolvedModel, frames: Frames, found: list[tuple[ResolvedJoint, Connection | None]]
) -> None:
    """A joint can be opened where the others still hold its bodies together: one of each loop."""
    every = {j.name: c for j, c in found}
    opened = [name for name in resolved.opened if name in every]
    connected = Groups((GROUND, *frames.bodies))
    for name, c in every.items():
        if c is not None and name not in opened:
            connected.join(c.first.body, c.second.body)
    problems = []
    for name in opened:
        c = every[name]
        if c is None:
            what, why = f"joint {name!r} cannot be opened", "it is an equation in all coordinates: no tree follows it"
            problems.append(Problem(what, "open_joints", why, "leave it out"))
        elif not connected.together(c.first.body, c.second.body):
            what = f"opening {name!r} would cut the tree"
            why = f"nothing else connects {c.first.body!r} to {c.second.body!r}"
            cure = "open one joint of each loop" + (", and of this one no other" if len(opened) > 1 else "")
            problems.append(Problem(what, "open_joints", why, cure))
    if problems:
        raise ModelError(problems, title=f"model {resolved.name!r}")


def _particle(c: Connection, frames: Frames) -> set[str]:
    """The point mass of a connection between one and a rigid body that moves; a point mass does not turn."""
    ends = {c.first.body, c.second.body} - {GROUND}
    particles = {b for b in ends if frames.is_particle(b)}
    return particles if len(ends) == 2 and len(particles) == 1 else set()


def _slides(c: Connection) -> bool:
    return any(s.kind == SLIDE for s in c.steps)


def _freedom(c: Connection, frames: Frames, held: set[str]) -> int:
    """What a connection leaves free. To a point mass it leads without turns; but what holds one that a body holds, by
    the pin they share, leads on to that body."""
    ends = {c.first.body, c.second.body} - {GROUND}
    particles = {b for b in ends if frames.is_particle(b)}
    if particles and (not particles & held or (_particle(c, frames) and not _slides(c))):
        return sum(s.kind == SLIDE for s in c.steps)
    return c.freedom


Neighbours = dict[str, list[tuple[Connection, str, bool]]]
"""body -> the connections at it, where they lead, and whether backwards"""


def _attach(tree: Tree, at: Neighbours, first: str) -> None:
    """Follow the connections outwards from a body that is placed already, breadth first."""
    waiting = deque([first])
    while waiting:
        for c, there, backwards in at.get(waiting.popleft(), ()):
            if there not in tree.mounts:
                _hang(tree, c, backwards)
                waiting.append(there)


def _hang(tree: Tree, c: Connection, backwards: bool) -> None:
    """Append the freedoms of a connection and mount the outer body on them.

    All axes are those of the freedoms: parallel at zero, so an axis of the joint is the same vector before and after
    its steps, and a connection followed backwards is its steps reversed, with opposite axes.   [T.2]
    """
    here, there = (c.second, c.first) if backwards else (c.first, c.second)
    array, nothing = tree.frames.fn.array, tree.frames.fn.array((0, 0, 0))
    mount = tree.mounts[here.body]
    to_joint = mount.turn @ array(here.axes)
    zero = array(c.zero)
    joint = to_joint @ zero.T if backwards else to_joint  # axes of the first end
    turn = (joint if backwards else joint @ zero) @ array(there.axes).T
    steps = tuple(reversed(c.steps)) if backwards else c.steps
    if there.body != GROUND and tree.frames.is_particle(there.body):
        steps = tuple(s for s in steps if s.kind == SLIDE)  # a point mass does not turn
    first = len(tree.freedoms)
    parent = mount.at
    offset = mount.turn @ (array(here.point) - mount.origin)
    if here.body == GROUND:
        offset = array(here.point)
    sign = -1 if backwards else 1
    for step in steps:
        axis = sign * (joint @ array(step.axis))
        q = len(tree.q_names)
        if step.kind == BALL:
            stem = step.name
            tree.q_names += [f"{stem}.p{k}" for k in range(4)]
            tree.v_names += [f"{stem}.w{k}" for k in "xyz"]
            tree.angular += [True] * 3
            for k in range(3):
                tree.freedoms.append(Freedom(parent, 2 + k, q, array(IDENTITY[k]), offset))
                parent, offset = len(tree.freedoms) - 1, nothing
            continue
        tree.q_names.append(step.name)
        tree.v_names.append(step.name)
        tree.angular.append(step.kind != SLIDE)
        # a screw runs the same way from either end, so its lead keeps its sign with the axis reversed
        tree.freedoms.append(Freedom(parent, 0 if step.kind == SLIDE else 1, q, axis, offset, step.pitch))
        parent, offset = len(tree.freedoms) - 1, nothing
    origin = array(there.point)
    if not steps:  # welded: it sits on the same freedom, at the same origin
        at_origin = mount.origin if here.body != GROUND else nothing
        origin = origin + turn.T @ (mount.turn @ (at_origin - array(here.point)))
    tree.mounts[there.body] = Mount(parent, turn, origin)
    tree.limbs.append(Limb(c, here.body, there.body, backwards, steps, first))
