"""Everything as a file: the model, the motion as a table, pictures, the player, the report, a comparison."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import BielaError, MethodError, Problem
from ...results.result import Result
from . import Answer, plain
from .model_text import read
from .running import default_channels, simulated, study, summary

if TYPE_CHECKING:
    from ..worker import Watch

ROWS = 2000
"""of a table, unless told otherwise: as many whenever it is exported"""


def export(request: dict[str, Any], watch: Watch) -> Answer:
    """The bytes of a file, and the name it should have."""
    kind = str(request.get("kind"))
    if kind not in KINDS:
        raise MethodError(Problem(f"nothing is exported as {kind!r}", cure=f"one of: {', '.join(KINDS)}"))
    ending, media, make = KINDS[kind]
    head = {"file": f"{read(request).name}{ending}", "media": media}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"export{Path(ending).suffix}"
        make(request, watch, path)
        return Answer(path.read_bytes(), head)


def _model(request: dict[str, Any], watch: Watch, path: Path) -> None:
    path.write_bytes(str(request["text"]).encode())


def _table(request: dict[str, Any], watch: Watch, path: Path) -> None:
    request = {**request, "settings": {"samples": ROWS, **(request.get("settings") or {})}}
    result = simulated(request, watch)
    names = _channels(request, result) or None
    if path.suffix == ".csv":
        result.to_csv(path, names)
    else:
        data = plain({**summary(result), "columns": result.table(names)})
        path.write_text(json.dumps(data, allow_nan=False, ensure_ascii=False) + "\n", encoding="utf-8")


def _film(request: dict[str, Any], watch: Watch, path: Path) -> None:
    result = simulated(request, watch)
    watch.began = None  # a film has a time of its own
    result.animate().save(path, progress=lambda fraction: watch(fraction, 0))


def _plot(request: dict[str, Any], watch: Watch, path: Path) -> None:
    result = simulated(request, watch)
    result.plot(*(_channels(request, result) or default_channels(result)), path=path)


def _channels(request: dict[str, Any], result: Result) -> list[str]:
    return [name for name in request.get("channels") or () if name in result]


def _report(request: dict[str, Any], watch: Watch, path: Path) -> None:
    """About a run, or about a model that cannot be simulated, of which the page says why."""
    from ...views.report import report

    try:
        subject = simulated(request, watch)
    except BielaError:
        if {"coordinates", "formulation", "integrator"} & set(request.get("settings") or ()):
            raise  # what was asked for does not go together
        subject = read(request)
    report(subject, path)


def _sketch(request: dict[str, Any], watch: Watch, path: Path) -> None:
    simulated(request, watch).sketch(path=path)


KINDS: dict[str, tuple[str, str, Callable[[dict[str, Any], Watch, Path], object]]] = {
    "model": (".toml", "application/toml", _model),
    "csv": ("-motion.csv", "text/csv", _table),
    "json": ("-motion.json", "application/json", _table),
    "player": ("-player.html", "text/html", lambda request, watch, path: simulated(request, watch).animate(path)),
    "gif": ("-film.gif", "image/gif", _film),
    "mp4": ("-film.mp4", "video/mp4", _film),
    "sketch-svg": ("-sketch.svg", "image/svg+xml", _sketch),
    "sketch-png": ("-sketch.png", "image/png", _sketch),
    "plot-svg": ("-plot.svg", "image/svg+xml", _plot),
    "plot-png": ("-plot.png", "image/png", _plot),
    "report": ("-report.html", "text/html", _report),
    "comparison": ("-comparison.csv", "text/csv", lambda request, watch, path: study(request, watch).to_csv(path)),
}
"""what a file ends in, what it is, and how it is made"""
