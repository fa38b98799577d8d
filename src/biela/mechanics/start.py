"""Where things are at the start, as the model says: distances and angles that a joint keeps if it is given none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..model.resolved import GROUND, Direction, Place, ResolvedLine, ResolvedModel
from .vectors import add, inner, subtract, turn

if TYPE_CHECKING:
    from .scalars import Functions


class Start:
    """Positions and directions at the start, from the rough positions of points or the poses of bodies."""

    def __init__(self, resolved: ResolvedModel, functions: Functions):
        self.resolved, self.fn = resolved, functions

    def position(self, p: Place) -> tuple:
        """A place, in the ground's axes."""
        resolved = self.resolved
        if p.body == GROUND:
            return p.local
        if resolved.dimension == 3:
            pose = resolved.poses.get(p.body)
            return resolved.start[p.point] if pose is None else add(pose.origin, turn(pose.rotation, p.local))  # type: ignore[index]
        if p.point in resolved.start:
            return resolved.start[p.point]
        (c, s), at = self.frame(p.body)
        return (at[0] + c * p.local[0] - s * p.local[1], at[1] + s * p.local[0] + c * p.local[1])

    def frame(self, body: str) -> tuple:
        """In the plane: (cos, sin) and origin of a body's axes, from its two placed points that lie farthest apart."""
        if body == GROUND:
            return (1, 0), (0, 0)
        local = self.resolved.bodies[body].points
        start = {**self.resolved.start, **self.resolved.ground}
        known = [p for p in local if p in start]
        if len(known) < 2:  # a body with one point starts unrotated
            return (1, 0), subtract(start[known[0]], local[known[0]]) if known else (0, 0)
        pairs = [(a, b) for i, a in enumerate(known) for b in known[i + 1 :]]
        a, b = max(pairs, key=lambda ab: round(_square(local[ab[0]], local[ab[1]]), 9))
        e, d = subtract(local[b], local[a]), subtract(start[b], start[a])
        scale = self.fn.sqrt(inner(e, e) * inner(d, d))
        c, s = inner(e, d) / scale, (e[0] * d[1] - e[1] * d[0]) / scale
        la = local[a]
        return (c, s), (start[a][0] - c * la[0] + s * la[1], start[a][1] - s * la[0] - c * la[1])

    def vector(self, line: ResolvedLine) -> tuple:
        """The vector of a line, in the ground's axes."""
        v = line.vector
        if not isinstance(v, Direction):
            return subtract(self.position(v.end), self.position(v.start))
        if self.resolved.dimension == 3:
            return v.local if v.body == GROUND else turn(self.resolved.poses[v.body].rotation, v.local)
        (c, s), _ = self.frame(v.body)
        return (c * v.local[0] - s * v.local[1], s * v.local[0] + c * v.local[1])

    def distance(self, a: Place, b: Place) -> Any:
        """Between two places."""
        d = subtract(self.position(b), self.position(a))
        return self.fn.sqrt(inner(d, d))

    def angle(self, *lines: ResolvedLine) -> Any:
        """From the first to the second line in the plane; in space of w, with tan = v.w / u.w."""
        vectors = [self.vector(line) for line in lines]
        if len(vectors) == 3:
            u, v, w = vectors
            return self.fn.atan2(inner(v, w), inner(u, w))
        a, b = vectors
        return self.fn.atan2(a[0] * b[1] - a[1] * b[0], inner(a, b))


def _square(a: tuple, b: tuple) -> float:
    d = [float(x) - float(y) for x, y in zip(a, b, strict=True)]
    return sum(x * x for x in d)
