"""A model that starts in another position: the same model, with that position as its initial values.

Nothing else of it changes: lengths and free lengths that follow from the declared positions stay what they are. What
comes out is assembled once, and refused if it does not stand where it should.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...coordinates.tree.from_poses import body_motion, quaternion
from ...errors import BielaError, MethodError, Problem
from ...model.model import Model
from ...model.resolve.expansion import without_repeats
from ...results.motion import Motion
from ...system.system import System
from ..quantities import body_angles, point_components
from .assemble import assemble, with_sections

TOLERANCE = 1e-8
"""how well the model must stand there, in sizes of the mechanism"""


def started_at(motion: Motion, model: Model) -> Model:
    """The model, at rest in the first position of a motion."""
    model = without_repeats(model)
    system, t = motion.system, float(motion.t[0])
    moving = [d.name for d in system.resolved.drivers]
    if t != 0.0 and moving:
        why = f"its drivers ({', '.join(moving)}) are where they are at t = {t:g} s, but a run starts at t = 0"
        raise MethodError(Problem("the model cannot start there", where=system.name, why=why,
                                  cure="take the equilibrium at t = 0, or shift the laws of the drivers"))  # fmt: skip
    springs = {name: item for name, item in model.forces.items() if getattr(item, "free", 0) is None}
    laws = {f.name: f.law for f in system.resolved.forces}
    forces = {**model.forces, **{k: x.model_copy(update={"free": float(laws[k].free)}) for k, x in springs.items()}}
    initial = {"position": _values(motion, model), "velocity": {}}
    problem = ""
    for poses in (False, True):
        try:
            candidate = with_sections(
                model, forces=forces, initial=initial, **({"bodies": _posed(motion, model)} if poses else {})
            )
            away = _apart(motion, assemble(candidate, system.coordinates))
        except BielaError as error:
            problem = error.problems[0].what
            continue
        if away < TOLERANCE * max(system.size, 1e-300):
            return candidate
        problem = f"assembled from its initial values it would stand {away:.2g} m away"
        if system.resolved.dimension == 2:
            break
    raise MethodError(
        Problem(
            "this position cannot be written as initial values",
            where=system.name,
            why=problem,
            cure="simulate from `.system`, which starts there",
        )
    )


def _values(motion: Motion, model: Model) -> dict[str, float]:
    """Positions of all points, angles of all bodies of the plane, and the model's own coordinates."""
    resolved = motion.system.resolved
    held = {d.coordinate for d in resolved.drivers}
    names = [*point_components(resolved), *body_angles(resolved)]
    if resolved.dimension == 3:
        names += [c.name for c in resolved.coordinates.values() if c.joint is not None and c.type != "term"]
    names += [c for c in (*model.coordinates, *model.initial.position) if c not in names]
    return {name: float(motion[name][0]) for name in names if name not in held and name in motion}


def _posed(motion: Motion, model: Model) -> dict[str, Any]:
    """In space: the bodies with position and orientation as they stand, where they have such."""
    out: dict[str, Any] = {}
    for name, item in model.bodies.items():
        if "orientation" not in type(item).model_fields and not hasattr(item, "directions"):
            out[name] = item
            continue
        here = body_motion(motion.posture, name)
        R, p = here.R[0][0], here.p[0][0]
        centre = np.array([float(x) for x in motion.system.resolved.bodies[name].center])
        place = {"position": tuple(float(x) for x in p - R @ centre),
                 "orientation": tuple(float(x) for x in quaternion(R))}  # fmt: skip
        out[name] = item.model_copy(update=place)
    return out


def _apart(motion: Motion, system: System) -> float:
    """How far bodies and points are from where they should be."""
    there, here = motion.posture, system.posture(system.q0)
    worst = 0.0
    for name in system.resolved.bodies:
        a, b = body_motion(there, name), body_motion(here, name)
        worst = max(worst, float(np.abs(a.p[0][0] - b.p[0][0]).max()))
        worst = max(worst, system.size * float(np.abs(a.R[0][0] - b.R[0][0]).max()))
    return worst
