"""Everything as a file: the model, the motion as a table, pictures, the player, the report."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import BielaError, MethodError, Problem
from ...model.model import Model
from ...results.result import Result
from . import Answer, plain
from .model_text import read
from .running import default_channels, simulated, study, summary

if TYPE_CHECKING:
    from ..worker import Watch

ROWS = 2000
"""of a table, unless told otherwise"""
Make = Callable[[Result, Path, list[str]], object]

KINDS: dict[str, tuple[str, str]] = {
    "model": (".toml", "application/toml"),
    "csv": ("-motion.csv", "text/csv"),
    "json": ("-motion.json", "application/json"),
    "player": ("-player.html", "text/html"),
    "gif": ("-film.gif", "image/gif"),
    "mp4": ("-film.mp4", "video/mp4"),
    "sketch-svg": ("-sketch.svg", "image/svg+xml"),
    "sketch-png": ("-sketch.png", "image/png"),
    "plot-svg": ("-plot.svg", "image/svg+xml"),
    "plot-png": ("-plot.png", "image/png"),
    "report": ("-report.html", "text/html"),
    "comparison": ("-comparison.csv", "text/csv"),
}
"""what a file ends in, and what it is"""


def export(request: dict[str, Any], watch: Watch) -> Answer:
    """The bytes of a file, and the name it should have."""
    kind = str(request.get("kind"))
    if kind not in KINDS:
        raise MethodError(Problem(f"nothing is exported as {kind!r}", cure=f"one of: {', '.join(KINDS)}"))
    suffix, media = KINDS[kind]
    model = read(request)
    head = {"file": f"{model.name}{suffix}", "media": media}
    if kind == "model":
        return Answer(str(request["text"]).encode(), head)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"export{Path(suffix).suffix}"
        if kind == "comparison":
            study(request, watch).to_csv(path)
        elif kind == "report":
            from ...views.report import report

            report(_subject(request, watch), path)
        else:
            if kind in ("csv", "json"):  # as many rows whenever it is exported
                request = {**request, "settings": {"samples": ROWS, **(request.get("settings") or {})}}
            result = simulated(request, watch)
            names = [name for name in request.get("channels") or () if name in result]
            if kind in ("gif", "mp4"):
                watch.began = None  # a film has a time of its own
                result.animate().save(path, progress=lambda fraction: watch(fraction, 0))
            else:
                _MAKERS[kind](result, path, names)
        return Answer(path.read_bytes(), head)


def _subject(request: dict[str, Any], watch: Watch) -> Result | Model:
    """What a report is about: a run, or a model that cannot be simulated, of which the page says why."""
    try:
        return simulated(request, watch)
    except BielaError:
        if {"coordinates", "formulation", "integrator"} & set(request.get("settings") or ()):
            raise  # what was asked for does not go together
        return read(request)


def _json(result: Result, path: Path, names: list[str]) -> None:
    table = plain({**summary(result), "columns": result.table(names or None)})
    path.write_text(json.dumps(table, allow_nan=False, ensure_ascii=False) + "\n", encoding="utf-8")


def _plot(result: Result, path: Path, names: list[str]) -> None:
    result.plot(*(names or default_channels(result)), path=path)


_MAKERS: dict[str, Make] = {
    "csv": lambda result, path, names: result.to_csv(path, names or None),
    "json": _json,
    "player": lambda result, path, names: result.animate(path),
    "sketch-svg": lambda result, path, names: result.sketch(path=path),
    "sketch-png": lambda result, path, names: result.sketch(path=path),
    "plot-svg": _plot,
    "plot-png": _plot,
}
