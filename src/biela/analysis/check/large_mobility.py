"""Freedom of a mechanism too large for dense matrices: ranks by pivots of the sparse B B^T."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...methods.positions.closing import close
from ...methods.positions.large import dependent_rows, free_direction, scaled_rows
from ...system.system import System


def poses_near(system: System, q: np.ndarray, t: float, count: int = 2) -> list[np.ndarray]:
    """The pose and others a sizeable way off that satisfy the joints, drivers set aside."""
    keep = np.array([r.role != "driver" for r in system.equations.rows], dtype=bool)
    rng, poses = np.random.default_rng(1), [q]
    for k in range(count):
        system.evaluate(q, None, t)
        way = free_direction(system, scaled_rows(system)[0][keep], rng)
        most = float(np.abs(way).max(initial=0.0))
        if most < 1e-6:
            break
        closed = close(system, system.displaced(q, (0.05, 0.2)[k] * system.unit * way / most), t, keep=keep)
        if closed.converged:
            poses.append(closed.q)
    return poses


def large_mobility(system: System, q: np.ndarray, t: float) -> dict:
    """What `Mobility` is made of."""
    found = []
    for pose in poses_near(system, q, t):
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


def locked_large(system: System) -> list[str]:
    """Drivers whose row adds nothing to those before it."""
    rows = system.equations.rows
    drivers = [k for k, r in enumerate(rows) if r.role == "driver"]
    if not drivers:
        return []
    kept, locked = [k for k in range(len(rows)) if k not in set(drivers)], []
    system.evaluate(poses_near(system, system.q0, 0.0)[-1])
    J = scaled_rows(system)[0]
    spare = len(dependent_rows(J[kept]))
    for k in drivers:
        more = len(dependent_rows(J[[*kept, k]]))
        if more > spare:
            locked.append(rows[k].name)
        else:
            kept.append(k)
    return locked


def massless_large(system: System) -> list[str]:
    """Parts that neither mass nor constraints hold: M + B^T B must be positive definite."""
    from scipy.sparse import csc_matrix, diags, identity
    from scipy.sparse.linalg import splu

    system.evaluate(system.q0)
    J, unit = scaled_rows(system)[0], diags(system.unit)
    M: Any = unit @ system.sparse_mass() @ unit
    A = csc_matrix(M / max(float(M.diagonal().max()), 1e-300) + J.T @ J + 1e-14 * identity(system.n))
    factor = splu(A, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    loose = np.argsort(factor.perm_c)[np.abs(factor.U.diagonal()) < 1e-12]
    return list(dict.fromkeys(system.v_names[i].rsplit(".", 1)[0] for i in loose))
