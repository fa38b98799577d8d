"""Parameters and laws as SymPy expressions: numbers, quantities, formulas; tables and Python functions enter as named
functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import sympy

from ...model.expression import RESERVED, ExpressionError, evaluate, names, parse, sympy_tables, to_text
from ...model.interpolation import OF_FORCES, curve, overshoot
from ...model.items import Table
from ...model.resolve.naming import did_you_mean
from ...model.resolve.problems import Problems
from ...model.resolve.scalars import Scalars
from ...model.units import ALL_DOMAINS, Dimension, UnitError, describe, mixed_up
from ..equations.symbols import Expr, symbol
from .domains import quantity, same

NUMBER, FUNCTIONS, CONSTANTS = sympy_tables()
VARIABLES = ("t", "e", "f", "p", "q")


class Reader:
    """Reads the parameters and the laws of one graph; what is wrong goes on the list of problems."""

    def __init__(self, parameters: Mapping[str, float | str], problems: Problems):
        self.problems = problems
        for name in parameters:
            if name in VARIABLES or name in RESERVED:
                why = "laws have the variables t, e, f, p, q; formulas their constants and functions"
                what, where = f"a parameter cannot be called {name!r}", f"parameters.{name}"
                problems.add(what, where, why, f"rename it, say {name}0")
        scalars = Scalars(parameters, problems, known_units=ALL_DOMAINS)
        self.parameters = {name: symbol(name) for name in parameters}
        self.values = {symbol(name): float(value) for name, value in scalars.parameters.items()}
        self.numbers = {name: sympy.Float(value) for name, value in self.values.items()}
        """to be put into expressions"""
        self.dimensions = {name: d for name, d in scalars.dimensions.items() if any(d)}
        """of parameters that were written with a unit"""
        self.python: dict[str, Callable[..., float]] = {}
        """functions that formulas cannot tell, by the name they have in the equations"""
        self.doubts: list[str] = []
        """what is possible, but may not be meant"""

    def read(
        self, law: Any, where: str, wanted: Dimension | None, variables: Mapping[str, Expr], own: str = "",
        signals: Mapping[str, Expr] | None = None,
    ) -> Expr:  # fmt: skip
        """The law in symbols. `own` is the variable that a table or a Python function is of."""
        if isinstance(law, Table) or callable(law):
            return self._function(law, where, variables[own] if own else symbol("t"))
        if not isinstance(law, str):
            return self._finite(float(law), where)
        mixed = mixed_up(law, variables, {name: d for name, d in self.dimensions.items() if not d.A})
        if mixed is not None:
            self.problems.add(mixed.what, where, mixed.why, mixed.cure)
            return sympy.nan
        try:
            value = quantity(law)
        except UnitError as error:
            self.problems.add(f"{law!r} cannot be understood", where, str(error), "write a number with a unit: '12 V'")
            return sympy.nan
        if value is not None:
            self.check(value.dimension, wanted, law, where)
            return self._finite(value.value, where, None if any(value.dimension) else law.split()[0])
        return self._formula(law, where, wanted, variables, signals or {})

    def check(self, unit: Dimension, wanted: Dimension | None, text: str, where: str) -> None:
        """Complain about a unit that does not fit the domain; a bare number fits."""
        if any(unit) and wanted is not None and not same(unit, wanted):
            why = f"it is {describe(unit)}, and {describe(wanted)} is expected"
            self.problems.add(f"the unit of {text!r} does not fit", where, why, "give another unit, or a plain number")

    def _finite(self, number: float, where: str, text: str | None = None) -> Expr:
        if not math.isfinite(number):
            self.problems.add("the number is not finite", where, str(number), "give an ordinary number")
            return sympy.nan
        return sympy.Rational(text or repr(number))

    def _formula(self, law: str, where: str, wanted: Any, variables: Mapping, signals: Mapping) -> Expr:
        known = {**self.parameters, **variables, **signals}
        try:
            node = parse(law, True)
            unknown = sorted(names(node) - known.keys())
            if unknown:
                what = f"unknown name {unknown[0]!r} in the law {law!r}"
                self.problems.add(what, where, "", did_you_mean(unknown[0], known, "names that it may use"))
                return sympy.nan
            expression = sympy.sympify(evaluate(node, {**CONSTANTS, **known}, FUNCTIONS, NUMBER))
        except (ExpressionError, ValueError, ArithmeticError) as error:
            self.problems.add(f"the law {law!r} cannot be read", where, str(error), "correct the formula")
            return sympy.nan
        if expression.has(sympy.zoo, sympy.nan, sympy.oo):
            self.problems.add(f"the law {law!r} divides by zero", where, "", "correct the formula")
            return sympy.nan
        if to_text(node) in self.dimensions:
            self.check(self.dimensions[to_text(node)], wanted, law, where)
        return expression

    def _function(self, law: Any, where: str, variable: Expr) -> Expr:
        name = "law_" + where.replace(".", "_")
        if isinstance(law, Table):
            if len(law.x) != len(law.y) or any(b <= a for a, b in zip(law.x, law.x[1:], strict=False)):
                what = "the table cannot be read"
                self.problems.add(what, where, "", "give as many y as x, with x increasing")
                return sympy.nan
            law = self._interpolated(law, where)
        self.python[name] = law
        return sympy.Function(name)(variable)

    def _interpolated(self, table: Table, where: str) -> Callable[[float], float]:
        """A table as a function; outside of it, its last value."""
        function = curve(table.x, table.y, table.interpolation or OF_FORCES)
        swing = overshoot(table.x, table.y, function)
        if swing is not None:
            cure = 'interpolation = "pchip" keeps to the points'
            self.doubts.append(f"the spline of the table {where} leaves its points: it reaches {swing}; {cure}")
        return lambda value: float(function(value))
