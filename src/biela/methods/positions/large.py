"""Closing, starting velocities and rank of mechanisms too large for dense matrices, on the non-zeros of Phi_q.

Least changes and dependent rows are met through B B^T + eps, whose sparse factor SciPy (SuperLU) makes.   [S.5]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...system.system import System
from .closing import Closed, Targets, slopes_of_rows, spread

EPS = 1e-13
"""of a row's length squared: what dependent rows are held apart by"""
DEPENDENT = 1e-10
"""pivot below which a row says nothing new: a relative change of its coordinates by 1e-5"""


def scaled_rows(system: System, picked: np.ndarray | None = None) -> tuple[Any, np.ndarray]:
    """Phi_q at the state evaluated last (and rows beneath it), lengths in units of the mechanism, rows of length one;
    and the lengths."""
    from scipy.sparse import csr_matrix, diags, vstack

    J: Any = system.sparse_jacobian() @ diags(system.unit)
    if picked is not None and len(picked):
        J = csr_matrix(vstack([J, csr_matrix(picked * system.unit)]))
    length = np.sqrt(np.asarray(J.multiply(J).sum(axis=1)).ravel())
    for k in system.twins:
        length[k] = length[k + 1] = max(length[k], length[k + 1])
    spread(length, slopes_of_rows(system)[: system.m] * system.size)
    return csr_matrix(diags(1.0 / length) @ J), length


def gram(J: Any) -> Any:
    """The factor of J J^T + eps, columns in an order that keeps it sparse; its pivots come without row exchanges."""
    from scipy.sparse import csc_matrix, identity
    from scipy.sparse.linalg import splu

    G = csc_matrix(J @ J.T + EPS * identity(J.shape[0]))
    return splu(G, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})


def dependent_rows(J: Any) -> np.ndarray:
    """Rows that those eliminated before them imply."""
    if not J.shape[0]:
        return np.zeros(0, dtype=int)
    factor = gram(J)
    pivots = np.abs(factor.U.diagonal())
    return np.sort(np.argsort(factor.perm_c)[pivots < DEPENDENT])


def close_large(
    system: System, q: np.ndarray, t: float, targets: Targets, keep: np.ndarray | None = None,
    leave: np.ndarray | None = None,
) -> Closed:  # fmt: skip
    """Newton-Raphson with the least change of q, as `close`, shortened where the violation would grow."""
    q = np.array(q, dtype=float)

    def equations(x: np.ndarray) -> tuple[np.ndarray, Any]:
        system.evaluate(x, None, t)
        J, length = scaled_rows(system, targets.rows)
        f = system.arrays.Phi[: system.m] - (0.0 if leave is None else leave)
        if len(targets.values):
            f = np.concatenate([f, targets.rows @ x - targets.values])
        f = f / length
        if keep is not None:
            use = np.concatenate([keep, np.ones(len(targets.values), dtype=bool)])
            f, J = f[use], J[use]
        return f, J

    f, J = equations(q)
    iterations, rounding = 0, 1e-14 * max(1.0, float(np.abs(q).max(initial=0.0)) / system.size)
    while iterations < 60 and float(np.abs(f).max(initial=0.0)) > rounding:
        iterations += 1
        dq = -(J.T @ gram(J).solve(f))
        dq *= min(1.0, 1.0 / max(float(np.abs(dq).max()), 1e-300))
        before, step = float(f @ f), 1.0
        while True:
            trial = system.displaced(q, step * dq * system.unit)
            ft, Jt = equations(trial)
            if float(ft @ ft) <= (1 - 1e-4 * step) * before or step < 1e-6:
                break
            step *= 0.5
        if step < 1e-6:
            break
        q, f, J = trial, ft, Jt
    return Closed(q, f, iterations, bool(np.abs(f).max(initial=0.0) < 1e-10))


def least_energy_large(
    system: System, f: np.ndarray, picked: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """v with Phi_q v = f (and the picked rates) and the least kinetic energy; what is missed by, and the lengths of the
    rows."""
    from scipy.sparse import bmat, csc_matrix, diags, identity
    from scipy.sparse.linalg import splu

    J, length = scaled_rows(system, picked)
    unit = diags(system.unit)
    M: Any = unit @ system.sparse_mass() @ unit
    M = M / max(float(M.diagonal().max()), 1e-300) + 1e-9 * identity(system.n)
    A = csc_matrix(bmat([[M, J.T], [J, -EPS * identity(J.shape[0])]]))
    exact = csc_matrix(bmat([[M, J.T], [J, None]]))
    g = f / length
    right = np.concatenate([np.zeros(system.n), g])
    factor = splu(A)
    x = factor.solve(right)
    for _ in range(4):  # what eps has left of the rows: little of each, but long chains add it up
        x += factor.solve(right - exact @ x)
    y = x[: system.n]
    return system.unit * y, (J @ y - g) * length, length


def free_direction(system: System, J: Any, rng: np.random.Generator) -> np.ndarray:
    """A random motion that the rows allow."""
    w = rng.standard_normal(system.n)
    factor = gram(J)
    for _ in range(2):
        w = w - J.T @ factor.solve(J @ w)
    return w
