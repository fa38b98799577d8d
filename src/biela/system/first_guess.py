"""Where the coordinates of a system start, before anything is closed."""

from __future__ import annotations

import numpy as np

from ..coordinates.natural.crossed_lists import natural_variables
from ..coordinates.natural.plane import Natural
from ..coordinates.natural.space import SpaceNatural
from ..mechanics.measure import Posture, measure
from .equations import Equations


def first_guess(equations: Equations) -> np.ndarray:
    """Starting guess: points where they were said to be, relative coordinates measured there. A tree starts at zero
    and is put in place later."""
    if equations.tree is not None:
        q = np.zeros(len(equations.q_names))
        q[equations.lists["quat_q"]] = 1.0
        return q
    natural, resolved = equations.exploded, equations.resolved
    q = np.array(_start_in_space(natural) if resolved.dimension == 3 else _start_in_plane(natural), dtype=float)
    x = np.zeros((1, len(natural.copies)))
    (variables,) = natural_variables(natural, q[None, :])
    for i, copy in enumerate(natural.copies):
        moving, where = natural.target(copy)
        x[0, i] = variables[0, where] if moving else where
    posture = Posture(natural, x)
    return np.array([*q, *(float(measure(posture, resolved.coordinates[c])[0][0]) for c in equations.carried)])


def _start_in_plane(natural: Natural) -> list[float]:
    resolved = natural.resolved
    at = {**resolved.start, **resolved.ground}
    for name, (body, local) in natural.layout.virtual.items():
        known = [p for p in resolved.bodies[body].points if p in at]
        base = at[known[0]] if known else (0.0, 0.0)
        origin = resolved.bodies[body].points[known[0]] if known else (0.0, 0.0)
        at[name] = (base[0] + local[0] - origin[0], base[1] + local[1] - origin[1])
    return [float(at[p][axis]) for p in natural.layout.order for axis in (0, 1)]


def _start_in_space(natural: SpaceNatural) -> list[float]:
    resolved = natural.resolved
    q: list[float] = []
    for e in natural.layout.order:
        if resolved.bodies[e.body].particle:
            q += [float(c) for c in resolved.start[next(iter(resolved.bodies[e.body].points))]]
            continue
        pose = resolved.poses[e.body]
        turned = np.array(pose.rotation, dtype=float) @ np.array(e.local, dtype=float)
        q += list(turned + (np.array(pose.origin, dtype=float) if e.kind == "point" else 0.0))
    bare = [p for p in resolved.start if not resolved.owners.get(p)]
    return q + [float(c) for p in bare for c in resolved.start[p]]
