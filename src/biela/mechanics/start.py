"""Where things are at the start, as the model says: distances and angles that a joint keeps if it is given none."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from ..model.resolved import GROUND, Direction, Place, Pose, ResolvedLine, ResolvedModel
from ..model.vectors import Vec, dot, out_of_plane, subtract, times

if TYPE_CHECKING:
    from .scalars import Functions


class Start:
    """Positions and directions at the start: from the poses of bodies in space, from the points they are drawn by in
    the plane."""

    def __init__(self, resolved: ResolvedModel, functions: Functions):
        self.resolved, self.fn = resolved, functions

    def position(self, p: Place) -> Vec:
        """A place, in the ground's axes."""
        if p.body == GROUND:
            return p.local
        if p.point in self.resolved.start and p.body not in self.resolved.poses:
            return self.resolved.start[p.point]
        return self.pose(p.body).point(p.local)

    def pose(self, body: str) -> Pose:
        """That of the model; in the plane by the two placed points of the body that lie farthest apart."""
        if body in self.resolved.poses:
            return self.resolved.poses[body]
        local = self.resolved.bodies[body].points
        start = {**self.resolved.start, **self.resolved.ground}
        known = [p for p in local if p in start]
        if len(known) < 2:  # a body with one point starts unrotated
            return Pose(subtract(start[known[0]], local[known[0]]) if known else (0, 0), ((1, 0), (0, 1)))
        a, b = max(combinations(known, 2), key=lambda ab: round(_square(local[ab[0]], local[ab[1]]), 9))
        e, d = subtract(local[b], local[a]), subtract(start[b], start[a])
        scale = self.fn.sqrt(dot(e, e) * dot(d, d))
        c, s = dot(e, d) / scale, out_of_plane(e, d) / scale
        rotation = (c, -s), (s, c)
        return Pose(subtract(start[a], times(rotation, local[a])), rotation)

    def vector(self, line: ResolvedLine) -> Vec:
        """The vector of a line, in the ground's axes."""
        v = line.vector
        if not isinstance(v, Direction):
            return subtract(self.position(v.end), self.position(v.start))
        return v.local if v.body == GROUND else self.pose(v.body).turn(v.local)

    def distance(self, a: Place, b: Place) -> Any:
        """Between two places."""
        d = subtract(self.position(b), self.position(a))
        return self.fn.sqrt(dot(d, d))

    def angle(self, *lines: ResolvedLine) -> Any:
        """From the first to the second line in the plane; in space of w, with tan = v.w / u.w."""
        u, *others, w = (self.vector(line) for line in lines)
        return self.fn.atan2(dot(others[0], w) if others else out_of_plane(u, w), dot(u, w))


def _square(a: tuple, b: tuple) -> float:
    return sum((float(x) - float(y)) ** 2 for x, y in zip(a, b, strict=True))
