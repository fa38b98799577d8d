"""Sliders: which numbers of a model can be turned, from where to where."""

from __future__ import annotations

import re
from math import floor, log10
from typing import Any

from ..model.units import UnitError, parse_quantity

_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*")
MOST = 60
"""sliders of a model; more would be a wall"""
POSITIVE = ("mass", "length", "inertia", "radius", "width", "height", "stiffness", "damping", "density")


def controls(data: dict[str, Any]) -> list[dict[str, Any]]:
    """{path, group, name, value, unit, least, most, step, whole} of parameters, initial values and plain numbers of
    bodies, joints and forces.

    >>> data = {"parameters": {"L": "12 mm", "twice": "2*L"}, "initial": {"position": {"phi": 0}}}
    >>> [c["name"] for c in controls(data)]
    ['L', 'phi']
    """
    counted = {str(block.get("to")) for block in _list(data.get("repeat")) if isinstance(block, dict)}
    found = [
        _control([table], "parameters", name, value, name in counted)
        for table in ("parameters",)
        for name, value in _table(data.get(table)).items()
    ]
    initial = _table(data.get("initial"))
    for kind, sign in (("position", ""), ("velocity", "'")):
        for name, value in _table(initial.get(kind)).items():
            found.append(_control(["initial", kind], "start", name, value, label=f"{name}{sign}"))
    for table in ("bodies", "joints", "forces"):
        for item, entries in _table(data.get(table)).items():
            for key, value in _table(entries).items():
                found.append(_control([table, item], table, key, value, label=f"{item}.{key}"))
    return [c for c in found if c is not None][:MOST]


def _control(
    path: list[str], group: str, key: str, value: Any, whole: bool = False, label: str = ""
) -> dict[str, Any] | None:
    read = number_and_unit(value)
    if read is None:
        return None
    number, unit = read
    if whole and number == int(number):
        least, most, step = 1.0, max(3 * number, 10.0), 1.0
    else:
        whole = False
        least, most = _range(number, unit, key)
        step = 10.0 ** (floor(log10(most - least)) - 3)
    return {
        "path": [*path, key], "group": group, "name": label or key, "value": number, "unit": unit,
        "least": least, "most": most, "step": step, "whole": whole,
    }  # fmt: skip


def _range(number: float, unit: str, key: str) -> tuple[float, float]:
    """From nothing to twice as much; about zero for what is zero."""
    if number == 0.0:
        span = 180.0 if unit == "deg" else 3.2 if unit in ("rad", "") else 1.0
        return (0.0, 1.0) if key in POSITIVE else (-span, span)
    reach = 2.0 * abs(number)
    reach = round(reach, 1 - floor(log10(reach)))
    if key in POSITIVE:
        return round(reach / 40, 2 - floor(log10(reach / 40))), reach
    return (0.0, reach) if number > 0 else (-reach, 0.0)


def number_and_unit(value: Any) -> tuple[float, str] | None:
    """A plain number, or one with a unit; formulas are not for sliders.

    >>> number_and_unit("12 mm"), number_and_unit(3), number_and_unit("2*L"), number_and_unit(True)
    ((12.0, 'mm'), (3.0, ''), None, None)
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return (float(value), "") if abs(value) < 1e100 else None
    if not isinstance(value, str) or len(value) > 60:
        return None
    match = _NUMBER.fullmatch(value)
    try:
        if match is None or parse_quantity(value) is None:
            return None
    except UnitError:
        return None
    return float(match[1]), match[2]


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
