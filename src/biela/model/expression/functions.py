"""The functions and operators of formulas. A new one is one row here: its values, its slopes, its bounds, where it
switches, and what SymPy calls it. (And a word of bytecode, where laws of forces may use it: `kernels.laws.program`.)"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import intervals as iv

CONSTANTS: Mapping[str, float] = {"pi": math.pi, "e": math.e, "deg": math.pi / 180, "rpm": math.pi / 30}
PARAMETERS = "abcdf"
"""what the arguments of a function are called in the formulas below"""


@dataclass(frozen=True)
class Function:
    """What is known of a function of some arguments."""

    arity: int
    value: Callable[..., Any]
    """of floats"""
    slopes: tuple[str, ...]
    """partial derivatives by its arguments; none where its definition, or `differentiate`, has them"""
    bounds: Callable[..., Any]
    of_any: Callable[..., Any] | None = None
    """the values of any scalars that Python can compute with"""
    definition: str = ""
    """by other functions"""
    switches: tuple[str, ...] = ()
    """differences whose sign decides which branch of it holds"""
    jumps: bool = False
    """its values may jump where it switches"""
    sympy: str = ""
    """what SymPy calls it, if it has it"""


# -------------------------------------------------------------------------------------------------- values of floats
def _keep_nan(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda a, b: a if a != a else b if b != b else function(a, b)


def _select(condition: Any, a: Any, b: Any) -> Any:
    return condition if condition != condition else a if condition != 0 else b


def _sign(a: Any) -> Any:
    return a if a != a else float(a > 0) - float(a < 0)


def _ramp(x: float, x0: float, x1: float) -> float:
    if not x0 < x1:
        raise ValueError("x0 < x1 is needed")
    return min(max((x - x0) / (x1 - x0), 0.0), 1.0)


def _step(x: float, x0: float, y0: float, x1: float, y1: float) -> float:
    s = iv.smooth(_ramp(x, x0, x1))
    return y0 * (1 - s) + y1 * s  # exact at both ends


def _unbounded(function: Callable[..., float], sign: Callable[..., float]) -> Callable[..., float]:
    """What overflows is infinite, as in compiled code: 1/cosh(x) is 0 far away."""

    def at(*args: float) -> float:
        try:
            return function(*args)
        except OverflowError:
            return math.copysign(math.inf, sign(*args))

    return at


_exp, _cosh = (_unbounded(function, lambda a: 1.0) for function in (math.exp, math.cosh))
_sinh = _unbounded(math.sinh, lambda a: a)
_power = _keep_nan(_unbounded(math.pow, lambda a, b: -1.0 if a < 0 and b % 2 == 1 else 1.0))
OVERFLOWING = ("exp", "sinh", "cosh", "^")


# --------------------------------------------------------------------------------------------------------- the table
def _one(name: str, slope: str, bounds: Callable[..., Any], value: Callable[[float], float] | None = None) -> Function:
    """A smooth function of one argument that `math` and SymPy have."""
    return Function(1, value or getattr(math, name), (slope,), bounds, sympy=name)


def _chosen(function: Callable[..., Any], bounds: Callable[..., Any], sympy: str) -> Function:
    """The least or the greatest of two."""
    value = _keep_nan(function)
    return Function(2, value, (), bounds, of_any=value, switches=("a - b",), sympy=sympy)


FUNCTIONS: Mapping[str, Function] = {
    "sin": _one("sin", "cos(a)", iv.wave(np.sin, 0.5 * math.pi)),
    "cos": _one("cos", "-sin(a)", iv.wave(np.cos, 0.0)),
    "tan": _one("tan", "1 + tan(a)^2", iv.tan),
    "asin": _one("asin", "1/sqrt(1 - a^2)", iv.within(np.arcsin, -1.0, 1.0)),
    "acos": _one("acos", "-1/sqrt(1 - a^2)", iv.within(np.arccos, -1.0, 1.0, falling=True)),
    "atan": _one("atan", "1/(1 + a^2)", iv.rising(np.arctan)),
    "sinh": _one("sinh", "cosh(a)", iv.rising(np.sinh), _sinh),
    "cosh": _one("cosh", "sinh(a)", iv.cosh, _cosh),
    "tanh": _one("tanh", "1 - tanh(a)^2", iv.rising(np.tanh)),
    "exp": _one("exp", "exp(a)", iv.rising(np.exp), _exp),
    "log": _one("log", "1/a", iv.within(np.log, 0.0, np.inf)),
    "sqrt": _one("sqrt", "1/(2*sqrt(a))", iv.within(np.sqrt, 0.0, np.inf)),
    # its slope is not sign(a): the 0 of that at 0 spoils the second derivative of abs(x)^2
    "abs": Function(1, abs, ("if(a < 0, -1, 1)",), iv.magnitude, of_any=abs, switches=("a",), sympy="Abs"),
    "sign": Function(1, _sign, ("0",), iv.sign, of_any=_sign, switches=("a",), jumps=True, sympy="sign"),
    # from 0 to 1, with zero slope and curvature at both
    "_smooth": Function(
        1, iv.smooth, ("30*a^2*(1 - a)^2",), iv.rising(iv.smooth), definition="a^3*(10 - 15*a + 6*a^2)"
    ),
    "atan2": Function(2, math.atan2, ("b/(a^2 + b^2)", "-a/(a^2 + b^2)"), iv.atan2),
    "min": _chosen(min, iv.least, "Min"),
    "max": _chosen(max, iv.greatest, "Max"),
    "ramp": Function(
        3, _ramp,
        ("(a >= b)*(a <= c)/(c - b)", "(a >= b)*(a <= c)*(a - c)/(c - b)^2", "(a >= b)*(a <= c)*(b - a)/(c - b)^2"),
        iv.ramp, definition="if(b < c, min(max((a - b)/(c - b), 0), 1), 0/0)", switches=("a - b", "a - c"),
    ),
    "if": Function(3, _select, (), iv.select, of_any=_select, jumps=True),
    "step": Function(
        5, _step, (), iv.step, definition="c + (f - c)*_smooth(ramp(a, b, d))", switches=("a - b", "a - d")
    ),
}  # fmt: skip


def _operator(value: Callable[..., Any], slopes: tuple[str, ...], bounds: Callable[..., Any]) -> Function:
    return Function(len(slopes), value, slopes, bounds, of_any=value)


def _comparison(holds: Callable[[Any, Any], Any], bounds: Callable[..., Any]) -> Function:
    value = _keep_nan(lambda a, b: 1.0 if holds(a, b) else 0.0)
    return Function(2, value, ("0", "0"), bounds, of_any=value, switches=("a - b",), jumps=True)


COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
OPERATORS: Mapping[str, Function] = {
    "neg": _operator(operator.neg, ("-1",), iv.negative),
    "+": _operator(operator.add, ("1", "1"), iv.plus),
    "-": _operator(operator.sub, ("1", "-1"), iv.minus),
    "*": _operator(operator.mul, ("b", "a"), iv.product),
    "/": _operator(operator.truediv, ("1/b", "-a/b^2"), iv.quotient),
    "^": Function(2, _power, ("b*a^(b - 1)", "a^b*log(a)"), iv.power, of_any=operator.pow),
    **{op: _comparison(holds, iv.less if "<" in op else iv.more) for op, holds in COMPARISONS.items()},
}
ALL = {**FUNCTIONS, **OPERATORS}
ARITY: Mapping[str, int] = {name: function.arity for name, function in FUNCTIONS.items()}
FLOAT_FUNCTIONS: Mapping[str, Callable[..., Any]] = {name: function.value for name, function in ALL.items()}
RESERVED = frozenset(CONSTANTS) | frozenset(FUNCTIONS)
