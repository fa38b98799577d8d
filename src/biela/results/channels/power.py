"""The balance of power: what motors and other forces put in must go into kinetic and potential energy.

    sum u c' + P_other = d(T + V)/dt                                                          [V.4]

The right-hand side is written body by body, m v_G . a_G + omega . J omega' and the weights and springs, and the
left-hand side force by force. Neither uses the equations that the efforts were solved from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...model.expression import differentiate, evaluate
from ...model.resolved import ResolvedLaw
from ..reactions.applied import value_of

if TYPE_CHECKING:
    from ..motion import Motion


def kinetic_rate(r: Motion) -> np.ndarray:
    """dT/dt of all bodies."""
    total = np.zeros(len(r.t))
    for name, body in r.system.resolved.bodies.items():
        _, velocity, acceleration = r.vector(r.system.equations.exploded.center(name))
        total += float(body.mass) * (velocity * acceleration).sum(axis=1)
        total += np.einsum("ki,kij,kj->k", r.rotation(name)[0], r.inertia_tensor(name), r.rotation(name)[1])
    return total


def potential_rate(r: Motion) -> np.ndarray:
    """dV/dt of the weights and of the springs."""
    resolved, low = r.system.resolved, r.system.equations
    g = np.array(resolved.gravity, dtype=float)
    total = np.zeros(len(r.t))
    for name, body in resolved.bodies.items():
        total -= float(body.mass) * (r.vector(low.exploded.center(name))[1] @ g)
    for f in low.forces:
        if f.kind != "load" and (float(f.law.stiffness) or f.law.potential is not None):
            x, rate = (np.asarray(y) for y in r.force_motion(f))
            total -= _elastic(f.law, x) * rate
    return total


def _elastic(law: ResolvedLaw, x: np.ndarray) -> np.ndarray:
    """The part of a law that has a potential: of a linear spring, or the slope of the potential itself."""
    force = -float(law.stiffness) * (x - float(law.free))
    if law.potential is not None:
        slope = differentiate(law.potential, "x")
        force = force - np.array([evaluate(slope, {"x": float(one)}) for one in x])
    return force


def other_power(r: Motion, without: set[str]) -> np.ndarray:
    """Power of the forces that have no potential, but for those named; and of joints that time moves."""
    low, xd = r.system.equations, r.posture.xd
    total = np.zeros(len(r.t))
    for f in low.forces:
        if f.name in without:
            continue
        if f.kind == "load":
            value = r.law_value(f, None, None)
            assert xd is not None
            for i, p in f.exploded.items():
                total += value * value_of(r, p) * xd[:, i]
            continue
        x, rate = (np.asarray(y) for y in r.force_motion(f))
        total += (r.law_value(f, x, rate) - _elastic(f.law, x)) * rate
    moved = [k for k, row in enumerate(low.rows) if row.law is not None]
    if moved:
        for k in range(len(r.t)):
            Phi_t = r.system.at(r.q[k], r.v[k], float(r.t[k])).Phi_t
            total[k] += float(r.multipliers[k, moved] @ Phi_t[moved])
    return total
