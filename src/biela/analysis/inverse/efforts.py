"""Efforts that a known motion needs: what the motors must do, of least norm where there are more than needed.

With N a basis of the motions that the joints allow, and C the gradients of the coordinates on which motors act,

    (C N)^T u = N^T (M v' - Q)                                                                [V.2]

has no joint forces in it. So the efforts do not depend on the coordinates, and a convention about the joints cannot
change them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...errors import MethodError, Problem
from ...methods.positions.closing import row_lengths
from ...system.system import System
from ..kinematics.kinematics import turn_angles


@dataclass
class Efforts:
    """At every sample: efforts of the motors, and what they leave undone."""

    u: np.ndarray
    missing: np.ndarray
    """the generalised force that no motor can give, along each velocity (lengths in units of the mechanism), N m"""
    scale: float
    """the largest generalised force of the motion, N m"""
    rank: int
    """independent motors in a regular position"""
    worst: float
    """smallest over largest singular value of (C N), the worst of all samples"""
    interrupted: bool = False


def required_efforts(
    system: System, t: np.ndarray, q: np.ndarray, v: np.ndarray, a: np.ndarray,
    joints: int, progress: Callable[[float, int], None] | None = None,
) -> Efforts:  # fmt: skip
    """`system`: the mechanism with a driver on every coordinate that has a motor (their laws do not matter);
    `joints`: the rank of its other rows in a regular position."""
    rows = system.equations.rows
    motors = np.array([r.role == "driver" for r in rows], dtype=bool)
    drivers = {d.name: d for d in system.resolved.drivers}
    coordinates, unit = system.resolved.coordinates, system.unit
    weight = np.array(  # a moment counts by the force that it is at the size of the mechanism, as in [R.1]
        [
            system.size if getattr(coordinates.get(drivers[r.name].coordinate), "type", "") == "angle" else 1.0
            for r in rows
            if r.role == "driver"
        ]
    )
    samples = len(t)
    u, missing = np.zeros((samples, int(motors.sum()))), np.zeros((samples, system.n))
    scale, rank, worst, k = 0.0, 0, 1.0, 0
    interrupted = False
    try:
        for k in range(samples):
            dt = float(t[k] - t[k - 1]) if k else 0.0
            turn_angles(system, (q[k - 1], v[k - 1]) if k else None, (q[k], v[k]), dt)
            at = system.at(q[k], v[k], float(t[k]))
            inertia, applied = at.M @ a[k] * unit, at.Q * unit
            if not np.isfinite(applied).all():
                raise _no_force(system, float(t[k]))
            N = allowed(system, at.B[~motors] * unit, ~motors, joints)
            A = N.T @ (at.B[motors] * unit * weight[:, None]).T
            rest = N.T @ (inertia - applied)
            w, _, found, s = np.linalg.lstsq(A, rest, rcond=1e-9)
            u[k] = weight * w
            missing[k] = N @ (rest - A @ w)
            scale = max(scale, float(np.linalg.norm(N.T @ inertia)), float(np.linalg.norm(N.T @ applied)))
            scale = max(scale, 1e-5 * float(np.linalg.norm(inertia)))  # where nothing is left of it but its rounding
            rank = max(rank, int(found))
            if len(s):
                worst = min(worst, float(s[min(A.shape) - 1] / s[0]) if s[0] > 0 else 0.0)
            if progress and (k % 20 == 0 or k + 1 == samples):
                progress(0.5 + 0.5 * (k + 1) / samples, k + 1)
    except KeyboardInterrupt:
        if k == 0:
            raise
        interrupted = True
        u, missing = u[:k], missing[:k]
    return Efforts(u, missing, scale, rank, worst, interrupted)


def allowed(system: System, B: np.ndarray, keep: np.ndarray, most: int) -> np.ndarray:
    """An orthonormal basis of the motions that the joints allow, as columns: B is what is kept of all the rows.

    `most`: the rank of B in a regular position. Where positions are a little off, rows that imply one another seem to
    be independent, and would take a freedom away.
    """
    if not B.size:
        return np.eye(B.shape[1])
    _, s, Vt = np.linalg.svd(B / row_lengths(system, B, keep)[:, None])
    return Vt[min(most, int((s > 1e-9 * np.sqrt(max(B.shape))).sum())) :].T


def _no_force(system: System, t: float) -> MethodError:
    what = f"a force of {system.name!r} has no value at t = {t:.6g} s"
    return MethodError(Problem(what, why=system.workspace.error or "", cure="correct its law"))
