"""One self-contained page: data, script and style in a single file that needs no server and no network."""

from __future__ import annotations

import json
import re
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

SCRIPTS = ("decode", "frames", "theme", "camera", "signs", "plane", "solids", "space", "overlays", "stage", "pointer",
           "curves", "plots", "panel", "controls", "player")  # fmt: skip
"""files of web/, in the order they are put together"""


def _read(name: str) -> str:
    return files("biela.views.player").joinpath("web", name).read_text(encoding="utf-8")


@cache
def script() -> str:
    """The player's script: it defines `BielaPlayer.mount(element, data, options)`."""
    return "\n".join(_read(f"{name}.js") for name in SCRIPTS)


@cache
def stylesheet() -> str:
    """The player's style, everything below the class `biela-player`."""
    return _read("player.css")


def page(data: dict[str, Any], options: dict[str, Any] | None = None) -> str:
    """A whole HTML page that plays the data.

    `options` are those of `BielaPlayer.mount`: autoplay, loop, speed, theme, plots, names, vectors, ...
    """
    parts = {
        "%TITLE%": escape(str(data.get("title", "")) or "biela"),
        "%STYLE%": stylesheet(),
        "%SCRIPT%": script().replace("</script", "<\\/script"),
        "%DATA%": for_script(data),
        "%OPTIONS%": for_script(options or {}),
    }
    # in one pass: what is put in is not looked at again, whatever names it holds
    return re.sub("|".join(parts), lambda key: parts[key[0]], _read("page.html"))


def for_script(data: Any) -> str:
    """JSON that is safe inside a script element, whatever names a model has.

    >>> for_script({"name": "</script><!--"})
    '{"name":"\\\\u003c/script>\\\\u003c!--"}'
    """
    text = json.dumps(data, allow_nan=False, separators=(",", ":"), ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
