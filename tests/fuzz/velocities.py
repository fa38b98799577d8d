"""A random velocity of a mechanism, written into its model as a user would: as many rates as it has freedoms."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import null_space, qr

import biela
from biela import Model
from biela.coordinates.tree.from_poses import body_motion
from biela.system.system import System
from spatial.states import random_velocity, size

LEAST = 1e-2
"""a rate that adds less than this to what the others say is left out: biela then takes the least energy"""


def set_moving(data: dict[str, Any], seed: int) -> dict[str, Any]:
    """The same model with `initial.velocity`: components of points, and in space turning rates of bodies."""
    data = with_points(data)
    system = biela.assemble(Model(**data), "mixed")
    at = system.at(system.q0, None, 0.0)
    free = null_space(at.B, rcond=1e-9) if len(at.B) else np.eye(system.n)
    if not free.shape[1]:
        return data
    names, rates = nameable_rates(system, np.vstack([random_velocity(system, seed), free.T]))
    if not names:
        return data
    _, R, order = qr(rates[:, 1:].T / max(size(rates[:, 1:]), 1e-300), mode="economic", pivoting=True)
    says = np.abs(np.diag(R))
    picked = [int(order[k]) for k in range(len(says)) if says[k] > LEAST * says[0]]
    velocity = {names[k]: float(rates[k, 0]) for k in picked}
    return {**data, "initial": {**data.get("initial", {}), "velocity": velocity}}


def with_points(data: dict[str, Any]) -> dict[str, Any]:
    """Bodies in space that have no point get one, so that their velocity can be named."""
    bodies = {}
    for name, body in data.get("bodies", {}).items():
        bare = data.get("dimension") == 3 and body.get("type", "body") not in ("bar", "rod", "mass")
        bare = bare and not body.get("points")
        bodies[name] = {**body, "points": {f"own_{name}": [0.3, -0.2, 0.1]}} if bare else body
    return {**data, "bodies": bodies} if bodies else data


def nameable_rates(system: System, v: np.ndarray) -> tuple[list[str], np.ndarray]:
    """Names that `initial.velocity` takes, and their rates (names, velocities) at the start."""
    posture, resolved = system.posture(np.tile(system.q0, (len(v), 1)), v), system.resolved
    names, rates = [], []
    for point in resolved.start:
        rate = posture.place(resolved.place(point))[1]
        for k, c in enumerate("xyz"[: resolved.dimension]):
            names.append(f"{point}.{c}")
            rates.append(rate[:, k])
    for body in resolved.bodies if resolved.dimension == 3 else ():
        if resolved.bodies[body].particle:
            continue
        R, Rd = body_motion(posture, body).R[:2]
        W = np.einsum("tki,tkj->tij", R, Rd)  # R^T R': the spin in the body's own axes
        for c, (i, j) in zip("xyz", ((2, 1), (0, 2), (1, 0)), strict=True):
            names.append(f"{body}.w{c}")
            rates.append(W[:, i, j])
    return names, np.array(rates)
