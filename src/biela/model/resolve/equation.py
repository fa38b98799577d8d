"""Reading an equation between coordinates: "l.x*b.x + l.y*b.y" must vanish, "s = 2*P.y" has two sides."""

from __future__ import annotations

import math
import re

from .. import expression as ex
from .context import Context
from .laws import number

_EQUALS = re.compile(r"(?<![<>=])=(?!=)")


def read_equation(ctx: Context, name: str, text: str, where: str) -> ex.Node | None:
    """What must vanish. Names of points, coordinates and t stay; parameters become numbers.

    With symbols the parameters stay names: whoever evaluates the equation has them in `ResolvedModel.parameters`.
    """
    node = _sides(ctx, text, where)
    if node is None or not _unambiguous(ctx, name, node, text, where):
        return None
    values = ctx.scalars.parameters
    used = {name: values[name] for name in ex.names(node) if name in values}
    if ctx.scalars.symbolic:
        return ex.substitute(node, {})
    if any(math.isnan(value) for value in used.values()):
        return None  # that parameter has been reported already
    return ex.substitute(node, {name: number(value) for name, value in used.items()})


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
    """Whether every plain name has one meaning: a coordinate may bear the name of a parameter or a constant."""
    plain: set[str] = set()
    ex.fold(node, lambda part, _: plain.add(part.name) if isinstance(part, ex.Name) else None)
    taken = {**dict.fromkeys(ctx.scalars.parameters, "a parameter"), **dict.fromkeys(ex.CONSTANTS, "a constant")}
    taken["t"] = "the time"
    twice = sorted(plain & set(taken) & set(ctx.model.coordinates))
    for one in twice:
        what = f"{one!r} means two things in the equation of joint {name!r}"
        ctx.problems.add(what, where, f"it is a coordinate and {taken[one]}, in {text!r}", "rename the coordinate")
    return not twice
