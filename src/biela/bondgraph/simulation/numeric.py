"""The equations as functions of numbers: x'(t, x), all efforts and flows, and what has to be iterated for."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import sympy

from ...errors import MethodError, Problem
from ..equations.element_laws import T
from ..equations.equations import Equations
from ..equations.symbols import FUNCTIONS, Expr, symbol


class NoSolution(Exception):
    """An algebraic loop has no solution at an instant."""


class Numeric:
    """Functions of (t, x). The parameters are those of the network."""

    def __init__(self, eq: Equations):
        self.eq, network = eq, eq.network
        self.names = list(eq.states)
        self.bonds = list(network.bonds)
        self._p = list(network.parameters.values())
        python = {name: _safe(f, name) for name, f in network.python.items()}
        self._modules = [python, FUNCTIONS, "math"]
        used: set[Expr] = set()
        outputs = [*(eq.values[symbol(f"e_{b}")] for b in self.bonds)]
        outputs += [eq.values[symbol(f"f_{b}")] for b in self.bonds]
        for expression in (*eq.f, *outputs, *eq.residuals):
            used |= expression.free_symbols
        self._u = self._function([T], list(eq.laws.values()))
        self.constant = all(T not in law.free_symbols for law in eq.laws.values())
        self.uses_rates = bool(used & set(eq.rates.values()))
        self._du = self._function([T], self._rates(used))
        known = [T, eq.x, eq.u, list(eq.rates.values()), eq.unknowns]
        self._f = self._function(known, eq.f)
        self._outputs = self._function(known, outputs)
        if eq.unknowns:
            self._residual = self._function(known, eq.residuals)
            self._guess = np.zeros(len(eq.unknowns))
        self._dependent = self._function(known, list(eq.dependent.values()))
        self._still = (self._u(0.0), self._du(0.0)) if self.constant else None

    def _function(self, arguments: list, expressions: list) -> Callable[..., list[float]]:
        p = list(self.eq.network.parameters)
        f = sympy.lambdify([*arguments, p], expressions, modules=self._modules, cse=True, dummify=True)
        values = self._p
        return lambda *given: f(*given, values)

    def _rates(self, used: set[Expr]) -> list[Expr]:
        """Time derivatives of the sources, where they are needed."""
        out = []
        for name, law in self.eq.laws.items():
            if self.eq.rates[name] not in used:
                out.append(sympy.S.Zero)
                continue
            if law.atoms(sympy.core.function.AppliedUndef):
                bonds = ", ".join(repr(b.name) for b in self.eq.network.nodes[name].bonds)
                raise MethodError(
                    Problem(
                        f"the rate of source {name!r} on bond {bonds} is needed, and its law is a table or a function",
                        f"elements.{name}", "it moves a store with derivative causality",
                        "give the law as a formula of t, or put an R or a C between the source and the store",
                    )
                )  # fmt: skip
            out.append(sympy.diff(law, T))
        return out

    def inputs(self, t: float) -> tuple[list[float], list[float]]:
        """Sources and their rates."""
        return self._still or (self._u(t), self._du(t))

    def sources(self, t: float) -> list[float]:
        """Sources alone."""
        return self._still[0] if self._still else self._u(t)

    def _state(self, t: float, x: Any) -> tuple[Any, ...]:
        """Arguments of the equations' functions: time, states, sources, their rates, and what loops determine."""
        x = x.tolist() if isinstance(x, np.ndarray) else list(x)  # quicker, and an overflow is an error, no infinity
        u, du = self.inputs(t)
        return t, x, u, du, self._solved(t, x, u, du)

    def unknowns(self, t: float, x: Any) -> Any:
        """What algebraic loops determine."""
        return self._state(t, x)[-1]

    def column(self, x: list[float], u: list[float], du: list[float]) -> list[float]:
        """x' and all efforts and flows of a linear graph, for any values of states, sources and their rates."""
        state = 0.0, x, u, du, self._solved(0.0, x, u, du)
        return [*self._f(*state), *self._outputs(*state)]

    def rhs(self, t: float, x: Any) -> np.ndarray:
        """x'."""
        return np.array(self._f(*self._state(t, x)), dtype=float)

    def rhs_and_power(self, t: float, x: Any) -> np.ndarray:
        """x', and the power along every bond."""
        state = self._state(t, x)
        both, n = self._outputs(*state), len(self.bonds)
        return np.array([*self._f(*state), *(both[k] * both[n + k] for k in range(n))], dtype=float)

    def efforts_and_flows(self, t: float, x: Any) -> np.ndarray:
        """Row 0: the effort of every bond; row 1: the flow."""
        return np.array(self._outputs(*self._state(t, x)), dtype=float).reshape(2, -1)

    def dependent(self, t: float, x: Any) -> np.ndarray:
        """Energy variables of stores with derivative causality."""
        return np.array(self._dependent(*self._state(t, x)), dtype=float)

    @cached_property
    def _jacobian(self) -> Callable[..., Any] | None:
        """Of the residuals by the unknowns, in closed form where there is one."""
        eq = self.eq
        if any(r.atoms(sympy.core.function.AppliedUndef) for r in eq.residuals):
            return None
        J = [[sympy.diff(r, a) for a in eq.unknowns] for r in eq.residuals]
        return self._function([T, eq.x, eq.u, list(eq.rates.values()), eq.unknowns], J)

    def _solved(self, t: float, x: Any, u: list, du: list) -> Any:
        """What algebraic loops determine, by Newton's method with halved steps, from the last solution."""
        if not self.eq.unknowns:
            return ()
        for start in (self._guess, np.zeros(len(self._guess)), np.full(len(self._guess), 1e-3)):
            a = self._newton(t, x, u, du, start.copy())
            if a is not None:
                self._guess = a
                return a
        loops = "; ".join(str(loop) for loop in self.eq.loops)
        raise NoSolution(f"at t = {t:.6g} s no solution was found for the algebraic loop {loops}")

    def _newton(self, t: float, x: Any, u: list, du: list, a: np.ndarray) -> np.ndarray | None:
        def residual(b: np.ndarray) -> np.ndarray:
            try:
                return np.array(self._residual(t, x, u, du, b.tolist()), dtype=float)
            except (OverflowError, ValueError, ZeroDivisionError):
                return np.full(len(b), np.inf)

        r = residual(a)
        for _ in range(100):
            if not np.isfinite(r).all():
                return None
            J = self._slope(t, x, u, du, a, residual, r)
            step = np.linalg.lstsq(J, -r, rcond=None)[0] if np.isfinite(J).all() else None
            if step is None:
                return None
            share = 1.0
            while share > 1e-12:
                fresh = residual(a + share * step)
                if np.isfinite(fresh).all() and np.linalg.norm(fresh) <= (1 - 1e-4 * share) * np.linalg.norm(r):
                    break
                share *= 0.5
            else:  # no better: converged to rounding, or stuck
                size = np.abs(J) @ np.abs(a) + 1e-300
                return a if (np.abs(r) <= 1e-9 * size + 1e-12).all() else None
            a, r = a + share * step, fresh
            if np.linalg.norm(share * step) <= 1e-15 * np.linalg.norm(a):
                return a
        return None

    def _slope(self, t: float, x: Any, u: list, du: list, a: np.ndarray, residual: Any, r: np.ndarray) -> np.ndarray:
        if self._jacobian is not None:
            try:
                return np.array(self._jacobian(t, x, u, du, a.tolist()), dtype=float)
            except (OverflowError, ValueError, ZeroDivisionError):
                return np.full((len(a), len(a)), np.inf)
        J = np.empty((len(a), len(a)))
        for k in range(len(a)):
            h = 1e-7 * max(abs(a[k]), 1e-4)
            b = a.copy()
            b[k] += h
            J[:, k] = (residual(b) - r) / h
        return J


def _safe(function: Callable[..., float], name: str) -> Callable[..., float]:
    """A user's function, whose mistakes are told as such."""

    def inner(*arguments: float) -> float:
        try:
            value = float(function(*arguments))
        except Exception as error:
            given = ", ".join(f"{a:g}" for a in arguments)
            raise MethodError(
                Problem(f"the function of {name.removeprefix('law_')} failed", why=f"({given}): {error}")
            ) from error
        return value if math.isfinite(value) else math.nan

    return inner
