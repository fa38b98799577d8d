"""What an integrator makes of an oscillation q'' = -omega^2 q with fixed steps h: 000 4.1.

The state after a step is a linear function of the one before (of the last few, in a multistep method). Its eigenvalues
are roots r(z), z = h omega, that should be e^(+-iz): |r| says what becomes of the amplitude, the angle of r what of the
period. The largest |r| of all roots says whether errors grow.   [I.31]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import atan2, pi, sqrt
from typing import Any

import numpy as np

from ..integrators.index3.alpha_family import alphas
from ..registry import Integrator

GROWS = 1e-9
"""by how much a root may be larger than one and still be rounding (a double root has half of the digits)"""
ENDLESS = 1e5
"""h omega up to which steps are tried: if nothing grows until there, nothing does"""
UNCONDITIONAL = {"radau": "L", "bdf": "L"}
"""of SciPy's methods, which are not analysed here: those of Hairer & Wanner (IV.5, V.1)"""
Matrix = np.ndarray


# ------------------------------------------------------------------------------------------ methods for y' = f(y)
def _collocation(nodes: list[float]) -> tuple[Matrix, Matrix]:
    """Weights a, b of the method whose polynomial satisfies the equation at these instants of the step."""
    c = np.array(nodes)
    powers = np.arange(1, len(c) + 1)
    V = c[:, None] ** (powers - 1)
    return (c[:, None] ** powers / powers) @ np.linalg.inv(V), (1.0 / powers) @ np.linalg.inv(V)


def _runge_kutta(a: Any, b: Any) -> Callable[[float], Matrix]:
    a, b = np.array(a, dtype=float), np.array(b, dtype=float)

    def matrix(z: float) -> Matrix:
        w = 1j * z
        r = 1 + w * (b @ np.linalg.solve(np.eye(len(b)) - w * a, np.ones(len(b))))
        return np.array([[r]])

    return matrix


def _adams(nodes: list[int]) -> Matrix:
    """Weights of the derivatives at these steps: exact for polynomials over the step from 0 to 1."""
    k = np.arange(len(nodes))
    return np.linalg.solve(np.array(nodes, dtype=float) ** k[:, None], 1.0 / (k + 1))


def _multistep(predictor: Matrix | None, corrector: Matrix | None) -> Callable[[float], Matrix]:
    """Companion matrix of an Adams method: the predictor alone, the corrector iterated to the end, or both once."""

    def matrix(z: float) -> Matrix:
        w = 1j * z
        p = np.zeros(8, dtype=complex)  # y_n+1 as a sum of y_n, y_n-1, ...
        p[0] = 1
        if predictor is not None:
            p[: len(predictor)] += w * predictor
        if corrector is not None:
            last = np.zeros(8, dtype=complex)
            last[0] = 1
            last[: len(corrector) - 1] += w * corrector[1:]
            p = last / (1 - w * corrector[0]) if predictor is None else last + w * corrector[0] * p
        return np.vstack([p, np.eye(7, 8)])

    return matrix


# ---------------------------------------------------------------------------------------- methods that solve for a step
def _symplectic_euler(z: float) -> Matrix:
    """(q omega, v): 004 (19)-(20)."""
    return np.array([[1 - z * z, z], [-z, 1]])


def _conserving(z: float) -> Matrix:
    return _runge_kutta([[0.5]], [1.0])(z)


def _conserving4(z: float) -> Matrix:
    p = 1 / (4 - 4 ** (1 / 3))
    short, long = _conserving(p * z), _conserving((1 - 4 * p) * z)
    return short @ short @ long @ short @ short


