"""x' = A x + B u + B1 u' and y = C x + D u + D1 u' in numbers, y being all efforts and flows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy

from ..equations.element_laws import T
from ..equations.equations import Equations
from ..equations.symbols import FUNCTIONS, Expr, symbol
from .numeric import Numeric


@dataclass
class Matrices:
    A: np.ndarray
    B: np.ndarray
    B1: np.ndarray
    C: np.ndarray
    """rows: the efforts of all bonds, then their flows"""
    D: np.ndarray
    D1: np.ndarray


def matrices(eq: Equations, t: float = 0.0, x: np.ndarray | None = None) -> Matrices:
    """Of a linear graph, or of another at a state. Loops without closed form: by implicit derivatives."""
    parts = _by_columns(eq) if eq.linear else _by_derivatives(eq, t, np.zeros(len(eq.x)) if x is None else x)
    n = len(eq.f)
    (A, C), (B, D), (B1, D1) = ((part[:n], part[n:]) for part in parts)
    return Matrices(A, B, B1, C, D, D1)


def _by_columns(eq: Equations) -> list[np.ndarray]:
    """A linear graph column by column: what one state, one source, one rate of a source alone gives."""
    numeric = Numeric(eq)
    sizes = (len(eq.x), len(eq.u), len(eq.u))
    rows = len(eq.f) + 2 * len(eq.network.bonds)
    parts = []
    for group, size in enumerate(sizes):
        columns = []
        for k in range(size):
            unit = [[0.0] * n for n in sizes]
            unit[group][k] = 1.0
            columns.append(numeric.column(*unit))
        parts.append(np.array(columns, dtype=float).reshape(size, rows).T)
    return parts


def _by_derivatives(eq: Equations, t: float, x: np.ndarray) -> list[np.ndarray]:
    """By the states, by the sources, by their rates, at a state."""
    network = eq.network
    rows = [*eq.f, *(eq.values[symbol(f"{letter}_{b}")] for letter in "ef" for b in network.bonds)]
    at: dict[Expr, float] = {**network.parameters, **dict(zip(eq.x, x, strict=True)), T: t}
    for name, law in eq.laws.items():
        at[eq.inputs[name]] = _value(law, at, network.python)
        at[eq.rates[name]] = 0.0
    if eq.unknowns:
        at.update(zip(eq.unknowns, Numeric(eq).unknowns(t, x), strict=True))
    groups = [eq.x, eq.u, list(eq.rates.values())]
    parts = [_jacobian(rows, group, at, network.python) for group in groups]
    if eq.unknowns:  # r(x, a) = 0:  da = -r_a^-1 r_x dx
        by_unknown, r_a = (_jacobian(some, eq.unknowns, at, network.python) for some in (rows, eq.residuals))
        for k, group in enumerate(groups):
            if group:
                r_x = _jacobian(eq.residuals, group, at, network.python)
                parts[k] = parts[k] - by_unknown @ np.linalg.solve(r_a, r_x)
    return parts


def _value(expression: Expr, at: dict, python: dict) -> float:
    if not expression.free_symbols and not expression.atoms(sympy.core.function.AppliedUndef):
        return float(expression)
    symbols = sorted(expression.free_symbols, key=str)
    f = sympy.lambdify([symbols], expression, modules=[python, FUNCTIONS, "math"], dummify=True)
    return float(f([at[s] for s in symbols]))


def _jacobian(rows: list, by: list, at: dict, python: dict) -> np.ndarray:
    """Derivatives in closed form; through Python functions and tables, by central differences."""
    out = np.zeros((len(rows), len(by)))
    for i, row in enumerate(rows):
        for j, s in enumerate(by):
            if s not in row.free_symbols:
                continue
            if row.atoms(sympy.core.function.AppliedUndef):
                h = 1e-6 * max(abs(at[s]), 1e-3)
                ends = [_value(row, {**at, s: at[s] + d}, python) for d in (h, -h)]
                out[i, j] = (ends[0] - ends[1]) / (2 * h)
            else:
                out[i, j] = _value(sympy.diff(row, s), at, python)
    return out
