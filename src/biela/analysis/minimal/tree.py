"""The least number of equations in symbols in relative coordinates, in the plane and in space (001 15.5, 15.6).

The kernels of relative coordinates give B, gamma, M and Q of the tree's velocities y'; with independent z' among them

    y' = S z' + b,   y'' = S z'' + c,   S^T M S z'' = S^T (Q - M c),   S_d = -B_d^-1 B_z,   c_d = B_d^-1 gamma

[E.1]-[E.4].
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import sympy

from ...errors import MethodError, Problem, so_many
from ...mechanics.polynomial import Polynomial
from ...model.model import Model
from ...model.resolved import Place, ResolvedModel
from ...system.symbols.symbolic_system import SymbolicSystem, exact, tidy
from ...system.system import FLOATS, System, lower
from ..explain.explain import refuse_large, starting_constants
from ..explain.formulas import shortened

LARGEST, MOST_ROWS = 10, 4
"""variables and equations of loops, beyond which formulas fill books"""


class TreeReduction:
    """From the equations of relative coordinates to as many as there are freedoms."""

    def __init__(self, model: Model, resolved: ResolvedModel, numbers: ResolvedModel, system: System):
        self.model, self.resolved, self.numbers, self.system = model, resolved, numbers, system
        low = system.equations
        refuse_large(model, numbers, low, "relative")
        at = system.at(system.q0, np.zeros(system.n), 0.0)
        self.rows = _independent_rows(at.B)
        refuse_long(model, system.n, len(self.rows))
        self.B0 = at.B[self.rows]
        s = self.symbolic = SymbolicSystem(resolved, numbers, "relative", starting_constants(model, low, "relative"))
        self.names = list(s.equations.v_names)
        self.base = [sympy.Symbol(str(v).rstrip("'"), real=True) for v in s.v]
        """what the velocities are called without their dash"""

    @property
    def free(self) -> int:
        return len(self.names) - len(self.rows)

    def choose(self, independent: list[str] | None) -> list[int]:
        """Which velocities are independent: those named, or the first whose rest follows well."""
        count = range(len(self.names))

        def quality(z: tuple[int, ...]) -> float:
            rest = [k for k in count if k not in z]
            sizes = np.linalg.svd(self.B0[:, rest], compute_uv=False)
            return float(sizes[-1] / sizes[0]) if len(sizes) and sizes[0] > 0 else 1.0 if not rest else 0.0

        if independent:
            unknown = [n for n in independent if n not in self.names]
            if unknown:
                raise MethodError(
                    Problem(
                        f"{unknown[0]!r} is not one of the relative velocities",
                        where=unknown[0],
                        cure=f"one of: {', '.join(self.names)}",
                    )
                )
            chosen = tuple(self.names.index(n) for n in independent)
            if len(chosen) != self.free:
                raise MethodError(
                    Problem(
                        f"{len(chosen)} independent coordinates for {so_many(self.free, 'freedom')}",
                        where=", ".join(independent),
                        cure=f"name as many as there are freedoms, from: {', '.join(self.names)}",
                    )
                )
            if quality(chosen) < 1e-6:
                raise MethodError(
                    Problem(
                        f"{', '.join(independent)} cannot be independent",
                        why="at the start the other velocities do not follow from them",
                        cure=f"name others: {', '.join(self.names)}",
                    )
                )
            return list(chosen)
        sets = list(combinations(count, self.free))
        best = max(quality(z) for z in sets)
        return list(next(z for z in sets if quality(z) >= min(0.05, 0.5 * best)))

    def reduce(self, z: list[int]) -> tuple[Any, Any, Any, dict]:
        """S, M and Q of the independent velocities, and what the names in them stand for.   001 (39)-(46)"""
        s, n = self.symbolic, len(self.names)
        S, c, short = sympy.zeros(n, len(z)), sympy.zeros(n, 1), {}
        rest = [k for k in range(n) if k not in z]
        for k, i in enumerate(z):
            S[i, k] = 1
        if rest:
            B: Any = s.Phi_q[self.rows, :]
            last: dict = {}
            inverse = B[:, rest].inv(method="ADJ").applyfunc(shortened)
            moving = sympy.Matrix([exact(s.arrays.Phit[k]) for k in self.rows])
            ratio, drift, second = -inverse * B[:, z], -inverse * moving, inverse * s.gamma[self.rows, :]
            for i, y in enumerate(rest):
                total = shortened(drift[i])
                for k, free in enumerate(z):
                    label = f"k_{self.base[y]}" + (f"_{self.base[free]}" if len(z) > 1 else "")
                    S[y, k] = _named(ratio[i, k], label, short)
                    total = total + S[y, k] * s.v[free]
                short[s.v[y]] = total
                c[y] = _named(second[i], f"a_{self.base[y]}", last)
            short |= last
        M, Q = s.M, s.Q
        return S, tidy((S.T * M * S).applyfunc(shortened)), tidy((S.T * (Q - M * c)).applyfunc(shortened)), short

    def velocities(self, coordinates: str) -> tuple[list[str], sympy.Matrix]:
        """Names and formulas of the velocities of a set of coordinates, of those of the tree."""
        s = self.symbolic
        if coordinates == "relative":
            return self.names, sympy.Matrix(s.v)
        low, frames = lower(self.numbers, coordinates, FLOATS), s.equations.exploded
        x, xd, out = s.arrays.x, s.arrays.xd, []
        for name in low.v_names[: len(low.v_names) - len(low.carried)]:
            if coordinates == "reference-point":
                body, part = name.rsplit(".", 1)
                at = frames._at[body]
                if part in ("x", "y", "z"):
                    out.append(xd["xyz".index(part) + at])
                else:  # w in the body's axes: w_x = a_z . a_y' and so on; in the plane of a_1 itself
                    k = 2 if part == "angle" else "xyz".index(part[1])
                    i, j = (k + 1) % 3, (k + 2) % 3
                    out.append(sum(x[at + 3 + 3 * j + l] * xd[at + 3 + 3 * i + l] for l in range(3)))
            else:
                out.append(self._natural(low, name, xd))
        for name in low.carried:
            if name not in s.equations.variables:
                raise MethodError(
                    Problem(f"the rate of {name!r} is not written in relative velocities", where=name,
                            cure="ask for S in relative or reference-point coordinates")
                )  # fmt: skip
            out.append(xd[s.equations.variables[name]])
        return low.v_names, sympy.Matrix([s.formed(e) for e in out])

    def _natural(self, low: Any, name: str, xd: Any) -> Any:
        """The rate of a point or vector, by the body that has it."""
        where, frames = low.q_names.index(name), self.symbolic.equations.exploded
        for body, key, axis in low.exploded.copies:
            if low.exploded.target((body, key, axis)) != (True, where):
                continue
            if body == "":
                return _rate(frames.place(Place("", (0,) * frames.dimension, key))[axis], xd)
            element = self._element(body, key)
            return _rate((frames._turned(body, element) if key.startswith("^") else
                          frames.place(Place(body, element, key)))[axis], xd)  # fmt: skip
        raise KeyError(name)

    def _element(self, body: str, key: str) -> tuple:
        """A basic point or vector in the body's axes, in symbols."""
        natural = lower(self.resolved, "natural", self.symbolic.equations.exploded.fn).exploded
        return natural.element(body, key).local

    def derivative(self, matrix: Any, rates: dict) -> Any:
        """d/dt of formulas of q and t, with the rates of the dependent velocities put in."""
        s = self.symbolic
        qd = [exact(e).subs(rates) for e in list(s.arrays.ydot)[: len(s.q)]]
        total = matrix.diff(s.t)
        for q, rate in zip(s.q, qd, strict=True):
            total = total + matrix.diff(q) * rate
        return total


