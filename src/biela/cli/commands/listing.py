"""`biela list` and `biela schema`: what there is, straight from the registries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from ...errors import MethodError, Problem
from .. import options as o
from ..guard import emit, guarded
from ..reading import channels_of, read_model
from ..writing import can_write, write_text

Rows = tuple[tuple[str, ...], list[Sequence[str]]]
"""headers, rows"""

What = Annotated[
    str,
    typer.Argument(
        metavar="[WHAT]",
        help="mechanisms, formulations, integrators, coordinates, bodies, joints, forces, or channels NAME.",
    ),
]
Of = Annotated[
    str | None, typer.Argument(metavar="[NAME|FILE]", help="For channels: which mechanism.", show_default=False)
]


@guarded
def list_(what: What = "mechanisms", name: Of = None, as_json: o.Json = False) -> None:
    """Show what there is: mechanisms, methods, joints, forces, channels of a mechanism."""
    headers, rows = _rows(what.lower(), name)
    if as_json:
        emit([dict(zip(headers, row, strict=True)) for row in rows])
        return
    from ..show import console, table

    console().print(table(*headers, rows=rows))


@guarded
def schema(
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE.json", help="Write it.")] = None,
) -> None:
    """Print the JSON Schema of model files, for editors and other programs."""
    import json

    from ...model.schema import json_schema

    if output is not None:
        can_write(output, (".json",))
    text = json.dumps(json_schema(), indent=2, ensure_ascii=False)
    if output is None:
        print(text)
    else:
        write_text(output, text + "\n")
        print(f"wrote {output}")


def _rows(what: str, name: str | None) -> Rows:
    if what == "channels":
        if name is None:
            raise MethodError(Problem("channels of which mechanism?", cure="biela list channels double-pendulum"))
        return ("channel", "unit"), list(channels_of(read_model(name)).items())
    if name is not None:
        raise MethodError(Problem(f"unexpected argument {name!r}", cure=f"biela list {what}"))
    if what not in TABLES:
        raise MethodError(Problem(f"there is no list of {what!r}", cure=f"one of: {', '.join(TABLES)}, channels NAME"))
    return TABLES[what]()


def _mechanisms() -> Rows:
    from ... import library

    models = [library.load(name) for name in library.names()]
    return ("mechanism", "what", "source"), [(m.name, m.title, m.reference.source) for m in models]


def _formulations() -> Rows:
    from ...methods.options import uses
    from ...methods.registry import FORMULATIONS

    rows = []
    for f in FORMULATIONS.values():
        singular = "passes" if f.passes_singular else "stops"
        rows.append((f.name, f.title, f.source, ", ".join(uses(f)), singular))
    return ("formulation", "what", "source", "uses", "singular positions"), rows


def _integrators() -> Rows:
    from ...methods.registry import INTEGRATORS

    rows = []
    for i in INTEGRATORS.values():
        steps = "error-controlled" if i.adaptive else "fixed"
        rows.append((i.name, i.title, i.source, str(i.order), steps))
    return ("integrator", "what", "source", "order", "steps"), rows


def _coordinates() -> Rows:
    from ...system.system import COORDINATES

    sets = [(name, "set of coordinates", what) for name, what in COORDINATES.items()]
    relative = [(name, f"relative coordinate, {where}", text) for name, where, text in _kinds("coordinates")]
    return ("coordinates", "kind", "what"), [*sets, *relative]


def _items(kind: str, table: str) -> Callable[[], Rows]:
    def rows() -> Rows:
        return (kind, "in", "what"), list(_kinds(table))

    return rows


def _kinds(table: str) -> list[tuple[str, str, str]]:
    """(type, plane, space or both, first line of what it is) of every item of a kind."""
    from ...model.either import TYPES

    plane, space = TYPES[table]
    found = {(name, item): "both" if space.get(name) is item else "plane" for name, item in plane.items()}
    found |= {(name, item): "space" for name, item in space.items() if plane.get(name) is not item}
    return [(name, where, (item.__doc__ or "").strip().splitlines()[0]) for (name, item), where in found.items()]


TABLES: dict[str, Callable[[], Rows]] = {
    "mechanisms": _mechanisms,
    "formulations": _formulations,
    "integrators": _integrators,
    "coordinates": _coordinates,
    "bodies": _items("body", "bodies"),
    "joints": _items("joint", "joints"),
    "forces": _items("force", "forces"),
}
