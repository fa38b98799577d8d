"""The value of an expression, with floats or with any other scalars; and its bounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from . import intervals as iv
from .functions import ALL, COMPARISONS, CONSTANTS, FLOAT_FUNCTIONS, FUNCTIONS, OVERFLOWING, PARAMETERS
from .reading import parse
from .tree import Binary, Call, ExpressionError, Name, Node, Number, Unary, fold
from .writing import check_names, to_text

_OF_ANY = {name: function.of_any for name, function in ALL.items() if function.of_any is not None}
_BOUNDS = {name: function.bounds for name, function in ALL.items()}


class _Failure(NamedTuple):
    """What a domain error leaves: it spreads like a NaN, but not from the branch an `if` drops."""

    reason: str
    node: Node


def evaluate(
    node: Node,
    values: Mapping[str, Any],
    functions: Mapping[str, Callable[..., Any]] | None = None,
    number: Callable[[str], Any] = float,
) -> Any:
    """The value for the given values of its names.

    With ``functions`` (and ``number``, which reads literals) the scalars may be of any kind: operators go by
    their symbol, the minus sign by "neg", and what is missing falls back on Python's operators. A constant is
    looked up in ``values`` first, where it may be given in the same kind.

    >>> evaluate(parse("3*x^2 + if(x < 0, 1, 0)"), {"x": 2})
    12.0
    """
    table = FLOAT_FUNCTIONS if functions is None else {**_OF_ANY, **functions}

    overflown: list[Node] = []

    def visit(part: Node, below: list[Any]) -> Any:
        match part:
            case Number(text):
                return number(text)
            case Name(name):
                if name not in values and name not in CONSTANTS:
                    check_names(node, values)
                return values[name] if name in values else CONSTANTS[name]
            case Unary():
                key = "neg"
            case Binary(key) | Call(key):
                pass
        failed = next((value for value in below if isinstance(value, _Failure)), None)
        if failed and (key != "if" or isinstance(below[0], _Failure)):
            return failed
        try:
            if key in table:
                value = table[key](*below)
                if functions is None and key in OVERFLOWING and math.isinf(value):
                    overflown.append(part)
                return value
            if key in ALL and ALL[key].definition:
                return evaluate(parse(ALL[key].definition), dict(zip(PARAMETERS, below)), table, number)
        except (ValueError, ArithmeticError) as error:
            return _Failure(str(error) or type(error).__name__, part)
        raise ExpressionError(f"no function {key!r} to compute", to_text(node))

    result = fold(node, visit)
    if overflown and isinstance(result, float) and not math.isfinite(result):
        raise ExpressionError(f"math range error, computing {to_text(overflown[0])!r}", to_text(node))
    if isinstance(result, _Failure):
        raise ExpressionError(f"{result.reason}, computing {to_text(result.node)!r}", to_text(node))
    return result


def bounds(node: Node, ranges: Mapping[str, iv.Bounds]) -> iv.Bounds:
    """Least and greatest value, for names within ranges (numbers, or arrays for many at once): one evaluation says of
    a whole interval of time that nothing happens there, however short it might be.

    >>> lo, hi = bounds(parse("abs(x - 1) + exp(-x^2)"), {"x": (0.0, 3.0)})
    >>> bool(lo <= 0.37 and hi >= 2.0)
    True
    """
    known = {**{name: (value, value) for name, value in CONSTANTS.items()}, **ranges}
    with np.errstate(all="ignore"):
        return evaluate(node, known, _BOUNDS, lambda text: (float(text), float(text)))


def sympy_tables() -> tuple[Callable[[str], Any], dict[str, Callable[..., Any]], dict[str, Any]]:
    """What `evaluate` needs for SymPy: the reader of numbers, the functions, and the constants.

    >>> number, functions, constants = sympy_tables()
    >>> evaluate(parse("0.1 + 0.2 + sin(pi/6)"), constants, functions, number)
    4/5
    """
    import sympy

    def compare(holds: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        return lambda a, b: sympy.Piecewise((1, holds(a, b)), (0, True))

    def select(condition: Any, a: Any, b: Any) -> Any:
        pairs: Any = condition.args if isinstance(condition, sympy.Piecewise) else ()
        if [pair.args[0] for pair in pairs] == [1, 0]:
            return sympy.Piecewise((a, pairs[0].args[1]), (b, True))
        return sympy.Piecewise((a, sympy.Ne(condition, 0)), (b, True))

    def piecewise(x: Any, x0: Any, y0: Any, x1: Any, y1: Any, inside: Callable[[Any], Any]) -> Any:
        if sympy.sympify(x0 >= x1) == sympy.true:
            raise ValueError("x0 < x1 is needed")
        middle = y0 + (y1 - y0) * inside((x - x0) / (x1 - x0))
        return sympy.Piecewise((y0, x <= x0), (y1, x >= x1), (middle, True))

    functions: dict[str, Any] = {name: getattr(sympy, f.sympy) for name, f in FUNCTIONS.items() if f.sympy}
    functions["atan2"] = lambda a, b: 0 if a == b == 0 else sympy.atan2(a, b)  # SymPy: undefined
    functions["if"] = select
    functions["ramp"] = lambda x, x0, x1: piecewise(x, x0, 0, x1, 1, lambda s: s)
    functions["step"] = lambda *args: piecewise(*args, inside=iv.smooth)
    functions |= {op: compare(holds) for op, holds in COMPARISONS.items()}
    constants = {"pi": sympy.pi, "e": sympy.E, "deg": sympy.pi / 180, "rpm": sympy.pi / 30}
    return sympy.Rational, functions, constants
