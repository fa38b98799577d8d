"""Derivatives and substitution, with light simplification."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Context, Decimal, DivisionByZero, Inexact, InvalidOperation, Overflow, Underflow
from functools import cache

from .functions import ALL, COMPARISONS, CONSTANTS, PARAMETERS
from .reading import parse
from .tree import Binary, Call, ExpressionError, Name, Node, Number, Unary, fold
from .writing import to_text

_ZERO, _ONE = Number("0"), Number("1")
_TRAPS = [Inexact, DivisionByZero, InvalidOperation, Overflow, Underflow]
_DECIMAL = Context(prec=17, Emin=-300, Emax=300, traps=_TRAPS)
_EXACT = {
    **{"+": _DECIMAL.add, "-": _DECIMAL.subtract, "*": _DECIMAL.multiply},
    **{"/": _DECIMAL.divide, "^": _DECIMAL.power},
}


def _value(node: Node) -> Decimal | None:
    match node:
        case Number(text):
            return Decimal(text)
        case Unary("-", Number(text)):
            return Decimal(text).copy_negate()
    return None


def _negative(node: Node) -> Node:
    if isinstance(node, Unary):
        return node.arg
    return node if _value(node) == 0 else Unary("-", node)


def _binary(op: str, a: Node, b: Node) -> Node:
    x, y = _value(a), _value(b)
    if x is not None and y is not None:
        if op in COMPARISONS:
            return _ONE if COMPARISONS[op](x, y) else _ZERO
        try:
            value = _EXACT[op](x, y)
            if value.is_finite():  # decimals take 0^-1 for infinity
                magnitude = Number(str(value.copy_abs()))
                return Unary("-", magnitude) if value < 0 else magnitude
        except ArithmeticError:
            pass  # not a short decimal
    match op, x, y:
        case ("*", 0, _) | ("*", _, 0) | ("/", 0, _):
            return _ZERO
        case ("+", 0, _) | ("*", 1, _):
            return b
        case ("+" | "-", _, 0) | ("*" | "/" | "^", _, 1):
            return a
        case ("-", 0, _) | ("*", -1, _):
            return _negative(b)
        case ("^", _, 0):
            return _ONE
        case ("+", _, _) if isinstance(b, Unary):
            return Binary("-", a, b.arg)
    return Binary(op, a, b)


def _choose(condition: Node, a: Node, b: Node) -> Node:
    known = _value(condition)
    if known is not None or _value(a) == _value(b) == 0:
        return b if known == 0 else a
    return Call("if", (condition, a, b))


def substitute(node: Node, replacements: Mapping[str, Node]) -> Node:
    """Put expressions in the place of names, with light simplification.

    >>> to_text(substitute(parse("k*x^2"), {"x": parse("a + b"), "k": Number("1")}))
    '(a + b)^2'
    """

    def visit(part: Node, below: list[Node]) -> Node:
        match part:
            case Name(name):
                return replacements.get(name, part)
            case Unary():
                return _negative(below[0])
            case Binary(op):
                return _binary(op, below[0], below[1])
            case Call("if"):
                return _choose(below[0], below[1], below[2])
            case Call(function):
                return Call(function, tuple(below))
        return part

    return fold(node, visit)


@cache
def _partials(key: str) -> tuple[Node, ...]:
    function = ALL[key]
    if function.slopes:
        return tuple(parse(slope) for slope in function.slopes)
    return tuple(differentiate(parse(function.definition), name) for name in PARAMETERS[: function.arity])


def differentiate(node: Node, name: str) -> Node:
    """The derivative by a name; at a kink, that of one side.

    >>> to_text(differentiate(parse("x^3 + sin(2*x) + k"), "x"))
    '3*x^2 + cos(2*x)*2'
    """
    if name in CONSTANTS:
        raise ExpressionError(f"{name!r} is a constant, no derivative by it", to_text(node))

    def visit(part: Node, below: list[Node]) -> Node:
        match part:
            case Number():
                return _ZERO
            case Name(other):
                return _ONE if other == name else _ZERO
            case Unary(_, arg):
                key, args = "neg", (arg,)
            case Binary(key, left, right):
                args = (left, right)
            case Call("if", args):
                return _choose(args[0], below[1], below[2])
            case Call("min" | "max" as key, args):
                # Not by partial derivatives: the branch left out may have none.
                return _choose(_binary("<=" if key == "min" else ">=", *args), below[0], below[1])
            case Call(key, args):
                pass
        total: Node = _ZERO
        for partial, inner in zip(_partials(key), below):
            if inner != _ZERO:
                outer = substitute(partial, dict(zip(PARAMETERS, args)))
                total = _binary("+", total, _binary("*", outer, inner))
        return total

    return fold(node, visit)
