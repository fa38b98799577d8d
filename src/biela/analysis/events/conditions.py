"""Conditions of locks: their value at a state, and where within a step they hold, for however short a while.

What a condition reads goes along a polynomial from one evaluation to the next (`paths`). Bounds of the condition along
it say where it does not hold, and where it does. Where they cannot say, because the path is not known well enough, a
state between the two is computed, and both halves are examined.  [X.7]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import MethodError, Problem
from ...methods.loops.stepper import Sample
from ...model import expression as ex
from ...model.expression.interval_search import CLOCK, Along, Quantity, first_positive
from ...model.resolved import Moment
from ...system.system import System
from ..quantities import integral_name
from .paths import Three, path_between, turn_between

FINE = 1e-14
"""of the time and of the step: shorter intervals are not searched"""
DEEP = 6
"""how often a step is halved, where its path is not known well enough"""


@dataclass
class Readings:
    """What conditions read, at one instant."""

    t: float
    of: dict[str, Three]


class Reader:
    """Reads what the conditions of locks speak of."""

    def __init__(self, system: System, moments: list[Moment]):
        self.system = system
        read = {name for m in moments for name in ex.names(m.condition) if name != "t"}
        coordinates = system.resolved.coordinates
        self.meant = {name: (name, 0) if name in coordinates else integral_name(name) for name in read}

    def at(self, t: float, q: np.ndarray, v: np.ndarray, a: np.ndarray | None) -> Readings:
        """All of it at a state."""
        values = self._values(q[None], v[None], None if a is None else a[None])
        return Readings(t, {name: tuple(float(x) for x in three[:, 0]) for name, three in values.items()})  # type: ignore

    def _values(self, q: np.ndarray, v: np.ndarray, a: np.ndarray | None) -> dict[str, np.ndarray]:
        """Three rows for each thing that is read, at one state or many."""
        system, out, posture = self.system, {}, None
        for base in sorted({base for base, _ in self.meant.values()}):
            if base in system.resolved.coordinates:
                three = system.value(base, q, v, a)
            else:
                owner, _, part = base.rpartition(".")
                posture = system.posture(q, v, a) if posture is None else posture
                three = [x if x is None else x[:, "xyz".index(part)]
                         for x in posture.place(system.resolved.place(owner))]  # fmt: skip
            nothing = np.full(len(q), np.nan)
            out[base] = np.array([nothing if x is None else x for x in (*three, None)[:3]], dtype=float)
        return out

    def possible(self, node: Any, before: Readings, samples: list[Sample]) -> np.ndarray:
        """Of every interval from one sample to the next, the first from `before`: whether a condition may become true
        within it."""
        nq, n, t = self.system.nq, self.system.n, np.array([before.t, *(s.t for s in samples)])
        y, ydot = np.array([s.y for s in samples]), np.array([s.ydot for s in samples])
        of = self._values(y[:, :nq], y[:, nq : nq + n], ydot[:, nq : nq + n])
        all_of = {base: np.concatenate([np.array(before.of[base])[:, None], three], axis=1)
                  for base, three in of.items()}  # fmt: skip
        first, last = ({base: three[:, part] for base, three in all_of.items()} for part in (slice(-1), slice(1, None)))
        paths = self.along(node, Readings(t[:-1], first), Readings(t[1:], last))  # type: ignore[arg-type]
        out = np.zeros(len(samples), dtype=bool)
        for along in paths:
            lo, hi = along(t[:-1], t[1:])
            out |= (lo <= 0.0) & (hi > 0.0)
        return out | (len(paths) > 1)

    def condition(self, moment: Moment, here: Readings, name: str) -> float:
        """How far a condition is from being true (negative) or is true (positive)."""
        values = {"t": here.t}
        values |= {text: here.of[base][order] for text, (base, order) in self.meant.items()}
        try:
            return float(ex.evaluate(moment.condition, values))
        except (ex.ExpressionError, ArithmeticError, ValueError) as error:
            raise MethodError(Problem(f"the condition {moment.text!r} of lock {name!r} has no value at "
                                      f"t = {here.t:.6g} s", where=f"locks.{name}", why=str(error),
                                      cure="correct it")) from None  # fmt: skip

    def along(self, node: Any, before: Readings, now: Readings) -> list[Along]:
        """A condition from one evaluation to the next, as a function of time: one, or two where an angle begins a new
        turn in between, as it goes on before and as it has come after that."""
        paths: list[dict[str, Quantity]] = [{}, {}]
        new_turn = False
        for text in ex.names(node):
            if text == "t":
                paths[0][text] = paths[1][text] = CLOCK
                continue
            base, order = self.meant[text]
            first, last = before.of[base], now.of[base]
            turn = turn_between(now.t - before.t, first, last)
            new_turn |= bool(np.any(turn != 0.0))
            for k, (x, y) in enumerate(((0.0, -turn), (turn, 0.0))):
                path = path_between(before.t, now.t, (first[0] + x, *first[1:]), (last[0] + y, *last[1:]))
                paths[k][text] = path.quantity(order)
        return [Along(node, p) for p in paths[: 2 if new_turn else 1]]


def first_true(reader: Reader, node: Any, before: Readings, now: Readings, read: Callable[[float], Readings | None],
               deep: int = DEEP) -> tuple[tuple[float, float] | None, bool]:  # fmt: skip
    """Two instants, between two evaluations, between which a condition first becomes true; None if it does not. And
    whether that is certain. `read`: what is read at an instant between, computed anew."""
    paths = reader.along(node, before, now)
    fine = FINE * max(abs(now.t), now.t - before.t)
    sifted = [first_positive(along, before.t, now.t, fine) for along in paths]
    if all(not found.open and found.sure is None for found in sifted):
        return None, True
    found, along = sifted[0], paths[0]
    known_well = len(paths) == 1 and all(b - a <= 2 * fine for a, b in found.open)
    if known_well and found.sure is None:
        return None, found.told  # touched at the most, for no longer than rounding
    early = found.sure is None or len(paths) > 1 or any(b < found.sure[0] - 2 * fine for _, b in found.open)
    if deep and not known_well and early:
        t = 0.5 * (before.t + now.t)
        middle = read(t)
        if middle is not None:
            hit, certain = first_true(reader, node, before, middle, read, deep - 1)
            if hit is not None:
                return hit, certain
            second, also = first_true(reader, node, middle, now, read, deep - 1)
            return second, certain and also
    if found.sure is None or len(paths) > 1:
        return None, False
    inside = _inside(along, *found.sure, now.t, fine)
    return (max(before.t, 2 * found.sure[0] - inside), inside), found.told


def _inside(along: Along, a: float, b: float, end: float, fine: float) -> float:
    """An instant well within the while for which a condition holds from a on."""
    x = np.union1d(np.minimum(a + fine * (2.0 ** np.arange(60) - 1.0), end), [a, b])
    low, _ = along(x, x)
    false = np.flatnonzero((low <= 0.0) & (x > b))
    last = int(false[0]) if len(false) else len(x)
    return float(x[int(np.argmax(low[:last]))])
