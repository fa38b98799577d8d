"""Natural coordinates in the plane: bodies carried by their basic points, joints that share them (000 2, 003).

The mechanism is first written *exploded*: each body has its own copy of its basic points, ground pins
included. That is where the body matrices of 000 (17), (62), (70) live, and where the reactions of shared pins
are found. `collapse` then sends each copy to the shared variable, or to the fixed position.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...mechanics.polynomial import Polynomial, without_zeros
from ...model.joints.primitives import Vector, minus
from ...model.resolved import GROUND, Direction, Place, ResolvedBody, ResolvedJoint, ResolvedLine, ResolvedModel, Span
from .plane_layout import Layout

Copy = tuple[str, str, int]
"""(body, basic point, axis): one exploded variable"""


@dataclass
class Natural:
    """The map from places and directions to exploded variables, and from those to the coordinates q."""

    resolved: ResolvedModel
    layout: Layout
    copies: list[Copy]
    """exploded variables, body by body"""
    q_names: list[str]
    sqrt: Callable[[Any], Any]
    dimension: int = 2

    @staticmethod
    def of(resolved: ResolvedModel, layout: Layout, sqrt: Callable[[Any], Any]) -> Natural:
        copies: list[Copy] = []
        for name, carrier in layout.carriers.items():
            copies += [(name, p, axis) for p in carrier.basic for axis in (0, 1)]
        owned = {p for c in layout.carriers.values() for p in c.basic}
        bare = [p for p in layout.order if p not in owned and layout.same[p] == p]
        copies += [("", p, axis) for p in bare if not resolved.owners.get(p) for axis in (0, 1)]
        q_names = [f"{p}.{'xy'[axis]}" for p in layout.order for axis in (0, 1)]
        return Natural(resolved, layout, copies, q_names, sqrt)

    def __post_init__(self) -> None:
        self._index = {c: i for i, c in enumerate(self.copies)}
        self._q = {name: i for i, name in enumerate(self.q_names)}

    # ------------------------------------------------------------------- exploded vectors, as polynomials
    def copy(self, body: str, point: str) -> Vector:
        """The basic point of a body, in the body's own copy of the variables."""
        return tuple(Polynomial.variable(self._index[body, point, axis]) for axis in (0, 1))  # type: ignore

    def place(self, p: Place) -> Vector:
        """r_P = C_P q of the body, 000 (61)."""
        if p.body == GROUND:
            return (Polynomial(p.local[0]), Polynomial(p.local[1]))
        if p.body == "" or self.resolved.bodies[p.body].particle:
            return self.copy(p.body, p.point or next(iter(self.resolved.bodies[p.body].points)))
        if p.point is not None and p.point in self.layout.carriers[p.body].basic:
            return self.copy(p.body, p.point)
        body = self.resolved.bodies[p.body]
        first = self._local(body, self.layout.carriers[p.body].pair[0])
        r1 = self.copy(p.body, self._pair_names(p.body)[0])
        along = self._turned(p.body, minus(p.local, first))
        return (r1[0] + along[0], r1[1] + along[1])

    def vector(self, line: ResolvedLine) -> Vector:
        """The vector of a line."""
        v = line.vector
        if isinstance(v, Span):
            return minus(self.place(v.end), self.place(v.start))
        return self.direction(v)

    def direction(self, d: Direction) -> Vector:
        """A vector that turns with its body: A(q) times the local one, 000 (59)."""
        if d.body == GROUND:
            return (Polynomial(d.local[0]), Polynomial(d.local[1]))
        return self._turned(d.body, d.local)

    def _turned(self, body: str, local: Vector) -> Vector:
        """local = (f e + g e') with e the pair's vector, e' normal to it: the same combination of r2 - r1."""
        f, g = self._components(body, local)
        a, b = self._pair_names(body)
        e = minus(self.copy(body, b), self.copy(body, a))
        return (f * e[0] - g * e[1], g * e[0] + f * e[1])

    def _components(self, body: str, local: Vector) -> tuple[Any, Any]:
        i, j = self.layout.carriers[body].pair
        e = minus(self._local(self.resolved.bodies[body], j), self._local(self.resolved.bodies[body], i))
        length2 = e[0] * e[0] + e[1] * e[1]
        return (
            (e[0] * local[0] + e[1] * local[1]) / length2,
            (e[0] * local[1] - e[1] * local[0]) / length2,
        )

    def _pair_names(self, body: str) -> tuple[str, str]:
        carrier = self.layout.carriers[body]
        return carrier.basic[carrier.pair[0]], carrier.basic[carrier.pair[1]]

    def _local(self, body: ResolvedBody, position: int) -> Vector:
        name = self.layout.carriers[body.name].basic[position]
        return body.points[name] if name in body.points else self.layout.virtual[name][1]

    # ------------------------------------------------------------------------------- the body's own rows
    def rigid_rows(self, name: str) -> list[tuple[str, Polynomial]]:
        """Rigid body: constant distance of the pair, 000 (124); further basic points tied linearly, (61)."""
        body, carrier = self.resolved.bodies[name], self.layout.carriers[name]
        if body.particle:
            return []
        a, b = self._pair_names(name)
        e = minus(self._local(body, carrier.pair[1]), self._local(body, carrier.pair[0]))
        d = minus(self.copy(name, b), self.copy(name, a))
        rows = [(f"{a}{b}", d[0] * d[0] + d[1] * d[1] - (e[0] * e[0] + e[1] * e[1]))]
        for k in self.layout.rigid_extra[name]:
            p = carrier.basic[k]
            computed = self.place(Place(name, self._local(body, k)))
            own = self.copy(name, p)
            rows += [(f"{p}.{'xy'[i]}", own[i] - computed[i]) for i in (0, 1)]
        return rows

    # -------------------------------------------------------------------------------- mass and weight
    def mass(self, name: str) -> dict[tuple[int, int], Any]:
        """The body's mass matrix in its own variables: 000 (17) on the pair, m I for a point mass."""
        body, carrier = self.resolved.bodies[name], self.layout.carriers[name]
        m = body.mass
        if body.particle:
            p = carrier.basic[0]
            own = [self._index[name, p, i] for i in (0, 1)]
            return {(i, i): m for i in own if m != 0}
        first = self._local(body, carrier.pair[0])
        e = minus(self._local(body, carrier.pair[1]), first)
        arm = minus(body.center, first)
        f, g = self._components(name, arm)  # x_G / L and y_G / L
        iota = (body.inertia + m * (arm[0] * arm[0] + arm[1] * arm[1])) / (e[0] * e[0] + e[1] * e[1])  # I_1 / L^2
        a, b = self._pair_names(name)
        x1, y1, x2, y2 = (self._index[name, p, i] for p in (a, b) for i in (0, 1))
        out: dict[tuple[int, int], Any] = {}
        for i, j, value in (
            (x1, x1, m - 2 * m * f + iota),
            (y1, y1, m - 2 * m * f + iota),
            (x1, x2, m * f - iota),
            (y1, y2, m * f - iota),
            (x1, y2, -m * g),
            (y1, x2, m * g),
            (x2, x2, iota),
            (y2, y2, iota),
        ):
            out[i, j] = value
            out[j, i] = value
        return {ij: value for ij, value in out.items() if value != 0}

    def center(self, name: str) -> Vector:
        """The centre of mass."""
        body = self.resolved.bodies[name]
        if body.particle:
            return self.copy(name, self.layout.carriers[name].basic[0])
        return self.place(Place(name, body.center))

    def spin(self, name: str, moment: tuple) -> dict[int, Any]:
        """Forces on the pair that make a moment: power N omega with omega = (e x e')/L^2, 000 (77)."""
        a, b = self._pair_names(name)
        e = minus(self.copy(name, b), self.copy(name, a))
        i, j = self.layout.carriers[name].pair
        le = minus(self._local(self.resolved.bodies[name], j), self._local(self.resolved.bodies[name], i))
        k = moment[0] / (le[0] * le[0] + le[1] * le[1])
        out: dict[int, Any] = {}
        for point, way in ((a, -1), (b, 1)):
            out[self._index[name, point, 0]] = e[1] * (-k * way)
            out[self._index[name, point, 1]] = e[0] * (k * way)
        return out

    def heading(self, name: str) -> Vector:
        """The vector of the pair: its angle to the x axis tells how often the body has turned."""
        a, b = self._pair_names(name)
        return minus(self.copy(name, b), self.copy(name, a))

    def own_x_axis(self, name: str) -> tuple[Any, Any]:
        """The body's x axis in the axes of `heading`."""
        return self._components(name, (1.0, 0.0))

    # ------------------------------------------------------------------------------------- collapsing
    def target(self, copy: Copy) -> tuple[bool, Any]:
        """Where an exploded variable goes: (True, index in q) or (False, fixed coordinate)."""
        _, point, axis = copy
        point = self.layout.same[point]
        if point in self.layout.fixed:
            return (False, self.resolved.ground[point][axis])
        return (True, self._q[f"{point}.{'xy'[axis]}"])

    def implied_rows(self, joint: ResolvedJoint) -> set[str]:
        """Rows of a joint that the variables fulfil by themselves and that would not vanish when written: none."""
        return set()

    def collapse(self, p: Any) -> Polynomial:
        """A polynomial of exploded variables as one of q; sines and relative coordinates keep their index."""
        if not isinstance(p, Polynomial):
            return Polynomial(p)
        extra, after = len(self.copies), len(self.q_names)
        constant, linear, quadratic = p.constant, {}, {}

        def image(i: int) -> tuple[bool, Any]:
            # a relative coordinate is numbered after the points in both lists
            return (True, after + i - extra) if i >= extra else self.target(self.copies[i])

        for i, c in p.linear.items():
            moving, x = image(i)
            if moving:
                linear[x] = linear.get(x, 0) + c
            else:
                constant = constant + x * c
        for (i, j), c in p.quadratic.items():
            (moving_i, x), (moving_j, y) = image(i), image(j)
            if moving_i and moving_j:
                key = (min(x, y), max(x, y))
                quadratic[key] = quadratic.get(key, 0) + c
            elif moving_i or moving_j:
                key, c = (x, y * c) if moving_i else (y, x * c)
                linear[key] = linear.get(key, 0) + c
            else:
                constant = constant + x * y * c
        trig = {after + i - extra: pair for i, pair in p.trig.items()}
        return Polynomial(constant, without_zeros(linear), without_zeros(quadratic), trig)
