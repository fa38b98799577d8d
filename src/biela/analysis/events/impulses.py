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
from .monitor import TOUCHING, EventMonitor

HEIGHT, HEIGHT_3 = 1e-13, 1e-11
"""a rebound that would rise less than this, in sizes of the mechanism (or radians), is none; the second with the
index-3 methods, whose positions are those of an iteration   [X.6]"""
CLUSTER = 60
"""so many events at nearly the same instant: nothing rebounds any more"""
STILL = 1e-11
"""a rate below this part of what the mechanism's speed could make of it is none"""


@dataclass
class EventState:
    """A state, and what has happened there: ("strike", contact), ("release", contact), ("lock", name)."""

    t: float
    q: np.ndarray
    v: np.ndarray
    what: list[tuple[str, Any]] = field(default_factory=list)
    start: bool = False


@dataclass(frozen=True)
class Collision:
    """The impulses of an event, and what they leave closed."""

    impulse: Jolt
    touching: np.ndarray
    """contacts, in the order of the impulses"""
    negligible: np.ndarray
    """what counts as no rate of each of them"""
    resting: set[int]
    """contacts that stay closed"""
    leaving: set[int]
    closing: list[str]
    """locks"""
    opening: list[str]


def apply_impulses(
    monitor: EventMonitor, now: EventState, cluster: int = 0, height: float = HEIGHT
) -> tuple[list[Event], np.ndarray, float]:
    """Change the active set of the monitor; returns the events, the change of the velocities, and the energy lost.

    `cluster`: how many events there were at nearly the same instant.
    """
    modes, full, active = monitor.modes, monitor.full, monitor.active
    at = full.at(now.q, now.v, now.t)
    gaps = monitor.gaps(at)
    if now.start:
        refuse_beyond(monitor, gaps)
    leaving = {i for kind, i in now.what if kind == "release"}
    toggled = [name for kind, name in now.what if kind == "lock"]
    opening = [name for name in toggled if name in active.locked]
    closing = [name for name in toggled if name not in active.locked]
    for name in opening:
        active.locked.discard(name)
        for row in row_names(modes.locks[name]):
            active.held.pop(row)
    held = list(active.held)
    fresh = [row for name in closing for row in row_names(modes.locks[name])]
    new = np.array([modes.row[row] for row in fresh], dtype=int)
    struck = {i for kind, i in now.what if kind == "strike"}
    near = {i for i in range(len(gaps)) if abs(gaps[i]) <= TOUCHING * monitor.scale[i]}
    touching = np.array(sorted((struck | near | active.resting) - leaving), dtype=int)
    rows, signs = monitor.rows[touching], monitor.signs[touching]
    e = np.array([0.0 if cluster > CLUSTER or i in active.resting else modes.contacts[i].restitution for i in touching])
    free = monitor.free(at, held, now.q, now.t)
    drift, now = now.v, replace(now, v=free.consistent(now.v))
    free.at = at = full.at(now.q, now.v, now.t)
    impulse = jolt(free, now.v, new, rows, signs, e)
    rows_closed = [*held, *fresh]
    settled = _settled(monitor, now, impulse, rows_closed, touching, e, height)
    if settled.any():
        impulse = jolt(free, now.v, new, rows, signs, np.where(settled, 0.0, e))
    _check_pushed_through(monitor, now, impulse, touching)
    after = full.at(now.q, now.v + impulse.change, now.t)
    free = monitor.free(after, rows_closed, now.q, now.t)
    quiet = np.abs(impulse.after) <= _negligible_rate(free, rows, signs, after, now.v + impulse.change)
    stays = staying(free, rows[quiet], signs[quiet])
    resting = {int(i) for i in touching[quiet][stays]}
    negligible = _negligible_rate(free, rows, signs, at, now.v)
    collision = Collision(impulse, touching, negligible, resting, leaving, closing, opening)
    events = _events(monitor, now, at, collision)
    for name in closing:
        active.locked.add(name)
        for row in row_names(modes.locks[name]):
            active.held[row] = float(at.Phi[modes.row[row]])
    active.resting = resting
    monitor.levels[:] = 0.0
    # where rounding would make one contact strike over and over, it is let in a little
    depth = min(1e-15 * 4.0**cluster, 1e-9) if cluster > 2 else 0.0
    for i in touching:
        monitor.levels[i] = min(0.0, float(gaps[i])) - depth * monitor.scale[i]
    for i in leaving:
        monitor.levels[i] = min(0.0, float(gaps[i])) - 1e-13 * monitor.scale[i]
    return events, now.v + impulse.change - drift, impulse.loss


