"""The value of an expression, with floats or with any other scalars."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from .reading import parse
from .tree import (
    CONSTANTS,
    DEFINITIONS,
    LIBM,
    PARAMETERS,
    Binary,
    Call,
    ExpressionError,
    Name,
    Node,
    Number,
    Unary,
    fold,
)
from .writing import check_names, to_text


class _Failure(NamedTuple):
    """What a domain error leaves: it spreads like a NaN, but not from the branch an `if` drops."""

    reason: str
    node: Node


def _keep_nan(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda a, b: a if a != a else b if b != b else function(a, b)


def _select(condition: Any, a: Any, b: Any) -> Any:
    return condition if condition != condition else a if condition != 0 else b


def _compare(holds: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return _keep_nan(lambda a, b: 1.0 if holds(a, b) else 0.0)


COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
_GENERIC: Mapping[str, Callable[..., Any]] = {
    **_ARITHMETIC,
    **{op: _compare(holds) for op, holds in COMPARISONS.items()},
    **{"neg": operator.neg, "^": operator.pow, "abs": abs, "if": _select},
    **{"min": _keep_nan(min), "max": _keep_nan(max)},
    "sign": lambda a: a if a != a else float(a > 0) - float(a < 0),
}


def _ramp(x: float, x0: float, x1: float) -> float:
    if not x0 < x1:
        raise ValueError("x0 < x1 is needed")
    return min(max((x - x0) / (x1 - x0), 0.0), 1.0)


def smooth(s: Any) -> Any:
    """From 0 to 1, with no slope and no curvature at both ends."""
    return s * s * s * (10 - 15 * s + 6 * s * s)


def _step(x: float, x0: float, y0: float, x1: float, y1: float) -> float:
    s = smooth(_ramp(x, x0, x1))
    return y0 * (1 - s) + y1 * s  # exact at both ends


def _unbounded(function: Callable[..., float], sign: Callable[..., float]) -> Callable[..., float]:
    """What overflows is infinite, as in compiled code: 1/cosh(x) is 0 far away."""

    def at(*args: float) -> float:
        try:
            return function(*args)
        except OverflowError:
            return math.copysign(math.inf, sign(*args))

    return at


def _power_sign(a: float, b: float) -> float:
    return -1.0 if a < 0 and b % 2 == 1 else 1.0


FLOAT_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    **_GENERIC,
    **{name: getattr(math, name) for name in [*LIBM, "atan2"]},
    **{name: _unbounded(getattr(math, name), lambda a: 1.0) for name in ("exp", "cosh")},
    "sinh": _unbounded(math.sinh, lambda a: a),
    **{"^": _keep_nan(_unbounded(math.pow, _power_sign)), "ramp": _ramp, "step": _step, "_smooth": smooth},
}


_OVERFLOWING = ("exp", "sinh", "cosh", "^")


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
    table = FLOAT_FUNCTIONS if functions is None else {**_GENERIC, **functions}

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
        if failed and (table.get(key) is not _select or isinstance(below[0], _Failure)):
            return failed
        try:
            if key in table:
                value = table[key](*below)
                if functions is None and key in _OVERFLOWING and math.isinf(value):
                    overflown.append(part)
                return value
            if key in DEFINITIONS:
                return evaluate(parse(DEFINITIONS[key]), dict(zip(PARAMETERS, below)), table, number)
        except (ValueError, ArithmeticError) as error:
            return _Failure(str(error) or type(error).__name__, part)
        raise ExpressionError(f"no function {key!r} to compute", to_text(node))

    result = fold(node, visit)
    if overflown and isinstance(result, float) and not math.isfinite(result):
        raise ExpressionError(f"math range error, computing {to_text(overflown[0])!r}", to_text(node))
    if isinstance(result, _Failure):
        raise ExpressionError(f"{result.reason}, computing {to_text(result.node)!r}", to_text(node))
    return result


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

    functions = {name: getattr(sympy, name) for name in [*LIBM, "sign"]}
    functions["atan2"] = lambda a, b: 0 if a == b == 0 else sympy.atan2(a, b)  # SymPy: undefined
    functions |= {"abs": sympy.Abs, "min": sympy.Min, "max": sympy.Max, "if": select}
    functions["ramp"] = lambda x, x0, x1: piecewise(x, x0, 0, x1, 1, lambda s: s)
    functions["step"] = lambda *args: piecewise(*args, inside=smooth)
    functions |= {op: compare(holds) for op, holds in COMPARISONS.items()}
    constants = {"pi": sympy.pi, "e": sympy.E, "deg": sympy.pi / 180, "rpm": sympy.pi / 30}
    return sympy.Rational, functions, constants
