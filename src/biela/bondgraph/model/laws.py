"""Laws as SymPy expressions: numbers, quantities, formulas; tables and Python functions enter as named functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import sympy

from ...model.expression import ExpressionError, evaluate, names, parse, sympy_tables, to_text
from ...model.interpolation import OF_FORCES, curve, overshoot
from ...model.items import Table
from ...model.resolve.naming import did_you_mean
from ...model.resolve.problems import Problems
from ...model.units import Dimension as Mechanical
from ...model.units import UnitError, mixed_up
from ..equations.symbols import Expr, symbol
from .quantities import Dimension, quantity, same

NUMBER, FUNCTIONS, CONSTANTS = sympy_tables()


class Reader:
    """Reads the laws of one graph; what is wrong goes on the list of problems."""

    def __init__(self, problems: Problems, parameters: Mapping[str, Expr], dimensions: Mapping[str, Dimension]):
        self.problems = problems
        self.parameters = parameters
        self.dimensions = dimensions
        self.python: dict[str, Callable[..., float]] = {}
        """functions that formulas cannot tell, by the name they have in the equations"""
        self.doubts: list[str] = []
        """what is possible but deserves a look"""

    def read(
        self, law: Any, where: str, wanted: Dimension | None, variables: Mapping[str, Expr], own: str = "",
        signals: Mapping[str, Expr] | None = None,
    ) -> Expr:  # fmt: skip
        """The law in symbols. `own` is the variable that a table or a Python function is of."""
        if isinstance(law, Table) or callable(law):
            return self._function(law, where, variables[own] if own else symbol("t"))
        if not isinstance(law, str):
            return self._finite(float(law), where)
        mechanical = {name: Mechanical(*d[:4]) for name, d in self.dimensions.items() if d is not None and not d[4]}
        mixed = mixed_up(law, variables, mechanical)
        if mixed is not None:
            self.problems.add(mixed.what, where, mixed.why, mixed.cure)
            return sympy.nan
        try:
            value = quantity(law)
        except UnitError as error:
            self.problems.add(f"{law!r} cannot be understood", where, str(error), "write a number with a unit: '12 V'")
            return sympy.nan
        if value is not None:
            number, dimension = value
            self.check(dimension, wanted, law, where)
            return self._finite(number, where, law.split()[0] if dimension is None else None)
        return self._formula(law, where, wanted, variables, signals or {})

    def check(self, given: Dimension | None, wanted: Dimension | None, text: str, where: str) -> None:
        """Complain about a unit that does not fit the domain."""
        if given is not None and wanted is not None and not same(given, wanted):
            why = f"kg, m, s, A are there to the powers {_powers(given)}, and {_powers(wanted)} is expected"
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


def _powers(dimension: Dimension) -> str:
    return "(" + ", ".join(str(dimension[k]) for k in (0, 1, 2, 4)) + ")"
