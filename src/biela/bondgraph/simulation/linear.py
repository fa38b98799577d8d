"""Linear analysis: eigenvalues, transfer functions, frequency response."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import sympy

from ...errors import MethodError, Problem
from ...model.resolve.naming import did_you_mean
from ...viewing import views
from ..equations.equations import Equations
from ..equations.symbols import Expr
from ..model.graph import BondGraph
from .matrices import Matrices, matrices


@dataclass(frozen=True)
class Mode:
    """An eigenvalue (one of each conjugate pair) and what it means."""

    eigenvalue: complex
    states: tuple[str, ...]
    """the states that take part most"""

    @property
    def frequency(self) -> float:
        """|eigenvalue| in rad/s: undamped natural frequency, or decay rate."""
        return abs(self.eigenvalue)

    @property
    def damping(self) -> float:
        """Damping ratio: 1 for what only decays, negative for what grows; of a zero eigenvalue nothing can be said."""
        return -self.eigenvalue.real / abs(self.eigenvalue) if self.eigenvalue else float("nan")

    def __str__(self) -> str:
        s = self.eigenvalue
        value = f"{s.real:.6g} ± {abs(s.imag):.6g}i" if s.imag else f"{s.real:.6g}"
        if not s:
            return f"{value}: stays as it is ({', '.join(self.states)})"
        return f"{value} 1/s: {self.frequency:.6g} rad/s, damping {self.damping:.4g} ({', '.join(self.states)})"


@dataclass(frozen=True)
class Response:
    """Output over input at many frequencies."""

    omega: np.ndarray
    values: np.ndarray
    source: str
    output: str
    name: str

    @property
    def magnitude(self) -> np.ndarray:
        """In decibels."""
        with np.errstate(divide="ignore"):
            return 20 * np.log10(np.abs(self.values))

    @property
    def phase(self) -> np.ndarray:
        """In degrees, without jumps of whole turns."""
        return np.degrees(np.unwrap(np.angle(self.values)))

    def plot(self, path: str | Path | None = None, theme: str = "light") -> Any:
        """Magnitude and phase over frequency: a matplotlib figure, written to path if given."""
        return views().bond_graph_response(self, path, theme)


class Linear:
    """x' = A x + B u + B1 u' in numbers; outputs are states, efforts, flows by their channel names.

    >>> import biela.bondgraph as bg
    >>> system = bg.load("mass-spring-damper").linear()
    >>> print(system.modes[0])
    -3 ± 5.56776i 1/s: 6.32456 rad/s, damping 0.4743 (mass.p, spring.q)
    """

    def __init__(self, eq: Equations, m: Matrices, at: dict[str, float] | None):
        self.eq, self.A, self.B, self.B1 = eq, m.A, m.B, m.B1
        self._outputs, self.at = m, at

    @cached_property
    def eigenvalues(self) -> np.ndarray:
        """Of A, in 1/s."""
        return np.linalg.eigvals(self.A) if self.A.size else np.zeros(0)

    @cached_property
    def modes(self) -> list[Mode]:
        """One for every real eigenvalue and every conjugate pair, the slowest first."""
        if not self.A.size:
            return []
        values, right = np.linalg.eig(self.A)
        names = list(self.eq.states)
        # how much each state takes part does not depend on its unit: left times right eigenvector
        left = np.linalg.pinv(right)
        out = []
        for k in np.argsort(np.abs(values), kind="stable"):
            s = complex(values[k])
            scale = float(np.abs(values).max())
            if abs(s) < 1e-13 * scale:
                s = 0j
            if s.imag < 0:
                continue
            part = np.abs(right[:, k] * left[k])
            chief = [names[i] for i in np.argsort(-part, kind="stable") if part[i] > 0.3 * part.max()]
            out.append(Mode(complex(s.real, s.imag), tuple(sorted(chief, key=names.index))))
        return out

    @property
    def sources(self) -> list[str]:
        """The inputs, in the order of u."""
        return list(self.eq.inputs)

    @property
    def outputs(self) -> list[str]:
        """What a transfer function may lead to."""
        bonds = [f"{b}.{what}" for what in ("effort", "flow") for b in self.eq.network.bonds]
        return [*self.eq.states, *bonds]

    def _row(self, output: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """C, D, D1 of one output."""
        n, m = len(self.eq.states), len(self.eq.inputs)
        if output in self.eq.states:
            return np.eye(n)[list(self.eq.states).index(output)], np.zeros(m), np.zeros(m)
        if output not in self.outputs:
            raise MethodError(
                Problem(f"there is no output {output!r}", cure=did_you_mean(output, self.outputs, "outputs"))
            )
        k = self.outputs.index(output) - n
        return self._outputs.C[k], self._outputs.D[k], self._outputs.D1[k]

    def _column(self, source: str) -> int:
        if source not in self.sources:
            cure = did_you_mean(source, self.sources, "sources")
            raise MethodError(Problem(f"there is no source {source!r}", cure=cure))
        return self.sources.index(source)

    def transfer_function(self, source: str, output: str) -> tuple[np.ndarray, np.ndarray]:
        """(numerator, denominator): coefficients of powers of s, the highest first.

        With x = z + B1 u the rate of u drops out of the states: z' = A z + (B + A B1) u. [B.11]
        """
        j = self._column(source)
        C, D, D1 = self._row(output)
        b = self.B[:, j] + self.A @ self.B1[:, j]
        d = D[j] + C @ self.B1[:, j]
        den = np.poly(self.A) if self.A.size else np.ones(1)
        num = np.zeros(len(den))
        if self.A.size:
            both = np.poly(self.A - np.outer(b, C))
            num = np.where(np.abs(both - den) > 1e-13 * (np.abs(both) + np.abs(den)), both - den, 0.0)
        num = np.polyadd(num, d * den)
        num = np.polyadd(num, np.append(D1[j] * den, 0.0))
        return np.trim_zeros(np.real(num), "f") if np.any(num) else np.zeros(1), np.real(den)

    def response(self, source: str, output: str, omega: Any = None) -> Response:
        """Output over input at frequencies (rad/s), by default around the eigenvalues."""
        j = self._column(source)
        C, D, D1 = self._row(output)
        omega = self._frequencies() if omega is None else np.atleast_1d(np.asarray(omega, dtype=float))
        n = len(self.A)
        values = np.empty(len(omega), dtype=complex)
        for k, w in enumerate(omega):
            s = 1j * w
            try:
                x = np.linalg.solve(s * np.eye(n) - self.A, self.B[:, j] + s * self.B1[:, j]) if n else np.zeros(0)
            except np.linalg.LinAlgError:
                raise MethodError(
                    Problem(f"at {w:g} rad/s the response has no bounds", why="it is an undamped natural frequency",
                            cure="leave this frequency out")
                ) from None  # fmt: skip
            values[k] = C @ x + D[j] + s * D1[j]
        return Response(omega, values, source, output, self.eq.network.name)

    def _frequencies(self) -> np.ndarray:
        speeds = np.abs(self.eigenvalues)
        speeds = speeds[speeds > 1e-12 * speeds.max(initial=0.0)]
        low, high = (speeds.min(), speeds.max()) if speeds.size else (1.0, 1.0)
        return np.geomspace(low / 30, high * 30, 600)

    def symbolic_transfer_function(self, source: str, output: str) -> Expr:
        """The same in symbols, of s; for small graphs.

        >>> import biela.bondgraph as bg
        >>> bg.load("mass-spring-damper").linear().symbolic_transfer_function("weight", "spring.q")
        1/(d*s + k + m*s**2)
        """
        from ..equations.equations import neat

        eq, s = self.eq, sympy.Symbol("s")
        if not (eq.linear and eq.explicit):
            cure = "transfer_function gives its numbers at a state"
            raise MethodError(Problem("a transfer function in symbols needs a linear graph", cure=cure))
        self._column(source)
        self._row(output)
        u, du = eq.inputs[source], eq.rates[source]
        X = (s * sympy.eye(len(eq.x)) - eq.A).LUsolve(
            eq.B.col(self._column(source)) + s * eq.B1.col(self._column(source))
        )
        if output in eq.states:
            return neat(sympy.simplify(X[list(eq.states).index(output)]))
        bond, what = output.rsplit(".", 1)
        y = eq.effort(bond) if what == "effort" else eq.flow(bond)
        total = sum((sympy.diff(y, x) * v for x, v in zip(eq.x, X, strict=True)), sympy.S.Zero)
        return neat(sympy.simplify(total + sympy.diff(y, u) + s * sympy.diff(y, du)))


def linear(graph: BondGraph, at: dict[str, float] | None = None) -> Linear:
    """A linear graph in numbers, or another one linearised at a state by name (else at its start) and t = 0."""
    from .simulate import initial_state

    eq = graph.equations
    x = initial_state(graph)
    for name, value in (at or {}).items():
        if name not in eq.states:
            raise MethodError(Problem(f"there is no state {name!r}", cure=did_you_mean(name, eq.states, "states")))
        x[list(eq.states).index(name)] = value
    where = None if eq.linear else dict(zip(eq.states, map(float, x), strict=True))
    return Linear(eq, matrices(eq, 0.0, x), where)
