"""Motors whose efforts are known: as forces of the mechanism, with the multipliers that then hold its joints."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from ...errors import so_many
from ...model.model import Model
from ...model.resolved import ResolvedDriver, ResolvedForce, ResolvedLaw, ResolvedModel
from ...results.inverse import Motor
from ...system.system import System
from ..check.mobility import Mobility
from ..kinematics.kinematics import turn_angles
from .efforts import Efforts

FORCE = "motor_"
"""how the forces that stand for motors are called inside; their channels are hidden"""


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
    c = resolved.coordinates.get(d.coordinate)
    unit = "N*m" if c is not None and c.type == "angle" else "N"
    point, _, axis = d.coordinate.rpartition(".")
    rate = f"{d.coordinate}.rate" if c is not None else f"{point}.v{axis}"
    drivers = tuple(name for name, item in model.drivers.items() if item.coordinate == d.coordinate)
    return Motor(d.coordinate, f"{FORCE}{d.name}", unit, rate, drivers)


def multipliers(system: System, t: np.ndarray, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, float]:
    """Phi_q^T lam = Q - M v', the motors being among the forces, of least norm; and what is left of it, N m."""
    lam, unit, left = np.zeros((len(t), system.m)), system.unit, 0.0
    for k in range(len(t)):
        before = (q[k - 1], v[k - 1]) if k else None
        turn_angles(system, before, (q[k], v[k]), float(t[k] - t[k - 1]) if k else 0.0)
        at = system.at(q[k], v[k], float(t[k]))
        rest = (at.Q - at.M @ a[k]) * unit
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
