"""Equations of any degree, by quadratics: what goes beyond one becomes a variable of its own, with its own equation.

The rows that are solved are quadratics of the variables, sines and cosines of angles, and functions of time. So

    x^3 = sin(2 x) y f(t)    is    a x = b c,    a = x^2,    u = 2 x,    b = sin u,    c = w y,    w = f(t)

with a, b, c, u, w among the variables: massless, as relative coordinates are. Differentiating these rows and leaving
out the new variables gives the derivatives of the equation itself, Phi_qt among them, and the multiplier of its own
row is that of the equation.   [K.12]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from .. import expression as ex
from ..resolved import ResolvedCoordinate, ResolvedJoint
from .context import Context

STILL, TIME, LINEAR, ROW = range(4)
"""a number; a function of time; linear in the variables, without time; what a row may be"""
LARGEST = 64
"""power of something that moves"""
ONE = ex.Number("1")


class Beyond(ValueError):
    """What cannot be written so."""


@dataclass(frozen=True)
class Part:
    """A part of an equation: as it is solved, what that is, and as the user wrote it."""

    node: ex.Node
    kind: int
    whole: ex.Node


def with_terms(
    ctx: Context, joints: tuple[ResolvedJoint, ...]
) -> tuple[tuple[ResolvedJoint, ...], dict[str, ResolvedCoordinate]]:
    """The joints, the users' equations among them reduced to quadratics; and all coordinates, the new ones last."""
    coordinates = dict(ctx.coordinates)
    values = {name: ctx.scalars.value(x) for name, x in ctx.scalars.parameters.items()}
    out = []
    for j in joints:
        if j.equation is not None:
            terms = Terms(j.name, values, set(ctx.coordinates))
            try:
                j = replace(j, reduced=terms.reduced(j.equation))
            except Beyond as error:
                cure = "sums, products, quotients, powers, roots, sin, cos and tan may be of what moves, the rest of t"
                ctx.problems.add(f"the equation of joint {j.name!r} cannot be solved", f"joints.{j.name}.equation",
                                 f"it has {error}", cure)  # fmt: skip
            coordinates |= terms.made
        out.append(j)
    return tuple(out), coordinates


