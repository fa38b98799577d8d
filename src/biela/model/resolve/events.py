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
from .laws import number
from .naming import did_you_mean

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
    read = _condition_side(ctx, left, where, ""), None
    if read[0] is None:
        return None
    first, kind = read[0]
    second = _condition_side(ctx, right, where, kind)
    if second is None:
        return None
    sides = (first, second[0]) if ">" in sign else (second[0], first)
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
    if text in ctx.coordinates:
        node: ex.Node = ex.Name(text)
    else:
        try:
            node = ex.parse(text, dotted=True)
        except ex.ExpressionError as error:
            cure = "write 'phi > 30 deg', 'P.y < 0', 'crank.angle.rate > 2', with formulas on both sides"
            ctx.problems.add(f"the condition {text!r} cannot be understood", where, str(error), cure)
            return None
    kinds = set()
    for name in sorted(ex.names(node) - {"t", *ctx.scalars.parameters}):
        found = _quantity_kind(ctx, name, where)
        if found is None:
            return None
        kinds.add(found)
    return _with_numbers(ctx, node), (kinds.pop() if len(kinds) == 1 else "")


def _quantity_kind(ctx: Context, name: str, where: str) -> str | None:
    """What a name in a condition is: a coordinate or its rate, a component of a point's position or velocity."""
    owner, _, part = name.rpartition(".")
    if part == "rate":
        kind = _quantity_kind(ctx, owner, where)
        return None if kind is None else RATES.get(kind, kind)
    if owner in ctx.owners and part in tuple(f"v{axis}" for axis in ctx.axes):
        return "velocity"
    if not _exists(ctx, name, where):
        return None
    if owner in ctx.ground:
        return "length"
    found = target(ctx, name, where, "used in a condition")
    if found is None:
        return None
    return KINDS[found.type] if isinstance(found, ResolvedCoordinate) else "length"


def _expression(ctx: Context, text: str, where: str, user: str) -> tuple[ex.Node, str] | None:
    """A coordinate, "P.x" or a formula of such, and its kind (empty where lengths and angles are mixed)."""
    if text in ctx.coordinates:
        node: ex.Node = ex.Name(text)
    else:
        try:
            node = ex.parse(text, dotted=True)
        except ex.ExpressionError as error:
            cure = "name a coordinate, a point's 'P.x', a body's 'crank.angle', or write a formula of such"
            ctx.problems.add(f"{text!r} cannot be understood", where, str(error), cure)
            return None
    kinds, moving = set(), False
    for name in sorted(ex.names(node) - {"t", *ctx.scalars.parameters}):
        if not _exists(ctx, name, where):
            return None
        point, _, axis = name.rpartition(".")
        if point in ctx.ground and axis in tuple(ctx.axes):
            ctx.used.add(point)
            kinds.add("length")
            continue
        moving = True
        if name in ctx.directed:
            kinds.add("")
            continue
        found = target(ctx, name, where, user)
        if found is None:
            return None
        if isinstance(found, ResolvedCoordinate):
            ctx.acted_on.add(found.name)
            kinds.add(KINDS[found.type])
            if found.tilts:
                why = f"no joint keeps {name!r} at its slope to the axis: it can only be measured"
                ctx.problems.add(f"{name!r} cannot be {user}", where, why, "name the coordinate of a joint")
                return None
        else:
            kinds.add("length")
    if not moving:
        ctx.problems.add(f"nothing in {text!r} can move", where, "", "name a coordinate or a moving point")
        return None
    simple = all(not isinstance(part, ex.Binary | ex.Call) or getattr(part, "op", "") in "+-" for part in _parts(node))
    return _with_numbers(ctx, node), (kinds.pop() if len(kinds) == 1 and simple else "")


def _parts(node: ex.Node) -> list[ex.Node]:
    out: list[ex.Node] = []
    ex.fold(node, lambda part, _: out.append(part))
    return out


def _with_numbers(ctx: Context, node: ex.Node) -> ex.Node:
    """The parameters in it become numbers, as nothing here is ever written in symbols."""
    values = ctx.scalars.parameters
    used = {name: ctx.scalars.value(values[name]) for name in ex.names(node) if name in values}
    if any(math.isnan(value) for value in used.values()):
        return node  # reported already
    return ex.substitute(node, {name: number(value) for name, value in used.items()})


def _exists(ctx: Context, text: str, where: str) -> bool:
    """Whether a name is one; else it is reported."""
    owner, _, part = text.rpartition(".")
    if text in ctx.coordinates or text in ctx.directed or (owner in ctx.owners and part in tuple(ctx.axes)):
        return True
    if owner in ctx.bodies and part == "angle" and not ctx.in_space:
        return True
    if text not in ctx.model.coordinates and owner not in ctx.refused:
        known = [*ctx.coordinates, *(f"{p}.{axis}" for p in ctx.owners for axis in ctx.axes), *ctx.directed]
        if not ctx.in_space:
            known += [f"{name}.angle" for name, body in ctx.bodies.items() if not body.particle]
        ctx.problems.add(f"there is no {text!r}", where, "", did_you_mean(text, known, "names"))
    return False