def refuse_long(model: Model, variables: int, rows: int) -> None:
    """Refuse what would fill books."""
    if variables > LARGEST or rows > MOST_ROWS:
        raise MethodError(
            Problem(
                f"model {model.name!r} is too large for minimal equations in symbols",
                where=model.name,
                why=f"{variables} variables and {rows} equations that close loops, at most {LARGEST} and {MOST_ROWS}",
                cure="ask for them in numbers (without symbols), or for a smaller mechanism of the same kind",
            )
        )


def _independent_rows(B: np.ndarray) -> list[int]:
    """Rows that the ones before do not imply."""
    kept: list[int] = []
    for k in range(len(B)):
        if np.linalg.matrix_rank(B[[*kept, k]], tol=1e-9 * max(1.0, float(np.abs(B).max()))) > len(kept):
            kept.append(k)
    return kept


def _named(e: Any, label: str, into: dict) -> Any:
    """A number stays; a formula gets a name, and is kept under it."""
    e = shortened(e)
    if e.is_number:
        return e
    name = sympy.Symbol(label, real=True)
    into[name] = tidy(sympy.Matrix([e]))[0]
    return name


def _rate(p: Polynomial, xd: Any) -> Any:
    return sum((c * xd[i] for i, c in p.linear.items()), sympy.Integer(0))
