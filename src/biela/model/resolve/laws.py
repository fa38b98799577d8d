"""Laws: a number, a formula of t (and x, v), a table or a Python function."""

from __future__ import annotations

import math
from typing import Any

from .. import expression as ex
from .. import items as it
from ..meaning import LawMeaning
from ..units import UnitError, parse_quantity
from .context import Context
from .scalars import EXAMPLES, article


def law(ctx: Context, value: Any, where: str, expected: str, variables: tuple[str, ...]) -> LawMeaning:
    """A law whose values are of the kind `expected` and which may depend on `variables`."""
    if isinstance(value, it.Table):
        return _table(ctx, value, where)
    if callable(value):
        return LawMeaning(function=value)
    if not isinstance(value, str) or _is_quantity(value):
        return LawMeaning(constant=ctx.scalars.read(value, where, expected))
    try:
        node = ex.parse(value)
    except ex.ExpressionError as error:
        cure = (
            f"write a formula of {', '.join(variables)} such as '2*sin(3*t)', "
            f"or {article(expected)} such as {EXAMPLES[expected]}"
        )
        ctx.problems.add(f"the law {value!r} cannot be understood", where, str(error), cure)
        return LawMeaning()
    if not ctx.scalars.known(node, value, where, variables):
        return LawMeaning()
    if not ex.names(node) & set(variables):
        return LawMeaning(constant=ctx.scalars.formula(value, where, expected))
    if ctx.scalars.symbolic:
        # The parameters stay names: whoever evaluates the formula has their symbols in Meaning.parameters.
        return LawMeaning(expression=node)
    values = {name: ctx.scalars.parameters[name] for name in ex.names(node) - set(variables)}
    if any(math.isnan(value) for value in values.values()):
        return LawMeaning()  # that parameter has been reported already
    node = ex.substitute(node, {name: number(value) for name, value in values.items()})
    if ex.names(node) <= {"t"}:
        _check_at_start(ctx, node, value, where)
    return LawMeaning(expression=node)


def number(value: float) -> ex.Node:
    """The expression that is just this number.

    >>> ex.to_text(number(-0.5))
    '-0.5'
    """
    node = ex.Number(repr(abs(value)))
    return ex.Unary("-", node) if value < 0 else node


def _is_quantity(text: str) -> bool:
    try:
        return parse_quantity(text) is not None
    except UnitError:
        return True  # it will be reported as one


def _check_at_start(ctx: Context, node: ex.Node, text: str, where: str) -> None:
    """A law of time that has no value at t = 0 would stop every analysis at its first step."""
    try:
        value = ex.evaluate(node, {"t": 0.0})
        why = f"it gives {value}"
    except (ex.ExpressionError, ArithmeticError, ValueError, TypeError) as error:
        value, why = math.nan, str(error)
    if not math.isfinite(value):
        cure = "mend the formula, or choose between two with if(t > 0, ..., ...)"
        ctx.problems.add(f"the law {text!r} has no value at t = 0", where, why, cure)


def _table(ctx: Context, table: it.Table, where: str) -> LawMeaning:
    if len(table.x) != len(table.y):
        why = f"x has {len(table.x)} values, y has {len(table.y)}"
        ctx.problems.add("the two columns of the table differ in length", where, why, "give as many y as x")
    bad = next((k for k, (a, b) in enumerate(zip(table.x, table.x[1:])) if not a < b), None)
    if bad is not None:
        why = f"x[{bad + 1}] = {table.x[bad]:g} is followed by {table.x[bad + 1]:g}"
        ctx.problems.add(
            "the x of the table do not increase", where, why, "sort the rows by x and give each x once"
        )
    if not all(map(math.isfinite, table.x + table.y)):
        ctx.problems.add("the table has a number that is not finite", where, "", "give ordinary numbers only")
    return LawMeaning(table=(tuple(table.x), tuple(table.y), table.interpolation))
