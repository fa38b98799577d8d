"""The verdict on a run: good, doubtful or bad, with its reason, its cure, and the error it stands for.

Several things speak for or against a run, each as a share of what it should be small beside: the balance of energy, at
steps and at samples; the constraints and their rates; what the equations at the samples ask for and the steps did not
see; for fixed steps, parts of the run taken again with finer ones; for `penalty`, how far its multipliers pull the
joints apart; and, as errors grow on the way, the whole run with another accuracy. The largest is the error that the
verdict states. Where nothing checks the accuracy, no run is called good.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite, log
from typing import TYPE_CHECKING

import numpy as np

from ...methods.control.law_switches import NO_SPEED
from ...methods.control.sticking import CREEP
from .driver_jumps import driver_jumps
from .finer import accelerations_off
from .growth import growth
from .unseen import unseen

if TYPE_CHECKING:
    from ..result import Result

GOOD, DOUBTFUL, BAD = "good", "doubtful", "bad"
GRADES = (GOOD, DOUBTFUL, BAD)
ENERGY, LOST = 1e-5, 1e-2
"""share of the energy exchanged up to which an error is good, and beyond which the energy is lost"""
VIOLATION = 1e-6, 1e-3
"""the like for the constraints, beside the size and the speed of the mechanism"""
PENALTY = 1e-4, 1e-1
"""the like for joints that give way: by which share of itself the motion is off"""
STEPS = 1e-4, 1e-1
"""the like for the motion itself: errors of fixed steps, motion that no step saw"""
ACCELERATIONS = 1e-3
"""share of the largest acceleration up to which those of an index-3 method are good"""
SINGULAR = log(1e3)
"""fall of the determinant, as a logarithm, that means a singular position"""
NEGLIGIBLE = 1e-6
"""of the size: so short a way counts as nothing, and so does what forces do over it, or a motion that takes the whole
run for it"""
AT_ONCE = 0.05
"""of the run: an error that is noticeable before has not grown, it was there"""
ROUNDING = 1e-12
"""of all energies: below, an error is rounding"""


@dataclass(frozen=True)
class Evidence:
    """One thing that was checked."""

    name: str
    """energy, constraints, rates, missed, unseen, steps, hidden, untold, jumps, creep, accelerations, penalty,
    singular, tolerance, growth"""
    share: float
    """of what it should be small beside"""
    grade: str
    reason: str
    cure: str = ""


@dataclass(frozen=True)
class Verdict:
    """What a run says of itself.

    >>> import biela
    >>> v = biela.simulate("simple-pendulum", 1.0).verdict
    >>> v.grade, v.cure, v.error < 1e-5
    ('good', '', True)
    """

    grade: str
    """good, doubtful or bad"""
    reason: str
    cure: str
    """what to try; nothing where it is good"""
    error: float
    """by which share the motion may be off, as far as is known: the largest of all the evidence"""
    evidence: tuple[Evidence, ...] = ()

    def __str__(self) -> str:
        return f"{self.grade}: {self.reason}" + (f"; try: {self.cure}" if self.cure else "")

    def data(self) -> dict[str, object]:
        """For other programs."""
        shares = {e.name: e.share for e in self.evidence}
        return {"grade": self.grade, "reason": self.reason, "cure": self.cure, "error": self.error, "evidence": shares}


def graded(share: float, good: float, bad: float) -> str:
    """The grade of a number that should be small.

    >>> graded(1e-9, 1e-6, 1e-3), graded(1e-5, 1e-6, 1e-3), graded(float("nan"), 1e-6, 1e-3)
    ('good', 'doubtful', 'bad')
    """
    return GOOD if share <= good else DOUBTFUL if share <= bad else BAD


def least_speed(r: Result) -> float:
    """A speed that counts as rest: a millionth of the size (or of a radian) in the time of the run."""
    return NEGLIGIBLE * min(r.system.size, 1.0) / r.duration if r.duration > 0 else 0.0


def least_energy(r: Result) -> float:
    """An energy that counts as none: what the forces do over a millionth of the size, or the kinetic energy that the
    mechanism had if its fastest part moved with `least_speed`."""
    speed, least = float(np.abs(r.v).max(initial=0.0)), least_speed(r)
    kinetic = float(np.asarray(r["energy.kinetic"]).max(initial=0.0))
    at_rest = kinetic * min(least / speed, 1e100) ** 2 if 0.0 < speed < least else 0.0
    return max(NEGLIGIBLE * r.system.size * max(r.trajectory.seen.force, _largest_force(r)), at_rest)


def _largest_force(r: Result) -> float:
    """Of all laws, each by itself, at the samples: at rest they balance one another, and their sum says nothing."""
    most = 0.0
    for force in r.system.equations.forces:
        for name in r.channels(f"{force.name}.*"):
            unit = r.unit(name)
            if unit in ("N", "N*m"):
                largest = float(np.nan_to_num(np.abs(np.asarray(r[name]))).max(initial=0.0))
                most = max(most, largest if unit == "N" else largest / r.system.size)
    return most


def energy_measure(r: Result) -> float:
    """What an energy error is compared with: the energy exchanged, at the samples or at any step between them, or one
    that counts as none, where next to nothing moves."""
    seen = r.trajectory.seen.energy
    return max(r.energy_scale, seen if isfinite(seen) else 0.0, least_energy(r))


def lost_energy(r: Result) -> bool:
    """Whether more than 1 % of the energy exchanged is missing, or has come from nowhere, and the method was not asked
    to damp."""
    i, error = r.settings.integrator, r.trajectory.energy_error
    if i.dissipates or r.settings.rho < 1.0 or error <= LOST * r.trajectory.seen.energy:
        return False
    return error > LOST * energy_measure(r) and error > _rounding(r)


def _rounding(r: Result) -> float:
    all_of_it = np.abs(r["energy.kinetic"]) + np.abs(r["energy.potential"]) + np.abs(r.work)
    return ROUNDING * float(np.asarray(all_of_it).max(initial=0.0))


def verdict(r: Result) -> Verdict:
    """Weigh all the evidence that there is."""
    found = [evidence for check in CHECKS for evidence in check(r)]
    stopped = "" if r.finished else f"it stopped at t = {r.trajectory.stopped_at:.6g} s"
    return weighed(found, stopped, "" if r.finished else r.cure)


def weighed(found: list[Evidence], stopped: str = "", cure: str = "") -> Verdict:
    """The verdict that the worst of all the evidence gives; a run that stopped early is no better than doubtful."""
    error = max((e.share for e in found), default=0.0)
    worst = max(found, key=lambda e: (GRADES.index(e.grade), e.share if e.share == e.share else np.inf))
    if stopped and worst.grade != BAD:
        return Verdict(DOUBTFUL, f"{stopped}; up to there {worst.reason}", cure, error, tuple(found))
    return Verdict(worst.grade, worst.reason, worst.cure if worst.grade != GOOD else "", error, tuple(found))


def _energy(r: Result) -> list[Evidence]:
    """The energy balance, beside the energy exchanged; of a method that damps it says less."""
    tr, scale = r.trajectory, energy_measure(r)
    off = max(tr.energy_error, abs(tr.seen.missed_work))
    i = r.settings.integrator
    if off > _rounding(r) and (i.dissipates or r.settings.rho < 1.0):
        share = off / scale if scale > 0 else float("inf")
        grade = graded(share, ENERGY, LOST)
        damps = f"{i.name} damps" if i.dissipates else f"{i.name} damps with rho = {r.settings.rho:g}"
        reason = f"the energy is off by {percent(share)}; part of this is intended: {damps}"
        cure = "a smaller step or tolerance tells which part is error"
        return [Evidence("energy", share, DOUBTFUL if grade == BAD else grade, reason, cure)]
    return [energy_evidence(off, _rounding(r), scale, "the energy exchanged", _finer(r))]


def energy_evidence(off: float, rounding: float, scale: float, what: str, cure: str) -> Evidence:
    """An error of the energy balance beside the energy that it should be small beside, J."""
    if off <= rounding:
        return Evidence("energy", off / scale if scale > 0 else 0.0, GOOD, "the energy is balanced to rounding")
    share = off / scale if scale > 0 else float("inf")
    grade = graded(share, ENERGY, LOST)
    reason = f"{percent(share)} of {what}, {scale:.3g} J, is {'lost or gained' if grade == BAD else 'off'}"
    return Evidence("energy", share, grade, reason, cure)


def percent(share: float) -> str:
    """ "67 %", "0.02 %", or as a power of ten."""
    return f"{100 * share:.2g} %" if 1e-4 <= share < 1e4 else f"{share:.1e}"


def _finer(r: Result) -> str:
    """How this run is made more exact."""
    s, tr = r.settings, r.trajectory
    if s.adaptive or s.integrator.scipy:
        tolerance = 1e-8 if s.tolerance is None else s.tolerance
        if tolerance > 1e-11:
            return f"tolerance={max(tolerance / 100, 1e-12):.0e}"
        return "other coordinates or another formulation, to compare with"
    step = f"step={tr.step / 4:.2g}, " if tr.step else ""
    return f"{step}or leave step and integrator out, so that the error is controlled"


def _constraints(r: Result) -> list[Evidence]:
    """How far the joints are apart, and how fast they come apart, beside the size and the speed of the mechanism."""
    if not r.system.m:
        return []
    tr, size = r.trajectory, r.system.size
    speed = max(float(np.abs(r.v).max(initial=0.0)), least_speed(r))
    out = []
    cure = "project_every=1" if not r.settings.integrator.direct else _finer(r)
    for name, what, value, scale in (
        ("constraints", "|Phi|", tr.violation, max(size, size * size)),
        ("rates", "|Phi'|", tr.rate_violation, max(size, 1.0) * speed),
    ):
        share = value / scale if scale > 0 else 0.0
        reason = f"the joints are apart by {what} = {value:.1e}, {share:.0e} of the mechanism's"
        reason += " size" if name == "constraints" else " speed"
        out.append(Evidence(name, share, graded(share, *VIOLATION), reason, cure))
    return out


def _missed(r: Result) -> list[Evidence]:
    """What the equations at the samples ask for, and the steps between which they lie did not see."""
    seen, tolerance = r.trajectory.seen, r.settings.tolerance or 1e-8
    if not seen.missed_speed:  # (where a law holds the mechanism samples are ends of steps: nothing is noted there)
        return []
    speed = max(float(np.abs(r.v).max(initial=0.0)), least_speed(r))
    share = seen.missed_most / speed if speed > 0 else float("inf")
    grade = graded(share, max(STEPS[0], 100 * tolerance), STEPS[1])
    reason = (
        f"at t = {seen.missed_at:.6g} s the forces are not those that the steps before and after it saw: velocities of "
        f"{seen.missed_most:.2g} are missing. A law may change within less than a step"
    )
    return [Evidence("missed", share, grade, reason, "step= a fraction of the shortest change in any law")]


def _unseen(r: Result) -> list[Evidence]:
    """What Python functions do between the instants at which the steps asked them, as a share of the momentum."""
    found = unseen(r)
    if found is None:
        return []
    speed = max(float((np.abs(r.v) / r.system.unit).max(initial=0.0)) * r.system.size, least_speed(r))
    mass = sum(float(body.mass) for body in r.system.resolved.bodies.values())
    share = found.impulse / (mass * speed) if mass * speed > 0.0 else float("inf")
    reason = f"the Python function of {found.name!r} changes faster than the steps resolve, as at t = {found.at:.6g} s"
    cure = f"scale= of {found.name!r}: the shortest change in it"
    return [Evidence("unseen", share, graded(share, *STEPS), reason, cure)]


def _penalty(r: Result) -> list[Evidence]:
    """The multipliers of the penalty method are springs: alpha omega^2 |Phi| at rest, alpha |Phi''| while it moves.
    Joints give way by lam/(alpha omega^2), and accelerations across them are off by lam/alpha.   000 (106)"""
    s, tr = r.settings, r.trajectory
    if s.formulation.name != "penalty" or not r.lam.size:
        return []
    pull = float(np.abs(r.lam).max(initial=0.0)) / tr.alpha
    omega = s.omega
    size = max(r.system.size, r.system.size**2)
    accelerations = max(float(np.abs(r.a).max(initial=0.0)) * max(r.system.size, 1.0), 1e-300)
    share = pull / accelerations
    way = pull / omega**2 / size if omega else share
    # What is off by a share of itself puts a motion out of step: by that share for each radian of it. The energy that
    # the joints take as they give way does so, too.
    scale = energy_measure(r)
    error = max(max(share, tr.energy_error / scale if scale > 0 else 0.0) * _radians(r), way)
    reason = (
        f"penalty lets the joints give way: multipliers up to {tr.alpha * pull:.3g} leave |Phi| = {way * size:.1e} and "
        f"change accelerations by {share:.0e} of the largest, the motion by about {error:.0e}"
    )
    cure = "formulation='augmented', or a larger alpha"
    return [Evidence("penalty", error, graded(error, *PENALTY), reason, cure)]


def _radians(r: Result) -> float:
    """How far a run goes, in sizes of the mechanism or radians; at least one."""
    speed = (np.abs(r.v) / r.system.unit).max(axis=1, initial=0.0)
    way = float(np.sum(0.5 * (speed[1:] + speed[:-1]) * np.diff(np.asarray(r.t))))
    return max(1.0, way) if isfinite(way) else float("inf")


def _steps(r: Result) -> list[Evidence]:
    """Fixed steps: nothing in the run itself tells their error, so parts of it are taken again, finer."""
    if r.settings.adaptive or r.settings.integrator.scipy:
        return []
    share = r.finer_difference
    if share is None or not isfinite(share):
        reason = "nothing checks the accuracy of fixed steps here"
        cure = f"{_finer(r)}; or compare with half the step"
        return [Evidence("steps", 0.0, DOUBTFUL, reason, cure)]
    reason = f"the steps add up to an error of {share:.0e} of the motion, by parts repeated with finer steps"
    return [Evidence("steps", share, graded(share, *STEPS), reason, _finer(r))]


def _hidden(r: Result) -> list[Evidence]:
    """Fixed steps are as long as the user says, also where a law does more within one than its ends show."""
    seen, steps, out = r.trajectory.seen, max(1, r.trajectory.steps), []
    if seen.hidden:
        reason = f"at {seen.hidden} of {steps} steps a law changes faster than the step can resolve"
        out.append(Evidence("hidden", 0.0, DOUBTFUL, reason, _finer(r)))
    if seen.untold:
        reason = f"at {seen.untold} of {steps} steps it is not known whether a stop or a lock was met for a moment"
        cure = "a simpler formula of the stop or of the lock's condition"
        out.append(Evidence("untold", 0.0, DOUBTFUL, reason, cure))
    return out


def _jumps(r: Result) -> list[Evidence]:
    """Drivers that ask for what nothing can follow: a place at once, or a velocity at once. No integral of the work
    sees such a blow, and so it is the reason if energy is missing."""
    out, (energy,) = [], _energy(r)
    for jump in driver_jumps(r.system, 0.0, float(r.t[-1])):
        cure = "a law that takes its time: step(t, ...), or a cubic table"
        reason = f"the law of driver {jump.driver!r} " + jump.what
        grade = BAD if jump.place or energy.grade == BAD else DOUBTFUL
        out.append(Evidence("jumps", energy.share, grade, reason, cure))
    return out


def _creep(r: Result) -> list[Evidence]:
    """A mechanism that a law holds by a narrow band creeps: by so much of its size in the whole run, or more where the
    rounding of its speeds is more."""
    seen = r.trajectory.seen
    if not seen.holding or not r.settings.adaptive:
        return []
    fastest = float(np.abs(r.v).max(initial=0.0))
    share = max(CREEP, NO_SPEED * fastest * (r.duration - seen.held_at) / min(r.system.size, 1.0))
    reason = f"where a law holds it between two sides it may creep by {share:.0e} of its size"
    return [Evidence("creep", share, graded(share, *STEPS), reason, "a shorter duration")]


def _accelerations(r: Result) -> list[Evidence]:
    """Across the constraints, methods of index 3 differentiate positions, and a penalty is a stiff spring that
    trembles: accelerations and multipliers may be off where positions and velocities are right.   [D.20]"""
    soft = r.settings.formulation.name == "penalty"
    if not (r.settings.integrator.direct or soft) or not r.system.m:
        return []
    share = accelerations_off(r)
    if share is None:
        return []
    reason = f"accelerations and reactions are off by {percent(share)} of the largest acceleration"
    cure = "formulation='augmented'" if soft else "integrator='ali3' or 'generalized-alpha-2', or rho=0.9"
    cure += ", for reactions; positions and velocities hold"
    return [Evidence("accelerations", share, GOOD if share <= ACCELERATIONS else DOUBTFUL, reason, cure)]


def _singular(r: Result) -> list[Evidence]:
    """Beside a singular position other branches begin, and the energy does not tell which one was taken."""
    tr, i = r.trajectory, r.settings.integrator
    if tr.seen.weakened <= SINGULAR or (i.adaptive and not i.scipy):
        return []
    reason = "it passed close to a singular position, where other branches of the motion begin"
    return [Evidence("singular", 0.0, DOUBTFUL, reason, "integrator='dopri8', to compare with")]


def _tolerance(r: Result) -> list[Evidence]:
    """Error-controlled steps keep to their tolerance, unless rounding is more than that."""
    s, tr = r.settings, r.trajectory
    if not (s.adaptive or s.integrator.scipy):
        return []
    tolerance = 1e-8 if s.tolerance is None else s.tolerance
    reason, steps = f"the steps keep to the tolerance of {tolerance:.0e}", max(1, tr.steps)
    if tr.blurred > 0.5 * max(tr.steps, 1):
        why = "most steps have errors of rounding, above the tolerance"
        return [Evidence("tolerance", tolerance * steps, DOUBTFUL, why, "a larger tolerance, or other coordinates")]
    return [Evidence("tolerance", tolerance * steps, GOOD, reason)]


def _growth(r: Result) -> list[Evidence]:
    """Errors that grow on the way, as in a chaotic motion or where a wall is met at a graze."""
    found = growth(r)
    if found is None:
        return []
    tolerance = (r.settings.tolerance or 1e-8) if r.settings.adaptive or r.settings.integrator.scipy else 0.0
    grade = GOOD if found.share <= max(STEPS[0], 100 * tolerance) else DOUBTFUL
    since = "" if found.since is None else f", by more than 0.1 % from t = {found.since:.6g} s on"
    reason = f"by {found.by} the motion is off by {percent(found.share)}{since}"
    if found.since is not None and found.since > AT_ONCE * r.duration:
        reason = f"errors grow on the way: {reason}"
    cure = f"{_finer(r)}; or a shorter duration" if found.since is not None else _finer(r)
    return [Evidence("growth", found.share, grade, reason, cure)]


CHECKS: tuple[Callable[..., list[Evidence]], ...] = (
    _jumps, _energy, _constraints, _missed, _unseen, _penalty, _steps, _hidden, _creep, _accelerations, _singular,
    _tolerance, _growth,
)  # fmt: skip
"""what speaks for or against a run: what each found, how large it is, and what to try; a new check is a line here"""
