"""All the positions of rest of a mechanism with one freedom: its whole path is followed, and every place where the
force along the path changes sign is one.   [E.6]

Dead points of this or that coordinate do not matter: the path is followed by its own length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import overload

import numpy as np

from ...errors import MethodError, Problem, so_many
from ...kernels.calls_from_python import count_turns
from ...model.model import Model
from ...system.system import System
from ..instant import wind_springs
from ..kinematics.path import Curve, Node, Path, follow, node_at
from ..quantities import body_angles, point_components
from .balance import Balance, find_balance, local_stiffness
from .equilibrium import Equilibrium, as_equilibrium

FLAT = 1e-10
"""a force below this share of what it is made of is none"""
FAR = 0.2
"""sizes of the mechanism: a balance farther from where it was sought is another one"""


@dataclass
class Equilibria(Sequence[Equilibrium]):
    """Positions of rest, in the order in which the path meets them, the ends of the path, and what is not covered."""

    found: list[Equilibrium]
    closed: bool
    """the path comes back to its start"""
    length: float
    """of the path, in sizes of the mechanism"""
    family: bool
    """every position of the path is one"""
    notes: list[str] = field(default_factory=list)

    @overload
    def __getitem__(self, k: int) -> Equilibrium: ...
    @overload
    def __getitem__(self, k: slice) -> list[Equilibrium]: ...
    def __getitem__(self, k):
        return self.found[k]

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[Equilibrium]:
        return iter(self.found)

    def distinguishing(self) -> list[str]:
        """Coordinates to tell the positions by: those that the model declares, else angles of bodies, else points."""
        if not self.found:
            return []
        first, resolved = self.found[0], self.found[0].system.resolved
        every = [c for c in resolved.coordinates.values() if c.type != "term"]
        names = [c.name for c in every if c.joint is None]
        names += [c.name for c in every if c.joint is not None and resolved.dimension == 3]
        names = names or [name for name in body_angles(resolved) if name in first] or point_components(resolved)
        return names[:3]

    def report(self) -> str:
        """What was found, in words."""
        path = "a closed path" if self.closed else "an open path"
        lines = [f"{so_many(len(self), 'position of rest')} on {path} of {self.length:.3g} sizes of the mechanism"]
        for k, e in enumerate(self.found):
            values = ", ".join(f"{n} = {float(e[n][0]):.9g} {e.unit(n)}" for n in self.distinguishing())
            lines.append(f"{k}: {values}: {e.stability}")
        return "\n".join(lines + self.notes)


def positions(system: System, q: np.ndarray, t: float, reach: float, model: Model | None) -> Equilibria:
    """Follow the path through q and find all its balances."""
    freedom = system.n - system.rank
    if freedom != 1:
        raise MethodError(
            Problem(
                f"all positions of rest are found for one freedom; this has {freedom}",
                where=system.name,
                why="with one freedom there is a path to follow; with more there is none",
                cure="drive the other coordinates, or look for one position at a time from other starts",
            )
        )
    wind_springs(system)
    path = follow(system, q, t, reach)
    notes = list(path.notes)
    scale = max((n.scale for n in path.nodes), default=0.0)
    if all(abs(n.force) <= FLAT * max(scale, 1e-300) for n in path.nodes):
        only = as_equilibrium(system, Balance(local_stiffness(system, q, t), True, 0, 0.0), t, model)
        notes.insert(0, "note: no force acts along the path: every position of it is an equilibrium")
        return Equilibria([only], path.closed, path.length, True, notes)
    found: list[Equilibrium] = []
    for node, within in _candidates(Curve(system, t), path, scale):
        system.arrays.wound[:] = node.wound
        system.at(node.q, None, t)
        count_turns(system.header)
        at = find_balance(system, node.q, t, stable=False)  # to the last digit
        near = 1e-6 * max(system.size, 1.0)
        known = any(float(np.abs(at.here.q - other.q[0]).max(initial=0.0)) < near for other in found)
        if at.converged and at.distance <= within and not known:
            found.append(as_equilibrium(system, at, t, model))
    return Equilibria(found, path.closed, path.length, False, notes)


def _candidates(curve: Curve, path: Path, scale: float) -> Iterator[tuple[Node, float]]:
    """Nodes near a balance, and how far it may be: where the force vanishes, changes its sign, or touches zero."""
    nodes = path.nodes
    for a, b in pairwise(nodes):
        if abs(a.force) <= FLAT * scale:
            yield a, FAR
        elif a.force * b.force < 0:
            yield _crossing(curve, a, b), FAR
    if not path.closed and nodes and abs(nodes[-1].force) <= FLAT * scale:
        yield nodes[-1], FAR
    for before, here, after in zip(nodes, nodes[1:], nodes[2:], strict=False):
        touching = before.force * here.force > 0 < here.force * after.force
        if touching and abs(here.force) < min(abs(before.force), abs(after.force)) and abs(here.force) < 1e-2 * scale:
            yield here, 3 * here.step


def _crossing(curve: Curve, a: Node, b: Node) -> Node:
    """Between two nodes, where the force along the path vanishes: regula falsi, Illinois."""
    node, low, high, fl, fh = a, 0.0, 1.0, a.force, b.force
    for _ in range(60):
        s = (low * fh - high * fl) / (fh - fl)
        made = node_at(curve, a, s)
        if made is None:
            break
        node = made
        if node.force == 0 or high - low < 1e-12 or abs(node.force) < 1e-13 * node.scale:
            break
        if node.force * fh < 0:
            low, fl, high, fh = high, fh, s, node.force
        else:
            fl *= 0.5
            high, fh = s, node.force
    return node
