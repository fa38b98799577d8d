"""Efforts that a known motion needs, of least norm where there are more motors than needed, and the multipliers that
then hold the joints.

With N a basis of the motions that the joints allow, and C the gradients of the coordinates on which motors act,

    (C N)^T u = N^T (M v' - Q)                                                                [V.2]

has no joint forces in it. So the efforts do not depend on the coordinates, and a convention about the joints cannot
change them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import MethodError, Problem, so_many
from ...methods.positions.closing import row_lengths
from ...model.model import Model
from ...model.resolved import ResolvedDriver, ResolvedForce, ResolvedLaw, ResolvedModel
from ...results.inverse import Motor
from ...system.system import Point, System
from ..check.mobility import Mobility, driver_rows
from ..kinematics.kinematics import turn_angles
from ..quantities import is_angular

FORCE = "motor_"
"""how the forces that stand for motors are called inside; their channels are hidden"""


@dataclass(frozen=True)
class States:
    """A motion that is known, sample by sample; `turns`: whole turns that were counted in it."""

    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    turns: Any = None

    def first(self, count: int) -> States:
        """So many samples of it."""
        turns = None if self.turns is None else self.turns[:count]
        return States(self.t[:count], self.q[:count], self.v[:count], self.a[:count], turns)


def terms(system: System, states: States) -> Iterator[tuple[int, Point]]:
    """The terms of the equations at each sample; elements that count turns follow the motion."""
    t, q, v = states.t, states.q, states.v
    for k in range(len(t)):
        before, dt = ((q[k - 1], v[k - 1]), float(t[k] - t[k - 1])) if k else (None, 0.0)
        turn_angles(system, before, (q[k], v[k]), dt)
        yield k, system.at(q[k], v[k], float(t[k]))


@dataclass
class Efforts:
    """At every sample: efforts of the motors, and what they leave undone."""

    u: np.ndarray
    missing: np.ndarray
    """the generalised force that no motor can give, along each velocity (lengths in units of the mechanism), N m"""
    scale: float
    """the largest generalised force of the motion, N m"""
    rank: int
    """independent motors in a regular position"""
    worst: float
    """smallest over largest singular value of (C N), the worst of all samples"""
    interrupted: bool = False


def required_efforts(
    system: System, states: States, joints: int, progress: Callable[[float, int], None] | None = None
) -> Efforts:
    """`system`: the mechanism with a driver on every coordinate that has a motor (their laws do not matter);
    `joints`: the rank of its other rows in a regular position."""
    rows = system.equations.rows
    motors = driver_rows(system)
    coordinate, unit = {d.name: d.coordinate for d in system.resolved.drivers}, system.unit
    moment = [is_angular(system.resolved, coordinate[r.name]) for r in rows if r.role == "driver"]
    weight = np.where(moment, system.size, 1.0)  # as the force that it is at the size of the mechanism, as in [R.1]
    samples = len(states.t)
    u, missing = np.zeros((samples, int(motors.sum()))), np.zeros((samples, system.n))
    scale, rank, worst, k = 0.0, 0, 1.0, 0
    interrupted = False
    try:
        for k, at in terms(system, states):
            inertia, applied = at.M @ states.a[k] * unit, at.Q * unit
            if not np.isfinite(applied).all():
                what = f"a force of {system.name!r} has no value at t = {float(states.t[k]):.6g} s"
                raise MethodError(Problem(what, why=system.workspace.error or "", cure="correct its law"))
            N = allowed_motions(system, at.B[~motors] * unit, ~motors, joints)
            A = N.T @ (at.B[motors] * unit * weight[:, None]).T
            rest = N.T @ (inertia - applied)
            w, _, found, s = np.linalg.lstsq(A, rest, rcond=1e-9)
            u[k] = weight * w
            missing[k] = N @ (rest - A @ w)
            scale = max(scale, float(np.linalg.norm(N.T @ inertia)), float(np.linalg.norm(N.T @ applied)))
            scale = max(scale, 1e-5 * float(np.linalg.norm(inertia)))  # where nothing is left of it but its rounding
            rank = max(rank, int(found))
            if len(s):
                worst = min(worst, float(s[min(A.shape) - 1] / s[0]) if s[0] > 0 else 0.0)
            if progress and (k % 20 == 0 or k + 1 == samples):
                progress(0.5 + 0.5 * (k + 1) / samples, k + 1)
    except KeyboardInterrupt:
        if k == 0:
            raise
        interrupted = True
        u, missing = u[:k], missing[:k]
    return Efforts(u, missing, scale, rank, worst, interrupted)


def allowed_motions(system: System, B: np.ndarray, keep: np.ndarray, most: int) -> np.ndarray:
    """An orthonormal basis of the motions that the joints allow, as columns: B is what is kept of all the rows.

    `most`: the rank of B in a regular position. Where positions are a little off, rows that imply one another seem to
    be independent, and would take a freedom away.
    """
    if not B.size:
        return np.eye(B.shape[1])
    _, s, Vt = np.linalg.svd(B / row_lengths(system, B, keep)[:, None])
    return Vt[min(most, int((s > 1e-9 * np.sqrt(max(B.shape))).sum())) :].T


# ---------------------------------------------------------------------------- motors as forces, and what joints then do
def as_force(d: ResolvedDriver, t: np.ndarray, u: np.ndarray) -> ResolvedForce:
    """A motor as a force whose law is the effort found."""
    law = ResolvedLaw(function=EffortLaw(t, u))
    name = f"{FORCE}{d.name}"
    if d.place is None:
        return ResolvedForce(name, "coordinate", law, coordinate=d.coordinate)
    parts = [law if axis == d.axis else ResolvedLaw() for axis in range(3)]
    return ResolvedForce(name, "force", *parts, places=(d.place,))


class EffortLaw:
    """An effort as a law of time: exact at the samples, straight lines between them."""

    def __init__(self, t: np.ndarray, u: np.ndarray):
        self.t, self.u = t.tolist(), u.tolist()

    def __call__(self, t: float, x: float = 0.0, v: float = 0.0) -> float:
        k = min(max(bisect_right(self.t, t) - 1, 0), len(self.t) - 1)
        if k == len(self.t) - 1 or t <= self.t[k]:
            return self.u[k]
        share = (t - self.t[k]) / (self.t[k + 1] - self.t[k])
        return self.u[k] + share * (self.u[k + 1] - self.u[k])


def motor_of(model: Model, d: ResolvedDriver, resolved: ResolvedModel) -> Motor:
    """The motor on a coordinate, with the channels that tell about it."""
    unit = "N*m" if is_angular(resolved, d.coordinate) else "N"
    point, _, axis = d.coordinate.rpartition(".")
    rate = f"{d.coordinate}.rate" if d.coordinate in resolved.coordinates else f"{point}.v{axis}"
    drivers = tuple(name for name, item in model.drivers.items() if item.coordinate == d.coordinate)
    return Motor(d.coordinate, f"{FORCE}{d.name}", unit, rate, drivers)


def multipliers(system: System, states: States) -> tuple[np.ndarray, float]:
    """Phi_q^T lam = Q - M v', the motors being among the forces, of least norm; and what is left of it, N m."""
    lam, unit, left = np.zeros((len(states.t), system.m)), system.unit, 0.0
    for k, at in terms(system, states):
        rest = (at.Q - at.M @ states.a[k]) * unit
        if system.m:
            U, s, Vt = np.linalg.svd((at.B * unit).T, full_matrices=False)
            r = min(system.rank, int((s > 1e-10 * s[0]).sum()))
            lam[k] = Vt[:r].T @ ((U[:, :r].T @ rest) / s[:r])
        left = max(left, float(np.abs(rest - lam[k] @ (at.B * unit)).max(initial=0.0)))
    return lam, left


def conventions(efforts: Efforts, motors: list[str], freedom: Mobility) -> list[str]:
    """What is not determined, and how it was chosen."""
    notes = []
    if len(motors) > efforts.rank:
        notes.append(
            f"note: {len(motors)} motors for {so_many(efforts.rank, 'independent freedom')}: their efforts are those "
            "of least norm, moments divided by the size of the mechanism (a convention)"
        )
    if freedom.redundant > 0:
        notes.append(
            f"note: {so_many(freedom.redundant, 'redundant constraint row')} among {', '.join(freedom.involved)}; "
            "reactions there are those of least norm (a convention)"
        )
    if efforts.worst < 1e-6 and len(motors) <= efforts.rank:
        notes.append(
            f"note: somewhere the motors act almost across the motion (ratio {efforts.worst:.1e}): efforts are large "
            "and inexact there"
        )
    return notes