def _settled(
    monitor: EventMonitor, now: EventState, impulse: Jolt, held: list[str], touching: np.ndarray, e: np.ndarray,
    height: float,
) -> np.ndarray:  # fmt: skip
    """Contacts whose rebound would be too low to be followed: v^2 / (2 |a|) against `height`."""
    rebound = (impulse.after > 0.0) & (impulse.before < 0.0) & (e > 0.0)
    if not rebound.any():
        return rebound
    at = monitor.full.at(now.q, now.v + impulse.change, now.t)
    contacts = {monitor.modes.contacts[i].name for i in touching if i in monitor.active.resting}
    free = monitor.free(at, [*held, *sorted(contacts)], now.q, now.t)
    w = free.accelerations(monitor.rows[touching], monitor.signs[touching])
    return rebound & (w < 0.0) & (impulse.after**2 < 2.0 * np.abs(w) * height * monitor.scale[touching])


def _negligible_rate(free: Free, rows: np.ndarray, signs: np.ndarray, at: Point, v: np.ndarray) -> np.ndarray:
    """What counts as no rate of each contact: little beside what the present kinetic energy could make of it."""
    reach = np.linalg.norm(free.rows(rows, signs), axis=1) if len(rows) else np.zeros(0)
    return STILL * reach * np.sqrt(max(2.0 * at.kinetic, float(v @ at.M @ v))) + 1e-14


def _events(monitor: EventMonitor, now: EventState, at: Point, c: Collision) -> list[Event]:
    modes, before_them, impulse = monitor.modes, monitor.active.resting, c.impulse
    out = [Event(now.t, "open", name) for name in c.opening]
    k = 0
    for name in c.closing:
        rows = row_names(modes.locks[name])
        rates = [float(at.Phi_dot[modes.row[row]]) for row in rows]
        loss = -0.5 * sum(float(p) * r for p, r in zip(impulse.locks[k : k + len(rows)], rates, strict=True))
        out.append(Event(now.t, "close", name, "", float(impulse.locks[k]), rates[0], 0.0, loss))
        k += len(rows)
    struck = (impulse.before < -c.negligible).any() or len(c.closing)
    largest = float(impulse.contacts.max(initial=0.0)) if struck else np.inf
    for i, p, before, after, none in zip(
        c.touching.tolist(), impulse.contacts, impulse.before, impulse.after, c.negligible, strict=True
    ):
        contact, rests = modes.contacts[i], i in c.resting and i not in before_them
        if (p > 0.0 and before < -none) or (rests and not now.start) or p > 1e-9 * largest:
            loss = -0.5 * float(p) * float(before + after)
            rates = contact.sign * float(before), contact.sign * float(after)
            out.append(Event(now.t, "rest" if rests else "impact", contact.name, contact.side, float(p), *rates, loss))
    gone = [i for i in sorted(before_them | c.leaving) if i not in c.resting]
    return out + [Event(now.t, "release", modes.contacts[i].name, modes.contacts[i].side) for i in gone]


def refuse_beyond(monitor: EventMonitor, gaps: np.ndarray) -> None:
    """A mechanism that starts beyond a limit."""
    problems = []
    for contact, gap, scale in zip(monitor.modes.contacts, gaps, monitor.scale, strict=True):
        if gap < -1e-9 * scale:
            unit = "" if contact.stop.unit == "1" else f" {contact.stop.unit}"
            value = contact.limit + contact.sign * gap
            why = f"it starts at {value:.6g}{unit}, its {contact.side} limit is {contact.limit:.6g}{unit}"
            problems.append(Problem(f"the mechanism starts beyond stop {contact.name!r}", where=f"stops.{contact.name}",
                                    why=why, cure="start on the free side, or move the limit"))  # fmt: skip
    if problems:
        raise AssemblyError(problems, title=f"model {monitor.modes.base.name!r}")


class PushedThroughStop(Exception):
    """Drivers push the mechanism through a limit."""


def _check_pushed_through(monitor: EventMonitor, now: EventState, impulse: Jolt, touching: np.ndarray) -> None:
    least = -1e-9 * np.abs(impulse.before).max(initial=0.0)
    rates = zip(touching, impulse.before, impulse.after, strict=True)
    through = [monitor.modes.contacts[i].name for i, before, after in rates if before < least and after < 0.5 * before]
    if through:
        drivers = ", ".join(repr(d.name) for d in monitor.modes.base.resolved.drivers) or "a lock"
        raise PushedThroughStop(
            f"at t = {now.t:.9g} s stop {', '.join(map(repr, through))} is reached, and {drivers} would push the "
            "mechanism through it"
        )
