"""Natural coordinates: bodies carried by points and unit vectors, joints that share them (000 2, 003).

The mechanism is first written *exploded*: each body has its own copy of its basic points and vectors, ground pins
included. That is where the body matrices of 000 (17), (62), (70) live, and where the reactions of shared pins are
found. `collapse` then sends each copy to the shared variable, or to the ground.

A place of a body is r0 + xi1 b1 + xi2 b2 (+ xi3 b3 in space) with constant xi: the vectors b lead from a basic point r0
to others, or are unit vectors. In the plane one is enough, b2 is across b1.
"""

from __future__ import annotations

from typing import Any

from ...mechanics.polynomial import Polynomial, without_zeros
from ...mechanics.scalars import FLOATS, Functions
from ...model.resolved import GROUND, Place, ResolvedModel
from ...model.vectors import Vec, add, dot, out_of_plane, subtract
from ..exploded import Copy, Exploded
from .layout import POINT, VECTOR, Element, Layout, lay_out_plane


class Natural(Exploded):
    """The map from places and directions to exploded variables, and from those to the coordinates q."""

    def __init__(self, resolved: ResolvedModel, layout: Layout, fn: Functions = FLOATS):
        super().__init__(resolved, fn)
        self.layout = layout
        axes = range(self.dimension)
        self._element = {(b, _key(e)): e for b, c in layout.carriers.items() for e in c.elements}
        self._element |= {("", e.name): e for e in layout.bare}
        self.copies: list[Copy] = [(*key, axis) for key in self._element for axis in axes]
        self.q_names = [f"{name}.{'xyz'[axis]}" for name in _labels(layout.order) for axis in axes]
        # cross products are variables x after those that are coordinates, before the relative coordinates
        self._q = {e: self.dimension * i for i, e in enumerate((*layout.order, *layout.crosses))}
        self.variables = len(self.q_names) + self.dimension * len(layout.crosses)
        self._index = {c: i for i, c in enumerate(self.copies)}
        self._targets = [self._target(*copy) for copy in self.copies]

    @property
    def unit_vectors(self) -> list[int]:
        """Coordinates that are components of unit vectors, not of points."""
        size = self.dimension
        return [size * i + k for i, e in enumerate(self.layout.order) if e.kind == VECTOR for k in range(size)]

    # ------------------------------------------------------------------- exploded vectors, as polynomials
    def element(self, body: str, key: str) -> Element:
        """A basic point or vector, by the name that it has among the copies."""
        return self._element[body, key]

    def copy(self, element: Element) -> Vec:
        """An element of a body, in the body's own copy of the variables."""
        return tuple(Polynomial.variable(self._index[element.body, _key(element), k]) for k in range(self.dimension))

    def _first(self, body: str) -> Element:
        """The point from which the vectors of a body start."""
        carrier = self.layout.carriers[body]
        return carrier.elements[carrier.basis[0]]

    def _local_basis(self, body: str, k: int) -> Vec:
        """Local vector k of the basis."""
        e = self._basis(body, k)
        return subtract(e.local, self._first(body).local) if e.kind == POINT else e.local

    def _moving_basis(self, body: str, k: int) -> Vec:
        """The same in the body's own variables."""
        e = self._basis(body, k)
        return subtract(self.copy(e), self.copy(self._first(body))) if e.kind == POINT else self.copy(e)

    def _basis(self, body: str, k: int) -> Element:
        carrier = self.layout.carriers[body]
        return carrier.elements[carrier.basis[k]]

    def _moving_place(self, p: Place) -> Vec:
        if p.body == "":
            return self.copy(self._element["", str(p.point)])
        found = self._first(p.body) if self.resolved.bodies[p.body].particle else self._point_at(p)
        if found is not None:
            return self.copy(found)
        first = self._first(p.body)
        return add(self.copy(first), self._turned(p.body, subtract(p.local, first.local)))

    def center(self, name: str) -> Vec:
        body = self.resolved.bodies[name]
        return self.place(Place(name, (0,) * self.dimension if body.particle else body.center))

    def _point_at(self, p: Place) -> Element | None:
        """The basic point that a place of a body is, if it is one."""
        raise NotImplementedError

    def _tied_rows(self, name: str) -> list[tuple[str, Polynomial]]:
        """Elements of a body beyond its basis are tied to it linearly, 000 (61)."""
        rows, carrier = [], self.layout.carriers[name]
        first = self._first(name)
        for i, e in enumerate(carrier.elements):
            if i not in carrier.basis:
                made = self._turned(name, subtract(e.local, first.local) if e.kind == POINT else e.local)
                made = add(self.copy(first), made) if e.kind == POINT else made
                rows += [(f"{e.name}.{'xyz'[k]}", x - made[k]) for k, x in enumerate(self.copy(e))]
        return rows

    def _particle_mass(self, name: str) -> dict[tuple[int, int], Any]:
        m, first = self.resolved.bodies[name].mass, self._first(name)
        own = [self._index[name, _key(first), i] for i in range(self.dimension)]
        return {(i, i): m for i in own if m != 0}

    def start(self, e: Element) -> Vec:
        """Where an element starts, in the ground's axes."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------- collapsing
    def target(self, copy: Copy) -> tuple[bool, Any]:
        return self._targets[self._index[copy]]

    def _target(self, body: str, key: str, axis: int) -> tuple[bool, Any]:
        root = self.layout.same[self._element[body, key]]
        return (False, root.local[axis]) if root.body == GROUND else (True, self._q[root] + axis)

    def collapse(self, p: Any) -> Polynomial:
        """A polynomial of exploded variables as one of q; relative coordinates come after the points and vectors."""
        if not isinstance(p, Polynomial):
            return Polynomial(p)
        extra, after = len(self.copies), self.variables
        constant, linear, quadratic = p.constant, {}, {}

        def image(i: int) -> tuple[bool, Any]:
            return (True, after + i - extra) if i >= extra else self._targets[i]

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


def _key(e: Element) -> str:
    return e.name if e.kind == POINT else f"^{e.name}"


def _labels(order: tuple[Element, ...]) -> list[str]:
    """Names of the variables: those of the user's points and joints, with the body where two would be alike."""
    out: dict[str, None] = {}
    for e in order:
        out[e.name if e.name not in out else f"{e.body}.{e.name}"] = None
    return list(out)


