"""Formulas written as text: a small language that can compute, and nothing else.

A text is parsed into an immutable tree, which is evaluated with floats or with any other
scalars, differentiated, or written out again.
"""

from __future__ import annotations

import difflib
import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal, DivisionByZero, Inexact, InvalidOperation, Overflow, Underflow
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeVar

MAX_LENGTH = 10_000
MAX_NESTING = 100
MAX_DEPTH = 200  # a long sum is a deep tree: nothing below recurses into it, but ==, hash and copy do
CONSTANTS: Mapping[str, float] = {"pi": math.pi, "e": math.e, "deg": math.pi / 180, "rpm": math.pi / 30}
_LIBM = "sin cos tan asin acos atan sinh cosh tanh exp log sqrt".split()
ARITY: Mapping[str, int] = {
    **dict.fromkeys([*_LIBM, "abs", "sign", "_smooth"], 1),
    **dict.fromkeys(["atan2", "min", "max"], 2),
    **{"ramp": 3, "if": 3, "step": 5},
}
# Functions made of others, by their arguments a, b, c, d, f. _smooth goes from 0 to 1 and has zero slope and
# curvature at both.
DEFINITIONS: Mapping[str, str] = {
    "_smooth": "a^3*(10 - 15*a + 6*a^2)",
    "ramp": "if(b < c, min(max((a - b)/(c - b), 0), 1), 0/0)",
    "step": "c + (f - c)*_smooth(ramp(a, b, d))",
}
PARAMETERS = "abcdf"
RESERVED = frozenset(CONSTANTS) | frozenset(ARITY)


class ExpressionError(ValueError):
    """An expression that cannot be read or computed; ``position`` counts characters from 0."""

    def __init__(self, message: str, text: str = "", position: int | None = None) -> None:
        where = "" if position is None else f" at position {position}"
        super().__init__(f"{message}{where} in {_excerpt(text, position or 0)!r}" if text else message)
        self.text = text
        self.position = position


@dataclass(frozen=True)
class Number:
    text: str  # as written, so that exact arithmetic loses nothing


@dataclass(frozen=True)
class Name:
    name: str


@dataclass(frozen=True)
class Unary:
    op: str
    arg: Node


@dataclass(frozen=True)
class Binary:
    op: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Call:
    function: str
    args: tuple[Node, ...]


Node: TypeAlias = Number | Name | Unary | Binary | Call
T = TypeVar("T")
_ZERO, _ONE = Number("0"), Number("1")


def _operands(node: Node) -> tuple[Node, ...]:
    match node:
        case Unary(_, arg):
            return (arg,)
        case Binary(_, left, right):
            return (left, right)
        case Call(_, args):
            return args
    return ()


def fold(root: Node, visit: Callable[[Node, list[T]], T]) -> T:
    """Compute ``visit(node, results of its operands)`` from the leaves up, once per node object.

    Derivatives share subtrees: visiting each once keeps the work proportional to what was built.

    >>> fold(parse("a + b*c"), lambda node, below: 1 + sum(below))
    5
    """
    done: dict[int, T] = {}
    stack = [(root, False)]
    while stack:
        node, ready = stack.pop()
        if id(node) in done:
            continue
        below = _operands(node)
        if ready or not below:
            done[id(node)] = visit(node, [done[id(child)] for child in below])
        else:
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(below))
    return done[id(root)]


# Reading ------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<op>\*\*|<=|>=|[-+*/^(),<>])|(?P<end>\Z)|(?P<bad>.))",
    re.DOTALL,
)
_COMPARE, _SUM, _PRODUCT, _NEGATE, _POWER, _ATOM = range(1, 7)
_BINDING = {
    **dict.fromkeys(["<", "<=", ">", ">="], _COMPARE),
    **dict.fromkeys(["+", "-"], _SUM),
    **dict.fromkeys(["*", "/"], _PRODUCT),
    "^": _POWER,
}


class _Token(NamedTuple):
    kind: str
    text: str
    position: int


