"""A weld."""

from __future__ import annotations

from typing import Literal

from ..items import Scalar
from ..resolved import ResolvedJoint
from .joint import JointReader, Path, PlaneJoint, SpaceJoint
from .primitives import Equations, Side, View, coincident, constant_angle, parallel, same_axes, same_place, unturned


class Fixed(PlaneJoint):
    """A weld: two bodies keep their relative position. `points` meet (not needed if a point is shared)."""

    type: Literal["fixed"]
    bodies: tuple[str, str]
    points: tuple[str, str] | None = None
    angle: Scalar | None = None

    freedoms = ()
    pins = True
    turns_with_lines = True
    as_drawn = "angle"

    def resolve(self, read: JointReader) -> ResolvedJoint | None:
        ctx, (a, b) = read.ctx, self.bodies
        known = [ctx.body(body, f"{read.where}.bodies") for body in self.bodies]
        value = read.scalar("angle", "angle")
        if a == b:
            return read.wrong(f"joint {read.name!r} welds {a!r} to itself", "bodies", "", "name two different bodies")
        if not all(known):
            return None
        pair = ()
        if self.points is not None:
            found = [read.place(p, "points", body) for p, body in zip(self.points, self.bodies)]
            if found[0] is None or found[1] is None:
                return None
            # A point that both bodies share needs no equation.
            pair = () if self.points[0] == self.points[1] else (found[0], found[1])
        elif not any(set(self.bodies) <= set(owners) for owners in ctx.owners.values()):
            what = f"joint {read.name!r}: {a!r} and {b!r} share no point"
            cure = f"add points = [a point of {a!r}, the point of {b!r} that meets it]"
            return read.wrong(what, "", "nothing says where they are welded", cure)
        axes = tuple(read.x_axis(body) for body in self.bodies)
        return read.joint(places=pair, lines=axes, value=value, bodies=self.bodies)

    @staticmethod
    def equations(j: ResolvedJoint, see: View) -> Equations:
        angle = see.angle_at_start(*j.lines) if j.value is None else j.value
        rows = same_place(see.place(j.places[0]), see.place(j.places[1])) if j.places else []
        u, v = (see.vector(line) for line in j.lines)
        return rows + constant_angle(u, v, see.fn.cos(angle), see.fn.sin(angle))

    @staticmethod
    def path(j: ResolvedJoint) -> Path | None:
        """With a known angle only."""
        if j.value is None or not j.places:
            return None
        return Path(j.places[0], j.places[1], None, (j.lines[0], j.lines[1], j.value))


class SpaceFixed(SpaceJoint):
    """A weld: two bodies keep the relative position they start with."""

    type: Literal["fixed"]

    freedoms = ()
    turning = (True, True)
    anywhere = True
    shares_point, shared_axes = True, ("e1", "e2", "e3")
    sign = "weld"

    @staticmethod
    def equations(i: Side, j: Side, *_: object) -> Equations:
        return coincident(i, j) + parallel(i, j) + unturned(i, j)

    @classmethod
    def assembly_equations(cls, i: Side, j: Side, *_: object) -> Equations:
        return coincident(i, j) + same_axes(i, j, 0, 2)
