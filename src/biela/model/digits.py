"""How far the numbers of a model may be off, to judge by their digits: 0.866025 is a rounded number, 0.85 an exact one.

Overconstrained mechanisms move only because their dimensions fit one another exactly. Written with six decimals they
fit to six decimals, and what is redundant in them is redundant to six decimals.
"""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel

FEWEST, MOST = 6, 12
"""decimals of rounded numbers: those with fewer are meant as they are, with more they are as exact as computed ones"""
LONG = 4
"""significant digits of a number that may have been rounded"""
INERTIA = {"mass", "density", "inertia", "center", "value", "law", "type"}
"""keys that do not say where anything is"""
_NUMBER = re.compile(r"(?<![\w.])(\d*)\.(\d+)(?:[eE]([+-]?\d+))?\s*(mm|cm|um|deg)?")
_SMALLER = {"mm": 3, "cm": 2, "um": 6, "deg": 2}


def rounding(data: Any) -> float:
    """Half of the last decimal of the longest rounded number among lengths, places and directions; 0 if there is none.

    >>> rounding({"A": [0.5, 0.866025], "length": "433.013 mm"})
    5e-07
    >>> rounding({"A": [0.5, 0.8660254037844386], "length": 0.25})
    0.0
    """
    rounded = [d for d in _decimals(data) if FEWEST <= d <= MOST]
    return 0.5 * 10.0 ** -max(rounded) if rounded else 0.0


def _decimals(data: Any) -> list[int]:
    """Of every long number in nested data."""
    if isinstance(data, BaseModel):
        return _decimals({name: getattr(data, name) for name in data.model_fields_set - INERTIA})
    if isinstance(data, dict):
        return [d for value in data.values() for d in _decimals(value)]
    if isinstance(data, (list, tuple)):
        return [d for value in data for d in _decimals(value)]
    if isinstance(data, bool) or not isinstance(data, (float, str)):
        return []
    found = []
    for whole, part, power, unit in _NUMBER.findall(repr(abs(data)) if isinstance(data, float) else data):
        decimals = len(part.rstrip("0")) - int(power or 0) + _SMALLER.get(unit, 0)
        if len((whole + part.rstrip("0")).lstrip("0")) >= LONG:
            found.append(decimals)
    return found