def _decaying(dissipation: float) -> Callable[[float], Matrix]:
    """(q omega, v h omega / z) by [D.10], [D.11] with F = -q: unknowns u_g, y = u_h / D."""
    D = dissipation

    def matrix(z: float) -> Matrix:
        # with m = 1, h = z, omega = 1:  F_g = -(q_n + u_h + u_g/2),  F_h + (f_j - f_n)/2 = -(q_n + u_h)
        h, k = z, 1.0
        mean, jump = np.array([1.0, D]) / h, np.array([0.0, 3.0]) / h
        ahead, after = mean - jump, mean + jump
        A = np.array([ahead + h * k * np.array([0.5, D]),
                      after + D / 3 * ahead + D * h * k / 3 * np.array([0.0, D])])  # fmt: skip
        start = np.array([[-h * k, 1.0], [-D * h * k / 3, 1.0 + D / 3]])  # of q_n, v_n
        u = np.linalg.solve(A, start)
        return np.array([np.array([1.0, D]) @ u + [1.0, 0.0], ahead @ u])

    return matrix


def _alpha(name: str, rho: float) -> Callable[[float], Matrix]:
    """(q, h v, h^2 a) of the alpha family, [D.15]-[D.16]."""
    am, af, beta, gamma = alphas(name, rho)

    def matrix(z: float) -> Matrix:
        # unknowns q1, v1, a1 with v' = -z^2 q: (1 - am) a1 + am a0 = -z^2 ((1 - af) q1 + af q0)
        left = np.array([[1, 0, -beta], [0, 1, -gamma], [(1 - af) * z * z, 0, 1 - am]])
        right = np.array([[1, 1, 0.5 - beta], [0, 1, 1 - gamma], [-af * z * z, 0, -am]])
        return np.linalg.solve(left, right)

    return matrix


def _matrix_of(i: Integrator, rho: float | None, dissipation: float | None) -> Callable[[float], Matrix] | None:
    third = sqrt(3) / 6
    trapezoidal = _runge_kutta([[0, 0], [0.5, 0.5]], [0.5, 0.5])
    made: dict[str, Callable[[], Callable[[float], Matrix]]] = {
        "euler": lambda: _runge_kutta([[0]], [1]),
        "symplectic-euler": lambda: _symplectic_euler,
        "rk2": lambda: _runge_kutta([[0, 0], [1, 0]], [0.5, 0.5]),
        "rk4": lambda: _runge_kutta(np.diag([0.5, 0.5, 1], -1), np.array([1, 2, 2, 1]) / 6),
        "trapezoidal": lambda: trapezoidal,
        "trapezoidal-newton": lambda: trapezoidal,
        "midpoint": lambda: _runge_kutta([[0.5]], [1]),
        "gauss": lambda: _runge_kutta(*_collocation([0.5 - third, 0.5 + third])),
        "radau5": lambda: _runge_kutta(*_collocation([(4 - sqrt(6)) / 10, (4 + sqrt(6)) / 10, 1.0])),
        "ab4": lambda: _multistep(_adams([0, -1, -2, -3]), None),
        "abm4": lambda: _multistep(None, _adams([1, 0, -1, -2])),
        "ab6": lambda: _multistep(_adams([0, -1, -2, -3, -4, -5]), None),
        "abm8": lambda: _multistep(_adams(list(range(0, -8, -1))), _adams(list(range(1, -7, -1)))),
        "conserving": lambda: _conserving,
        "conserving4": lambda: _conserving4,
        "decaying": lambda: _decaying(1.0 if dissipation is None else dissipation),
        "decaying-002": lambda: _decaying(1.0 if dissipation is None else dissipation),
    }
    if i.name in made:
        return made[i.name]()
    if i.scheme in ("alpha", "stabilised"):
        return _alpha(i.name, i.damped[1] if rho is None else rho)
    return None


