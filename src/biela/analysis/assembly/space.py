"""Assembly in space: bodies as rigid frames, from the poses the model declares to positions that fit the joints.

Reference-point coordinates move bodies by rotations, so nothing can come out mirrored on the way, as it could where
points and vectors keep only lengths and angles. What the model asks of coordinates and points at the start is written
as rows of drivers that stand still.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...errors import AssemblyError, Problem
from ...model.resolved import ResolvedDriver, ResolvedLaw, ResolvedModel
from ...system.system import System, build, hold_relations
from .approach import approach
from .declared import declared_position
from .drawing import FITS, fit_drawing, gap
from .initial import Assembled, allow_for_rounding, consistent_velocity, count_driven_turns, why_not_closed


def assemble_in_space(resolved: ResolvedModel, rough: bool = True) -> Assembled:
    """The model (with the angles that can only be measured marked), a system in reference-point coordinates with all
    that the initial values speak of, and its start. `rough`: the drawing may not fit together."""
    fixed = hold_initial_values(resolved)
    held = [d.coordinate for d in fixed.drivers[len(resolved.drivers) :]]
    system = build(fixed, "reference-point", carry=[*resolved.carried(True), *held], for_assembly=True)
    rows = system.equations.rows
    # a rate alone says nothing about where the coordinate starts
    rates_alone = {_label(name) for name in resolved.velocity if name not in resolved.position}
    keep = np.array([row.name not in rates_alone for row in rows], dtype=bool)
    drawn = declared_position(system)
    if rough and gap(system, drawn) > FITS:
        return assemble_in_space(fit_drawing(resolved), rough=False)
    q = drawn.copy()
    for name in system.equations.carried:
        if name in resolved.position:
            q[system.q_names.index(name)] = float(resolved.position[name])
    count_driven_turns(system, q)
    hold_relations(system, q)
    closed = approach(system, q, drawn, keep=keep)
    if not closed.converged:
        raise AssemblyError(why_not_closed(system, closed, keep), title=f"model {resolved.name!r} cannot be assembled")
    allow_for_rounding(system, closed, keep)
    q = closed.q
    free = angles_of_free_slope(system, q)
    if free:
        return assemble_in_space(measured_only(resolved, free), rough=False)
    at = system.at(q, None, 0.0)
    selected = np.zeros((len(resolved.velocity), system.n))
    for k, name in enumerate(resolved.velocity):
        if _is_spin(resolved, name):
            selected[k, system.v_names.index(name)] = 1.0
        else:
            selected[k] = at.B[system.row_names.index(_label(name))]
    own = np.array([not r.name.startswith("initial.") for r in rows], dtype=bool)
    v = consistent_velocity(system, at.B[own], -at.Phi_t[own], selected, own)
    return Assembled(resolved, system, q, v)


def hold_initial_values(resolved: ResolvedModel) -> ResolvedModel:
    """The model with a driver that stands still for every coordinate and point that its initial values speak of."""
    still = dict.fromkeys(n for n in (*resolved.velocity, *resolved.position) if not _is_spin(resolved, n))
    holds = [_hold(resolved, n, float(resolved.position.get(n, 0.0))) for n in still]
    return replace(resolved, drivers=(*resolved.drivers, *holds))


def _is_spin(resolved: ResolvedModel, name: str) -> bool:
    body, _, part = name.rpartition(".")
    return part in ("wx", "wy", "wz") and body in resolved.bodies


def _label(name: str) -> str:
    return f"initial.{name}"


def _hold(resolved: ResolvedModel, name: str, value: float) -> ResolvedDriver:
    """A driver that keeps a coordinate, or a component of a point, where it is asked to be."""
    law = ResolvedLaw(constant=value)
    if name in resolved.coordinates:
        return ResolvedDriver(_label(name), name, law)
    point, axis = name.rsplit(".", 1)
    return ResolvedDriver(_label(name), name, law, resolved.place(point), "xyz".index(axis))


# ------------------------------------------------------------------------------------ angles that can only be measured
# As a variable an angle has a sine and a cosine row ([J.20]), which hold the slope of its direction to the axis. That
# is right where the joints hold it anyway; elsewhere it would take a freedom away.
def angles_of_free_slope(system: System, q: np.ndarray) -> list[str]:
    """Angles among the variables of a closed system whose directions the joints let change their slope to the axis."""
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
    """The model with these angles marked; refused where a force or a driver needs one of them."""
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
