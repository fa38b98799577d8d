"""Running a model: the motion for the player, curves, and how good it is."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

from ...analysis.simulate.simulate import simulate
from ...errors import BielaError
from ...results.result import Result
from ..problems import in_the_pages_words, told_problems
from . import Answer
from .reading import read, settings_of
from .sampling import LIVE, sampled

if TYPE_CHECKING:
    from ..worker import Watch


def run(request: dict[str, Any], watch: Watch) -> Answer:
    """Simulate, and pack what the page shows."""
    return Answer.of(ran(request, watch))


def ran(request: dict[str, Any], watch: Watch) -> dict[str, Any]:
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
    """A result as the page wants it: of a live run what is on the screen, else all there is room for."""
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
