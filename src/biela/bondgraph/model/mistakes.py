"""From pydantic's complaints about a bond graph's data to problems in the user's own words."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from ...errors import Problem
from ...model.mistakes import MOST, and_more, spell
from ...model.toml import line_of
from .elements import TYPES

TOP = ("name", "title", "domain", "parameters", "elements", "bonds", "initial", "run", "reference")
WANTED = {
    "bonds": "the two elements it joins, [from, to]",
    "elements": "a table with its type and its law",
    "at": "two numbers [x, y]",
}


def problems_of(error: ValidationError, data: Any, text: str = "") -> list[Problem]:
    """One problem for every place in the data, of very many the first; `text` is the file, for line numbers."""
    found: dict[tuple, Problem] = {}
    more: set[tuple] = set()
    for one in error.errors(include_url=False):
        path = _path(one["loc"], data, one["type"] == "missing")
        if path not in found and len(found) >= MOST:
            more.add(path)
        elif path not in found:
            line = line_of(text, path) if text else None
            problem = _problem(one, path, data)
            where = problem.where + (f" (line {line})" if line else "")
            found[path] = Problem(problem.what, where, problem.why, problem.cure)
    return [*found.values(), *and_more(len(more))]


def _path(location: Sequence[str | int], data: Any, missing: bool) -> tuple:
    """The place, without the names of the alternatives that pydantic tried."""
    path: list[str | int] = []
    here = data
    for k, part in enumerate(location):
        if isinstance(here, Mapping) and part in here:
            here = here[part]
        elif isinstance(here, Sequence) and not isinstance(here, str) and isinstance(part, int) and part < len(here):
            here = here[part]
        elif not (missing and k == len(location) - 1):
            continue
        path.append(part)
    return tuple(path)


def _problem(one: Any, path: tuple, data: Any) -> Problem:
    kind, value, where = one["type"], one["input"], spell(path)
    last = path[-1] if path else ""
    if kind == "extra_forbidden":
        return Problem(f"unknown key {last!r}", where, cure=_close(str(last), _keys(path, data), "keys"))
    if kind == "missing":
        keys = ", ".join(_keys(path, data))
        return Problem(f"{last!r} is missing", spell(path[:-1]), cure=f"add {last} = ... (keys: {keys})")
    if kind == "union_tag_invalid":
        tag = value.get("type") if isinstance(value, Mapping) else value
        return Problem(f"unknown type {tag!r}", where, cure=_close(str(tag), list(TYPES), "types"))
    if kind == "union_tag_not_found":
        return Problem("'type' is missing", where, cure=f"add type = one of {', '.join(TYPES)}")
    if kind in ("string_pattern_mismatch", "string_too_long") and one["loc"][-1] == "[key]":
        cure = "use letters, digits and _, starting with a letter (64 characters at most)"
        return Problem(f"{value!r} cannot be a name", where, cure=cure)
    if kind == "finite_number":
        return Problem("the number is not finite", where, str(value), "give an ordinary number")
    if kind == "literal_error":
        return Problem(f"{value!r} is not allowed here", where, cure=f"use {one['ctx']['expected']}")
    if kind == "value_error":
        what, _, cure = str(one["ctx"]["error"]).partition("; ")
        return Problem(what, where, repr(value)[:60], cure)
    table = str(path[0]) if path else ""
    wanted = WANTED.get(str(last)) or WANTED.get(table if len(path) <= 3 else "") or "a number, a text or a formula"
    return Problem(f"{repr(value)[:60]} does not fit here", where, cure=f"give {wanted}")


def _keys(path: tuple, data: Any) -> list[str]:
    if len(path) == 3 and path[0] == "elements":
        item = data["elements"][path[1]]
        return list(TYPES[item["type"]].model_fields) if item.get("type") in TYPES else ["type"]
    keys = {"run": ["duration", "step"], "reference": ["source", "note", "values"]}
    return keys.get(str(path[0]), []) if len(path) == 2 else list(TOP)


def _close(name: str, known: list[str], kind: str) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return (f"did you mean {close[0]!r}? " if close else "") + f"({kind}: {', '.join(known)})"
