"""Numbers: from what the user wrote (a number, "30 deg", "2*r") to a float, or to an exact formula.

With symbols, every parameter given as a number becomes a SymPy symbol and every other decimal an exact
fraction. Decisions (is the mass positive? do two points coincide?) are always taken on floats.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any

from .. import expression as ex
from .. import units
from ..resolved import Number, Vec
from ..units import EXAMPLES, Dimension, UnitError, compatible, describe, mixed_up, parse_quantity
from .naming import LAW_VARIABLES, did_you_mean, listed
from .problems import Problems

NAN = math.nan
LARGEST = 1e100  # m L^2 of three such numbers is still a float
def article(noun: str) -> str:
    """The noun with its article.

    >>> article("angle"), article("length")
    ('an angle', 'a length')
    """
    return ("an " if noun[0] in "aeiou" else "a ") + noun


def number(value: float) -> ex.Node:
    """The expression that is just this number.

    >>> ex.to_text(number(-0.5))
    '-0.5'
    """
    node = ex.Number(repr(abs(value)))
    return ex.Unary("-", node) if value < 0 else node


class Scalars:
    """Reads scalars; what cannot be read is reported and becomes NaN, which passes every later test."""

    def __init__(
        self, parameters: Mapping[str, float | str], problems: Problems, symbolic: bool = False,
        known_units: Mapping[str, Any] = units._UNITS,
    ) -> None:  # fmt: skip
        self.problems = problems
        self.known_units = known_units
        self.symbolic = symbolic
        self.parameters: dict[str, Number] = {}
        self._numbers: dict[Any, float] = {}  # symbol -> value
        self.dimensions: dict[str, Dimension] = {}
        if symbolic:
            import sympy

            self._sympy = sympy
            self._number, self._functions, self._constants = ex.sympy_tables()
        _Parameters(self, parameters).read()

    # ------------------------------------------------------------------------------ reading
    def read(self, value: float | str, where: str, expected: str) -> Number:
        """A scalar in SI units; `expected` names the kind of quantity, as in `units.compatible`."""
        if not isinstance(value, str):
            return self.exact(value) if self.ordinary(value, str(value), where) else NAN
        try:
            quantity = parse_quantity(value)
        except UnitError as error:
            cure = f"write {article(expected)} such as {EXAMPLES[expected]}, or a plain number in SI units"
            return self._fail(f"{value!r} cannot be understood", where, str(error), cure)
        if quantity is None:
            return self.formula(value, where, expected)
        if not self.told_apart(value, where):
            return NAN
        self._check(quantity.dimension, value, where, expected)
        return self.quantity(value) if self.ordinary(quantity.value, value, where) else NAN

    def pair(self, values: tuple[float | str, ...], where: str, expected: str = "length") -> Vec:
        """Two scalars, such as the coordinates of a point; three in space."""
        return tuple(self.read(value, f"{where}, {axis}", expected) for value, axis in zip(values, "xyz"))

    def formula(self, text: str, where: str, expected: str) -> Number:
        """An expression of the parameters."""
        try:
            node = ex.parse(text)
        except ex.ExpressionError as error:
            return self._fail(f"{text!r} cannot be understood", where, str(error), self.language(expected))
        if not self.known(node, text, where):
            return NAN
        name = node.arg if isinstance(node, ex.Unary) else node
        if isinstance(name, ex.Name) and name.name in self.dimensions:
            self._check(self.dimensions[name.name], text, where, expected)
        return self.evaluate(node, text, where)

    def known(self, node: ex.Node, text: str, where: str, variables: tuple[str, ...] = ()) -> bool:
        """Whether every name in an expression is a parameter or one of the variables; else it is reported."""
        unknown = sorted(ex.names(node) - set(self.parameters) - set(variables))
        for name in unknown:
            why = f"in {text!r}"
            if name in LAW_VARIABLES:
                cure = f"it may depend on {listed(variables)}" if variables else "give a constant value"
                self.problems.add(f"{where.rsplit('.', 1)[-1]!r} cannot depend on {name!r}", where, why, cure)
            else:
                cure = did_you_mean(name, [*variables, *self.parameters], "parameters")
                self.problems.add(f"there is no parameter {name!r}", where, why, cure)
        return not unknown

    def evaluate(self, node: ex.Node, text: str, where: str) -> Number:
        """The value of an expression of parameters alone."""
        values = {name: self.parameters[name] for name in ex.names(node)}
        if any(value != value for value in values.values()):
            return NAN  # that parameter has been reported already
        try:
            if self.symbolic:
                result = ex.evaluate(node, {**self._constants, **values}, self._functions, self._number)
            else:
                result = ex.evaluate(node, values)
            number = self.value(result)
        except (ex.ExpressionError, ArithmeticError, ValueError, TypeError) as error:
            cure = "correct the expression or its parameters"
            return self._fail(f"{text!r} has no value", where, str(error), cure)
        return result if self.ordinary(number, text, where) else NAN

    def with_values(self, node: ex.Node) -> ex.Node | None:
        """An expression with numbers in the place of parameters; None if one of these has been reported."""
        values = {name: self.value(x) for name in ex.names(node) if (x := self.parameters.get(name)) is not None}
        if any(math.isnan(value) for value in values.values()):
            return None
        return ex.substitute(node, {name: number(value) for name, value in values.items()})

    # -------------------------------------------------------------------------- arithmetic
    def exact(self, value: float) -> Number:
        """A float; with symbols, the fraction that its shortest decimal writes."""
        return self._sympy.Rational(str(float(value))) if self.symbolic else float(value)

    def quantity(self, text: str) -> Number:
        """The SI value of "number unit"; with symbols, pi stays pi."""
        if not self.symbolic:
            quantity = parse_quantity(text)
            return quantity.value if quantity else NAN
        match = units._NUMBER.match(text)
        assert match is not None  # `read` has parsed it
        rest = text[match.end() :].strip()
        unit = units._UnitParser(rest).parse() if rest else units._ONE
        fraction = units._exact(match[1]) * unit.factor
        return self._sympy.Rational(fraction.numerator, fraction.denominator) * self._sympy.pi**unit.pi

    def value(self, number: Number) -> float:
        """The float behind a number, for decisions."""
        return float(number.subs(self._numbers)) if hasattr(number, "subs") else float(number)

    def vector(self, vector: Vec) -> tuple[float, ...]:
        """The floats behind a vector."""
        return tuple(map(self.value, vector))

    def per_angle(self, value: float | str) -> bool:
        """Whether a scalar is given per angle, as "5 mm/rev" is, or is a parameter that is."""
        if not isinstance(value, str):
            return False
        quantity = parse_quantity(value) if value not in self.dimensions else None
        dimension = quantity.dimension if quantity else self.dimensions.get(value, Dimension())
        return dimension.rad == -1

    def told_apart(self, text: str, where: str, variables: tuple[str, ...] = ()) -> bool:
        """Whether the units of a quantity cannot be taken for variables or parameters; else it is reported."""
        mixed = mixed_up(text, variables, self.dimensions)
        if mixed is not None:
            self.problems.add(mixed.what, where, mixed.why, mixed.cure)
        return mixed is None

    def symbol(self, name: str, value: float) -> Number:
        """The symbol of a parameter (positive if its value is, so that roots of squares simplify)."""
        kind = {"positive": True} if value > 0 else {"real": True}
        symbol = self._sympy.Symbol(name, **kind)
        self._numbers[symbol] = value
        return symbol

    def length(self, vector: Vec) -> Number:
        """The length of a vector; with symbols an exact root, or none where the vector lies on an axis."""
        if not self.symbolic:
            return math.hypot(*vector)
        if sum(x != 0 for x in vector) <= 1:
            along = sum(vector)
            return along if self.value(along) >= 0 else -along
        return self._sympy.sqrt(self._sympy.factor(self._sympy.trigsimp(sum(x**2 for x in vector))))

    def direction(self, angle: Number) -> Vec:
        """(cos, sin) of an angle, exactly 0 where it should be: the cosine of the float pi/2 is 6e-17."""
        if self.symbolic:
            return self._sympy.cos(angle), self._sympy.sin(angle)
        c, s = math.cos(angle), math.sin(angle)
        return (0.0 if abs(c) < 1e-15 else c), (0.0 if abs(s) < 1e-15 else s)

    def angle(self, c: Number, s: Number) -> Number:
        """The angle of the direction (c, s)."""
        return self._sympy.atan2(s, c) if self.symbolic else math.atan2(s, c)

    # ------------------------------------------------------------------------------ reports
    def language(self, expected: str) -> str:
        """What a scalar may look like."""
        return (
            f"write {article(expected)} such as {EXAMPLES[expected]}, or a formula of numbers, + - * / ^, "
            f"functions such as sqrt and sin, and the parameters: {listed(self.parameters)}"
        )

    def ordinary(self, number: float, text: str, where: str) -> bool:
        """Whether a number is one to compute with; else it is reported."""
        if not math.isfinite(number):
            self.problems.add("the number is not finite", where, text, "give an ordinary number")
        elif abs(number) > LARGEST:
            cure = "give a number of ordinary size; is the unit right?"
            why = f"{number:g}" if text == f"{number:g}" else f"{text} = {number:g}"
            self.problems.add("the number is too large to compute with", where, why, cure)
        return abs(number) <= LARGEST

    def remember(self, name: str, dimension: Dimension) -> None:
        """Keep the unit of a parameter, to compare it where the parameter is used."""
        self.dimensions[name] = dimension

    def _check(self, dimension: Dimension, text: str, where: str, expected: str) -> None:
        if not compatible(dimension, expected):
            why = f"{article(expected)} is expected here, and the unit given is {describe(dimension)}"
            cure = f"write {article(expected)}, such as {EXAMPLES[expected]}, or a plain number in SI units"
            self.problems.add(f"{text!r} is not {article(expected)}", where, why, cure)

    def _fail(self, what: str, where: str, why: str, cure: str) -> float:
        self.problems.add(what, where, why, cure)
        return NAN


class _Parameters:
    """Evaluates parameters in the order in which they need each other."""

    def __init__(self, scalars: Scalars, given: Mapping[str, float | str]) -> None:
        self.scalars = scalars
        self.given = given
        self.formulas: dict[str, ex.Node] = {}

    def read(self) -> None:
        scalars = self.scalars
        scalars.parameters = dict.fromkeys(self.given, NAN)
        for name, value in self.given.items():
            number = self._plain(name, value)
            symbol = scalars.symbolic and number == number
            scalars.parameters[name] = scalars.symbol(name, number) if symbol else number
        for name, value in self.given.items():
            if isinstance(value, str) and name not in self.formulas:
                scalars.told_apart(value, f"parameters.{name}")
        for name in self._order():
            text, where = str(self.given[name]), f"parameters.{name}"
            if scalars.known(self.formulas[name], text, where):
                scalars.parameters[name] = scalars.evaluate(self.formulas[name], text, where)

    def _plain(self, name: str, value: float | str) -> float:
        """The value of a parameter that is a number, with a unit or without; a formula is put aside."""
        where, problems = f"parameters.{name}", self.scalars.problems
        if not isinstance(value, str):
            return float(value) if self.scalars.ordinary(value, str(value), where) else NAN
        try:
            quantity = parse_quantity(value, self.scalars.known_units)
            if quantity is None:
                self.formulas[name] = ex.parse(value)
                return NAN
        except (UnitError, ex.ExpressionError) as error:
            cure = "write a number with a unit, such as '12 mm', or a formula of other parameters"
            problems.add(f"{value!r} cannot be understood", where, str(error), cure)
            return NAN
        self.scalars.remember(name, quantity.dimension)
        return quantity.value

    def _order(self) -> list[str]:
        """The formulas, each after those it needs; those in a circle are reported and left out (as NaN)."""
        needs = {name: ex.names(node) & self.formulas.keys() for name, node in self.formulas.items()}
        while True:
            try:
                return [name for name in TopologicalSorter(needs).static_order() if name in needs]
            except CycleError as error:
                circle = error.args[1][::-1]
            cure = "give one of them a value of its own"
            where = f"parameters.{circle[0]}"
            self.scalars.problems.add(
                "parameters need each other in a circle", where, " -> ".join(circle), cure
            )
            needs = {name: other for name, other in needs.items() if name not in circle}
