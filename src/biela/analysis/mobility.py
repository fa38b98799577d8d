"""Freedom of a mechanism: by counting, by rank, and what is redundant or singular (003 (4))."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..methods.closing import close
from ..system.system import System

_RANK = 1e-9


@dataclass(frozen=True)
class Mobility:
    """What the constraints leave free.

    `freedom` is what the mechanism can do in a regular position; `instantaneous` what it can do right here.
    """

    n: int
    m: int
    rank: int
    """in a regular position"""
    rank_here: int
    drivers: int
    implied: tuple[str, ...]
    """rows that the others imply, in any position"""
    involved: tuple[str, ...]
    """owners of all the rows in those dependencies"""
    loose: tuple[str, ...]
    """coordinates that take part in freedom gained here only, by singularity"""

    @property
    def freedom(self) -> int:
        return self.n - self.rank

    @property
    def instantaneous(self) -> int:
        return self.n - self.rank_here

    @property
    def redundant(self) -> int:
        return self.m - self.rank

    @property
    def singular(self) -> bool:
        return self.rank_here < self.rank


def scaled_jacobian(system: System, q: np.ndarray, t: float = 0.0) -> np.ndarray:
    """Phi_q with lengths in units of the mechanism and rows of length one: what rank is judged on."""
    unit = np.ones(system.n)
    unit[: len(system.lowered.natural.q_names)] = system.size
    B = system.at(q, None, t).B * unit
    norm = np.linalg.norm(B, axis=1)
    norm[norm < 1e-12] = 1.0
    return B / norm[:, None]


def rank_of(B: np.ndarray) -> int:
    """Number of singular values above the noise."""
    return int((np.linalg.svd(B, compute_uv=False) > _RANK * np.sqrt(max(B.shape))).sum()) if B.size else 0


def regular_poses(system: System, q: np.ndarray, t: float, count: int = 6) -> list[np.ndarray]:
    """The pose itself and others around it, a sizeable way off, that satisfy the joints (drivers set aside)."""
    keep = np.array([r.role != "driver" for r in system.lowered.rows], dtype=bool)
    unit = np.ones(system.n)
    unit[: len(system.lowered.natural.q_names)] = system.size
    rng = np.random.default_rng(1)
    poses = [q]
    B = scaled_jacobian(system, q, t)[keep]
    free = np.eye(system.n)
    if B.size:
        _, s, Vt = np.linalg.svd(B)
        free = Vt[int((s > _RANK * np.sqrt(max(B.shape))).sum()) :]
    if not len(free):
        return poses
    for k in range(count):
        # along a random combination of the freedoms, so that a singular point is really left behind
        way = rng.standard_normal(len(free)) @ free
        reach = (0.05, 0.1, 0.2, 0.3)[k % 4]
        closed = close(system, q + reach * unit * way / np.abs(way).max(), t, keep=keep)
        if closed.converged:
            poses.append(closed.q)
    return poses


def mobility(system: System, q: np.ndarray | None = None, t: float = 0.0) -> Mobility:
    """Count, rank, redundancy and singularity at a position (by default the start).

    >>> import biela
    >>> m = mobility(biela.assemble("four-bar"))
    >>> m.freedom, m.redundant, m.singular
    (1, 0, False)
    """
    q = system.q0 if q is None else q
    matrices = [scaled_jacobian(system, p, t) for p in regular_poses(system, q, t)]
    ranks = [rank_of(B) for B in matrices]
    rank, here = max(ranks), ranks[0]
    best = matrices[int(np.argmax(ranks))]
    implied, involved = _dependencies(system, best, rank)
    loose: tuple[str, ...] = ()
    if here < rank:
        _, _, Vt = np.linalg.svd(matrices[0])
        free_here = Vt[here:]
        weight = np.abs(free_here).max(axis=0)
        loose = tuple(name for name, w in zip(system.q_names, weight, strict=True) if w > 1e-6)
    rows = system.lowered.rows
    drivers = sum(r.role == "driver" for r in rows)
    return Mobility(system.n, system.m, rank, here, drivers, implied, involved, loose)


def _dependencies(system: System, B: np.ndarray, rank: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Rows left over by pivoted QR of Phi_q^T, and the owners of every row in the dependencies."""
    if rank == B.shape[0]:
        return (), ()
    from scipy.linalg import qr

    # relative coordinates and drivers come last, so that a rigid or joint row is not called implied by them
    _, _, order = qr(B.T, pivoting=True, mode="economic")
    implied = tuple(system.row_names[k] for k in sorted(order[rank:]))
    U, s, _ = np.linalg.svd(B)
    null = U[:, rank:]
    weight = np.abs(null).max(axis=1)
    owners: list[str] = []
    for row, w in zip(system.lowered.rows, weight, strict=True):
        if w > 1e-6 and row.owner not in owners:
            owners.append(row.owner)
    return implied, tuple(owners)
