"""What a joint asks for while it is resolved: places, lines, coordinates and numbers by its keys.

Whatever is wrong is reported, with the name of the joint and the key; the answer is then None.
"""

from __future__ import annotations

from typing import Any

from .. import expression as ex
from ..items import Bearers, Line
from ..resolved import GROUND, Direction, Guess, Number, Place, ResolvedCoordinate, ResolvedJoint, ResolvedLine
from . import places
from .bearers import borne, borne_pair
from .context import Reader
from .coordinates import target
from .equations import user_equation


class _JointItem(Reader):
    """A joint."""

    table = "joints"

    def joint(self, **facts: Any) -> ResolvedJoint:
        """The joint with what was found."""
        return ResolvedJoint(self.name, self.item.type, **facts)


class JointReader(_JointItem):
    """A joint between bodies: its points and lines."""

    def place(self, point: str, key: str, body: str | None = None) -> Place | None:
        """Where a point is fixed: in `body` if given, else in the ground, else in its first rigid body."""
        return places.place(self.ctx, point, self._at(key), body)

    def points(self, key: str) -> tuple[Place, Place] | None:
        """Two different points that can move against each other."""
        return places.places(self.ctx, getattr(self.item, key), self._at(key), f"joint {self.name!r}")

    def borne(self, point: str, user: str, on: str | None) -> Place | None:
        """The place where it acts on a point: on the body named, else on the one that bears what acts there."""
        return borne(self.ctx, point, self.where, user, on)

    def borne_pair(self, points: tuple[str, str], on: Bearers | None) -> tuple[Place, Place] | None:
        """The same for its two ends."""
        return borne_pair(self.ctx, points, self.where, f"joint {self.name!r}", on)

    def line(self, given: Line, key: str, needs_start: bool = False, may_stretch: bool = False) -> ResolvedLine | None:
        """A line of a body; `needs_start`: through a point; `may_stretch`: perhaps between two bodies."""
        return places.line(self.ctx, given, self._at(key), needs_start, may_stretch)

    def x_axis(self, body: str) -> ResolvedLine:
        """The line of a body that its angle is counted by."""
        return self.ctx.x_axis(body)

    def apart(self, a: ResolvedLine | None, b: ResolvedLine | None) -> tuple[ResolvedLine, ResolvedLine] | None:
        """Two lines that exist and belong to different bodies."""
        if a is None or b is None:
            return None
        shared = sorted(a.bodies & b.bodies)
        if shared:
            body = "the ground" if shared[0] == GROUND else repr(shared[0])
            what = f"joint {self.name!r} joins two lines of one body"
            return self.wrong(what, "", f"both belong to {body}", "name lines of different bodies")
        return a, b

    def positive_distance(self, length: Number | None, instead: str) -> None:
        """A length that it keeps, if it is given one. `instead`: the joint for points that stay together."""
        if length is not None and self.value(length) <= 0:
            what = f"joint {self.name!r} keeps a distance of {self.value(length):g} m"
            why = "two points at no distance have no direction between them"
            cure = f"give a positive length; for points that stay together use {instead}"
            self.wrong(what, "length", why, cure)


class CouplingReader(_JointItem):
    """A joint between coordinates."""

    def coordinate(self, text: str, key: str, types: tuple[str, ...]) -> ResolvedCoordinate | None:
        """A relative coordinate of one of these types, which the equations now need."""
        found = target(self.ctx, text, self._at(key), "coupled")
        if found is None:
            return None
        wanted = " or ".join(types)
        if not isinstance(found, ResolvedCoordinate):
            cure = f"declare a coordinate of type {' or '.join(map(repr, types))}, and couple that"
            return self.wrong(f"joint {self.name!r} cannot couple a point's coordinate", key, repr(text), cure)
        if found.type not in types:
            what = f"joint {self.name!r} needs {'an' if wanted[0] == 'a' else 'a'} {wanted} here"
            gears = "; a rack-and-pinion couples an angle with a position" if types == ("angle",) else ""
            why = f"{text!r} is {'an' if found.type[0] == 'a' else 'a'} {found.type}"
            return self.wrong(what, key, why, f"name a coordinate of type {wanted}{gears}")
        self.ctx.acted_on.add(found.name)
        return found

    def positive(self, key: str, kind: str, otherwise: str) -> Number:
        """A number that must be positive. `otherwise`: what to do for those that are not."""
        number = self.scalar(key, kind)
        if self.value(number) <= 0:
            what, why = f"the {key} of joint {self.name!r} is not positive", f"{self.value(number):g}"
            self.wrong(what, key, why, f"give {key} > 0; {otherwise}")
        return number

    def mesh(self, what: str, *coordinates: ResolvedCoordinate) -> None:
        """Which teeth meet is as drawn."""
        vectors = [line.vector for c in coordinates for line in c.lines]
        bodies = [v.body if isinstance(v, Direction) else v.start.body for v in vectors]
        bodies += [place.body for c in coordinates for place in c.places]
        moving = tuple(dict.fromkeys(b for b in bodies if b in self.ctx.bodies))
        self.ctx.guesses.append(Guess(f"{what} mesh as drawn", moving))

    def equation(self, text: str) -> ex.Node | None:
        """An equation of coordinates, points and time."""
        return user_equation(self.ctx, self.name, text, self._at("equation"))
