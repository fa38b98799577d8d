"""Independent coordinates around a position: x on the surface Phi(q, t) = 0, as many as there are freedoms.

    x = L (q - q0)   or   measured quantities of the mechanism (angles, positions of points);   x' = W v

Whatever they are, q follows from x by closing the mechanism, and v from x' through S and b.   [E.1]-[E.3]
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ...errors import MethodError, Problem, so_many
from ...methods.positions.closing import row_lengths
from ...system.system import System
from ..quantities import MeasuredCoordinates

PREFERRED = 10.0
"""how much better a coordinate without a name of the user's must be to be taken before one that has"""
LOST = 1e-8
"""an independent coordinate that loses its hold on the mechanism: inverse of the condition"""


@dataclass
class Offsets:
    """What is added to the driven values: to the coordinate, its rate and its acceleration, row by row."""

    w: np.ndarray
    w1: np.ndarray
    w2: np.ndarray

    @staticmethod
    def none(m: int) -> Offsets:
        return Offsets(np.zeros(m), np.zeros(m), np.zeros(m))


@dataclass
class Split:
    """[B; W] v = [f; g], which has one solution however many rows of B are redundant: by QR."""

    unit: np.ndarray
    scale: np.ndarray
    Q: np.ndarray
    R: np.ndarray
    freedom: int

    @staticmethod
    def of(system: System, B: np.ndarray, W: np.ndarray, keep: np.ndarray | None = None) -> Split:
        """`keep`: which of the system's rows B has, if not all."""
        from scipy.linalg import qr

        J, scale = scaled(system, np.vstack([B, W]), keep)
        found: Any = qr(J, mode="economic", check_finite=False)
        return Split(system.unit, scale, found[0], found[1], len(W))

    def solve(self, f: np.ndarray, g: np.ndarray) -> np.ndarray:
        """v; f and g may be matrices."""
        from scipy.linalg import solve_triangular

        right = np.concatenate([f, g])
        many = right.ndim == 2
        right = right / (self.scale[:, None] if many else self.scale)
        try:
            y = solve_triangular(self.R, self.Q.T @ right, check_finite=False)
        except np.linalg.LinAlgError:
            return np.full((len(self.unit), right.shape[1]) if many else len(self.unit), np.nan)
        return (self.unit[:, None] if many else self.unit) * y

    def S(self) -> np.ndarray:
        """v = S x'.   001 (39)"""
        rows, n = self.Q.shape[0], len(self.unit)
        f = self.freedom
        return self.solve(np.zeros((rows - f, f)), np.eye(f)) if f else np.zeros((n, 0))


