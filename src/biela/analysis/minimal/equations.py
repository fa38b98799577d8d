"""The least number of equations in symbols, as they are printed: M z'' = Q, and S of all velocities, v = S z' + b.

Where loops are closed, the entries of S keep names (k_rod is how fast the rod turns for a unit rate of z), and so do
the accelerations that the dependent variables have with z'' = 0 (a_rod): their formulas are printed once. For the
velocities v of a whole set of coordinates S is written out: v = S z' + b, v' = S z'' + S' z' + b'.   001 (39), (40)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy

from ...model.model import Model
from ...model.resolve import resolve
from ...model.resolved import ResolvedModel
from ...system.symbols.symbolic_system import SymbolicSystem, parameter_values, tidy
from ..explain.formulas import plain, tidied


@dataclass
class Balance:
    """S^T M v' = S^T Q: what is left of the equations of the bodies when S^T has taken the reactions out.   001 (27)"""

    masses: sympy.Matrix
    """S^T M; where loops are closed, an entry of S keeps the names of the ratios of velocities if it is shorter so"""
    loads: sympy.Matrix
    """S^T Q, likewise"""

    @staticmethod
    def of(named: Any, written: Any, M: Any, loads: Any, ratios: dict, form: Callable[[Any], Any]) -> Balance:
        """From S with names and written out, M, S^T Q with names, and what the names stand for."""
        S = named.copy()
        for k, (a, b) in enumerate(zip(named.flat(), written.flat(), strict=True)):
            S[k] = min((b, a), key=sympy.count_ops)
        both = ((e, form(e.subs(ratios))) for e in tidied(loads).flat())
        return Balance(S.T * M, sympy.Matrix([min(pair, key=sympy.count_ops) for pair in both]))


@dataclass
class Velocities:
    """v = S z' + b and v' = S z'' + S' z' + b' of the velocities v of one set of coordinates."""

    coordinates: str
    names: list[str]
    S: sympy.Matrix
    S_dot: sympy.Matrix
    b: sympy.Matrix
    b_dot: sympy.Matrix
    balance: Balance | None = None
    """S^T M v' = S^T Q, where M is constant"""

    @staticmethod
    def of(coordinates: str, names: list[str], S: Any, b: Any, derivative: Callable[[Any], Any],
           form: Callable[[Any], Any]) -> Velocities:  # fmt: skip
        """From S and b as they come; `derivative` is d/dt, `form` makes a formula short."""
        S, b = S.applyfunc(form), b.applyfunc(form)
        S_dot, b_dot = (derivative(x).applyfunc(form) for x in (S, b))
        return Velocities(coordinates, names, tidy(S), tidy(S_dot), tidy(b), tidy(b_dot))

    @property
    def moved(self) -> bool:
        """Whether drivers move something by themselves: b is not zero."""
        return any(e != 0 for e in self.b)

    def lines(self, rates: list[Any]) -> list[str]:
        """In plain characters."""
        also, later = (" + b", " + b'") if self.moved else ("", "")
        z = ", ".join(map(str, rates))
        out = [f"of all the velocities v in {self.coordinates} coordinates, with z' = ({z}):   001 (39)-(46)"]
        rest = f"S' z'{later}"
        out.append(f"  v = S z'{also},   v' = S z'' + {rest},   S^T M S z'' = S^T (Q - M ({rest}))")
        parts = [("S", self.S), ("S'", self.S_dot)]
        parts += [("b", self.b), ("b'", self.b_dot)] if self.moved else []
        width = max(map(len, self.names), default=0)
        for name, matrix in parts:
            out.append(f"{name} =")
            for label, row in zip(self.names, matrix.tolist(), strict=True):
                out.append(f"  {label.ljust(width)}   [ {',  '.join(map(str, row))} ]")
        return out

    def without_reactions(self) -> list[str]:
        """S^T M v' = S^T Q, the equations of the bodies without the reactions of the joints.   001 (27)"""
        if self.balance is None:
            return []
        v_dot = sympy.Matrix([sympy.Symbol(f"{name}''") for name in self.names])
        left, right = tidied(self.balance.masses * v_dot).flat(), tidied(self.balance.loads).flat()
        return ["S^T M v' = S^T Q, without the reactions of the joints:   001 (27)",
                *(f"  {a} = {b}" for a, b in zip(left, right, strict=True))]  # fmt: skip


