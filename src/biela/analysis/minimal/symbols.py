"""The least number of equations in symbols, for small mechanisms (001 15.6).

In the plane points are written as formulas of the tree's variables y (angles from the ground, and displacements); what
joints close loops are equations Phi(y, t) = 0. (In space, and with relative angles: `minimal_tree`.) With independent
z among y,

    y' = S z' + b,   x' = X_y y',   M_min = (X_y S)^T M (X_y S),   Q_min = (X_y S)^T (Q - M c),   x'' = X_y S z'' + c

where x, M and Q are those of natural coordinates, as `explain` prints them.   [E.1]-[E.4]  Where loops are closed, the
entries of S keep names (k_rod is how fast the rod turns for a unit rate of z), and so do the accelerations that the
dependent variables have with z'' = 0 (a_rod): their formulas are printed once. For the velocities v of a whole set of
coordinates S is written out: v = S z' + b, v' = S z'' + S' z' + b'.   001 (39), (40)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import sympy

from ...coordinates.tree.spanning import grow
from ...errors import MethodError, Problem, so_many
from ...model.model import Model
from ...model.resolve import resolve
from ...model.resolved import ResolvedModel
from ...system.symbols.frames import SymbolicFrames, unused
from ...system.symbols.symbolic_system import SymbolicSystem, exact, parameter_values, tidy
from ..assembly.assemble import as_model, assemble, refuse_unknown_coordinates
from ..events.describe import refuse_events
from ..explain.formulas import plain, shortened, tidied
from .loop_rows import loop_rows, natural_variables, starting_values
from .tree import TreeReduction, refuse_long
from .velocities import Balance, Velocities, by_sums, constant_masses, positions, ratios_of


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
            given: list[Any] = [*(values[n] for n in order), *rates, t]
            for part in parts:
                given.append(part(*given))
            M, Q = inner(*given)
            return np.asarray(M, dtype=float), np.asarray(Q, dtype=float)[:, 0]

        return at


def _dots(second: str) -> str:
    """z'' of a coordinate has two dots, the rate of an angular velocity one."""
    return rf"\{'d' * second.count(chr(39))}ot"


def minimal_equations(
    model: Model | str | Path,
    independent: list[str] | None = None,
    coordinates: str | None = None,
    angles: str = "absolute",
) -> MinimalSymbols:
    """The least number of equations in symbols. `independent` names coordinates of the model, "crank.angle", ...

    `coordinates`: those whose S and S' are written out, v = S z' (without it reference-point ones in the plane, as
    001 has them, and relative ones in space). `angles`: "absolute", from the ground, or "relative", those of the joints
    (in space always); then z are velocities of the joints. Of a model with stops they are the equations between events.
    """
    refuse_unknown_coordinates(coordinates)
    if angles not in ("absolute", "relative"):
        raise MethodError(Problem(f"there are no angles {angles!r}", cure="one of: absolute, relative"))
    model = as_model(model)
    numbers = resolve(model)
    refuse_events(numbers, "minimal equations in symbols", stops=False)
    space = numbers.dimension == 3
    wanted = coordinates if coordinates not in (None, "auto") else "relative" if space else "reference-point"
    if space or angles == "relative":
        return _of_tree(model, numbers, independent, str(wanted))
    resolved, tree = resolve(model, symbolic=True), grow(numbers, relative=True)
    frames = SymbolicFrames.of(resolved, tree)
    system = assemble(model, "relative")
    rows = loop_rows(frames, system)
    refuse_long(model, len(frames.variables), len(rows))
    values = starting_values(frames, system)
    return _Reduction(model, resolved, numbers, frames, rows, values).result(independent, str(wanted))


def _of_tree(model: Model, numbers: ResolvedModel, independent: list[str] | None, coordinates: str) -> MinimalSymbols:
    """In the velocities of the joints."""
    r = TreeReduction(model, resolve(model, symbolic=True), numbers, assemble(model, "relative"))
    _must_move(model, numbers, len(r.names), len(r.rows))
    z = r.choose(independent)
    S, M, Q, short = r.reduce(z)
    s = r.symbolic
    names, v = r.velocities(coordinates)
    still = {s.v[i]: 0 for i in z}
    ratios = ratios_of(short)
    rates = {y: exact(short[y]).subs(ratios) for y in s.v if y in short}
    J, drift = v.jacobian(s.v), sympy.Matrix([rates.get(y, sympy.Integer(0)) for y in s.v]).subs(still)
    S_v, b = J * S.subs(ratios), J * drift
    form = s.formed if numbers.dimension == 3 else lambda e: by_sums(s.formed(e))
    whole = Velocities.of(coordinates, names, S_v, b, lambda e: r.derivative(e, rates), form)
    masses = constant_masses(coordinates, resolve(model, symbolic=True), numbers)
    if masses is not None:  # what Q of the tree has besides the loads is of the inertia: -J^T M J' y'
        loads = s.Q + (J.T * masses * r.derivative(J, {}) * sympy.Matrix(s.v)).applyfunc(s.formed)
        whole.balance = Balance.of(J * S, whole.S, masses, S.T * loads.applyfunc(s.formed), ratios, form)
    rows = sympy.Matrix([s.Phi[k] for k in r.rows]) if r.rows else sympy.zeros(0, 1)
    second = [f"{s.v[i]}'" for i in z]
    variables = dict(zip(s.equations.q_names, s.q, strict=True))
    return MinimalSymbols(model, [r.names[i] for i in z], [r.base[i] for i in z], [s.v[i] for i in z], variables, rows,
                          S, M, Q, short, second, whole)  # fmt: skip


def _must_move(model: Model, resolved: ResolvedModel, variables: int, rows: int) -> None:
    if variables - rows < 1:
        drivers = [d.name for d in resolved.drivers]
        raise MethodError(
            Problem(
                "nothing is left free: there is no equation to write",
                where=", ".join(drivers) or model.name,
                why=f"{variables} variables, {rows} equations between them",
                cure="remove a driver" if drivers else "remove a joint",
            )
        )


class _Reduction:
    """From formulas of places to equations."""

    def __init__(self, model: Model, resolved: ResolvedModel, numbers: ResolvedModel, frames: SymbolicFrames,
                 rows: list[Any], values: dict[Any, float]):  # fmt: skip
        self.model, self.resolved, self.numbers, self.frames = model, resolved, numbers, frames
        self.y, self.names = list(frames.variables), list(frames.names)
        self.rows, self.values = rows, values
        self.t = sympy.Symbol("t", real=True)
        self.natural = SymbolicSystem(resolved, numbers, "natural")
        self.x = natural_variables(self.natural, frames)
        self.own: dict[str, Any] = dict(zip(frames.names, frames.variables, strict=True))
        """the tree's variables as formulas of y"""

    def result(self, independent: list[str] | None, coordinates: str) -> MinimalSymbols:
        chosen = self._named(independent) if independent else self._declared()
        free = len(self.y) - len(self.rows)
        _must_move(self.model, self.resolved, len(self.y), len(self.rows))
        if independent and len(chosen) != free:
            raise MethodError(
                Problem(
                    f"{len(chosen)} independent coordinates for {so_many(free, 'freedom')}",
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
        whole = self._whole(coordinates, S, short, rates, [rates[s] for s in z])
        masses = constant_masses(coordinates, self.resolved, self.numbers)
        if masses is not None:  # the loads do the same work in all coordinates
            places = sympy.Matrix(positions(coordinates, self.resolved, self.numbers, self.frames, self.own)[1])
            named = places.applyfunc(plain).jacobian(self.y) * S
            whole.balance = Balance.of(named, whole.S, masses, R.T * Q, ratios_of(short), shortened)
        return MinimalSymbols(self.model, names, z, [rates[s] for s in z], variables, tidied(Phi), S, M_min, Q_min,
                              short, [f"{s}''" for s in z], whole)  # fmt: skip

    def _whole(self, coordinates: str, S: Any, short: dict, rates: dict, free: list) -> Velocities:
        """S and S' of the velocities of a set of coordinates."""
        names, x = positions(coordinates, self.resolved, self.numbers, self.frames, self.own)
        X = sympy.Matrix(x).applyfunc(plain)
        ratios = ratios_of(short)
        yd = {y: exact(short.get(rates[y], rates[y])).subs(ratios) for y in self.y}
        J = X.jacobian(self.y)
        drift = sympy.Matrix(list(yd.values())).subs(dict.fromkeys(free, 0))

        def derivative(matrix: Any) -> Any:
            total = matrix.diff(self.t)
            for y, rate in yd.items():
                total = total + matrix.diff(y) * rate
            return total

        return Velocities.of(coordinates, names, J * S.subs(ratios), J * drift + X.diff(self.t), derivative, shortened)

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
        for name, c in self.resolved.coordinates.items():
            driven = any(d.coordinate == name for d in self.resolved.drivers)
            if c.joint is None and c.type != "distance" and not driven:
                s = self._renamed(name)
                if s is not None:
                    found.append(s)
        return found

    def _named(self, names: list[str]) -> list[Any]:
        out = []
        for name in names:
            s = self.y[self.names.index(name)] if name in self.names else None
            if s is None and name in self.resolved.coordinates:
                s = self._renamed(name)
            if s is None:
                known = [*self.names, *(c for c, m in self.resolved.coordinates.items() if m.joint is None)]
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
        e = sympy.expand(self.frames.coordinate(self.resolved.coordinates[name]))
        for k, y in enumerate(self.y):
            factor = sympy.diff(e, y)
            if factor in (1, -1) and not (e - factor * y).has(*self.y):
                s = sympy.Symbol(unused(name.replace(".", "_").replace("@", "_"), self.resolved), real=True)
                if s == y:
                    return y
                swap = {y: factor * (s - (e - factor * y))}
                start = self.values.pop(y)
                offset = float(sympy.sympify(e - factor * y).subs(parameter_values(self.resolved, self.numbers)))
                self.values[s] = float(factor) * start + offset
                self.rows = [r.subs(swap) for r in self.rows]
                self.own = {n: sympy.sympify(own).subs(swap) for n, own in self.own.items()}
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
        known = {**self.values, **parameter_values(self.resolved, self.numbers), self.t: 0}
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
