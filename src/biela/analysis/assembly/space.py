"""Assembly in space: bodies as rigid frames, from the poses the model declares to positions that fit the joints.

Reference-point coordinates move bodies by rotations, so nothing can come out mirrored on the way, as it could where
points and vectors keep only lengths and angles. What the model asks of coordinates and points at the start is written
as rows of drivers that stand still.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...coordinates.tree.from_poses import BodyMotion, seat_positions
from ...errors import AssemblyError
from ...mechanics.measure import measure
from ...model.resolved import GROUND, DriverMeaning, LawMeaning, Meaning
from ...system.system import System, build, hold_relations
from ..slope_angles import measured_only, tilting
from .approach import approach
from .drawing import FITS, gap, put_right
from .initial import allow_for_rounding, consistent_velocity, why_open


def assemble_in_space(meaning: Meaning, rough: bool = True) -> tuple[Meaning, System, np.ndarray, np.ndarray]:
    """The meaning (with the angles that can only be measured marked), a system in reference-point coordinates with all
    that the initial values speak of, and its start."""
    fixed = held(meaning)
    still = [d.coordinate for d in fixed.drivers[len(meaning.drivers) :]]
    system = build(fixed, "reference-point", carry=[*meaning.carried(True), *still], firm=True)
    rows = system.lowered.rows
    # a rate alone says nothing about where the coordinate starts
    keep = np.array([not _is_for(r.name, meaning.velocity, meaning.position) for r in rows], dtype=bool)
    drawn = _declared(system)
    if rough and gap(system, drawn) > FITS:
        return assemble_in_space(put_right(meaning), rough=False)
    q = drawn.copy()
    for name in system.lowered.carried:
        i = system.q_names.index(name)
        if name in meaning.position:
            q[i] = float(meaning.position[name])
    count_driven_turns(system, q)
    hold_relations(system, q)
    closed = approach(system, q, drawn, keep=keep)
    if not closed.converged:
        raise AssemblyError(why_open(system, closed, keep), title=f"model {meaning.name!r} cannot be assembled")
    allow_for_rounding(system, closed, keep)
    q = closed.q
    loose = tilting(system, q)
    if loose:
        return assemble_in_space(measured_only(meaning, loose), rough=False)
    at = system.at(q, None, 0.0)
    names = list(meaning.velocity)
    picked = np.zeros((len(names), system.n))
    for k, name in enumerate(names):
        if _spin(meaning, name):
            picked[k, system.v_names.index(name)] = 1.0
        else:
            picked[k] = at.B[system.row_names.index(_label(name))]
    real = np.array([not r.name.startswith("initial.") for r in rows], dtype=bool)
    drivers = [d.name for d in meaning.drivers]
    labels = [r.name for r, x in zip(rows, real, strict=True) if x]
    v = consistent_velocity(system, at.B[real], -at.Phi_t[real], picked, names, drivers, labels, real)
    return meaning, system, q, v


def held(meaning: Meaning) -> Meaning:
    """The meaning with a driver that stands still for every coordinate and point that its initial values speak of."""
    still = dict.fromkeys(n for n in (*meaning.velocity, *meaning.position) if not _spin(meaning, n))
    holds = [_hold(meaning, n, float(meaning.position.get(n, 0.0))) for n in still]
    return replace(meaning, drivers=(*meaning.drivers, *holds))


def _spin(meaning: Meaning, name: str) -> bool:
    body, _, part = name.rpartition(".")
    return part in ("wx", "wy", "wz") and body in meaning.bodies


def _label(name: str) -> str:
    return f"initial.{name}"


def _is_for(row: str, velocity: dict, position: dict) -> bool:
    name = row.removeprefix("initial.")
    return row != name and name in velocity and name not in position


def _hold(meaning: Meaning, name: str, value: float) -> DriverMeaning:
    """A driver that keeps a coordinate, or a component of a point, where it is asked to be."""
    law = LawMeaning(constant=value)
    if name in meaning.coordinates:
        return DriverMeaning(_label(name), name, law)
    point, axis = name.rsplit(".", 1)
    return DriverMeaning(_label(name), name, law, meaning.place(point), "xyz".index(axis))


def _declared(system: System) -> np.ndarray:
    """Coordinates of the declared poses; carried coordinates as they are there."""
    tree, meaning = system.lowered.tree, system.meaning
    assert tree is not None
    bodies = {}
    for key in (GROUND, *tree.frames.bodies):
        R, p = np.eye(3), np.zeros(3)
        pose = meaning.poses.get(key)
        if pose is not None:
            R = np.array(pose.rotation, dtype=float)
            p = np.array(pose.origin, dtype=float) + R @ np.array(meaning.bodies[key].center, dtype=float)
        elif key != GROUND:
            point = next(iter(meaning.bodies[key].points), key) if key in meaning.bodies else key
            p = np.array(meaning.start[point], dtype=float)
        bodies[key] = BodyMotion((p[None, :], None, None), (R[None, :, :], None, None))
    q = seat_positions(tree, bodies, system.nq)[0]
    here = system.posture(q)
    for name in system.lowered.carried:
        q[system.q_names.index(name)] = float(measure(here, meaning.coordinates[name])[0][0])
    return q


def count_driven_turns(system: System, q: np.ndarray) -> None:
    """A driven angle starts with the whole turns that its law has at t = 0."""
    system.look(q)
    Phi = system.arrays.Phi[: system.m].copy()
    for k, row in enumerate(system.lowered.rows):
        if row.role == "driver":
            c = next(d.coordinate for d in system.meaning.drivers if d.name == row.name)
            if c in system.lowered.carried and system.meaning.coordinates[c].type == "angle":
                q[system.q_names.index(c)] -= 2 * np.pi * np.round(Phi[k] / (2 * np.pi))
