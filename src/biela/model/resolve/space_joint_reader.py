"""What a joint in space asks for while it is resolved: its two bodies, where in each of them it is, its axis, and the
triads that say how it stands in both.

Whatever is wrong is reported, with the name of the joint and the key; the answer is then None.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from .. import vectors as v
from ..resolved import GROUND, Frame, Number, Place, ResolvedJoint, Vec
from .context import TINY, Context
from .joint_reader import JointReader
from .naming import did_you_mean, listed
from .places import COORDINATE_AXES, direction, directions

Ends = tuple[Place, Place]
Frames = tuple[Frame, Frame]


class Crossed(NamedTuple):
    """Two axes at an angle, one of each body."""

    ends: Ends
    frames: Frames
    angle: Number
    """as given, or as at the start"""
    start: Number


class SpaceReader(JointReader):
    """One joint of a spatial model."""

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
        return joint_between(self.name, type or self.item.type, pair, triads, value, terms)

    # ------------------------------------------------------------------------------------------------ its two places
    def ends(self) -> Ends | None:
        """Its places in its two bodies."""
        ctx, pair = self.ctx, self._bodies()
        if pair is None:
            return None
        known = [ctx.body(body, self._at("bodies"), axes) for body, axes in zip(pair, self.item.turning)]
        if pair[0] == pair[1]:
            what = f"joint {self.name!r} joins {ctx.called(pair[0])} to itself"
            return self.wrong(what, "bodies", "", f"name two different bodies; one may be {GROUND!r}")
        return self._places(pair) if all(known) else None

    def _bodies(self) -> tuple[str, str] | None:
        """As given; or the two that own the point, or one each of the points, where the joint is."""
        at = self.item.at
        if self.item.bodies is not None:
            return self.item.bodies
        what = f"joint {self.name!r} does not say which bodies it joins"
        cure = "add bodies = [i, j]; one may be 'ground'"
        if at is None or (len(at) == 3 and not isinstance(at, str)):
            return self.wrong(what, "", "", cure)
        names = (at,) if isinstance(at, str) else at
        found = [self.ctx.owners.get(str(point)) for point in names]
        for point, owners in zip(names, found):
            if owners is None:
                self.place(str(point), "at")  # reports it
            elif len(owners) != 3 - len(names):
                return self.wrong(what, "", f"point {point!r} belongs to {listed(owners)}", cure)
        if None in found:
            return None
        both = [body for owners in found if owners for body in owners]
        return both[0], both[1]

    def _places(self, pair: tuple[str, str]) -> Ends | None:
        ctx, at = self.ctx, self.item.at
        if at is None:
            shared = [p for p, owners in ctx.owners.items() if set(pair) <= set(owners)]
            if self.item.anywhere and len(shared) != 1:  # at the origin of the second body
                return self._both(pair, ctx.pose(pair[1]).origin)
            if len(shared) == 1:
                return self._named(shared[0], pair)
            told = f"share the points {listed(shared)}" if shared else "share no point"
            why = f"{ctx.called(pair[0])} and {ctx.called(pair[1])} {told}"
            cure = "add at = a point of both, [a point of the first, a point of the second], or [x, y, z]"
            return self.wrong(f"joint {self.name!r} does not say where it is", "", why, cure)
        if isinstance(at, str):
            return self._named(at, pair)
        if len(at) == 2:
            found = [self.place(str(point), "at", body) for point, body in zip(at, pair)]
            return (found[0], found[1]) if found[0] and found[1] else None
        return self._both(pair, ctx.vector(at, self._at("at")))

    def _named(self, point: str, pair: tuple[str, str]) -> Ends | None:
        """At a point of both bodies, or of one of them; or at one that only says where the joint is."""
        ctx, owners = self.ctx, self.ctx.owners.get(point)
        mine = [body for body in pair if owners and body in owners]
        if owners is None:
            cure = did_you_mean(point, ctx.owners, "points")
            return self.wrong(f"there is no point {point!r}", "at", "", cure)
        if owners and not mine:
            what = f"point {point!r} belongs to neither {ctx.called(pair[0])} nor {ctx.called(pair[1])}"
            cure = "name a point of one of them, or give at = [x, y, z]"
            return self.wrong(what, "at", f"it belongs to {listed(owners)}", cure)
        ctx.marks.add(point)
        home = self.place(point, "at", mine[0]) if mine else None
        if len(mine) == 2:
            second = self.place(point, "at", pair[1])
            return (home, second) if home and second else None
        return self._both(pair, ctx.at_start(home) if home else ctx.position(point), home)

    def _both(self, pair: tuple[str, str], start: Vec, known: Place | None = None) -> Ends:
        """Where a position of the ground is in both bodies; a shared point that is there gives it its name."""
        ctx, found = self.ctx, []
        for body in pair:
            if known and known.body == body:
                found.append(known)
            elif body != GROUND and ctx.bodies[body].particle:
                point, xyz = next(iter(ctx.bodies[body].points.items()))
                found.append(Place(body, xyz, point))
            else:
                found.append(Place(body, ctx.local(body, start)))
        for point, owners in ctx.owners.items():
            if set(pair) <= set(owners):
                here = [ctx.place_in(point, body) for body in pair]
                if all(self._close(a.local, b.local) for a, b in zip(here, found)):
                    return here[0], here[1]
        return found[0], found[1]

    def _close(self, a: Vec, b: Vec) -> bool:
        apart, size = self.ctx.scalars.vector(v.subtract(a, b)), self.ctx.scalars.vector(a)
        return max(map(abs, apart)) <= TINY * max(map(abs, size), default=0.0) + 1e-14

    # -------------------------------------------------------------------------------------------------- axes, triads
    def axes(self, pair: Ends) -> tuple[Vec, Vec] | None:
        """Its unit axis in each of its bodies.

        One vector is in the ground's axes, where the bodies start; a pair is one in each body's own axes.
        """
        ctx, given, where, bodies = self.ctx, self.item.axis, self._at("axis"), (pair[0].body, pair[1].body)
        if not isinstance(given, str) and len(given) == 2:
            found = [direction(ctx, one, body, where, f"joint {self.name!r}") for one, body in zip(given, bodies)]
            return (found[0], found[1]) if found[0] and found[1] else None
        if isinstance(given, str):
            homes = [body for body in bodies if given in directions(ctx, body)]
            if len(homes) == 2:
                return directions(ctx, bodies[0])[given], directions(ctx, bodies[1])[given]
            if homes:
                vector = ctx.pose(homes[0]).turn(directions(ctx, homes[0])[given])
            elif given in COORDINATE_AXES:
                vector = ctx.identity[COORDINATE_AXES.index(given)]
            else:
                known = [key for body in bodies for key in directions(ctx, body)]
                cure = did_you_mean(given, [*dict.fromkeys(known), *COORDINATE_AXES], "directions")
                what = f"no direction {given!r} in {ctx.called(bodies[0])} and {ctx.called(bodies[1])}"
                return self.wrong(what, "axis", f"joint {self.name!r} needs it", cure)
        else:
            vector = ctx.direction(given, where, f"the axis of joint {self.name!r}")
        if vector is None:
            return None
        return ctx.pose(bodies[0]).turn_back(vector), ctx.pose(bodies[1]).turn_back(vector)

    def along(self, pair: Ends, axes: tuple[Vec, Vec], zero: Number | None = None) -> Frames:
        """Triads on an axis of each body, whose e1 make the angle `zero` where the bodies start."""
        first = self.ctx.perpendicular(axes[0])
        second = self._facing(self.carried(first, pair[0].body, pair[1].body), axes[1])
        if zero is not None:
            second = v.turned(second, axes[1], *self.ctx.scalars.direction(zero))
        return _triad(pair[0], axes[0], first), _triad(pair[1], axes[1], second)

    def parallel(self, pair: Ends) -> Frames:
        """Triads that lie along the ground's axes where the bodies start."""
        return parallel_frames(self.ctx, pair)

    def crossed(self, if_parallel: str) -> Crossed | None:
        """Ends and triads of a joint that keeps the `angle` between an axis of each body: it cannot be 0 or 180 deg,
        where it says too little. Each e1 is where the other axis shows, across its own, at the start."""
        given = self.scalar("angle", "angle")
        pair = self.ends()
        found = self.axes(pair) if pair else None
        if pair is None or found is None:
            return None
        start = self.ctx.angle_between(*(self.ctx.pose(end.body).turn(x) for end, x in zip(pair, found)))
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
        e1 = [self._facing(self.carried(found[1 - k], pair[1 - k].body, pair[k].body), found[k]) for k in (0, 1)]
        return Crossed(pair, (_triad(pair[0], found[0], e1[0]), _triad(pair[1], found[1], e1[1])), angle, start)

    def _facing(self, vector: Vec, axis: Vec) -> Vec:
        """The unit vector across an axis in the direction of another; any, if that lies along the axis."""
        across = v.across(vector, axis)
        return self.ctx.perpendicular(axis) if self.ctx.size(across) < TINY else self.ctx.unit(across) or across

    # ------------------------------------------------------------------------------------------------------- numbers
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

    # ------------------------------------------------------------------------------------------ where things start
    def _apart(self, pair: Ends) -> Vec:
        return v.subtract(self.ctx.at_start(pair[1]), self.ctx.at_start(pair[0]))

    def distance_along(self, pair: Ends, axis: Vec) -> float:
        """How far the second end starts from the first, along an axis of the first body."""
        return self.value(v.dot(self._apart(pair), self.ctx.pose(pair[0].body).turn(axis)))

    def angle_to_axis(self, pair: Ends, axis: Vec) -> float | None:
        """The angle between an axis of the first body and the line from end to end, None if that has no length."""
        d = self._apart(pair)
        if not self.ctx.size(d) > 0:
            return None
        return self.value(self.ctx.angle_between(self.ctx.pose(pair[0].body).turn(axis), d))

    def carried(self, axis: Vec, first: str, second: str) -> Vec:
        """An axis of one body as another one has it at the start."""
        return self.ctx.pose(second).turn_back(self.ctx.pose(first).turn(axis))


def joint_between(
    name: str, type: str, pair: Ends, triads: Frames, value: Number | None = None, terms: tuple = ()
) -> ResolvedJoint:
    """A joint between two bodies."""
    bodies = (pair[0].body, pair[1].body)
    return ResolvedJoint(name, type, places=pair, bodies=bodies, frames=triads, value=value, terms=terms)


def parallel_frames(ctx: Context, pair: Ends) -> Frames:
    """Triads that lie along the ground's axes where the bodies start."""
    i, j = (Frame(end, *(ctx.pose(end.body).turn_back(axis) for axis in ctx.identity)) for end in pair)
    return i, j


def _triad(end: Place, axis: Vec, e1: Vec) -> Frame:
    return Frame(end, e1, v.cross(axis, e1), axis)
