"""A model whose one driver moves a coordinate from here to there at a constant rate."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from ...errors import MethodError, Problem
from ...model.model import Model
from ..assembly.assemble import assemble
from .inputs import is_angle


def driven(model: Model, coordinate: str, start: float | None, stop: float | None, rate: float) -> tuple[Model, float]:
    """A copy of the model whose only driver moves the coordinate from start to stop, and the time that it takes."""
    if rate == 0 or not np.isfinite(rate):
        raise MethodError(Problem(f"rate = {rate} is not possible", cure="give a finite rate other than zero"))
    free = model.model_copy(update={"drivers": {}})
    probe = type(model).model_validate(
        {**given_data(free), "drivers": {"input_": {"coordinate": coordinate, "law": 0.0}}}
    )
    present = present_value(probe, free, coordinate)
    begin = present if start is None else float(start)
    angular = is_angle(model, coordinate)
    if stop is None:
        if not angular:
            raise MethodError(Problem(f"how far should {coordinate!r} move?", cure="give stop="))
        stop = begin + 2 * pi
    if stop == begin:
        raise MethodError(Problem("start and stop are the same", where=coordinate, cure="give a range"))
    speed = abs(rate) if stop > begin else -abs(rate)
    law = f"{float(begin)!r} + ({float(speed)!r})*t"
    moved = type(model).model_validate(
        {
            **given_data(free),
            "drivers": {"input_": {"coordinate": coordinate, "law": law}},
            "initial": {"position": {}, "velocity": {}},
        }
    )
    return moved, abs(stop - begin) / abs(rate)


def given_data(model: Model) -> dict[str, Any]:
    """What a model says, section by section."""
    return {name: getattr(model, name) for name in type(model).model_fields if name in model.model_fields_set}


def present_value(probe: Model, free: Model, coordinate: str) -> float:
    """The value of a coordinate in the assembled mechanism."""
    from ...mechanics.measure import measure
    from ...model.resolve import resolve

    resolved = resolve(probe)  # knows an implicit BODY.angle, and complains about unknown names
    system = assemble(free, "mixed")
    here = system.posture(system.q0)
    if coordinate in resolved.coordinates:
        return float(measure(here, resolved.coordinates[coordinate])[0][0])
    point, axis = coordinate.rsplit(".", 1)
    return float(here.place(resolved.place(point))[0][0]["xyz".index(axis)])