# ---------------------------------------------------------------------------------------------------- what it does
@dataclass(frozen=True)
class Oscillation:
    """What a method makes of oscillations.

    >>> from biela.methods.registry import integrator
    >>> Oscillation.of(integrator("trapezoidal")).kind, Oscillation.of(integrator("midpoint")).kind
    ('A', 'B')
    >>> round(Oscillation.of(integrator("rk4")).limit, 3)  # 2 sqrt(2)
    2.828
    """

    name: str
    kind: str
    """in the words of 000 4.1: "A" (stable whatever the step, amplitudes kept), "L" (the same, amplitudes damped), "B"
    (A, and angular momentum kept), "conditional", or "" where nobody can say"""
    limit: float | None
    """largest h omega that is stable, where there is one; 0: none is"""
    matrix: Callable[[float], Matrix] | None
    creeps: bool = False
    """amplitudes grow with any step, if slowly with short ones"""

    @staticmethod
    def of(i: Integrator, rho: float | None = None, dissipation: float | None = None) -> Oscillation:
        """The facts of an integrator, with the damping that was chosen."""
        return _oscillation(i, rho, dissipation)

    def root(self, z: float) -> complex | None:
        """The root that should be e^(iz)."""
        if self.matrix is None:
            return None
        roots = np.linalg.eigvals(self.matrix(z))
        return complex(roots[np.argmin(np.abs(roots - np.exp(1j * z)))])

    def errors(self, steps: float) -> tuple[float, float] | None:
        """Relative change of the amplitude over a period of so many steps, and relative lengthening of the period; None
        where the steps are too long for the method.

        >>> from biela.methods.registry import integrator
        >>> amplitude, period = Oscillation.of(integrator("trapezoidal")).errors(10)
        >>> round(amplitude, 12) + 0.0, round(period, 4)
        (0.0, 0.0321)
        """
        z = 2 * pi / steps
        r = self.root(z)
        if r is None or abs(r) == 0.0 or (self.limit and z > self.limit):
            return None
        angle = atan2(r.imag, r.real) % (2 * pi)
        if angle == 0.0:
            return None
        lengthening = z / angle - 1
        return float(abs(r) ** (2 * pi / angle) - 1), float(lengthening)

    @property
    def factor(self) -> float | None:
        """Of (114): steps are stable up to T / factor; None where any step is, or none."""
        return 2 * pi / self.limit if self.limit else None

    @property
    def words(self) -> str:
        """In a few words.

        >>> from biela.methods.registry import integrator
        >>> Oscillation.of(integrator("rk2")).words, Oscillation.of(integrator("hht")).words
        ('grows with any step', 'L-stable')
        """
        if self.kind in ("A", "B", "L"):
            return f"{self.kind}-stable"
        if self.limit == 0.0:
            return "grows with any step"
        if self.factor is None:
            return "conditional"
        return f"h <= T/{self.factor:.3g}" + (" (grows)" if self.creeps else "")


@cache
def _oscillation(i: Integrator, rho: float | None, dissipation: float | None) -> Oscillation:
    matrix = _matrix_of(i, rho, dissipation)
    if matrix is None:
        return Oscillation(i.name, UNCONDITIONAL.get(i.name, "conditional"), None, None)

    def largest(z: float) -> float:
        return float(np.abs(np.linalg.eigvals(matrix(z))).max())

    grid = np.concatenate([np.linspace(0.01, 20.0, 2000), np.geomspace(20.0, ENDLESS, 200)])
    sizes = np.array([largest(z) for z in grid])
    if (sizes <= 1 + GROWS).all():
        damps = bool((sizes < 1 - 1e-6).any())
        return Oscillation(i.name, "L" if damps else "B" if i.keeps_momentum else "A", None, matrix)
    limit = _last(largest, grid)
    if largest(0.7 * limit) <= 1 + 1e-13:
        return Oscillation(i.name, "conditional", limit, matrix)

    # the root itself grows before, only more slowly: what counts is where the other roots begin to grow
    def others(z: float) -> float:
        roots = np.linalg.eigvals(matrix(z))
        return float(np.delete(np.abs(roots), np.argmin(np.abs(roots - np.exp(1j * z)))).max(initial=0.0))

    return Oscillation(i.name, "conditional", _last(others, grid), matrix, creeps=True)


def _last(size: Callable[[float], float], grid: Matrix) -> float:
    """The last z before the first at which a root is larger than one; 0 if there is none."""
    at = next((k for k, z in enumerate(grid) if size(z) > 1 + GROWS), None)
    if at is None or at == 0:
        return 0.0
    low, high = float(grid[at - 1]), float(grid[at])
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if size(middle) <= 1 + GROWS else (low, middle)
    return low
