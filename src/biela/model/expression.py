"""Formulas written as text: a small language that can compute, and nothing else.

A text is parsed into an immutable tree, which is evaluated with floats or with any other
scalars, differentiated, or written out again.
"""

from .formula.derivative import differentiate, substitute
from .formula.evaluation import FLOAT_FUNCTIONS, evaluate, sympy_tables
from .formula.reading import MAX_LENGTH, parse
from .formula.switches import is_gentle, switches_by, switches_of
from .formula.tree import (
    ARITY,
    CONSTANTS,
    DEFINITIONS,
    PARAMETERS,
    RESERVED,
    Binary,
    Call,
    ExpressionError,
    Name,
    Node,
    Number,
    Unary,
    fold,
)
from .formula.writing import check_names, names, to_text

__all__ = [
    "CONSTANTS",
    "FLOAT_FUNCTIONS",
    "ARITY",
    "DEFINITIONS",
    "PARAMETERS",
    "RESERVED",
    "ExpressionError",
    "Number",
    "Name",
    "Unary",
    "Binary",
    "Call",
    "Node",
    "fold",
    "MAX_LENGTH",
    "parse",
    "to_text",
    "names",
    "check_names",
    "evaluate",
    "sympy_tables",
    "differentiate",
    "substitute",
    "switches_by",
    "switches_of",
    "is_gentle",
]
