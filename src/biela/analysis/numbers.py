"""Numbers given to the verbs: plain, or with a unit as in model files ("2 s", "60 rpm")."""

from __future__ import annotations

from typing import Any

from ..errors import MethodError, Problem
from ..model.units import UnitError, compatible, describe, parse_quantity


def number(value: Any, name: str, kind: str) -> float:
    """A float in SI units.

    >>> number("2 ms", "step", "time"), number(0.5, "step", "time")
    (0.002, 0.5)
    """
    if isinstance(value, str):
        try:
            quantity = parse_quantity(value)
        except UnitError as error:
            raise MethodError(Problem(f"{name} = {value!r} cannot be understood", why=str(error))) from None
        if quantity is not None:
            if not compatible(quantity.dimension, kind):
                why = f"its unit is {describe(quantity.dimension)}"
                raise MethodError(Problem(f"{name} = {value!r} is not a {kind}", why=why))
            return quantity.value
    try:
        return float(value)
    except (TypeError, ValueError):
        cure = "give a number" + ("" if kind == "number" else f", or one with a unit of {kind}")
        raise MethodError(Problem(f"{name} = {value!r} is not a number", cure=cure)) from None


def whole_number(value: Any, name: str) -> int:
    """A number of things; half a sample is none.

    >>> whole_number("3", "project_every")
    3
    >>> whole_number(1.5, "samples")
    Traceback (most recent call last):
    biela.errors.MethodError: samples = 1.5 is not a whole number
      try:   give 1, 2, 3, ...
    """
    found = number(value, name, "number")
    if not found.is_integer():  # nor is infinity, nor what is no number
        raise MethodError(Problem(f"{name} = {value!r} is not a whole number", cure="give 1, 2, 3, ..."))
    return int(found)
