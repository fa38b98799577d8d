"""Independent coordinates around a position: x on the surface Phi(q, t) = 0, as many as there are freedoms.

    x = L (q - q0)   or   measured quantities of the mechanism (angles, positions of points);   x' = W v

Whatever they are, q follows from x by closing the mechanism, and v from x' through S and b.   [E.1]-[E.3]
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..errors import MethodError, Problem
from ..system.system import System
from .gauges import Gauge

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
class Kernel:
    """B at one position: its range and its null space, lengths in units of the mechanism."""

    unit: np.ndarray
    scale: np.ndarray
    inverse: np.ndarray
    """pseudo-inverse of the scaled B"""
    N: np.ndarray
    """(n, f): columns span the velocities that the constraints allow"""
    least: float
    """smallest singular value that counts"""

    def particular(self, f: np.ndarray) -> np.ndarray:
        """A solution of B v = f, the shortest in units of the mechanism."""
        return self.unit * (self.inverse @ (f / self.scale))


def kernel(system: System, B: np.ndarray) -> Kernel:
    """Null space of dimension n - rank, whatever rows are redundant; in a singular position that of smallest values."""
    unit, rank = system.unit, max(system.rank, 0)
    n = system.n
    if not len(B):
        return Kernel(unit, np.ones(0), np.zeros((n, 0)), np.diag(unit), 1.0)
    scaled = B * unit
    scale = np.linalg.norm(scaled, axis=1)
    scale[scale < 1e-9 * max(scale.max(initial=0.0), 1e-300)] = 1.0  # a row that vanishes here says nothing
    U, s, Vt = np.linalg.svd(scaled / scale[:, None])
    kept = int((s[:rank] > 1e-10).sum())
    inverse = (Vt[:kept].T / s[:kept]) @ U[:, :kept].T
    least = float(s[rank - 1]) if rank else 1.0
    return Kernel(unit, scale, inverse, unit[:, None] * Vt[rank:].T, least)


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
    gauge: Gauge | None = None
    """or measured"""
    offsets: Offsets = field(default_factory=lambda: Offsets.none(0))

    @property
    def freedom(self) -> int:
        return len(self.names)

    def value(self, q: np.ndarray) -> np.ndarray:
        if self.gauge is not None:
            return self.gauge.difference(q, self.q0)
        assert self.L is not None
        return self.L @ (q - self.q0)

    def rows(self, q: np.ndarray) -> np.ndarray:
        """W of x' = W v."""
        if self.gauge is not None:
            return self.gauge.rows(q)
        assert self.L is not None
        return self.L @ rate_matrix(self.system, q)

    def bias(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """W' v, so that x'' = W v' + W' v."""
        if self.gauge is not None:
            return self.gauge.bias(q, v)
        assert self.L is not None
        if self.system.nq == self.system.n:
            return np.zeros(self.freedom)
        rate = rate_matrix(self.system, q) @ v
        swirl = rate_matrix(self.system, rate)
        s = self.system.arrays
        swirl[s.plain_q, s.plain_v] = 0.0  # these do not change with q
        return self.L @ (swirl @ v)

    def position(self, x: np.ndarray, near: np.ndarray | None = None) -> np.ndarray | None:
        """The closed mechanism at x, followed from q0 (or from a position nearby); None if it cannot be reached."""
        system, q = self.system, self.q0 if near is None else near
        first, before = None, np.inf
        for k in range(30):
            at = system.at(q, None, self.t)
            Phi = at.Phi - self.offsets.w if len(self.offsets.w) else at.Phi
            K = kernel(system, at.B)
            W = self.rows(q)
            miss = x - self.value(q)
            d = K.particular(-Phi)
            inner = W @ K.N
            try:
                d = d + K.N @ np.linalg.solve(inner, miss - W @ d)
            except np.linalg.LinAlgError:
                return None
            size = float(np.abs(d / K.unit).max(initial=0.0))
            if not np.isfinite(size) or (k > 0 and size > 10 * max(first or 0.0, 1e-6)):
                return None
            if size < 1e-15 or (k > 2 and size < 1e-11 and size >= 0.5 * before):
                return q  # what is left is rounding
            first, before = first or size, size
            q = system.displaced(q, d)
        return q if before < 1e-10 else None


def local_chart(system: System, q: np.ndarray, t: float, names: list[str] | None = None) -> Chart:
    """A chart around q: with the coordinates of these names, or with some of the system's own, well chosen."""
    K = kernel(system, system.at(q, None, t).B)
    freedom = K.N.shape[1]
    offsets = Offsets.none(system.m)
    if names is None:
        return _pick(system, q, t, _well_chosen(system, K), offsets)
    if len(names) != freedom or len(set(names)) != len(names):
        raise MethodError(
            Problem(
                f"{len(names)} independent coordinate(s) for {freedom} freedom(s)",
                where=", ".join(names) or system.name,
                why=f"{system.n} coordinates, {system.rank} independent constraints (drivers included)",
                cure=f"name {freedom} different coordinate(s), or none: biela chooses",
            )
        )
    if all(name in system.v_names for name in names):
        chart = _pick(system, q, t, [system.v_names.index(name) for name in names], offsets)
    else:
        chart = Chart(system, q, t, tuple(names), gauge=Gauge(system, names, t), offsets=offsets)
    inner = chart.rows(q) @ K.N
    values = np.linalg.svd(inner / np.maximum(np.abs(inner).max(axis=1, initial=0.0), 1e-300)[:, None],
                           compute_uv=False)  # fmt: skip
    if values[-1] < LOST * values[0]:
        raise MethodError(
            Problem(
                f"{', '.join(names)} cannot be the independent coordinate(s) here",
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


def _well_chosen(system: System, K: Kernel) -> list[int]:
    """Velocities that determine all others, far from doing so badly: pivots of the null space, those that the user has
    named first."""
    from scipy.linalg import qr

    rows = (K.N / K.unit[:, None]).T
    freedom = len(rows)
    if freedom == 0:
        return []
    named = set(system.meaning.coordinates)
    weight = np.array([PREFERRED if name in named else 1.0 for name in system.v_names])
    for boost in (weight, np.ones(system.n)):
        order = [int(i) for i in qr(rows * boost, pivoting=True, mode="r")[-1][:freedom]]
        values = np.linalg.svd(rows[:, order], compute_uv=False)
        if values[-1] > 1e-3 * values[0]:
            break
    return sorted(order)
