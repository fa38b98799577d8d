"""SymPy and SciPy by hand: Lagrange's equations by SymPy, `lambdify`, `solve_ivp`; and a plain RK4 loop in Python.

Settings: common subexpressions taken out (`cse=True`), `math` scalars instead of NumPy arrays in the function, which is
what makes it quick; LSODA and DOP853.
"""

from __future__ import annotations

import numpy as np
import sympy as sp
from harness.case import Method
from harness.planar import GROUND, Planar
from harness.steps import ladder
from scipy.integrate import solve_ivp

PROGRAM = "sympy+scipy"
_functions: dict[str, object] = {}


def methods(problem, quick: bool = False) -> list[Method]:
    """Open trees only: the double pendulum."""
    if problem.name != "double_pendulum":
        return []
    tolerances = tuple(10.0**-k for k in range(4, 12))
    words = "lambdify with cse and math"
    return [
        Method("DOP853", tolerances, words, True, options={"method": "DOP853"}),
        Method("LSODA", tolerances, words, True, options={"method": "LSODA"}),
        Method("RK4 loop", ladder(problem.coarse, problem.coarse / 16), words, options={"method": "rk4"}),
    ]


def accelerations(problem: Planar):
    """f(q1, q2, v1, v2) of the double pendulum, from its Lagrangian."""
    if problem.name in _functions:
        return _functions[problem.name]
    parent, hinge, _ = problem.tree()
    order = problem.order()
    q, v = sp.symbols(f"q:{len(order)}"), sp.symbols(f"v:{len(order)}")
    turn, at, T, V = {}, {}, 0, 0

    def point(body, xy):
        if body == GROUND:
            return sp.Matrix(xy)
        x, y = (sp.nsimplify(a - b) for a, b in zip(xy, hinge[body], strict=True))
        c, s = sp.cos(turn[body]), sp.sin(turn[body])
        return at[body] + sp.Matrix([c * x - s * y, s * x + c * y])

    for k, b in enumerate(order):
        turn[b] = q[k] + (turn[parent[b]] if parent[b] != GROUND else 0)
        at[b] = point(parent[b], hinge[b])
        center = point(b, problem.center[b])
        speed = center.jacobian(q) * sp.Matrix(v)
        rate = sp.Matrix([turn[b]]).jacobian(q) * sp.Matrix(v)
        T += problem.mass[b] * speed.dot(speed) / 2 + problem.inertia[b] * rate[0] ** 2 / 2
        V += problem.mass[b] * problem.gravity * center[1]
    p = sp.Matrix([sp.diff(T, x) for x in v])
    M = p.jacobian(v).applyfunc(sp.simplify)
    f = sp.Matrix([sp.diff(T - V, x) for x in q]) - p.jacobian(q) * sp.Matrix(v)
    a = M.LUsolve(f.applyfunc(sp.simplify))
    _functions[problem.name] = sp.lambdify([*q, *v], list(a), modules="math", cse=True)
    return _functions[problem.name]


class Run:
    """Relative angles."""

    def __init__(self, problem: Planar, method: Method, value: float):
        self.problem, self.method, self.value = problem, method, value
        self.f, self.n, self.steps = accelerations(problem), len(problem.mass), 0
        self.y0 = [0.0] * self.n + list(problem.relative_start())

    def reset(self) -> None:
        pass

    def _solve(self, samples: int) -> np.ndarray:
        f, T = self.f, self.problem.duration
        if self.method.options["method"] != "rk4":

            def rate(_, y):
                q0, q1, v0, v1 = y.tolist()
                return (v0, v1, *f(q0, q1, v0, v1))

            grid = np.linspace(0, T, samples + 1)[1:] if samples else None
            run = solve_ivp(
                rate, (0, T), self.y0, self.method.options["method"], t_eval=grid, rtol=self.value, atol=self.value
            )
            self.steps = run.nfev
            return run.y.T
        self.steps = round(T / self.value)
        h = T / self.steps
        every = max(1, self.steps // samples) if samples else self.steps
        a, b, u, w = self.y0
        out = []
        for k in range(1, self.steps + 1):
            p1, r1 = f(a, b, u, w)
            u2, w2 = u + h / 2 * p1, w + h / 2 * r1
            p2, r2 = f(a + h / 2 * u, b + h / 2 * w, u2, w2)
            u3, w3 = u + h / 2 * p2, w + h / 2 * r2
            p3, r3 = f(a + h / 2 * u2, b + h / 2 * w2, u3, w3)
            u4, w4 = u + h * p3, w + h * r3
            p4, r4 = f(a + h * u3, b + h * w3, u4, w4)
            a, b = a + h / 6 * (u + 2 * u2 + 2 * u3 + u4), b + h / 6 * (w + 2 * w2 + 2 * w3 + w4)
            u, w = u + h / 6 * (p1 + 2 * p2 + 2 * p3 + p4), w + h / 6 * (r1 + 2 * r2 + 2 * r3 + r4)
            if k % every == 0 or k == self.steps:
                out.append((a, b, u, w))
        return np.array(out)

    def run(self) -> None:
        self._solve(0)

    def record(self, samples: int) -> np.ndarray:
        y = self._solve(samples)
        return self.problem.from_relative(y[:, : self.n], y[:, self.n :])


def make(problem, method: Method, value: float) -> Run:
    """A case."""
    return Run(problem, method, value)
