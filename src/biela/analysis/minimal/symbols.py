"""The least number of equations in symbols, for small mechanisms (001 15.6): in angles from the ground, or in the
velocities of the joints."""

from __future__ import annotations

from pathlib import Path

from ...errors import MethodError, Problem
from ...model.model import Model
from ...model.resolve import resolve
from ..assembly.assemble import as_model, assemble, refuse_unknown_coordinates
from ..events.describe import refuse_events
from .absolute_angles import AbsoluteReduction
from .equations import MinimalSymbols
from .tree import TreeReduction


def minimal_equations(
    model: Model | str | Path,
    independent: list[str] | None = None,
    coordinates: str | None = None,
    angles: str = "absolute",
) -> MinimalSymbols:
    """The least number of equations in symbols. `independent` names coordinates of the model, "crank.angle", ...

    `coordinates`: those whose S and S' are written out, v = S z' (without it reference-point ones in the plane, as
    001 has them, and relative ones in space). `angles`: "absolute", from the ground, or "relative", those of the joints
    (in space always); then z are velocities of the joints. Of a model with stops they are the equations between events.
    """
    refuse_unknown_coordinates(coordinates)
    if angles not in ("absolute", "relative"):
        raise MethodError(Problem(f"there are no angles {angles!r}", cure="one of: absolute, relative"))
    model = as_model(model)
    numbers = resolve(model)
    refuse_events(numbers, "minimal equations in symbols", stops=False)
    space = numbers.dimension == 3
    wanted = coordinates if coordinates not in (None, "auto") else "relative" if space else "reference-point"
    reduction = TreeReduction if space or angles == "relative" else AbsoluteReduction
    symbolic, system = resolve(model, symbolic=True), assemble(model, "relative")
    return reduction(model, symbolic, numbers, system).result(independent, str(wanted))
