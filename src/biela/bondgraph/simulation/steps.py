"""biela's fixed-step integrators for y' = g(t, y), under the names they have in `methods.registry`.

The compiled ones are written for q and v of a mechanism; momenta and displacements are one vector. The formulas are
the same: 004, 000 (118)-(122).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

Rate = Callable[[float, np.ndarray], np.ndarray]


class Diverged(Exception):
    """An iteration that does not converge."""


@dataclass
class Memory:
    """What a method keeps from step to step."""

    momenta: np.ndarray
    """which entries of y are momenta; the rest of the states are displacements"""
    states: int
    """how many entries steer the iteration; those behind them are energies"""
    tolerance: float = 1e-12
    before: list[np.ndarray] = field(default_factory=list)
    """y' of the steps before, the latest first"""
    iterations: int = 0


def euler(g: Rate, t: float, y: np.ndarray, dy: np.ndarray, h: float, memory: Memory) -> np.ndarray:
    """y + h y'."""
    return y + h * dy


def symplectic_euler(g: Rate, t: float, y: np.ndarray, dy: np.ndarray, h: float, memory: Memory) -> np.ndarray:
    """New momenta first, then displacements with the new momenta: 004 (19), (20)."""
    half = np.where(memory.momenta, y + h * dy, y)
    rest = g(t, half)
    return np.where(memory.momenta, half, y + h * rest)


def rk2(g: Rate, t: float, y: np.ndarray, dy: np.ndarray, h: float, memory: Memory) -> np.ndarray:
    """000 (120)."""
    return y + 0.5 * h * (dy + g(t + h, y + h * dy))


def rk4(g: Rate, t: float, y: np.ndarray, dy: np.ndarray, h: float, memory: Memory) -> np.ndarray:
    """Kutta's classical method."""
    k2 = g(t + 0.5 * h, y + 0.5 * h * dy)
    k3 = g(t + 0.5 * h, y + 0.5 * h * k2)
    k4 = g(t + h, y + h * k3)
    return y + h / 6.0 * (dy + 2.0 * k2 + 2.0 * k3 + k4)


def ab4(g: Rate, t: float, y: np.ndarray, dy: np.ndarray, h: float, memory: Memory) -> np.ndarray:
    """000 (121); the first three steps by Runge-Kutta."""
    past = memory.before
    fresh = rk4(g, t, y, dy, h, memory) if len(past) < 3 else _bashforth(y, dy, h, past)
    memory.before = [dy, *past[:2]]
    return fresh


def abm4(g: Rate, t: float, y: np.ndarray, dy: np.ndarray, h: float, memory: Memory) -> np.ndarray:
    """Predictor (121), corrector (122) until it stops changing."""
    past = memory.before
    memory.before = [dy, *past[:2]]
    if len(past) < 3:
        return rk4(g, t, y, dy, h, memory)
    known = y + h / 24.0 * (19.0 * dy - 5.0 * past[0] + past[1])
    return _corrected(g, t + h, _bashforth(y, dy, h, past), known, 9.0 * h / 24.0, memory)


def trapezoidal(g: Rate, t: float, y: np.ndarray, dy: np.ndarray, h: float, memory: Memory) -> np.ndarray:
    """The rule of 004 where there is no closed form: x = x_n + h/2 (x'_n + x') by Newton's method."""
    n = memory.states
    known, at = y + 0.5 * h * dy, t + h
    fresh = y + h * dy
    for _ in range(30):
        rate = g(at, fresh)
        r = (fresh - known - 0.5 * h * rate)[:n]
        J = np.empty((n, n))
        for k in range(n):
            d = 1e-7 * max(abs(fresh[k]), 1e-6 * float(np.abs(fresh[:n]).max(initial=0.0)), 1e-9)
            moved = fresh.copy()
            moved[k] += d
            J[:, k] = (g(at, moved) - rate)[:n] / d
        memory.iterations += 1
        step = np.linalg.solve(np.eye(n) - 0.5 * h * J, -r)
        fresh[:n] += step
        if (np.abs(step) <= memory.tolerance * np.maximum(np.abs(fresh[:n]), np.abs(y[:n])) + 1e-300).all():
            fresh[n:] = (known + 0.5 * h * g(at, fresh))[n:]
            return fresh
        if not np.isfinite(fresh).all():
            break
    raise Diverged


def _bashforth(y: np.ndarray, dy: np.ndarray, h: float, past: list[np.ndarray]) -> np.ndarray:
    return y + h / 24.0 * (55.0 * dy - 59.0 * past[0] + 37.0 * past[1] - 9.0 * past[2])


def _corrected(g: Rate, t: float, y: np.ndarray, known: np.ndarray, weight: float, memory: Memory) -> np.ndarray:
    n = memory.states
    for _ in range(60):
        fresh = known + weight * g(t, y)
        memory.iterations += 1
        change = np.abs(fresh - y)[:n]
        y = fresh
        if (change <= memory.tolerance * np.abs(fresh[:n]).max(initial=0.0) + 1e-300).all():
            return y
        if not np.isfinite(fresh).all():
            break
    raise Diverged


STEPS: dict[str, Callable[..., np.ndarray]] = {
    "euler": euler,
    "symplectic-euler": symplectic_euler,
    "rk2": rk2,
    "rk4": rk4,
    "trapezoidal": trapezoidal,
    "ab4": ab4,
    "abm4": abm4,
}
SCIPY = {"dopri5": "RK45", "dop853": "DOP853", "radau": "Radau"}
"""error-controlled: Dormand and Prince's pair is SciPy's RK45"""
