"""Checking a text while it is written: what is wrong and on which line, else what can be shown and turned."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from ...analysis.assembly.assemble import assemble
from ...analysis.check.check import check as check_model
from ...errors import BielaError
from ...results.motion import Motion
from ..controls import controls
from ..problems import told_problems
from .dragging import handles
from .model_text import read

if TYPE_CHECKING:
    from ..worker import Watch


def check(request: dict[str, Any], watch: Watch) -> dict[str, Any]:
    """Mistakes; and of a model that can be assembled its sliders, handles and channels."""
    text = str(request["text"])
    out: dict[str, Any] = {"ok": False, "problems": [], "controls": [], "handles": [], "channels": {}}
    try:
        data = tomllib.loads(text)
        out["controls"] = controls(data)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        data = {}
    try:
        model = read({**request, "values": None})
        out["name"], out["title"] = model.name, model.title
        system = assemble(model)
        motion = Motion.at_start(system)
        resolved = system.resolved
        out["dimension"] = resolved.dimension
        out["run"] = {"duration": resolved.duration, "step": resolved.step}
        out["channels"] = {name: motion.unit(name) for name in motion.channels()}
        out["handles"] = handles(text, data, motion, bool(request.get("drag")))
        out["counts"] = f"{len(resolved.bodies)} bodies, {len(resolved.joints)} joints, {len(resolved.forces)} forces"
        out["notes"] = system.notes
        out["ok"] = True
    except BielaError as error:
        out["problems"] = told_problems(error, text)
    return out


def full_check(request: dict[str, Any], watch: Watch) -> dict[str, Any]:
    """The whole report of `biela check`."""
    report = check_model(read(request))
    return {"text": report.text(), "data": report.data()}
