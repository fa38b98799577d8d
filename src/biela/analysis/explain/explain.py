"""Explain: the equations of a small mechanism in symbols, in any coordinates, as text and as LaTeX."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sympy

from ...errors import MethodError, Problem
from ...model.model import Model
from ...model.resolve import resolve
from ...model.resolved import ResolvedModel
from ...system.symbols.symbolic_system import SymbolicSystem
from ...system.system import FLOATS, hold_relations, lower
from ..assembly.assemble import as_model, assemble, refuse_unknown_coordinates
from .printing import LONGEST_ENTRY, by_hand, in_latex, table, too_long, written_entry

LARGEST = 40
"""coordinates; beyond this the formulas fill books"""
LONGEST_CHAIN = {2: 7, 3: 4}
"""turns in the plane and in space, one upon the other (a ball counts twice): each multiplies the terms of relative
coordinates"""
Term = tuple[str, str, str, Any]
"""name, LaTeX name, meaning, matrix"""


class Explanation:
    """q, Phi, Phi_q, gamma, M and Q of a mechanism; the matrices of each body in natural coordinates; H and v where
    quaternions are; T and Q_v where the mass matrix varies.

    >>> import biela
    >>> e = biela.explain("double-pendulum")
    >>> e.symbolic.M[0, 0]
    25*m/24
    >>> print(biela.explain("simple-pendulum").rows()[0])
    x_P**2 + y_P**2 - L**2
    >>> biela.explain("rod-pendulum", "reference-point").symbolic.Phi_q[0, 2]
    l*sin(phi_bar)/2
    """

    def __init__(self, model: Model, symbolic: SymbolicSystem, coordinates: str):
        self.model = model
        self.symbolic = symbolic
        self.coordinates = coordinates
        self._terms: list[Term] | None = None

    def terms(self) -> list[Term]:
        """(name, LaTeX name, meaning, matrix) of every term."""
        if self._terms is None:
            self._terms = self._all()
        return self._terms

    def _all(self) -> list[Term]:
        s = self.symbolic
        turning = bool(s.quaternions)
        inertia = s.varies and not s.Q_v.is_zero_matrix
        second = "v'" if turning else "q''"
        jacobian: Term = ("Phi_q", r"\boldsymbol{\Phi}_{\mathbf{q}}", "their Jacobian", s.Phi_q)
        if turning:
            jacobian = ("B", r"\mathbf{B}", "their Jacobian, Phi_q H", s.Phi_q)
        found: list[Term] = [("q", r"\mathbf{q}", "coordinates", sympy.Matrix(s.q))]
        if turning:
            found += [("v", r"\mathbf{v}", "velocities, w in the axes that turn with the body", sympy.Matrix(s.v)),
                      ("H", r"\mathbf{H}", "q' = H v", s.H)]  # fmt: skip
        found += [
            ("Phi", r"\boldsymbol{\Phi}", "constraint equations, Phi = 0", s.Phi),
            jacobian,
            ("gamma", r"\boldsymbol{\gamma}", f"{jacobian[0]} {second} = gamma", s.gamma),
            ("M", r"\mathbf{M}", "mass matrix", s.M),
            ("Q", r"\mathbf{Q}", "generalised forces" + (", Q_v included" if inertia else ""), s.Q),
        ]
        if inertia:
            found.append(("Q_v", r"\mathbf{Q}_v", "velocity-dependent inertia forces in Q, 000 (49)", s.Q_v))
        return found

    def rows(self) -> list[str]:
        """The constraint rows in plain characters, written as by hand."""
        return [written_entry(e) for e in self._by_hand("Phi", self.symbolic.Phi)]

    def _by_hand(self, name: str, matrix: Any) -> list[Any]:
        """The entries of a matrix; rows of Phi and gamma as squares of differences of positions, or of velocities."""
        variables = {"Phi": self.symbolic.q, "gamma": self.symbolic.v}.get(name)
        return [e if variables is None or too_long(e) else by_hand(e, variables) for e in matrix]

    def text(self) -> str:
        """Everything in plain characters."""
        s, low = self.symbolic, self.symbolic.equations
        lines = [f"{self.model.name}: {self.model.title}".rstrip(": "), f"coordinates: {self.coordinates}", ""]
        if low.tree is None:
            for body in low.resolved.bodies:
                lines += self._body(body)
        plain = "M q'' + Phi_q^T lam = Q,   Phi = 0"
        lines.append("M v' + B^T lam = Q,   Phi = 0,   q' = H v" if s.quaternions else plain)
        for four in s.quaternions:
            lines.append(" + ".join(f"{p}**2" for p in four) + " = 1")
        for name, _, what, matrix in self.terms():
            lines += ["", f"{name}   ({what}, {matrix.rows} x {matrix.cols})"]
            column = [written_entry(e) for e in self._by_hand(name, matrix)] if name in ("Phi", "gamma") else None
            lines += table(matrix, self._labels(name), column)
            lines += self._left_out(name, matrix)
        names = [x.name for x in (*low.resolved.stops, *low.resolved.locks)]
        if names:
            lines += ["", f"between events; not among these equations: {', '.join(names)}"]
        return "\n".join(lines)

    def _left_out(self, name: str, matrix: Any) -> list[str]:
        """Where entries were too long to be printed: which ones have them, and what has fewer."""
        count = sum(map(too_long, matrix))
        if not count:
            return []
        said = f"  {count} of the entries of {name} {'is' if count == 1 else 'are'} too long to be read (more than "
        said += f"{LONGEST_ENTRY} operations): explain(...).symbolic.{'Phi_q' if name == 'B' else name} in Python has "
        said += f"{'it' if count == 1 else 'them'}"
        return [said + ("" if self.coordinates == "natural" else "; --coordinates natural has shorter formulas")]

    def _labels(self, name: str) -> list[str]:
        low = self.symbolic.equations
        if name in ("Phi", "Phi_q", "B", "gamma"):
            return [r.name for r in low.rows]
        return low.q_names if name in ("q", "H") else low.v_names

    def _body(self, body: str) -> list[str]:
        """Mass matrix and weight of a body on its own points and vectors; in space each entry times I3, 000 (31)."""
        s, low = self.symbolic, self.symbolic.equations
        own = list(dict.fromkeys(c[1].removeprefix("^") for c in low.exploded.copies if c[0] == body))
        if low.resolved.dimension == 2:
            own = [f"{c[1]}.{'xyz'[c[2]]}" for c in low.exploded.copies if c[0] == body]
            lines = [f"body {body!r} on ({', '.join(own)})", "  M =", *table(s.body_mass(body))]
            return [*lines, *self._weight(body), ""]
        lines = [f"body {body!r} on ({', '.join(own)})", "  M =   (each entry times I3, 000 (31))"]
        lines += table(s.body_blocks(body))
        crossed = s.crossed(body)
        if crossed is not None:
            (a, b, c, w), (e, u) = crossed.names, crossed.ways
            product = " x ".join(f"({way})" if " " in way else way for way in (e, u))
            lines += [f"  {w} = {product} is not a variable; with q_o = ({a}, {e}, {u}, {w})",
                      "  M_o =   (each entry times I3)", *table(crossed.M_o),
                      f"  T =   (q_o' = T q' of ({a}, {b}, {c}), 000 (44); M = T^T M_o T)",
                      *table(crossed.T)]  # fmt: skip
        return [*lines, *self._weight(body), ""]

    def _weight(self, body: str) -> list[str]:
        weight = self.symbolic.body_weight(body)
        return [] if weight.is_zero_matrix else ["  weight =", *table(weight)]

    def latex(self) -> str:
        """Everything as LaTeX display equations."""
        names = self._latex_names()
        out = [f"% {self.model.name}, {self.coordinates} coordinates"]
        for name, symbol, what, matrix in self.terms():
            cells = [in_latex(e, names) for e in self._by_hand(name, matrix)]
            rows = [cells[i : i + matrix.cols] for i in range(0, len(cells), matrix.cols or 1)]
            body = r" \\ ".join(" & ".join(row) for row in rows)
            columns = "c" * matrix.cols
            out += [f"% {what}", rf"\[ {symbol} = \left[\begin{{array}}{{{columns}}}{body}\end{{array}}\right] \]"]
        return "\n".join(out)

    def _latex_names(self) -> dict[Any, str]:
        names = {}
        for v in self.symbolic.v:
            if str(v).endswith("'"):
                head, _, tail = sympy.latex(sympy.Symbol(str(v)[:-1])).partition("_")
                names[v] = rf"\dot{{{head}}}" + (f"_{tail}" if tail else "")
            else:  # wx_top is a component of the angular velocity
                part, _, body = str(v).partition("_")
                names[v] = rf"\omega_{{{part[1:]}\,{body}}}"
        return names


def explain(model: Model | str | Path, coordinates: str | None = None) -> Explanation:
    """The equations of a small mechanism in symbols, by running the numerical kernels on SymPy symbols."""
    refuse_unknown_coordinates(coordinates)
    wanted = "natural" if coordinates in (None, "auto") else str(coordinates)
    model = as_model(model)
    numbers = resolve(model)
    low = lower(numbers, wanted, FLOATS)
    if not low.q_names:
        cure = "add bodies and moving points"
        raise MethodError(Problem("nothing in this model can move", where=model.name, cure=cure))
    refuse_large(model, numbers, low, wanted)
    symbols = resolve(model, symbolic=True)
    return Explanation(model, SymbolicSystem(symbols, numbers, wanted, starting_constants(model, low, wanted)), wanted)


def refuse_large(model: Model, numbers: ResolvedModel, low: Any, coordinates: str) -> None:
    """Refuse a mechanism whose formulas nobody could read."""
    size, chain = len(low.q_names), 0
    if coordinates == "relative":
        turns = [int(1 <= f.kind <= 3) for f in low.tree.freedoms]  # 0 slides; 2, 3, 4 are the three of a ball
        chain = max((sum(turns[d] for d in low.tree.path(b)) for b in low.tree.frames.bodies), default=0)
    most = LONGEST_CHAIN[numbers.dimension]
    if size <= LARGEST and chain <= most:
        return
    why = f"{size} coordinates, at most {LARGEST}"
    if size <= LARGEST:
        why = f"a body turns about {chain} axes, one upon the other, at most {most} (a ball counts twice)"
    raise MethodError(
        Problem(
            f"model {model.name!r} is too large to be explained in {coordinates} coordinates in symbols",
            where=model.name,
            why=why,
            cure="other coordinates may need fewer" * (size > LARGEST and coordinates != "relative")
            or "natural coordinates have formulas of the same length for each body; `biela check` counts this one",
        )
    )


def starting_constants(model: Model, low: Any, coordinates: str) -> dict[str, float]:
    """Rows of gears and racks keep the sum of their coordinates where the mechanism starts: row -> that sum."""
    kept = {j.name for j in low.resolved.joints if j.keeps_start}
    if not kept:
        return {}
    system = assemble(model, coordinates)
    hold_relations(system, system.q0)
    rows = enumerate(system.equations.rows)
    return {r.name: -float(system.arrays.c[k]) for k, r in rows if r.owner in kept and r.role == "joint"}
