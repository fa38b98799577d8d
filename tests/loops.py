"""Closed loops: four-bars in a row (benchmark A02), the motion they must have, and a linkage with redundant rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

import biela


def loops(N: int, **more: object) -> biela.Model:
    """N four-bars in a row (benchmark A02)."""
    bodies = {f"crank{i}": {"type": "bar", "points": [f"A{i}", f"B{i}"], "length": 1, "mass": 1} for i in range(N + 1)}
    bodies |= {f"rod{i}": {"type": "bar", "points": [f"B{i - 1}", f"B{i}"], "length": 1, "mass": 1}
               for i in range(1, N + 1)}  # fmt: skip
    return biela.Model(
        name="loops", gravity=[0, -9.81], ground={f"A{i}": [i, 0] for i in range(N + 1)},
        points={f"B{i}": [i, 1] for i in range(N + 1)}, bodies=bodies,
        **({"initial": {"velocity": {"B0.x": 1.0}}} | more),
    )  # fmt: skip


def bennett() -> biela.Model:
    """Bennett's linkage: four revolute joints in space, three of their rows too many."""
    return biela.load(Path(__file__).parent / "data" / "bennett.toml")


def crank_at(N: int, t: float) -> tuple[float, float]:
    """Tip of the first crank: all cranks stay parallel, phi'' = W/J sin(phi)."""
    J, W = (N + 1) / 3 + N, 9.81 * ((N + 1) / 2 + N)
    y = solve_ivp(lambda _, y: [y[1], W / J * np.sin(y[0])], (0, t), [0, 1], rtol=1e-12, atol=1e-13, method="DOP853").y
    return float(np.sin(y[0, -1])), float(np.cos(y[0, -1]))
