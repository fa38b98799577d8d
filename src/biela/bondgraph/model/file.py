"""Bond graphs in TOML files: read with every mistake named and its line, written whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...errors import ModelError, Problem
from ...library import Library
from ...model.file import _read, validated
from ...model.toml import parsed
from ...model.write import _refuse_functions, _table, _value
from ...whole import whole
from .graph import BondGraph


def names() -> list[str]:
    """The bond graphs of the library.

    >>> "mass-spring-damper" in names()
    True
    """
    return GRAPHS.names()


def load(source: str | Path) -> BondGraph:
    """A bond graph: by its name in the library, or from a file (anything with a folder or ending in .toml).

    >>> load("mass-spring-damper")
    BondGraph('mass-spring-damper': 4 elements, 1 junction, 4 bonds)
    """
    return GRAPHS.load(source)


def _load_file(path: Path) -> BondGraph:
    return load_text(_read(path), f"file {str(path)!r}", path.stem)


GRAPHS = Library(Path(__file__).parents[1] / "library", "bond graph", _load_file)


def load_text(text: str, title: str = "bond graph", name: str = "bond-graph") -> BondGraph:
    """The bond graph in a TOML text."""
    data = parsed(text, title, 'tables look like [elements.mass], bonds like b1 = ["weight", "v"]')
    if not data:
        raise ModelError(Problem("the file is empty: it describes no bond graph", cure="see `biela bondgraph`"), title)
    if "bodies" in data and "elements" not in data:
        cure = "biela.bondgraph.from_model(biela.load(...)), or `biela bondgraph FILE --mechanism`"
        raise ModelError(Problem("this file describes a mechanism, not a bond graph", cure=cure), title)
    return validated(BondGraph, {"name": name, **data}, title, text)


def to_toml(graph: BondGraph) -> str:
    """The graph as TOML; what is left at its default is left out."""
    data: dict[str, Any] = graph.model_dump(exclude_defaults=True, exclude_none=True)
    _refuse_functions(data, graph.name)
    lines = [f"name = {_value(graph.name)}"]
    lines += [f"{key} = {_value(data[key])}" for key in ("title", "domain") if key in data]
    lines += _table(["parameters"], data.get("parameters", {}))
    for name, item in data.get("elements", {}).items():
        lines += _table(["elements", name], {"type": item["type"], **item}, deep=False)
    for table in ("bonds", "initial", "run", "reference"):
        lines += _table([table], data.get(table, {}))
    return "\n".join(lines) + "\n"


def save(graph: BondGraph, path: str | Path) -> None:
    """Write a graph that `load` reads back equal."""
    text = to_toml(graph)
    whole(path, lambda file: file.write_text(text, encoding="utf-8"))


def json_schema() -> dict[str, Any]:
    """The schema of a file.

    >>> sorted(json_schema()["properties"])[:3]
    ['bonds', 'domain', 'elements']
    """
    from ...model.schema import _Schema

    schema = BondGraph.model_json_schema(schema_generator=_Schema)
    return {"$schema": _Schema.schema_dialect, **schema, "title": "biela bond graph"}
