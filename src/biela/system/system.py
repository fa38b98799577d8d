"""The system: the equations of one mechanism in one set of coordinates, and nothing else.

    M(q) v' + Phi_q^T lam = Q(q, v, t),    Phi(q, t) = 0

Formulations and integrators see only its arrays. `System` adds names, and access from Python.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import atan2, cos, sin, sqrt
from typing import Any

import numpy as np

from ..errors import AssemblyError, Problem
from ..model.meaning import Meaning
from .arena import Arrays, as_arrays, pack
from .coordinates.layout import Layout, lay_out
from .entry import energies, rows_and_forces
from .law_lists import UserFunctions, law_lists
from .lowering import Functions, Lowered, lower

FLOATS = Functions(sqrt, cos, sin, atan2)


@dataclass
class System:
    """A mechanism's equations in chosen coordinates: layout, Phi, Phi_q, gamma, M, Q.

    >>> import biela
    >>> system = biela.assemble("double-pendulum")
    >>> system.q_names
    ['P1.x', 'P1.y', 'P2.x', 'P2.y']
    >>> system.at(system.q0).Phi.round(12).tolist()
    [0.0, 0.0]
    """

    lowered: Lowered
    coordinates: str
    arrays: Arrays
    table: np.ndarray
    """addresses of the arrays, for compiled code"""
    users: UserFunctions
    q0: np.ndarray
    """coordinates at the start (approximate until assembled)"""
    v0: np.ndarray
    size: float
    """a typical length of the mechanism, m"""
    rank: int = -1
    """independent rows in a regular position, once somebody has looked"""
    starts: dict[str, float] = field(default_factory=dict)
    """angle of a body at the start, whole turns included, where the user gave it"""
    notes: list[str] = field(default_factory=list)

    @property
    def header(self) -> int:
        """What compiled functions are called with: the address of the table."""
        return self.table.ctypes.data

    @property
    def name(self) -> str:
        return self.lowered.meaning.name

    @property
    def meaning(self) -> Meaning:
        return self.lowered.meaning

    @property
    def q_names(self) -> list[str]:
        """The coordinates, in order."""
        return self.lowered.q_names

    @property
    def row_names(self) -> list[str]:
        """The constraint rows, in order."""
        return [row.name for row in self.lowered.rows]

    @property
    def n(self) -> int:
        return self.arrays.n

    @property
    def m(self) -> int:
        return self.arrays.m

    @property
    def M(self) -> np.ndarray:
        """The mass matrix (constant in natural coordinates)."""
        return self.arrays.M.reshape(self.n, self.n)

    def at(self, q: Any, v: Any = None, t: float = 0.0) -> Point:
        """Everything the equations say at one state."""
        s = self.arrays
        s.q[:] = q
        s.v[:] = 0.0 if v is None else v
        power = rows_and_forces(self.header, float(t))
        B = s.B[: self.m * self.n].reshape(self.m, self.n).copy()
        kinetic, potential = energies(self.header)
        Phi, Phi_t, Phi_dot, bias = (x[: self.m].copy() for x in (s.Phi, s.Phit, s.Phid, s.bias))
        return Point(Phi, B, Phi_t, Phi_dot, -bias, s.Q.copy(), kinetic, potential, power)


@dataclass(frozen=True)
class Point:
    """The terms of the equations at one state: B is Phi_q, gamma the right-hand side of Phi_q q'' = gamma."""

    Phi: np.ndarray
    B: np.ndarray
    Phi_t: np.ndarray
    Phi_dot: np.ndarray
    gamma: np.ndarray
    Q: np.ndarray
    kinetic: float
    potential: float
    power: float


def build(meaning: Meaning, coordinates: str = "natural", layout: Layout | None = None) -> System:
    """The system of a resolved model: "natural" carries only relative coordinates that something acts through,
    "mixed" carries them all."""
    layout = layout or lay_out(meaning)
    carry = [c.name for c in meaning.coordinates.values() if coordinates == "mixed" or c.needed]
    lowered = lower(meaning, layout, carry, FLOATS)
    size = typical_length(meaning)
    _refuse_contradictions(lowered, size)
    users = UserFunctions()
    lists = lowered.lists
    names = [f"law {i}" for i in range(len(lowered.laws))]
    for force in lowered.forces:
        names[force.law_index] = f"force {force.name!r}"
    for row, law in zip(lists["drv_row"], lists["drv_law"], strict=True):
        names[law] = f"driver {lowered.rows[row].name!r}"
    of_length = {f.law_index for f in lowered.forces if f.kind != "load"}
    values = lists | law_lists(lowered.laws, set(lists["drv_law"]), of_length, users, names) | _workspace(lists)
    arrays = as_arrays(values)
    q0 = _start(lowered)
    system = System(lowered, coordinates, arrays, pack(arrays), users, q0, np.zeros(arrays.n), size)
    arrays.q[:] = q0
    return system


def typical_length(meaning: Meaning) -> float:
    """Mean of the greatest distances within the bodies, else between the points."""
    spans = []
    for body in meaning.bodies.values():
        p = np.array(list(body.points.values()), dtype=float)
        if len(p) > 1:
            spans.append(max(float(np.hypot(*(a - b))) for a in p for b in p))
    if spans:
        return float(np.mean(spans))
    p = np.array([*meaning.ground.values(), *meaning.start.values()], dtype=float).reshape(-1, 2)
    reach = float(np.ptp(p, axis=0).max()) if len(p) else 0.0
    return reach if reach > 0 else 1.0


def _workspace(lists: dict[str, Any]) -> dict[str, Any]:
    n, m, entries = lists["n"], lists["m"], len(lists["jcol"]) + 1
    every = len(lists["jptr"]) - 1  # merged rows included
    y, ydot = np.zeros(2 * n + 1), np.zeros(2 * n + 1)
    largest = max(n, m)
    return {
        "y": y,
        "q": y[:n],
        "v": y[n : 2 * n],
        "ydot": ydot,
        "a": ydot[n : 2 * n],
        "power": ydot[2 * n :],
        "lam": np.zeros(every),
        "weight": np.ones(every),
        "pair_weight": np.ones(len(lists["pair_row"])),
        "J": np.zeros(entries),
        **{key: np.zeros(every) for key in ("Phi", "Phit", "Phid", "bias")},
        "Q": np.zeros(n),
        "A": np.zeros(n * n),
        "B": np.zeros(m * n),
        "S": np.zeros(largest * largest),
        "R": np.zeros(n * n),
        "r": np.zeros(2 * (n + m)),
        "x": np.zeros(n + m),
        "piv": np.zeros(2 * n + m),
        "free": np.zeros(n),
        "margin": np.zeros(8),
        "k": np.zeros(16 * (2 * n + 1)),
        "ctl": np.zeros(16),
        "mon": np.zeros(16),
        "par": np.zeros(8),
        "opt": np.zeros(16),
    }


def _start(lowered: Lowered) -> np.ndarray:
    """Starting guess: points where they were said to be, relative coordinates measured there."""
    meaning, natural = lowered.meaning, lowered.natural
    at = {**meaning.start, **meaning.ground}
    for name, (body, local) in lowered.layout.virtual.items():
        known = [p for p in meaning.bodies[body].points if p in at]
        base = at[known[0]] if known else (0.0, 0.0)
        origin = meaning.bodies[body].points[known[0]] if known else (0.0, 0.0)
        at[name] = (base[0] + local[0] - origin[0], base[1] + local[1] - origin[1])
    q = [float(at[p][axis]) for p in lowered.layout.order for axis in (0, 1)]
    from .measure import measure  # measured with the same code as results

    points = np.array(q)
    for name in lowered.carried:
        q.append(float(measure(natural, meaning.coordinates[name], points[None, :], None)[0][0]))
    return np.array(q)


def _refuse_contradictions(lowered: Lowered, size: float) -> None:
    """A row without variables must hold by itself."""
    problems = []
    for row in lowered.dropped:
        gap = abs(float(row.equation.constant))
        if row.law is None and gap > 1e-9 * size * max(size, 1.0):
            problems.append(
                Problem(
                    f"{row.owner!r} cannot fit between fixed points",
                    where=row.name,
                    why=f"its equation is off by {gap:.6g} and nothing in it can move",
                    cure="change its length or move the ground points",
                )
            )
        elif row.law is not None:
            problems.append(
                Problem(f"driver {row.name!r} drives something fixed", where=row.name, cure="drive a moving point")
            )
    if problems:
        raise AssemblyError(problems, title=f"model {lowered.meaning.name!r}")
