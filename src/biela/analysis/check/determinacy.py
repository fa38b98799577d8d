"""Which reactions the motion determines, which only a convention does, and what is connected to what."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...coordinates.tree.spanning import implied_pins
from ...model.groups import Groups
from ...model.resolved import GROUND, ResolvedModel
from ...system.system import System
from .mobility import rank_of, scaled_jacobian


@dataclass(frozen=True)
class Determinacy:
    """Joints (and drivers) by whether the equations of motion fix their reactions."""

    unique: tuple[str, ...]
    shared: tuple[str, ...]
    """statically indeterminate: any self-stress may be added; biela gives the reactions of least norm"""


def determinacy(system: System, q: np.ndarray, t: float = 0.0) -> Determinacy:
    """Judge the joints of a system in reference-point coordinates, where each joint's rows are its reactions.

    A self-stress is a set of multipliers that moves nothing: B^T lam = 0. Joints without a part in any are determined.
    """
    B = scaled_jacobian(system, q, t)
    rows = system.equations.rows
    owners = list(dict.fromkeys(r.owner for r in rows if r.role in ("joint", "driver")))
    if not B.size:
        return Determinacy(tuple(owners), ())
    U, _, _ = np.linalg.svd(B)
    null = U[:, rank_of(B, system.slack) :]
    indeterminate = set()
    for k, row in enumerate(rows):
        if row.role in ("joint", "driver") and null.shape[1] and np.abs(null[k]).max() > max(1e-7, system.slack):
            indeterminate.add(row.owner)
    return Determinacy(
        tuple(o for o in owners if o not in indeterminate), tuple(o for o in owners if o in indeterminate)
    )


def islands(resolved: ResolvedModel) -> list[list[str]]:
    """Groups of bodies that no joint connects to the ground, however far."""
    connected = Groups((GROUND, *resolved.bodies))

    def join(bodies: list[str]) -> None:
        known = [b for b in bodies if b in connected]
        for b in known[1:]:
            connected.join(known[0], b)

    for j in [*resolved.joints, *implied_pins(resolved)]:
        places = [*j.places, *(f.place for f in j.frames), *(x.through for x in j.lines if x.through is not None)]
        join([p.body for p in places] + list(j.bodies))
        for name, _ in j.terms:
            join([p.body for p in resolved.coordinates[name].places])
    return [bodies for bodies in connected.lists().values() if GROUND not in bodies]
