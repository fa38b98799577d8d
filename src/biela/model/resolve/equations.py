"""Formulas of coordinates, points and directions: a user's equation, what a stop limits and a lock holds.

"l.x*b.x + l.y*b.y" must vanish, "s = 2*P.y" has two sides. The coordinates that they speak of become part of the
equations, as those of drivers do.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from .. import expression as ex
from ..resolved import ResolvedCoordinate
from .bearers import tell_shared
from .context import Context
from .coordinates import KINDS, names_of, target
from .naming import did_you_mean

_EQUALS = re.compile(r"(?<![<>=])=(?!=)")


class Variable(NamedTuple):
    """What a name in a formula stands for."""

    kind: str
    """"length" or "angle"; "" of a component of a direction"""
    start: float
    """its value where the mechanism starts, NaN where that is not known"""
    moves: bool = True


def is_known(ctx: Context, text: str, where: str, why: str = "", also: tuple[str, ...] = ()) -> bool:
    """Whether a name is one that a formula can speak of; else it is reported. `also`: others that would have fitted."""
    owner, _, part = text.rpartition(".")
    if text in ctx.coordinates or text in ctx.directed or (owner in ctx.owners and part in tuple(ctx.axes)):
        return True
    if owner in ctx.bodies and part == "angle" and not ctx.in_space:
        return True
    if text not in ctx.model.coordinates and owner not in ctx.refused:  # those have been reported already
        cure = did_you_mean(text, [*names_of(ctx, ctx.owners, ctx.directed), *also], "names")
        ctx.problems.add(f"there is no {text!r}", where, why, cure)
    return False


def variables_of(ctx: Context, node: ex.Node, where: str, user: str) -> dict[str, Variable] | None:
    """What the names in a formula stand for, all of them known; None if one cannot be used, which is reported."""
    found: dict[str, Variable] = {}
    for name in variable_names(ctx, node):
        point, _, axis = name.rpartition(".")
        if point in ctx.ground and axis in tuple(ctx.axes):
            ctx.used.add(point)
            found[name] = Variable("length", ctx.scalars.value(ctx.ground[point][ctx.axes.index(axis)]), moves=False)
            continue
        if name in ctx.directed:
            found[name] = Variable("", ctx.scalars.value(ctx.directed[name]))
            continue
        one = target(ctx, name, where, user)
        if one is None:
            return None
        if isinstance(one, ResolvedCoordinate):
            ctx.acted_on.add(one.name)
            found[name] = Variable(KINDS[one.type], ctx.scalars.value(ctx.value_at_start(one)))
        else:
            found[name] = Variable("length", ctx.scalars.value(ctx.position(point)[one[1]]))
    return found


def variable_names(ctx: Context, node: ex.Node) -> list[str]:
    """The names in a formula that are no parameters, and not the time."""
    return sorted(ex.names(node) - {"t", *ctx.scalars.parameters})


# -------------------------------------------------------------------------------------------------- a user's joint
def user_equation(ctx: Context, name: str, text: str, where: str) -> ex.Node | None:
    """What must vanish, of names that exist and can move, with a value where the mechanism starts."""
    node = _read(ctx, name, text, where)
    if node is None:
        return None
    names = variable_names(ctx, node)
    if not all([is_known(ctx, one, where, f"in {text!r}", (*ctx.scalars.parameters, "t")) for one in names]):
        return None
    found = variables_of(ctx, node, where, "used in an equation")
    if found is None:
        return None
    for one in names:
        point = one.rpartition(".")[0]
        if point in ctx.shared and one not in ctx.coordinates:
            tell_shared(ctx, point, f"joint {name!r}", where)
    if not any(one.moves for one in found.values()):
        cure = "name what it ties together: coordinates, or points as in 'P.x'"
        ctx.problems.add(f"joint {name!r} holds nothing", where, f"nothing in {text!r} can move", cure)
        return None
    if not ctx.scalars.symbolic:
        _check_start(ctx, name, node, text, where, {"t": 0.0, **{n: x.start for n, x in found.items()}})
    return node


def _read(ctx: Context, name: str, text: str, where: str) -> ex.Node | None:
    """What must vanish. Names of points, coordinates and t stay; parameters become numbers.

    With symbols the parameters stay names: whoever evaluates the equation has them in `ResolvedModel.parameters`.
    """
    node = _sides(ctx, text, where)
    if node is None or not _unambiguous(ctx, name, node, text, where):
        return None
    return ex.substitute(node, {}) if ctx.scalars.symbolic else ctx.scalars.with_values(node)


def _sides(ctx: Context, text: str, where: str) -> ex.Node | None:
    cure = (
        "write a formula of points ('P.x', 'P.y'), coordinates, parameters and t that must vanish, "
        "or two of them with = between: 'l.x*b.x + l.y*b.y = 0'"
    )
    sides = _EQUALS.split(text)
    if len(sides) > 2:
        ctx.problems.add(f"the equation {text!r} has {len(sides)} sides", where, "", cure)
        return None
    try:
        read = [ex.parse(side, dotted=True) for side in sides]
    except ex.ExpressionError as error:
        ctx.problems.add(f"the equation {text!r} cannot be understood", where, str(error), cure)
        return None
    return read[0] if len(read) == 1 else ex.Binary("-", read[0], read[1])


def _unambiguous(ctx: Context, name: str, node: ex.Node, text: str, where: str) -> bool:
    """Whether every plain name stands for one thing: a coordinate may bear the name of a parameter or a constant."""
    plain: set[str] = set()
    ex.fold(node, lambda part, _: plain.add(part.name) if isinstance(part, ex.Name) else None)
    taken = {**dict.fromkeys(ctx.scalars.parameters, "a parameter"), **dict.fromkeys(ex.CONSTANTS, "a constant")}
    taken["t"] = "the time"
    twice = sorted(plain & set(taken) & set(ctx.model.coordinates))
    for one in twice:
        what = f"{one!r} means two things in the equation of joint {name!r}"
        ctx.problems.add(what, where, f"it is a coordinate and {taken[one]}, in {text!r}", "rename the coordinate")
    return not twice


def _check_start(ctx: Context, name: str, node: ex.Node, text: str, where: str, start: dict[str, float]) -> None:
    """An equation without a value where the mechanism starts could not be met there."""
    if any(math.isnan(value) for value in start.values()):
        return  # reported, or not known before the mechanism is assembled
    try:
        value = ex.evaluate(node, start)
        why = f"it gives {value}"
    except (ex.ExpressionError, ArithmeticError, ValueError, TypeError) as error:
        value, why = math.nan, str(error)
    if not math.isfinite(value):
        what = f"the equation of joint {name!r} has no value where the mechanism starts"
        ctx.problems.add(what, where, f"{text!r}: {why}", "correct the equation, or start elsewhere")