@lru_cache(maxsize=1024)
def parse(text: str) -> Node:
    """The tree of an expression.

    >>> to_text(parse("-x**2 + 3 * (1 - x)"))
    '-x^2 + 3*(1 - x)'
    >>> parse("2*(x")
    Traceback (most recent call last):
    biela.model.expression.ExpressionError: expected ')' at position 4 in '2*(x'
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"more than {MAX_LENGTH} characters", text)
    parser = _Parser(text)
    node = parser.expression(0)
    if parser.token.kind != "end":
        raise parser.unexpected()
    if fold(node, lambda _, below: 1 + max(below, default=0)) > MAX_DEPTH:
        raise ExpressionError(f"more than {MAX_DEPTH} operations build on one another", text)
    return node


class _Parser:
    """Operator precedence (Pratt): an operand, then the operators that bind tighter than asked."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.nesting = 0
        self.token = self.scan(0)

    def error(self, message: str, token: _Token) -> ExpressionError:
        return ExpressionError(message, self.text, token.position)

    def unexpected(self) -> ExpressionError:
        if self.token.kind == "end":
            return self.error("it ends too early" if self.text.strip() else "empty expression", self.token)
        hint = " (is an operator missing before it?)" if self.token.kind in ("name", "number") else ""
        return self.error(f"unexpected {self.token.text!r}{hint}", self.token)

    def scan(self, start: int) -> _Token:
        match = _TOKEN.match(self.text, start)
        assert match is not None and match.lastgroup is not None  # the last alternative takes anything
        token = _Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup))
        if token.kind == "bad":
            raise self.error(f"unexpected character {token.text!r}", token)
        if token.kind == "number" and not _in_range(token.text):
            raise self.error(f"number {_excerpt(token.text, 0)} out of range", token)
        return token

    def take(self) -> _Token:
        token = self.token
        self.token = self.scan(token.position + len(token.text))
        return token

    def expect(self, op: str) -> None:
        if self.token.text != op:
            raise self.error(f"expected {op!r}", self.token)
        self.take()

    def expression(self, binding: int) -> Node:
        left, compared = self.operand(), False
        while (level := _BINDING.get(op := self.token.text.replace("**", "^"), 0)) > binding:
            if level == _COMPARE and compared:
                raise self.error("comparisons cannot be chained", self.token)
            token, compared = self.take(), level == _COMPARE
            # A power groups to the right, so its right side may hold another power.
            right = self.nested(token, _POWER - 1) if op == "^" else self.expression(level)
            left = Binary(op, left, right)
        return left

    def nested(self, token: _Token, binding: int) -> Node:
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            raise self.error(f"more than {MAX_NESTING} levels of nesting", token)
        node = self.expression(binding)
        self.nesting -= 1
        return node

    def operand(self) -> Node:
        token = self.token
        if token.kind not in ("number", "name") and token.text not in ("(", "-", "+"):
            raise self.unexpected()
        self.take()
        if token.kind == "number":
            return Number(token.text)
        if token.text == "(":
            node = self.nested(token, 0)
            self.expect(")")
            return node
        if token.kind == "op":
            node = self.nested(token, _NEGATE)
            return Unary("-", node) if token.text == "-" else node
        if self.token.text == "(":
            return self.call(token)
        if token.text in ARITY:
            raise self.error(f"{token.text!r} is a function: its arguments are missing", token)
        return Name(token.text)

    def call(self, name: _Token) -> Node:
        function, args = name.text, []
        while self.token.text == ("," if args else "("):
            self.take()
            args.append(self.nested(name, 0))
        self.expect(")")
        if function not in ARITY:
            raise self.error(f"unknown function {function!r}{_hint(function, ARITY)}", name)
        while function in ("min", "max") and len(args) > 2:
            args[:2] = [Call(function, (args[0], args[1]))]
        if len(args) != ARITY[function]:
            raise self.error(f"{function} takes {ARITY[function]} arguments, not {len(args)}", name)
        return Call(function, tuple(args))


def _in_range(text: str) -> bool:
    """Refuse what floats cannot hold, and what would take forever as an exact fraction."""
    mantissa, _, exponent = text.lower().partition("e")
    if len(text) > 100 or abs(int(exponent or 0)) > 400:
        return False
    return 0 < float(text) < math.inf or not mantissa.strip("0.")


def _excerpt(text: str, position: int) -> str:
    start, end = max(0, position - 40), position + 40
    return ("..." if start else "") + text[start:end] + ("..." if end < len(text) else "")


def _hint(name: str, known: Iterable[str]) -> str:
    visible = [word for word in known if not word.startswith("_")]
    close = difflib.get_close_matches(name, visible, n=1)
    return f", did you mean {close[0]!r}?" if close else f"; known: {', '.join(visible)}"


# Writing ------------------------------------------------------------------------------------


def to_text(node: Node) -> str:
    """The expression as text that parses to the same tree.

    >>> to_text(Binary("*", Name("x"), Binary("+", Name("y"), Number("1"))))
    'x*(y + 1)'
    """

    def write(node: Node, below: list[tuple[str, int]]) -> tuple[str, int]:
        def inside(index: int, level: int) -> str:
            text, own = below[index]
            # A negation on the right is legal without parentheses, but "x - -y" is hard to read.
            return text if own >= level and (own != _NEGATE or index == 0) else f"({text})"

        match node:
            case Number(text) | Name(text):
                return text, _ATOM
            case Unary(op):
                return op + inside(0, _POWER), _NEGATE
            case Binary(op):
                level = _BINDING[op]
                blank = "" if level > _SUM else " "
                # Powers group to the right, sums and products to the left, comparisons not at all.
                first = level + (level in (_COMPARE, _POWER))
                second = level + (level != _POWER)
                return inside(0, first) + blank + op + blank + inside(1, second), level
            case Call(function):
                return f"{function}({', '.join(text for text, _ in below)})", _ATOM

    return fold(node, write)[0]


def names(node: Node) -> frozenset[str]:
    """The names an expression depends on, constants aside.

    >>> sorted(names(parse("a*sin(2*pi*t)")))
    ['a', 't']
    """
    found = set[str]()
    fold(node, lambda node, _: found.add(node.name) if isinstance(node, Name) else None)
    return frozenset(found - CONSTANTS.keys())


