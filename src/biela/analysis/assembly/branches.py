"""The other ways to assemble a mechanism: same lengths, same inputs, other side of the dead point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from ...coordinates.tree.from_poses import body_motion
from ...errors import MethodError, Problem
from ...methods.positions.closing import Targets, close
from ...model.model import Model
from ...model.resolve import resolve
from ...model.resolve.expansion import without_repeats
from ...model.resolved import ResolvedModel
from ...system.system import System
from ..check.mobility import mobility, rank_of
from ..quantities import point_components, turns_towards
from .assemble import as_model, assemble, put_together, with_sections
from .plane import named_rows


def branches(
    model: Model | str | Path, hold: Mapping[str, float] | None = None, tries: int = 200
) -> list[dict[str, tuple]]:
    """All assemblies found with the inputs held: each as {point: (x, y) or (x, y, z)}, the model's own one first.

    The inputs are the drivers at t = 0; without drivers, the coordinates in `hold` (declared ones, those of joints such
    as "motor.angle", "P.x"), or else all the model's relative coordinates at their present values. Found by closing the
    mechanism from many scattered positions.

    >>> import biela
    >>> len(biela.branches("four-bar", {"crank_angle": 1.0}))
    2
    """
    model = without_repeats(as_model(model))
    system = assemble(model, "mixed") if not hold else put_together(_with_variables(model, list(hold)), "mixed")
    return [_points(system, q) for q in assemblies(system, hold, tries)]


def _with_variables(model: Model, names: list[str]) -> ResolvedModel:
    """The resolved model with all these coordinates among its variables, as if each were driven."""
    drivers = {f"hold_{k}": {"coordinate": name, "law": 0.0} for k, name in enumerate(names)}
    driven = resolve(with_sections(model, drivers=drivers))  # complains about unknown names
    return replace(driven, drivers=resolve(model).drivers)


def assemblies(system: System, hold: Mapping[str, float] | None = None, tries: int = 200) -> list[np.ndarray]:
    """Coordinates of every assembly found."""
    names = list(hold) if hold else ([] if system.resolved.drivers else list(system.equations.carried))
    if not names and not system.resolved.drivers:
        _must_hold(system)
    rows, offsets = named_rows(system, names)
    values = np.array([hold[k] if hold else float(rows[i] @ system.q0 + offsets[i]) for i, k in enumerate(names)])
    targets = Targets(rows, values - offsets)
    compared = _comparison(system, rows)
    unit = system.unit
    rng = np.random.default_rng(3)
    found: list[np.ndarray] = []
    seen: list[np.ndarray] = []
    for k in range(tries):
        scatter = 0.0 if k == 0 else (0.3, 1.0, 2.0)[k % 3]
        closed = close(system, system.q0 + scatter * unit * rng.standard_normal(system.n), 0.0, targets)
        if not closed.converged or _mirrored(system, closed.q):
            continue
        q = _wrapped(system, closed.q)
        here = compared(q)
        if all(np.abs(here - other).max(initial=0.0) > 1e-6 * system.size for other in seen):
            found.append(q)
            seen.append(here)
    return found


def _comparison(system: System, held: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """What tells one assembly from another: the coordinates of the bodies; or only the points, where something is left
    free, as a bar between two balls is, which turns about itself."""
    resolved, size = system.resolved, len(system.equations.exploded.q_names)
    B = np.vstack([system.at(system.q0, None, 0.0).B, held]) * system.unit
    scale = np.linalg.norm(B, axis=1)
    scale[scale < 1e-12] = 1.0
    places = [resolved.place(p) for p in resolved.start]
    if rank_of(B / scale[:, None]) == system.n or not places:
        return lambda q: q[:size]

    def points(q: np.ndarray) -> np.ndarray:
        here = system.posture(q)
        return np.concatenate([here.place(p)[0][0] for p in places])

    return points


def _mirrored(system: System, q: np.ndarray) -> bool:
    """Whether a body of space has become its mirror image: its distances and angles are the same, but no body can."""
    if system.resolved.dimension == 2:
        return False
    here = system.posture(q)
    rigid = [name for name, body in system.resolved.bodies.items() if not body.particle]
    return any(float(np.linalg.det(body_motion(here, name).R[0][0])) < 0 for name in rigid)


def _must_hold(system: System) -> None:
    """With nothing held, a mechanism that can move has no end of assemblies."""
    if mobility(system).freedom == 0:
        return
    resolved = system.resolved
    names = [*resolved.coordinates, *point_components(resolved)]
    raise MethodError(
        Problem(
            "no input is held",
            where=system.name,
            why="the mechanism can move, so there are infinitely many assemblies",
            cure=f"hold as many coordinates as it has freedoms, such as {', '.join(names[:8])}",
        )
    )


def on_branch(system: System, branch: int) -> np.ndarray:
    """The starting position on another branch, by number."""
    found = assemblies(system)
    if not 0 <= branch < len(found):
        raise MethodError(
            Problem(f"there is no branch {branch}", why=f"{len(found)} found", cure=f"0 to {len(found) - 1}")
        )
    return found[branch]


def _wrapped(system: System, q: np.ndarray) -> np.ndarray:
    """Angles brought within half a turn of where the mechanism starts."""
    q = q.copy()
    for name in system.equations.carried:
        if system.resolved.coordinates[name].type == "angle":
            i = system.q_names.index(name)
            q[i] += turns_towards(q[i], system.q0[i])
    return q


def _points(system: System, q: np.ndarray) -> dict[str, tuple]:
    resolved, here = system.resolved, system.posture(q)

    def at(p: str) -> tuple:
        return tuple(float(x) for x in here.place(resolved.place(p))[0][0])

    return {p: at(p) for p in (*resolved.ground, *resolved.start)}
