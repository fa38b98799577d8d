"""Range of motion: how far a coordinate can go both ways, and whether it turns fully."""

from __future__ import annotations

from dataclasses import dataclass
from math import degrees, pi
from pathlib import Path

from ...errors import AssemblyError, BielaError, MethodError, Problem
from ...model.model import Model
from ...model.resolve import resolve
from ...model.resolve.expansion import without_repeats
from ...system.system import typical_length
from ..assembly.assemble import as_model, with_sections
from .dead_point import DeadPoint
from .inputs import default_coordinate, is_angle, present_value
from .kinematics import KinematicResult, kinematics

ASIDE = 0.3
"""how far to go from a limit in which a mechanism is assembled: radians, or sizes of the mechanism"""
REACH = 50.0
"""lengths are followed this many sizes of the mechanism"""


@dataclass(frozen=True)
class RangeOfMotion:
    """The limits of a coordinate, from where the mechanism is assembled.

    >>> import biela
    >>> biela.range_of_motion("four-bar", "crank.angle").full_turn
    True
    >>> print(biela.range_of_motion("four-bar", "rocker.angle"))
    rocker.angle goes from 108.21 deg to 155.853 deg (47.6432 deg)
      from: O, A, B in line
      to:   O, A, B in line
    """

    coordinate: str
    angular: bool
    present: float
    lower: float | None
    """None: it goes on without end"""
    upper: float | None
    full_turn: bool
    """an angle that goes round and round"""
    limits: tuple[DeadPoint | None, DeadPoint | None]
    dead_points: tuple[DeadPoint, ...] = ()
    """passed on the way"""

    @property
    def span(self) -> float:
        """From limit to limit; a whole turn, or inf, where there are none."""
        if self.lower is None or self.upper is None:
            return 2 * pi if self.full_turn else float("inf")
        return self.upper - self.lower

    def __str__(self) -> str:
        if self.full_turn:
            return f"{self.coordinate} turns fully"
        ends = [_written(x, self.angular) for x in (self.lower, self.upper)]
        out = f"{self.coordinate} goes from {ends[0]} to {ends[1]}"
        if self.lower is not None and self.upper is not None:
            out += f" ({_written(self.span, self.angular)})"
        for word, point in zip(("from: ", "to:   "), self.limits, strict=True):
            if point is not None:
                out += f"\n  {word}" + (f"{', '.join(point.line)} in line" if point.line else ", ".join(point.parts))
        return out


def _written(x: float | None, angular: bool) -> str:
    if x is None:
        return "wherever it likes"
    return f"{degrees(x):.6g} deg" if angular else f"{x:.6g} m"


def range_of_motion(
    model: Model | str | Path, coordinate: str | None = None, count: int = 181, branch: int | None = None
) -> RangeOfMotion:
    """How far a coordinate can be moved both ways before the mechanism can go no further.

    It is followed in `count` steps each way: an angle for a whole turn, a length for 50 sizes of the mechanism. The
    coordinate alone moves the mechanism (the model's drivers are set aside), so it must have one freedom. Stops are not
    regarded: it is the range that the joints leave.
    """
    model = without_repeats(as_model(model))
    if coordinate is None:
        coordinate = default_coordinate(model)
    angular = is_angle(model, coordinate)
    far = 2 * pi if angular else REACH * _size(model)
    here = begin = present_value(model, coordinate)
    try:
        first = kinematics(model, coordinate, begin, begin + far, count, branch=branch)
    except AssemblyError as refused:
        try:
            model = _beside(model, coordinate)
        except BielaError:
            raise refused from None
        begin = present_value(model, coordinate)
        first = kinematics(model, coordinate, begin, begin + far, count, branch=branch)
    sweeps = [first]
    if not (first.ok and angular):  # round once: it goes round for ever, and the other way too
        sweeps.append(kinematics(model, coordinate, begin, begin - far, count, branch=branch))
    up = _end(first)
    down = None if len(sweeps) == 1 else _end(sweeps[1])
    full = angular and up is None
    if angular and not full and down is None:
        why = "in one direction it stops, in the other it does not, within a turn"
        raise MethodError(Problem(f"the range of {coordinate} is not clear", why=why, cure="ask with a larger count"))
    passed = tuple(p for sweep in sweeps for p in sweep.dead_points if p.kind != "limit")
    lower, upper = (None if p is None else p.value for p in (down, up))
    return RangeOfMotion(coordinate, angular, here, lower, upper, full, (down, up), passed)


def _beside(model: Model, coordinate: str) -> Model:
    """The same mechanism some way off, moved by another coordinate: where it is assembled is a limit of this one."""
    other = default_coordinate(model)
    if other == coordinate or resolve(model).dimension == 3:
        raise MethodError(Problem(f"{coordinate!r} cannot move from where the mechanism is assembled"))
    here = present_value(model, other)
    moved = kinematics(model, other, here, here + ASIDE * (1.0 if is_angle(model, other) else _size(model)), 21)
    points = {p: tuple(moved.final[p]) for p in model.points}
    return with_sections(model, points=points, initial={"position": {}, "velocity": {}})


def _end(sweep: KinematicResult) -> DeadPoint | None:
    """The limit that a sweep ran into."""
    return next((p for p in sweep.dead_points if p.kind == "limit"), None)


def _size(model: Model) -> float:
    return max(typical_length(resolve(model)), 1e-12)