def check_names(node: Node, known: Iterable[str]) -> None:
    """Raise an ExpressionError unless every name is known.

    >>> check_names(parse("2*radius"), ["radius"])
    """
    known = list(known)
    for name in sorted(names(node) - set(known)):
        raise ExpressionError(f"unknown name {name!r}{_hint(name, [*known, *CONSTANTS])}", to_text(node))


# Computing ----------------------------------------------------------------------------------


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


_COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
_GENERIC: Mapping[str, Callable[..., Any]] = {
    **_ARITHMETIC,
    **{op: _compare(holds) for op, holds in _COMPARISONS.items()},
    **{"neg": operator.neg, "^": operator.pow, "abs": abs, "if": _select},
    **{"min": _keep_nan(min), "max": _keep_nan(max)},
    "sign": lambda a: a if a != a else float((a > 0) - (a < 0)),
}


def _ramp(x: float, x0: float, x1: float) -> float:
    if not x0 < x1:
        raise ValueError("x0 < x1 is needed")
    return min(max((x - x0) / (x1 - x0), 0.0), 1.0)


def _smooth(s: Any) -> Any:
    return s * s * s * (10 - 15 * s + 6 * s * s)


def _step(x: float, x0: float, y0: float, x1: float, y1: float) -> float:
    s = _smooth(_ramp(x, x0, x1))
    return y0 * (1 - s) + y1 * s  # exact at both ends


_FLOAT: Mapping[str, Callable[..., Any]] = {
    **_GENERIC,
    **{name: getattr(math, name) for name in [*_LIBM, "atan2"]},
    **{"^": _keep_nan(math.pow), "ramp": _ramp, "step": _step, "_smooth": _smooth},
}


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
    table = _FLOAT if functions is None else {**_GENERIC, **functions}

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
                return table[key](*below)
            if key in DEFINITIONS:
                return evaluate(parse(DEFINITIONS[key]), dict(zip(PARAMETERS, below)), table, number)
        except (ValueError, ArithmeticError) as error:
            return _Failure(str(error) or type(error).__name__, part)
        raise ExpressionError(f"no function {key!r} to compute", to_text(node))

    result = fold(node, visit)
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

    functions = {name: getattr(sympy, name) for name in [*_LIBM, "sign"]}
    functions["atan2"] = lambda a, b: 0 if a == b == 0 else sympy.atan2(a, b)  # SymPy: undefined
    functions |= {"abs": sympy.Abs, "min": sympy.Min, "max": sympy.Max, "if": select}
    functions["ramp"] = lambda x, x0, x1: piecewise(x, x0, 0, x1, 1, lambda s: s)
    functions["step"] = lambda *args: piecewise(*args, inside=_smooth)
    functions |= {op: compare(holds) for op, holds in _COMPARISONS.items()}
    constants = {"pi": sympy.pi, "e": sympy.E, "deg": sympy.pi / 180, "rpm": sympy.pi / 30}
    return sympy.Rational, functions, constants


# Differentiating ----------------------------------------------------------------------------

# Partial derivatives by the operands a, b and c.
_RULES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(_COMPARISONS, ("0", "0")),
    "neg": ("-1",),
    "+": ("1", "1"),
    "-": ("1", "-1"),
    "*": ("b", "a"),
    "/": ("1/b", "-a/b^2"),
    "^": ("b*a^(b - 1)", "a^b*log(a)"),
    "sin": ("cos(a)",),
    "cos": ("-sin(a)",),
    "tan": ("1 + tan(a)^2",),
    "asin": ("1/sqrt(1 - a^2)",),
    "acos": ("-1/sqrt(1 - a^2)",),
    "atan": ("1/(1 + a^2)",),
    "atan2": ("b/(a^2 + b^2)", "-a/(a^2 + b^2)"),
    "sinh": ("cosh(a)",),
    "cosh": ("sinh(a)",),
    "tanh": ("1 - tanh(a)^2",),
    "exp": ("exp(a)",),
    "log": ("1/a",),
    "sqrt": ("1/(2*sqrt(a))",),
    "abs": ("if(a < 0, -1, 1)",),  # not sign(a): its 0 at 0 spoils the second derivative of abs(x)^2
    "sign": ("0",),
    "ramp": (
        "(a >= b)*(a <= c)/(c - b)",
        "(a >= b)*(a <= c)*(a - c)/(c - b)^2",
        "(a >= b)*(a <= c)*(b - a)/(c - b)^2",
    ),
    "_smooth": ("30*a^2*(1 - a)^2",),
}
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
        if op in _COMPARISONS:
            return _ONE if _COMPARISONS[op](x, y) else _ZERO
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
    if key in _RULES:
        return tuple(parse(rule) for rule in _RULES[key])
    definition = parse(DEFINITIONS[key])
    return tuple(differentiate(definition, parameter) for parameter in PARAMETERS[: ARITY[key]])


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
