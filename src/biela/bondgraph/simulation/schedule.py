"""When the laws of a graph switch or bend, and how long a step may be so that no pulse is missed.

Formulas and tables say it themselves: bounds tell every instant at which a comparison, a sign or a minimum of time
turns, and how fast the smooth parts between go, however short they are (`model.expression.interval_search`). A Python
function says nothing of itself: it is sampled on a grid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...model.expression import (
    Binary,
    Call,
    ExpressionError,
    Name,
    Node,
    Number,
    Unary,
    fold,
    names,
    parse,
    switches_of,
)
from ...model.expression.derivative import substitute
from ...model.expression.interval_search import CLOCK, Along, changes, resolved
from ...model.items import Table
from ..model.domains import quantity
from ..model.elements import Element
from ..model.graph import BondGraph
from .numeric import Numeric

GRID = 10_000
"""instants at which Python functions are sampled; what is shorter than the run over this is not seen"""
FEWEST, MOST_JUMPS = 20, 100_000
SHARES = 1e-6, 1e-4
"""of the impulse of a law: what it may leave a straight line by, within one part of it; more only where that were too
many parts"""
PARTS = 8
"""of those parts that a step may pass"""
SHORTEST = 1e-13
"""of the run: parts between two switches are no shorter"""


@dataclass
class Schedule:
    """What the integration must be told: segments without jumps, each with its longest step."""

    segments: list[tuple[float, float, float]]
    """(from, to, longest step): integrated one after the other, with a jump or a bend of a law between them"""
    switches: list[float] = field(default_factory=list)
    """where laws switch or bend"""
    doubts: list[str] = field(default_factory=list)
    """what could not be told beforehand"""
    notes: list[str] = field(default_factory=list)


def laws_of(graph: BondGraph) -> Iterator[tuple[str, Any]]:
    """Where each law is, and the law."""
    for name, item in graph.elements.items():
        for key in type(item).model_fields:
            law = getattr(item, key)
            if key not in Element.model_fields and key != "type" and law is not None:
                yield f"{name}.{key}", law


def schedule(graph: BondGraph, numeric: Numeric, duration: float) -> Schedule:
    """Look at all laws of time."""
    out = Schedule([])
    switches: list[float] = []
    parts: list[np.ndarray] = []
    values = {str(symbol): value for symbol, value in numeric.eq.network.parameters.items()}
    given = {name: parse(repr(float(values[name]))) for name in graph.parameters if name in values}
    python = False
    for where, law in laws_of(graph):
        if isinstance(law, Table):
            if numeric.eq.network.nodes[where.split(".")[0]].kind in ("Se", "Sf"):
                switches += [float(x) for x in law.x if 0.0 < x < duration]
        elif callable(law):
            python = True
        elif isinstance(law, str):
            _formula(law, where, given, duration, switches, parts, out.doubts)
    if len(switches) > MOST_JUMPS:
        out.doubts.append(f"laws switch {len(switches)} times: steps do not end there")
        switches = []
    limit = duration / FEWEST
    if python and not numeric.constant:
        limit, more = _by_grid(numeric, duration)
        switches += more
        out.notes.append(f"Python functions are sampled every {duration / GRID:.2g} s: faster changes are not seen")
    out.switches = sorted(set(switches))
    out.segments = _segments(out.switches, parts, duration, limit)
    return out


def _formula(law: str, where: str, given: dict[str, Node], duration: float, switches: list[float],
             parts: list[np.ndarray], doubts: list[str]) -> None:  # fmt: skip
    """Where a formula switches, and how fast the parts of it go that are of time alone."""
    try:
        if quantity(law) is not None:
            return
        node = substitute(parse(law, True), given)
    except (ExpressionError, ValueError):
        return  # (a mistake, told by those who read it)
    if "t" not in names(node):
        return
    for turn in _of_time(node):
        found = changes(Along(turn, {"t": CLOCK}), 0.0, duration, SHORTEST * duration)
        if found is None:
            doubts.append(f"{where} switches more often than can be checked beforehand")
            continue
        along = Along(turn, {"t": CLOCK})
        switches += [x for x in (_turning(along, *part) for part in found)
                     if SHORTEST * duration < x < (1 - SHORTEST) * duration]  # fmt: skip
    for smooth in _largest_of_time(node):
        along, shortest = Along(smooth, {"t": CLOCK}), 10 * SHORTEST * duration
        tries = (resolved(along, 0.0, duration, share, shortest) for share in SHARES)
        ends = next((x for x in tries if x is not None), None)
        if ends is None:
            doubts.append(f"{where} changes faster than can be checked beforehand")
        else:
            parts.append(ends)


def _turning(along: Along, a: float, b: float) -> float:
    """The first instant on the other side, to the last digit."""
    a, b = a - 2 * (b - a) - 1e-15 * abs(a), b + 2 * (b - a) + 1e-15 * abs(b)
    before, after = (float(along.at(np.array([x]))[0]) for x in (a, b))
    if before * after > 0.0:
        return 0.5 * (a + b)  # touched, and not passed
    while a < (middle := 0.5 * (a + b)) < b:
        here = float(along.at(np.array([middle]))[0])
        a, b = (middle, b) if here * before > 0.0 else (a, middle)
    return b


def _is_of_time(node: Node) -> bool:
    return names(node) == {"t"}


def _of_time(root: Node) -> list[Node]:
    """The differences of time that decide between branches."""
    found: dict[Node, None] = {}

    def visit(node: Node, below: list[None]) -> None:
        found.update(dict.fromkeys(d for d in switches_of(node) if _is_of_time(d)))

    fold(root, visit)
    return list(found)


def _largest_of_time(root: Node) -> list[Node]:
    """The largest parts of a formula that are of time alone, without what switches: that is cut, and what is left is
    looked at branch by branch."""
    out: list[Node] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        match node:
            case Number() | Name():
                continue
            case Unary(_, a):
                below = [a]
            case Binary(_, a, b):
                below = [a, b]
            case Call(_, args):
                below = list(args)
        switching = bool(switches_of(node)) or (isinstance(node, Call) and node.function == "if")
        if _is_of_time(node) and not _switches_somewhere(node):
            out.append(node)
        elif not (switching and all(isinstance(x, (Number, Name)) for x in below)):
            waiting += below
    return out


def _switches_somewhere(root: Node) -> bool:
    def visit(node: Node, below: list[bool]) -> bool:
        jump = isinstance(node, Call) and node.function == "if"
        return jump or bool(switches_of(node)) or any(below)

    return fold(root, visit)


def _segments(
    switches: list[float], parts: list[np.ndarray], duration: float, limit: float
) -> list[tuple[float, float, float]]:
    """Parts of about the same length together, cut where laws switch; the steps of each pass some of its parts."""
    at = np.array(switches)
    ends = np.unique(np.concatenate([[0.0, duration], *parts]))
    if len(at):
        right = np.minimum(np.searchsorted(at, ends), len(at) - 1)
        apart = np.minimum(np.abs(at[right] - ends), np.abs(at[np.maximum(right - 1, 0)] - ends))
        ends = np.unique(np.concatenate([ends[apart > SHORTEST * duration], at, [0.0, duration]]))
    width = np.diff(ends)
    size, cut, out = np.round(np.log2(width / duration)), np.isin(ends, at), []
    first, low, high = 0, size[0], size[0]
    for k in range(1, len(width)):
        low, high = min(low, size[k]), max(high, size[k])
        if cut[k] or high - low > 2:
            out.append((float(ends[first]), float(ends[k]), min(PARTS * float(width[first:k].min()), limit)))
            first, low, high = k, size[k], size[k]
    out.append((float(ends[first]), duration, min(PARTS * float(width[first:].min()), limit)))
    return out


def _by_grid(numeric: Numeric, duration: float) -> tuple[float, list[float]]:
    """The longest step with which straight lines follow every source within a tenth of its range, by a grid; and where
    sources jump."""
    t = np.linspace(0.0, duration, GRID + 1)
    values = np.array([_inputs(numeric, float(x)) for x in t]).T
    values = np.where(np.isfinite(values), values, 0.0)
    spread = np.ptp(values, axis=1)
    values = values[spread > 0] / spread[spread > 0][:, None]
    if not len(values):
        return duration / FEWEST, []
    jumps, cuts = np.diff(values, axis=1), []
    where = np.flatnonzero(np.abs(jumps).max(axis=0) > 0.05)
    if 0 < len(where) <= GRID // FEWEST:
        for k in where:  # a steep ramp is a segment of its own
            cut = _located(numeric, float(t[k]), float(t[k + 1]))
            cuts += [float(t[k]), float(t[k + 1])] if cut is None else [cut]
        jumps[:, where] = 0.0
        values = np.concatenate([np.zeros((len(values), 1)), np.cumsum(jumps, axis=1)], axis=1)
    steps = FEWEST
    while steps < GRID:
        knots = np.linspace(0, GRID, steps + 1).round().astype(int)
        if max(np.abs(np.interp(t, t[knots], row[knots]) - row).max() for row in values) < 0.1:
            break
        steps *= 2
    return duration / min(steps, GRID), [x for x in cuts if 0.0 < x < duration]


def _located(numeric: Numeric, a: float, b: float) -> float | None:
    """The instant just after a jump; None where it is only a steep ramp."""
    before, after = _inputs(numeric, a), _inputs(numeric, b)
    size = float(np.abs(after - before).max())
    while a < (middle := 0.5 * (a + b)) < b:
        here = _inputs(numeric, middle)
        if np.abs(here - before).max() > np.abs(after - here).max():
            b, after = middle, here
        else:
            a, before = middle, here
    return b if float(np.abs(after - before).max()) > 0.3 * size else None


def _inputs(numeric: Numeric, t: float) -> np.ndarray:
    return np.array(numeric.sources(t), dtype=float)


def within(rate: Callable[..., np.ndarray], start: float, end: float) -> Callable[..., np.ndarray]:
    """A rate that is asked only within a segment: at its very ends, a little inside, where the branch of it holds."""
    least = min(1e-15 * max(abs(start), abs(end)), 1e-3 * (end - start))
    return lambda t, *rest: rate(min(max(t, start + least), end - least), *rest)
