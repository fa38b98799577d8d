"""What the steps of a run have to tell: those that were halved, and the equation at which a corrector failed."""

from __future__ import annotations

from math import isfinite, log, log10

from ...errors import so_many
from ...results.quality.verdict import least_energy
from ...results.result import Result
from ...system.system import System

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


def worst_equation(result: Result) -> str:
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


def doubts(result: Result) -> list[str]:
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


def too_stiff(result: Result) -> list[str]:
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


def law_owner(system: System, law: int) -> str:
    """Whose law it is, by the names of the model."""
    for force in system.equations.forces:
        if force.law_index == law:
            return f"force {force.name!r}"
    drivers = zip(system.arrays.drv_row, system.arrays.drv_law, strict=True)
    return next((f"driver {system.equations.rows[row].name!r}" for row, k in drivers if k == law), "a law")


def held(result: Result) -> list[str]:
    """A law that switches to and fro at once, as sign(v) of dry friction does at rest."""
    seen, system = result.trajectory.seen, result.system
    if not 0 < seen.holding < len(system.arrays.switch_law):
        return []
    owner = law_owner(system, int(system.arrays.switch_law[seen.holding]))
    if result.settings.adaptive or result.settings.integrator.scipy:
        how = (
            "it goes from one side to the other over a narrow band, and creeps by at most a millionth of the size; "
            "meanwhile the channel of its force shows one of the sides"
        )
    else:
        how = "with fixed steps it jumps back and forth: leave step and integrator out, and it will come to rest"
    return [f"note: at t = {seen.held_at:.6g} s the law of {owner} holds the mechanism between its two sides; {how}"]


def step_notes(result: Result) -> list[str]:
    """Notes about steps taken in parts, and about errors that rounding hides."""
    tr, notes = result.trajectory, doubts(result) + too_stiff(result) + held(result)
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
