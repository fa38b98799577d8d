"""The TOML text of a model: one table per item, short tables in one line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from ..errors import ModelError, Problem

_BARE = re.compile(r"[A-Za-z0-9_-]+")
# Tables whose entries are items, each written as a table of its own.
ITEMS = ("bodies", "joints", "coordinates", "drivers", "forces", "stops", "locks")


def to_toml(model: BaseModel) -> str:
    """The model as TOML; everything left at its default is left out.

    >>> from biela.model.model import Model
    >>> print(to_toml(Model(name="one").add_ground("O", 0, 0)))
    name = "one"
    <BLANKLINE>
    [ground]
    O = [0.0, 0.0]
    <BLANKLINE>
    """
    data = model.model_dump(exclude_defaults=True, exclude_none=True, by_alias=True)
    _refuse_functions(data, str(data.get("name", "model")))
    lines = [f"name = {_value(data.get('name', 'model'))}"]
    lines += [f"{key} = {_value(data[key])}" for key in ("title", "dimension", "gravity", "open_joints") if key in data]
    for table in ("parameters", "ground", "points", *ITEMS):
        lines += _section([table], table, data.get(table, {}))
    for block in data.get("repeat", ()):
        lines += ["", "[[repeat]]", *(f"{key} = {_value(block[key])}" for key in ("index", "from", "to"))]
        for table in ("ground", "points", *ITEMS, "initial"):
            lines += _section(["repeat", table], table, block.get(table, {}))
    for table in ("initial", "run", "reference"):
        lines += _section([table], table, data.get(table, {}))
    return "\n".join(lines) + "\n"


def _section(path: list[str], table: str, data: Mapping[str, Any]) -> list[str]:
    """One of a model's tables."""
    if table not in ITEMS or not all(isinstance(item, Mapping) for item in data.values()):
        return _table(path, data)
    lines: list[str] = []
    for name, item in data.items():
        # The default type of a body is said all the same.
        first = {"type": "body"} if path == ["bodies"] else {key: item[key] for key in ("type",) if key in item}
        lines += _table([*path, name], {**first, **item}, deep=False)
    return lines


def _table(path: list[str], data: Mapping[str, Any], deep: bool = True) -> list[str]:
    """A table and, if `deep`, the tables in it, after its own entries as TOML wants."""
    inner = {k: v for k, v in data.items() if deep and isinstance(v, Mapping)}
    own = [f"{_key(k)} = {_value(v)}" for k, v in data.items() if k not in inner]
    lines = ["", f"[{'.'.join(map(_key, path))}]", *own] if own else []
    for key, value in inner.items():
        lines += _table([*path, key], value)
    return lines


def _refuse_functions(data: Any, name: str, path: str = "") -> None:
    found: list[Problem] = []

    def walk(value: Any, path: str) -> None:
        if isinstance(value, Mapping):
            for key, inner in value.items():
                walk(inner, f"{path}.{key}" if path else str(key))
        elif isinstance(value, list | tuple):
            for inner in value:
                walk(inner, path)
        elif callable(value):
            cure = "write the law as an expression of t or as a table before saving"
            found.append(Problem("a Python function cannot be saved in a file", path, repr(value), cure))

    walk(data, path)
    if found:
        raise ModelError(found, title=f"model {name!r}")


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _text(text: str) -> str:
    # JSON's strings are TOML's, but for DEL, which TOML wants escaped, and pairs of surrogates.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        return (
            "{ " + ", ".join(f"{_key(str(k))} = {_value(v)}" for k, v in value.items()) + " }"
            if value
            else "{}"
        )
    return "[" + ", ".join(map(_value, value)) + "]"
