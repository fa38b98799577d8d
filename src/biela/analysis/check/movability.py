"""Whether a mechanism can move as asked: it has freedom, drivers drive what is free, and whatever moves has inertia."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ...errors import AssemblyError, Problem
from ...methods.positions.large import dependent_rows, scaled_rows
from ...methods.status import OK
from ...model.resolved import ResolvedBody
from ...system.system import System
from .mobility import Mobility, driver_rows, left_free, mobility, part_speeds, rank_of, regular_poses, scaled_jacobian

MANY = 200
"""freedoms of an open tree beyond which its recursion alone is asked"""
SMALL = 1e-4
"""of the largest speed among the parts: what counts as standing still"""
_CHECKED: WeakKeyDictionary[System, tuple[bytes, bytes, Mobility]] = WeakKeyDictionary()
"""of each system: the start and the constants of the rows that it was checked with, and what was found"""


def checked_mobility(system: System) -> Mobility:
    """Mobility at the start; a mechanism that cannot move as asked is refused. Found once, however often the system is
    run from there."""
    start, constants = system.q0.tobytes(), system.arrays.c.tobytes()
    known = _CHECKED.get(system)
    if known is not None and known[:2] == (start, constants):
        return known[2]
    freedom = mobility(system)
    system.rank = freedom.rank
    check_motion(system, freedom)
    _CHECKED[system] = start, constants, freedom
    return freedom


def check_motion(system: System, freedom: Mobility, inertia: bool = True) -> None:
    """Refuse models that cannot move as asked: no freedom, locked drivers, parts without inertia (if that matters)."""
    problems = []
    rows = system.equations.rows
    if freedom.freedom == 0 and not freedom.drivers:
        problems.append(
            Problem(
                "nothing can move: the mechanism is a structure",
                where=", ".join(dict.fromkeys(r.owner for r in rows)),
                why=f"{freedom.n} coordinates, {freedom.rank} independent constraints",
                cure="remove a joint or a bar",
            )
        )
    for name in locked_drivers(system):
        problems.append(
            Problem(
                f"driver {name!r} drives what is fixed already",
                where=f"drivers.{name}",
                why="the joints and the other drivers determine its coordinate",
                cure="remove the driver, or a constraint that locks its coordinate",
            )
        )
    problems += without_inertia(system) if inertia else []
    if problems:
        raise AssemblyError(problems, title=f"model {system.name!r}")


def must_be_determined(
    system: System, m: Mobility, refusal: Callable[[list[str]], AssemblyError]
) -> tuple[list[str], list[str]]:
    """Of a prescribed motion: refuse freedoms left over (`refusal` of the bodies that can move). Gives the bodies that
    spin idly, a freedom that no point feels, and what to note about them."""
    system.rank = m.rank
    if m.freedom == 0:
        return [], []
    moving, idle = left_free(system, m)
    if moving or m.freedom != len(idle):
        raise refusal([*moving, *idle])
    return idle, [f"note: {', '.join(idle)} can turn about its own line, which moves no point"]


# --------------------------------------------------------------------------------------------------------- drivers
def locked_drivers(system: System) -> list[str]:
    """Drivers whose row adds nothing to the rank of the rows before it, in any nearby pose."""
    rows, drivers = system.equations.rows, driver_rows(system)
    if not drivers.any():
        return []
    adds = _adds_rank_sparse(system) if system.is_large else _adds_rank(system)
    kept, locked = np.flatnonzero(~drivers).tolist(), []
    for k in np.flatnonzero(drivers).tolist():
        if adds(kept, k):
            kept.append(k)
        else:
            locked.append(rows[k].name)
    return locked


def _adds_rank(system: System) -> Callable[[list[int], int], bool]:
    matrices = [scaled_jacobian(system, q) for q in regular_poses(system, system.q0, 0.0)]

    def adds(kept: list[int], k: int) -> bool:
        return any(rank_of(B[[*kept, k]], system.slack) > rank_of(B[kept], system.slack) for B in matrices)

    return adds


def _adds_rank_sparse(system: System) -> Callable[[list[int], int], bool]:
    system.evaluate(regular_poses(system, system.q0, 0.0)[-1])
    J = scaled_rows(system)[0]
    return lambda kept, k: len(dependent_rows(J[[*kept, k]])) <= len(dependent_rows(J[kept]))


# --------------------------------------------------------------------------------------------------------- inertia
def without_inertia(system: System) -> list[Problem]:
    """Directions with neither mass nor constraint: M + Phi_q^T Phi_q must be positive definite.

    The recursion of an open tree finds a link without inertia by itself, at a cost that does not matter; for many
    bodies M is not examined, where it is ill-conditioned by nature as well.
    """
    if system.is_open_tree and system.n > MANY:
        system.arrays.q[:], system.arrays.v[:] = system.q0, 0.0
        from ...methods.formulations.recursive import evaluate  # (compiled when it is first imported)

        if evaluate(system.header, 0.0) == OK:
            return []
    if system.is_large:
        parts = _sparse_without_inertia(system)
        return [_no_inertia(parts)] if parts else []
    unit = system.unit
    M = system.at(system.q0).M * unit[:, None] * unit
    top = max(float(np.abs(np.diag(M)).max(initial=0.0)), 1e-300)
    B = scaled_jacobian(system, system.q0)
    values, vectors = np.linalg.eigh(M / top + B.T @ B)
    massless = vectors[:, values <= 1e-12]
    if not massless.size:
        return []
    spinning, parts = _parts(system, massless.T * unit)
    problems = [_slender(system.resolved.bodies[name]) for name in spinning]
    if parts or not spinning:
        weight = np.abs(massless[:, 0])
        names = [system.v_names[i] for i in np.argsort(-weight) if weight[i] > 0.3 * weight.max()]
        parts = parts or list(dict.fromkeys(name.rsplit(".", 1)[0] for name in names))
        problems.append(_no_inertia(parts))
    return problems


def _sparse_without_inertia(system: System) -> list[str]:
    """Parts that neither mass nor constraints hold: M + B^T B must be positive definite."""
    from scipy.sparse import csc_matrix, diags, identity
    from scipy.sparse.linalg import splu

    system.evaluate(system.q0)
    J, unit = scaled_rows(system)[0], diags(system.unit)
    M: Any = unit @ system.sparse_mass() @ unit
    A = csc_matrix(M / max(float(M.diagonal().max()), 1e-300) + J.T @ J + 1e-14 * identity(system.n))
    factor = splu(A, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    massless = np.argsort(factor.perm_c)[np.abs(factor.U.diagonal()) < 1e-12]
    return list(dict.fromkeys(system.v_names[i].rsplit(".", 1)[0] for i in massless))


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
    resolved = system.resolved
    speeds, turning = part_speeds(system, system.q0, velocities)
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
