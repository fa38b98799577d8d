"""One instant: which limits are struck, what impulses that takes, and what stays closed afterwards.   [X.1]-[X.6]"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...errors import AssemblyError, Problem
from ...methods.positions.impulse import Free, Jolt, jolt, staying
from ...results.events import Event
from ...system.system import Point
from .modes import row_names
from .watch import TOUCHING, Situation, Watch

HEIGHT, HEIGHT_3 = 1e-13, 1e-11
"""a rebound that would rise less than this, in sizes of the mechanism (or radians), is none; the second with the
index-3 methods, whose positions are those of an iteration   [X.6]"""
CROWD = 60
"""so many events at nearly the same instant: nothing rebounds any more"""
STILL = 1e-11
"""a rate below this part of what the mechanism's speed could make of it is none"""


@dataclass
class Instant:
    """A state, and what has happened there: ("strike", contact), ("release", contact), ("lock", name)."""

    t: float
    q: np.ndarray
    v: np.ndarray
    what: list[tuple[str, Any]] = field(default_factory=list)
    start: bool = False


def strike(watch: Watch, situation: Situation, now: Instant,
           crowd: int = 0, height: float = HEIGHT) -> tuple[list[Event], np.ndarray, float]:  # fmt: skip
    """Change the situation; returns the events, the change of the velocities, and the energy lost.

    `crowd`: how many events there were at nearly the same instant.
    """
    modes, full = watch.modes, watch.full
    at = full.at(now.q, now.v, now.t)
    gaps = watch.gaps(at)
    if now.start:
        refuse_beyond(watch, gaps)
    leaving = {i for kind, i in now.what if kind == "release"}
    toggled = [name for kind, name in now.what if kind == "lock"]
    opening = [name for name in toggled if name in situation.locked]
    closing = [name for name in toggled if name not in situation.locked]
    for name in opening:
        situation.locked.discard(name)
        for row in row_names(modes.locks[name]):
            situation.held.pop(row)
    hard = list(situation.held)
    fresh = [row for name in closing for row in row_names(modes.locks[name])]
    new = np.array([modes.row[row] for row in fresh], dtype=int)
    struck = {i for kind, i in now.what if kind == "strike"}
    near = {i for i in range(len(gaps)) if abs(gaps[i]) <= TOUCHING * watch.scale[i]}
    touching = np.array(sorted((struck | near | situation.resting) - leaving), dtype=int)
    rows, signs = watch.rows[touching], watch.signs[touching]
    e = np.array([0.0 if crowd > CROWD or i in situation.resting else modes.contacts[i].restitution for i in touching])
    free = watch.free(at, hard, now.q, now.t)
    drift, now = now.v, replace(now, v=free.consistent(now.v))
    free.at = at = full.at(now.q, now.v, now.t)
    blow = jolt(free, now.v, new, rows, signs, e)
    both = [*hard, *fresh]
    calmed = _calmed(watch, situation, now, blow, both, touching, e, height)
    if calmed.any():
        blow = jolt(free, now.v, new, rows, signs, np.where(calmed, 0.0, e))
    _refuse_forced(watch, now, blow, touching)
    after = full.at(now.q, now.v + blow.change, now.t)
    free = watch.free(after, both, now.q, now.t)
    quiet = np.abs(blow.after) <= _little(free, rows, signs, after, now.v + blow.change)
    stays = staying(free, rows[quiet], signs[quiet])
    resting = {int(i) for i in touching[quiet][stays]}
    little = _little(free, rows, signs, at, now.v)
    events = _events(watch, situation, now, blow, touching, resting, leaving, closing, opening, at, little)
    for name in closing:
        situation.locked.add(name)
        for row in row_names(modes.locks[name]):
            situation.held[row] = float(at.Phi[modes.row[row]])
    situation.resting = resting
    watch.levels[:] = 0.0
    # where rounding would strike one contact over and over, it is given a little way
    way = min(1e-15 * 4.0**crowd, 1e-9) if crowd > 2 else 0.0
    for i in touching:
        watch.levels[i] = min(0.0, float(gaps[i])) - way * watch.scale[i]
    for i in leaving:
        watch.levels[i] = min(0.0, float(gaps[i])) - 1e-13 * watch.scale[i]
    return events, now.v + blow.change - drift, blow.loss


