"""What is to be said of a run: why it stopped, what was redundant or changed, whether its steps can be trusted."""

from __future__ import annotations

from math import isfinite, log, log10

import numpy as np

from ...errors import so_many
from ...machine.kept_code import notes as notes_on_machine_code
from ...methods.status import Status
from ...results.quality.driver_jumps import notes_on_jumps
from ...results.quality.unseen import LOOKS, opaque_forces
from ...results.quality.verdict import least_energy
from ...results.result import Result
from ...system.system import System
from ..check.mobility import Mobility, nearly_redundant, scaled_jacobian
from ..check.singularity import describe_singularity
from .law_ends import law_that_ends

LOST, LEFT = 1e-3, 1e-4
"""share of the energy, and of the size, from which on an error-controlled run is doubtful"""
FINE = 1e-5
"""the like for methods of high order with fixed steps, beside singular positions"""
SINGULAR = log(1e3)
"""fall of the determinant, as a logarithm, that means a singular position"""
STIFF = 1e12
"""penalties against masses, from which on few digits of the motion are left"""
OFTEN = 0.1
"""share of the steps with errors of rounding beyond which a run says so"""


def add_notes(result: Result, freedom: Mobility) -> None:
    """Why a run stopped, what was redundant, what was changed, and what its steps have to say."""
    tr, system = result.trajectory, result.system
    result.asked, system.workspace.asked = system.workspace.asked, {}
    result.message = _why_stopped(result)
    if freedom.singular:
        where = describe_singularity(system, system.q0, 0.0)
        result.notes.append(f"note: {where}; accelerations and reactions at the start are not determined by the "
                            "constraints")  # fmt: skip
    if freedom.redundant > 0:
        result.notes.append(
            f"note: {so_many(freedom.redundant, 'redundant constraint row')} among {', '.join(freedom.involved)}; "
            "multipliers are those of least norm"
        )
    if tr.handed_over is not None:
        before = result.settings.integrator.name
        result.notes.append(f"note: from t = {tr.handed_over:.6g} s on, radau5 took over: a fast decay, not the "
                            f"tolerance, had made the steps of {before} short")  # fmt: skip
    if result.settings.machine == "tape" and tr.machine != "tape":
        why = system.workspaces.codes.get(result.settings, "nothing was evaluated")
        result.notes.append(f"note: there is no machine code for this mechanism alone: {why}; the generic code ran")
    result.notes += [*_step_notes(result), *notes_on_jumps(system, 0.0, float(result.t[-1])), *notes_on_machine_code()]
    if freedom.doubtful:
        result.notes.append(f"note: {nearly_redundant(freedom.doubtful)}")
    here = system.workspace
    if here.calls:
        share = 100 * here.seconds / max(tr.wall, 1e-9)
        result.notes.append(f"note: Python functions were called {here.calls} times, {share:.0f} % of the time")
    if opaque := opaque_forces(result):
        names = ", ".join(repr(f.name) for f in opaque)
        looked = f"by a Python function, looked at every {result.duration / LOOKS:.2g} s"
        result.notes.append(f"note: {names}: {looked}; if it changes faster than that, give scale=")
    if result.settings.step and tr.step and abs(tr.step / result.settings.step - 1) > 1e-9:
        asked = result.settings.step
        result.notes.append(f"note: step {asked:g} s changed to {tr.step:.9g} s to end at {result.duration:g} s")


# ------------------------------------------------------------------------------------------------- why it stopped
def _why_stopped(result: Result) -> str:
    """Where a run has not finished: what happened, in the words of the model."""
    tr, system = result.trajectory, result.system
    if result.status == Status.singular:
        t, y, ydot = tr.last
        ahead, nq, n = (tr.stopped_at or t) - t, system.nq, system.n
        q = system.displaced(y[:nq], ahead * y[nq : nq + n] + 0.5 * ahead**2 * ydot[nq : nq + n])
        return describe_singularity(system, q, tr.stopped_at)
    if result.status == Status.user_function:
        return str(system.workspace.error)
    if result.status == Status.finished or result.message:
        return result.message
    failed = _worst_equation(result) if result.status == Status.iteration else ""
    result.ended_law = law_that_ends(result)
    what = result.ended_law or result.too_long or f"{result.status.sentence}{failed}{_beside_a_singularity(result)}"
    return f"{what}; all that was computed up to t = {float(result.t[-1]):.6g} s is kept"


def _beside_a_singularity(result: Result) -> str:
    """Where a run stops because drivers ask for more than the mechanism can reach, that is what must be said."""
    system, (t, y, _) = result.system, result.trajectory.last
    q = y[: system.nq]
    drivers = [repr(r.name) for r in system.equations.rows if r.role == "driver"]
    if not drivers or not np.isfinite(q).all() or system.rank < 1 or system.is_large:
        return ""
    s = np.linalg.svd(scaled_jacobian(system, q, t), compute_uv=False)
    if s[system.rank - 1] > 0.02:
        return ""
    what = describe_singularity(system, q, t)
    return f". {what}. Driver {' and '.join(drivers)} may ask for more than the mechanism can reach from here"


