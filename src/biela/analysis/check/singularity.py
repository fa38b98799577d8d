"""Singular positions in words: which parts, and what is special about where they are."""

from __future__ import annotations

import numpy as np

from ...methods.positions.large import dependent_rows, scaled_rows
from ...system.system import System
from .mobility import scaled_jacobian


def describe_singularity(system: System, q: np.ndarray, t: float | None) -> str:
    """Name the parts whose constraints become dependent at (or just after) q, and points that are in line."""
    if system.is_large:
        system.evaluate(q, None, t or 0.0)
        rows = system.equations.rows
        weak = list(dict.fromkeys(rows[k].owner for k in dependent_rows(scaled_rows(system)[0])))
        return f"singular position at t = {t or 0.0:.6g} s: {', '.join(weak[:6])}{' ...' if len(weak) > 6 else ''}"
    B = scaled_jacobian(system, q, t or 0.0)
    U, s, _ = np.linalg.svd(B)
    weight = np.abs(U[:, system.rank - 1])
    rows = system.equations.rows
    owners = list(dict.fromkeys(r.owner for r, w in zip(rows, weight, strict=True) if w > 0.05 * weight.max()))
    line = in_line(system, q, owners)
    when = f" at t = {t:.6g} s" if t is not None else ""
    text = f"singular position{when}: {', '.join(owners)}"
    if line:
        text += f" with {', '.join(line)} in line"
    return text + f" (smallest singular value {abs(s[system.rank - 1]):.1e})"


def in_line(system: System, q: np.ndarray, owners: list[str], tolerance: float = 0.02) -> list[str]:
    """The points of the given bodies, if all of them lie (nearly) on one straight line."""
    resolved, here = system.resolved, system.posture(q)
    names: list[str] = []
    at: list[np.ndarray] = []
    for body in owners:
        for p in joined_points(system, body) if body in resolved.bodies else ():
            place = here.place(resolved.place(p))[0][0]
            if not any(np.abs(place - other).max() < 1e-9 * system.size for other in at):
                names.append(p)
                at.append(place)
    if len(names) < 3:
        return []
    spread = np.linalg.svd(np.array(at) - np.mean(at, axis=0), compute_uv=False)
    return names if spread[1] < tolerance * spread[0] else []


def joined_points(system: System, body: str) -> list[str]:
    """The points of a body where others are joined to it."""
    resolved = system.resolved
    joined = {p for p, owners in resolved.owners.items() if len(owners) > 1}
    joined |= {p.point for j in resolved.joints for p in (*j.places, *(f.place for f in j.frames)) if p.point}
    own = [p for p in resolved.bodies[body].points if p in joined]
    return own if len(own) > 1 else list(resolved.bodies[body].points)
