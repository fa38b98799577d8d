"""Assembly of open trees whose declared position fits already: nothing has to be closed, and the cost is O(n).

The general way closes the mechanism with all its points and vectors as variables. Where no loop has to close and the
bodies fit as they are declared, with the initial values that are asked for, it would leave them there: so the tree
takes its seat at once. Wherever that is not plain, the general way is taken.
"""

from __future__ import annotations

import numpy as np

from ...coordinates.tree.from_poses import (
    BodyMotion,
    keep_turns,
    positions_from_poses,
    three_components,
    turn_particles,
)
from ...mechanics.measure import measure
from ...model.resolved import GROUND, ResolvedModel
from ...system.system import System
from .initial import consistent_velocity
from .whole_turns import given_angles, given_coordinates

FITS = 1e-12
"""what counts as fitting, in sizes of the mechanism and radians"""


def seated_as_declared(system: System) -> tuple[np.ndarray, np.ndarray] | None:
    """q and v at the start of an open tree, if its bodies fit as they are declared; None if the general way is due."""
    resolved, tree = system.resolved, system.equations.tree
    if not system.is_open_tree or tree is None:
        return None
    if resolved.dimension == 3 and any(c.type == "angle" and c.joint is None for c in resolved.coordinates.values()):
        return None  # some of them can only be measured
    bodies = _declared(resolved, tree.frames.bodies, FITS * system.size)
    if bodies is None:
        return None
    turn_particles(tree, bodies)
    q = positions_from_poses(tree, bodies, system.nq)
    here = system.posture(q[0])
    x = here.x[0].reshape(-1, 4, 3)
    for k, key in enumerate(tree.frames.bodies):
        p, R = bodies[key].p[0][0], bodies[key].R[0][0]
        if np.abs(x[k, 0] - p).max() > FITS * max(system.size, float(np.abs(p).max())):
            return None
        if not tree.frames.is_particle(key) and np.abs(x[k, 1:].T - R).max() > 1e-9:
            return None
    for name, value in resolved.position.items():
        if name not in resolved.coordinates:
            return None
        if abs(float(measure(here, resolved.coordinates[name])[0][0]) - float(value)) > FITS * max(system.size, 1.0):
            return None
    keep_turns(system, q, lambda name: measure(here, resolved.coordinates[name])[0])
    v = _velocity(system, q[0])
    if v is None:
        return None
    system.starts, system.given = given_angles(system, resolved, q[0]), given_coordinates(system, resolved, q[0])
    return q[0], v


def _declared(resolved: ResolvedModel, keys: list[str], close: float) -> dict[str, BodyMotion] | None:
    """Centre and axes of every body as its pose or its points say; None if they do not say it, or not alike."""
    out = {GROUND: (np.zeros(3), np.eye(3))}
    at = {**resolved.start, **resolved.ground}
    for key in keys:
        body = resolved.bodies.get(key)
        if body is None or body.particle:
            point = key if body is None else next(iter(body.points), key)
            if point not in at:
                return None
            out[key] = three_components(at[point]), np.eye(3)
            continue
        pose = resolved.poses.get(key)
        if pose is not None:
            R, origin = np.array(pose.rotation, dtype=float), np.array(pose.origin, dtype=float)
        elif resolved.dimension == 2 and len(body.points) > 1 and all(p in at for p in body.points):
            local = np.array(list(body.points.values()), dtype=float)
            there = np.array([at[p] for p in body.points], dtype=float)
            k = int(np.argmax(np.linalg.norm(local - local[0], axis=1)))
            (x, y), (u, w) = local[k] - local[0], there[k] - there[0]
            turn = np.arctan2(x * w - y * u, x * u + y * w)
            R = np.eye(3)
            R[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
            origin = three_components(there[0]) - R @ three_components(local[0])
        else:
            return None
        for point, place in body.points.items():
            if point in at and np.abs(origin + R @ three_components(place) - three_components(at[point])).max() > max(
                close, 1e-12 * float(np.abs(origin).max())
            ):
                return None
        out[key] = origin + R @ three_components(body.center), R
    return {key: BodyMotion((p[None], None, None), (R[None], None, None)) for key, (p, R) in out.items()}


def _velocity(system: System, q: np.ndarray) -> np.ndarray | None:
    """Rates as given; the others with the least kinetic energy. None for rates of points."""
    resolved = system.resolved
    if not any(float(rate) for rate in resolved.velocity.values()):
        return np.zeros(system.n)
    own = {name: k for k, name in enumerate(system.v_names)}
    given = {name: own.get(name) for name in resolved.velocity}
    if None in given.values():
        return None
    v = np.zeros(system.n)
    if len(given) == system.n:
        for name, k in given.items():
            v[k] = float(resolved.velocity[name])
        return v
    picked = np.zeros((len(given), system.n))
    picked[np.arange(len(given)), [k for k in given.values() if k is not None]] = 1.0
    system.at(q)
    none = np.zeros(system.m, dtype=bool)
    return consistent_velocity(system, np.zeros((0, system.n)), np.zeros(0), picked, list(given), [], keep=none)
