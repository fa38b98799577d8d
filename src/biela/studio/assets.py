"""The files of the page: a fixed list, read from the package."""

from __future__ import annotations

from importlib.resources import files

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
