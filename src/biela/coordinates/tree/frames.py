"""Bodies as frames: the variables x that reference-point and relative coordinates speak through.

Each body has twelve variables, its centre of mass p and the three columns a1, a2, a3 of its axes; a point is
p + s1 a1 + s2 a2 + s3 a3, a direction the same without p. They are linear in x, so the rows of all joints are the
quadratics of natural coordinates (000 2.2: one point and three vectors). How x moves is the tree's business.   [T.6]
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...mechanics.polynomial import Polynomial
from ...mechanics.scalars import FLOATS, Functions
from ...model.resolved import GROUND, Direction, Place, ResolvedBody, ResolvedJoint, ResolvedLine, ResolvedModel, Span
from ...model.vectors import subtract, three

Copy = tuple[str, str, int]
SIZE = 12
"""variables of a body"""


@dataclass
class Frames:
    """The map from places and directions to the variables x."""

    resolved: ResolvedModel
    bodies: list[str]
    """bodies in the order of their variables; points that belong to no body are here too, under their own name"""
    copies: list[Copy] = field(default_factory=list)
    q_names: list[str] = field(default_factory=list)
    fn: Functions = FLOATS

    @staticmethod
    def of(resolved: ResolvedModel, fn: Functions = FLOATS) -> Frames:
        bare = [p for p in resolved.start if not resolved.owners.get(p)]
        bodies = [*resolved.bodies, *bare]
        copies = [(b, part, axis) for b in bodies for part in ("", ".1", ".2", ".3") for axis in range(3)]
        return Frames(resolved, bodies, copies, fn=fn)

    def __post_init__(self) -> None:
        self.dimension = self.resolved.dimension
        self._at = {b: SIZE * k for k, b in enumerate(self.bodies)}
        self.own_names: dict[str, dict[int, str]] = {}  # joint -> names of its coordinates, by step
        for c in self.resolved.coordinates.values():
            if c.joint is not None:
                self.own_names.setdefault(c.joint, {})[c.freedom] = c.name

    def body(self, name: str) -> ResolvedBody | None:
        """The body itself; None for a bare point."""
        return self.resolved.bodies.get(name)

    def key(self, p: Place) -> str:
        """Whose variables a place uses."""
        return p.body or str(p.point)

    def is_particle(self, key: str) -> bool:
        """A point mass or a bare point: it has no axes."""
        body = self.body(key)
        return body is None or body.particle

    # ----------------------------------------------------------------------------- vectors, as polynomials
    def _variable(self, key: str, part: int, axis: int) -> Polynomial:
        return Polynomial.variable(self._at[key] + 3 * part + axis)

    def arm(self, p: Place) -> tuple:
        """From the centre of mass to the place, in the body's axes."""
        body = self.body(self.key(p))
        if body is None or body.particle:
            return (0,) * self.dimension
        return subtract(p.local, body.center)

    def place(self, p: Place) -> tuple:
        """r_P."""
        if p.body == GROUND:
            return tuple(Polynomial(c) for c in p.local)
        key = self.key(p)
        turned = self._turned(key, self.arm(p))
        return tuple(self._variable(key, 0, i) + turned[i] for i in range(self.dimension))

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
        return self._turned(d.body, d.local)

    def _turned(self, key: str, local: tuple) -> tuple:
        if self.dimension == 2:  # a2 is a1 turned by a right angle
            c, s = self._variable(key, 1, 0), self._variable(key, 1, 1)
            return (c * local[0] - s * local[1], s * local[0] + c * local[1])
        out = []
        for i in range(3):
            total: Any = Polynomial()
            for k in range(3):
                total = total + self._variable(key, 1 + k, i) * local[k]
            out.append(total)
        return tuple(out)

    def center(self, name: str) -> tuple:
        """The centre of mass."""
        return tuple(self._variable(name, 0, i) for i in range(self.dimension))

    def spin(self, name: str, moment: tuple) -> dict[int, Any]:
        """The forces on the axes of a body that make a moment: 1/2 N x a_k on each (in the plane N on a1).   [T.15]"""
        out: dict[int, Any] = {}
        a = self._at[name]
        if self.dimension == 2:
            c, s = self._variable(name, 1, 0), self._variable(name, 1, 1)
            return {a + 3: s * (-moment[0]), a + 4: c * moment[0]}
        for k in range(3):
            u = tuple(self._variable(name, 1 + k, i) for i in range(3))
            for i in range(3):
                j, l = (i + 1) % 3, (i + 2) % 3
                out[a + 3 + 3 * k + i] = (u[l] * moment[j] - u[j] * moment[l]) * 0.5
        return out

    def spin_local(self, name: str, axis: int) -> dict[int, Any]:
        """The same for a unit moment about one of the body's own axes: N x a_k = A (e x e_k)."""
        if self.dimension == 2:
            return self.spin(name, (1,))
        out: dict[int, Any] = {}
        a = self._at[name]
        for k in range(3):
            if k == axis:
                continue
            third, sign = 3 - k - axis, (1 if (axis + 1) % 3 == k else -1)
            for i in range(3):
                out[a + 3 + 3 * k + i] = self._variable(name, 1 + third, i) * (0.5 * sign)
        return out

    # ------------------------------------------------------------------------------------ body by body
    def rigid_rows(self, name: str) -> list:
        """None: the tree keeps the axes at right angles."""
        return []

    def mass(self, name: str) -> dict[tuple[int, int], Any]:
        """m on the centre; on the axes the moments of the mass, sum of s s^T dm (in the plane I on a1).   000 (35)"""
        body, a = self.resolved.bodies[name], self._at[name]
        out: dict[tuple[int, int], Any] = {(a + i, a + i): body.mass for i in range(self.dimension)}
        if body.particle:
            return out
        if self.dimension == 2:
            out |= {(a + 3 + i, a + 3 + i): body.inertia for i in range(2)}
            return out
        J = body.inertia
        trace = J[0][0] + J[1][1] + J[2][2]
        for k in range(3):
            for l in range(3):
                value = (trace / 2 if k == l else 0) - J[k][l]
                for i in range(3):
                    out[a + 3 + 3 * k + i, a + 3 + 3 * l + i] = value
        return {ij: value for ij, value in out.items() if value != 0}

    def implied_rows(self, joint: ResolvedJoint) -> set[str]:
        """Rows of a joint that the variables fulfil by themselves and that would not vanish when written: none."""
        return set()

    def collapse(self, p: Any) -> Polynomial:
        """Nothing is shared: each body keeps its own variables."""
        return p if isinstance(p, Polynomial) else Polynomial(p)

    def target(self, copy: Copy) -> tuple[bool, Any]:
        """Every variable stays itself."""
        return (True, self._at[copy[0]] + 3 * ("", ".1", ".2", ".3").index(copy[1]) + copy[2])

    def heading(self, name: str) -> tuple:
        """A vector whose angle to the x axis tells how often a body of the plane has turned."""
        return (self._variable(name, 1, 0), self._variable(name, 1, 1))

    def own_x_axis(self, name: str) -> tuple:
        """The body's x axis in the axes of `heading`: (cosine, sine)."""
        return (1.0, 0.0)

    def mass_of(self, key: str) -> tuple:
        """Mass and tensor of inertia (xx, yy, zz, xy, xz, yz) of a body or a bare point."""
        body = self.body(key)
        if body is None:
            return (0.0,) * 7
        if body.particle:
            return (body.mass, *(0.0,) * 6)
        if self.dimension == 2:
            return (body.mass, 0.0, 0.0, body.inertia, 0.0, 0.0, 0.0)
        J = body.inertia
        return (body.mass, J[0][0], J[1][1], J[2][2], J[0][1], J[0][2], J[1][2])

    def center_of(self, key: str) -> tuple:
        """The centre of mass in the body's axes, with three components."""
        body = self.body(key)
        return (0, 0, 0) if body is None or body.particle else three(body.center)
