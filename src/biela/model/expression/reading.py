"""From text to tree: a tokeniser and an operator-precedence parser, with limits against hostile text."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple

from .functions import ARITY
from .tree import (
    BINDING,
    COMPARE,
    NEGATE,
    POWER,
    Binary,
    Call,
    ExpressionError,
    Name,
    Node,
    Number,
    Unary,
    excerpt,
    fold,
    hint,
)

MAX_LENGTH = 10_000
MAX_NESTING = 100
MAX_DEPTH = 200  # a long sum is a deep tree: nothing below recurses into it, but ==, hash and copy do
_WORD = "[A-Za-z_][A-Za-z0-9_]*"
_DOTTED = rf"{_WORD}(?:\.{_WORD})*(?:@{_WORD})?"  # "P.x", "crank.angle", "P.angle@crank"


def _tokens(name: str) -> re.Pattern[str]:
    return re.compile(
        r"\s*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
        rf"|(?P<name>{name})|(?P<op>\*\*|<=|>=|[-+*/^(),<>])|(?P<end>\Z)|(?P<bad>.))",
        re.DOTALL,
    )


_PLAIN_TOKEN, _DOTTED_TOKEN = _tokens(_WORD), _tokens(_DOTTED)


class _Token(NamedTuple):
    kind: str
    text: str
    position: int


@lru_cache(maxsize=1024)
def parse(text: str, dotted: bool = False) -> Node:
    """The tree of an expression. `dotted`: a name may have parts, as "P.x" and "P.angle@crank" have.

    >>> from biela.model.expression import to_text
    >>> to_text(parse("-x**2 + 3 * (1 - x)"))
    '-x^2 + 3*(1 - x)'
    >>> parse("2*(x")
    Traceback (most recent call last):
    biela.model.expression.tree.ExpressionError: expected ')' at position 4 in '2*(x'
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"more than {MAX_LENGTH} characters", text)
    parser = _Parser(text, _DOTTED_TOKEN if dotted else _PLAIN_TOKEN)
    node = parser.expression(0)
    if parser.token.kind != "end":
        raise parser.unexpected()
    if fold(node, lambda _, below: 1 + max(below, default=0)) > MAX_DEPTH:
        raise ExpressionError(f"more than {MAX_DEPTH} operations build on one another", text)
    return node


class _Parser:
    """Operator precedence (Pratt): an operand, then the operators that bind tighter than asked."""

    def __init__(self, text: str, tokens: re.Pattern[str]) -> None:
        self.text = text
        self.tokens = tokens
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
        match = self.tokens.match(self.text, start)
        assert match is not None and match.lastgroup is not None  # the last alternative takes anything
        token = _Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup))
        if token.kind == "bad":
            raise self.error(f"unexpected character {token.text!r}", token)
        if token.kind == "number" and not _in_range(token.text):
            raise self.error(f"number {excerpt(token.text, 0)} out of range", token)
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
        while (level := BINDING.get(op := self.token.text.replace("**", "^"), 0)) > binding:
            if level == COMPARE and compared:
                raise self.error("comparisons cannot be chained", self.token)
            token, compared = self.take(), level == COMPARE
            # A power groups to the right, so its right side may hold another power.
            right = self.nested(token, POWER - 1) if op == "^" else self.expression(level)
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
            node = self.nested(token, NEGATE)
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
            raise self.error(f"unknown function {function!r}{hint(function, ARITY)}", name)
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
