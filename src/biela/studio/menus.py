"""What the page's menus hold, straight from the registries."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from .. import __version__


@cache
def menus() -> dict[str, Any]:
    """Mechanisms of the library, sets of coordinates, formulations and integrators with the options each uses."""
    from .. import library
    from ..analysis.compare.compare import PAIRS
    from ..methods.options import uses
    from ..methods.registry import FORMULATIONS, INTEGRATORS
    from ..system.system import COORDINATES

    return {
        "version": __version__,
        "library": [{"name": name, "title": _title(library.path(name))} for name in library.names()],
        "coordinates": [{"name": name, "title": title} for name, title in COORDINATES.items()],
        "formulations": [{"name": f.name, "title": f.title, "uses": uses(f)} for f in FORMULATIONS.values()],
        "integrators": [{"name": i.name, "title": i.title, "direct": bool(i.direct), "uses": uses(i)}
                        for i in INTEGRATORS.values()],
        "pairs": list(PAIRS),
    }  # fmt: skip


def _title(path: Path) -> str:
    with open(path, "rb") as file:
        return str(tomllib.load(file).get("title", ""))
