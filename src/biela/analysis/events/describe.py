"""Stops and locks in words, and where a mechanism stands among them."""

from __future__ import annotations

import numpy as np

from ...errors import MethodError, Problem
from ...model.expression import to_text
from ...model.resolved import Moment, ResolvedModel
from ...results.motion import Motion
from ...system.system import System
from .impulses import refuse_beyond
from .modes import Modes
from .monitor import TOUCHING, EventMonitor


def describe_events(system: System) -> dict[str, str]:
    """What each stop and lock does, with its limits and where it stands at the start."""
    resolved = system.resolved
    if not resolved.eventful:
        return {}
    out, values = {}, {}
    modes = Modes(system)
    at = modes.full.at(system.q0, system.v0, 0.0)
    for name, row in modes.row.items():
        values[name] = float(at.Phi[row])
    for s in resolved.stops:
        unit = "" if s.unit == "1" else f" {s.unit}"
        both = ("lower", s.lower), ("upper", s.upper)
        limits = [f"{side} {float(x):.6g}{unit}" for side, x in both if x is not None]
        out[s.name] = (f"stop of {to_text(s.equation)}, {', '.join(limits)}, restitution {float(s.restitution):g}; "
                       f"starts at {values[s.name]:.6g}{unit}")  # fmt: skip
    for lock in resolved.locks:
        held = " and ".join(to_text(node) for node in lock.equations)
        closes, opens = _when(lock.closes, "at the start"), _when(lock.opens, "never")
        out[lock.name] = f"lock of {held}, closes {closes}, opens {opens}"
    return out


def _when(moment: Moment | None, otherwise: str) -> str:
    if moment is None:
        return otherwise
    return f"at {float(moment.time):g} s" if moment.time is not None else f"when {moment.text}"


def refuse_start_beyond(system: System) -> None:
    """Refuse a mechanism that starts beyond a limit, or stops and locks that cannot be."""
    if system.resolved.eventful:
        monitor = EventMonitor(Modes(system))
        refuse_beyond(monitor, monitor.gaps(monitor.full.at(system.q0, system.v0, 0.0)))


def refuse_events(resolved: ResolvedModel, what: str, stops: bool = True) -> None:
    """Refuse a model whose stops or locks an analysis cannot regard (locks only, if `stops` is False)."""
    names = [lock.name for lock in resolved.locks] + ([s.name for s in resolved.stops] if stops else [])
    if names:
        raise MethodError(
            Problem(
                f"{what} cannot handle {'stops and ' if stops else ''}locks",
                where=", ".join(names),
                why="what holds the mechanism changes where they close and open",
                cure="remove them from the model (model.stops = {}, model.locks = {}), or put joints in their place",
            )
        )


def passed_stops(motion: Motion) -> list[str]:
    """Stops whose limits a motion passes, with where and how far; nothing if it stays within."""
    system, out = motion.system, []
    if not system.resolved.stops:
        return out
    monitor = EventMonitor(Modes(system))
    worst: dict[int, tuple[float, float]] = {}
    for t, q in zip(motion.t, motion.q, strict=True):
        gaps = monitor.gaps(monitor.full.at(q, None, float(t)))
        for i, gap in enumerate(gaps):
            if gap < -max(1e-8, TOUCHING) * monitor.scale[i] and gap < worst.get(i, (0.0, 0.0))[0]:
                worst[i] = float(gap), float(t)
    for i, (gap, t) in worst.items():
        c = monitor.modes.contacts[i]
        unit = "" if c.stop.unit == "1" else f" {c.stop.unit}"
        out.append(f"stop {c.name!r} ({c.side} {c.limit:.6g}{unit}) by {-gap:.4g}{unit} at t = {t:.6g} s")
    return out


def check_stops(motion: Motion, what: str, refuse: bool) -> None:
    """Say that stops were left out of an analysis; refuse the result (or note it) where it lies beyond one."""
    resolved = motion.system.resolved
    if not resolved.stops:
        return
    beyond_them = passed_stops(motion)
    if beyond_them and refuse:
        raise MethodError(Problem(f"{what} passes {'; '.join(beyond_them)}", where=resolved.name,
                                  why=f"{what} ignores stops: their forces would be left out",
                                  cure="simulate, stay within the limits, or remove the stop"))  # fmt: skip
    names = ", ".join(s.name for s in resolved.stops)
    tail = f"it passes {'; '.join(beyond_them)}" if beyond_them else "none of them is passed"
    motion.notes.append(f"note: stops ({names}) are ignored here; {tail}")


def check_state(system: System, q: np.ndarray, t: float, notes: list[str]) -> None:
    """For analyses of one state: refuse locks and a state at or beyond a limit; say that stops are left out."""
    resolved = system.resolved
    refuse_events(resolved, "an analysis of one state", stops=False)
    if not resolved.stops:
        return
    monitor = EventMonitor(Modes(system))
    gaps = monitor.gaps(monitor.full.at(q, None, t))
    at = [c.name for c, gap, s in zip(monitor.modes.contacts, gaps, monitor.scale, strict=True) if gap < TOUCHING * s]
    if at:
        raise MethodError(Problem(f"the state lies at or beyond stop {', '.join(map(repr, at))}", where=resolved.name,
                                  why="whether a limit holds changes with the direction of motion",
                                  cure="take another state, or one of the pieces of a result"))  # fmt: skip
    names = ", ".join(s.name for s in resolved.stops)
    notes.append(f"note: stops ({names}) are ignored here; none of them is reached in this state")
