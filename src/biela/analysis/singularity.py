"""Singular positions, told in words: which parts, and what is special about where they are."""

from __future__ import annotations

import numpy as np

from ..system.measure import vector_motion
from ..system.system import System
from .mobility import scaled_jacobian


def describe_singularity(system: System, q: np.ndarray, t: float | None) -> str:
    """Name the parts whose constraints become dependent at (or just after) q, and points that are in line."""
    B = scaled_jacobian(system, q, t or 0.0)
    U, s, _ = np.linalg.svd(B)
    spare = system.m - system.rank
    weight = np.abs(U[:, system.rank - 1 : system.m - spare if spare else None]).max(axis=1)
    rows = system.lowered.rows
    owners = list(dict.fromkeys(r.owner for r, w in zip(rows, weight, strict=True) if w > 0.05 * weight.max()))
    line = in_line(system, q, owners)
    when = f" at t = {t:.6g} s" if t is not None else ""
    text = f"singular position{when}: {', '.join(owners)}"
    if line:
        text += f" with {', '.join(line)} in line"
    return text + f" (smallest singular value {s[system.rank - 1]:.1e})"


def in_line(system: System, q: np.ndarray, owners: list[str]) -> list[str]:
    """The points of the given bodies, if all of them lie (nearly) on one straight line."""
    low = system.lowered
    names: list[str] = []
    for body in owners:
        if body in low.layout.carriers:
            names += [p for p in low.layout.carriers[body].basic if p not in low.layout.virtual]
    names = list(dict.fromkeys(low.layout.same[p] for p in names))
    if len(names) < 3:
        return []
    at = np.array([vector_motion(low.natural, low.natural.place(low.meaning.place(p)), q[None, :], None, None)[0][0]
                   for p in names])  # fmt: skip
    spread = np.linalg.svd(at - at.mean(axis=0), compute_uv=False)
    return names if spread[-1] < 0.02 * spread[0] else []
