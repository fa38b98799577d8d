"""The path of a mechanism with one freedom: followed by its own length, through dead points, until it closes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from ...kernels.calls_from_python import count_turns
from ...system.system import System
from ..check.mobility import merged_rows, scaled_jacobian
from ..check.singularity import describe_singularity
from ..minimal.chart import Split, null_space

LONGEST, SHORTEST = 0.04, 1e-6
"""steps: sizes of the mechanism, or radians"""
BEND = 0.15
"""rad that the path may turn in one step"""


@dataclass
class Node:
    """A position on the path."""

    q: np.ndarray
    way: np.ndarray
    """direction of the path: a velocity in which no point moves by more than the size of the mechanism, no body turns
    by more than a radian, and something does"""
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

    def pieces(self) -> Iterator[tuple[Node, Node]]:
        yield from pairwise(self.nodes)


def follow(system: System, q: np.ndarray, t: float, reach: float) -> Path:
    """Both ways from q, until it closes, ends, or has gone as far as `reach` says."""
    first = _node(system, q, None, t)
    ahead, closed, ended, length = _one_way(system, first, t, reach)
    notes = _meetings(system, ahead, t)
    if closed:
        return Path(ahead, True, length, [*notes, _ONE_BRANCH])
    system.arrays.wound[:] = first.wound
    system.at(q, None, t)
    count_turns(system.header)
    back_first = Node(q, -first.way, -first.force, first.scale, 0.0, first.wound.copy(), -first.sign)
    behind, _, ended_too, more = _one_way(system, back_first, t, reach)
    notes += _meetings(system, behind, t)
    for node in behind:
        node.way, node.force = -node.way, -node.force
    nodes = _turned_round(behind) + ahead
    if not (ended and ended_too):
        notes.append(f"note: the path continues beyond {reach:g} sizes of the mechanism; it was not searched there")
    return Path(nodes, False, length + more, [*notes, _ONE_BRANCH])


_ONE_BRANCH = "note: positions of another assembly are among these only if the path leads there"


def _turned_round(behind: list[Node]) -> list[Node]:
    """The nodes of the way back in the order of the way forth, without the start."""
    for nearer, node in reversed(list(pairwise(behind))):
        node.step = nearer.step  # what led away from the start now leads towards it
    return behind[:0:-1]


def _one_way(system: System, first: Node, t: float, reach: float) -> tuple[list[Node], bool, bool, float]:
    """Nodes, whether the path closed, whether it ended, and its length."""
    nodes, h, length = [first], 0.5 * LONGEST, 0.0
    start = system.posture(first.q).x[0]
    left = False
    while length < reach:
        here = nodes[-1]
        here.step = h
        after = node_at(system, here, 1.0, t)
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
            home = _home(system, here, first, start, t, max(n.scale for n in nodes))
            if home is not None:
                nodes.append(home)
                return nodes, True, True, length + h * float(np.linalg.norm(start - last)) / max(stride, 1e-300)
        system.at(after.q, None, t)
        count_turns(system.header)
        after.wound = system.arrays.wound.copy()
        nodes.append(after)
        length += h
        h = min(1.3 * h, LONGEST)
    return nodes, False, False, length


def _home(system: System, here: Node, first: Node, start: np.ndarray, t: float, scale: float) -> Node | None:
    """The start as the path comes back to it; None if a spring has been wound up on the way: it is not the same."""
    low, high = 0.0, 1.3
    for _ in range(60):  # nearest place to the start along the last step
        a, b = low + (high - low) / 3, high - (high - low) / 3
        made = [node_at(system, here, s, t) for s in (a, b)]
        if made[0] is None or made[1] is None:
            return None
        da, db = (float(np.linalg.norm(system.posture(n.q).x[0] - start)) for n in made if n is not None)
        low, high = (low, b) if da < db else (a, high)
    node = node_at(system, here, 0.5 * (low + high), t)
    if node is None or float(np.linalg.norm(system.posture(node.q).x[0] - start)) > 1e-5 * max(system.size, 1.0):
        return None
    if abs(node.force - first.force) > 1e-5 * scale:
        return None
    node.step = 0.0
    here.step = here.step * 0.5 * (low + high)
    return node


def node_at(system: System, node: Node, share: float, t: float) -> Node | None:
    """A share of the step beyond a node; None where that leads off the path."""
    h = share * node.step
    system.arrays.wound[:] = node.wound  # springs count their turns from here
    found = _corrected(system, system.displaced(node.q, h * node.way), node.way, t)
    if found is None:
        return None
    q, off = found
    after = _node(system, q, node.way, t)
    a, b = after.way / system.unit, node.way / system.unit
    turn = float(a @ b) / float(np.linalg.norm(a) * np.linalg.norm(b))
    if off > 0.3 * abs(h) * float(np.abs(b).max()) + 1e-12 or turn < np.cos(BEND):
        return None
    return after


def _corrected(system: System, q: np.ndarray, way: np.ndarray, t: float) -> tuple[np.ndarray, float] | None:
    """Back onto the path, across the way it goes; and how far off it was.

    Off the path, rows that are redundant on it contradict one another a little: least squares over all of them, with
    the way held, is not misled by that.
    """
    unit, total, before = system.unit, 0.0, np.inf
    row = (way / unit**2)[None, :]
    for k in range(15):
        at = system.at(q, None, t)
        d = Split.of(system, at.B, row).solve(-at.Phi, np.zeros(1))
        size = float(np.abs(d / unit).max(initial=0.0))
        if not np.isfinite(size) or size > 1.0 or (k > 3 and size > before):
            return (q, total) if before < 1e-11 else None
        if size < 1e-14 or (size < 1e-11 and size > 0.3 * before):
            return q, total
        total, before = total + size, size
        q = system.displaced(q, d)
    return None


def _weights(system: System) -> np.ndarray:
    """Of the variables of the bodies: points count in sizes of the mechanism, directions as they are."""
    copies = system.equations.exploded.copies
    return np.array([1.0 if part.startswith((".", "^")) else 1.0 / system.size for _, part, _ in copies])


def _node(system: System, q: np.ndarray, before: np.ndarray | None, t: float) -> Node:
    at = system.at(q, None, t)
    N, least = null_space(system, at.B)
    y = N[:, 0] / system.unit
    if before is not None:
        known = before / system.unit
        if least < 1e-6:  # branches meet here: straight on
            y = known
        y = y if float(y @ known) > 0 else -y
    way = y * system.unit
    way = way / float(np.abs(system.posture(q, way).xd[0] * _weights(system)).max(initial=1e-300))  # type: ignore[index]
    rows, _, _ = merged_rows(system, q, scaled_jacobian(system, q, t))
    square = np.vstack([rows, y])
    sign = float(np.sign(np.linalg.det(square))) if square.shape[0] == square.shape[1] else 0.0
    at = system.at(q, None, t)
    return Node(q, way, float(at.Q @ way), float(np.abs(at.Q * way).sum()), 0.0, system.arrays.wound.copy(), sign)


def _meetings(system: System, nodes: list[Node], t: float) -> list[str]:
    """Places where another branch crosses the path."""
    out = []
    for a, b in pairwise(nodes):
        if a.sign * b.sign < 0:
            out.append(f"note: another branch crosses the path and was not followed: {_told(system, a.q)}")
    return list(dict.fromkeys(out))


def _told(system: System, q: np.ndarray) -> str:
    return describe_singularity(system, q, None).split(" (smallest")[0]
