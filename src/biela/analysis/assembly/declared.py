"""The position that a model declares: poses of bodies and places of points, as coordinates of a tree.

Assembly in space begins there. An open tree whose bodies fit as they are declared, with the initial values that are
asked for, need not be closed at all: it starts there at once, at a cost of O(n).
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


def declared_poses(resolved: ResolvedModel, keys: list[str]) -> dict[str, BodyMotion] | None:
    """Centre and axes of every body (or point by itself) as its pose or its points say; None if they do not say it."""
    out = {GROUND: (np.zeros(3), np.eye(3))}
    at = {**resolved.start, **resolved.ground}
    for key in keys:
        body, pose = resolved.bodies.get(key), resolved.poses.get(key)
        if pose is not None:
            R, origin = np.array(pose.rotation, dtype=float), np.array(pose.origin, dtype=float)
        elif body is None or body.particle:
            point = key if body is None else next(iter(body.points), key)
            if point not in at:
                return None
            out[key] = three_components(at[point]), np.eye(3)
            continue
        elif resolved.dimension == 2 and len(body.points) > 1 and all(p in at for p in body.points):
            R, origin = _pose_by_points(list(body.points.values()), [at[p] for p in body.points])
        else:
            return None
        out[key] = origin + R @ three_components(resolved.bodies[key].center), R
    return {key: BodyMotion((p[None], None, None), (R[None], None, None)) for key, (p, R) in out.items()}


def _pose_by_points(local: list, places: list) -> tuple[np.ndarray, np.ndarray]:
    """Axes and origin of a body of the plane, by its first point and the one farthest from it."""
    own, there = np.array(local, dtype=float), np.array(places, dtype=float)
    k = int(np.argmax(np.linalg.norm(own - own[0], axis=1)))
    (x, y), (u, w) = own[k] - own[0], there[k] - there[0]
    turn = np.arctan2(x * w - y * u, x * u + y * w)
    R = np.eye(3)
    R[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    return R, three_components(there[0]) - R @ three_components(own[0])


def declared_position(system: System) -> np.ndarray:
    """The declared poses in the coordinates of a tree; carried coordinates as they are there."""
    tree, resolved = system.equations.tree, system.resolved
    assert tree is not None
    bodies = declared_poses(resolved, tree.frames.bodies)
    assert bodies is not None
    q = positions_from_poses(tree, bodies, system.nq)[0]
    here = system.posture(q)
    for name in system.equations.carried:
        q[system.q_names.index(name)] = float(measure(here, resolved.coordinates[name])[0][0])
    return q


# ------------------------------------------------------------------------------------------------------- open trees
def start_as_declared(system: System) -> tuple[np.ndarray, np.ndarray] | None:
    """q and v at the start of an open tree, if its bodies fit as they are declared; None if it has to be closed."""
    resolved, tree = system.resolved, system.equations.tree
    if not system.is_open_tree or tree is None:
        return None
    if resolved.dimension == 3 and any(c.type == "angle" and c.joint is None for c in resolved.coordinates.values()):
        return None  # some of them can only be measured
    bodies = declared_poses(resolved, tree.frames.bodies)
    if bodies is None or not _points_agree(resolved, bodies, FITS * system.size):
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


def _points_agree(resolved: ResolvedModel, bodies: dict[str, BodyMotion], close: float) -> bool:
    """Whether the points of the bodies are where they are declared to be."""
    at = {**resolved.start, **resolved.ground}
    for name, body in resolved.bodies.items():
        if body.particle or name not in bodies:
            continue
        p, R = bodies[name].p[0][0], bodies[name].R[0][0]
        origin = p - R @ three_components(body.center)
        near = max(close, 1e-12 * float(np.abs(origin).max()))
        for point, local in body.points.items():
            if point in at and np.abs(origin + R @ three_components(local) - three_components(at[point])).max() > near:
                return False
    return True


def _velocity(system: System, q: np.ndarray) -> np.ndarray | None:
    """Rates as given; the others with the least kinetic energy. None for rates of points."""
    resolved = system.resolved
    if not any(float(rate) for rate in resolved.velocity.values()):
        return np.zeros(system.n)
    index = {name: k for k, name in enumerate(system.v_names)}
    if not all(name in index for name in resolved.velocity):
        return None
    selected = np.zeros((len(resolved.velocity), system.n))
    for row, name in zip(selected, resolved.velocity, strict=True):
        row[index[name]] = 1.0
    if len(selected) == system.n:
        return selected.T @ np.array([float(rate) for rate in resolved.velocity.values()])
    system.at(q)
    none = np.zeros(system.m, dtype=bool)
    return consistent_velocity(system, np.zeros((0, system.n)), np.zeros(0), selected, none)
