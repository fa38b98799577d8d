"""Laws that end before the run does: the root of a negative number, a division by zero, growth beyond all numbers.

A run that meets such a law stops, as a step that is not finite or that had to be too small. What is to be said is not
how the method noticed, but which formula has no value there.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

import numpy as np

from ...methods.status import Status
from ...model import expression as ex
from ...results.result import Result

AHEAD = 10.0 ** np.arange(-15, -2.5, 0.5)
"""shares of the time so far at which laws are evaluated before and after the end"""
GROWTH = 1e3
"""how many times larger than a thousandth of the time before: it grows without bounds"""
BEYOND = 1e100
"""forces of which no motion comes"""
TOO_FAST = 1e7
"""of a driver, m/s or rad/s"""
Point = tuple[float, float, float]
NOTICED = (
    Status.not_finite, Status.step_too_small, Status.position, Status.iteration, Status.no_inertia, Status.oracle
)  # fmt: skip
"""how methods notice"""


def law_that_ends(result: Result) -> str:
    """The law that has no value, or no bounds, where a run has stopped; nothing, where none is to blame."""
    if result.status not in NOTICED or not len(result.t):
        return ""
    with np.errstate(all="ignore"):
        for name, node, before, around in _courses(result):
            said = _ends(node, before, around)
            if said:
                return f"the law {ex.to_text(node)!r} of {name!r} {said}"
        return _too_fast(result)


def _too_fast(result: Result) -> str:
    """A driver that runs away from the first instant on."""
    t = result.trajectory.stopped_at or 0.0
    for d in result.system.resolved.drivers:
        if d.law.expression is not None:
            rate, _ = _value(ex.differentiate(d.law.expression, "t"), (t, 0.0, 0.0))
            if abs(rate) > TOO_FAST:
                return f"the law {ex.to_text(d.law.expression)!r} of {d.name!r} asks for a rate of {rate:.3g}/s"
    return ""


def _courses(result: Result) -> Iterator[tuple[str, ex.Node, Point, list[Point]]]:
    """Every formula, with (t, x, v) a little before the end, and around it."""
    t = result.trajectory.stopped_at or float(result.t[-1])
    steps = AHEAD * max(t, 1e-3 * result.duration)
    stages = np.arange(1, 9) / 8 * (result.trajectory.step or 0.0)  # where a fixed step evaluates
    around = [0.0, *(sign * step for step in steps for sign in (1.0, -1.0)), *stages]
    back = 1e-3 * max(t, 1e-3 * result.duration)
    for d in result.system.resolved.drivers:
        if d.law.expression is not None:
            yield d.name, d.law.expression, (t - back, 0.0, 0.0), [(t + s, 0.0, 0.0) for s in around]
    for f in result.system.equations.forces:
        if f.law.expression is None:
            continue
        x = v = a = 0.0
        if f.kind != "load":
            place, rate = (np.asarray(part, dtype=float) for part in result.force_motion(f)[:2])
            x, v = float(place[-1]), float(rate[-1])
            if len(rate) > 1 and result.t[-1] > result.t[-2]:
                a = float((rate[-1] - rate[-2]) / (result.t[-1] - result.t[-2]))
        ahead = [(t + s, x + s * v, v + s * a) for s in around]
        yield f.name, f.law.expression, (t - back, x - back * v, v - back * a), ahead


def _ends(node: ex.Node, before: Point, around: list[Point]) -> str:
    """How a law ends near a point, in words."""
    most, place = 0.0, around[0]
    for point in around:
        value, why = _value(node, point)
        if not isfinite(value):
            return f"has no value at {_arguments(node, point)}" + (f" ({why})" if why else "")
        if abs(value) > most:
            most, place = abs(value), point
    earlier = abs(_value(node, before)[0])
    if most > BEYOND or (most > GROWTH * earlier > 0.0 and most > GROWTH):
        return f"grows without bounds: it is {most:.3g} at {_arguments(node, place)}"
    return ""


def _value(node: ex.Node, point: Point) -> tuple[float, str]:
    try:
        return float(ex.evaluate(node, dict(zip("txv", point, strict=True)))), ""
    except (ex.ExpressionError, ArithmeticError, ValueError, TypeError) as error:
        return float("nan"), str(error)


def _arguments(node: ex.Node, point: Point) -> str:
    known = ex.names(node)
    return ", ".join(f"{name} = {value:.6g}" for name, value in zip("txv", point, strict=True) if name in known)
