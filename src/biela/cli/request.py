"""What commands ask of a simulation: the options of a run as flags, all made from `methods.options`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

from ..methods.options import OPTIONS
from . import options as o
from .reading import channels_of, number
from .watch import Watch

if TYPE_CHECKING:
    from ..model.model import Model
    from ..results.result import Result


@dataclass(frozen=True)
class Request:
    """A simulation as it was asked for on the command line."""

    coordinates: str | None = None
    formulation: str | None = None
    integrator: str | None = None
    duration: str | None = None
    samples: int = 1000
    options: dict[str, Any] = field(default_factory=dict)
    """those of `methods.options`, as they were written"""

    def arguments(self) -> dict[str, Any]:
        """Arguments of `biela.simulate`; nonsense is refused here, before any model is read.

        >>> Request(options={"step": "2 ms", "starter": None}).arguments()["step"]
        0.002
        """
        out: dict[str, Any] = {
            "t_end": number("--duration", self.duration, "time"),
            "coordinates": self.coordinates,
            "formulation": self.formulation,
            "integrator": self.integrator,
            "samples": self.samples,
        }
        for name, value in self.options.items():
            kind = OPTIONS[name]
            out[name] = number(o.flag(name), value, kind.kind) if kind.is_quantity else value
        return out

    def channels_of(self, model: Model) -> dict[str, str]:
        """Channel -> unit of what it gives, without running it."""
        return channels_of(model, self.coordinates, self.formulation, self.integrator)

    def simulate(self, model: Model, quiet: bool, checkpoint: Path | None = None) -> Result:
        """Run it, watched."""
        arguments = self.arguments()
        with Watch(model.name, quiet, keeps=checkpoint is not None) as watch:
            from ..analysis.simulate.simulate import simulate

            return simulate(model, progress=watch, checkpoint=checkpoint, **arguments)


def _run_options() -> dict[str, tuple[Any, Any]]:
    """All options of a run, in the order in which help shows them: what each is, and its default."""
    out: dict[str, tuple[Any, Any]] = {"coordinates": (o.Coordinates, None), "formulation": (o.Formulation, None)}
    out["integrator"] = (o.Integrator, None)
    for name, option in OPTIONS.items():
        kind: Any = {"count": int | None, "flag": bool}.get(option.kind, str | None)
        out[name] = Annotated[kind, o.of_a_run(name)], False if option.kind == "flag" else None
    return {**out, "duration": (o.Duration, None), "samples": (o.Samples, Request.samples)}


def with_run_options(*without: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command whose parameter `request` is a `Request`: on the command line it is all the options of a run, but for
    those that the command goes without."""
    offered = {name: known for name, known in _run_options().items() if name not in without}

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(command, include_extras=True)
        parameters: list[inspect.Parameter] = []
        for p in inspect.signature(command).parameters.values():
            if p.name != "request":
                parameters.append(p.replace(annotation=hints[p.name], kind=p.KEYWORD_ONLY))
                continue
            for name, (kind, default) in offered.items():
                parameters.append(inspect.Parameter(name, p.KEYWORD_ONLY, default=default, annotation=kind))

        @functools.wraps(command)
        def inner(**values: Any) -> None:
            asked = {name: values.pop(name) for name in offered if name in values}
            own = {name: asked.pop(name) for name in list(asked) if name not in OPTIONS}
            request = Request(**own, options=asked)
            request.arguments()
            command(request=request, **values)

        inner.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        inner.__annotations__ = {p.name: p.annotation for p in parameters}
        return inner

    return decorate
