"""A nut on a thread."""

from __future__ import annotations

import math
from typing import Any, Literal

from pydantic import Field

from ..items import Scalar
from ..resolved import Number, ResolvedJoint, Vec
from ..space_vectors import Axis
from .joint import Ends, SpaceJoint, SpaceReader
from .primitives import Equations, Side, View, on_axis, parallel, same_axes
from .steps import TURN, Step, Z, slide, turn


class Screw(SpaceJoint):
    """A thread: turning about the axis moves the second body along it, by the lead every turn.

    `zero` belongs to where it starts: position = lead/2pi times angle.
    """

    type: Literal["screw"]
    axis: Axis
    lead: Scalar = Field(description="Advance per turn, m.")
    zero: Scalar | None = None

    freedoms = slide("position"), turn("angle")
    axis_in = (0, 1)
    shared_axes = ("e3",)
    sign = "thread"

    def resolve(self, read: SpaceReader) -> ResolvedJoint | None:
        zero = read.zero()
        lead = self._lead(read)
        pair = read.ends()
        found = read.axes(pair) if pair else None
        if pair is None or found is None:
            return None
        position, angle = f"{read.name}.position", f"{read.name}.angle"
        read.ctx.acted_on |= {position, angle}
        terms = (position, read.ctx.scalars.exact(1.0)), (angle, -lead / (2 * read.ctx.pi))
        if zero is not None:
            _on_the_thread(read, pair, found[0], zero, lead)
        return read.made(pair, read.along(pair, found, zero), lead, terms)

    def _lead(self, read: SpaceReader) -> Number:
        """The lead per turn; one given per angle ("5 mm/rev") is per radian inside, and made per turn again."""
        lead: Any = read.scalar("lead", "length")
        if read.value(lead) == 0:
            what, cure = f"the lead of screw {read.name!r} is zero", "give lead in m per turn; or use a revolute joint"
            read.wrong(what, "lead", "turning it moves nothing", cure)
        return lead * 2 * read.ctx.pi if read.ctx.scalars.per_angle(self.lead) else lead

    @staticmethod
    def equations(i: Side, j: Side, joint: ResolvedJoint, see: View) -> Equations:
        """Those of a sleeve on a shaft, and the advance tied to the angle."""
        total: Any = 0
        for name, factor in joint.terms:
            total = total + see.coordinate(name) * factor
        return parallel(i, j) + on_axis(i, j) + [("ratio", total)]

    @classmethod
    def assembly_equations(cls, i: Side, j: Side, joint: ResolvedJoint, see: View) -> Equations:
        return cls.equations(i, j, joint, see) + same_axes(i, j, 2)

    @classmethod
    def steps(cls, joint: ResolvedJoint, fn: Any) -> tuple[tuple[Step, ...], None]:
        """A tree advances and turns together."""
        return (Step(TURN, Z, joint.value / (2 * fn.pi), "angle"),), None  # type: ignore[operator]


def _on_the_thread(read: SpaceReader, pair: Ends, axis: Vec, zero: Number, lead: Number) -> None:
    """The angle of a screw belongs to its position: another one would move the body from where it was put."""
    here = read.distance_along(pair, axis)
    angle, pitch = read.value(zero), read.value(lead)
    asked = pitch * angle / (2 * math.pi)
    if abs(angle) <= math.pi and abs(asked - here) > 0.01 * abs(pitch):
        what = f"the zero of screw {read.name!r} does not belong to where it starts"
        why = f"at {math.degrees(angle):g} deg its position is {asked:g} m, but it starts at {here:g} m"
        turned = f"initial.position = {{ '{read.name}.angle' = '{math.degrees(angle):g} deg' }}"
        cure = f"leave zero out; to start turned, and moved along the axis, give {turned}"
        read.wrong(what, "zero", why, cure)
