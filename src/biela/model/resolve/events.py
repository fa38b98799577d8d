"""Stops and locks: what interrupts a motion. The coordinates they speak of become part of the equations."""

from __future__ import annotations

import math
import re

from .. import expression as ex
from ..items import Lock, Stop
from ..resolved import Moment, Number, ResolvedCoordinate, ResolvedLock, ResolvedStop
from ..units import UnitError, parse_quantity
from .context import Context
from .coordinates import KINDS, RATES, target
from .equations import is_known, variable_names, variables_of
from .scalars import number

UNITS = {"length": "m", "angle": "rad"}
_COMPARISON = re.compile(r"(.*?)(<=|>=|<|>)(.*)", re.DOTALL)


def resolve_stops(ctx: Context) -> tuple[ResolvedStop, ...]:
    """All the stops that make sense; what is wrong with the others is reported."""
    found = [_stop(ctx, name, item, f"stops.{name}") for name, item in ctx.model.stops.items()]
    return tuple(stop for stop in found if stop is not None)


def _stop(ctx: Context, name: str, item: Stop, where: str) -> ResolvedStop | None:
    read = _expression(ctx, item.coordinate, f"{where}.coordinate", "stopped")
    kind = read[1] if read else "length"
    limits: dict[str, Number | None] = {}
    for key, given in (("lower", item.lower), ("upper", item.upper)):
        limits[key] = None if given is None else ctx.scalars.read(given, f"{where}.{key}", kind or "number")
    lower, upper = limits["lower"], limits["upper"]
    if lower is None and upper is None:
        ctx.problems.add(f"stop {name!r} has no limit", where, "", "give lower, upper or both")
    elif lower is not None and upper is not None and not ctx.scalars.value(lower) < ctx.scalars.value(upper):
        why = f"lower = {ctx.scalars.value(lower):g}, upper = {ctx.scalars.value(upper):g}"
        cure = "give lower < upper; to hold a coordinate still, use a lock"
        ctx.problems.add(f"stop {name!r} leaves no room", where, why, cure)
    e = ctx.scalars.read(item.restitution, f"{where}.restitution", "number")
    if not 0 <= ctx.scalars.value(e) <= 1 and not math.isnan(ctx.scalars.value(e)):
        why = f"{ctx.scalars.value(e):g}: an impact would {'make' if ctx.scalars.value(e) > 1 else 'take'} too much"
        cure = "give a number from 0 (no rebound) to 1 (no loss)"
        ctx.problems.add(f"the restitution of stop {name!r} is not possible", f"{where}.restitution", why, cure)
    if read is None:
        return None
    return ResolvedStop(name, read[0], lower, upper, e, UNITS.get(kind, "1"))


def resolve_locks(ctx: Context) -> tuple[ResolvedLock, ...]:
    """All the locks that make sense; what is wrong with the others is reported."""
    found = [_lock(ctx, name, item, f"locks.{name}") for name, item in ctx.model.locks.items()]
    return tuple(lock for lock in found if lock is not None)


def _lock(ctx: Context, name: str, item: Lock, where: str) -> ResolvedLock | None:
    texts = [item.hold] if isinstance(item.hold, str) else item.hold
    if not texts:
        ctx.problems.add(f"lock {name!r} holds nothing", f"{where}.hold", "", "name a coordinate")
    read = [_expression(ctx, text, f"{where}.hold", "held") for text in texts]
    closes, opens = (
        None if given is None else _moment(ctx, given, f"{where}.{key}")
        for key, given in (("closes", item.closes), ("opens", item.opens))
    )
    times = [m.time for m in (closes, opens) if m is not None and m.time is not None]
    if len(times) == 2 and not ctx.scalars.value(times[0]) < ctx.scalars.value(times[1]):
        why = f"it closes at {ctx.scalars.value(times[0]):g} s and opens at {ctx.scalars.value(times[1]):g} s"
        ctx.problems.add(f"lock {name!r} never holds", where, why, "let it open after it closes")
    if any(r is None for r in read) or not texts:
        return None
    units = tuple(UNITS.get(kind, "1") for _, kind in read)  # type: ignore[misc]
    return ResolvedLock(name, tuple(node for node, _ in read), closes, opens, units)  # type: ignore[misc]


