"""Starting values: velocities that fit the joints, and why a mechanism does not close."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import AssemblyError, Problem
from ...methods.positions.closing import Closed, rounding_of, row_lengths
from ...methods.positions.large import least_energy_large
from ...model.resolved import ResolvedModel
from ...system.equations import RowInfo
from ...system.system import System
from ..check.mobility import mobility, nearly_fits
from ..quantities import turns_towards


@dataclass
class Assembled:
    """A mechanism put together: the model as it was found to be, a system with all that its initial values speak of,
    and its start there."""

    resolved: ResolvedModel
    system: System
    q: np.ndarray
    v: np.ndarray
    wanted: System | None = None
    """the system in the coordinates that were asked for, where it has been built already"""


def count_driven_turns(system: System, q: np.ndarray) -> None:
    """A driven angle starts with the whole turns that its law has at t = 0."""
    system.evaluate(q)
    Phi = system.arrays.Phi[: system.m].copy()
    for k, row in enumerate(system.equations.rows):
        if row.role == "driver":
            c = next(d.coordinate for d in system.resolved.drivers if d.name == row.name)
            if c in system.equations.carried and system.resolved.coordinates[c].type == "angle":
                q[system.q_names.index(c)] += turns_towards(Phi[k], 0.0)


def least_energy(system: System, M: np.ndarray, J: np.ndarray, f: np.ndarray, length: np.ndarray) -> np.ndarray:
    """v with J v = f (as nearly as it goes) and the least kinetic energy: the same in any coordinates. `length` of the
    rows, with lengths in units of the mechanism."""
    unit = system.unit
    weight = M * unit[:, None] * unit
    top = max(float(np.abs(np.diag(weight)).max(initial=0.0)), 1e-300)
    masses, along = np.linalg.eigh(weight / top)
    # coordinates without mass count a little; a body that is placed far away has masses below zero, by rounding
    heavy = along / np.sqrt(np.maximum(masses, 0.0) + 1e-9)
    rows, few = J * unit / length[:, None], max(1e-11, system.slack)
    v = heavy @ np.linalg.lstsq(rows @ heavy, f / length, rcond=few)[0]
    # that little depends on the coordinates: along what the rows leave free, the energy of the masses alone is least
    _, s, Vt = np.linalg.svd(rows)
    N = Vt[int((s > few * s.max(initial=0.0)).sum()) :].T
    v = v - N @ np.linalg.lstsq(N.T @ weight @ N / top, N.T @ weight @ v / top, rcond=1e-9)[0]
    return v * unit


def consistent_velocity(
    system: System, B: np.ndarray | None, f: np.ndarray, selected: np.ndarray, keep: np.ndarray | None = None
) -> np.ndarray:
    """B v = f with the initial rates of the model (rows `selected`); freedoms that it does not mention take the least
    kinetic energy. Without B: that of the state evaluated last, its non-zeros only. `keep`: which of the system's rows
    B has, if not all."""
    resolved, rates = system.resolved, [f"initial.velocity.{name}" for name in system.resolved.velocity]
    f = np.concatenate([f, [float(rate) for rate in resolved.velocity.values()]])
    if not f.any():
        return np.zeros(system.n)
    v, error, allowed = _rates(system, B, f, selected, keep)
    if (error > allowed).any() and B is not None and rounding_of(system) and not system.slack:
        mobility(system, system.arrays.q.copy())  # does rounded data make redundant rows contradict one another?
        v, error, allowed = _rates(system, B, f, selected, keep)
    worst = int(np.argmax(np.nan_to_num(error / allowed)))
    if error[worst] > allowed[worst]:
        rows = _kept_rows(system, keep)
        label = [*(row.name for row in rows), *rates][worst]
        culprits = rates or [row.name for row in rows if row.role == "driver"]
        raise AssemblyError(
            Problem(
                "the velocities asked for contradict the joints",
                where=", ".join(culprits) or label,
                why=f"{label} misses by {error[worst]:.4g}; the mechanism has fewer freedoms than this",
                cure="give rates only to as many coordinates as the mechanism has freedoms, or drive another one",
            ),
            title=f"model {resolved.name!r}",
        )
    return v


def _kept_rows(system: System, keep: np.ndarray | None) -> list[RowInfo]:
    """The rows of a mask; all of them without one."""
    rows = system.equations.rows
    return rows if keep is None else [row for row, kept in zip(rows, keep, strict=True) if kept]


def _rates(
    system: System, B: np.ndarray | None, f: np.ndarray, selected: np.ndarray, keep: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Velocities; by how much they miss each row, and by how much they may: rates are compared in sizes of the
    mechanism and radians a second, whatever the rows are written in."""
    if B is None:
        v, missed, length = least_energy_large(system, f, selected)
    else:
        J = np.vstack([B, selected])
        length = row_lengths(system, J * system.unit, keep)
        v = least_energy(system, system.M, J, f, length)
        missed = J @ v - f
    speed = max(float(np.abs(v / system.unit).max(initial=0.0)), float(np.abs(f / length).max(initial=0.0)), 1e-12)
    return v, np.abs(missed), max(1e-8, rounding_of(system) if system.slack else 0.0) * length * speed


def why_not_closed(
    system: System, closed: Closed, keep: np.ndarray | None = None, names: list[str] | None = None
) -> list[Problem]:
    """Which parts do not reach, in lengths and angles. `names`: of targets beyond the rows."""
    rows, names = _kept_rows(system, keep), names or []
    order = [int(k) for k in np.argsort(-np.abs(closed.residual)) if abs(closed.residual[k]) > 1e-9]
    owners: list[str] = []
    details: list[str] = []
    for k in order:
        if k >= len(rows):
            label = f"initial.position.{names[k - len(rows)]}"
            owners.append(label)
            details.append(f"{label} cannot be reached")
            continue
        row = rows[k]
        if row.owner in owners:
            continue
        owners.append(row.owner)
        details.append(shortfall(system, row, closed.q))
    return [
        Problem(
            f"{' and '.join(repr(o) for o in owners[:3])} cannot close",
            where=", ".join(owners[:6]),
            why="; ".join(details[:4]) or "the closing iteration found no solution",
            cure="check the lengths and the ground points; or start nearer to an assembled position",
        )
    ]


def allow_for_rounding(system: System, closed: Closed, keep: np.ndarray | None = None) -> None:
    """Where rounded data has left something of redundant equations, the system remembers it, and a note says where."""
    if closed.off:
        rows = _kept_rows(system, keep)
        worst = int(np.argmax(np.abs(closed.residual[: len(rows)])))
        system.slack = max(system.slack, 10.0 * closed.off)
        system.notes.append(nearly_fits(system, closed.off, shortfall(system, rows[worst], closed.q)))


def allow_like(system: System, full: System) -> None:
    """What holds for a mechanism in some coordinates holds for it in others."""
    if full is not system:
        system.slack = max(system.slack, full.slack)
        system.notes += [note for note in full.notes if note not in system.notes]


def shortfall(system: System, row: RowInfo, q: np.ndarray) -> str:
    """How far a row is from holding at the nearest position found: in metres for lengths, else as it is."""
    at = system.at(q, None, 0.0)
    k = system.row_names.index(row.name)
    slope = float(np.linalg.norm(at.B[k]))
    gap = abs(at.Phi[k]) / slope if slope > 0 else abs(at.Phi[k])
    if row.role == "rigid" and row.equation.quadratic:
        length2 = at.Phi[k]
        return f"{row.owner!r} is {'stretched' if length2 > 0 else 'squeezed'} by about {gap:.3g} m"
    return f"{row.name} misses by about {gap:.3g}"