class PlaneNatural(Natural):
    """In the plane: two basic points carry a body."""

    @staticmethod
    def of(resolved: ResolvedModel, fn: Functions = FLOATS) -> PlaneNatural:
        return PlaneNatural(resolved, lay_out_plane(resolved, fn), fn)

    def _point_at(self, p: Place) -> Element | None:
        return self._element.get((p.body, p.point or ""))

    def _turned(self, body: str, local: Vec) -> Vec:
        """f e + g e' with e the vector of the two points, e' across it."""
        f, g = self._components(body, local)
        e = self._moving_basis(body, 1)
        return (f * e[0] - g * e[1], g * e[0] + f * e[1])

    def _components(self, body: str, local: Vec) -> tuple[Any, Any]:
        """xi of a local vector."""
        e = self._local_basis(body, 1)
        return dot(e, local) / dot(e, e), out_of_plane(e, local) / dot(e, e)

    def rigid_rows(self, name: str) -> list[tuple[str, Polynomial]]:
        """Rigid body: constant distance of the two points, 000 (124); further basic points tied linearly, (61)."""
        if self.resolved.bodies[name].particle:
            return []
        e, d = self._local_basis(name, 1), self._moving_basis(name, 1)
        length = (f"{self._first(name).name}{self._basis(name, 1).name}", dot(d, d) - dot(e, e))
        return [length, *self._tied_rows(name)]

    def mass(self, name: str) -> dict[tuple[int, int], Any]:
        """The body's mass matrix in its own variables: 000 (17) on the two points, m I for a point mass."""
        body = self.resolved.bodies[name]
        if body.particle:
            return self._particle_mass(name)
        m, first, e = body.mass, self._first(name), self._local_basis(name, 1)
        arm = subtract(body.center, first.local)
        f, g = self._components(name, arm)  # x_G / L and y_G / L
        iota = (body.inertia + m * dot(arm, arm)) / dot(e, e)  # I_1 / L^2
        x1, y1, x2, y2 = (self._index[name, p.name, i] for p in (first, self._basis(name, 1)) for i in (0, 1))
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

    def spin(self, name: str, moment: tuple) -> dict[int, Any]:
        """Forces on the two points that make a moment: power N omega with omega = (e x e')/L^2, 000 (77)."""
        local, e = self._local_basis(name, 1), self._moving_basis(name, 1)
        k = moment[0] / dot(local, local)
        out: dict[int, Any] = {}
        for point, sign in ((self._first(name), -1), (self._basis(name, 1), 1)):
            out[self._index[name, point.name, 0]] = e[1] * (-k * sign)
            out[self._index[name, point.name, 1]] = e[0] * (k * sign)
        return out

    def heading(self, name: str) -> Vec:
        """The vector of the two points: its angle to the x axis tells how often the body has turned."""
        return self._moving_basis(name, 1)

    def own_x_axis(self, name: str) -> tuple[Any, Any]:
        """The body's x axis in the axes of `heading`."""
        return self._components(name, (1.0, 0.0))

    def start(self, e: Element) -> Vec:
        at = {**self.resolved.start, **self.resolved.ground}
        if e.name in at:
            return at[e.name]
        points = self.resolved.bodies[e.body].points  # made up: the body starts unturned
        known = next((p for p in points if p in at), None)
        return e.local if known is None else add(at[known], subtract(e.local, points[known]))