def _moment(ctx: Context, given: float | str, where: str) -> Moment | None:
    """A time, or a condition: two sides with < or > between."""
    compared = _COMPARISON.fullmatch(given) if isinstance(given, str) else None
    if compared is None:
        time = ctx.scalars.read(given, where, "time")
        if ctx.scalars.value(time) < 0:
            ctx.problems.add("a run starts at t = 0", where, f"{ctx.scalars.value(time):g} s", "give a time >= 0")
        return Moment(time=time, text=str(given))
    left, sign, right = compared.groups()
    first = _condition_side(ctx, left, where, "")
    second = _condition_side(ctx, right, where, first[1]) if first is not None else None
    if first is None or second is None:
        return None
    sides = (first[0], second[0]) if ">" in sign else (second[0], first[0])
    return Moment(condition=ex.Binary("-", *sides), text=str(given).strip())


def _condition_side(ctx: Context, text: str, where: str, kind: str) -> tuple[ex.Node, str] | None:
    """One side of a condition: a formula of coordinates, points, their rates and t, or a quantity with a unit."""
    text = text.strip()
    if not ctx.scalars.told_apart(text, where, ("t",)):
        return None
    try:
        quantity = parse_quantity(text)
    except UnitError:
        quantity = None
    if quantity is not None:
        value = ctx.scalars.value(ctx.scalars.read(text, where, kind or "number"))
        return number(value), ""
    cure = "write 'phi > 30 deg', 'P.y < 0', 'crank.angle.rate > 2', with formulas on both sides"
    node = _parsed(ctx, text, where, f"the condition {text!r} cannot be understood", cure)
    kinds = set()
    for name in variable_names(ctx, node) if node is not None else ():
        found = _quantity_kind(ctx, name, where)
        if found is None:
            return None
        kinds.add(found)
    return None if node is None else (_with_numbers(ctx, node), (kinds.pop() if len(kinds) == 1 else ""))


def _quantity_kind(ctx: Context, name: str, where: str) -> str | None:
    """What a name in a condition is: a coordinate or its rate, a component of a point's position or velocity."""
    owner, _, part = name.rpartition(".")
    if part == "rate":
        kind = _quantity_kind(ctx, owner, where)
        return None if kind is None else RATES.get(kind, kind)
    if owner in ctx.owners and part in tuple(f"v{axis}" for axis in ctx.axes):
        return "velocity"
    if not is_known(ctx, name, where):
        return None
    if owner in ctx.ground:
        return "length"
    found = target(ctx, name, where, "used in a condition")
    if found is None:
        return None
    return KINDS[found.type] if isinstance(found, ResolvedCoordinate) else "length"


def _expression(ctx: Context, text: str, where: str, user: str) -> tuple[ex.Node, str] | None:
    """A coordinate, "P.x" or a formula of such, and its kind (empty where lengths and angles are mixed)."""
    cure = "name a coordinate, a point's 'P.x', a body's 'crank.angle', or write a formula of such"
    node = _parsed(ctx, text, where, f"{text!r} cannot be understood", cure)
    if node is None or not all([is_known(ctx, name, where) for name in variable_names(ctx, node)]):
        return None
    found = variables_of(ctx, node, where, user)
    if found is None:
        return None
    if not any(one.moves for one in found.values()):
        ctx.problems.add(f"nothing in {text!r} can move", where, "", "name a coordinate or a moving point")
        return None
    kinds = {one.kind for one in found.values()}
    simple = all(not isinstance(part, ex.Binary | ex.Call) or getattr(part, "op", "") in "+-" for part in _parts(node))
    return _with_numbers(ctx, node), (kinds.pop() if len(kinds) == 1 and simple else "")


def _parsed(ctx: Context, text: str, where: str, what: str, cure: str) -> ex.Node | None:
    """The name of a coordinate, or a formula; `what` and `cure` tell what is wrong with it."""
    if text in ctx.coordinates:
        return ex.Name(text)
    try:
        return ex.parse(text, dotted=True)
    except ex.ExpressionError as error:
        ctx.problems.add(what, where, str(error), cure)
        return None


def _parts(node: ex.Node) -> list[ex.Node]:
    out: list[ex.Node] = []
    ex.fold(node, lambda part, _: out.append(part))
    return out


def _with_numbers(ctx: Context, node: ex.Node) -> ex.Node:
    """The parameters in it become numbers, as nothing here is ever written in symbols."""
    found = ctx.scalars.with_values(node)
    return node if found is None else found  # (a parameter without a value is reported already)
