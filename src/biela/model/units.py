"""Quantities written as text, such as ``"30 deg"`` or ``"200 N/m"``, turned into SI values."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from .expression import CONSTANTS


class UnitError(ValueError):
    """A quantity whose number or unit cannot be understood."""


class Dimension(NamedTuple):
    """Exponents of the base units.

    The angle has an exponent of its own, so that a length given for an angle is noticed; currents are for bond graphs.
    """

    kg: int = 0
    m: int = 0
    s: int = 0
    rad: int = 0
    A: int = 0


@dataclass(frozen=True)
class Quantity:
    """A value in SI units (radians for angles) and what it measures."""

    value: float
    dimension: Dimension


class _Unit(NamedTuple):
    """A unit is ``factor * pi**pi`` SI units: exact, so that "12 mm" is the float 0.012."""

    factor: Fraction
    pi: int
    dimension: Dimension


KINDS: Mapping[str, tuple[Dimension, str]] = {
    "length": (Dimension(m=1), "'12 mm'"),
    "angle": (Dimension(rad=1), "'30 deg'"),
    "mass": (Dimension(kg=1), "'2.5 kg'"),
    "inertia": (Dimension(kg=1, m=2), "'0.1 kg*m^2'"),
    "time": (Dimension(s=1), "'10 s'"),
    "velocity": (Dimension(m=1, s=-1), "'2 m/s'"),
    "angular velocity": (Dimension(s=-1, rad=1), "'1500 rpm'"),
    "acceleration": (Dimension(m=1, s=-2), "'9.81 m/s^2'"),
    "force": (Dimension(kg=1, m=1, s=-2), "'20 N'"),
    "moment": (Dimension(kg=1, m=2, s=-2), "'5 N*m'"),
    "energy": (Dimension(kg=1, m=2, s=-2), "'2 J'"),
    "stiffness": (Dimension(kg=1, s=-2), "'200 N/m'"),
    "torsional stiffness": (Dimension(kg=1, m=2, s=-2, rad=-1), "'5 N*m/rad'"),
    "damping": (Dimension(kg=1, s=-1), "'10 N*s/m'"),
    "torsional damping": (Dimension(kg=1, m=2, s=-1, rad=-1), "'0.1 N*m*s/rad'"),
    "density": (Dimension(kg=1, m=-3), "'7850 kg/m^3'"),
    "load per length": (Dimension(kg=1, s=-2), "'20 N/m'"),
    "load per area": (Dimension(kg=1, m=-1, s=-2), "'20 N/m^2'"),
    "load per volume": (Dimension(kg=1, m=-2, s=-2), "'20 N/m^3'"),
    "volume": (Dimension(m=3), "'0.01 m^3'"),
    "number": (Dimension(), "'0.5'"),
}
"""kinds of quantities: what each is measured in, and what one looks like"""
EXPECTED = {kind: dimension for kind, (dimension, _) in KINDS.items()}
EXAMPLES = {kind: example for kind, (_, example) in KINDS.items()}

_ANGLE_NEEDED = frozenset({"angle", "angular velocity"})
# Dimension, power of pi, and the rest of the factor of each unit.
_TABLE: tuple[tuple[Dimension, int, str], ...] = (
    (EXPECTED["length"], 0, "m=1 mm=1e-3 cm=1e-2 km=1e3 um=1e-6 in=0.0254 ft=0.3048"),
    (EXPECTED["mass"], 0, "kg=1 g=1e-3 t=1e3 lb=0.45359237"),
    (EXPECTED["time"], 0, "s=1 ms=1e-3 us=1e-6 min=60 h=3600"),
    (EXPECTED["angle"], 0, "rad=1 mrad=1e-3"),
    (EXPECTED["angle"], 1, "deg=1/180 rev=2 turn=2"),
    (EXPECTED["angular velocity"], 1, "rpm=1/30"),
    (EXPECTED["force"], 0, "N=1 kN=1e3 mN=1e-3 lbf=4.4482216152605"),
    (EXPECTED["moment"], 0, "J=1 kJ=1e3 mJ=1e-3"),
    (Dimension(kg=1, m=2, s=-3), 0, "W=1 kW=1e3"),
)
_UNITS = {
    name: _Unit(Fraction(factor), pi, dimension)
    for dimension, pi, row in _TABLE
    for name, factor in (entry.split("=") for entry in row.split())
}
# Electric and hydraulic units, for bond graphs: in a mechanism, L, A or F after a number is more likely a parameter.
_OTHERS = {
    "A": Dimension(A=1),
    "C": Dimension(s=1, A=1),
    "V": Dimension(kg=1, m=2, s=-3, A=-1),
    "ohm": Dimension(kg=1, m=2, s=-3, A=-2),
    "F": Dimension(kg=-1, m=-2, s=4, A=2),
    "H": Dimension(kg=1, m=2, s=-2, A=-2),
    "Wb": Dimension(kg=1, m=2, s=-2, A=-1),
    "Pa": Dimension(kg=1, m=-1, s=-2),
    "bar": Dimension(kg=1, m=-1, s=-2),
    "L": Dimension(m=3),
}
_PREFIXES = {"": "1", "k": "1e3", "M": "1e6", "m": "1e-3", "u": "1e-6", "n": "1e-9", "p": "1e-12"}
ALL_DOMAINS: Mapping[str, _Unit] = {
    **{
        prefix + name: _Unit(Fraction(power) * Fraction({"bar": "1e5", "L": "1e-3"}.get(name, "1")), 0, dimension)
        for name, dimension in _OTHERS.items()
        for prefix, power in _PREFIXES.items()
    },
    **_UNITS,
}
_ONE = _Unit(Fraction(1), 0, Dimension())

_NUMBER = re.compile(r"\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*")
_NOT_FINITE = re.compile(r"\s*[+-]?(?:nan|inf|infinity)(?:\s+[A-Za-z].*)?\s*", re.IGNORECASE)
_UNIT_TEXT = re.compile(r"(?:[A-Za-z]|1\s*/)[A-Za-z0-9_*/^().\s+-]*")
_TOKEN = re.compile(r"\s*(\*\*|[*/^()]|[A-Za-z_][A-Za-z0-9_]*|[+-]?[0-9.]+|\S)")
_MAX_EXPONENT = 9
_MAX_NESTING = 20
_MAX_BITS = 4000


def parse_quantity(text: str, units: Mapping[str, _Unit] = _UNITS) -> Quantity | None:
    """Read "number unit" into SI; a bare number has no dimension, other text gives None.

    >>> parse_quantity("12 mm")
    Quantity(value=0.012, dimension=Dimension(kg=0, m=1, s=0, rad=0, A=0))
    >>> parse_quantity("47 uF", ALL_DOMAINS).value
    4.7e-05
    >>> parse_quantity("2.5 kg*m^2").value
    2.5
    >>> parse_quantity("2*sin(t)") is None
    True
    """
    if _NOT_FINITE.fullmatch(text):
        raise UnitError(f"{text.strip()!r}: the number must be finite")
    match = _NUMBER.match(text)
    if match is None:
        return None
    rest = text[match.end() :].strip()
    # A sign that starts no exponent makes a sum ("2 m + x"), which is the business of expressions.
    if rest and (_UNIT_TEXT.fullmatch(rest) is None or re.search(r"[^*^(\s]\s*[+-]", rest)):
        return None
    number = _exact(match[1])
    unit = _UnitParser(rest, units).parse() if rest else _ONE
    if rest and unit.dimension == Dimension():
        # Accepting "5 mm/m" would let it pass for a bare number, that is for any SI value.
        raise UnitError(f"the units of {text.strip()!r} cancel: write a plain number instead")
    try:
        value = float(number * unit.factor) * math.pi**unit.pi
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise UnitError(f"{text.strip()!r} is too large")
    return Quantity(value, unit.dimension)


def names_after_number(text: str) -> frozenset[str]:
    """The names that stand where units do, after a number; none in what is left to expressions.

    >>> sorted(names_after_number("60 rpm*t")), sorted(names_after_number("60*rpm*t"))
    (['rpm', 't'], [])
    """
    match = _NUMBER.match(text)
    rest = text[match.end() :].strip() if match else ""
    return frozenset(re.findall("[A-Za-z_][A-Za-z0-9_]*", rest)) if _UNIT_TEXT.fullmatch(rest) else frozenset()


def unit_names() -> list[str]:
    """All names of units."""
    return list(_UNITS)


def unit_of_name(name: str) -> Dimension | None:
    """What a name measures as a unit; None if it is none.

    >>> unit_of_name("t"), unit_of_name("phi")
    (Dimension(kg=1, m=0, s=0, rad=0, A=0), None)
    """
    return _UNITS[name].dimension if name in _UNITS else None


def compatible(dimension: Dimension, expected: str) -> bool:
    """Whether a quantity of this dimension may be given where ``expected`` is wanted.

    The exponents of kg, m and s must match. That of rad is ignored (N*m and N*m/rad are both
    a torsional stiffness), but an angle or an angular velocity must say so: its exponent is 1.
    A bare number is taken to be in SI units and fits everywhere.

    >>> compatible(parse_quantity("30 mm").dimension, "angle")
    False
    >>> compatible(parse_quantity("5 N*m").dimension, "torsional stiffness")
    True
    """
    if expected not in EXPECTED:
        raise ValueError(f"unknown kind of quantity {expected!r}; known: {', '.join(EXPECTED)}")
    if dimension == Dimension():
        return True
    if dimension[:3] != EXPECTED[expected][:3] or dimension.A:
        return False
    return expected not in _ANGLE_NEEDED or dimension.rad == 1


def describe(dimension: Dimension) -> str:
    """The dimension in base units, in a form that `parse_quantity` reads.

    >>> describe(parse_quantity("3 N").dimension)
    'kg m/s^2'
    >>> describe(Dimension())
    'no unit'
    """
    if dimension == Dimension():
        return "no unit"
    powers = dimension._asdict().items()
    above = [name if power == 1 else f"{name}^{power}" for name, power in powers if power > 0]
    below = [name if power == -1 else f"{name}^{-power}" for name, power in powers if power < 0]
    return "/".join([" ".join(above) or "1", *below])


def _exact(text: str) -> Fraction:
    """The exact value of a decimal; its size is checked first, for 10**999999999 takes forever."""
    if len(text) > 100:
        raise UnitError(f"the number {text[:20]}... has too many digits")
    value = float(text)
    if not math.isfinite(value):
        raise UnitError(f"the number {text} is too large")
    return Fraction(text) if value else Fraction(0)


class _UnitParser:
    """Recursive descent over ``factor (("*" | "/" | blank) factor)*``."""

    def __init__(self, text: str, units: Mapping[str, _Unit] = _UNITS) -> None:
        self.text, self.units = text, units
        self.tokens = [*_TOKEN.findall(text), ""]
        self.index = 0
        self.nesting = 0

    def parse(self) -> _Unit:
        unit = self.product()
        if self.tokens[self.index]:
            raise self.error(f"unexpected {self.tokens[self.index]!r}")
        return unit

    def error(self, message: str) -> UnitError:
        return UnitError(f"unit {self.text!r}: {message}")

    def take(self) -> str:
        self.index += 1
        return self.tokens[self.index - 1]

    def times(self, left: _Unit, right: _Unit, power: int) -> _Unit:
        # Powers of powers would grow without end: ((km^9)^9)^9...
        if _digits(left.factor) + _digits(right.factor) * abs(power) > _MAX_BITS:
            raise self.error("too many factors")
        exponents = (a + power * b for a, b in zip(left.dimension, right.dimension, strict=True))
        return _Unit(left.factor * right.factor**power, left.pi + power * right.pi, Dimension(*exponents))

    def product(self) -> _Unit:
        unit, divided = self.power(), False
        while (token := self.tokens[self.index]) and token != ")":
            sign = 1
            if token in ("*", "/"):
                self.take()
                sign = 1 if token == "*" else -1
                divided = divided or token == "/"
            elif divided and token not in ("^", "**"):
                # "N/m s" is N*s/m to a program and N/(m*s) to most people.
                raise self.error(f"ambiguous {token!r} after a division, write '*' or '/' before it")
            unit = self.times(unit, self.power(), sign)
        return unit

    def power(self) -> _Unit:
        token = self.take()
        if token == "(":
            self.nesting += 1
            if self.nesting > _MAX_NESTING:
                raise self.error("too many parentheses")
            unit = self.product()
            if self.take() != ")":
                raise self.error("missing ')'")
            self.nesting -= 1
        elif token == "1":
            unit = _ONE
        elif token in self.units:
            unit = self.units[token]
        elif token[:1].isalpha() or token[:1] == "_":
            raise self.error(f"unknown unit {token!r}{_hint(token)}")
        else:
            raise self.error(f"expected a unit, found {token!r}" if token else "a unit is missing at the end")
        if self.tokens[self.index] not in ("^", "**"):
            return unit
        self.take()
        return self.times(_ONE, unit, self.exponent())

    def exponent(self) -> int:
        token = self.take()
        if not re.fullmatch(r"[+-]?[0-9]", token) or abs(int(token)) > _MAX_EXPONENT:
            raise self.error(f"exponent {token!r} is not a whole number from -9 to 9")
        return int(token)


def _digits(factor: Fraction) -> int:
    return factor.numerator.bit_length() + factor.denominator.bit_length()


def _hint(name: str) -> str:
    if name.casefold() == "hz":
        return ": cycles or radians per second? Write rev/s or rad/s"
    for cut in range(1, len(name)):
        if name[:cut] in _UNITS and name[cut:] in _UNITS:
            return f", did you mean '{name[:cut]}*{name[cut:]}'?"
    same = [unit for unit in _UNITS if unit.casefold() == name.casefold()]
    close = same or difflib.get_close_matches(name, _UNITS, n=1)
    return f", did you mean {close[0]!r}?" if close else f"; known units: {', '.join(_UNITS)}"


# ------------------------------------------------- units told apart from variables and parameters of the same name
class MixedUp(NamedTuple):
    """Why a text can be read in two ways."""

    what: str
    why: str
    cure: str


def mixed_up(text: str, variables: Iterable[str], parameters: Mapping[str, Dimension]) -> MixedUp | None:
    """What is wrong with the units of "number unit", if one of them is meant, or may be meant, for something else: for
    a variable of a law, or for a parameter of the same name and kind.

    >>> mixed_up("60 rpm*t", ["t", "x"], {}).cure
    "write a formula in SI units, with * between its parts: '60*rpm*t'"
    >>> mixed_up("200 N/m", ["t"], {"m": Dimension(kg=1)}) is None  # a mass cannot be meant
    True
    >>> mixed_up("20 N*m", ["t"], {"m": Dimension(m=1)}).what
    "'20 N*m' can be read in two ways: 'm' is a unit, and a parameter of the same kind"
    """
    names = names_after_number(text)
    for name in sorted(names & set(variables)):
        unit = unit_of_name(name)
        also = "" if unit is None else f", and {name} as a unit is {_in_words(name, unit)}"
        return MixedUp(
            f"{text!r} has the variable {name!r} where units stand",
            f"after a number and a blank come units{also}",
            f"write a formula in SI units, with * between its parts: {_as_formula(text, name)}",
        )
    for name in re.findall(r"\*\s*([A-Za-z_]\w*)", text) if names else ():  # what stands first is a unit surely
        if name in parameters and parameters[name] == unit_of_name(name):
            return MixedUp(
                f"{text!r} can be read in two ways: {name!r} is a unit, and a parameter of the same kind",
                f"the parameter {name} is in {describe(parameters[name])}",
                f"call the parameter something else; or write the number in SI units, without {name}",
            )
    return None


def _in_words(name: str, unit: Dimension) -> str:
    return "a tonne" if name == "t" else f"in {describe(unit)}"


def _as_formula(text: str, name: str) -> str:
    """ "60 rpm*t" as it was meant: with the units that formulas know, else with the number in SI units."""
    product = re.fullmatch(rf"(.*?)[\s*]+{name}", text.strip())
    number = re.match(r"[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?", text.strip())
    if product is not None and number is not None:
        if names_after_number(product[1]) <= CONSTANTS.keys():
            return repr("*".join([number[0], *product[1].strip()[number.end() :].split(), name]))
        try:
            quantity = parse_quantity(product[1])
            if quantity is not None:
                return repr(f"{quantity.value:.12g}*{name}")
        except UnitError:
            pass
    return f"such as '2*{name}'"
