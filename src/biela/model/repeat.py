"""Repeat blocks: parts of a model written once and made many times, with the index in their names and formulas.

Inside a block, "{i}", "{i+1}" or "{2*i}" in any name or text stands for that whole number. A block is kept as it
was written; `biela.model.resolve.expansion` makes the parts, with the values the parameters have at that time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from . import expression as ex
from .items import Item, Scalar

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{,63}")
_BRACES = re.compile(r"\{([^{}]*)\}")
_RAISED = re.compile(r"\s*(?:\^|\*\*)")


def _plain(value: Any) -> Any:
    """Tables and lists as they come back from a file, so that a saved block is equal to the one in memory."""
    if isinstance(value, BaseModel):
        value = value.model_dump(exclude_unset=True, by_alias=True)
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, str | int | float) or callable(value):
        return value
    raise ValueError(f"{value!r} does not fit here; give texts, numbers, lists and tables")


def _index(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} cannot be an index; call it i")
    return name


Section = Annotated[dict[str, Any], BeforeValidator(_plain)]


class Repeat(Item):
    """The parts to make for every whole number from `from` to `to`, both included; none if `to` is `from` - 1."""

    model_config = ConfigDict(populate_by_name=True)

    index: Annotated[str, AfterValidator(_index)]
    start: Annotated[Scalar, Field(alias="from")]
    stop: Annotated[Scalar, Field(alias="to")]
    ground: Section = {}
    points: Section = {}
    bodies: Section = {}
    joints: Section = {}
    coordinates: Section = {}
    drivers: Section = {}
    forces: Section = {}
    stops: Section = {}
    locks: Section = {}
    initial: Section = {}


SECTIONS = ("ground", "points", "bodies", "joints", "coordinates", "drivers", "forces", "stops", "locks")
"""tables of named parts; `initial` holds tables of its own"""


class BraceError(ValueError):
    """Braces that do not give a whole number; `cure` says what to write."""

    def __init__(self, what: str, why: str, cure: str) -> None:
        super().__init__(what)
        self.what, self.why, self.cure = what, why, cure


def write_index(text: str, values: Mapping[str, float]) -> str:
    """A text with every pair of braces replaced by the whole number that is in it.

    >>> write_index("B{i-1}", {"i": 3}), write_index("{i}*L", {"i": 3}), write_index("{i-1}^2", {"i": 0})
    ('B2', '3*L', '(-1)^2')
    """
    if "{" not in text and "}" not in text:
        return text

    def number(match: re.Match[str]) -> str:
        found = str(whole(match[1], values, text))
        # A minus sign binds less than a power does.
        return f"({found})" if found[0] == "-" and _RAISED.match(text, match.end()) else found

    done = _BRACES.sub(number, text)
    if "{" in done or "}" in done:
        raise BraceError(f"the braces of {text!r} do not match", "", "write each index as {i}")
    return done


def whole(inside: str, values: Mapping[str, float], text: str) -> int:
    """The whole number that a formula between braces gives."""
    known = ", ".join(values)
    try:
        node = ex.parse(inside)
        unknown = sorted(ex.names(node) - set(values))
        if unknown:
            cure = f"use {known}"
            raise BraceError(f"there is no index {unknown[0]!r}", f"in {text!r}", cure)
        number = float(ex.evaluate(node, values))
    except (ex.ExpressionError, ArithmeticError) as error:
        cure = f"write a formula of {known} between the braces, such as {{{next(iter(values))}+1}}"
        raise BraceError(f"'{{{inside}}}' cannot be understood", str(error), cure) from None
    nearest = nearest_whole(number)
    if nearest is None:
        cure = "write a formula that gives whole numbers only"
        raise BraceError(f"'{{{inside}}}' is not a whole number", f"it gives {number:g} in {text!r}", cure)
    return nearest


def nearest_whole(number: float) -> int | None:
    """The whole number that a float means, or None."""
    if not abs(number) < 1e15:
        return None
    nearest = round(number)
    return nearest if abs(number - nearest) <= 1e-9 * max(1.0, abs(number)) else None
