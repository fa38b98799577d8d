"""The trapezoidal rule of 004 for x' = A x + b(t): in closed form, with a matrix that is factorised once. [B.10]"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import lu_factor, lu_solve


class Trapezoid:
    """x'_n = (I - h/2 A)^-1 (A x_{n-1} + h/2 A x'_{n-1} + b_n),   x_n = x_{n-1} + h/2 (x'_{n-1} + x'_n).

    The last line of 004 has lost its b_n, which the line before still has.

    >>> rule = Trapezoid(np.array([[-2.0]]), lambda t: np.array([4.0]), 0.1)
    >>> x, dx = rule.step(0.0, np.array([0.0]), np.array([4.0]))
    >>> x.round(6).tolist(), dx.round(6).tolist()
    ([0.363636], [3.272727])
    """

    def __init__(self, A: np.ndarray, b: Callable[[float], np.ndarray], h: float):
        self.A, self.b, self.h = A, b, h
        self.factors = lu_factor(np.eye(len(A)) - 0.5 * h * A) if len(A) else None

    def step(self, t: float, x: np.ndarray, dx: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """x and x' at t + h."""
        h = self.h
        right = self.A @ (x + 0.5 * h * dx) + self.b(t + h)
        fresh = lu_solve(self.factors, right, check_finite=False) if self.factors is not None else right
        return x + 0.5 * h * (dx + fresh), fresh
