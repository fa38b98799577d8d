"""Numbers with units in bond graphs: those of mechanics, and volts, amperes, pascals besides.

Each unit is a number times kg^a m^b s^c rad^d A^e, so that a voltage given for a mass is noticed where the domain is
known.
"""

from __future__ import annotations

import re

from ...model.expression import ExpressionError, evaluate, parse
from ...model.units import UnitError, parse_quantity

Dimension = tuple[int, int, int, int, int]
"""exponents of kg, m, s, rad, A"""

_EXTRA: dict[str, tuple[float, Dimension]] = {
    "A": (1.0, (0, 0, 0, 0, 1)),
    "C": (1.0, (0, 0, 1, 0, 1)),
    "V": (1.0, (1, 2, -3, 0, -1)),
    "ohm": (1.0, (1, 2, -3, 0, -2)),
    "F": (1.0, (-1, -2, 4, 0, 2)),
    "H": (1.0, (1, 2, -2, 0, -2)),
    "Wb": (1.0, (1, 2, -2, 0, -1)),
    "Pa": (1.0, (1, -1, -2, 0, 0)),
    "bar": (1e5, (1, -1, -2, 0, 0)),
    "L": (1e-3, (0, 3, 0, 0, 0)),
}
_PREFIX = {"k": 1e3, "M": 1e6, "m": 1e-3, "u": 1e-6, "n": 1e-9, "p": 1e-12}
_QUANTITY = re.compile(r"\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s+([A-Za-z].*|1\s*/.*)")

EFFORT, FLOW = 0, 1
UNITS: dict[str | None, tuple[str, str, str, str]] = {
    "translation": ("N", "m/s", "N*s", "m"),
    "rotation": ("N*m", "rad/s", "N*m*s", "rad"),
    "electric": ("V", "A", "Wb", "C"),
    "hydraulic": ("Pa", "m^3/s", "Pa*s", "m^3"),
    None: ("", "", "", ""),
}
"""domain -> units of effort, flow, momentum and displacement"""


class _Unit:
    """A unit while the expression of a compound one is evaluated."""

    def __init__(self, factor: float, dimension: Dimension):
        self.factor, self.dimension = factor, dimension

    def _combined(self, other: object, sign: int) -> _Unit:
        if not isinstance(other, _Unit):
            if other != 1:
                raise ArithmeticError("a number stands among the units")
            other = _Unit(1.0, (0, 0, 0, 0, 0))
        both = zip(self.dimension, other.dimension, strict=True)
        return _Unit(self.factor * other.factor**sign, tuple(a + sign * b for a, b in both))  # type: ignore

    def __mul__(self, other: object) -> _Unit:
        return self._combined(other, 1)

    def __truediv__(self, other: object) -> _Unit:
        return self._combined(other, -1)

    def __rtruediv__(self, other: object) -> _Unit:
        return _Unit(1.0, (0, 0, 0, 0, 0))._combined(self, -1)

    def __pow__(self, power: float) -> _Unit:
        k = int(power)
        if k != power or abs(k) > 9:
            raise ArithmeticError("a power of a unit must be a whole number from -9 to 9")
        return _Unit(self.factor**k, tuple(k * a for a in self.dimension))  # type: ignore[arg-type]


def quantity(text: str) -> tuple[float, Dimension | None] | None:
    """(value in SI units, dimension) of "12 V" or "0.05 N*m/A"; a bare number has no dimension, other text gives None.

    >>> quantity("47 uF")[0], quantity("0.05 N*m/A")[1], quantity("2*k") is None
    (4.7e-05, (1, 2, -2, 0, -1), True)
    """
    try:
        known = parse_quantity(text)
        if known is None:
            return None
        kg, m, s, rad = known.dimension
        return known.value, (kg, m, s, rad, 0) if any(known.dimension) else None
    except UnitError as error:
        match = _QUANTITY.fullmatch(text)
        if match is None:
            raise error
        unit = _compound(match[2])
        if not any(unit.dimension):
            raise error  # as "5 mm/m", which would pass for any value in SI units
        return float(match[1]) * unit.factor, unit.dimension


def _compound(text: str) -> _Unit:
    words = set(re.findall(r"[A-Za-z_]+", text))
    # not by their own names: "min" is a function of formulas, "e" a constant
    values = {f"unit_{word}": _named(word) for word in words}
    try:
        one = evaluate(parse(re.sub(r"([A-Za-z_]+)", r"unit_\1", text)), values, {"^": pow}, number=float)
    except (ExpressionError, ArithmeticError, TypeError) as error:
        raise UnitError(f"unit {text!r}: {str(error).replace('unit_', '')}") from None
    return one


def _named(word: str) -> _Unit:
    if word in _EXTRA:
        return _Unit(*_EXTRA[word])
    try:
        found = parse_quantity(f"1 {word}")
        assert found is not None
        kg, m, s, rad = found.dimension
        return _Unit(found.value, (kg, m, s, rad, 0))
    except UnitError as error:
        head, rest = word[:1], word[1:]
        if head in _PREFIX and rest in _EXTRA:
            factor, dimension = _EXTRA[rest]
            return _Unit(_PREFIX[head] * factor, dimension)
        raise error


def dimension_of(unit: str) -> Dimension | None:
    """The dimension of a unit of a channel; None where there is no unit.

    >>> dimension_of("V*s") == dimension_of("Wb")
    True
    """
    return _compound(unit).dimension if unit else None


def same(a: Dimension, b: Dimension) -> bool:
    """Whether two dimensions agree; radians do not count (N*m and N*m/rad are both a torsional stiffness)."""
    return (*a[:3], a[4]) == (*b[:3], b[4])
