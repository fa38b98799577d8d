"""The other ways to assemble a mechanism: same lengths, same inputs, other side of the dead point."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ..errors import MethodError, Problem
from ..methods.closing import Targets, close
from ..model.model import Model
from ..system.system import System
from .assembly import assemble, target_offsets, target_rows


def branches(
    model: Model | str | Path, hold: Mapping[str, float] | None = None, tries: int = 200
) -> list[dict[str, tuple]]:
    """All assemblies found with the inputs held: each as {point: (x, y)}, the one that the model starts in first.

    The inputs are the drivers at t = 0; without drivers, the coordinates in `hold`, or else all the model's relative
    coordinates at their present values. Found by closing the mechanism from many scattered positions.

    >>> import biela
    >>> len(biela.branches("four-bar", {"crank_angle": 1.0}))
    2
    """
    system = assemble(model, "mixed")
    return [_points(system, q) for q in assemblies(system, hold, tries)]


def assemblies(system: System, hold: Mapping[str, float] | None = None, tries: int = 200) -> list[np.ndarray]:
    """Coordinates of every assembly found."""
    names = list(hold) if hold else ([] if system.meaning.drivers else list(system.lowered.carried))
    rows, offsets = target_rows(system, names), target_offsets(system, names)
    values = np.array([hold[k] if hold else float(rows[i] @ system.q0 + offsets[i]) for i, k in enumerate(names)])
    targets = Targets(rows, values - offsets)
    unit, points = system.unit, len(system.lowered.exploded.q_names)
    rng = np.random.default_rng(3)
    found: list[np.ndarray] = []
    for k in range(tries):
        scatter = 0.0 if k == 0 else (0.3, 1.0, 2.0)[k % 3]
        closed = close(system, system.q0 + scatter * unit * rng.standard_normal(system.n), 0.0, targets)
        q = _wrapped(system, closed.q)
        if closed.converged and all(np.abs((q - p)[:points]).max(initial=0.0) > 1e-6 * system.size for p in found):
            found.append(q)
    return found


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
    for name in system.lowered.carried:
        if system.meaning.coordinates[name].type == "angle":
            i = system.q_names.index(name)
            q[i] -= 2 * np.pi * np.round((q[i] - system.q0[i]) / (2 * np.pi))
    return q


def _points(system: System, q: np.ndarray) -> dict[str, tuple]:
    meaning, here = system.meaning, system.posture(q)

    def at(p: str) -> tuple:
        return tuple(float(x) for x in here.place(meaning.place(p))[0][0])

    return {p: at(p) for p in (*meaning.ground, *meaning.start)}
