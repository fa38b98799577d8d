"""The parameters of a bond graph: a symbol and a number for each, formulas after those they need."""

from __future__ import annotations

import math
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter

from ...model.expression import RESERVED, ExpressionError, evaluate, names, parse
from ...model.resolve.naming import did_you_mean
from ...model.resolve.problems import Problems
from ...model.units import UnitError
from ..equations.symbols import Expr, symbol
from .quantities import Dimension, quantity

VARIABLES = ("t", "e", "f", "p", "q")


def read_parameters(
    given: Mapping[str, float | str], problems: Problems
) -> tuple[dict[str, Expr], dict[str, float], dict[str, Dimension]]:
    """Symbols, values and (where units were written) dimensions, by name."""
    values: dict[str, float] = {}
    formulas = {}
    dimensions: dict[str, Dimension] = {}
    for name, text in given.items():
        where = f"parameters.{name}"
        if name in VARIABLES or name in RESERVED:
            why = "laws have the variables t, e, f, p, q; formulas their constants and functions"
            problems.add(f"a parameter cannot be called {name!r}", where, why, f"rename it, say {name}0")
        try:
            known = quantity(text) if isinstance(text, str) else (float(text), None)
            if known is None:
                formulas[name] = parse(str(text))
                continue
        except (UnitError, ExpressionError) as error:
            problems.add(f"{text!r} cannot be understood", where, str(error), "write a number, '12 V', or a formula")
            known = (math.nan, None)
        values[name], dimension = known
        if dimension is not None:
            dimensions[name] = dimension
    _formulas(formulas, given, values, problems)
    for name, value in values.items():
        if not math.isfinite(value) and not problems.found:
            problems.add("the number is not finite", f"parameters.{name}", str(value), "give an ordinary number")
    return {name: symbol(name) for name in given}, {n: values.get(n, math.nan) for n in given}, dimensions


def _formulas(formulas: dict, given: Mapping, values: dict[str, float], problems: Problems) -> None:
    needs = {name: names(node) & formulas.keys() for name, node in formulas.items()}
    try:
        order = [name for name in TopologicalSorter(needs).static_order()]
    except CycleError as error:
        circle = " -> ".join(error.args[1][::-1])
        problems.add(
            "parameters need each other in a circle", f"parameters.{error.args[1][0]}", circle, "give one a value"
        )
        return
    for name in order:
        where = f"parameters.{name}"
        unknown = sorted(names(formulas[name]) - given.keys())
        if unknown:
            cure = did_you_mean(unknown[0], given, "parameters")
            problems.add(f"unknown name {unknown[0]!r} in {given[name]!r}", where, "", cure)
            continue
        try:
            values[name] = float(evaluate(formulas[name], values))
        except ExpressionError as error:
            problems.add(f"{given[name]!r} cannot be computed", where, str(error), "correct the formula")
