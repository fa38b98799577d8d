"""Methods compared, as `biela compare` does it, row by row as they come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...analysis.compare import PAIRS
from ...analysis.compare import compare as compared
from ...errors import MethodError, Problem
from ...model.units import UnitError, parse_quantity
from . import Answer
from .reading import read

if TYPE_CHECKING:
    from ..worker import Watch


def compare(request: dict[str, Any], watch: Watch) -> Answer:
    """The table of 000: methods downwards, steps across."""
    model = read(request)
    pairs = [str(pair) for pair in request.get("pairs") or PAIRS]
    steps = [_time("step", text) for text in request.get("steps") or ()]
    duration = request.get("duration")
    told = None if duration in (None, "") else _time("duration", duration)
    table = compared(model, pairs, steps or None, told, tell=watch.say)
    return Answer.of({**table.data(), "text": table.text()})


def _time(name: str, text: Any) -> float:
    try:
        quantity = parse_quantity(str(text))
    except UnitError as error:
        raise MethodError(Problem(f"{name} = {text!r} cannot be understood", why=str(error))) from None
    if quantity is None or not quantity.value > 0:
        raise MethodError(Problem(f"{name} = {text!r} is not a time", cure='such as 1e-3 or "10 ms"'))
    return quantity.value
