"""What is typed beside a slider: a number, or one with any unit that measures the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...analysis.assembly.assemble import assemble
from ...errors import MethodError, Problem
from ...model.units import Quantity, UnitError, describe, parse_quantity
from . import Answer
from .reading import read

if TYPE_CHECKING:
    from ..worker import Watch


def number(request: dict[str, Any], watch: Watch) -> Answer:
    """The typed text as a number in the unit of the slider; where the model gives none, the model judges the unit."""
    typed, unit, path = str(request["typed"]).strip(), str(request.get("unit") or ""), request["path"]
    found = quantity(typed)
    if describe(found.dimension) == "no unit":
        return Answer.of({"value": found.value})
    if unit:
        return Answer.of({"value": in_unit(typed, found, unit)})
    assemble(read({**request, "values": [{"path": path, "value": typed}]}))
    return Answer.of({"value": float(f"{found.value:.12g}")})


def quantity(typed: str) -> Quantity:
    """A finite number with or without a unit.

    >>> quantity("12 mm").value
    0.012
    """
    try:
        found = parse_quantity(typed) if len(typed) <= 60 else None
    except UnitError as error:
        raise MethodError(Problem(f"{typed[:40]!r} cannot be taken", why=str(error))) from None
    if found is None:
        cure = "a number, or a number and a unit; write formulas in the text"
        raise MethodError(Problem(f"{typed[:40]!r} is not a number", cure=cure))
    return found


def in_unit(typed: str, found: Quantity, unit: str) -> float:
    """A quantity as so many of a unit.

    >>> in_unit("20 mm", quantity("20 mm"), "m")
    0.02
    """
    one = quantity(f"1 {unit}")
    if found.dimension != one.dimension and not (
        found.dimension[:3] == one.dimension[:3] and not {found.dimension.rad, one.dimension.rad} - {0, -1}
    ):  # N*m and N*m/rad are both a torsional stiffness
        why = f"{describe(found.dimension)} is not {describe(one.dimension)}"
        raise MethodError(Problem(f"{typed!r} does not measure what {unit!r} measures", why=why))
    return float(f"{found.value / one.value:.12g}")