def _calmed(watch: Watch, situation: Situation, now: Instant, blow: Jolt, hard: list[str], touching: np.ndarray,
            e: np.ndarray, height: float) -> np.ndarray:  # fmt: skip
    """Contacts whose rebound would be too low to be followed: v^2 / (2 |a|) against `height`."""
    rebound = (blow.after > 0.0) & (blow.before < 0.0) & (e > 0.0)
    if not rebound.any():
        return rebound
    at = watch.full.at(now.q, now.v + blow.change, now.t)
    lying = {watch.modes.contacts[i].name for i in touching if i in situation.resting}
    free = watch.free(at, [*hard, *sorted(lying)], now.q, now.t)
    w = free.accelerations(watch.rows[touching], watch.signs[touching])
    return rebound & (w < 0.0) & (blow.after**2 < 2.0 * np.abs(w) * height * watch.scale[touching])


def _little(free: Free, rows: np.ndarray, signs: np.ndarray, at: Point, v: np.ndarray) -> np.ndarray:
    """What counts as no rate of each contact: little beside what the present kinetic energy could make of it."""
    reach = np.linalg.norm(free.rows(rows, signs), axis=1) if len(rows) else np.zeros(0)
    return STILL * reach * np.sqrt(max(2.0 * at.kinetic, float(v @ at.M @ v))) + 1e-14


def _events(watch: Watch, situation: Situation, now: Instant, blow: Jolt, touching: np.ndarray, resting: set[int],
            leaving: set[int], closing: list[str], opening: list[str], at: Point,
            little: np.ndarray) -> list[Event]:  # fmt: skip
    modes, out = watch.modes, []
    out += [Event(now.t, "open", name) for name in opening]
    k = 0
    for name in closing:
        rows = row_names(modes.locks[name])
        rates = [float(at.Phi_dot[modes.row[row]]) for row in rows]
        loss = -0.5 * sum(float(p) * r for p, r in zip(blow.locks[k : k + len(rows)], rates, strict=True))
        out.append(Event(now.t, "close", name, "", float(blow.locks[k]), rates[0], 0.0, loss))
        k += len(rows)
    for i, p, before, after, none in zip(touching, blow.contacts, blow.before, blow.after, little, strict=True):
        contact, i = modes.contacts[i], int(i)
        rests = i in resting and i not in situation.resting
        beside = float(blow.contacts.max()) if (blow.before < -little).any() or len(closing) else np.inf
        if (p > 0.0 and before < -none) or (rests and not now.start) or p > 1e-9 * beside:
            kind = "rest" if rests else "impact"
            loss = -0.5 * float(p) * float(before + after)
            rates = contact.sign * float(before), contact.sign * float(after)
            out.append(Event(now.t, kind, contact.name, contact.side, float(p), *rates, loss))
    gone = [i for i in sorted(situation.resting | leaving) if i not in resting]
    out += [Event(now.t, "release", modes.contacts[i].name, modes.contacts[i].side) for i in gone]
    return out


def refuse_beyond(watch: Watch, gaps: np.ndarray) -> None:
    """A mechanism that starts beyond a limit."""
    problems = []
    for contact, gap, scale in zip(watch.modes.contacts, gaps, watch.scale, strict=True):
        if gap < -1e-9 * scale:
            unit = "" if contact.stop.unit == "1" else f" {contact.stop.unit}"
            value = contact.limit + contact.sign * gap
            why = f"it starts at {value:.6g}{unit}, its {contact.side} limit is {contact.limit:.6g}{unit}"
            problems.append(Problem(f"the mechanism starts beyond stop {contact.name!r}", where=f"stops.{contact.name}",
                                    why=why, cure="start on the free side, or move the limit"))  # fmt: skip
    if problems:
        raise AssemblyError(problems, title=f"model {watch.modes.base.name!r}")


class Forced(Exception):
    """Drivers push the mechanism through a limit."""


def _refuse_forced(watch: Watch, now: Instant, blow: Jolt, touching: np.ndarray) -> None:
    least = -1e-9 * np.abs(blow.before).max(initial=0.0)
    through = [watch.modes.contacts[i].name for i, before, after in zip(touching, blow.before, blow.after, strict=True)
               if before < least and after < 0.5 * before]  # fmt: skip
    if through:
        drivers = ", ".join(repr(d.name) for d in watch.modes.base.resolved.drivers) or "a lock"
        raise Forced(f"at t = {now.t:.9g} s stop {', '.join(map(repr, through))} is reached, and {drivers} would push "
                     "the mechanism through it")  # fmt: skip