def _worst_equation(result: Result) -> str:
    """Which equation a corrector left off most, by the names of the model, and with which step it was tried last."""
    system, tr, i = result.system, result.trajectory, result.settings.integrator
    at, off = tr.worst
    if i.direct and at >= system.n:
        row = system.equations.rows[at - system.n]
        what, unit = f"the constraint {row.name!r} of {row.owner!r}", ""
    elif i.direct or i.stages:
        what = f"the equation of motion of {system.v_names[at]!r}"
        angular = bool(system.equations.angular[at])
        unit = (" N m" if angular else " N") if i.direct else (" rad/s^2" if angular else " m/s^2")
    else:
        what, unit = f"the coordinate {system.q_names[at]!r}", ""
    text = f": {what} " + (f"is off by {off:.3g}{unit}" if isfinite(off) else "is no longer finite")
    if tr.step and tr.parts:
        text += f", with steps down to h/{tr.parts} = {tr.step / tr.parts:.3g} s"
    return text


# ------------------------------------------------------------------------------------------------------- its steps
def _doubts(result: Result) -> list[str]:
    """Where a run has finished, and its own measures say that it is not to be trusted."""
    tr, settings, notes = result.trajectory, result.settings, []
    if not result.finished:
        return notes
    scale = max(tr.seen.energy, least_energy(result))
    if scale == 0.0:
        return notes
    if not (settings.adaptive or settings.integrator.scipy):
        passed = tr.seen.weakened > SINGULAR
        if passed and tr.energy_error > (FINE if settings.integrator.order > 4 else LOST) * scale:
            notes.append(
                f"note: the energy is off by {100 * tr.energy_error / scale:.2g} %, and the "
                "mechanism passed close to a singular position, where other branches begin: compare with another "
                "step, formulation='augmented', or let the error be controlled (integrator='dopri8')"
            )
        elif not result.ok:
            notes.append(f"note: {result.verdict.reason}: do not trust this motion. Try {result.verdict.cure}")
        return notes
    if tr.energy_error > scale * max(LOST, 1e4 * (settings.tolerance or 0.0)):
        notes.append(
            f"note: the energy is off by {100 * tr.energy_error / scale:.2g} %, far more than the tolerance asks for: "
            "do not trust this motion. Does it stay near a singular position? coordinates='relative', or a "
            "fixed step, may do better"
        )
    if tr.violation > LEFT * result.system.size:
        notes.append(
            f"note: the constraints are violated by {tr.violation:.2g}: do not trust this motion. integrator='dopri8' "
            "or 'dopri5' returns to them after each step"
        )
    return notes


def _too_stiff(result: Result) -> list[str]:
    """A penalty factor of the user that leaves no digits of the masses."""
    s, alpha = result.system.arrays, result.settings.alpha
    if alpha is None or not result.settings.formulation.penalised or not result.system.m:
        return []
    ratio = alpha * float((s.J**2).sum()) / result.system.m / float(s.par.mass_scale)
    if ratio < STIFF:
        return []
    return [
        f"note: alpha = {alpha:g} makes the constraints {ratio:.0e} times as stiff as the masses are heavy: of their "
        f"motion {max(0, int(15.5 - log10(ratio)))} digits are left. A smaller alpha, or none, is more exact"
    ]


def _law_owner(system: System, law: int) -> str:
    """Whose law it is, by the names of the model."""
    for force in system.equations.forces:
        if force.law_index == law:
            return f"force {force.name!r}"
    drivers = zip(system.arrays.drv_row, system.arrays.drv_law, strict=True)
    return next((f"driver {system.equations.rows[row].name!r}" for row, k in drivers if k == law), "a law")


def _held_by_friction(result: Result) -> list[str]:
    """A law that switches to and fro at once, as sign(v) of dry friction does at rest."""
    seen, system = result.trajectory.seen, result.system
    if not 0 < seen.holding < len(system.arrays.switch_law):
        return []
    owner = _law_owner(system, int(system.arrays.switch_law[seen.holding]))
    if result.settings.adaptive or result.settings.integrator.scipy:
        how = (
            "it goes from one side to the other over a narrow band, and creeps by at most a millionth of the size; "
            "meanwhile the channel of its force shows one of the sides"
        )
    else:
        how = "with fixed steps it jumps back and forth: leave step and integrator out, and it will come to rest"
    return [f"note: at t = {seen.held_at:.6g} s the law of {owner} holds the mechanism between its two sides; {how}"]


def _step_notes(result: Result) -> list[str]:
    """Notes about steps taken in parts, and about errors that rounding hides."""
    tr, notes = result.trajectory, _doubts(result) + _too_stiff(result) + _held_by_friction(result)
    halved = tr.halved - (not result.finished and tr.halved > 0)
    if halved > 0:
        notes.append(f"note: {so_many(halved, 'step')} did not converge, taken in up to {tr.parts} parts")
    if tr.blurred and result.settings.integrator.name in ("dopri5", "dopri8") and not result.settings.criterion:
        notes.append(
            f"note: near a singular position {tr.blurred} step{'s' * (tr.blurred > 1)} had errors of rounding, "
            "above the tolerance but below 1e-7 of the motion"
        )
    elif tr.blurred > OFTEN * max(tr.steps, 1):
        share = 100 * tr.blurred / max(tr.steps, 1)
        notes.append(
            f"note: at {min(share, 100):.0f} % of the steps the tolerance is below the rounding error, which "
            "limits the accuracy there. A method of higher order needs fewer steps"
        )
    return notes
