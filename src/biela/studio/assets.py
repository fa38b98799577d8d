"""The files of the page: a fixed list, read from the package."""

from __future__ import annotations

from importlib.resources import files

SCRIPT, STYLE = "text/javascript; charset=utf-8", "text/css; charset=utf-8"
ASSETS: dict[str, tuple[str, str, str]] = {
    "index.html": ("biela.studio", "page/index.html", "text/html; charset=utf-8"),
    "icon.svg": ("biela.studio", "page/icon.svg", "image/svg+xml"),
    "studio.css": ("biela.studio", "page/studio.css", STYLE),
    **{
        name: ("biela.studio", f"page/{name}", SCRIPT)
        for name in ("studio.js", "editor.js", "sliders.js", "server.js", "shape.js", "panels.js", "drafts.js")
    },
    "player.js": ("biela.views.player", "web/player.js", SCRIPT),
}
"""address -> (package, file in it, kind)"""


def asset(name: str) -> tuple[bytes, str]:
    """Bytes and kind of one of them."""
    package, path, media = ASSETS[name]
    return files(package).joinpath(path).read_bytes(), media
