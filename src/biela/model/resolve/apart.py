"""Units told apart from variables and parameters of the same name: "60 rpm*t" is no quantity in tonnes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .. import expression as ex
from ..units import Dimension, UnitError, describe, names_after_number, parse_quantity, unit_of_name


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
        if names_after_number(product[1]) <= ex.CONSTANTS.keys():
            return repr("*".join([number[0], *product[1].strip()[number.end() :].split(), name]))
        try:
            quantity = parse_quantity(product[1])
            if quantity is not None:
                return repr(f"{quantity.value:.12g}*{name}")
        except UnitError:
            pass
    return f"such as '2*{name}'"