class Terms:
    """The terms of one joint's equation.

    >>> terms = Terms("cam", {}, {"s"})
    >>> ex.to_text(terms.reduced(ex.parse("s^3 + sin(t)*s - t")))
    'cam.term1*s + cam.term2*s - t'
    >>> [ex.to_text(c.equation) for c in terms.made.values()]
    ['cam.term1 - s^2', 'cam.term2 - sin(t)']
    """

    def __init__(self, joint: str, values: Mapping[str, float], variables: Collection[str]):
        self.joint, self.values, self.variables = joint, values, set(variables)
        self.made: dict[str, ResolvedCoordinate] = {}
        self._known: dict[ex.Node, Part] = {}

    def reduced(self, node: ex.Node) -> ex.Node:
        """The equation with terms in the place of what is beyond a quadratic."""
        return ex.fold(node, self._visit).node

    def _visit(self, part: ex.Node, below: list[Part]) -> Part:
        kinds = [p.kind for p in below]
        if below and max(kinds) <= TIME:
            return Part(part, max(kinds), part)
        match part:
            case ex.Number():
                return Part(part, STILL, part)
            case ex.Name(name):
                still = name in self.values or name in ex.CONSTANTS
                return Part(part, TIME if name == "t" else STILL if still else LINEAR, part)
            case ex.Unary():
                return Part(ex.Unary("-", below[0].node), kinds[0], part)
            case ex.Binary("+" | "-" as op):
                kind = ROW if ROW in kinds or set(kinds) == {TIME, LINEAR} else max(kinds)
                return Part(ex.Binary(op, below[0].node, below[1].node), kind, part)
            case ex.Binary("*"):
                return self._product(below[0], below[1], part)
            case ex.Binary("/"):
                return self._quotient(below[0], below[1], part)
            case ex.Binary("^"):
                return self._power(below[0], below[1], part)
            case ex.Call("sin" | "cos" as function):
                return self._circular(function, below[0], part)
            case ex.Call("tan"):
                sine, cosine = (self._circular(f, below[0], ex.Call(f, part.args)) for f in ("sin", "cos"))
                return self._quotient(sine, cosine, part)
            case ex.Call("sqrt"):
                return self._root(below[0], part)
            case ex.Binary(op):
                raise Beyond(f"a comparison ({op}) of something that moves")
            case ex.Call(function):
                raise Beyond(f"{function} of something that moves")
        raise AssertionError(part)

    # ------------------------------------------------------------------------------------- the operations
    def _product(self, a: Part, b: Part, whole: ex.Node) -> Part:
        if STILL in (a.kind, b.kind):
            return Part(ex.Binary("*", a.node, b.node), max(a.kind, b.kind), whole)
        if a.kind == b.kind == TIME:
            return Part(whole, TIME, whole)
        return Part(ex.Binary("*", self._linear(a).node, self._linear(b).node), ROW, whole)

    def _quotient(self, a: Part, b: Part, whole: ex.Node) -> Part:
        if b.kind == STILL:
            return Part(ex.Binary("/", a.node, b.node), a.kind, whole)
        if b.kind == TIME:
            inverse = ex.Binary("/", ONE, b.whole)
            return self._product(a, Part(inverse, TIME, inverse), whole)
        below = self._linear(b).node
        return self._term(whole, lambda own: ex.Binary("-", ex.Binary("*", own, below), a.node))

    def _power(self, a: Part, b: Part, whole: ex.Node) -> Part:
        if b.kind != STILL:
            raise Beyond("a power that changes, of something that moves" if a.kind > TIME else "a power that moves")
        n = ex.evaluate(b.node, self.values)
        if abs(n) > LARGEST or 4 * n != round(4 * n):
            raise Beyond(f"a power {n:g} of something that moves")
        if n < 0:
            positive = ex.Binary("^", a.whole, ex.Number(f"{-n:g}"))
            power = self._power(a, Part(ex.Number(f"{-n:g}"), STILL, ex.Number(f"{-n:g}")), positive)
            return self._quotient(Part(ONE, STILL, ONE), power, whole)
        while n != round(n):  # a root, to a power
            a, n = self._root(a, ex.Call("sqrt", (a.whole,))), 2 * n
        return self._whole_power(a, round(n))

    def _whole_power(self, a: Part, n: int) -> Part:
        if n == 0:
            return Part(ONE, STILL, ONE)
        if n == 1:
            return a
        whole = ex.Binary("^", a.whole, ex.Number(str(n)))
        if n == 2:
            return Part(ex.Binary("^", self._linear(a).node, ex.Number("2")), ROW, whole)
        half = self._linear(self._whole_power(a, n // 2))
        if n % 2:
            return self._product(self._whole_power(half, 2) if n > 3 else self._whole_power(a, 2), a, whole)
        return Part(self._whole_power(half, 2).node, ROW, whole)

    def _circular(self, function: str, a: Part, whole: ex.Node) -> Part:
        if not (isinstance(a.node, ex.Name) and (a.node.name in self.variables or a.node.name in self.made)):
            a = self._term(a.whole, lambda own: ex.Binary("-", own, a.node))
        return Part(ex.Call(function, (a.node,)), ROW, whole)

    def _root(self, a: Part, whole: ex.Node) -> Part:
        """r with r^2 = a, and s with s^2 = r, so that r cannot change its sign."""
        root = self._term(whole, lambda own: ex.Binary("-", ex.Binary("^", own, ex.Number("2")), a.node))
        again = ex.Call("sqrt", (whole,))
        self._term(again, lambda own: ex.Binary("-", root.node, ex.Binary("^", own, ex.Number("2"))))
        return root

    # ------------------------------------------------------------------------------------ new variables
    def _linear(self, a: Part) -> Part:
        if a.kind in (STILL, LINEAR):
            return a
        return self._term(a.whole, lambda own: ex.Binary("-", own, a.node))

    def _term(self, whole: ex.Node, equation) -> Part:
        if whole not in self._known:
            name = f"{self.joint}.term{len(self.made) + 1}"
            own = ex.Name(name)
            self.made[name] = ResolvedCoordinate(
                name, "term", needed=True, joint=self.joint, formula=whole, equation=equation(own)
            )
            self._known[whole] = Part(own, LINEAR, whole)
        return self._known[whole]
