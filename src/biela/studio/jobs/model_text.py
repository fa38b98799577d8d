"""The text of a model: read with the positions of sliders, and values written back where the user wrote them.

The text is data: nothing in it is run. Everything but the values, comments too, stays as it is.
"""

from __future__ import annotations

import tomllib
from copy import deepcopy
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from ...analysis.assembly.assemble import assemble
from ...errors import MethodError, ModelError, Problem
from ...model.file import load_text, validated
from ...model.model import Model
from ...model.toml import parsed
from ...model.units import Quantity, UnitError, describe, parse_quantity

if TYPE_CHECKING:
    from ..worker import Watch

Values = list[tuple[list[str | int], Any]]
"""(place in the model, value) of sliders that were moved"""


def read(request: dict[str, Any]) -> Model:
    """The model that a request is about."""
    text, name = request.get("text"), str(request.get("name") or "model")
    if not isinstance(text, str):
        raise MethodError(Problem("there is no model", why="the request has no text"))
    values = values_of(request)
    if not values:
        return load_text(text, title=f"model {name!r}", name=name)
    data = deepcopy(_data(text, name))
    for path, value in values:
        put(data, path, value)
    return validated(Model, data, f"model {name!r}", text)


@lru_cache(maxsize=4)
def _data(text: str, name: str) -> dict[str, Any]:
    """A text as tables, once for all the places of a slider; what is wrong in the text itself is told first."""
    load_text(text, title=f"model {name!r}", name=name)
    return {"name": name, **tomllib.loads(text)}


def values_of(request: dict[str, Any]) -> Values:
    """The sliders of a request, looked over."""
    out: Values = []
    moved = request.get("values") or ()
    for entry in moved if isinstance(moved, (list, tuple)) else (moved,):
        asked: Any = entry if isinstance(entry, dict) else {}
        path, value = asked.get("path"), asked.get("value")
        fine = isinstance(path, list) and 0 < len(path) < 9 and all(isinstance(p, str | int) for p in path)
        if not fine or not isinstance(value, str | int | float) or isinstance(value, bool):
            raise MethodError(Problem("this is not a slider of the model", why=str(entry)[:80]))
        out.append((path, value))
    return out


def put(data: Any, path: list[str | int], value: Any) -> None:
    """Replace a value that is there.

    >>> data = {"parameters": {"L": 1}}
    >>> put(data, ["parameters", "L"], 2.5)
    >>> data
    {'parameters': {'L': 2.5}}
    """
    here = data
    try:
        for part in path[:-1]:
            here = here[part]
        here[path[-1]]
    except (KeyError, IndexError, TypeError):
        where = ".".join(map(str, path))
        cure = "the text has changed: try again"
        raise ModelError(Problem("the model has no such value", where, cure=cure)) from None
    here[path[-1]] = value


# ---------------------------------------------------------------------------------------------------- written
def set_values(request: dict[str, Any], watch: Watch) -> dict[str, Any]:
    """The text with other values."""
    return {"text": rewritten(str(request["text"]), values_of(request))}


def rewritten(text: str, values: Values) -> str:
    """A TOML text with some of its values replaced.

    >>> rewritten("[parameters]\\nL = 1.0  # m\\n", [(["parameters", "L"], 2.5)])
    '[parameters]\\nL = 2.5  # m\\n'
    """
    meant = parsed(text, "text", "values can only be written into a text that is TOML")
    try:
        document = tomlkit.parse(text)
    except (TOMLKitError, RecursionError, ValueError) as error:
        raise ModelError(Problem("values can only be written into a text that is TOML", why=str(error)[:200])) from None
    for path, value in values:
        put(document, path, value)
        put(meant, path, value)
    out = tomlkit.dumps(document)
    try:
        same = repr(tomllib.loads(out)) == repr(meant)
    except (tomllib.TOMLDecodeError, RecursionError):
        same = False
    if not same:  # rather nothing than a text that says something else
        names = ", ".join(".".join(map(str, path)) for path, _ in values)
        raise ModelError(Problem("these numbers cannot be written into the text as it is", names, cure="edit the text"))
    return out


# ------------------------------------------------------------------------------------------------ typed numbers
def number(request: dict[str, Any], watch: Watch) -> dict[str, Any]:
    """What is typed beside a slider, a number or one with any unit that measures the same: the typed text as a number
    in the unit of the slider; where the model gives none, the model judges the unit."""
    typed, unit, path = str(request["typed"]).strip(), str(request.get("unit") or ""), request["path"]
    found = quantity(typed)
    if describe(found.dimension) == "no unit":
        return {"value": found.value}
    if unit:
        return {"value": in_unit(typed, found, unit)}
    assemble(read({**request, "values": [{"path": path, "value": typed}]}))
    return {"value": float(f"{found.value:.12g}")}


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