def scaled(system: System, J: np.ndarray, keep: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Rows of length one, lengths in units of the mechanism; a row that vanishes here says nothing and stays so."""
    J = J * system.unit
    scale = row_lengths(system, J, keep)
    return J / scale[:, None], scale


def null_space(system: System, B: np.ndarray) -> tuple[np.ndarray, float]:
    """(n, n - rank): the velocities that the constraints allow, whatever rows are redundant (in a singular position
    those of the smallest singular values); and the smallest singular value that counts."""
    unit, rank = system.unit, max(system.rank, 0)
    if not len(B):
        return np.diag(unit), 1.0
    _, s, Vt = np.linalg.svd(scaled(system, B)[0])
    return unit[:, None] * Vt[rank:].T, float(s[rank - 1]) if rank else 1.0


def rate_matrix(system: System, q: np.ndarray) -> np.ndarray:
    """H of q' = H v: the identity but for quaternions.   [K.5]"""
    if system.nq == system.n:
        return np.eye(system.n)
    s, H = system.arrays, np.zeros((system.nq, system.n))
    H[s.plain_q, s.plain_v] = 1.0
    for i, j in zip(s.quat_q, s.quat_v, strict=True):
        a, b, c, d = 0.5 * q[int(i) : int(i) + 4]
        H[int(i) : int(i) + 4, int(j) : int(j) + 3] = [[-b, -c, -d], [a, -d, c], [d, a, -b], [-c, b, a]]
    return H


@dataclass
class Chart:
    """Independent coordinates x, zero at q0."""

    system: System
    q0: np.ndarray
    t: float
    names: tuple[str, ...]
    L: np.ndarray | None = None
    """x = L (q - q0)"""
    measured: MeasuredCoordinates | None = None
    """or measured"""
    offsets: Offsets = field(default_factory=lambda: Offsets.none(0))

    @property
    def freedom(self) -> int:
        return len(self.names)

    def value(self, q: np.ndarray) -> np.ndarray:
        if self.measured is not None:
            return self.measured.difference(q, self.q0)
        assert self.L is not None
        return self.L @ (q - self.q0)

    def rows(self, q: np.ndarray) -> np.ndarray:
        """W of x' = W v."""
        if self.measured is not None:
            return self.measured.rows(q)
        assert self.L is not None
        return self.L @ rate_matrix(self.system, q)

    def bias(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """W' v, so that x'' = W v' + W' v."""
        if self.measured is not None:
            return self.measured.bias(q, v)
        assert self.L is not None
        if self.system.nq == self.system.n:
            return np.zeros(self.freedom)
        rate = rate_matrix(self.system, q) @ v
        swirl = rate_matrix(self.system, rate)
        s = self.system.arrays
        swirl[s.plain_q, s.plain_v] = 0.0  # these do not change with q
        return self.L @ (swirl @ v)

    def split(self, q: np.ndarray, B: np.ndarray) -> Split:
        """B and W at q, ready to be solved together."""
        return Split.of(self.system, B, self.rows(q))

    def position(self, x: np.ndarray, near: np.ndarray | None = None) -> np.ndarray | None:
        """The closed mechanism at x, followed from q0 (or from a position nearby); None if it cannot be reached.

        Newton-Raphson with the matrix of q0 as long as that brings it near fast, then with fresh ones.
        """
        system, q = self.system, self.q0 if near is None else near
        unit, first, before, frozen = system.unit, None, np.inf, near is None
        for k in range(60):
            at = system.at(q, None, self.t)
            Phi = at.Phi - self.offsets.w if len(self.offsets.w) else at.Phi
            split = self._first if frozen else self.split(q, at.B)
            d = split.solve(-Phi, x - self.value(q))
            size = float(np.abs(d / unit).max(initial=0.0))
            if not np.isfinite(size) or (k > 0 and size > 10 * max(first or 0.0, 1e-6)):
                return None
            if size < 1e-15 or (k > 2 and size < 1e-11 and size >= 0.5 * before):
                return q  # what is left is rounding
            if frozen and size > 0.1 * before:
                frozen = False
                continue
            first, before = first or size, size
            q = system.displaced(q, d)
        return q if before < 1e-10 else None

    @cached_property
    def _first(self) -> Split:
        return self.split(self.q0, self.system.at(self.q0, None, self.t).B)


def local_chart(system: System, q: np.ndarray, t: float, names: list[str] | None = None) -> Chart:
    """A chart around q: with the coordinates of these names, or with some of the system's own, well chosen."""
    N, _ = null_space(system, system.at(q, None, t).B)
    freedom = N.shape[1]
    offsets = Offsets.none(system.m)
    if names is None:
        return _pick(system, q, t, _well_chosen(system, N), offsets)
    if len(names) != freedom or len(set(names)) != len(names):
        raise MethodError(
            Problem(
                f"{so_many(len(names), 'independent coordinate')} for {so_many(freedom, 'freedom')}",
                where=", ".join(names) or system.name,
                why=f"{system.n} coordinates, {system.rank} independent constraints (drivers included)",
                cure=f"name {so_many(freedom, 'different coordinate')}, or none: biela chooses",
            )
        )
    if all(name in system.v_names for name in names):
        chart = _pick(system, q, t, [system.v_names.index(name) for name in names], offsets)
    else:
        chart = Chart(system, q, t, tuple(names), measured=MeasuredCoordinates(system, names, t), offsets=offsets)
    inner = chart.rows(q) @ N
    reach = np.abs(inner).max(axis=1, initial=0.0)
    unit = np.where(chart.measured.angular, 1.0, system.size) if chart.measured is not None else np.ones(freedom)
    values = np.linalg.svd(inner / np.maximum(reach, 1e-300)[:, None], compute_uv=False)
    if (reach < LOST * unit).any() or values[-1] < LOST * values[0]:
        raise MethodError(
            Problem(
                f"{', '.join(names)} cannot be the independent coordinate{'' if len(names) == 1 else 's'} here",
                where=system.name,
                why="they do not determine the motion in this position: it is a dead point for them, or one of them "
                "follows from the others",
                cure=f"choose others, such as {', '.join(local_chart(system, q, t).names)}",
            )
        )
    return chart


def _pick(system: System, q: np.ndarray, t: float, chosen: list[int], offsets: Offsets) -> Chart:
    W = np.eye(system.n)[chosen]
    H = rate_matrix(system, q)
    L = W @ np.linalg.pinv(H) if system.nq != system.n else W
    return Chart(system, q, t, tuple(system.v_names[i] for i in chosen), L=L, offsets=offsets)


def _well_chosen(system: System, N: np.ndarray) -> list[int]:
    """Velocities that determine all others, far from doing so badly: pivots of the null space, those that the user has
    named first."""
    from scipy.linalg import qr

    rows = (N / system.unit[:, None]).T
    freedom = len(rows)
    if freedom == 0:
        return []
    named = set(system.resolved.coordinates)
    weight = np.array([PREFERRED if name in named else 1.0 for name in system.v_names])
    for boost in (weight, np.ones(system.n)):
        order = [int(i) for i in qr(rows * boost, pivoting=True, mode="r")[-1][:freedom]]
        values = np.linalg.svd(rows[:, order], compute_uv=False)
        if values[-1] > 1e-3 * values[0]:
            break
    return sorted(order)
