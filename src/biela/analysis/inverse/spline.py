"""Splines through tables of a motion: exact at the rows, or smoothed, with smooth accelerations.

Differentiating twice multiplies noise by the square of the sampling rate. A smoothing spline minimises

    sum (y_k - s(t_k))^2 + p integral (s''')^2 dt,

whose solution is a quintic spline (Reinsch 1967; Woltring 1986); p is chosen so that the root mean square of what is
taken away equals the noise that the user admits.   [V.6]
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

FEWEST = 4
"""rows that a table needs: fewer have no acceleration worth the name"""


@dataclass(frozen=True)
class Fit:
    """A spline, and what it has changed of the values at the rows."""

    spline: Any
    rms: float
    largest: float


def interpolate(t: np.ndarray, y: np.ndarray, degree: int = 5) -> Any:
    """The spline through all the rows: quintic (four continuous derivatives), cubic (two) where rows are few.

    >>> t = np.linspace(0, 1, 41)
    >>> s = interpolate(t, np.sin(3 * t))
    >>> bool(abs(s.derivative(2)(t) + 9 * np.sin(3 * t)).max() < 1e-4)
    True
    """
    from scipy.interpolate import make_interp_spline

    return make_interp_spline(t, y, k=degree if len(t) > degree else 3)


def through_states(t: np.ndarray, y: np.ndarray, rate: np.ndarray, acceleration: np.ndarray) -> Any:
    """The piecewise quintic that has these values, rates and accelerations at the rows: nothing is differentiated."""
    from scipy.interpolate import BPoly

    return BPoly.from_derivatives(t, np.stack([y, rate, acceleration], axis=1))


def noise_of(t: np.ndarray, y: np.ndarray, order: int = 6) -> float:
    """Standard deviation of the noise in a column, from its divided differences of order six: a smooth motion has
    hardly any left, independent errors keep all of theirs.

    >>> t = np.linspace(0, 1, 2001)
    >>> y = np.sin(5 * t) + 1e-3 * np.random.default_rng(1).standard_normal(2001)
    >>> bool(0.9e-3 < noise_of(t, y) < 1.1e-3)
    True
    """
    if len(t) <= order + 1:
        return 0.0
    steps = np.diff(t)
    if np.ptp(steps) < 1e-6 * steps.mean():
        return float(np.sqrt(np.mean(np.diff(y, order) ** 2) / comb(2 * order, order)))
    rows = np.lib.stride_tricks.sliding_window_view(t, order + 1)
    weights = np.ones_like(rows)
    for j in range(order + 1):
        for i in range(order + 1):
            if i != j:
                weights[:, j] /= rows[:, j] - rows[:, i]
    weights = weights / np.linalg.norm(weights, axis=1, keepdims=True)
    values = np.lib.stride_tricks.sliding_window_view(y, order + 1)
    return float(np.sqrt(np.mean((weights * values).sum(axis=1) ** 2)))


def smooth(t: np.ndarray, y: np.ndarray, noise: float) -> Fit:
    """The quintic smoothing spline that takes away `noise` (root mean square) from the values.

    >>> t = np.linspace(0, 2, 401)
    >>> y = np.sin(3 * t) + 1e-3 * np.random.default_rng(2).standard_normal(401)
    >>> fit = smooth(t, y, 1e-3)
    >>> inner = slice(40, -40)
    >>> error = abs(fit.spline.derivative(2)(t) + 9 * np.sin(3 * t))[inner].max()
    >>> bool(error < 0.5), bool(0.9e-3 < fit.rms <= 1.01e-3)
    (True, True)
    """
    if noise <= 0.0:
        return Fit(interpolate(t, y), 0.0, 0.0)
    problem = _Penalised(t, y)
    low, high = -14.0, 6.0  # exponents of ten of p, in units of the spacing of the rows
    if problem.left(10.0**high)[1] <= noise:  # a parabola is within the noise already
        exponent = high
    else:
        for _ in range(60):
            exponent = 0.5 * (low + high)
            if problem.left(10.0**exponent)[1] > noise:
                high = exponent
            else:
                low = exponent
            if high - low < 1e-3:
                break
        exponent = low
    spline, rms, largest = problem.left(10.0**exponent)
    return Fit(spline, rms, largest)


class _Penalised:
    """The normal equations of a smoothing spline: banded, knots at the rows."""

    def __init__(self, t: np.ndarray, y: np.ndarray):
        from scipy.interpolate import BSpline

        self.t, self.y = t, y
        self.mean = float(np.diff(t).mean())
        x = (t - t[0]) / self.mean
        self.x = x
        self.knots = np.concatenate([[x[0]] * 5, x, [x[-1]] * 5])
        self.count = len(self.knots) - 6
        self.A: Any = BSpline.design_matrix(x, self.knots, 5).tocsr()
        points, weights = np.polynomial.legendre.leggauss(3)  # exact for the square of a parabola
        half = np.diff(x) / 2
        where = (x[:-1, None] + half[:, None] * (1 + points)).ravel()
        weight = (half[:, None] * weights).ravel()
        D = self._third(where)
        self.P: Any = D.T @ (D.multiply(weight[:, None])).tocsr()

    def _third(self, x: np.ndarray) -> Any:
        """Third derivatives of all the basis functions at some places, as a sparse matrix."""
        from scipy.interpolate import BSpline
        from scipy.sparse import diags

        # the derivative of a B-spline is a spline whose coefficients are differences of the old ones
        matrix: Any = None
        knots, k = self.knots, 5
        for _ in range(3):
            n = len(knots) - k - 1
            width = knots[k + 1 : k + n] - knots[1:n]
            scale = np.divide(k, width, out=np.zeros_like(width), where=width > 0)
            step: Any = diags([-scale, scale], [0, 1], shape=(n - 1, n)).tocsr()  # type: ignore[arg-type]
            matrix = step if matrix is None else step @ matrix
            knots, k = knots[1:-1], k - 1
        inside = np.clip(x, knots[k], knots[-k - 1])
        return (BSpline.design_matrix(inside, knots, k).tocsr() @ matrix).tocsr()

    def left(self, p: float) -> tuple[Any, float, float]:
        """The spline for one p, and the root mean square and the largest of what is left over."""
        from scipy.interpolate import BSpline
        from scipy.sparse.linalg import spsolve

        K: Any = (self.A.T @ self.A + p * self.P).tocsc()
        c = np.asarray(spsolve(K, self.A.T @ self.y))
        gap = self.y - self.A @ c
        spline = BSpline(self.t[0] + self.mean * self.knots, c, 5)
        return spline, float(np.sqrt(np.mean(gap**2))), float(np.abs(gap).max())
