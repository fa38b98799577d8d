"""Angles in space that can only be measured: those of a direction that nothing keeps at its slope to the axis.

As a variable an angle has a sine and a cosine row ([J.20]), which hold the slope. That is right where the joints hold
it anyway; elsewhere it would take a freedom away.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..errors import AssemblyError, Problem
from ..model.resolved import ResolvedModel
from ..system.system import System


def tilting(system: System, q: np.ndarray) -> list[str]:
    """Angles among the variables of a closed system whose slope the joints leave free."""
    resolved, rows = system.resolved, system.equations.rows
    asked = [c for c in resolved.coordinates.values() if c.type == "angle" and c.joint is None and not c.tilts]
    asked = [c for c in asked if c.name in system.equations.carried]
    if not asked:
        return []
    unit, n = system.unit, system.n
    held = [k for k, r in enumerate(rows) if r.role != "driver" and not (r.role == "coordinate" and r.owner in
            {c.name for c in asked})]  # fmt: skip
    B = system.at(q).B[held] * unit
    span = np.linalg.svd(B, full_matrices=False) if B.size else None
    rank = int((span[1] > 1e-9 * span[1][0]).sum()) if span is not None else 0
    here = system.posture(np.repeat(q[None, :], n, axis=0), np.diag(unit))
    out = []
    for c in asked:
        (u, ud, _), (v, vd, _), (w, wd, _) = (here.line(line) for line in c.lines)
        rise = np.einsum("ki,ki->k", np.cross(u, v), wd)
        rise += np.einsum("ki,ki->k", np.cross(ud, v) + np.cross(u, vd), w)
        if span is not None:
            rise = rise - span[2][:rank].T @ (span[2][:rank] @ rise)
        if np.abs(rise).max(initial=0.0) > 1e-7:
            out.append(c.name)
    return out


def measured_only(resolved: ResolvedModel, names: list[str]) -> ResolvedModel:
    """The meaning with these angles marked; refused where a force or a driver needs one of them."""
    problems = [
        Problem(
            f"nothing can act through the angle {name!r}",
            where=f"coordinates.{name}",
            why="no joint keeps its direction `of` at a constant slope to the axis `about`",
            cure="act through the joint's own angle, or give a direction that the joints keep across the axis",
        )
        for name in names if resolved.coordinates[name].needed
    ]  # fmt: skip
    if problems:
        raise AssemblyError(problems, title=f"model {resolved.name!r}")
    marked = {n: replace(c, tilts=True) if n in names else c for n, c in resolved.coordinates.items()}
    return replace(resolved, coordinates=marked)
