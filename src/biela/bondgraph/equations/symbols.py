"""Symbols of the equations (real, named after bonds, elements and parameters), and linear systems in them."""

from __future__ import annotations

from typing import Any

import sympy
from sympy.polys.matrices import DomainMatrix
from sympy.polys.matrices.exceptions import DMNonInvertibleMatrixError

Expr = Any
"""a SymPy expression or symbol"""
LARGEST = 4
"""unknowns beyond which formulas would fill pages and take minutes; of plain numbers more are allowed"""


# at a jump, the derivative of one side, as everywhere in biela
FUNCTIONS: dict[str, Any] = {"DiracDelta": lambda *_: 0.0, "Heaviside": lambda x, *_: float(x >= 0)}
"""what lambdify with "math" lacks"""


def symbol(name: str) -> Any:
    """The symbol of this name; all are real, so that |x| and its derivative are simple."""
    return sympy.Symbol(name, real=True)


def is_small(J: Any) -> bool:
    """Whether a system is worth solving in symbols."""
    return J.rows <= (LARGEST if J.free_symbols else 40)


def solve(J: Any, rest: Any) -> list[Expr] | None:
    """x of J x = -rest, or None if J is singular for all values of its symbols. It is solved in the field of rational
    functions, where every entry is kept in lowest terms.

    >>> a, b = sympy.symbols("a b")
    >>> solve(sympy.Matrix([[a, b], [b, a]]), sympy.Matrix([-1, 0]))
    [a/(a**2 - b**2), -b/(a**2 - b**2)]
    """
    left, right = DomainMatrix.from_Matrix(J), DomainMatrix.from_Matrix(-rest)
    left, right = left.unify(right)
    try:
        solution = left.to_field().lu_solve(right.to_field()).to_Matrix()
    except DMNonInvertibleMatrixError:
        return None
    return [sympy.factor_terms(x) for x in solution]
