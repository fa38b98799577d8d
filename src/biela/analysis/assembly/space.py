"""Assembly in space: bodies as rigid frames, from the poses the model declares to positions that fit the joints.

Reference-point coordinates move bodies by rotations, so nothing can come out mirrored on the way, as it could where
points and vectors keep only lengths and angles. What the model asks of coordinates and points at the start is written
as rows of drivers that stand still.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...coordinates.tree.from_poses import BodyMotion, positions_from_poses
from ...errors import AssemblyError
from ...mechanics.measure import measure
from ...model.resolved import GROUND, ResolvedDriver, ResolvedLaw, ResolvedModel
from ...system.system import System, build, hold_relations
from ..slope_angles import measured_only, tilting
from .approach import approach
from .drawing import FITS, gap, put_right
from .initial import allow_for_rounding, consistent_velocity, why_open


def assemble_in_space(
    resolved: ResolvedModel, rough: bool = True
) -> tuple[ResolvedModel, System, np.ndarray, np.ndarray]:
    """The meaning (with the angles that can only be measured marked), a system in reference-point coordinates with all
    that the initial values speak of, and its start."""
    fixed = held(resolved)
    still = [d.coordinate for d in fixed.drivers[len(resolved.drivers) :]]
    system = build(fixed, "reference-point", carry=[*resolved.carried(True), *still], for_assembly=True)
    rows = system.equations.rows
    # a rate alone says nothing about where the coordinate starts
    keep = np.array([not _is_for(r.name, resolved.velocity, resolved.position) for r in rows], dtype=bool)
    drawn = _declared(system)
    if rough and gap(system, drawn) > FITS:
        return assemble_in_space(put_right(resolved), rough=False)
    q = drawn.copy()
    for name in system.equations.carried:
        i = system.q_names.index(name)
        if name in resolved.position:
            q[i] = float(resolved.position[name])
    count_driven_turns(system, q)
    hold_relations(system, q)
    closed = approach(system, q, drawn, keep=keep)
    if not closed.converged:
        raise AssemblyError(why_open(system, closed, keep), title=f"model {resolved.name!r} cannot be assembled")
    allow_for_rounding(system, closed, keep)
    q = closed.q
    loose = tilting(system, q)
    if loose:
        return assemble_in_space(measured_only(resolved, loose), rough=False)
    at = system.at(q, None, 0.0)
    names = list(resolved.velocity)
    picked = np.zeros((len(names), system.n))
    for k, name in enumerate(names):
        if _spin(resolved, name):
            picked[k, system.v_names.index(name)] = 1.0
        else:
            picked[k] = at.B[system.row_names.index(_label(name))]
    real = np.array([not r.name.startswith("initial.") for r in rows], dtype=bool)
    drivers = [d.name for d in resolved.drivers]
    labels = [r.name for r, x in zip(rows, real, strict=True) if x]
    v = consistent_velocity(system, at.B[real], -at.Phi_t[real], picked, names, drivers, labels, real)
    return resolved, system, q, v


def held(resolved: ResolvedModel) -> ResolvedModel:
    """The meaning with a driver that stands still for every coordinate and point that its initial values speak of."""
    still = dict.fromkeys(n for n in (*resolved.velocity, *resolved.position) if not _spin(resolved, n))
    holds = [_hold(resolved, n, float(resolved.position.get(n, 0.0))) for n in still]
    return replace(resolved, drivers=(*resolved.drivers, *holds))


def _spin(resolved: ResolvedModel, name: str) -> bool:
    body, _, part = name.rpartition(".")
    return part in ("wx", "wy", "wz") and body in resolved.bodies


def _label(name: str) -> str:
    return f"initial.{name}"


def _is_for(row: str, velocity: dict, position: dict) -> bool:
    name = row.removeprefix("initial.")
    return row != name and name in velocity and name not in position


def _hold(resolved: ResolvedModel, name: str, value: float) -> ResolvedDriver:
    """A driver that keeps a coordinate, or a component of a point, where it is asked to be."""
    law = ResolvedLaw(constant=value)
    if name in resolved.coordinates:
        return ResolvedDriver(_label(name), name, law)
    point, axis = name.rsplit(".", 1)
    return ResolvedDriver(_label(name), name, law, resolved.place(point), "xyz".index(axis))


def _declared(system: System) -> np.ndarray:
    """Coordinates of the declared poses; carried coordinates as they are there."""
    tree, resolved = system.equations.tree, system.resolved
    assert tree is not None
    bodies = {}
    for key in (GROUND, *tree.frames.bodies):
        R, p = np.eye(3), np.zeros(3)
        pose = resolved.poses.get(key)
        if pose is not None:
            R = np.array(pose.rotation, dtype=float)
            p = np.array(pose.origin, dtype=float) + R @ np.array(resolved.bodies[key].center, dtype=float)
        elif key != GROUND:
            point = next(iter(resolved.bodies[key].points), key) if key in resolved.bodies else key
            p = np.array(resolved.start[point], dtype=float)
        bodies[key] = BodyMotion((p[None, :], None, None), (R[None, :, :], None, None))
    q = positions_from_poses(tree, bodies, system.nq)[0]
    here = system.posture(q)
    for name in system.equations.carried:
        q[system.q_names.index(name)] = float(measure(here, resolved.coordinates[name])[0][0])
    return q


def count_driven_turns(system: System, q: np.ndarray) -> None:
    """A driven angle starts with the whole turns that its law has at t = 0."""
    system.evaluate(q)
    Phi = system.arrays.Phi[: system.m].copy()
    for k, row in enumerate(system.equations.rows):
        if row.role == "driver":
            c = next(d.coordinate for d in system.resolved.drivers if d.name == row.name)
            if c in system.equations.carried and system.resolved.coordinates[c].type == "angle":
                q[system.q_names.index(c)] -= 2 * np.pi * np.round(Phi[k] / (2 * np.pi))
