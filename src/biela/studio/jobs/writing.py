"""Values back into the text, where the user wrote them; everything else, comments too, stays as it is."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from ...errors import ModelError, Problem
from ...model.toml import parsed
from . import Answer
from .reading import Values, put, values_of

if TYPE_CHECKING:
    from ..worker import Watch


def set_values(request: dict[str, Any], watch: Watch) -> Answer:
    """The text with other values."""
    return Answer.of({"text": rewritten(str(request["text"]), values_of(request))})


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
