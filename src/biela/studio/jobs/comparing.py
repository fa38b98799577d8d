"""Methods compared, as `biela compare` does it, row by row as they come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...analysis.compare.compare import PAIRS
from ...analysis.compare.compare import compare as compared
from ...analysis.compare.study import Comparison
from ...analysis.numbers import number
from ...errors import MethodError, Problem
from . import Answer
from .reading import read

if TYPE_CHECKING:
    from ..worker import Watch


def compare(request: dict[str, Any], watch: Watch) -> Answer:
    """The table of 000: methods downwards, steps across."""
    table = study(request, watch)
    return Answer.of({**table.data(), "text": table.text()})


def study(request: dict[str, Any], watch: Watch) -> Comparison:
    """The comparison that a request asks for."""
    pairs = [str(pair) for pair in request.get("pairs") or PAIRS]
    steps = [_number("step", text, "time") for text in request.get("steps") or ()]
    tolerances = [_number("tolerance", text, "number") for text in request.get("tolerances") or ()]
    duration = request.get("duration")
    told = None if duration in (None, "") else _number("duration", duration, "time")
    return compared(read(request), pairs, steps or None, told, tell=watch.say, tolerances=tolerances or None)


def _number(name: str, text: Any, kind: str) -> float:
    value = number(text, name, kind)
    if not value > 0:
        raise MethodError(Problem(f"{name} = {text!r} is not possible", cure="give a positive number"))
    return value
