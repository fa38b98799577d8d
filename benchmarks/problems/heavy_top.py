"""The symmetric top of 002, section 6.3: it leans by 0.3 rad and spins at 50 rad/s, 2 s.

A motion is an array [sample, 10]: place of the centre of mass, velocity of it, turning rate in the body's axes, and the
gap at the pivot. The reference is Euler's equations about the fixed point with a quaternion, order 8, tolerance 1e-13.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

G = 9.81
MASS, TILT, SPIN = 20.0 / G, 0.3, np.array([0.0, 0.0, 50.0])
J_PIVOT = np.array([5.0, 5.0, 1.0])
J = J_PIVOT - MASS * np.array([1.0, 1.0, 0.0])
R0 = np.array([[1, 0, 0], [0, np.cos(TILT), -np.sin(TILT)], [0, np.sin(TILT), np.cos(TILT)]])
Q0 = np.array([np.cos(TILT / 2), np.sin(TILT / 2), 0.0, 0.0])
ENERGY = 0.5 * J_PIVOT @ SPIN**2 + MASS * G * R0[2, 2]


@cache
def exact(t: float) -> tuple[float, float, float]:
    """Place of the centre of mass."""

    def rate(_, y):
        (a, b, c, d), W = y[:4], y[4:]
        down = np.array([2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d])  # e3 in the body
        dq = 0.5 * np.array(
            [
                -b * W[0] - c * W[1] - d * W[2],
                a * W[0] + c * W[2] - d * W[1],
                a * W[1] + d * W[0] - b * W[2],
                a * W[2] + b * W[1] - c * W[0],
            ]
        )
        torque = np.cross([0.0, 0.0, 1.0], -MASS * G * down)
        return np.concatenate([dq, (torque - np.cross(W, J_PIVOT * W)) / J_PIVOT])

    y = solve_ivp(rate, (0, t), np.concatenate([Q0, SPIN]), "DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    a, b, c, d = y[:4] / np.linalg.norm(y[:4])
    return 2 * (b * d + a * c), 2 * (c * d - a * b), a * a - b * b - c * c + d * d


@dataclass
class Top:
    """Compared at the end: the centre of mass."""

    duration: float = 2.0
    name: str = "heavy_top"
    mechanism: str = str(Path(__file__).with_suffix(".toml"))
    parameters: dict = field(default_factory=dict)
    coarse: float = 8e-3
    unit: str = "m"

    def errors(self, motion: np.ndarray, t: float) -> dict[str, float]:
        """Position at the end; energy and gap, largest over the samples."""
        if not np.isfinite(motion).all():
            return {"position": float("nan"), "energy": float("nan"), "gap": float("nan")}
        x, v, W, gap = motion[:, :3], motion[:, 3:6], motion[:, 6:9], motion[:, 9]
        E = 0.5 * MASS * (v**2).sum(axis=1) + 0.5 * (J * W**2).sum(axis=1) + MASS * G * x[:, 2]
        error = float(np.linalg.norm(x[-1] - np.array(exact(t))))
        return {"position": error, "energy": float(np.abs(E - ENERGY).max()), "gap": float(gap.max())}

    def motion_of_biela(self, r) -> np.ndarray:
        """That of a result of biela."""
        x, v = np.asarray(r["top.position"]), np.asarray(r["top.velocity"])
        W = np.column_stack([np.asarray(r[f"top.w{c}"]) for c in "xyz"])
        return np.column_stack([x, v, W, np.linalg.norm(np.asarray(r["O.position"]), axis=1)])

    @staticmethod
    def of_turn(R: np.ndarray, W: np.ndarray) -> np.ndarray:
        """From the body's axes (columns of R, per sample) and its rate in them; the pivot holds by construction."""
        x = R[:, :, 2]
        v = np.einsum("kij,kj->ki", R, np.cross(W, [0.0, 0.0, 1.0]))
        return np.column_stack([x, v, W, np.zeros(len(x))])


def problem(size: int = 0, duration: float = 2.0) -> Top:
    """The same for all programs."""
    return Top(duration)
