"""The same position and velocity in other coordinates: what one set says about the bodies, another can say, too."""

from __future__ import annotations

import numpy as np

from ...coordinates.tree.from_poses import from_posture, keep_turns
from ...model.resolved import Direction, Place
from ...system.system import System


def in_coordinates(system: System, full: System, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A position and velocity of one system of a mechanism in the coordinates of another."""
    return (on_tree if system.is_tree else on_points)(system, full, q, v)


def on_points(system: System, full: System, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """On the points and vectors of natural coordinates."""
    q0, v0 = np.zeros(system.n), np.zeros(system.n)
    here, natural, frames = full.posture(q, v), system.equations.exploded, full.equations.exploded
    size = system.resolved.dimension
    for k, e in enumerate(natural.layout.order):
        if e.kind == "point":
            x, xd, _ = here.place(Place(e.body, e.local, e.name))
        else:
            x, xd, _ = here.vector(frames.direction(Direction(e.body, e.local)))
        q0[size * k : size * (k + 1)], v0[size * k : size * (k + 1)] = x[0], xd[0]
    _carry(system, full, q, v, q0, v0)
    return q0, v0


def on_tree(system: System, full: System, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """In the coordinates of a tree, with the whole turns that its angles have made."""
    tree_q, tree_v, _ = from_posture(system, full.posture(q, v))
    q0, v0 = tree_q[0], tree_v[0]
    _carry(system, full, q, v, q0, v0)
    keep_turns(system, tree_q, lambda name: full.value(name, q, v)[0])
    return q0, v0


def _carry(system: System, full: System, q: np.ndarray, v: np.ndarray, q0: np.ndarray, v0: np.ndarray) -> None:
    """Relative coordinates among the variables."""
    for name in system.equations.carried:
        value, rate, _ = full.value(name, q, v)
        q0[system.q_names.index(name)] = float(value[0])
        v0[system.v_names.index(name)] = float(rate[0])


def largest_change(system: System, q: np.ndarray, before: np.ndarray) -> float:
    """The largest change of a coordinate: of lengths in units of the mechanism; numbers of quaternions as they are."""
    unit = system.unit
    if system.nq != system.n:
        lengths = {name for name, turns in zip(system.v_names, system.equations.angular, strict=True) if not turns}
        unit = np.array([system.size if name in lengths else 1.0 for name in system.q_names])
    return float(np.abs((q - before) / unit).max(initial=0.0))
