"""Bodies of the plane along a tree, in symbols: where each is, as a formula of angles and displacements.

The tree is that of the relative coordinates, but turns are measured from the ground (phi_rod is the angle of the rod
itself, as the texts have it), which keeps formulas short.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import sympy

from ...coordinates.tree.spanning import Limb, Tree, implied_pins
from ...model.joints import joint_class
from ...model.joints.steps import SLIDE, TURN
from ...model.resolved import GROUND, Direction, Place, ResolvedCoordinate, ResolvedJoint, ResolvedLine, ResolvedModel

Vector = tuple[Any, Any]


@dataclass
class SymbolicFrames:
    """Origin and angle of every body as formulas of the variables; `cut`: the joints that are not fulfilled yet."""

    resolved: ResolvedModel
    variables: list[sympy.Symbol] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    """of each variable, as results call it"""
    origins: dict[str, Vector] = field(default_factory=dict)
    angles: dict[str, Any] = field(default_factory=dict)
    cut: list[ResolvedJoint] = field(default_factory=list)

    @staticmethod
    def of(resolved: ResolvedModel, tree: Tree) -> SymbolicFrames:
        """Follow a tree that was grown on numbers."""
        out = SymbolicFrames(resolved)
        out.origins[GROUND], out.angles[GROUND] = (0, 0), sympy.Integer(0)
        joints = {j.name: j for j in (*resolved.joints, *implied_pins(resolved))}
        for limb in tree.limbs:
            joint = joints.get(limb.connection.joint)
            if joint is None:
                out._float(limb)
            else:
                out._follow(limb, joint)
        out.cut = [joints[j.name] for j in tree.cut]
        return out

    def _new(self, symbol: str, name: str) -> sympy.Symbol:
        self.variables.append(sympy.Symbol(unused(symbol, self.resolved), real=True))
        self.names.append(name)
        return self.variables[-1]

    def _turn_of(self, limb: Limb, otherwise: Any) -> Any:
        """The angle of a child: a variable if the joint lets it turn."""
        if any(s.kind == TURN for s in limb.steps):
            return self._new(f"phi_{limb.child}", f"{limb.child}.angle")
        return otherwise

    def _float(self, limb: Limb) -> None:
        """A body that hangs on nothing: its centre of mass and its angle."""
        key = limb.child
        x, y = (self._new(f"{axis}_{key}", f"{key}.{axis}") for axis in "xy")
        body = self.resolved.bodies.get(key)
        self.angles[key] = self._turn_of(limb, sympy.Integer(0))
        center = (0, 0) if body is None or body.particle else body.center
        arm = self.turned(key, center)
        self.origins[key] = (x - arm[0], y - arm[1])

    def _follow(self, limb: Limb, j: ResolvedJoint) -> None:
        way = joint_class(j.type, 2).path(j)
        a, b = self._own(way.first), self._own(way.second)
        slide: Vector = (0, 0)
        step = next((s for s in limb.steps if s.kind == SLIDE), None)
        if step is not None:
            u = _local(way.along)
            s = self._new(step.name.replace(".", "_"), step.name)
            size = sympy.sqrt(u[0] ** 2 + u[1] ** 2)
            slide = (s * u[0] / size, s * u[1] / size)
        still = sympy.Integer(0)
        if way.keeps is not None:
            u, v = (_local(line) for line in way.keeps[:2])
            still = sympy.atan2(u[1], u[0]) + way.keeps[2] - sympy.atan2(v[1], v[0])
        parent = self.angles[limb.parent]
        self.angles[limb.child] = self._turn_of(limb, parent - still if limb.backwards else parent + still)
        first, second = (limb.child, limb.parent) if limb.backwards else (limb.parent, limb.child)
        near, far = self.turned(first, (a[0] + slide[0], a[1] + slide[1])), self.turned(second, b)
        r = self.origins[limb.parent]
        sign = -1 if limb.backwards else 1
        self.origins[limb.child] = (r[0] + sign * (near[0] - far[0]), r[1] + sign * (near[1] - far[1]))

    def _own(self, p: Place) -> Vector:
        return (0, 0) if self._is_point(self.key(p)) else (p.local[0], p.local[1])

    def _is_point(self, key: str) -> bool:
        body = self.resolved.bodies.get(key)
        return key != GROUND and (body is None or body.particle)

    def key(self, p: Place) -> str:
        """Whose frame a place belongs to."""
        return p.body or str(p.point)

    # ------------------------------------------------------------------- what joints and coordinates speak of
    def turned(self, key: str, local: Any) -> Vector:
        """A direction of a body, in ground axes."""
        c, s = sympy.cos(self.angles[key]), sympy.sin(self.angles[key])
        return (c * local[0] - s * local[1], s * local[0] + c * local[1])

    def place(self, p: Place) -> Vector:
        """A place, in ground axes."""
        if p.body == GROUND:
            return (p.local[0], p.local[1])
        key = self.key(p)
        r, arm = self.origins[key], self.turned(key, self._own(p))
        return (r[0] + arm[0], r[1] + arm[1])

    def direction(self, d: Direction) -> Vector:
        """A direction that turns with its body."""
        return self.turned(d.body, d.local)

    def vector(self, line: ResolvedLine) -> Vector:
        """The vector of a line."""
        v = line.vector
        if isinstance(v, Direction):
            return self.direction(v)
        start, end = self.place(v.start), self.place(v.end)
        return (end[0] - start[0], end[1] - start[1])

    def coordinate(self, c: ResolvedCoordinate) -> Any:
        """A relative coordinate of the model (angles up to whole turns)."""
        if c.type == "angle":
            (base, zero), (body, aim) = (self._heading(line) for line in c.lines)
            return self.angles[body] + aim - self.angles[base] - zero
        if c.type == "distance":
            a, b = (self.place(p) for p in c.places)
            return sympy.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2)
        line = c.lines[0]
        assert line.through is not None and line.length is not None
        u, r, o = self.vector(line), self.place(c.places[0]), self.place(line.through)
        return (u[0] * (r[0] - o[0]) + u[1] * (r[1] - o[1])) / line.length

    @staticmethod
    def _heading(line: ResolvedLine) -> tuple[str, Any]:
        v = line.vector
        body = v.body if isinstance(v, Direction) else v.start.body
        u = _local(line)
        return body, sympy.atan2(u[1], u[0])


def unused(symbol: str, resolved: ResolvedModel) -> str:
    """A name for a variable that no parameter of the model has."""
    while symbol in resolved.parameters:
        symbol += "_"
    return symbol


def _local(line: ResolvedLine) -> Vector:
    """A line that keeps its length, in the axes of its body."""
    v = line.vector
    if isinstance(v, Direction):
        return (v.local[0], v.local[1])
    return (v.end.local[0] - v.start.local[0], v.end.local[1] - v.start.local[1])
