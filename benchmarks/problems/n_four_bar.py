"""A02 of IFToMM: N four-bars in a row, through their singular positions."""

from __future__ import annotations

import numpy as np
from harness.planar import GROUND, Planar
from scipy.integrate import solve_ivp


def problem(size: int = 2, duration: float = 10.0) -> Planar:
    """B0 is watched. With the cranks parallel it is one pendulum: phi'' = (W/J) sin(phi)."""
    N = size
    cranks, couplers = range(N + 1), range(1, N + 1)
    pins = [(GROUND, i, float(i), 0.0) for i in cranks]
    for i in couplers:
        pins += [(i - 1, N + i, i - 1.0, 1.0), (N + i, i, float(i), 1.0)]
    return Planar(
        "n_four_bar",
        [1.0] * (2 * N + 1),
        [1 / 12] * (2 * N + 1),
        [(float(i), 0.5) for i in cranks] + [(i - 0.5, 1.0) for i in couplers],
        pins,
        duration,
        velocity=[(0.5, 0.0, -1.0)] * (N + 1) + [(1.0, 0.0, 0.0)] * N,
        mechanism="n-four-bar",
        coarse=0.02,
        parameters={"N": N},
        watch=(0, 0.0, 1.0),
        reference=lambda t: exact(N, t)[:2],
    )


def exact(N: int, t: float) -> np.ndarray:
    """x, y, vx, vy of B0 on the branch where the cranks stay parallel."""
    ratio = 9.81 * ((N + 1) / 2 + N) / ((N + 1) / 3 + N)
    run = solve_ivp(lambda _, y: [y[1], ratio * np.sin(y[0])], (0, t), [0.0, 1.0], "DOP853", rtol=1e-13, atol=1e-14)
    phi, rate = run.y[:, -1]
    return np.array([np.sin(phi), np.cos(phi), rate * np.cos(phi), -rate * np.sin(phi)])
