"""Assembly: from a model to a system whose starting position and velocity satisfy the joints (003, section 2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ...coordinates.tree.spanning import grow
from ...errors import MethodError, Problem
from ...mechanics.idle_spins import hold_idle_spins
from ...methods.positions.closing import close, row_lengths
from ...model.model import Model
from ...model.resolve import resolve
from ...model.resolved import ResolvedModel
from ...system.system import COORDINATES, System, build, hold_relations
from .declared import start_as_declared
from .initial import Assembled, allow_like
from .plane import assemble_in_plane, must_have_coordinates
from .space import assemble_in_space
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


def put_together(resolved: ResolvedModel, wanted: str) -> System:
    """The same for a resolved model, in coordinates of this name."""
    resolved, idle = hold_idle_spins(resolved)
    system, start = _declared_start(resolved, wanted)
    if start is None:
        if resolved.dimension == 3 and (resolved.bodies or resolved.start):
            assembled = assemble_in_space(resolved)
        else:
            assembled = assemble_in_plane(system or build(resolved, wanted))
        system = assembled.wanted or build(assembled.resolved, wanted)
        must_have_coordinates(system)
        start = _start_from(system, assembled)
    assert system is not None
    notes = [*system.resolved.remarks, *system.resolved.doubts]
    if idle:
        line = "its own line" if len(idle) == 1 else "their own lines"
        notes.insert(0, f"{', '.join(idle)} can spin about {line}, without inertia or effect; held at zero")
    system.notes[:0] = [f"note: {text}" for text in notes]
    system.q0, system.v0 = start
    system.arrays.q[:], system.arrays.v[:] = start
    return system


def _declared_start(resolved: ResolvedModel, wanted: str) -> tuple[System | None, tuple | None]:
    """In relative coordinates: the start of an open tree that fits as it is declared, which need not be closed."""
    if wanted != "relative":
        return None, None
    system = build(resolved, wanted)
    return system, start_as_declared(system) if system.n else None


def _start_from(system: System, assembled: Assembled) -> tuple[np.ndarray, np.ndarray]:
    """The position and velocity that were found, in the coordinates of a system."""
    resolved, full, q, v = assembled.resolved, assembled.system, assembled.q, assembled.v
    share_turns(full, resolved, q)
    system.starts, system.given = given_angles(full, resolved, q), given_coordinates(full, resolved, q)
    allow_like(system, full)
    q0, v0 = in_coordinates(system, full, q, v)
    hold_relations(system, q0)
    return _without_rounding(system, q0, v0) if system.is_tree and system.m else (q0, v0)


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


MANY = 20
"""bodies of an open chain beyond which the O(n) recursion of relative coordinates is the choice of `auto`"""


def automatic(resolved: ResolvedModel) -> str:
    """Natural coordinates, but relative ones for open trees in space or of many bodies: those need no equations."""
    if resolved.dimension == 2 and len(resolved.bodies) <= MANY:
        return "natural"
    tree = grow(resolved, relative=True)
    needed = any(c.needed and c.name not in tree.q_names for c in resolved.coordinates.values())
    return "natural" if tree.cut or needed or resolved.drivers else "relative"
