"""Running a model: the motion for the player, curves, and how good it is; and methods compared."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

from ...analysis.compare.compare import PAIRS
from ...analysis.compare.compare import compare as compared
from ...analysis.compare.study import Comparison
from ...analysis.numbers import number, whole_number
from ...analysis.simulate.simulate import simulate
from ...errors import BielaError, MethodError, Problem
from ...methods.options import OPTIONS
from ...results.result import Result
from ..problems import in_the_pages_words, told_problems
from .model_text import read
from .sampling import LIVE, sampled

if TYPE_CHECKING:
    from ..worker import Watch

KINDS = {"coordinates": "word", "formulation": "word", "integrator": "word", "duration": "time", "samples": "count"}
"""what is set of a run beside its options, and of which kind each is"""


def run(request: dict[str, Any], watch: Watch) -> dict[str, Any]:
    """The motion and how it went, or what is wrong."""
    began = perf_counter()
    try:
        result = simulated(request, watch)
        # who cancels does not want to wait for every curve and arrow of what there is
        told = shown(result, {**request, "live": True} if watch.ended_by else request)
    except BielaError as error:
        return {"problems": told_problems(error, str(request["text"]))}
    return {**told, "ended_by": watch.ended_by, "engine_s": perf_counter() - began}


def simulated(request: dict[str, Any], watch: Watch) -> Result:
    """The result of a request: with the samples that were asked for, else with those that the motion needs."""
    settings, live = settings_of(request), bool(request.get("live"))
    model = read(request)
    if "samples" in settings:
        most = LIVE[1] if live else settings["samples"]
        return simulate(model, progress=watch, **{**settings, "samples": min(settings["samples"], most)})
    about = hash((request["text"], tuple(sorted((k, str(v)) for k, v in settings.items()))))
    return sampled(model, settings, watch, live, about)


def shown(result: Result, request: dict[str, Any]) -> dict[str, Any]:
    """A result as the page wants it: of a live run what is on the screen, else all that fits."""
    from ...views.player import scene_data
    from ...views.scene.vectors import UNITS

    if not request.get("live"):
        return {"player": scene_data(result), "summary": summary(result)}
    names = [name for name in request.get("channels") or () if name in result] or default_channels(result)
    arrows = [kind for kind in request.get("vectors") or () if kind in UNITS]
    data = scene_data(result, channels=names, plots=names, vectors=arrows)
    return {"player": data, "summary": summary(result)}


def default_channels(result: Result) -> list[str]:
    """What to look at first: the curve that tells most, and how well the energy is kept."""
    from ...views.curves.figures import telling

    return [telling(result)[0], "energy.error" if "energy.error" in result else "energy.total"]


def summary(result: Result) -> dict[str, Any]:
    """How it went, in words and numbers."""
    tr = result.trajectory
    return {
        "ok": result.ok,
        "status": result.status.name,
        "message": result.message,
        "cure": in_the_pages_words(result.verdict.cure if result.finished else result.cure),
        "verdict": result.verdict.data(),
        "notes": result.notes,
        "quality": result.quality(),
        "method": result.method,
        "duration": result.duration,
        "t_end": float(result.t[-1]),
        "steps": tr.steps,
        "evaluations": tr.evaluations,
        "wall_s": tr.wall,
        "energy_error": tr.energy_error,
        "energy_scale": result.energy_scale,
        "violation": tr.violation,
    }


def settings_of(request: dict[str, Any]) -> dict[str, Any]:
    """Arguments of `biela.simulate`: those that were filled in; numbers may have units."""
    filled_in = request.get("settings") or {}
    if not isinstance(filled_in, dict):
        raise MethodError(Problem("settings are names with values", why=repr(filled_in)[:80]))
    chosen = {k: v for k, v in filled_in.items() if v not in (None, "", "auto")}
    known = (*KINDS, *OPTIONS)
    unknown = [name for name in chosen if name not in known]
    if unknown:
        raise MethodError(Problem(f"there is no setting {unknown[0]!r}", cure=f"one of: {', '.join(known)}"))
    out: dict[str, Any] = {}
    for name, value in chosen.items():
        kind = OPTIONS[name].kind if name in OPTIONS else KINDS[name]
        types = {"word": str, "flag": bool}.get(kind, (str, int, float))
        if not isinstance(value, types) or (isinstance(value, bool) and kind != "flag"):
            what = {"word": "a name", "flag": "true or false"}.get(kind, "a number")
            raise MethodError(Problem(f"{name} = {repr(value)[:60]} is not {what}"))
        if kind == "count":
            value = whole_number(value, name)
        out["t_end" if name == "duration" else name] = value
    return out


# --------------------------------------------------------------------------------------------------- comparing
def compare(request: dict[str, Any], watch: Watch) -> dict[str, Any]:
    """The table of 000: methods downwards, steps across."""
    table = study(request, watch)
    return {**table.data(), "text": table.text()}


def study(request: dict[str, Any], watch: Watch) -> Comparison:
    """The comparison that a request asks for."""
    pairs = [str(pair) for pair in request.get("pairs") or PAIRS]
    steps = [_positive("step", text, "time") for text in request.get("steps") or ()]
    tolerances = [_positive("tolerance", text, "number") for text in request.get("tolerances") or ()]
    duration = request.get("duration")
    told = None if duration in (None, "") else _positive("duration", duration, "time")
    return compared(read(request), pairs, steps or None, told, tell=watch.say, tolerances=tolerances or None)


def _positive(name: str, text: Any, kind: str) -> float:
    value = number(text, name, kind)
    if not value > 0:
        raise MethodError(Problem(f"{name} = {text!r} is not possible", cure="give a positive number"))
    return value
