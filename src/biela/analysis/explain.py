"""Explain: the equations of a small mechanism in symbols, as text and as LaTeX."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import MethodError, Problem
from ..model.model import Model
from ..model.resolve import resolve
from ..model.resolve.expansion import without_repeats
from ..system.system import FLOATS, natural_of
from .assembly import COORDINATES, as_model

if TYPE_CHECKING:
    from ..system.symbols import SymbolicSystem

SYMBOLIC = ("natural", "mixed")
LARGEST = 40
"""coordinates; beyond this the formulas fill books"""


class Explanation:
    """q, Phi, Phi_q, (Phi_q)' q', M and Q of a mechanism, and the matrices of each body.

    >>> import biela
    >>> e = biela.explain("double-pendulum")
    >>> e.symbolic.M[0, 0]
    25*m/24
    """

    def __init__(self, model: Model, symbolic: SymbolicSystem, coordinates: str):
        self.model = model
        self.symbolic = symbolic
        self.coordinates = coordinates

    def terms(self) -> list[tuple[str, str, str, Any]]:
        """(name, LaTeX name, meaning, matrix) of every term."""
        import sympy

        s = self.symbolic
        return [
            ("q", r"\mathbf{q}", "coordinates", sympy.Matrix(s.q)),
            ("Phi", r"\boldsymbol{\Phi}", "constraint equations, Phi = 0", s.Phi),
            ("Phi_q", r"\boldsymbol{\Phi}_{\mathbf{q}}", "their Jacobian", s.Phi_q),
            ("Phi_q' q'", r"\dot{\boldsymbol{\Phi}}_{\mathbf{q}}\dot{\mathbf{q}}", "velocity terms of Phi''", s.bias),
            ("M", r"\mathbf{M}", "mass matrix", s.M),
            ("Q", r"\mathbf{Q}", "generalised forces", s.Q),
        ]

    def text(self) -> str:
        """Everything in plain characters."""
        low = self.symbolic.lowered
        lines = [f"{self.model.name}: {self.model.title}".rstrip(": "), f"coordinates: {self.coordinates}", ""]
        for body in low.meaning.bodies:
            own = [f"{c[1]}.{'xyz'[c[2]]}" for c in low.exploded.copies if c[0] == body]
            lines += [f"body {body!r} on ({', '.join(own)})", "  M ="]
            lines += _rows(self.symbolic.body_mass(body))
            lines += ["  weight =", *_rows(self.symbolic.body_weight(body)), ""]
        lines.append("M q'' + Phi_q^T lam = Q,   Phi = 0")
        for name, _, meaning, matrix in self.terms():
            lines += ["", f"{name}   ({meaning}, {matrix.rows} x {matrix.cols})"]
            labels = [r.name for r in low.rows] if name.startswith("Phi") else low.q_names
            lines += _rows(matrix, labels)
        names = [x.name for x in (*low.meaning.stops, *low.meaning.locks)]
        if names:
            lines += ["", f"between events; not among these equations: {', '.join(names)}"]
        return "\n".join(lines)

    def latex(self) -> str:
        """Everything as LaTeX display equations."""
        import sympy

        names = self._latex_names()
        out = [f"% {self.model.name}, {self.coordinates} coordinates"]
        for _, symbol, meaning, matrix in self.terms():
            body = sympy.latex(matrix, symbol_names=names, mat_delim="[", fold_short_frac=False)
            out += [f"% {meaning}", f"\\[ {symbol} = {body} \\]"]
        return "\n".join(out)

    def _latex_names(self) -> dict[Any, str]:
        import sympy

        names = {}
        for q, v in zip(self.symbolic.q, self.symbolic.v, strict=True):
            text = sympy.latex(q)
            head, _, tail = text.partition("_")
            names[v] = rf"\dot{{{head}}}" + (f"_{tail}" if tail else "")
        return names


def explain(model: Model | str | Path, coordinates: str | None = None) -> Explanation:
    """The equations of a small mechanism in symbols, by running the numerical kernels on SymPy symbols."""
    from ..system.symbols import SymbolicSystem

    if coordinates not in (None, "auto", *COORDINATES):
        raise MethodError(
            Problem(f"there are no coordinates {coordinates!r}", cure=f"one of: auto, {', '.join(COORDINATES)}")
        )
    wanted = "natural" if coordinates in (None, "auto") else str(coordinates)
    if wanted not in SYMBOLIC:
        raise MethodError(
            Problem(
                f"equations in {wanted} coordinates are not written in symbols",
                why="there they follow from a recursion along the mechanism, in numbers",
                cure=f"one of: {', '.join(SYMBOLIC)}; or look at System.at(q, v) for numbers",
            )
        )
    model = as_model(model)
    numbers = resolve(model)
    size = len(natural_of(numbers, FLOATS).q_names)
    if not size:
        cure = "add bodies and moving points"
        raise MethodError(Problem("nothing in this model can move", where=model.name, cure=cure))
    size += len(without_repeats(model).coordinates)
    if size > LARGEST:
        raise MethodError(
            Problem(
                f"model {model.name!r} is too large to be explained in symbols",
                why=f"{size} coordinates, at most {LARGEST}",
                cure="explain a smaller one of the same kind; `biela check` counts this one",
            )
        )
    meaning = resolve(model, symbolic=True) if numbers.dimension == 2 else numbers  # in space numbers stay numbers
    return Explanation(model, SymbolicSystem(meaning, numbers, meaning.carried(wanted == "mixed")), wanted)


def _rows(matrix: Any, labels: list[str] | None = None) -> list[str]:
    cells = [[str(matrix[i, j]) for j in range(matrix.cols)] for i in range(matrix.rows)]
    width = [max((len(row[j]) for row in cells), default=0) for j in range(matrix.cols)]
    lines = []
    for i, row in enumerate(cells):
        text = "  ".join(c.rjust(w) for c, w in zip(row, width, strict=True))
        label = f"   {labels[i]}" if labels and i < len(labels) else ""
        lines.append(f"  [ {text} ]{label}")
    return lines or ["  [ ]"]
