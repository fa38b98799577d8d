"""Natural coordinates in space: bodies carried by points and unit vectors, joints that share them (000 2.2).

As in the plane the mechanism is written *exploded* first; `collapse` sends each copy to the shared variable or to
the ground. With a point r0 and three vectors b1, b2, b3 a body's place is r0 + xi1 b1 + xi2 b2 + xi3 b3, with constant
xi, so M is constant: 000 (24)-(31), (36).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...mechanics.polynomial import Polynomial
from ...mechanics.scalars import FLOATS, Functions
from ...mechanics.vectors import columns, inner, outer, subtract, transposed, turn
from ...model.resolved import GROUND, Direction, Place, ResolvedJoint, ResolvedLine, ResolvedModel, Span
from .space_layout import CROSS, POINT, VECTOR, Element, SpaceLayout, near

Copy = tuple[str, str, int]


@dataclass
class SpaceNatural:
    """The map from places and directions to exploded variables, and from those to the coordinates q."""

    resolved: ResolvedModel
    layout: SpaceLayout
    copies: list[Copy]
    q_names: list[str]
    fn: Functions = FLOATS
    dimension: int = 3

    @staticmethod
    def of(resolved: ResolvedModel, layout: SpaceLayout, fn: Functions = FLOATS) -> SpaceNatural:
        owned = [(b, e) for b, c in layout.carriers.items() for e in c.elements]
        bare = [p for p in resolved.start if not resolved.owners.get(p)]
        copies = [(b, _key(e), axis) for b, e in owned for axis in range(3)]
        copies += [("", p, axis) for p in bare for axis in range(3)]
        names = [*_labels(layout.order), *bare]
        q_names = [f"{name}.{axis}" for name in names for axis in "xyz"]
        return SpaceNatural(resolved, layout, copies, q_names, fn)

    @property
    def unit_vectors(self) -> list[int]:
        """Coordinates that are components of unit vectors, not of points."""
        return [3 * i + axis for i, e in enumerate(self.layout.order) if e.kind == VECTOR for axis in range(3)]

    def __post_init__(self) -> None:
        self._index = {c: i for i, c in enumerate(self.copies)}
        self._q = {e: 3 * i for i, e in enumerate(self.layout.order)}
        bare = [p for p in self.resolved.start if not self.resolved.owners.get(p)]
        self._bare = {p: 3 * (len(self._q) + i) for i, p in enumerate(bare)}
        # cross products are variables x after those that are coordinates, before the relative coordinates
        self._q |= {e: len(self.q_names) + 3 * i for i, e in enumerate(self.layout.crosses)}
        self.variables = len(self.q_names) + 3 * len(self.layout.crosses)
        self._element = {(b, _key(e)): e for b, c in self.layout.carriers.items() for e in c.elements}
        self._inverse = {}
        for name, carrier in self.layout.carriers.items():
            if len(carrier.basis) == 4:
                self._inverse[name] = _inverse(columns(*(self._way(name, k) for k in (1, 2, 3))), self.fn)

    # ------------------------------------------------------------------- exploded vectors, as polynomials
    def copy(self, body: str, element: Element | str) -> tuple:
        """An element of a body, in the body's own copy of the variables."""
        key = element if isinstance(element, str) else _key(element)
        return tuple(Polynomial.variable(self._index[body, key, axis]) for axis in range(3))

    def _way(self, body: str, k: int) -> tuple:
        """Local vector k of the basis."""
        carrier = self.layout.carriers[body]
        e = carrier.elements[carrier.basis[k]]
        return subtract(e.local, carrier.elements[carrier.basis[0]].local) if e.kind == POINT else e.local

    def _moving_way(self, body: str, k: int) -> tuple:
        carrier = self.layout.carriers[body]
        e = carrier.elements[carrier.basis[k]]
        own = self.copy(body, e)
        return subtract(own, self.copy(body, carrier.elements[carrier.basis[0]])) if e.kind == POINT else own

    def place(self, p: Place) -> tuple:
        """r_P = C_P q of the body, 000 (61)."""
        if p.body == GROUND:
            return tuple(Polynomial(c) for c in p.local)
        if p.body == "":
            return self.copy("", str(p.point))
        carrier = self.layout.carriers[p.body]
        if self.resolved.bodies[p.body].particle:
            return self.copy(p.body, carrier.elements[0])
        for e in carrier.elements:
            if e.kind == POINT and self._equal(e.local, p.local):
                return self.copy(p.body, e)
        first = carrier.elements[carrier.basis[0]]
        along = self._turned(p.body, subtract(p.local, first.local))
        return tuple(a + b for a, b in zip(self.copy(p.body, first), along, strict=True))

    def _equal(self, a: tuple, b: tuple) -> bool:
        return all(x == y for x, y in zip(a, b, strict=True)) or near(a, b, self.fn)

    def vector(self, line: ResolvedLine) -> tuple:
        """The vector of a line."""
        v = line.vector
        if isinstance(v, Span):
            return subtract(self.place(v.end), self.place(v.start))
        return self.direction(v)

    def direction(self, d: Direction) -> tuple:
        """A vector that turns with its body."""
        if d.body == GROUND:
            return tuple(Polynomial(c) for c in d.local)
        for e in self.layout.carriers[d.body].elements:
            if e.kind == VECTOR and self._equal(e.local, d.local):
                return self.copy(d.body, e)
        return self._turned(d.body, d.local)

    def _turned(self, body: str, local: tuple) -> tuple:
        """sum xi_k b_k with the constant xi of the local vector."""
        xi = turn(self._inverse[body], local)
        ways = [self._moving_way(body, k) for k in (1, 2, 3)]
        out = []
        for axis in range(3):
            total: Any = Polynomial()
            for k in range(3):
                total = total + ways[k][axis] * xi[k]
            out.append(total)
        return tuple(out)

    def center(self, name: str) -> tuple:
        """The centre of mass."""
        body = self.resolved.bodies[name]
        return self.place(Place(name, (0, 0, 0) if body.particle else body.center))

    def spin(self, name: str, moment: tuple) -> dict[int, Any]:
        """Forces on the vectors of the basis that make a moment: 1/2 N x a_k on each column a_k of the axes."""
        units = [self.direction(Direction(name, tuple(int(i == k) for i in range(3)))) for k in range(3)]
        out: dict[int, Any] = {}
        for k in range(3):
            push = outer(moment, units[k])
            self._spread(units[k], [c / 2 for c in push], out)
        return out

    def spin_local(self, name: str, axis: int) -> dict[int, Any]:
        """The same for a unit moment about one of the body's own axes."""
        units = [self.direction(Direction(name, tuple(int(i == k) for i in range(3)))) for k in range(3)]
        out: dict[int, Any] = {}
        for k in range(3):
            if k != axis:
                sign = 1 if (axis + 1) % 3 == k else -1
                self._spread(units[k], [c * sign / 2 for c in units[3 - k - axis]], out)
        return out

    @staticmethod
    def _spread(vector: tuple, push: list, out: dict[int, Any]) -> None:
        """A force on a vector, as forces on the variables it is made of."""
        for component, f in zip(vector, push, strict=True):
            for i, c in component.linear.items():
                out[i] = out.get(i, Polynomial()) + f * c

    def operands(self, cross: Element) -> list[tuple[bool, Any]]:
        """The twelve variables that a cross product e x u is made of: where e begins and ends, where u ends and begins.
        A unit vector begins at nought."""
        carrier = self.layout.carriers[cross.body]
        first, e, u = (carrier.elements[k] for k in carrier.basis[:3])
        begins = [first if way.kind == POINT else None for way in (e, u)]
        return [
            (False, 0.0) if element is None else self.target((cross.body, _key(element), axis))
            for element in (begins[0], e, u, begins[1]) for axis in range(3)
        ]  # fmt: skip

    # ------------------------------------------------------------------------------- the body's own rows
    def rigid_rows(self, name: str) -> list[tuple[str, Polynomial]]:
        """The basis keeps its lengths and angles, 000 (125); further elements are tied to it linearly, (61)."""
        carrier = self.layout.carriers[name]
        if len(carrier.basis) < 4:
            return []
        rows = []
        crossed = carrier.elements[carrier.basis[3]].kind == CROSS
        for k in (1, 2) if crossed else (1, 2, 3):
            for l in range(1, k + 1):
                value = inner(self._way(name, k), self._way(name, l))
                rows.append((f"b{l}b{k}", inner(self._moving_way(name, k), self._moving_way(name, l)) - value))
        first = carrier.elements[carrier.basis[0]]
        for i, e in enumerate(carrier.elements):
            if i in carrier.basis:
                continue
            arm = subtract(e.local, first.local) if e.kind == POINT else e.local
            made = self._turned(name, arm)
            if e.kind == POINT:
                made = tuple(a + b for a, b in zip(self.copy(name, first), made, strict=True))
            own = self.copy(name, e)
            rows += [(f"{e.name}.{'xyz'[axis]}", own[axis] - made[axis]) for axis in range(3)]
        return rows

    def implied_rows(self, joint: ResolvedJoint) -> set[str]:
        """Where both bodies share the axis, that it stays parallel follows from either body's own rows."""
        axes = self.layout.shared_axes.get(joint.name, set())
        return ({"tilt1", "tilt2"} if "e3" in axes else set()) | ({"turn"} if "e1" in axes else set())

    # -------------------------------------------------------------------------------------------- mass
    def mass(self, name: str) -> dict[tuple[int, int], Any]:
        """The body's mass matrix: the sum of w_e w_f dm for each two elements; w_e is the share of e in a place."""
        body, carrier = self.resolved.bodies[name], self.layout.carriers[name]
        m = body.mass
        first = carrier.elements[carrier.basis[0]]
        if len(carrier.basis) < 4:
            own = [self._index[name, _key(first), i] for i in range(3)]
            return {(i, i): m for i in own if m != 0}
        J, X = body.inertia, self._inverse[name]
        half = (J[0][0] + J[1][1] + J[2][2]) / 2
        arm = subtract(body.center, first.local)
        moments = tuple(
            tuple((half if k == l else 0) - J[k][l] + m * arm[k] * arm[l] for l in range(3)) for k in range(3)
        )
        short = self.fn.short
        xi = tuple(map(short, turn(X, arm)))  # of the centre
        Xi = tuple(turn(X, row) for row in transposed(tuple(turn(X, c) for c in transposed(moments))))
        Xi = tuple(tuple(map(short, row)) for row in Xi)
        shares = {first: (1, [-int(carrier.elements[carrier.basis[k]].kind == POINT) for k in (1, 2, 3)])}
        for k in (1, 2, 3):
            shares[carrier.elements[carrier.basis[k]]] = (0, [int(l == k) for l in (1, 2, 3)])
        out: dict[tuple[int, int], Any] = {}
        for e, (a, b) in shares.items():
            for f, (c, d) in shares.items():
                value: Any = m * a * c
                for k in range(3):
                    value = value + m * xi[k] * (a * d[k] + c * b[k])
                    for l in range(3):
                        value = value + b[k] * d[l] * Xi[k][l]
                if value != 0:
                    for axis in range(3):
                        out[self._index[name, _key(e), axis], self._index[name, _key(f), axis]] = value
        return out

    # ------------------------------------------------------------------------------------- collapsing
    def target(self, copy: Copy) -> tuple[bool, Any]:
        """Where an exploded variable goes: (True, index in q) or (False, fixed coordinate)."""
        body, key, axis = copy
        if body == "":
            return (True, self._bare[key] + axis)
        root = self.layout.same[self._element[body, key]]
        if root.body == GROUND:
            return (False, root.local[axis])
        return (True, self._q[root] + axis)

    def collapse(self, p: Any) -> Polynomial:
        """A polynomial of exploded variables as one of q; relative coordinates come after the points and vectors."""
        if not isinstance(p, Polynomial):
            return Polynomial(p)
        extra = len(self.copies)

        def image(i: int) -> Polynomial:
            if i >= extra:
                return Polynomial.variable(self.variables + i - extra)
            moving, value = self.target(self.copies[i])
            return Polynomial.variable(value) if moving else Polynomial(value)

        out = Polynomial(p.constant)
        for i, c in p.linear.items():
            out = out + image(i) * c
        for (i, j), c in p.quadratic.items():
            out = out + image(i) * image(j) * c
        for i, (c, d) in p.trig.items():
            out = out + Polynomial(trig={self.variables + i - extra: (c, d)})
        return out


def _key(e: Element) -> str:
    return e.name if e.kind == POINT else f"^{e.name}"


def _labels(order: tuple[Element, ...]) -> list[str]:
    """Names of the variables: those of the user's points and joints, with the body where two would be alike."""
    out: list[str] = []
    for e in order:
        out.append(e.name if e.name not in out else f"{e.body}.{e.name}")
    return out


def _inverse(X: Any, fn: Functions) -> tuple:
    """The inverse of a 3 x 3 matrix (rows), of any scalars."""
    a, b, c = transposed(X)
    determinant = inner(a, outer(b, c))
    rows = (outer(b, c), outer(c, a), outer(a, b))
    return tuple(tuple(fn.short(x / determinant) for x in row) for row in rows)
