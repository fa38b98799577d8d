"""Freedom of a mechanism: by counting, by rank, and what is redundant or singular (003 (4))."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...coordinates.tree.from_poses import body_motion
from ...methods.positions.closing import close, rounding_of, row_lengths
from ...methods.positions.large import dependent_rows, free_direction, scaled_rows
from ...model.resolved import Place
from ...system.system import System

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
    angles: int
    """angles among the coordinates: each has a sine and a cosine row, one of them redundant on purpose"""
    implied: tuple[str, ...]
    """rows that the others imply, in any position (sine and cosine of an angle counted as one)"""
    involved: tuple[str, ...]
    """owners of all the rows in those dependencies"""
    loose: tuple[str, ...]
    """coordinates that take part in freedom gained here only, by singularity"""
    pose: Any = None
    """a regular position"""
    doubtful: float = 0.0
    """a singular value of the constraints so small that it may be zero but for the digits of the data; else 0"""

    @property
    def freedom(self) -> int:
        return self.n - self.rank

    @property
    def instantaneous(self) -> int:
        return self.n - self.rank_here

    @property
    def redundant(self) -> int:
        """Rows that say nothing new, beyond the twin rows of angles."""
        return self.m - self.angles - self.rank

    @property
    def counted(self) -> int:
        """Freedom by counting (Gruebler)."""
        return self.n - (self.m - self.angles)

    @property
    def singular(self) -> bool:
        return self.rank_here < self.rank


def scaled_jacobian(system: System, q: np.ndarray, t: float = 0.0) -> np.ndarray:
    """Phi_q with lengths in units of the mechanism and rows of length one: what rank is judged on."""
    unit = system.unit
    B = system.at(q, None, t).B * unit
    return B / row_lengths(system, B)[:, None]


def rank_of(B: np.ndarray, slack: float = 0.0) -> int:
    """Number of singular values above the noise, and above what rounded data makes of a zero (`slack`)."""
    return count_above(np.linalg.svd(B, compute_uv=False), B.shape, slack) if B.size else 0


def count_above(s: np.ndarray, shape: tuple[int, ...], slack: float) -> int:
    """The same for singular values that are known."""
    return int((s > max(_RANK * np.sqrt(max(shape, default=1)), slack)).sum())


GAP = 30.0
"""between the singular values of rows that say something and of those that are redundant but for their rounding"""


def slack_of(system: System, matrices: list[np.ndarray]) -> float:
    """What singular values of redundant rows come to, by the rounding of the data: 0 where there are none such.

    They lie above the noise and below the rounding, in every pose, and all others far above them.
    """
    worst = 0.0
    for B in matrices:
        s = np.linalg.svd(B, compute_uv=False) if rounding_of(system) and B.size else np.zeros(0)
        small = s[(s > _RANK * np.sqrt(max(B.shape))) & (s < rounding_of(system))]
        if not len(small) or s[s >= rounding_of(system)].min(initial=np.inf) < GAP * small.max():
            return 0.0
        worst = max(worst, float(small.max()))
    return 3.0 * worst


def driver_rows(system: System) -> np.ndarray:
    """Which rows are those of drivers."""
    return np.array([row.role == "driver" for row in system.equations.rows], dtype=bool)


def regular_poses(system: System, q: np.ndarray, t: float, count: int = 6) -> list[np.ndarray]:
    """The pose itself and others around it, a sizeable distance off, that satisfy the joints (drivers set aside)."""
    if not system.m:
        return [q]  # nothing can lose rank
    keep, poses = ~driver_rows(system), [q]
    displacements = _sparse_displacements if system.is_large else _displacements
    for direction, reach in displacements(system, q, t, keep, count):
        moved = system.displaced(q, reach * system.unit * direction / np.abs(direction).max())
        closed = close(system, moved, t, keep=keep)
        if closed.converged:
            poses.append(closed.q)
    return poses


Displacements = Iterator[tuple[np.ndarray, float]]
"""directions and distances"""


def _displacements(system: System, q: np.ndarray, t: float, keep: np.ndarray, count: int) -> Displacements:
    """Along random combinations of the freedoms, so that a singular point is really left behind."""
    rng, B, free = np.random.default_rng(1), scaled_jacobian(system, q, t)[keep], np.eye(system.n)
    if B.size:
        _, s, Vt = np.linalg.svd(B)
        free = Vt[count_above(s, B.shape, max(system.slack, slack_of(system, [B]))) :]
    for k in range(count if len(free) else 0):
        yield rng.standard_normal(len(free)) @ free, (0.05, 0.1, 0.2, 0.3)[k % 4]


def _sparse_displacements(system: System, q: np.ndarray, t: float, keep: np.ndarray, count: int) -> Displacements:
    """The same of a mechanism too large for dense matrices; few, as each of them costs."""
    rng = np.random.default_rng(1)
    for reach in (0.05, 0.2)[:count]:
        system.evaluate(q, None, t)
        direction = free_direction(system, scaled_rows(system)[0][keep], rng)
        if float(np.abs(direction).max(initial=0.0)) < 1e-6:
            return
        yield direction, reach


def mobility(system: System, q: np.ndarray | None = None, t: float = 0.0) -> Mobility:
    """Count, rank, redundancy and singularity at a position (by default the start).

    >>> import biela
    >>> m = mobility(biela.assemble("four-bar"))
    >>> m.freedom, m.redundant, m.singular
    (1, 0, False)
    """
    q = system.q0 if q is None else q
    rows = system.equations.rows
    drivers = int(driver_rows(system).sum())
    angles = sum(r.role == "coordinate" and r.name.endswith(".sine") for r in rows)
    if system.is_large:
        return Mobility(system.n, system.m, drivers=drivers, angles=angles, **_sparse_mobility(system, q, t))
    poses = regular_poses(system, q, t)
    matrices = [scaled_jacobian(system, p, t) for p in poses]
    joints = ~driver_rows(system)
    fresh = slack_of(system, [B[joints] for B in matrices])
    if fresh > system.slack:
        system.notes += [] if system.slack else [nearly_fits(system)]
        system.slack = fresh
    ranks = [rank_of(B, system.slack) for B in matrices]
    rank, here = max(ranks), ranks[0]
    best = int(np.argmax(ranks))
    implied, involved = _dependencies(system, *merged_rows(system, poses[best], matrices[best]), rank)
    loose: tuple[str, ...] = ()
    if here < rank:
        _, _, Vt = np.linalg.svd(matrices[0])
        free_here = Vt[here:]
        weight = np.abs(free_here).max(axis=0)
        loose = tuple(name for name, w in zip(system.v_names, weight, strict=True) if w > 1e-6)
    doubtful = 0.0 if system.slack else _doubtful(matrices[best])
    return Mobility(system.n, system.m, rank, here, drivers, angles, implied, involved, loose, poses[best], doubtful)


def _sparse_mobility(system: System, q: np.ndarray, t: float) -> dict:
    """Ranks of a mechanism too large for dense matrices, by pivots of the sparse B B^T."""
    found = []
    for pose in regular_poses(system, q, t):
        system.evaluate(pose, None, t)
        found.append((dependent_rows(scaled_rows(system)[0]), pose))
    implied, pose = min(found, key=lambda f: len(f[0]))
    rows = system.equations.rows
    names = tuple(rows[k].name for k in implied if not rows[k].name.endswith((".sine", ".cosine")))
    owners = tuple(dict.fromkeys(rows[k].owner for k in implied if rows[k].name in names))
    return {
        "rank": system.m - len(implied), "rank_here": system.m - len(found[0][0]), "implied": names,
        "involved": owners, "loose": (), "pose": pose,
    }  # fmt: skip


def _doubtful(B: np.ndarray) -> float:
    """The smallest singular value between rounding and what data with nine digits can tell apart from zero."""
    s = np.linalg.svd(B, compute_uv=False) if B.size else np.zeros(0)
    grey = s[(s > 1e-11) & (s < 1e-6)]
    return float(grey.min()) if len(grey) else 0.0


def nearly_redundant(value: float) -> str:
    """What a doubtful singular value means."""
    return (
        f"constraints that are redundant to within {value:.0e}: whether they hold by themselves depends on the last "
        "digits of lengths and axes, and so do the reactions; give exact ones, or free one of the joints"
    )


def nearly_fits(system: System, off: float = 0.0, where: str = "") -> str:
    """What it means that rows are redundant but for the rounding of the data."""
    decimals = round(-np.log10(2 * system.resolved.rounding))
    misses = f"; {where}" if where else ""
    by = f" (by {off:.1e} of its size)" if off else ""
    return (
        f"note: data with {decimals} decimals: the mechanism is overconstrained, and its equations fit only nearly{by}"
        f"{misses}; what is redundant except for these digits is taken as redundant"
    )


def left_free(system: System, m: Mobility) -> tuple[list[str], list[str]]:
    """The bodies that the freedom moves, and those that it only turns about a line through all their points, as it
    does a bar between two balls, which nobody sees."""
    free = np.linalg.svd(scaled_jacobian(system, m.pose))[2][m.rank :] * system.unit
    speeds, turning = part_speeds(system, m.pose, free)
    moving = [name for name in system.resolved.bodies if speeds[name] > 1e-6]
    return moving, [name for name, rate in turning.items() if rate > 1e-6 and name not in moving]


def part_speeds(system: System, q: np.ndarray, velocities: np.ndarray) -> tuple[dict[str, float], dict[str, float]]:
    """In some motions, (motions, n): the largest speed of every body's points, and of every point by itself, in sizes
    of the mechanism a second; and how fast every body turns."""
    resolved, exploded = system.resolved, system.equations.exploded
    here = system.posture(np.repeat(q[None, :], len(velocities), axis=0), velocities)
    speeds: dict[str, float] = {}
    turning: dict[str, float] = {}
    for name, body in resolved.bodies.items():
        places = [here.place(Place(name, local, point)) for point, local in body.points.items()]
        if float(body.mass) > 0.0:  # else its centre is wherever its axes begin, and nobody's
            places.append(here.vector(exploded.center(name)))
        speeds[name] = max((float(np.abs(v).max(initial=0.0)) for _, v, _ in places), default=0.0) / system.size
        turning[name] = 0.0 if body.particle else float(np.abs(body_motion(here, name).R[1]).max(initial=0.0))
    for point in resolved.start:
        if not resolved.owners.get(point):
            rate = here.place(resolved.place(point))[1]
            speeds[point] = float(np.abs(rate).max(initial=0.0)) / system.size
    return speeds, turning


def merged_rows(system: System, q: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, list[str], list[str]]:
    """The Jacobian with each pair of sine and cosine rows merged into their combination along the angle.

    Returns the matrix, and the name and the owner of each row.
    """
    rows = system.equations.rows
    use: list[np.ndarray] = []
    names: list[str] = []
    owners: list[str] = []
    k = 0
    while k < len(rows):
        row, take = rows[k], 1
        line = B[k]
        if row.role == "coordinate" and row.name.endswith(".sine"):
            phi = q[system.q_names.index(row.owner)]
            line, take = np.cos(phi) * B[k] - np.sin(phi) * B[k + 1], 2
        use.append(line)
        names.append(row.owner if take == 2 else row.name)
        owners.append(row.owner)
        k += take
    return np.array(use).reshape(-1, system.n), names, owners


def _dependencies(
    system: System, B: np.ndarray, names: list[str], row_owners: list[str], rank: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Rows left over by pivoted QR of Phi_q^T, and the owners of every row in the dependencies."""
    if rank >= B.shape[0]:
        return (), ()
    from scipy.linalg import qr

    order: Any = qr(B.T, pivoting=True, mode="economic")[-1]
    implied = tuple(names[k] for k in sorted(order[rank:]))
    U, _, _ = np.linalg.svd(B)
    null = U[:, rank:]
    weight = np.abs(null).max(axis=1)
    owners: list[str] = []
    for owner, w in zip(row_owners, weight, strict=True):
        if w > 1e-6 and owner not in owners:
            owners.append(owner)
    return implied, tuple(owners)