def constant_masses(coordinates: str, resolved: ResolvedModel, numbers: ResolvedModel) -> sympy.Matrix | None:
    """M of a set of coordinates in which it is constant: that of reference points, in the plane."""
    if coordinates != "reference-point" or numbers.dimension == 3:
        return None
    arrays = SymbolicSystem(resolved, numbers, coordinates).arrays
    return sympy.Matrix(arrays.n, arrays.n, list(arrays.M)).applyfunc(plain)


@dataclass
class MinimalSymbols:
    """M z'' = Q in symbols.

    >>> import biela
    >>> bar = biela.Model(gravity=(0, "-g"), parameters={"m": 1, "l": 2, "J": 1, "g": 9.81})
    >>> bar = bar.add_ground("A", 0, 0).add_point("B", "l", 0)
    >>> bar = bar.add_body("bar", {"A": (0, 0), "B": ("l", 0)}, mass="m", center=("l/2", 0), inertia="J")
    >>> print(biela.minimal_equations(bar).equations()[0])
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
    second: list[str]
    """how z'' is written"""
    whole: Velocities
    """S and S' of all the velocities of a set of coordinates"""

    def equations(self) -> list[str]:
        """One line for each independent coordinate."""
        out = []
        for i in range(len(self.z)):
            terms = []
            for j in range(len(self.z)):
                m: Any = self.M[i, j]
                if m != 0:
                    text = str(m)
                    a = self.second[j]
                    terms.append(f"({text})*{a}" if m.is_Add else a if m == 1 else f"{text}*{a}")
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
        lines += ["", *self.whole.lines(self.rates), *self.whole.without_reactions()]
        return "\n".join(lines)

    def latex(self) -> str:
        """The equations as LaTeX display equations."""
        rates = {sympy.Symbol(f"{y}'", real=True): rf"\dot{{{sympy.latex(y)}}}" for y in self.variables.values()}
        out = [f"% {self.model.name}, least number of equations"]
        for i in range(len(self.z)):
            left = " + ".join(
                rf"\left({sympy.latex(self.M[i, j])}\right) {_dots(self.second[j])}{{{sympy.latex(z)}}}"
                for j, z in enumerate(self.z) if self.M[i, j] != 0
            )  # fmt: skip
            out.append(rf"\[ {left} = {sympy.latex(self.Q[i], symbol_names=rates)} \]")
        out += [rf"\[ {sympy.latex(e)} = 0 \]" for e in self.Phi]
        for name, e in self.short.items():
            out.append(rf"\[ {sympy.latex(name, symbol_names=rates)} = {sympy.latex(e, symbol_names=rates)} \]")
        for name, matrix in ((r"\mathbf{S}", self.whole.S), (r"\dot{\mathbf{S}}", self.whole.S_dot)):
            out.append(rf"\[ {name} = {sympy.latex(matrix, symbol_names=rates, mat_delim='[')} \]")
        return "\n".join(out)

    def function(self) -> Callable[[dict[str, float], list[float], float], tuple[np.ndarray, np.ndarray]]:
        """(values of all variables by name, z', t) -> M, Q in numbers, with the parameters of the model."""
        known = parameter_values(resolve(self.model, symbolic=True), resolve(self.model))
        order = list(self.variables)
        arguments = [*(self.variables[n] for n in order), *self.rates, sympy.Symbol("t", real=True)]
        both = tuple(sympy.N(x.subs(known), 17) for x in (self.M, self.Q))
        inner = sympy.lambdify([*arguments, *self.short], both, "numpy")
        parts, before = [], list(arguments)
        for name, e in self.short.items():
            parts.append(sympy.lambdify(list(before), sympy.N(sympy.sympify(e).subs(known), 17), "numpy"))
            before.append(name)

        def at(values: dict[str, float], rates: list[float], t: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
            arguments_now: list[Any] = [*(values[n] for n in order), *rates, t]
            for part in parts:
                arguments_now.append(part(*arguments_now))
            M, Q = inner(*arguments_now)
            return np.asarray(M, dtype=float), np.asarray(Q, dtype=float)[:, 0]

        return at


def _dots(second: str) -> str:
    """z'' of a coordinate has two dots, the rate of an angular velocity one."""
    return rf"\{'d' * second.count(chr(39))}ot"
