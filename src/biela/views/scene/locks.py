"""Locks as things to draw: a clutch between two places, a brake at one, and when they are closed."""

from __future__ import annotations

from typing import Any

from ...model import expression as ex
from ...model.resolved import GROUND, Place, ResolvedModel
from ...results.motion import Motion
from .bodies import wheels
from .frames import Frames, Thing
from .stops import body_of, pivot_of


def lock_signs(frames: Frames) -> list[Thing]:
    """{type, ends, closed (spans of time), rims (radii of the wheels that they hold)}."""
    radii = wheels(frames.resolved) if frames.dimension == 2 else {}
    out: list[Thing] = []
    for lock in frames.resolved.locks:
        ends: list[Place] = []
        for name in dict.fromkeys(n for e in lock.equations for n in sorted(ex.names(e))):
            place = _place_of(frames.resolved, name)
            if place is not None and all((p.body, p.point) != (place.body, place.point) for p in ends):
                ends.append(place)
        if ends:
            places, rims = [frames.place(p) for p in ends[:2]], [radii.get(p.body, 0.0) for p in ends[:2]]
            out.append({"type": "lock", "ends": places, "closed": _closed(frames.motion, lock), "rims": rims})
    return out


def is_closed(lock: Thing, t: float) -> bool:
    return any(a <= t < b for a, b in lock["closed"])


def _place_of(resolved: ResolvedModel, name: str) -> Place | None:
    owner, _, axis = name.rpartition(".")
    c = resolved.coordinates.get(name)
    if c is None:
        return resolved.place(owner) if owner in resolved.start and axis in ("x", "y", "z") else None
    if c.joint is not None:
        joint = next((j for j in resolved.joints if j.name == c.joint), None)
        if joint is not None and joint.frames:
            return joint.frames[1].place if joint.frames[1].body != GROUND else joint.frames[0].place
    if c.places:
        return c.places[-1]
    of = c.lines[-1]
    return of.through or pivot_of(resolved, body_of(of), body_of(c.lines[0]))


def _closed(motion: Motion, lock: Any) -> list[list[float]]:
    """Spans of time; of a motion without events, what the model says of its start."""
    start = lock.closes is None or (lock.closes.time is not None and float(lock.closes.time) <= 0)
    spans, since = [], 0.0 if start else None
    for e in getattr(motion, "events", ()):
        if e.name != lock.name:
            continue
        if e.kind == "close":
            since = e.t if since is None else since
        elif e.kind == "open" and since is not None:
            spans.append([since, e.t])
            since = None
    return spans + ([[since, 1e300]] if since is not None else [])
