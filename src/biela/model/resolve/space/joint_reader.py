"""What a joint in space asks for while it is resolved: its ends in two bodies, its axes, and triads on them."""

from __future__ import annotations

import math
from typing import NamedTuple

from ...resolved import Number, Place, ResolvedJoint, Vec
from ..joint_reader import JointReader
from . import frames
from . import vectors as v
from .context import SpaceContext
from .ends import Ends, ends
from .frames import Frames


class Crossed(NamedTuple):
    """Two axes at an angle, one of each body."""

    ends: Ends
    frames: Frames
    angle: Number
    """as given, or as at the start"""
    start: Number


class SpaceReader(JointReader):
    """One joint of a spatial model."""

    ctx: SpaceContext

    def framed(self) -> ResolvedJoint | None:
        """A joint between frames on an axis of its own; along the ground's axes if its type has none."""
        zero = self.zero()
        pair = self.ends()
        if pair is None:
            return None
        if not self.item.axis_in:
            return self.made(pair, self.parallel(pair))
        if self.item.axis is None:
            cure = "add axis = [x, y, z] in the ground's axes, or line = [A, B], two points of a body, with point = P"
            return self.wrong(f"joint {self.name!r} has no axis", "", "", cure)
        found = self.axes(pair)
        return self.made(pair, self.along(pair, found, zero)) if found else None

    def made(
        self, pair: Ends, triads: Frames, value: Number | None = None, terms: tuple = (), type: str = ""
    ) -> ResolvedJoint:
        """The joint between two bodies."""
        return made(self.name, type or self.item.type, pair, triads, value, terms)

    # ------------------------------------------------------------------------------------ ends and axes
    def ends(self) -> Ends | None:
        """Its places in its two bodies."""
        return ends(self.ctx, self.name, self.item, self.item.turning, self.item.anywhere)

    def axes(self, pair: Ends) -> tuple[Vec, Vec] | None:
        """Its unit axis in each of its bodies."""
        return frames.axes(self.ctx, self.name, self.item.axis, pair)

    def along(self, pair: Ends, axes: tuple[Vec, Vec], zero: Number | None = None) -> Frames:
        """Triads on an axis of each body, whose e1 make the angle `zero` where the bodies start."""
        return frames.along(self.ctx, pair, axes, zero)

    def parallel(self, pair: Ends) -> Frames:
        """Triads that lie along the ground's axes where the bodies start."""
        return frames.parallel(self.ctx, pair)

    def crossed(self, if_parallel: str) -> Crossed | None:
        """Ends and triads of a joint that keeps the `angle` between an axis of each body: it cannot be 0 or 180 deg,
        where it says too little."""
        given = self.scalar("angle", "angle")
        pair = self.ends()
        found = self.axes(pair) if pair else None
        if pair is None or found is None:
            return None
        start = self.ctx.angle_between(*(v.to_ground(self.ctx.rotation(end.body), x) for end, x in zip(pair, found)))
        angle = start if given is None else given
        asked = math.degrees(self.value(angle))
        if abs(math.sin(math.radians(asked))) < 1e-6:
            cure = f"give axes that cross; for axes that stay parallel use {if_parallel}"
            key = "axis" if given is None else "angle"
            return self.wrong(f"the axes of joint {self.name!r} are parallel", key, f"they make {asked:g} deg", cure)
        if not (math.isnan(asked) or 0 < asked < 180):
            same = math.degrees(math.acos(math.cos(math.radians(asked))))
            what = f"the angle of joint {self.name!r} is not one that two axes make"
            cure = f"give angle = '{same:g} deg', which is the same between two axes"
            return self.wrong(what, "angle", f"{asked:g} deg is not between 0 and 180 deg", cure)
        return Crossed(pair, frames.crossed(self.ctx, pair, found), angle, start)

    # ---------------------------------------------------------------------------------------- numbers
    def zero(self) -> Number | None:
        """Its angle at the start. Where bodies start tells it within half a turn; whole turns are for `initial`."""
        zero = self.scalar("zero", "angle")
        degrees = 0.0 if zero is None else math.degrees(self.value(zero))
        if abs(degrees) > 180 + 1e-9:
            near = degrees - 360 * round(degrees / 360)
            turned = f"initial.position = {{ '{self.name}.angle' = '{degrees:g} deg' }}"
            cure = f"give zero = '{near:g} deg'; where whole turns count, with {turned}"
            what = f"the zero of joint {self.name!r} is beyond half a turn"
            self.wrong(what, "zero", f"it is {degrees:g} deg, the same place as {near:g} deg", cure)
        return zero

    def length(self, pair: Ends | None) -> Number | None:
        """The distance that it keeps: as given, or between its ends where they start."""
        length = self.scalar("length", "length")
        if length is None and pair is not None:
            length = self.ctx.scalars.length(self._apart(pair))
        self.positive_distance(length, "a spherical joint")
        return length

    # ------------------------------------------------------------------------------ where things start
    def _apart(self, pair: Ends) -> Vec:
        return v.sub(self.ctx.at_start(pair[1]), self.ctx.at_start(pair[0]))

    def distance_along(self, pair: Ends, axis: Vec) -> float:
        """How far the second end starts from the first, along an axis of the first body."""
        return self.value(v.dot(self._apart(pair), v.to_ground(self.ctx.rotation(pair[0].body), axis)))

    def angle_to_axis(self, pair: Ends, axis: Vec) -> float | None:
        """The angle between an axis of the first body and the way from end to end, None if that has no length."""
        d = self._apart(pair)
        if not self.value(self.ctx.scalars.length(d)) > 0:
            return None
        return self.value(self.ctx.angle_between(v.to_ground(self.ctx.rotation(pair[0].body), axis), d))

    def way(self, start: Place, end: Place) -> Vec | None:
        """The unit vector from one place of a body to another; None if they are one."""
        return self.ctx.unit(v.sub(end.local, start.local))

    def carried(self, axis: Vec, first: str, second: str) -> Vec:
        """An axis of one body as another one has it at the start."""
        return v.to_body(self.ctx.rotation(second), v.to_ground(self.ctx.rotation(first), axis))


def made(
    name: str, type: str, pair: Ends, triads: Frames, value: Number | None = None, terms: tuple = ()
) -> ResolvedJoint:
    """A joint between two bodies."""
    bodies = (pair[0].body, pair[1].body)
    return ResolvedJoint(name, type, places=pair, bodies=bodies, frames=triads, value=value, terms=terms)
