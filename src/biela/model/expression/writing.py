"""From tree to text, and the names in it."""

from __future__ import annotations

from collections.abc import Iterable

from .functions import CONSTANTS
from .tree import (
    ATOM,
    BINDING,
    COMPARE,
    NEGATE,
    POWER,
    SUM,
    Binary,
    Call,
    ExpressionError,
    Name,
    Node,
    Number,
    Unary,
    fold,
    hint,
)


def to_text(node: Node) -> str:
    """The expression as text that parses to the same tree.

    >>> to_text(Binary("*", Name("x"), Binary("+", Name("y"), Number("1"))))
    'x*(y + 1)'
    """

    def write(node: Node, below: list[tuple[str, int]]) -> tuple[str, int]:
        def inside(index: int, level: int) -> str:
            text, own = below[index]
            # A negation on the right is legal without parentheses, but "x - -y" is hard to read.
            return text if own >= level and (own != NEGATE or index == 0) else f"({text})"

        match node:
            case Number(text) | Name(text):
                return text, ATOM
            case Unary(op):
                return op + inside(0, POWER), NEGATE
            case Binary(op):
                level = BINDING[op]
                blank = "" if level > SUM else " "
                # Powers group to the right, sums and products to the left, comparisons not at all.
                first = level + (level in (COMPARE, POWER))
                second = level + (level != POWER)
                return inside(0, first) + blank + op + blank + inside(1, second), level
            case Call(function):
                return f"{function}({', '.join(text for text, _ in below)})", ATOM

    return fold(node, write)[0]


def names(node: Node) -> frozenset[str]:
    """The names an expression depends on, constants aside.

    >>> from biela.model.expression import parse
    >>> sorted(names(parse("a*sin(2*pi*t)")))
    ['a', 't']
    """
    found = set[str]()
    fold(node, lambda node, _: found.add(node.name) if isinstance(node, Name) else None)
    return frozenset(found - CONSTANTS.keys())


def check_names(node: Node, known: Iterable[str]) -> None:
    """Raise an ExpressionError unless every name is known.

    >>> from biela.model.expression import parse
    >>> check_names(parse("2*radius"), ["radius"])
    """
    known = list(known)
    for name in sorted(names(node) - set(known)):
        raise ExpressionError(f"unknown name {name!r}{hint(name, [*known, *CONSTANTS])}", to_text(node))
