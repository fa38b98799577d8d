"""Natural coordinates in space: bodies carried by points and unit vectors, joints that share them (000 2.2).

With a point r0 and three vectors b1, b2, b3 a body's place is r0 + xi1 b1 + xi2 b2 + xi3 b3, with constant xi, so M is
constant: 000 (24)-(31), (36).
"""

from __future__ import annotations

from typing import Any

from ...mechanics.polynomial import Polynomial
from ...mechanics.scalars import FLOATS, Functions
from ...model.resolved import GROUND, Direction, Place, ResolvedJoint, ResolvedModel
from ...model.vectors import Vec, columns, cross, dot, subtract, times, transposed
from .layout import CROSS, POINT, VECTOR, Element, Layout
from .natural import Natural, _key
from .space_layout import lay_out_space, near


class SpaceNatural(Natural):
    """In space: a basic point and three vectors carry a body."""

    @staticmethod
    def of(resolved: ResolvedModel, fn: Functions = FLOATS) -> SpaceNatural:
        return SpaceNatural(resolved, lay_out_space(resolved, fn), fn)

    def __init__(self, resolved: ResolvedModel, layout: Layout, fn: Functions = FLOATS):
        super().__init__(resolved, layout, fn)
        self._inverse = {}
        for name, carrier in layout.carriers.items():
            if len(carrier.basis) == 4:
                self._inverse[name] = _inverse(columns(*(self._local_basis(name, k) for k in (1, 2, 3))), fn)

    def _equal(self, a: Vec, b: Vec) -> bool:
        return all(x == y for x, y in zip(a, b, strict=True)) or near(a, b, self.fn)

    def _point_at(self, p: Place) -> Element | None:
        elements = self.layout.carriers[p.body].elements
        return next((e for e in elements if e.kind == POINT and self._equal(e.local, p.local)), None)

    def direction(self, d: Direction) -> Vec:
        """A vector that turns with its body; one that carries it is a variable by itself."""
        for e in self.layout.carriers[d.body].elements if d.body != GROUND else ():
            if e.kind == VECTOR and self._equal(e.local, d.local):
                return self.copy(e)
        return super().direction(d)

    def _turned(self, body: str, local: Vec) -> Vec:
        """sum xi_k b_k with the constant xi of the local vector."""
        xi = times(self._inverse[body], local)
        basis = [self._moving_basis(body, k) for k in (1, 2, 3)]
        out = []
        for axis in range(3):
            total: Any = Polynomial()
            for k in range(3):
                total = total + basis[k][axis] * xi[k]
            out.append(total)
        return tuple(out)

    def spin(self, name: str, moment: tuple) -> dict[int, Any]:
        """Forces on the vectors of the basis that make a moment: 1/2 N x a_k on each column a_k of the axes."""
        units = [self.direction(Direction(name, tuple(int(i == k) for i in range(3)))) for k in range(3)]
        out: dict[int, Any] = {}
        for k in range(3):
            push = cross(moment, units[k])
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
        begins = [first if v.kind == POINT else None for v in (e, u)]
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
        crossed = self._basis(name, 3).kind == CROSS
        for k in (1, 2) if crossed else (1, 2, 3):
            for l in range(1, k + 1):
                value = dot(self._local_basis(name, k), self._local_basis(name, l))
                rows.append((f"b{l}b{k}", dot(self._moving_basis(name, k), self._moving_basis(name, l)) - value))
        return rows + self._tied_rows(name)

    def implied_rows(self, joint: ResolvedJoint) -> set[str]:
        """Where both bodies share the axis, that it stays parallel follows from either body's own rows."""
        axes = self.layout.shared_axes.get(joint.name, set())
        return ({"tilt1", "tilt2"} if "e3" in axes else set()) | ({"turn"} if "e1" in axes else set())

    # -------------------------------------------------------------------------------------------- mass
    def mass(self, name: str) -> dict[tuple[int, int], Any]:
        """The body's mass matrix: the sum of w_e w_f dm for each two elements; w_e is the share of e in a place."""
        body, carrier = self.resolved.bodies[name], self.layout.carriers[name]
        if body.particle:
            return self._particle_mass(name)
        m, first = body.mass, self._first(name)
        J, X = body.inertia, self._inverse[name]
        half = (J[0][0] + J[1][1] + J[2][2]) / 2
        arm = subtract(body.center, first.local)
        moments = tuple(
            tuple((half if k == l else 0) - J[k][l] + m * arm[k] * arm[l] for l in range(3)) for k in range(3)
        )
        short = self.fn.short
        xi = tuple(map(short, times(X, arm)))  # of the centre
        Xi = tuple(times(X, row) for row in transposed(tuple(times(X, c) for c in transposed(moments))))
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

    def start(self, e: Element) -> Vec:
        if e.body == "" or self.resolved.bodies[e.body].particle:
            return self.resolved.start[e.name if e.body == "" else next(iter(self.resolved.bodies[e.body].points))]
        pose = self.resolved.poses[e.body]
        return pose.point(e.local) if e.kind == POINT else pose.turn(e.local)


def _inverse(X: Any, fn: Functions) -> tuple:
    """The inverse of a 3 x 3 matrix (rows), of any scalars."""
    a, b, c = transposed(X)
    determinant = dot(a, cross(b, c))
    rows = (cross(b, c), cross(c, a), cross(a, b))
    return tuple(tuple(fn.short(x / determinant) for x in row) for row in rows)
