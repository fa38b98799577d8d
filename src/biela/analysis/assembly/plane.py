"""Assembly in the plane: in natural coordinates with the relative coordinates that the start speaks of."""

from __future__ import annotations

import numpy as np

from ...errors import AssemblyError, Problem
from ...mechanics.measure import affine
from ...methods.positions.closing import Targets
from ...model.resolved import ResolvedModel
from ...system.system import System, build, hold_relations
from .approach import approach
from .drawing import FITS, fit_drawing, gap
from .initial import Assembled, allow_for_rounding, consistent_velocity, count_driven_turns, why_not_closed


def assemble_in_plane(system: System, rough: bool = True) -> Assembled:
    """The system itself, or one with more of the coordinates that the initial values speak of, and its start.
    `rough`: the drawing may not fit together."""
    resolved = system.resolved
    must_have_coordinates(system)
    # initial conditions may name any relative coordinate, so they are met with all of them present
    full = system if _has_needed_coordinates(system, resolved) else build(resolved, "mixed")
    decides = resolved.guesses or any(f.law.as_drawn for f in resolved.forces)
    if rough and decides and gap(full, full.q0) > FITS:
        return assemble_in_plane(build(fit_drawing(resolved), system.coordinates), rough=False)
    q = _position(full, resolved)
    return Assembled(resolved, full, q, _velocity(full, resolved, q), system)


def must_have_coordinates(system: System) -> None:
    """Refuse a model of which nothing can move."""
    if not system.n:
        raise AssemblyError(
            Problem(
                "nothing in this model can move",
                where=system.name,
                why="there is no body with a moving point",
                cure="add bodies and points that are not fixed to the ground",
            ),
            title=f"model {system.name!r}",
        )


def _has_needed_coordinates(system: System, resolved: ResolvedModel) -> bool:
    """Whether the start can be met without further relative coordinates: there are none, or none is asked for and
    nothing has to be moved (else all sets move together, to the same position). Large mechanisms move by themselves."""
    missing = set(resolved.coordinates) - set(system.equations.carried)
    asked = {*resolved.position, *resolved.velocity, *(d.coordinate for d in resolved.drivers)}
    if system.is_tree or missing & asked:
        return False
    if not missing or system.is_large:
        return True
    system.evaluate(system.q0)
    off = float(np.abs(system.arrays.Phi[: system.m]).max(initial=0.0))
    return not resolved.position and off < 1e-13 * system.size**2


def _position(system: System, resolved: ResolvedModel) -> np.ndarray:
    """Close a mechanism of the plane near the given positions, at the given values of coordinates."""
    names = list(resolved.position)
    values = np.array([float(resolved.position[k]) for k in names])
    q = system.q0.copy()
    for name, value in zip(names, values, strict=True):
        if name in system.q_names:
            q[system.q_names.index(name)] = value
    count_driven_turns(system, q)
    hold_relations(system, q)  # gears mesh as the start says
    rows, offsets = named_rows(system, names)
    closed = approach(system, q, system.q0, Targets(rows, values - offsets))
    if not closed.converged:
        problems = why_not_closed(system, closed, names=names)
        raise AssemblyError(problems, title=f"model {resolved.name!r} cannot be assembled")
    allow_for_rounding(system, closed)
    return closed.q


def _velocity(system: System, resolved: ResolvedModel, q: np.ndarray) -> np.ndarray:
    """Phi_q v = -Phi_t with the given rates; freedoms that nobody mentioned take the least kinetic energy."""
    selected = named_rows(system, list(resolved.velocity))[0]
    if system.is_large:
        system.evaluate(q)
        return consistent_velocity(system, None, -system.arrays.Phit[: system.m], selected)
    at = system.at(q, None, 0.0)
    return consistent_velocity(system, at.B, -at.Phi_t, selected)


def named_rows(system: System, names: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Each name ("phi", "P.x") as a row over q, and the constant that goes with it where a point is no variable."""
    rows, offsets = np.zeros((len(names), system.n)), np.zeros(len(names))
    natural, resolved = system.equations.exploded, system.resolved
    for k, name in enumerate(names):
        if name in system.q_names:
            rows[k, system.q_names.index(name)] = 1.0
            continue
        point, axis = name.rsplit(".", 1)
        row, offsets[k] = affine(natural, natural.place(resolved.place(point))["xyz".index(axis)])
        rows[k, : len(row)] = row
    return rows, offsets
