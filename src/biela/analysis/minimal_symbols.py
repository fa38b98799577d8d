"""The least number of equations in symbols, for small mechanisms of the plane (001 15.6).

Points are written as formulas of the tree's variables y (angles and displacements); what joints close loops are
equations Phi(y, t) = 0. With independent z among y,

    y' = S z' + b,   x' = X_y y',   M_min = (X_y S)^T M (X_y S),   Q_min = (X_y S)^T (Q - M c),   x'' = X_y S z'' + c

where x, M and Q are those of natural coordinates, as `explain` prints them.   [E.1]-[E.4]  Where loops are closed, the
entries of S keep names (k_rod is how fast the rod turns for a unit rate of z), and so do the accelerations that the
dependent variables have with z'' = 0 (a_rod): their formulas are printed once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import sympy

from ..errors import MethodError, Problem
from ..model.meaning import Meaning
from ..model.model import Model
from ..model.resolve import resolve
from ..system.coordinates.spanning import grow
from ..system.symbolic_frames import SymbolicFrames, unused
from ..system.symbols import SymbolicSystem, tidy
from .assembly import as_model, assemble
from .events.describe import refuse_events
from .formulas import plain, shortened, tidied
from .loop_rows import loop_rows, natural_variables, starting_values

LARGEST, MOST_ROWS = 10, 4
"""variables and equations of loops, beyond which formulas fill books"""


@dataclass
class MinimalSymbols:
    """M z'' = Q in symbols.

    >>> import biela
    >>> bar = biela.Model(gravity=(0, "-g"), parameters={"m": 1, "l": 2, "J": 1, "g": 9.81})
    >>> bar = bar.add_ground("A", 0, 0).add_point("B", "l", 0)
    >>> bar = bar.add_body("bar", {"A": (0, 0), "B": ("l", 0)}, mass="m", center=("l/2", 0), inertia="J")
    >>> print(minimal_equations(bar).equations()[0])
    (J + l**2*m/4)*phi_bar'' = -g*l*m*cos(phi_bar)/2
    """

    model: Model
    names: list[str]
    """of the independent coordinates, as results call them"""
    z: list[sympy.Symbol]
    rates: list[sympy.Symbol]
    variables: dict[str, sympy.Symbol]
    """all the variables in the formulas, by name"""
    Phi: sympy.Matrix
    """what closes the loops, = 0"""
    S: sympy.Matrix
    """y' = S z' (+ b) of the variables"""
    M: sympy.Matrix
    Q: sympy.Matrix
    short: dict[sympy.Symbol, Any]
    """what the abbreviations in M and Q stand for, in an order in which they can be evaluated"""

    def equations(self) -> list[str]:
        """One line for each independent coordinate."""
        out = []
        for i in range(len(self.z)):
            terms = []
            for j, z in enumerate(self.z):
                m: Any = self.M[i, j]
                if m != 0:
                    text = str(m)
                    terms.append(f"({text})*{z}''" if m.is_Add else f"{z}''" if m == 1 else f"{text}*{z}''")
            out.append(f"{' + '.join(terms) or '0'} = {self.Q[i]}".replace("+ -", "- "))
        return out

    def text(self) -> str:
        """Everything in plain characters."""
        lines = [f"{self.model.name}: {self.model.title}".rstrip(": ")]
        said = ", ".join(f"{s} is {n}" if str(s) != n else n for s, n in zip(self.z, self.names, strict=True))
        lines += [f"independent: {said}", ""]
        lines += self.equations()
        if len(self.Phi):
            lines += ["", "where the other variables follow from", *(f"  {e} = 0" for e in self.Phi)]
            lines += ["and", *(f"  {name} = {e}" for name, e in self.short.items())]
        return "\n".join(lines)

    def latex(self) -> str:
        """The equations as LaTeX display equations."""
        rates = {sympy.Symbol(f"{y}'", real=True): rf"\dot{{{sympy.latex(y)}}}" for y in self.variables.values()}
        out = [f"% {self.model.name}, least number of equations"]
        for i in range(len(self.z)):
            left = " + ".join(
                rf"\left({sympy.latex(self.M[i, j])}\right) \ddot{{{sympy.latex(z)}}}"
                for j, z in enumerate(self.z) if self.M[i, j] != 0
            )  # fmt: skip
            out.append(rf"\[ {left} = {sympy.latex(self.Q[i], symbol_names=rates)} \]")
        out += [rf"\[ {sympy.latex(e)} = 0 \]" for e in self.Phi]
        for name, e in self.short.items():
            out.append(rf"\[ {sympy.latex(name, symbol_names=rates)} = {sympy.latex(e, symbol_names=rates)} \]")
        return "\n".join(out)

    def function(self) -> Callable[[dict[str, float], list[float], float], tuple[np.ndarray, np.ndarray]]:
        """(values of all variables by name, z', t) -> M, Q in numbers, with the parameters of the model."""
        known = _parameters(resolve(self.model, symbolic=True), resolve(self.model))
        order = list(self.variables)
        arguments = [*(self.variables[n] for n in order), *self.rates, sympy.Symbol("t", real=True)]
        both = tuple(sympy.N(x.subs(known), 17) for x in (self.M, self.Q))
        inner = sympy.lambdify([*arguments, *self.short], both, "numpy")
        parts, before = [], list(arguments)
        for name, e in self.short.items():
            parts.append(sympy.lambdify(list(before), sympy.N(sympy.sympify(e).subs(known), 17), "numpy"))
            before.append(name)

        def at(values: dict[str, float], rates: list[float], t: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
            given: list[Any] = [*(values[n] for n in order), *rates, t]
            for part in parts:
                given.append(part(*given))
            M, Q = inner(*given)
            return np.asarray(M, dtype=float), np.asarray(Q, dtype=float)[:, 0]

        return at


def minimal_equations(model: Model | str | Path, independent: list[str] | None = None) -> MinimalSymbols:
    """The least number of equations in symbols. `independent` names coordinates of the model, "crank.angle", ...

    Of a model with stops they are the equations between the events.
    """
    model = as_model(model)
    numbers = resolve(model)
    refuse_events(numbers, "minimal equations in symbols", stops=False)
    if numbers.dimension == 3:
        raise MethodError(
            Problem(
                "minimal equations in symbols are for mechanisms of the plane",
                where=model.name,
                why="in space the formulas of the simplest mechanism fill pages",
                cure="ask for them in numbers (without symbols)",
            )
        )
    meaning, tree = resolve(model, symbolic=True), grow(numbers, relative=True)
    frames = SymbolicFrames.of(meaning, tree)
    system = assemble(model, "relative")
    rows = loop_rows(frames, system)
    if len(frames.variables) > LARGEST or len(rows) > MOST_ROWS:
        raise MethodError(
            Problem(
                f"model {model.name!r} is too large for minimal equations in symbols",
                where=model.name,
                why=f"{len(frames.variables)} variables and {len(rows)} equations that close loops, "
                f"at most {LARGEST} and {MOST_ROWS}",
                cure="ask for them in numbers (without symbols), or for a smaller mechanism of the same kind",
            )
        )
    values = starting_values(frames, system)
    return _Reduction(model, meaning, numbers, frames, rows, values).result(independent)


class _Reduction:
    """From formulas of places to equations."""

    def __init__(self, model: Model, meaning: Meaning, numbers: Meaning, frames: SymbolicFrames, rows: list[Any],
                 values: dict[Any, float]):  # fmt: skip
        self.model, self.meaning, self.numbers, self.frames = model, meaning, numbers, frames
        self.y, self.names = list(frames.variables), list(frames.names)
        self.rows, self.values = rows, values
        self.t = sympy.Symbol("t", real=True)
        self.natural = SymbolicSystem(meaning, numbers, meaning.carried(False))
        self.x = natural_variables(self.natural, frames)

    def result(self, independent: list[str] | None) -> MinimalSymbols:
        chosen = self._named(independent) if independent else self._declared()
        free = len(self.y) - len(self.rows)
        if free < 1:
            drivers = [d.name for d in self.meaning.drivers]
            raise MethodError(
                Problem(
                    "nothing is left free: there is no equation to write",
                    where=", ".join(drivers) or self.model.name,
                    why=f"{len(self.y)} variables, {len(self.rows)} equations between them",
                    cure="remove a driver" if drivers else "remove a joint",
                )
            )
        if independent and len(chosen) != free:
            raise MethodError(
                Problem(
                    f"{len(chosen)} independent coordinates for {free} freedom{'s' if free != 1 else ''}",
                    where=", ".join(independent),
                    cure=f"name as many as there are freedoms, from: {', '.join(self.names)}",
                )
            )
        z = self._well_chosen(chosen, free, strict=bool(independent))
        rest = [y for y in self.y if y not in z]
        Phi = sympy.Matrix(self.rows) if self.rows else sympy.zeros(0, 1)
        rates = {y: sympy.Symbol(f"{y}'", real=True) for y in self.y}
        yd = sympy.Matrix([rates[y] for y in self.y])
        S, extra, short = self._dependent(Phi, z, rest, rates)
        X = sympy.Matrix(self.x).applyfunc(plain)
        J, Xt = X.jacobian(self.y), X.diff(self.t)
        R = (J * S).applyfunc(shortened)
        xd = J * yd + Xt
        c = xd.jacobian(self.y) * yd + xd.diff(self.t) + J * extra
        known = dict(zip(self.natural.q, self.x, strict=True)) | dict(zip(self.natural.v, xd, strict=True))
        n = self.natural.arrays.n
        M = sympy.Matrix(n, n, list(self.natural.arrays.M)).applyfunc(plain)
        Q = sympy.Matrix(list(self.natural.arrays.Q)).applyfunc(plain).subs(known)
        M_min, Q_min = tidied(R.T * M * R), tidied(R.T * (Q - M * c))
        names = [self.names[self.y.index(s)] for s in z]
        variables = dict(zip(self.names, self.y, strict=True))
        return MinimalSymbols(self.model, names, z, [rates[s] for s in z], variables, tidied(Phi), S, M_min, Q_min,
                              short)  # fmt: skip

    def _dependent(self, Phi: sympy.Matrix, z: list, rest: list, rates: dict) -> tuple[Any, Any, dict]:
        """S, the accelerations with z'' = 0, and what the names in them stand for.   001 (39), (40)"""
        S, extra, short = sympy.zeros(len(self.y), len(z)), sympy.zeros(len(self.y), 1), {}
        for k, s in enumerate(z):
            S[self.y.index(s), k] = 1
        if not rest:
            return S, extra, short
        yd = sympy.Matrix([rates[y] for y in self.y])
        inverse = Phi.jacobian(rest).inv(method="ADJ").applyfunc(shortened)
        ratio, drift = -inverse * Phi.jacobian(z), -inverse * Phi.diff(self.t)
        speed = Phi.jacobian(self.y) * yd + Phi.diff(self.t)
        second = -inverse * (speed.jacobian(self.y) * yd + speed.diff(self.t))
        last = {}
        for i, s in enumerate(rest):
            row, total = self.y.index(s), shortened(drift[i])
            for k, free in enumerate(z):
                e = shortened(ratio[i, k])
                if not e.is_number:
                    name = sympy.Symbol(f"k_{s}" if len(z) == 1 else f"k_{s}_{free}", real=True)
                    short[name], e = tidy(sympy.Matrix([e]))[0], name
                S[row, k] = e
                total = total + e * rates[free]
            short[rates[s]] = total
            e = shortened(second[i])
            if not e.is_number:
                name = sympy.Symbol(f"a_{s}", real=True)
                last[name], e = tidy(sympy.Matrix([e]))[0], name
            extra[row] = e
        return S, extra, short | last

    # ---------------------------------------------------------------------------- which are independent
    def _declared(self) -> list[Any]:
        """Angles and positions that the model declares, if they can take the place of variables."""
        found = []
        for name, c in self.meaning.coordinates.items():
            driven = any(d.coordinate == name for d in self.meaning.drivers)
            if c.joint is None and c.type != "distance" and not driven:
                s = self._renamed(name)
                if s is not None:
                    found.append(s)
        return found

    def _named(self, names: list[str]) -> list[Any]:
        out = []
        for name in names:
            s = self.y[self.names.index(name)] if name in self.names else None
            if s is None and name in self.meaning.coordinates:
                s = self._renamed(name)
            if s is None:
                known = [*self.names, *(c for c, m in self.meaning.coordinates.items() if m.joint is None)]
                raise MethodError(
                    Problem(
                        f"{name!r} cannot be an independent coordinate of formulas",
                        where=name,
                        why="it is not one of the variables, nor one of them but for a constant",
                        cure=f"one of: {', '.join(dict.fromkeys(known))}; or ask for numbers (without symbols)",
                    )
                )
            out.append(s)
        return out

    def _renamed(self, name: str) -> Any:
        """Put a coordinate of the model in place of a variable that is the same but for a sign and a constant."""
        e = sympy.expand(self.frames.coordinate(self.meaning.coordinates[name]))
        for k, y in enumerate(self.y):
            factor = sympy.diff(e, y)
            if factor in (1, -1) and not (e - factor * y).has(*self.y):
                s = sympy.Symbol(unused(name.replace(".", "_").replace("@", "_"), self.meaning), real=True)
                if s == y:
                    return y
                swap = {y: factor * (s - (e - factor * y))}
                start = self.values.pop(y)
                offset = float(sympy.sympify(e - factor * y).subs(_parameters(self.meaning, self.numbers)))
                self.values[s] = float(factor) * start + offset
                self.rows = [r.subs(swap) for r in self.rows]
                self.x = [sympy.sympify(x).subs(swap) for x in self.x]
                self.frames.angles = {b: sympy.sympify(a).subs(swap) for b, a in self.frames.angles.items()}
                self.frames.origins = {
                    b: tuple(sympy.sympify(o).subs(swap) for o in r) for b, r in self.frames.origins.items()
                }  # type: ignore[assignment]
                self.y[k], self.names[k] = s, name
                return s
        return None

    def _well_chosen(self, chosen: list[Any], free: int, strict: bool) -> list[Any]:
        """Those asked for; else a set, the declared and the first variables before others, whose rest follows well."""
        if not self.rows:
            return list(self.y)
        Phi = sympy.Matrix(self.rows)
        known = {**self.values, **_parameters(self.meaning, self.numbers), self.t: 0}
        B = np.array(Phi.jacobian(self.y).subs(known), dtype=float)
        order = [*dict.fromkeys([*chosen, *self.y])]

        def quality(z: tuple) -> float:
            cols = [k for k, y in enumerate(self.y) if y not in z]
            s = np.linalg.svd(B[:, cols], compute_uv=False)
            return float(s[-1] / s[0]) if len(s) and s[0] > 0 else 0.0

        if strict:
            if quality(tuple(chosen)) < 1e-6:
                raise MethodError(
                    Problem(
                        f"{', '.join(self.names[self.y.index(s)] for s in chosen)} cannot be independent",
                        why="at the start the other variables do not follow from them",
                        cure=f"name others: {', '.join(self.names)}",
                    )
                )
            return chosen
        sets = list(combinations(order, free))
        best = max(quality(z) for z in sets)
        return list(next(z for z in sets if quality(z) >= min(0.05, 0.5 * best)))


def _parameters(meaning: Meaning, numbers: Meaning) -> dict[Any, float]:
    """Symbols of the parameters -> their values."""
    return {s: float(numbers.parameters[k]) for k, s in meaning.parameters.items() if isinstance(s, sympy.Symbol)}
