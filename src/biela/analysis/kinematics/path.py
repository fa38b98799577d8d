"""The path of a mechanism with one freedom: followed by its own length, through dead points, until it closes."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from ...coordinates.tree.from_poses import axial, body_motion
from ...kernels.calls_from_python import count_turns
from ...model.resolved import Place
from ...system.system import System
from ..check.mobility import merged_rows, scaled_jacobian
from ..check.singularity import describe_singularity
from ..minimal.chart import Split

LONGEST, SHORTEST = 0.04, 1e-6
"""steps: sizes of the mechanism, or radians"""
BEND = 0.15
"""rad that the path may turn in one step"""


# --------------------------------------------------------------------------------------------- one step along a curve
class Curve:
    """The positions that some rows (by default all) leave to a mechanism with one freedom, beside idle spins of bodies,
    which are held."""

    def __init__(self, system: System, t: float, keep: np.ndarray | None = None, idle: tuple[str, ...] = ()):
        self.system, self.t, self.idle = system, t, idle
        self.keep = np.ones(system.m, dtype=bool) if keep is None else keep
        copies = system.equations.exploded.copies
        self.weights = np.array([1.0 if part.startswith((".", "^")) else 1.0 / system.size for _, part, _ in copies])
        """of the variables of the bodies: points count in sizes of the mechanism, directions as they are"""

    def tangent(self, q: np.ndarray, before: np.ndarray | None = None) -> np.ndarray:
        """The direction of the curve at q, onwards from that of the position before: a velocity in which no point moves
        by more than the size of the mechanism, no body turns by more than a radian, and something does."""
        system = self.system
        rows = np.vstack([scaled_jacobian(system, q, self.t)[self.keep], spin_rows(system, q, self.idle)])
        _, s, Vt = np.linalg.svd(rows)
        y, rank = Vt[-1], system.n - 1
        if before is not None:
            known = before / system.unit
            if rank and s[rank - 1] < 1e-6:  # branches meet here: straight on
                y = known
            y = y if float(y @ known) > 0 else -y
        v = y * system.unit
        return v / float(np.abs(system.posture(q, v).xd[0] * self.weights).max(initial=1e-300))  # type: ignore[index]

    def ahead(self, q: np.ndarray, tangent: np.ndarray, h: float) -> tuple[np.ndarray, np.ndarray] | None:
        """The position and the direction a step h further on; None where that leads off the curve."""
        unit = self.system.unit
        found = self._corrected(self.system.displaced(q, h * tangent), tangent)
        if found is None:
            return None
        reached, off = found
        after = self.tangent(reached, tangent)
        a, b = after / unit, tangent / unit
        turn = float(a @ b) / float(np.linalg.norm(a) * np.linalg.norm(b))
        if off > 0.3 * abs(h) * float(np.abs(b).max()) + 1e-12 or turn < np.cos(BEND):
            return None
        return reached, after

    def _corrected(self, q: np.ndarray, tangent: np.ndarray) -> tuple[np.ndarray, float] | None:
        """Back onto the curve, across its direction; and how far off it was.

        Off the curve, rows that are redundant on it contradict one another a little: least squares over all of them,
        with the direction held, is not misled by that.
        """
        system, unit, total, before = self.system, self.system.unit, 0.0, np.inf
        held = np.vstack([(tangent / unit**2)[None, :], spin_rows(system, q, self.idle) / unit])
        for k in range(15):
            at = system.at(q, None, self.t)
            split = Split.of(system, at.B[self.keep], held, self.keep)
            d = split.solve(-at.Phi[self.keep], np.zeros(len(held)))
            size = float(np.abs(d / unit).max(initial=0.0))
            if not np.isfinite(size) or size > 1.0 or (k > 3 and size > before):
                return (q, total) if before < 1e-11 else None
            if size < 1e-14 or (size < 1e-11 and size > 0.3 * before):
                return q, total
            total, before = total + size, size
            q = system.displaced(q, d)
        return None


def spin_rows(system: System, q: np.ndarray, idle: tuple[str, ...]) -> np.ndarray:
    """For each body that spins idly the change of q when it alone does, of length one: what no row feels."""
    if not idle:
        return np.zeros((0, system.n))
    spins = np.linalg.svd(scaled_jacobian(system, q))[2][-len(idle) :]
    here = system.posture(np.repeat(q[None, :], len(idle), axis=0), spins * system.unit)
    rates = np.zeros((len(idle), len(idle)))
    for k, name in enumerate(idle):
        body = system.resolved.bodies[name]
        places = [here.place(Place(name, local, point))[0][0] for point, local in body.points.items()]
        places.append(here.vector(system.equations.exploded.center(name))[0][0])
        axis = max((p - places[0] for p in places), key=lambda d: float(d @ d))
        R, Rd, _ = body_motion(here, name).R
        w = axial(Rd @ np.swapaxes(R, 1, 2))
        rates[:, k] = w @ axis
    alone = np.linalg.lstsq(rates, spins, rcond=None)[0]
    length = np.linalg.norm(alone, axis=1)
    return alone / np.where(length > 0.0, length, 1.0)[:, None]


# ----------------------------------------------------------------------------------------------------- the whole path
@dataclass
class Node:
    """A position on the path."""

    q: np.ndarray
    tangent: np.ndarray
    force: float
    """along the path"""
    scale: float
    """what that force is made of, without signs"""
    step: float
    """to the next node"""
    wound: np.ndarray
    """torsion springs"""
    sign: float = 0.0
    """of the determinant of the constraints and the path: changes where branches meet"""


@dataclass
class Path:
    """Nodes in order; where it closes, the last one is next to the first."""

    nodes: list[Node]
    closed: bool
    length: float
    notes: list[str] = field(default_factory=list)


def follow(system: System, q: np.ndarray, t: float, reach: float) -> Path:
    """In both directions from q, until it closes, ends, or has gone as far as `reach` says."""
    curve = Curve(system, t)
    first = _node(curve, q, curve.tangent(q))
    ahead, closed, ended, length = _one_direction(curve, first, reach)
    notes = _crossing_branches(system, ahead)
    if closed:
        return Path(ahead, True, length, [*notes, _ONE_BRANCH])
    system.arrays.wound[:] = first.wound
    system.at(q, None, t)
    count_turns(system.header)
    backwards = Node(q, -first.tangent, -first.force, first.scale, 0.0, first.wound.copy(), -first.sign)
    behind, _, ended_too, more = _one_direction(curve, backwards, reach)
    notes += _crossing_branches(system, behind)
    for node in behind:
        node.tangent, node.force = -node.tangent, -node.force
    if not (ended and ended_too):
        notes.append(f"note: the path continues beyond {reach:g} sizes of the mechanism; it was not searched there")
    return Path(_reversed(behind) + ahead, False, length + more, [*notes, _ONE_BRANCH])


_ONE_BRANCH = "note: positions of another assembly are among these only if the path leads there"


def _reversed(behind: list[Node]) -> list[Node]:
    """The nodes behind the start in the order of those ahead of it, without the start."""
    for nearer, node in reversed(list(pairwise(behind))):
        node.step = nearer.step  # what led away from the start now leads towards it
    return behind[:0:-1]


def _one_direction(curve: Curve, first: Node, reach: float) -> tuple[list[Node], bool, bool, float]:
    """Nodes, whether the path closed, whether it ended, and its length."""
    system, nodes, h, length = curve.system, [first], 0.5 * LONGEST, 0.0
    start = system.posture(first.q).x[0]
    left = False
    while length < reach:
        here = nodes[-1]
        here.step = h
        after = node_at(curve, here, 1.0)
        if after is None:
            h *= 0.5
            if h < SHORTEST:
                return nodes, False, True, length
            continue
        there, last = system.posture(after.q).x[0], system.posture(here.q).x[0]
        stride = float(np.linalg.norm(there - last))
        away = float(np.linalg.norm(there - start))
        if not left:
            left = away > 3 * stride
        elif away < 1.2 * stride and float((start - last) @ (there - last)) > 0:
            back = _back_at_start(curve, here, first, start, max(n.scale for n in nodes))
            if back is not None:
                nodes.append(back)
                return nodes, True, True, length + h * float(np.linalg.norm(start - last)) / max(stride, 1e-300)
        system.at(after.q, None, curve.t)
        count_turns(system.header)
        after.wound = system.arrays.wound.copy()
        nodes.append(after)
        length += h
        h = min(1.3 * h, LONGEST)
    return nodes, False, False, length


def _back_at_start(curve: Curve, here: Node, first: Node, start: np.ndarray, scale: float) -> Node | None:
    """The start as the path comes back to it; None if a spring has been wound up on the way: it is not the same."""
    system = curve.system
    low, high = 0.0, 1.3
    for _ in range(60):  # nearest place to the start along the last step
        a, b = low + (high - low) / 3, high - (high - low) / 3
        made = [node_at(curve, here, s) for s in (a, b)]
        if made[0] is None or made[1] is None:
            return None
        da, db = (float(np.linalg.norm(system.posture(n.q).x[0] - start)) for n in made if n is not None)
        low, high = (low, b) if da < db else (a, high)
    node = node_at(curve, here, 0.5 * (low + high))
    if node is None or float(np.linalg.norm(system.posture(node.q).x[0] - start)) > 1e-5 * max(system.size, 1.0):
        return None
    if abs(node.force - first.force) > 1e-5 * scale:
        return None
    node.step = 0.0
    here.step = here.step * 0.5 * (low + high)
    return node


def node_at(curve: Curve, node: Node, share: float) -> Node | None:
    """A share of the step beyond a node; None where that leads off the path."""
    curve.system.arrays.wound[:] = node.wound  # springs count their turns from here
    found = curve.ahead(node.q, node.tangent, share * node.step)
    return None if found is None else _node(curve, *found)


def _node(curve: Curve, q: np.ndarray, tangent: np.ndarray) -> Node:
    system, t = curve.system, curve.t
    rows, _, _ = merged_rows(system, q, scaled_jacobian(system, q, t))
    square = np.vstack([rows, tangent / system.unit])
    sign = float(np.sign(np.linalg.det(square))) if square.shape[0] == square.shape[1] else 0.0
    Q = system.at(q, None, t).Q
    wound = system.arrays.wound.copy()
    return Node(q, tangent, float(Q @ tangent), float(np.abs(Q * tangent).sum()), 0.0, wound, sign)


def _crossing_branches(system: System, nodes: list[Node]) -> list[str]:
    """Places where another branch crosses the path."""
    out = []
    for a, b in pairwise(nodes):
        if a.sign * b.sign < 0:
            where = describe_singularity(system, a.q, None).split(" (smallest")[0]
            out.append(f"note: another branch crosses the path and was not followed: {where}")
    return list(dict.fromkeys(out))
