"""`biela list` and `biela schema`: what there is, straight from the registries."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

from ...errors import MethodError, Problem
from .. import options as o
from ..files import can_write, write_text
from ..options import argument, option
from ..output import finish, list_rows
from ..reading import channels_of, read_model

Rows = tuple[tuple[str, ...], Sequence[Sequence[str]]]
"""headers, rows"""
WHAT = "mechanisms, formulations, integrators, coordinates, bodies, joints, forces, or channels NAME."


def list_(
    what: Annotated[str, argument("[WHAT]", WHAT, show_default=True)] = "mechanisms",
    name: Annotated[str | None, argument("[NAME|FILE]", "For channels: which mechanism.")] = None,
    as_json: o.Json = False,
) -> None:
    """Show what there is: mechanisms, methods, joints, forces, channels of a mechanism."""
    list_rows(*_rows(what.lower(), name), as_json)


def schema(output: Annotated[Path | None, option("FILE.json", "Write it.", "-o", "--output")] = None) -> None:
    """Print the JSON Schema of model files, for editors and other programs."""
    from ...model.schema import json_schema

    can_write(output, (".json",))
    text = json.dumps(json_schema(), indent=2, ensure_ascii=False)
    if output is not None:
        write_text(output, text)
    finish(text if output is None else f"wrote {output}")


def _rows(what: str, name: str | None) -> Rows:
    if what == "channels":
        if name is None:
            raise MethodError(Problem("channels of which mechanism?", cure="biela list channels double-pendulum"))
        return ("channel", "unit"), list(channels_of(read_model(name)).items())
    if name is not None:
        raise MethodError(Problem(f"unexpected argument {name!r}", cure=f"biela list {what}"))
    if what not in LISTS:
        raise MethodError(Problem(f"there is no list of {what!r}", cure=f"one of: {', '.join(LISTS)}, channels NAME"))
    return LISTS[what]()


def _mechanisms() -> Rows:
    from ... import library

    models = [library.load(name) for name in library.names()]
    return ("mechanism", "what", "source"), [(m.name, m.title, m.reference.source) for m in models]


def _formulations() -> Rows:
    from ...methods.options import uses
    from ...methods.registry import FORMULATIONS

    rows = [(f.name, f.title, f.source, ", ".join(uses(f)), "passes" if f.passes_singular else "stops")
            for f in FORMULATIONS.values()]  # fmt: skip
    return ("formulation", "what", "source", "uses", "singular positions"), rows


def _integrators() -> Rows:
    from ...methods.registry import INTEGRATORS

    rows = [(i.name, i.title, i.source, str(i.order), "error-controlled" if i.adaptive else "fixed")
            for i in INTEGRATORS.values()]  # fmt: skip
    return ("integrator", "what", "source", "order", "steps"), rows


def _coordinates() -> Rows:
    from ...system.system import COORDINATES

    sets = [(name, "set of coordinates", what) for name, what in COORDINATES.items()]
    relative = [(name, f"relative coordinate, {where}", text) for name, where, text in _types("coordinates")]
    return ("coordinates", "kind", "what"), [*sets, *relative]


def _types(table: str) -> list[tuple[str, str, str]]:
    """(type, plane, space or both, first line of what it is) of every item of a table of the model file."""
    from ...model.either import TYPES

    plane, space = TYPES[table]
    found = {(name, item): "both" if space.get(name) is item else "plane" for name, item in plane.items()}
    found |= {(name, item): "space" for name, item in space.items() if plane.get(name) is not item}
    return [(name, where, (item.__doc__ or "").strip().splitlines()[0]) for (name, item), where in found.items()]


LISTS: dict[str, Callable[[], Rows]] = {
    "mechanisms": _mechanisms,
    "formulations": _formulations,
    "integrators": _integrators,
    "coordinates": _coordinates,
    "bodies": lambda: (("body", "in", "what"), list(_types("bodies"))),
    "joints": lambda: (("joint", "in", "what"), list(_types("joints"))),
    "forces": lambda: (("force", "in", "what"), list(_types("forces"))),
}
