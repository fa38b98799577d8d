"""From a text and the positions of sliders to a model. The text is data: nothing in it is run."""

from __future__ import annotations

import tomllib
from copy import deepcopy
from functools import lru_cache
from typing import Any

from ...analysis.numbers import whole_number
from ...errors import MethodError, ModelError, Problem
from ...methods.options import OPTIONS
from ...model.file import load_text, validated
from ...model.model import Model

KINDS = {"coordinates": "word", "formulation": "word", "integrator": "word", "duration": "time", "samples": "count"}
"""what is set of a run beside its options, and of which kind each is"""
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
    given = request.get("values") or ()
    for entry in given if isinstance(given, (list, tuple)) else (given,):
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


def settings_of(request: dict[str, Any]) -> dict[str, Any]:
    """Arguments of `biela.simulate`: those that were filled in; numbers may have units."""
    filled_in = request.get("settings") or {}
    if not isinstance(filled_in, dict):
        raise MethodError(Problem("settings are names with values", why=repr(filled_in)[:80]))
    given = {k: v for k, v in filled_in.items() if v not in (None, "", "auto")}
    known = (*KINDS, *OPTIONS)
    unknown = [name for name in given if name not in known]
    if unknown:
        raise MethodError(Problem(f"there is no setting {unknown[0]!r}", cure=f"one of: {', '.join(known)}"))
    out: dict[str, Any] = {}
    for name, value in given.items():
        kind = OPTIONS[name].kind if name in OPTIONS else KINDS[name]
        types = {"word": str, "flag": bool}.get(kind, (str, int, float))
        if not isinstance(value, types) or (isinstance(value, bool) and kind != "flag"):
            what = {"word": "a name", "flag": "true or false"}.get(kind, "a number")
            raise MethodError(Problem(f"{name} = {repr(value)[:60]} is not {what}"))
        if kind == "count":
            value = whole_number(value, name)
        out["t_end" if name == "duration" else name] = value
    return out
