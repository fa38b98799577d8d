"""Closing a mechanism: Phi(q, t) = 0 from approximate positions, with redundant or missing rows (003 (3), (5)).

Newton-Raphson with the least change of q at each iteration (the sign of 003 (5) corrected:
q <- q - Phi_q^+ Phi), damped by a line search so that the violation always falls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...system.system import System

BOLD = 6
"""fresh starts in space, from where nothing near is better"""
NEAR, FAR = 1e-3, 10.0
"""of the mechanism: once the residue is less than NEAR, a step along a direction that the rows hardly determine goes
astray if it is longer than FAR times the singular value (beside a dead point it is half of that)"""

SILENT = 1e-9
"""entries of rows of length one: smaller ones are rounding"""


@dataclass(frozen=True)
class Targets:
    """Values asked of some coordinates besides the constraints: rows (each a vector over q) and values."""

    rows: np.ndarray
    values: np.ndarray

    @staticmethod
    def none(n: int) -> Targets:
        return Targets(np.zeros((0, n)), np.zeros(0))


Watch = Callable[[np.ndarray, np.ndarray, float], None]
"""is told q, what is left of each equation (rows of length one), and the part of Newton's step that was taken; 0: a
fresh start"""


@dataclass(frozen=True)
class Closed:
    """The outcome: positions, what is left of Phi (and of the targets), iterations."""

    q: np.ndarray
    residual: np.ndarray
    iterations: int
    converged: bool
    off: float = 0.0
    """what rounded data leaves, where its rows nearly imply one another and cannot all hold"""


def close(
    system: System,
    q: np.ndarray,
    t: float = 0.0,
    targets: Targets | None = None,
    keep: np.ndarray | None = None,
    max_iterations: int = 200,
    leave: np.ndarray | None = None,
    damped: bool = True,
    watch: Watch | None = None,
) -> Closed:
    """Find positions that satisfy the constraints, near q. `keep` selects rows (default: all); `leave`: what Phi shall
    come to in place of zero. Not `damped`: whole steps always, as 003 (5) has them. `watch` is told every iterate."""
    q = np.array(q, dtype=float)
    targets = targets or Targets.none(system.n)
    if system.is_large:
        from .large import close_large

        return close_large(system, q, t, targets, keep, leave)
    unit = system.unit  # lengths count in units of the mechanism

    def equations(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        at = system.at(x, None, t)
        Phi, B = at.Phi if leave is None else at.Phi - leave, at.B
        if keep is not None:
            Phi, B = Phi[keep], B[keep]
        J = np.vstack([B, targets.rows]) * unit
        f = np.concatenate([Phi, targets.rows @ x - targets.values]) if len(targets.values) else Phi
        scale = row_lengths(system, J, keep)
        return f / scale, J / scale[:, None]

    f, J = equations(q)
    iterations, bold = 0, BOLD if system.resolved.dimension == 3 else 0
    nearest = q, f
    if watch is not None:
        watch(q, f, 0.0)
    while iterations < max_iterations:
        iterations += 1
        size = float(np.abs(f).max(initial=0.0))
        if size < 2e-15 * max(1.0, 1e-2 * float(np.abs(q).max(initial=0.0)) / system.size):  # rounding, far from O
            break
        if not damped and size < 1e-14:  # whole steps go on for ever within rounding
            break
        dq = -_least_change(J, f, rounding_of(system))
        reach = float(np.abs(dq).max(initial=0.0))
        cut = 1.0 / reach if reach > 1.0 and damped else 1.0  # no step longer than the mechanism itself
        dq *= cut
        before, step = float(f @ f), 1.0
        while True:
            trial = system.displaced(q, step * dq * unit)
            ft, Jt = equations(trial)
            after = float(ft @ ft)
            if not damped or (np.isfinite(after) and after <= (1 - 1e-4 * step) * before):
                break
            step *= 0.5
            if step < 1e-10:
                break
        if step < 1e-10:
            if size < 1e-10 or (size < rounding_of(system) and _at_rest(J, f, rounding_of(system))):
                break
            better = _escape(system, equations, q, f, J)  # a saddle of the violation, as a bar folded the wrong way
            nearest = min((nearest, (q, f)), key=lambda qf: float(qf[1] @ qf[1]))
            if better is None and bold == 0:
                break
            if better is None:  # an axis that points straight the wrong way: anywhere else is a better start
                bold -= 1
                rng = np.random.default_rng(bold)
                better = system.displaced(nearest[0], 0.5 * system.unit * rng.standard_normal(system.n))
            q = better
            f, J = equations(q)
            if watch is not None:
                watch(q, f, 0.0)
            continue
        q, f, J = trial, ft, Jt
        if watch is not None:
            watch(q, f, cut * step)
        if not np.isfinite(after):
            break
        if reach * step < 1e-15:
            break
    q, f = min((nearest, (q, f)), key=lambda qf: float(qf[1] @ qf[1]))
    size = float(np.abs(f).max(initial=0.0))
    off = size if 1e-10 <= size < rounding_of(system) and _at_rest(equations(q)[1], f, rounding_of(system)) else 0.0
    return Closed(q, f, iterations, size < 1e-10 or off > 0.0, off)


def _least_change(J: np.ndarray, f: np.ndarray, rounding: float) -> np.ndarray:
    """The least dq with J dq = f (as nearly as it goes). Rounded data makes rows that imply one another contradict one
    another a little; no long way is gone to make them agree. Where the coordinates fulfil all rows by themselves,
    nothing in them moves what rounding leaves."""
    if np.abs(J).max(initial=0.0) < SILENT:
        return np.zeros(J.shape[1])
    if not rounding or float(np.abs(f).max(initial=0.0)) > NEAR:
        return np.linalg.lstsq(J, f, rcond=1e-10)[0]
    U, s, Vt = np.linalg.svd(J, full_matrices=False)
    c = U.T @ f
    step = np.divide(c, s, out=np.zeros_like(c), where=s > 1e-10 * s.max(initial=0.0))
    step[(s < rounding) & (np.abs(c) > FAR * s * s)] = 0.0
    return Vt.T @ step


def _at_rest(J: np.ndarray, f: np.ndarray, rounding: float) -> bool:
    """Whether nothing that is well determined would still move."""
    return bool(np.abs(_least_change(J, f, rounding)).max(initial=0.0) < 1e-9)


def rounding_of(system: System) -> float:
    """What rounded data may do to the rows, in units of the mechanism: a hundred times half its last decimal."""
    return 100.0 * system.resolved.rounding / min(system.size, 1.0)


def slopes_of_rows(system: System) -> np.ndarray:
    """The largest slope of each row by the points and directions that it speaks of, whatever the coordinates make of
    them, at the state evaluated last. Rows are compared with themselves only: one in square metres says nothing of
    another in radians, and in a small mechanism the one is a millionth of the other. At least the size of the
    mechanism, as that of a distance squared: what is less by many digits is the rounding of a row that says nothing."""
    s = system.arrays
    out = np.full(len(s.xptr) - 1, min(1.0, system.size))
    np.maximum.at(out, np.repeat(np.arange(len(out)), np.diff(s.xptr)), np.abs(s.Jx[: s.xptr[-1]]))
    return out


def row_lengths(system: System, J: np.ndarray, keep: np.ndarray | None = None) -> np.ndarray:
    """Lengths to divide the rows of a Jacobian by (lengths in units of the mechanism), at the state evaluated last.

    The sine and cosine rows of an angle count as long as the longer of them: either nearly vanishes somewhere, and as a
    row of length one it would be mostly error. So would rows that the coordinates fulfil by themselves.
    """
    length = np.linalg.norm(J, axis=1)
    own = slopes_of_rows(system)[: system.m] * system.size
    own = own if keep is None else own[keep]
    at = np.arange(system.m) if keep is None else np.cumsum(keep) - 1
    for k in system.twins:
        if keep is None or (keep[k] and keep[k + 1]):
            length[at[k]] = length[at[k + 1]] = max(length[at[k]], length[at[k + 1]])
    spread(length, own)
    return length


def spread(length: np.ndarray, own: np.ndarray) -> None:
    """Rows that vanish here, beside what they could be, count as long as that: divided by it they stay small."""
    vanishing = length[: len(own)] < 1e-10 * own
    length[: len(own)][vanishing] = own[vanishing]
    length[length == 0.0] = max(float(length.max(initial=0.0)), 1e-300)


def _escape(system: System, equations, q: np.ndarray, f: np.ndarray, J: np.ndarray) -> np.ndarray | None:
    """Leave a stationary point of |Phi|^2 that is not a minimum by trying small fixed perturbations."""
    if np.linalg.norm(J.T @ f) > 1e-6 * np.linalg.norm(f):
        return None
    rng = np.random.default_rng(0)
    before = float(f @ f)
    for _ in range(20):
        trial = system.displaced(q, 1e-2 * system.unit * rng.standard_normal(system.n))
        ft, _ = equations(trial)
        if float(ft @ ft) < before:
            return trial
    return None
