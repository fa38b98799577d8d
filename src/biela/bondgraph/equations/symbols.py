"""Symbols of the equations: real ones, named after bonds, elements and parameters."""

from __future__ import annotations

from typing import Any

import sympy

Expr = Any
"""a SymPy expression or symbol"""


# at a jump, the derivative of one side, as everywhere in biela
FUNCTIONS: dict[str, Any] = {"DiracDelta": lambda *_: 0.0, "Heaviside": lambda x, *_: float(x >= 0)}
"""what lambdify with "math" lacks"""


def symbol(name: str) -> Any:
    """The symbol of this name; all are real, so that |x| and its derivative are simple."""
    return sympy.Symbol(name, real=True)
