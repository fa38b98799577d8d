"""Freedoms: the slides and turns that lead from the first body of a joint to the second.

A tree of relative coordinates follows them in this order (001 15.5); a slide or a turn with a name is a coordinate of
the joint, "J.position".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

SLIDE, TURN, BALL = "slide", "turn", "ball"
X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)


@dataclass(frozen=True)
class Step:
    """One freedom (three for a ball): its kind, and its axis in the axes of the joint."""

    kind: str
    axis: tuple[Any, Any, Any] = Z
    pitch: Any = 0
    name: str = ""
    """the coordinate it is"""

    @property
    def freedom(self) -> int:
        return 3 if self.kind == BALL else 1


def slide(name: str, axis: tuple = Z) -> Step:
    """A displacement along X, Y or Z of the joint; in the plane X is its line."""
    return Step(SLIDE, axis, name=name)


def turn(name: str, axis: tuple = Z) -> Step:
    """A turn about an axis; one that is a coordinate by itself is about Z, the axis of the joint."""
    return Step(TURN, axis, name=name)


def ball() -> Step:
    """Any turn, by a quaternion."""
    return Step(BALL)
