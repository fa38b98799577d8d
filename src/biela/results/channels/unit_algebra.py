"""What happens to units when quantities are added, multiplied, or handed to functions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from ...model.units import Dimension, UnitError, parse_quantity

Powers = Mapping[str, Fraction]
"""unit -> its exponent; empty for a pure number"""

_FACTOR = re.compile(r"\s*([*/]?)\s*([A-Za-z_]+|1)(?:\^([+-]?[0-9]+))?\s*")


@lru_cache(maxsize=512)
def powers(unit: str) -> Powers | None:
    """The units that a text is made of; None if there is no unit, or if it cannot be read.

    >>> {k: int(v) for k, v in powers("kg*m/s^2").items()}, powers("1"), powers("")
    ({'kg': 1, 'm': 1, 's': -2}, {}, None)
    """
    out: dict[str, Fraction] = {}
    at = 0
    while at < len(unit):
        match = _FACTOR.match(unit, at)
        if match is None:
            return None
        sign, name, power = match.groups()
        if name != "1":
            out[name] = out.get(name, Fraction(0)) + Fraction(power or 1) * (-1 if sign == "/" else 1)
        at = match.end()
    return {name: power for name, power in out.items() if power} if unit else None


def written(units: Powers | None) -> str | None:
    """The text of a unit; None where its exponents are no whole numbers.

    >>> written(powers("m/s*m/s")), written(powers("s/s")), written(raised(powers("m"), Fraction(1, 2)))
    ('m^2/s^2', '1', None)
    """
    if units is None or any(p.denominator != 1 for p in units.values()):
        return None
    above = "*".join(name if p == 1 else f"{name}^{p}" for name, p in units.items() if p > 0)
    below = "".join(f"/{name}" if p == -1 else f"/{name}^{-p}" for name, p in units.items() if p < 0)
    return (above or "1") + below


def times(a: Powers | None, b: Powers | None, power: int = 1) -> Powers | None:
    """Unit of a product, or with power = -1 of a quotient."""
    if a is None or b is None:
        return None
    out = dict(a)
    for name, p in b.items():
        out[name] = out.get(name, Fraction(0)) + power * p
    return {name: p for name, p in out.items() if p}


def raised(a: Powers | None, power: Fraction) -> Powers | None:
    """Unit of a power."""
    return None if a is None else {name: p * power for name, p in a.items() if power}


@lru_cache(maxsize=512)
def measured(unit: str) -> tuple[float, Dimension] | None:
    """How many SI units a unit is, and what it measures; None for those of other domains, such as volts.

    >>> measured("mm/s")
    (0.001, Dimension(kg=0, m=1, s=-1, rad=0, A=0))
    """
    if powers(unit) == {}:
        return 1.0, Dimension()
    try:
        one = parse_quantity(f"1 {unit}") if powers(unit) is not None else None
    except UnitError:
        return None
    return None if one is None else (one.value, one.dimension)


def factor_to(own: str, wanted: str) -> float | None:
    """What values in one unit are multiplied by to be in the other; None if they measure different things. An angle
    is a number here: radians vanish where arcs and angles meet.

    >>> factor_to("mm", "m"), factor_to("m", "s"), factor_to("N*m*rad", "J")
    (0.001, None, 1.0)
    """
    if own == wanted or (powers(own) is not None and powers(own) == powers(wanted)):
        return 1.0
    a, b = measured(own) if own else None, measured(wanted) if wanted else None
    if a is None or b is None or a[1][:3] != b[1][:3]:
        return None
    return a[0] / b[0]


def angle_factor(unit: str) -> float | None:
    """Radians in an angle's unit, 1 for a pure number; None if it is neither."""
    known = measured(unit) if unit else None
    return known[0] if known is not None and known[1] in (Dimension(), Dimension(rad=1)) else None
