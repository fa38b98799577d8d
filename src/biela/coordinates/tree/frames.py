"""Bodies as frames: the variables x that reference-point and relative coordinates speak through.

Each body has twelve variables, its centre of mass p and the three columns a1, a2, a3 of its axes; a point is
p + s1 a1 + s2 a2 + s3 a3, a direction the same without p. They are linear in x, so the rows of all joints are the
quadratics of natural coordinates (000 2.2: one point and three vectors). How x moves is the tree's business.   [T.6]
"""

from __future__ import annotations

from typing import Any

from ...mechanics.polynomial import Polynomial
from ...mechanics.scalars import FLOATS, Functions
from ...model.resolved import Place, ResolvedBody, ResolvedModel
from ...model.vectors import Vec, add, subtract, three
from ..exploded import Copy, Exploded

SIZE = 12
"""variables of a body"""
PARTS = ("", ".1", ".2", ".3")
"""its centre of mass, and its axes"""


class Frames(Exploded):
    """The map from places and directions to the variables x; nothing is shared, each body keeps its own."""

    @staticmethod
    def of(resolved: ResolvedModel, fn: Functions = FLOATS) -> Frames:
        return (Frames if resolved.dimension == 3 else PlaneFrames)(resolved, fn)

    def __init__(self, resolved: ResolvedModel, fn: Functions = FLOATS):
        super().__init__(resolved, fn)
        self.bodies = [*resolved.bodies, *(p for p in resolved.start if not resolved.owners.get(p))]
        """in the order of their variables; points that belong to no body are here too, under their own name"""
        self.copies: list[Copy] = [(b, part, axis) for b in self.bodies for part in PARTS for axis in range(3)]
        self.q_names: list[str] = []
        self._at = {b: SIZE * k for k, b in enumerate(self.bodies)}
        self.own_names: dict[str, dict[int, str]] = {}  # joint -> names of its coordinates, by step
        for c in resolved.coordinates.values():
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

    def axis(self, key: str, k: int) -> Vec:
        """Column k of a body's axes."""
        return tuple(self._variable(key, 1 + k, i) for i in range(self.dimension))

    def arm(self, p: Place) -> Vec:
        """From the centre of mass to the place, in the body's axes."""
        body = self.body(self.key(p))
        if body is None or body.particle:
            return (0,) * self.dimension
        return subtract(p.local, body.center)

    def _moving_place(self, p: Place) -> Vec:
        key = self.key(p)
        return add(self.center(key), self._turned(key, self.arm(p)))

    def _turned(self, body: str, local: Vec) -> Vec:
        """sum s_k a_k"""
        axes = [self.axis(body, k) for k in range(3)]
        out = []
        for i in range(3):
            total: Any = Polynomial()
            for k in range(3):
                total = total + axes[k][i] * local[k]
            out.append(total)
        return tuple(out)

    def center(self, name: str) -> Vec:
        return tuple(self._variable(name, 0, i) for i in range(self.dimension))

    def spin(self, name: str, moment: tuple) -> dict[int, Any]:
        """The forces on the axes of a body that make a moment: 1/2 N x a_k on each.   [T.15]"""
        out: dict[int, Any] = {}
        for k in range(3):
            u = self.axis(name, k)
            for i in range(3):
                j, l = (i + 1) % 3, (i + 2) % 3
                out[self._at[name] + 3 + 3 * k + i] = (u[l] * moment[j] - u[j] * moment[l]) * 0.5
        return out

    def spin_local(self, name: str, axis: int) -> dict[int, Any]:
        """N x a_k = A (e x e_k)."""
        out: dict[int, Any] = {}
        for k in range(3):
            if k != axis:
                sign = 1 if (axis + 1) % 3 == k else -1
                for i, x in enumerate(self.axis(name, 3 - k - axis)):
                    out[self._at[name] + 3 + 3 * k + i] = x * (0.5 * sign)
        return out

    # ------------------------------------------------------------------------------------ body by body
    def rigid_rows(self, name: str) -> list[tuple[str, Polynomial]]:
        """None: the tree keeps the axes at right angles."""
        return []

    def mass(self, name: str) -> dict[tuple[int, int], Any]:
        """m on the centre; on the axes the moments of the mass, sum of s s^T dm.   000 (35)"""
        body, a = self.resolved.bodies[name], self._at[name]
        out: dict[tuple[int, int], Any] = {(a + i, a + i): body.mass for i in range(self.dimension)}
        for (k, l), value in ({} if body.particle else self._moments(body)).items():
            out |= {(a + 3 + 3 * k + i, a + 3 + 3 * l + i): value for i in range(self.dimension)}
        return {ij: value for ij, value in out.items() if value != 0}

    def _moments(self, body: ResolvedBody) -> dict[tuple[int, int], Any]:
        """Of the mass, for each two axes."""
        J = body.inertia
        trace = J[0][0] + J[1][1] + J[2][2]
        return {(k, l): (trace / 2 if k == l else 0) - J[k][l] for k in range(3) for l in range(3)}

    def collapse(self, p: Any) -> Polynomial:
        return p if isinstance(p, Polynomial) else Polynomial(p)

    def target(self, copy: Copy) -> tuple[bool, Any]:
        return (True, self._at[copy[0]] + 3 * PARTS.index(copy[1]) + copy[2])

    def mass_of(self, key: str) -> Vec:
        """Mass and tensor of inertia (xx, yy, zz, xy, xz, yz) of a body or a bare point."""
        body = self.body(key)
        if body is None or body.particle:
            return (0.0 if body is None else body.mass, *(0.0,) * 6)
        return (body.mass, *self._tensor(body))

    def _tensor(self, body: ResolvedBody) -> Vec:
        J = body.inertia
        return J[0][0], J[1][1], J[2][2], J[0][1], J[0][2], J[1][2]

    def center_of(self, key: str) -> Vec:
        """The centre of mass in the body's axes, with three components."""
        body = self.body(key)
        return (0, 0, 0) if body is None or body.particle else three(body.center)


class PlaneFrames(Frames):
    """In the plane a2 is a1 turned by a right angle: a1 is enough."""

    def _turned(self, body: str, local: Vec) -> Vec:
        c, s = self.axis(body, 0)
        return (c * local[0] - s * local[1], s * local[0] + c * local[1])

    def spin(self, name: str, moment: tuple) -> dict[int, Any]:
        """N x a1.   [T.15]"""
        (c, s), a = self.axis(name, 0), self._at[name]
        return {a + 3: s * (-moment[0]), a + 4: c * moment[0]}

    def spin_local(self, name: str, axis: int) -> dict[int, Any]:
        return self.spin(name, (1,))

    def _moments(self, body: ResolvedBody) -> dict[tuple[int, int], Any]:
        return {(0, 0): body.inertia}

    def _tensor(self, body: ResolvedBody) -> Vec:
        return 0.0, 0.0, body.inertia, 0.0, 0.0, 0.0

    def heading(self, name: str) -> Vec:
        return self.axis(name, 0)

    def own_x_axis(self, name: str) -> Vec:
        return (1.0, 0.0)
