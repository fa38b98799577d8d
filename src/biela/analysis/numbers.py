"""Arguments of the verbs: numbers, plain or with a unit as in model files ("2 s", "60 rpm"), counts and words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any

from ..errors import MethodError, Problem
from ..model.units import UnitError, compatible, describe, parse_quantity


def number(value: Any, name: str, kind: str = "number") -> float:
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


def positive_number(value: Any, name: str, cure: str, kind: str = "number") -> float:
    """A finite number above zero.

    >>> positive_number(0, "reach", "give a positive number of sizes")
    Traceback (most recent call last):
    biela.errors.MethodError: reach = 0 is not possible
      try:   give a positive number of sizes
    """
    found = number(value, name, kind)
    if not (isfinite(found) and found > 0):
        raise MethodError(Problem(f"{name} = {found:g} is not possible", cure=cure))
    return found


def count_of(value: Any, name: str, least: int, most: int, what: str = "") -> int:
    """A whole number within limits.

    >>> count_of(0, "samples", 1, 10_000_000)
    Traceback (most recent call last):
    biela.errors.MethodError: samples = 0 is not possible
      try:   from 1 to 10 million
    """
    found = whole_number(value, name)
    if not least <= found <= most:
        limit = f"{most // 1_000_000} million" if most % 1_000_000 == 0 else f"{most:,}".replace(",", " ")
        cure = f"from {least} to {limit}" + (f" {what}" if what else "")
        raise MethodError(Problem(f"{name} = {found} is not possible", cure=cure))
    return found


def one_of(value: str, name: str, choices: Iterable[str]) -> str:
    """A word out of some."""
    if value not in (known := list(choices)):
        raise MethodError(Problem(f"{name} = {value!r} is not possible", cure=f"one of: {', '.join(known)}"))
    return value


def listed(names: Sequence[str], most: int) -> str:
    """The first names of a list, and how many more there are.

    >>> listed(["A", "B", "C"], 2)
    'A, B and 1 more'
    """
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
