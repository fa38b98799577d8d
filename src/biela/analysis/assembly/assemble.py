"""Assembly: from a model to a system whose starting position and velocity satisfy the joints (003, section 2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ...coordinates.tree.spanning import grow
from ...errors import AssemblyError, MethodError, Problem
from ...mechanics.idle_spins import hold_idle_spins
from ...mechanics.measure import affine
from ...methods.positions.closing import Targets, close, row_lengths
from ...model.model import Model
from ...model.resolve import resolve
from ...model.resolved import ResolvedModel
from ...system.system import COORDINATES, System, build, hold_relations
from .approach import approach
from .declared import start_as_declared
from .drawing import FITS, fit_drawing, gap
from .initial import allow_for_rounding, allow_like, consistent_velocity, why_not_closed
from .space import assemble_in_space, count_driven_turns
from .transfer import in_coordinates
from .whole_turns import given_angles, given_coordinates, share_turns


def as_model(model: Model | str | Path) -> Model:
    """A model as it is, or by library name or file."""
    if isinstance(model, Model):
        return model
    if isinstance(model, System):
        raise MethodError(Problem("this is a system; the model itself is needed here", where=model.name,
                                  cure="give the model that it was assembled from"))  # fmt: skip
    from ...library import load

    return load(model)


def with_sections(model: Model, **sections: Any) -> Model:
    """A copy of a model with some of its sections replaced, and checked again."""
    said = {name: getattr(model, name) for name in type(model).model_fields if name in model.model_fields_set}
    return type(model).model_validate({**said, **sections})


def refuse_unknown_coordinates(name: str | None) -> None:
    """Every analysis takes the name of a set of coordinates, "auto" or None."""
    if name not in (None, "auto", *COORDINATES):
        raise MethodError(Problem(f"there are no coordinates {name!r}", cure=f"one of: auto, {', '.join(COORDINATES)}"))


def assemble(model: Model | str | Path, coordinates: str | None = None) -> System:
    """The equations of a mechanism, put together: consistent positions and velocities at t = 0.

    >>> import biela
    >>> s = biela.assemble("four-bar")
    >>> bool(abs(s.at(s.q0).Phi).max() < 1e-12)
    True
    """
    refuse_unknown_coordinates(coordinates)
    model = as_model(model)
    resolved = resolve(model)
    system = put_together(resolved, automatic(resolved) if coordinates in (None, "auto") else coordinates)
    system.model = model
    return system


def put_together(resolved: ResolvedModel, wanted: str, rough: bool = True) -> System:
    """The same for a resolved model, in coordinates of this name. `rough`: its drawing may not fit together."""
    resolved, idle = hold_idle_spins(resolved)
    system = build(resolved, wanted) if wanted == "relative" or resolved.dimension == 2 else None
    start = start_as_declared(system) if system is not None and wanted == "relative" and system.n else None
    full = None
    if start is None and resolved.dimension == 3 and (resolved.bodies or resolved.start):
        resolved, full, q, v = assemble_in_space(resolved)
        system = None
    system = system or build(resolved, wanted)
    _must_have_coordinates(system)
    if idle:
        line = "its own line" if len(idle) == 1 else "their own lines"
        system.notes.append(f"note: {', '.join(idle)} can spin about {line}, without inertia or effect; held at zero")
    system.notes += [f"note: {text}" for text in (*resolved.remarks, *resolved.doubts)]
    if start is not None:
        return _started(system, *start)
    if full is None:
        # initial conditions may name any relative coordinate, so they are met with all of them present
        full = system if _has_needed_coordinates(system, resolved) else build(resolved, "mixed")
        decides = resolved.guesses or any(f.law.as_drawn for f in resolved.forces)
        if rough and decides and gap(full, full.q0) > FITS:
            return put_together(fit_drawing(resolved), wanted, rough=False)
        q = start_position(full, resolved)
        v = start_velocity(full, resolved, q)
    share_turns(full, resolved, q)
    system.starts, system.given = given_angles(full, resolved, q), given_coordinates(full, resolved, q)
    allow_like(system, full)
    q0, v0 = in_coordinates(system, full, q, v)
    hold_relations(system, q0)
    if system.is_tree and system.m:
        q0, v0 = _without_rounding(system, q0, v0)
    return _started(system, q0, v0)


def _must_have_coordinates(system: System) -> None:
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
    system.look(system.q0)
    off = float(np.abs(system.arrays.Phi[: system.m]).max(initial=0.0))
    return not resolved.position and off < 1e-13 * system.size**2


MANY = 20
"""bodies of an open chain beyond which the O(n) recursion of relative coordinates is the choice of `auto`"""


def automatic(resolved: ResolvedModel) -> str:
    """Natural coordinates, but relative ones for open trees in space or of many bodies: those need no equations."""
    if resolved.dimension == 2 and len(resolved.bodies) <= MANY:
        return "natural"
    tree = grow(resolved, relative=True)
    needed = any(c.needed and c.name not in tree.q_names for c in resolved.coordinates.values())
    return "natural" if tree.cut or needed or resolved.drivers else "relative"


def _without_rounding(system: System, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A start without what the change to the coordinates of a tree has rounded."""
    q = q if system.slack else close(system, q, 0.0).q
    at = system.at(q, v, 0.0)
    J = at.B * system.unit
    length = row_lengths(system, J)
    J = J / length[:, None]
    if np.abs(J).max() > 1e-9:  # else the tree fulfils all its equations by itself
        v = v - system.unit * np.linalg.lstsq(J, at.Phi_dot / length, rcond=max(1e-10, system.slack))[0]
    return q, v


def _started(system: System, q: np.ndarray, v: np.ndarray) -> System:
    system.q0, system.v0 = q, v
    system.arrays.q[:], system.arrays.v[:] = q, v
    return system


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


def start_position(system: System, resolved: ResolvedModel) -> np.ndarray:
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


def start_velocity(system: System, resolved: ResolvedModel, q: np.ndarray) -> np.ndarray:
    """Phi_q v = -Phi_t with the given rates; freedoms that nobody mentioned take the least kinetic energy."""
    names = list(resolved.velocity)
    drivers = [r.name for r in system.equations.rows if r.role == "driver"]
    selected = named_rows(system, names)[0]
    if system.is_large:
        system.look(q)
        return consistent_velocity(system, None, -system.arrays.Phit[: system.m], selected, names, drivers)
    at = system.at(q, None, 0.0)
    return consistent_velocity(system, at.B, -at.Phi_t, selected, names, drivers)
