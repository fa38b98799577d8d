"""What the page is made of: its files, a fixed list read from the package, and what its menus hold."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from .. import __version__

SCRIPT, STYLE = "text/javascript; charset=utf-8", "text/css; charset=utf-8"
ASSETS = {
    "index.html": "text/html; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "studio.css": STYLE,
    **{f"{name}.js": SCRIPT for name in "studio server drafts editor sliders motion handles panels player".split()},
    "player.css": STYLE,
}
"""address -> kind"""


def asset(name: str) -> tuple[bytes, str]:
    """Bytes and kind of one of them; the player's are put together by the player."""
    if name.startswith("player."):
        from ..views import player

        text = player.script() if name.endswith(".js") else player.stylesheet()
        return text.encode(), ASSETS[name]
    return files("biela.studio").joinpath("page", name).read_bytes(), ASSETS[name]


@cache
def menus() -> dict[str, Any]:
    """Mechanisms of the library, sets of coordinates, formulations and integrators with the options each
    uses, straight from the registries."""
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
