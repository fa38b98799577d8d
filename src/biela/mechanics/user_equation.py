"""Equations of the user's own as rows: quadratics of coordinates and points, and functions of time.   [K.12]"""

from __future__ import annotations

from typing import Any

from ..errors import ModelError, Problem
from ..model.expression import FLOAT_FUNCTIONS, Node, Number, Unary, evaluate, names, substitute
from ..model.joints.primitives import View
from ..model.resolved import Direction, ResolvedLaw
from .polynomial import Polynomial


def user_row(what: str, joint: str, node: Node, see: View) -> tuple:
    """The row of a formula, with a law of time if it has one. `what`: what the row says."""
    still = see.resolved.parameters if see.resolved.scalar == "sympy" else {}
    moving = {n: _variable(n, see) for n in names(node) if n != "t" and n not in still}
    arithmetic = _still_functions() | {
        "sin": _circular("sin", Polynomial.sine),
        "cos": _circular("cos", Polynomial.cosine),
        "neg": lambda a: -a,
        "+": _add,
        "-": lambda a, b: _add(a, -b),
        "*": _times,
        "/": lambda a, b: _times(a, 1) / b,
        "^": lambda a, b: _times(a, 1) ** b,
    }
    try:
        here, later = (
            _polynomial(evaluate(node, {**still, **moving, "t": t}, arithmetic)) for t in (0.0, 0.7310585786)
        )
    except (ValueError, TypeError, AttributeError) as error:
        why = f"it has {error}" if isinstance(error, ValueError) else "it has a function of them"
        raise _refuse(joint, why) from None
    if (here.linear, here.quadratic, here.trig) != (later.linear, later.quadratic, later.trig):
        raise _refuse(joint, "time multiplies something that moves")
    if "t" not in names(node):
        return what, here
    row = Polynomial(0, here.linear, here.quadratic, here.trig)
    with_zeros = substitute(node, {n: Number("0") for n in moving})  # the rest, and the cosines of zero
    cosines = sum((c for c, _ in here.trig.values()), 0)
    return what, row, ResolvedLaw(constant=cosines, expression=Unary("-", with_zeros))


def _circular(name: str, of_variable: Any) -> Any:
    """sin or cos of a number, or of a variable by itself."""

    def apply(a: Any) -> Any:
        if not isinstance(a, Polynomial) or not a.variables():
            return FLOAT_FUNCTIONS[name](a.constant if isinstance(a, Polynomial) else a)
        if a.quadratic or a.trig or a.constant != 0 or list(a.linear.values()) != [1]:
            raise ValueError("a function of something that moves")
        return of_variable(next(iter(a.linear)))

    return apply


def _still_functions() -> dict[str, Any]:
    """Functions of numbers and of time; of something that moves they are refused."""

    def still(function: Any) -> Any:
        def apply(*arguments: Any) -> Any:
            if any(isinstance(a, Polynomial) and a.variables() for a in arguments):
                raise ValueError("a function of something that moves")
            return function(*(a.constant if isinstance(a, Polynomial) else a for a in arguments))

        return apply

    return {name: still(function) for name, function in FLOAT_FUNCTIONS.items()}


def _add(a: Any, b: Any) -> Any:
    return b + a if isinstance(b, Polynomial) else a + b


def _times(a: Any, b: Any) -> Any:
    if isinstance(a, Polynomial):
        return a * b
    return b * a if isinstance(b, Polynomial) else Polynomial(a * b)


def _polynomial(p: Any) -> Polynomial:
    return p if isinstance(p, Polynomial) else Polynomial(p)


def _variable(name: str, see: View) -> Any:
    """A coordinate, "P.x", or "body.u.x"."""
    resolved = see.resolved
    if name in resolved.coordinates:
        return see.coordinate(name)
    what, axis = name.rsplit(".", 1)
    if "." in what:
        body, direction = what.split(".", 1)
        return see.direction(Direction(body, resolved.bodies[body].directions[direction]))["xyz".index(axis)]
    return see.place(resolved.place(what))["xyz".index(axis)]


def _refuse(joint: str, why: str) -> ModelError:
    return ModelError(
        Problem(
            f"joint {joint!r}: this equation is beyond a quadratic",
            where=f"joints.{joint}.equation",
            why=f"biela takes sums of products of at most two coordinates, and functions of t by themselves; {why}",
            cure="write it with products of two, or put a relative coordinate (distance, angle) in its place",
        )
    )
