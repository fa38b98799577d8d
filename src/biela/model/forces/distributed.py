"""Loads along a line, over a surface, through a volume (000 2.3).

All of them do the virtual power of a few point forces fixed to the body, and become these: whatever knows point forces
knows them. A place on a line is linear in its ends, one on a rigid body in any four of its points: the integral of the
load times the share of each is the force there.   [C.17], [C.18]
"""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from ..items import Law, Scalar
from ..resolved import Place, ResolvedForce, ResolvedLaw
from ..vectors import cross, dot, subtract, three
from .force import Force, ForceReader

FLAT = 1e-6
"""of its size: by how much the corners of a surface may be out of one plane"""


class DistributedLoad(Force):
    """A load spread `over` two points of a body (a line: N/m), three or more (corners of a surface: N/m^2) or nothing
    (its volume: N/m^3). Along a line it may change evenly, from `value` to `end`."""

    type: Literal["distributed"]
    body: str
    over: list[str] | None = None
    value: Annotated[tuple[Law, ...], Field(min_length=2, max_length=3)]
    end: Annotated[tuple[Law, ...], Field(min_length=2, max_length=3)] | None = None
    volume: Scalar | None = None
    axes: str = "ground"
    scale: Scalar | None = None

    def resolve(self, read: ForceReader) -> list[ResolvedForce]:
        known = [read.body("body", axes=False, ground=False), read.body("axes")]
        over = self.over
        kind = "load per volume" if over is None else "load per length" if len(over) == 2 else "load per area"
        laws = read.laws("value", kind)
        end = None if self.end is None else read.laws("end", kind)
        if self.end is not None and (over is None or len(over) != 2):
            why, cure = "only along a line it may change", "over = [A, B], or leave the end out"
            read.wrong(f"load {read.name!r} has an `end`, but no line", "end", why, cure)
            return []
        if self.volume is not None and over is not None:
            why = "it is spread over the one or the other"
            read.wrong(f"load {read.name!r} has a volume and points", "volume", why, "leave one of them out")
            return []
        if not all(known):
            return []
        if over is None:
            return self._through(read, laws)
        if len(over) < 2 or len(set(over)) < len(over):
            what = f"load {read.name!r} is spread over {', '.join(over) or 'nothing'}"
            read.wrong(what, "over", "", "name two points for a line, three or more for a surface, each once")
            return []
        places = [read.place(point, self.body, "over") for point in over]
        found = [place for place in places if place is not None and place.body == self.body]
        if len(found) < len(over):
            return []
        return self._along(read, over, found, laws, end) if len(over) == 2 else self._over(read, over, found, laws)

    def _along(
        self, read: ForceReader, over: list[str], found: list[Place], laws: list[ResolvedLaw],
        end: list[ResolvedLaw] | None,
    ) -> list[ResolvedForce]:  # fmt: skip
        """Forces at the two ends of a line."""
        length = read.length(tuple(b - a for a, b in zip(*(place.local for place in found), strict=True)))
        if end is None:
            parts = [(over[k], length / 2, laws, found[k]) for k in (0, 1)]
        else:  # what is spread evenly from p to 0: a third of p l at the one end, a sixth at the other
            parts = [(over[k], length / (3 if k == 0 else 6), laws, found[k]) for k in (0, 1)]
            parts += [(f"end.{over[k]}", length / (6 if k == 0 else 3), end, found[k]) for k in (0, 1)]
        return [read.share(f".{label}", share, which, place, self.axes) for label, share, which, place in parts]

    def _over(
        self, read: ForceReader, over: list[str], found: list[Place], laws: list[ResolvedLaw]
    ) -> list[ResolvedForce]:
        """The resultant at the centroid of a surface."""
        surface = _surface(np.array([[float(read.value(x)) for x in place.local] for place in found]))
        if surface is None:
            what = f"the corners of load {read.name!r} are the corners of no flat surface"
            cure = "name them round the edge of a flat surface that does not cross itself"
            read.wrong(what, "over", ", ".join(over), cure)
            return []
        area, middle = _exact_surface(read, found) if read.symbolic else surface
        return [read.share("", area, laws, Place(self.body, tuple(middle)), self.axes)]

    def _through(self, read: ForceReader, laws: list[ResolvedLaw]) -> list[ResolvedForce]:
        """The resultant at the centre of mass: that of the volume, as a homogeneous body has it."""
        size = read.scalar("volume", "volume")
        if size is None:
            density = read.density(self.body)
            if density is None:
                why = f"body {self.body!r} has no density, so that its mass does not tell its volume"
                cure = "give volume = ..., or the density of the body in place of its mass"
                read.wrong(f"load {read.name!r} goes through a volume that is not known", "", why, cure)
                return []
            size = read.mass(self.body) / density
        if not (value := read.value(size)) > 0:
            read.wrong(f"the volume of load {read.name!r} is not positive", "", f"{value:g} m^3", "give a volume > 0")
            return []
        return [read.share("", size, laws, Place(self.body, read.center(self.body)), self.axes)]

    def components(self) -> int | None:
        return len(self.value)


def _surface(corners: np.ndarray) -> tuple[float, list[float]] | None:
    """Area and centroid of a flat polygon; None where it is none.

    >>> _surface(np.array([[0, 0], [3, 0], [0, 3.0]]))
    (4.5, [1.0, 1.0])
    """
    p = corners if corners.shape[1] == 3 else np.column_stack([corners, np.zeros(len(corners))])
    rays = p[1:] - p[0]
    crossed = 0.5 * np.cross(rays[:-1], rays[1:])
    total = crossed.sum(axis=0)
    area, size = float(np.linalg.norm(total)), float(np.abs(rays).max())
    if not area > 1e-9 * size * size:
        return None
    normal = total / area
    shares = crossed @ normal / area
    if np.abs(rays @ normal).max() > FLAT * size or _crosses_itself(p, normal):
        return None
    middle = p[0] + (shares[:, None] * (rays[:-1] + rays[1:]) / 3).sum(axis=0)
    return area, [float(x) for x in middle[: corners.shape[1]]]


def _exact_surface(read: ForceReader, corners: list[Place]) -> tuple[Any, list[Any]]:
    """The same, exactly, of a polygon that is known to be one."""
    axes, p = len(corners[0].local), [three(place.local) for place in corners]
    rays = [subtract(x, p[0]) for x in p[1:]]
    crossed = [cross(a, b) for a, b in pairwise(rays)]
    total = tuple(sum(parts) for parts in zip(*crossed, strict=True))
    size = dot(total, total)
    shares = [dot(one, total) / size for one in crossed]
    thirds = [tuple((x + y) / 3 for x, y in zip(a, b, strict=True)) for a, b in pairwise(rays)]
    middle = [p[0][k] + sum(share * third[k] for share, third in zip(shares, thirds, strict=True)) for k in range(axes)]
    return read.length(total) / 2, middle


def _crosses_itself(p: np.ndarray, normal: np.ndarray) -> bool:
    """Whether two edges that share no corner meet."""
    edges = [(p[k], p[(k + 1) % len(p)]) for k in range(len(p))]

    def side(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
        return float(np.cross(b - a, c - a) @ normal)

    for i, (a, b) in enumerate(edges):
        for j in range(i + 2, len(edges) - (i == 0)):
            c, d = edges[j]
            if side(a, b, c) * side(a, b, d) <= 0 and side(c, d, a) * side(c, d, b) <= 0:
                return True
    return False
