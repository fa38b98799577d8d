"""From pydantic's complaints about a model's data to problems in the user's own words."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ..errors import Problem
from . import items as it
from .bodies import Body
from .either import PLANE, SPACE, TYPES, Spatial
from .forces.registry import FAILED as FAILED_FORCES
from .joints.registry import FAILED as FAILED_JOINTS
from .repeat import Repeat
from .toml import line_of

Path = tuple[str | int, ...]

# What was expected, told by the set of things pydantic would have taken.
_WANTED: list[tuple[set[str], str]] = [
    ({"callable_type"}, "a number, a formula such as '2*sin(3*t)', or a table {x = [...], y = [...]}"),
    (
        {"tuple_type", "model_type"},
        "two points [from, to], the name of a body, or {body = ..., angle = ...}; in space [from, to], 'body.u' or "
        "{body = ..., direction = [x, y, z]}",
    ),
    ({"float_type", "string_type"}, "a number, a quantity such as '30 deg', or a formula such as '2*r'"),
    ({"dict_type", "list_type"}, "names with coordinates {A = [0, 0], ...} or a list of names"),
    ({"tuple_type"}, "a list of two (in space some have three)"),
    ({"list_type"}, "a list"),
    ({"dict_type"}, "a table of names"),
    ({"model_type"}, "a table"),
    ({"model_attributes_type"}, "a table with its type and the rest"),
    ({"string_type"}, "a text"),
    ({"float_type"}, "a number"),
    ({"float_parsing"}, "a plain number"),
]
MOST = 50
"""problems told at once"""
_KINDS = set().union(*(kinds for kinds, _ in _WANTED))


def problems_of(error: ValidationError, model: type[BaseModel], data: Any, text: str = "") -> list[Problem]:
    """One problem per mistake, of very many the first; `text` is the file they are in, if any, for line numbers."""
    groups: dict[Path, list[ErrorDetails]] = {}
    for one in error.errors(include_url=False, include_context=True):
        groups.setdefault(_path(one, model, data), []).append(one)
    # Nothing fits a number that is not finite; that the forms of its neighbours do not fit either says nothing.
    endless = {path[:3] for path, errors in groups.items() if any(e["type"] == "finite_number" for e in errors)}
    problems: list[Problem] = []
    more = 0
    holding = {path[:k] for path in groups for k in range(len(path))}
    for path, errors in groups.items():
        if path[:3] in endless and not any(e["type"] == "finite_number" for e in errors):
            continue
        # A value that fits none of several forms is refused once for each; what is wrong inside the form
        # that the user chose says more than that the others do not fit either.
        inside = path in holding
        telling = [e for e in errors if e["type"] not in _KINDS]
        if (telling or not inside) and len(problems) >= MOST:
            more += 1
        elif telling or not inside:
            problem = _problem(path, telling or errors, model, data)
            line = line_of(text, path) if text else None
            where = problem.where + (f" (line {line})" if line else "")
            problems.append(Problem(problem.what, where, problem.why, problem.cure))
    return problems + and_more(more)


def and_more(count: int) -> list[Problem]:
    """What stands for the problems that are not told."""
    return [Problem(f"... and {count} more", cure="correct these first")] if count else []


def _types(model: type[BaseModel]) -> Mapping[str, tuple[Mapping[str, Any], ...]]:
    """Of each table with types: the classes by type, in the plane and in space; a bond graph has its own."""
    return getattr(model, "ITEM_TYPES", TYPES)


def _path(error: ErrorDetails, model: type[BaseModel], data: Any) -> Path:
    """The place in the data, without the names pydantic gives to the alternatives it tried."""
    location, types = list(error["loc"]), _types(model)
    if len(location) > 2 and location[2] in (PLANE, SPACE):
        del location[2]
    if len(location) > 2 and location[0] in types and any(location[2] in known for known in types[str(location[0])]):
        del location[2]  # the type, which might also be the name of a key
    path: list[str | int] = []
    here = data
    for part in location:
        if isinstance(here, Mapping) and part in here:
            here = here[part]
        elif isinstance(here, Sequence) and isinstance(part, int) and part < len(here):
            here = here[part]
        elif not (error["type"] == "missing" and part is location[-1]):
            continue
        path.append(part)
    return tuple(path)


def _problem(path: Path, errors: list[ErrorDetails], model: type[BaseModel], data: Any) -> Problem:
    error, where = errors[0], spell(path)
    kind, value, last = error["type"], error["input"], path[-1] if path else ""
    context: Mapping[str, Any] = error.get("ctx") or {}
    if kind == "extra_forbidden":
        return Problem(f"unknown key {last!r}", where, "", _close(str(last), _keys(path, model, data, error)))
    if kind in ("missing", "too_short", "too_long") and not (kind == "missing" and isinstance(last, str)):
        outer = path[:-1] if kind == "missing" else path
        found = len(value) if isinstance(value, Sequence | Mapping) else 0
        least = int(context.get("min_length") or 2)
        what, cure = f"expected {least} values, found {found}", f"give {least} values"
        if kind == "too_long":
            most = context.get("max_length", 2)
            what, cure = f"expected {most} values, found {found}", f"give at most {most} values"
        return Problem(what, spell(outer), _quote(value), cure)
    if kind == "missing":
        keys = _keys(path, model, data, error)
        return Problem(
            f"{last!r} is missing", spell(path[:-1]), "", f"add {last} = ... (keys: {', '.join(keys)})"
        )
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        allowed = list(dict.fromkeys(kind for known in _types(model).get(str(path[0]), ()) for kind in known))
        if kind == "union_tag_not_found":
            return Problem("'type' is missing", where, "", f"add type = one of {', '.join(allowed)}")
        tag = context.get("tag", "")
        why = {"joints": FAILED_JOINTS, "forces": FAILED_FORCES}.get(str(path[0]), {}).get(str(tag), "")
        return Problem(f"unknown type {tag!r}", where, why, _close(str(tag), allowed, "types"))
    if kind in ("string_pattern_mismatch", "string_too_long") and error["loc"][-1] == "[key]":
        hyphen = " and -" if r"_\-" in str(context.get("pattern", r"_\-")) else ""
        cure = f"use letters, digits, _{hyphen}, starting with a letter (64 characters at most)"
        return Problem(f"{_quote(value)} cannot be a name", where, "", cure)
    if kind == "finite_number":
        return Problem("the number is not finite", where, str(value), "give an ordinary number")
    if kind == "literal_error":
        return Problem(
            f"{_quote(value)} is not allowed here", where, "", f"use {context.get('expected', '')}"
        )
    if kind == "value_error":  # one of our own validators: "what is wrong; what to do"
        what, _, cure = str(context.get("error", "")).partition("; ")
        return Problem(what, where, _quote(value), cure)
    return _wrong_kind(where, value, {e["type"] for e in errors}, error["msg"])


def _wrong_kind(where: str, value: Any, kinds: set[str], message: str) -> Problem:
    wanted = next((words for needed, words in _WANTED if needed <= kinds), None)
    if wanted is None:  # something pydantic says that has no words of ours yet
        return Problem(message, where, _quote(value), "see `biela schema` for what is allowed here")
    return Problem(f"{_quote(value)} does not fit here", where, "", f"give {wanted}")


def spell(path: Sequence[str | int]) -> str:
    """A place in the user's words.

    >>> spell(("bodies", "crank", "points", 1))
    'bodies.crank.points[2]'
    """
    text = ""
    for part in path:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}"
    return text.lstrip(".")


def _keys(path: Path, model: type[BaseModel], data: Any, error: ErrorDetails) -> list[str]:
    """The keys allowed in the table that holds the last part of the path."""
    if len(path) == 1:
        return list(model.model_fields)
    table = str(path[0])
    for tag, cls in (("Axis", it.Axis), ("Table", it.Table), ("SpaceLine", it.SpaceLine)):
        if tag in error["loc"][2:]:
            return list(cls.model_fields)
    types = _types(model)
    if table in types and len(path) == 3:
        item = data[table][path[1]]
        known = types[table][model is Spatial or error["loc"][2] == SPACE]
        return list(known.get(item.get("type", "body"), Body).model_fields)
    if table == "repeat" and len(path) == 3:
        return [field.alias or name for name, field in Repeat.model_fields.items()]
    single = {"drivers": it.Driver, "stops": it.Stop, "locks": it.Lock, "initial": it.Initial, "run": it.Run,
              "reference": it.Reference}  # fmt: skip
    return list(single[table].model_fields) if table in single else []


def _close(name: str, allowed: list[str], kind: str = "keys") -> str:
    close = difflib.get_close_matches(name, allowed, n=1)
    text = f"did you mean {close[0]!r}? " if close else "remove it, or use another "
    return text + f"({kind}: {', '.join(allowed)})"


def _quote(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
