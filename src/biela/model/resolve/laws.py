"""Laws: a number, a formula of t (and x, v), a table or a Python function."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from .. import expression as ex
from .. import items as it
from ..interpolation import OF_FORCES, Interpolation, curve, overshoot
from ..resolved import ResolvedLaw
from ..units import EXAMPLES, Dimension, UnitError, parse_quantity
from .context import Context
from .scalars import article


def law(
    ctx: Context, value: Any, where: str, expected: str, variables: tuple[str, ...], joined: Interpolation = OF_FORCES
) -> ResolvedLaw:
    """A law whose values are of the kind `expected` and which may depend on `variables`.

    `joined`: what joins the points of a table that does not say.
    """
    if isinstance(value, it.Table):
        return _table(ctx, value, where, joined)
    if callable(value):
        return ResolvedLaw(function=value)
    if isinstance(value, str) and not ctx.scalars.told_apart(value, where, variables):
        return ResolvedLaw()
    if not isinstance(value, str) or _is_quantity(value):
        return ResolvedLaw(constant=ctx.scalars.read(value, where, expected))
    try:
        node = ex.parse(value)
    except ex.ExpressionError as error:
        cure = (
            f"write a formula of {', '.join(variables)} such as '2*sin(3*t)', "
            f"or {article(expected)} such as {EXAMPLES[expected]}"
        )
        ctx.problems.add(f"the law {value!r} cannot be understood", where, str(error), cure)
        return ResolvedLaw()
    if not ctx.scalars.known(node, value, where, variables):
        return ResolvedLaw()
    if not ex.names(node) & set(variables):
        return ResolvedLaw(constant=ctx.scalars.formula(value, where, expected))
    if ctx.scalars.symbolic:
        # The parameters stay names: whoever evaluates the formula has their symbols in ResolvedModel.parameters.
        return ResolvedLaw(expression=node)
    found = ctx.scalars.with_values(node)
    if found is not None and ex.names(found) <= {"t"}:
        _check_at_start(ctx, found, value, where)
    return ResolvedLaw(expression=found)


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
        cure = "correct the formula, or choose between two with if(t > 0, ..., ...)"
        ctx.problems.add(f"the law {text!r} has no value at t = 0", where, why, cure)


def _table(ctx: Context, table: it.Table, where: str, joined: Interpolation) -> ResolvedLaw:
    interpolation = table.interpolation or joined
    even = len(table.x) == len(table.y)
    if not even:
        why = f"x has {len(table.x)} values, y has {len(table.y)}"
        ctx.problems.add("the two columns of the table differ in length", where, why, "give as many y as x")
    bad = next((k for k, (a, b) in enumerate(zip(table.x, table.x[1:])) if not a < b), None)
    if bad is not None:
        why = f"x[{bad + 1}] = {table.x[bad]:g} is followed by {table.x[bad + 1]:g}"
        ctx.problems.add("the x of the table do not increase", where, why, "sort the rows by x and give each x once")
    finite = all(map(math.isfinite, table.x + table.y))
    if not finite:
        ctx.problems.add("the table has a number that is not finite", where, "", "give ordinary numbers only")
    if interpolation == "cubic" and even and finite and bad is None:
        _check_swing(ctx, table, where, joined)
    return ResolvedLaw(table=(tuple(table.x), tuple(table.y), interpolation))


def _check_swing(ctx: Context, table: it.Table, where: str, joined: Interpolation) -> None:
    """A spline through points that jump swings out beside them."""
    try:
        found = overshoot(table.x, table.y, curve(table.x, table.y, "cubic"))
    except ValueError:
        return  # the points are too close or too far apart: it is refused when the table is made
    if found is not None:
        cure = 'interpolation = "pchip" keeps to the points'
        if joined == "cubic":
            cure = f"more points there help; {cure}, but its acceleration jumps at each of them"
        ctx.doubts.append(f"the spline of the table {where} leaves its points: it reaches {found}; {cure}")


def with_scale(ctx: Context, laws: list[ResolvedLaw], scale: Any, where: str, strain: str = "") -> list[ResolvedLaw]:
    """Laws by Python functions, which say nothing of themselves, with what the user says: the shortest thing they do,
    as a time, or in the strain that they are functions of (a "length" or an "angle")."""
    if scale is None:
        return laws
    if not any(one.function is not None for one in laws):
        why = "where formulas and tables switch, bend or vary is known without it"
        ctx.problems.add("scale goes with a law that is a Python function", where, why, "leave it out")
        return laws
    quantity = parse_quantity(scale) if isinstance(scale, str) and _is_quantity(scale) else None
    of_x = strain and quantity is not None and quantity.dimension in (Dimension(m=1), Dimension(rad=1))
    size = float(ctx.scalars.value(ctx.scalars.read(scale, where, strain if of_x else "time")))
    if size <= 0:
        ctx.problems.add("the scale of a law is not positive", where, f"{size:g}", "give the shortest change in it")
        return laws
    part = {"scale_of_x": size} if of_x else {"scale_of_t": size}
    return [replace(one, **part) if one.function is not None else one for one in laws]
