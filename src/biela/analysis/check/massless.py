"""Parts that can move without inertia, told by the names the user gave them."""

from __future__ import annotations

import numpy as np

from ...coordinates.tree.from_poses import body_motion
from ...errors import Problem
from ...methods.status import OK
from ...model.resolved import Place, ResolvedBody
from ...system.system import System
from .large_mobility import massless_large
from .mobility import scaled_jacobian

MANY = 200
"""freedoms of an open tree beyond which its recursion alone is asked"""
SMALL = 1e-4
"""of the largest speed among the parts: what counts as standing still"""


def without_inertia(system: System) -> list[Problem]:
    """Directions with neither mass nor constraint: M + Phi_q^T Phi_q must be positive definite.

    The recursion of an open tree finds a link without inertia by itself, at a cost that does not matter; for many
    bodies M is not looked at, where it is ill-conditioned by nature as well.
    """
    if system.is_open_tree and system.n > MANY:
        system.arrays.q[:], system.arrays.v[:] = system.q0, 0.0
        from ...methods.formulations.recursive import evaluate

        if evaluate(system.header, 0.0) == OK:
            return []
    if system.is_large:
        parts = massless_large(system)
        return [_no_inertia(parts)] if parts else []
    unit = system.unit
    M = system.at(system.q0).M * unit[:, None] * unit
    top = max(float(np.abs(np.diag(M)).max(initial=0.0)), 1e-300)
    B = scaled_jacobian(system, system.q0)
    values, vectors = np.linalg.eigh(M / top + B.T @ B)
    loose = vectors[:, values <= 1e-12]
    if not loose.size:
        return []
    spinning, parts = _parts(system, loose.T * unit)
    problems = [_slender(system.resolved.bodies[name]) for name in spinning]
    if parts or not spinning:
        weight = np.abs(loose[:, 0])
        names = [system.v_names[i] for i in np.argsort(-weight) if weight[i] > 0.3 * weight.max()]
        parts = parts or list(dict.fromkeys(name.rsplit(".", 1)[0] for name in names))
        problems.append(_no_inertia(parts))
    return problems


def _no_inertia(parts: list[str]) -> Problem:
    return Problem(
        f"{' and '.join(repr(p) for p in parts[:3])} can move without inertia",
        where=", ".join(parts[:4]),
        why="no mass and no constraint holds it, so its acceleration is not determined",
        cure="give the body a mass (and inertia), or hold it with a joint",
    )


def _parts(system: System, velocities: np.ndarray) -> tuple[list[str], list[str]]:
    """The bodies that these velocities only turn about a line on which all their points lie, and whatever else of
    bodies and points of no body they move."""
    resolved, exploded = system.resolved, system.equations.exploded
    here = system.posture(np.repeat(system.q0[None, :], len(velocities), axis=0), velocities)
    speeds: dict[str, float] = {}
    turning: dict[str, float] = {}
    for name, body in resolved.bodies.items():
        places = [here.place(Place(name, local, point)) for point, local in body.points.items()]
        if float(body.mass) > 0.0:  # else its centre is wherever its axes begin, and nobody's
            places.append(here.vector(exploded.center(name)))
        speeds[name] = max((float(np.abs(rate).max()) for _, rate, _ in places), default=0.0) / system.size
        turning[name] = 0.0 if body.particle else float(np.abs(body_motion(here, name).R[1]).max())
    for point in resolved.start:
        if not resolved.owners.get(point):
            speeds[point] = float(np.abs(here.place(resolved.place(point))[1]).max()) / system.size
    most = max([*speeds.values(), *turning.values()], default=0.0)
    bare = [n for n, w in turning.items() if w > SMALL * most and speeds[n] <= SMALL * most]
    spinning = [n for n in bare if resolved.dimension == 3 and _is_slender(resolved.bodies[n])]
    return spinning, [n for n, w in speeds.items() if w > SMALL * most or (n in bare and n not in spinning)]


def _is_slender(body: ResolvedBody) -> bool:
    if body.kind == "rod":
        return True
    least, middle, _ = np.linalg.eigvalsh(np.array(body.inertia, dtype=float))
    return bool(least <= 1e-12 * middle)


def _slender(body: ResolvedBody) -> Problem:
    """A body that turns about its own line, of which it has no moment of inertia."""
    cure = "hold it with a joint that does not let it turn about that line, or have no joint or force turn it"
    if body.kind == "bar":
        cure = f"give {body.name!r} a radius (a round section) or a width (a square one); or {cure}"
    elif body.kind == "rod":
        cure = f"make {body.name!r} a bar with a mass and a radius; or {cure}"
    else:
        cure = f"give {body.name!r} an inertia in all directions; or {cure}"
    return Problem(
        f"{body.name!r} turns about its own line without inertia",
        where=f"bodies.{body.name}",
        why="it is slender: its moment of inertia about the line through its points is zero, so how fast a joint or a "
        "force there turns it is not determined",
        cure=cure,
    )
