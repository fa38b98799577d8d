"""One instant of a mechanism: the start, an equilibrium, or a sample of a motion."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import MethodError, Problem
from ..kernels.calls_from_python import law_at
from ..mechanics.measure import wound_at_start
from ..model.model import Model
from ..results.motion import Motion
from ..system.system import System
from .assembly.assemble import as_model, assemble
from .assembly.transfer import rebuilt
from .check.mobility import mobility
from .events.describe import check_state
from .numbers import number


@dataclass
class Instant:
    """A system and its state; the torsion springs of the system know how far they are wound."""

    system: System
    q: np.ndarray
    v: np.ndarray
    t: float
    notes: list[str] = field(default_factory=list)
    equilibrium: Any = None
    held: bool = False
    """its drivers stand still"""


def instant_of(model: Model | System | Motion | str | Path, coordinates: str | None, at: Any) -> Instant:
    """The state meant by `at`."""
    here = _instant_of(model, coordinates, at)
    check_state(here.system, here.q, here.t, here.notes)
    return here


def _instant_of(model: Model | System | Motion | str | Path, coordinates: str | None, at: Any) -> Instant:
    if isinstance(model, Motion):
        return _of_motion(model, coordinates, at)
    if at == "equilibrium":
        from .equilibrium.equilibrium import equilibrium

        found = equilibrium(model, coordinates=coordinates)
        return Instant(found.system, found.q[0], found.v[0], float(found.t[0]), list(found.notes), found, True)
    if isinstance(at, Motion):
        return _of_motion(at, coordinates, "end")
    if at != "start":
        raise MethodError(
            Problem(f"at = {at!r} is not possible", cure="'start', 'equilibrium', or a motion with 'end' or a time")
        )
    system = system_of(model, coordinates)
    wind_springs(system)
    return Instant(system, system.q0.copy(), system.v0.copy(), 0.0, list(system.notes))


def system_of(model: Model | System | str | Path, coordinates: str | None) -> System:
    """The assembled system, its rank known."""
    system = model if isinstance(model, System) else assemble(as_model(model), coordinates)
    if isinstance(model, System) and coordinates not in (None, "auto", model.coordinates):
        _other_coordinates(coordinates, model.coordinates)
    if system.rank < 0:
        system.rank = mobility(system).rank
    return system


def wind_springs(system: System) -> None:
    """Torsion springs as far wound as at the start."""
    if len(system.arrays.wound):
        system.arrays.wound[:] = wound_at_start(system)


def _of_motion(motion: Motion, coordinates: str | None, at: Any) -> Instant:
    system = motion.system
    if getattr(motion, "closed", False):
        raise MethodError(Problem("in this motion stops or locks were closed for a while", where=system.name,
                                  why="what holds the mechanism differs from piece to piece",
                                  cure="give one of result.pieces"))  # fmt: skip
    if coordinates not in (None, "auto", system.coordinates):
        _other_coordinates(coordinates, system.coordinates)
    if system.rank < 0:
        system.rank = mobility(system).rank
    t = np.asarray(motion.t)
    if at in ("start", "end"):
        k = 0 if at == "start" else len(t) - 1
    elif at == "equilibrium":
        k = 0
        if len(t) > 1:
            raise MethodError(Problem("a motion is not an equilibrium", cure="give the model instead of its motion"))
    else:
        k = int(np.argmin(np.abs(t - number(at, "at", "time"))))
    for l, f in enumerate(system.equations.wound):
        system.arrays.wound[l] = float(motion.force_motion(f)[0][k])
    still = hasattr(motion, "judged")
    notes = [n for n in motion.notes if n not in system.notes]
    if isinstance(at, (int, float)) and abs(t[k] - float(at)) > 1e-12 * max(1.0, abs(float(at))):
        notes.append(f"note: taken at the sample next to t = {float(at):g} s, t = {t[k]:.9g} s")
    known = [*system.notes, *notes]
    found = motion if still else None
    return Instant(system, np.array(motion.q[k]), np.array(motion.v[k]), float(t[k]), known, found, still)


def _other_coordinates(wanted: str | None, own: str) -> None:
    raise MethodError(
        Problem(
            f"coordinates = {wanted!r} is not possible here",
            why=f"what was given is in {own} coordinates already",
            cure="leave it out, or give the model",
        )
    )


# ------------------------------------------------------------------------------------------------- drivers held still
LAW_PARTS = ("law_prog", "law_dprog", "law_ddprog", "law_xprog", "law_vprog", "law_table", "law_user")


def hold_drivers(system: System, t: float) -> None:
    """Replace what the drivers follow by the values they have at the time t, in the system's own arrays."""
    s = system.arrays
    values = [law_at(system.header, int(law), t, 0.0, 0.0) for law in s.drv_law]
    for law, value in zip(s.drv_law, values, strict=True):
        s.law_c0[law] = value
        for part in LAW_PARTS:
            getattr(s, part)[law] = -1


def with_drivers_held(system: System, t: float) -> System:
    """A system of its own with its drivers held as they are at the time t; the same one if nothing is driven."""
    if not len(system.arrays.drv_law):
        return system
    out = rebuilt(system, system.resolved, v=0.0 * system.v0)
    out.rank = system.rank
    out.notes.append(f"note: drivers are held as they are at t = {t:g} s")
    hold_drivers(out, t)
    return out
