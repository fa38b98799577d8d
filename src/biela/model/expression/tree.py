"""The tree of an expression: numbers, names, operators and calls."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

# How tightly operators bind.
COMPARE, SUM, PRODUCT, NEGATE, POWER, ATOM = range(1, 7)
BINDING = {
    **dict.fromkeys(["<", "<=", ">", ">="], COMPARE),
    **dict.fromkeys(["+", "-"], SUM),
    **dict.fromkeys(["*", "/"], PRODUCT),
    "^": POWER,
}


class ExpressionError(ValueError):
    """An expression that cannot be read or computed; ``position`` counts characters from 0."""

    def __init__(self, message: str, text: str = "", position: int | None = None) -> None:
        where = "" if position is None else f" at position {position}"
        super().__init__(f"{message}{where} in {excerpt(text, position or 0)!r}" if text else message)
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


def operands(node: Node) -> tuple[Node, ...]:
    """What an operation is of."""
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

    >>> from biela.model.expression import parse
    >>> fold(parse("a + b*c"), lambda node, below: 1 + sum(below))
    5
    """
    done: dict[int, T] = {}
    stack = [(root, False)]
    while stack:
        node, ready = stack.pop()
        if id(node) in done:
            continue
        below = operands(node)
        if ready or not below:
            done[id(node)] = visit(node, [done[id(child)] for child in below])
        else:
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(below))
    return done[id(root)]


def excerpt(text: str, position: int) -> str:
    start, end = max(0, position - 40), position + 40
    return ("..." if start else "") + text[start:end] + ("..." if end < len(text) else "")


def hint(name: str, known: Iterable[str]) -> str:
    visible = [word for word in known if not word.startswith("_")]
    close = difflib.get_close_matches(name, visible, n=1)
    return f", did you mean {close[0]!r}?" if close else f"; known: {', '.join(visible)}"
