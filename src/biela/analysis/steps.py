"""What the steps of a run have to tell: those that were halved, and the equation at which a corrector failed."""

from __future__ import annotations

from math import isfinite

from ..results.result import Result

OFTEN = 0.1
"""share of the steps with errors of rounding beyond which a run says so"""


def worst_equation(result: Result) -> str:
    """Which equation a corrector left off most, by the names of the model, and with which step it was tried last."""
    system, tr, i = result.system, result.trajectory, result.settings.integrator
    at, off = tr.worst
    if i.direct and at >= system.n:
        row = system.lowered.rows[at - system.n]
        what, unit = f"the constraint {row.name!r} of {row.owner!r}", ""
    elif i.direct or i.stages:
        what = f"the equation of motion of {system.v_names[at]!r}"
        angular = bool(system.lowered.angular[at])
        unit = (" N m" if angular else " N") if i.direct else (" rad/s^2" if angular else " m/s^2")
    else:
        what, unit = f"the coordinate {system.q_names[at]!r}", ""
    text = f": {what} " + (f"is off by {off:.3g}{unit}" if isfinite(off) else "is not finite any more")
    if tr.step and tr.parts:
        text += f", with steps down to h/{tr.parts} = {tr.step / tr.parts:.3g} s"
    return text


def step_notes(result: Result) -> list[str]:
    """Notes about steps taken in parts, and about errors that rounding hides."""
    tr, notes = result.trajectory, []
    halved = tr.halved - (not result.ok and tr.halved > 0)
    if halved > 0:
        notes.append(f"note: {halved} step(s) did not converge and were taken in up to {tr.parts} parts")
    if tr.blurred and result.settings.integrator.name in ("dopri5", "dopri8") and not result.settings.criterion:
        notes.append(
            f"note: beside a singular position {tr.blurred} step{'s' * (tr.blurred > 1)} had errors of rounding, "
            "above the tolerance but below 1e-6 of the motion"
        )
    elif tr.blurred > OFTEN * max(tr.steps, 1):
        share = 100 * tr.blurred / max(tr.steps, 1)
        notes.append(
            f"note: at {min(share, 100):.0f} % of the steps the tolerance asks for less than rounding leaves; "
            "the accuracy is that of rounding there. A method of higher order needs fewer steps"
        )
    return notes
