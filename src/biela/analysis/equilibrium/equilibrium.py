"""Static equilibrium: where a mechanism rests, what holds it there, and whether it stays (001 15.7)."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from ...errors import AssemblyError, MethodError, Problem
from ...mechanics.measure import heading
from ...methods.positions.closing import close
from ...model.expression import names
from ...model.model import Model
from ...results.motion import Motion
from ...system.system import System
from ..assembly.assemble import as_model
from ..assembly.restart import started_at
from ..check.singularity import describe_singularity
from ..events.describe import check_stops, refuse_events
from ..instant import Instant, system_of, wind_springs, with_drivers_held
from ..kinematics.kinematics import required_multipliers
from ..linear.moving_parts import describe_motion, unit_motion
from ..minimal.reduced import must_move
from ..numbers import number, one_of, positive_number
from ..quantities import turns_towards
from .balance import FARTHEST, Balance, find_balance
from .dry_friction import friction_notes
from .stability import Stability, stability_of

if TYPE_CHECKING:
    from .positions import Equilibria

SEEK = ("stable", "nearest")
CLOSER = 20
"""times that a search begins anew where the mechanism has become much smaller"""
NO_DIGITS = 1e15
"""coordinates whose rounding is longer than anything that is built"""


class Equilibrium(Motion):
    """A position of rest: a motion of one sample, so every channel of a result can be asked for, reactions too.

    `stability` is "stable", "unstable", "neutral" or "undetermined"; `moves` says how it leaves its place, or what can
    move without a force.
    """

    def __init__(self, system: System, q: np.ndarray, t: float, judged: Stability, left: float, model: Model | None):
        still = np.zeros((1, system.n))
        system = copy(system)
        system.q0, system.v0 = q.copy(), np.zeros(system.n)
        system.starts = _angles(system, q)
        lam = required_multipliers(system, q, still[0], still[0], t)
        super().__init__(system, [t], q[None, :], still, still, lam[None, :], np.zeros(1))
        self.judged, self.left, self._model = judged, left, model
        self.notes += judged.notes
        laws = [f.law.expression for f in system.equations.forces if f.law.expression is not None]
        if any("t" in names(law) for law in laws):  # (of a table or a function of the user one cannot tell)
            self.notes.append(f"note: forces that depend on time are taken as they are at t = {t:g} s")

    @property
    def stability(self) -> str:
        return self.judged.verdict

    @property
    def stable(self) -> bool:
        return self.judged.verdict == "stable"

    @property
    def moves(self) -> list[str]:
        """How it leaves its place, or what moves without a force."""
        return self.judged.leaving or self.judged.neutral

    @property
    def method(self) -> str:
        return f"{self.system.coordinates} coordinates, S^T Q = 0 by a trust region and Newton-Raphson"

    def quality(self) -> str:
        worst = float(np.asarray(self["violation.position"]).max(initial=0.0))
        return f"{self.stability}; force left {self.left:.1e}; |Phi| {worst:.1e}"

    def report(self) -> str:
        """What was found, in words."""
        what = {"unstable": "it leaves: ", "neutral": "without any force: "}.get(self.stability, "")
        lines = [f"equilibrium: {self.quality()}", *(what + m for m in self.moves)]
        if self.stable and self.judged.modes:
            slowest = self.judged.modes[0]
            lines.append(f"slowest mode {slowest.frequency:.6g} Hz" + (", damped" if self.judged.damped else ""))
        return "\n".join(lines + self.notes)

    def model(self) -> Model:
        """The model, starting here at rest: to be simulated or saved."""
        if self._model is None:
            raise MethodError(Problem("there is no model to start", why="a system was given", cure="give the model"))
        return started_at(self, self._model)

    def save(self, path: str | Path) -> None:
        """Write that model as a TOML file."""
        self.model().save(path)

    def __repr__(self) -> str:
        return f"Equilibrium({self.system.name!r}: {self.quality()})"


@overload
def equilibrium(
    model: Model | System | str | Path, *, t: float = 0.0, seek: str = "stable", all: Literal[False] = False,
    coordinates: str | None = None, reach: float = 20.0,
) -> Equilibrium: ...  # fmt: skip
@overload
def equilibrium(
    model: Model | System | str | Path, *, t: float = 0.0, seek: str = "stable", all: bool,
    coordinates: str | None = None, reach: float = 20.0,
) -> Any: ...  # fmt: skip
def equilibrium(
    model: Model | System | str | Path,
    *,
    t: float = 0.0,
    seek: str = "stable",
    all: bool = False,
    coordinates: str | None = None,
    reach: float = 20.0,
) -> Equilibrium | Equilibria:
    """Where a mechanism rests: no motion that its joints allow is helped or hindered by the forces on it.

    From its start it goes along the forces, as if let go in a thick fluid, and so to a stable position; with
    seek="nearest" to the nearest balance, stable or not. Drivers, and forces that depend on time, are held as they are
    at the time t. With all=True, for one freedom, all the positions that are connected with the start (see
    `biela.analysis.equilibrium.positions`); `reach` limits how far to look, in sizes of the mechanism.

    >>> import biela
    >>> eq = biela.equilibrium("mass-spring-damper")
    >>> round(float(eq["y"][0]), 12), eq.stability, round(float(eq["spring.force"][0]), 9)
    (0.245, 'stable', -2450.0)
    """
    one_of(seek, "seek", SEEK)
    t, reach = number(t, "t", "time"), positive_number(reach, "reach", "give a positive number of sizes")
    system, q, kept = prepared(model, t, coordinates)
    refuse_events(system.resolved, "an equilibrium", stops=False)
    if all:
        from .positions import positions

        several = positions(system, q, t, reach, kept)
        if system.resolved.stops:
            several.notes.append("note: stops are ignored here: positions may lie beyond them")
        return several
    for _ in range(CLOSER):
        found = find_balance(system, q, t, seek == "stable")
        if not found.converged:
            raise _none(system, found, t, seek)
        out = as_equilibrium(system, found, t, kept)
        reach = _reach(out)
        if reach >= 0.1 * system.size:
            break
        # Point masses that started far away: what counted as small there is not small here.
        system, q = replace(system, size=reach), found.here.q
    check_stops(out, "the equilibrium", refuse=True)
    return out


def _reach(out: Equilibrium) -> float:
    """The size of the mechanism where it rests, not below a metre. (That of bodies does not change; that of masses
    apart does.)"""
    resolved = out.system.resolved
    if not all(body.particle for body in resolved.bodies.values()):
        return out.system.size
    p = np.array([*resolved.ground.values(), *out.final.values()], dtype=float).reshape(-1, resolved.dimension)
    return max(float(np.ptp(p, axis=0).max(initial=0.0)) if len(p) else 0.0, min(1.0, out.system.size))


def prepared(model: Any, t: float, coordinates: str | None) -> tuple[System, np.ndarray, Model | None]:
    """The system closed at time t."""
    kept = None if isinstance(model, System) else as_model(model)
    system = system_of(model if kept is None else kept, coordinates)
    must_move(Instant(system, system.q0, system.v0, t))
    wind_springs(system)
    system.workspace.error = None
    q = system.q0
    if t != 0.0 and system.resolved.drivers:
        closed = close(system, q, t)
        if not closed.converged:
            why = "the drivers ask for what the joints do not allow"
            what = f"the mechanism cannot be assembled at t = {t:g} s"
            raise AssemblyError(Problem(what, where=system.name, why=why, cure="choose another time"))
        q = closed.q
    return with_drivers_held(system, t), q, kept


def as_equilibrium(system: System, found: Balance, t: float, model: Model | None) -> Equilibrium:
    """A position that was found, with its stability."""
    here = Instant(system, found.here.q, np.zeros(system.n), t)
    left = float(np.abs(found.here.r).max(initial=0.0)) / system.size
    friction = friction_notes(here, found.here)
    out = Equilibrium(system, found.here.q, t, stability_of(here, held=bool(friction)), left, model)
    out.notes += friction
    if found.escaped:
        out.notes.append("note: an unstable equilibrium on the way was passed over; seek='nearest' finds it")
    return out


def _none(system: System, found: Balance, t: float, seek: str) -> MethodError:
    """Why there is no rest: the freedom that goes on, and the force that drives it."""
    here = found.here
    if system.workspace.error is not None:
        return MethodError(Problem(str(system.workspace.error), where=system.name, cure="correct the function"))
    if not np.isfinite(here.r).all():
        why = "a force is not a finite number where the search went"
        return MethodError(Problem("no equilibrium was found", where=system.name, why=why, cure="check the laws"))
    far = float(np.abs(here.q).max(initial=0.0))
    v, unit, force, what = np.zeros(system.n), "N", 0.0, ""
    if far < NO_DIGITS:
        v, unit = unit_motion(system, here.q, here.velocity(here.r))
        force = float(system.at(here.q, None, t).Q @ v)
        what = describe_motion(system, here.q, v)
    if far >= NO_DIGITS or (not np.isfinite(here.K).all() and system.rank < 1):
        why = f"at coordinates of {far:.3g} rounding hides how the forces change from place to place"
        cure = "start nearer to the origin"
    elif not np.isfinite(here.K).all():
        why = describe_singularity(system, here.q, None)
        cure = "start elsewhere; a position where the constraints lose rank cannot be passed here"
    else:
        gone = "for ever" if found.distance > FARTHEST else f"{found.distance:.3g} sizes of the mechanism, and on"
        why = f"{what}: {gone}, driven by {abs(force):.4g} {unit} that nothing balances"
        cure = "hold it with a spring or a joint, or remove the force"
        if seek == "nearest":
            why = f"the search stopped where {abs(force):.4g} {unit} are left: {what}"
            cure = "start nearer, or seek='stable'"
    if system.resolved.stops:
        cure = "stops are ignored here: simulate, and it comes to rest on them; or " + cure
    return MethodError(Problem("no equilibrium was found", where=system.name, why=why, cure=cure))


def _angles(system: System, q: np.ndarray) -> dict[str, float]:
    """Angles of the bodies of the plane here, with whole turns where springs or the user count them."""
    resolved, exploded = system.resolved, system.equations.exploded
    if resolved.dimension == 3:
        return dict(system.starts)
    here, out = system.posture(q), {}

    def angle(body: str) -> float:
        if body not in resolved.bodies:
            return 0.0
        own = exploded.own_x_axis(body)
        return float(heading(here.vector(exploded.heading(body))[0])[0][0]) + float(np.arctan2(own[1], own[0]))

    for body, before in system.starts.items():
        value = angle(body)
        out[body] = value + turns_towards(value, before)
    for f, turn in zip(system.equations.wound, system.arrays.wound.tolist(), strict=True):
        i, j = next(force.bodies for force in resolved.forces if force.name == f.name)
        if j not in resolved.bodies:
            out[i] = angle(i) + turns_towards(angle(i), -turn)
            continue
        base = out.get(i, angle(i))
        out[j] = angle(j) + turns_towards(angle(j), base + turn)
        if i in resolved.bodies:
            out.setdefault(i, base)
    return out
