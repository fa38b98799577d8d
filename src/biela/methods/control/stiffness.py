"""How fast small disturbances of a motion decay or oscillate: eigenvalues of its equations at one instant."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...system.system import System

LARGEST = 200
"""velocities up to which eigenvalues are asked for"""
SMALL = 1e-6
"""of what counts as one: half the distance of two states that are differenced"""


def eigenvalues(system: System, f: Any, t: float) -> np.ndarray:
    """Those of the accelerations f, linearised at the state that the system is in; it is left as it was. Coordinates
    are moved like velocities, so that quaternions turn, by the size of the mechanism or by radians."""
    s, n = system.arrays, system.n
    kept = {name: getattr(s, name).copy() for name in ("y", "ydot", "lam", "opt", "run", "mon", "margin")}
    q, v = s.q.copy(), s.v.copy()

    def acceleration(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        s.q[:], s.v[:], s.lam[:] = q, v, kept["lam"]
        return s.a.copy() if f(system.header, t) == 0 else np.full(n, np.nan)

    J = np.zeros((2 * n, 2 * n))
    J[:n, n:] = np.eye(n)
    unit = system.unit
    for j in range(n):
        e, d = np.eye(n)[j], SMALL * unit[j]
        ahead, back = system.displaced(q, d * e), system.displaced(q, -d * e)
        J[n:, j] = (acceleration(ahead, v) - acceleration(back, v)) / (2 * d)
        d = SMALL * max(unit[j], abs(v[j]))
        J[n:, n + j] = (acceleration(q, v + d * e) - acceleration(q, v - d * e)) / (2 * d)
    for name, values in kept.items():
        getattr(s, name)[:] = values
    return np.linalg.eigvals(J) if np.isfinite(J).all() else np.zeros(0)


def fastest_decay(system: System, f: Any, t: float) -> float:
    """The rate of the fastest decay, 1/s; 0 if nothing decays, or nobody can say."""
    if system.n > LARGEST or not system.equations.forces:
        return 0.0
    return float(max(0.0, -np.real(eigenvalues(system, f, t)).min(initial=0.0)))
