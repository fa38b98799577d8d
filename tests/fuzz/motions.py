"""A mechanism's motion by all methods: sets of coordinates, formulations and integrators against one another."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import biela
from biela import BielaError, Model
from biela.analysis.check.mobility import scaled_jacobian
from biela.analysis.check.movability import checked_mobility
from biela.analysis.compare.methods import MethodSpec, all_method_specs, method_spec
from biela.methods.registry import FORMULATIONS, INTEGRATORS
from biela.methods.status import Status
from biela.results.result import Result
from biela.system.system import COORDINATES, System
from fuzz import bounds
from fuzz.bounds import COARSE, MARGIN, ROUNDING, Track, Yardstick
from fuzz.case import Case
from fuzz.finding import Finding, Tally
from fuzz.forces import compare_forces
from fuzz.outputs import Outputs
from fuzz.starts import compare_starts, one_factor_fits
from fuzz.verdicts import judge
from spatial.states import size

TRUTHS = ("natural:lagrange+dopri8", "relative:augmented+dop853")
TIGHT = 1e-11
SAMPLES = 6
"""enough for a verdict on fixed steps, whose numbers are multiples of it: so all samples can be compared"""
BALANCED = 1e-6
"""of the energy exchanged: what the balance of a tight run may be off by, at its samples"""
WAYS = 24
"""of all ways there are, so many for each mechanism"""
WITH_OUTPUTS = 2
"""of these, so many whose reactions and energies are looked at"""
KNOBBED = 0.25
"""share of the ways that are drawn with an option of their method: rho, dissipation, project_every, xi, omega"""
VARIABLE = 0.15
"""share of the one-step methods that are run with variable steps too"""
REGULAR = 1e-3
"""least singular value of the scaled Jacobian, below which a position counts as singular"""


def examine(case: Case, tally: Tally) -> list[Finding]:
    """Everything that can be compared about one mechanism."""
    model, duration = case.build(), float(case.more["duration"])
    systems, out = assembled(model, tally)
    if not systems or out:
        return out
    first = next(iter(systems.values()))
    try:
        if not all([is_regular(s) for s in systems.values()]):
            tally.add("singular")
            return out
        yard = Yardstick(first, duration)
        out += compare_starts(systems, yard, tally, case.more.get("omega"))
        if not out:
            out += compare_forces(systems, tally)
        if not out:
            out += Motions(case, systems, yard, duration, tally).examine()
    except BielaError as error:
        tally.refused(error)
    return out


def assembled(model: Model, tally: Tally) -> tuple[dict[str, System], list[Finding]]:
    """The mechanism in every set of coordinates. What one set takes, all must take."""
    systems: dict[str, System] = {}
    refused: dict[str, str] = {}
    for name in COORDINATES:
        try:
            systems[name] = biela.assemble(model, name)
        except BielaError as error:
            refused[name] = str(error)
            tally.refused(error)
    if systems and refused:
        name, text = next(iter(refused.items()))
        text = f"{', '.join(systems)} take it, but {name}: {text}"
        return systems, [Finding(f"assembly: refused in {name} only", text)]
    return systems, []


def done(result: Result) -> bool:
    """Whether it came to its end. (How well is for its verdict to say.)"""
    return result.status == Status.finished


def patience(seconds: float = 1.0) -> Callable[[float, int], None]:
    """Interrupts a run that takes longer: SciPy's integrators, called from Python, can take minutes. What is compiled
    before its first steps does not count."""
    until: list[float] = []

    def look(fraction: float, steps: int) -> None:
        until.append(time.process_time() + seconds)
        if time.process_time() > until[0]:
            raise KeyboardInterrupt

    return look


def is_regular(system: System) -> bool:
    """Whether the start is no singular position, nor near one. (Refuses structures, as `simulate` does.)"""
    found = checked_mobility(system)
    if found.singular or not system.m:
        return not found.singular
    s = np.linalg.svd(scaled_jacobian(system, system.q0), compute_uv=False)
    return bool(s[: found.rank].min(initial=1.0) > REGULAR)


def penalty_rounding(result: Result) -> float:
    """What rounding makes of accelerations beside a penalty factor, as a share: eps alpha |B|^2 / m."""
    system = result.system
    at = system.at(system.q0, system.v0)
    rows, masses = np.square(at.B).sum(axis=1), np.diag(at.M)
    heavy = float(masses[masses > 0].mean()) if (masses > 0).any() else 1.0
    return float(np.finfo(float).eps) * result.trajectory.alpha * float(rows.max(initial=0.0)) / heavy


class Motions:
    """Runs of one mechanism."""

    def __init__(self, case: Case, systems: dict[str, System], yard: Yardstick, duration: float, tally: Tally):
        self.case, self.systems, self.yard, self.duration, self.tally = case, systems, yard, duration, tally
        self.rng = case.rng()
        self.grows = self.unsure = 0.0
        self.looks = int(case.more.get("outputs", WITH_OUTPUTS))

    def run(self, w: MethodSpec, **options: Any) -> Result | None:
        """One run; None where it is refused."""
        system = self.systems[w.coordinates or "natural"]
        try:
            asked = {k: v for k, v in w.options(None).items() if k != "coordinates"}
            if "omega" in self.case.more and w.formulation and FORMULATIONS[w.formulation].stabilised:
                asked = {"omega": self.case.more["omega"], **asked}
            result = biela.simulate(system, self.duration, samples=SAMPLES, progress=patience(), **{**asked, **options})
        except BielaError as error:
            self.tally.refused(error)
            return None
        self.tally.add("runs")
        if result.status == Status.interrupted:
            self.tally.add("slow")
            self.tally.sentences[f"more than some seconds: {w.integrator}"] += 1
        elif not done(result):
            self.tally.add("stopped")
            self.tally.sentences[f"stopped: {result.status.sentence}"] += 1
        return result

    def examine(self) -> list[Finding]:
        ends: list[tuple[str, Track, int]] = []
        results: list[Result] = []
        out: list[Finding] = []
        for text in TRUTHS:
            result = self.run(method_spec(text), tolerance=TIGHT)
            if result is not None and done(result):
                ends.append((text, self.yard.track(result), result.trajectory.steps))
                results.append(result)
                off, scale = float(np.abs(result["energy.error"]).max()), result.energy_scale
                if off > BALANCED * scale + ROUNDING * float(np.abs(result["energy.potential"]).max()):
                    out.append(Finding("motion: energy of a tight run", f"{text}: off by {off:.3g} J of {scale:.3g} J"))
        if out or len(ends) < 2:
            return out  # near a singular position: nothing to hold the others against
        (name, truth, steps), (other, again, more) = ends
        self.yard.faster(truth)
        self.truth = truth
        self.grows = self.growth()
        if self.grows > bounds.CHAOS:
            self.tally.add("chaotic")
            return []
        off, most = self.yard.off(truth, again), (MARGIN * TIGHT * (steps + more) + ROUNDING) * (1 + self.grows)
        self.unsure = 2 * off
        if off > most:
            text = f"{name} and {other}, tolerance {TIGHT:g}, are {off:.3g} apart (allowed {most:.3g})"
            return [Finding("motion: tight runs disagree", text)]
        self.outputs = Outputs(results[0])
        out += self.outputs.compare(results[1], self.unsure, self.tally)
        for w, accuracy in self.ways():
            found = self.controlled(w, accuracy) if w.adaptive else self.fixed(w, int(accuracy))
            out += [replace(f, focus={"ways": [[w.name, self.accuracy]]}) for f in found]
        return out

    def growth(self) -> float:
        """How a tiny difference of the starting velocity grows."""
        w = method_spec(TRUTHS[0])
        system = self.systems[w.coordinates or "natural"]
        if system.n == system.rank:
            return 0.0
        kept = system.v0
        try:
            system.v0 = bounds.nudged(system, self.case.seed % 1000)
            result = self.run(w, tolerance=TIGHT)
            nudge = self.yard.sheet(system).look(system.q0, system.v0 - kept).xd / self.yard.unit / self.yard.speed
        finally:
            system.v0 = kept
        if result is None or not done(result):
            return bounds.CHAOS * 2
        return self.yard.off(self.yard.track(result), self.truth) / max(size(nudge), 1e-300)

    def ways(self) -> list[tuple[MethodSpec, float]]:
        """Some of all there are, with a tolerance or a number of steps (0: any); a case may name its own."""
        if "ways" in self.case.more:
            return [(method_spec(text), accuracy) for text, accuracy in self.case.more["ways"]]
        every = [
            w for w in all_method_specs(list(COORDINATES), list(FORMULATIONS), list(INTEGRATORS)) if not w.refused()
        ]
        # SciPy's, called from Python, take a hundred times as long as the others
        chance = np.array([0.1 if INTEGRATORS[w.integrator].scipy else 1.0 for w in every])
        picked = self.rng.choice(len(every), min(WAYS, len(every)), replace=False, p=chance / chance.sum())
        return [(self.knobbed(every[k]), 0.0) for k in picked]

    def knobbed(self, w: MethodSpec) -> MethodSpec:
        """Some with an option of their own; those that do not go with the method are refused, and it goes without."""
        i, f = INTEGRATORS[w.integrator], FORMULATIONS.get(w.formulation or "")
        if self.rng.random() > KNOBBED:
            return w
        knobs = {"project_every": float(self.rng.integers(1, 9))}
        if i.damped != (1.0, 1.0):
            knobs = {"rho": float(self.rng.uniform(*i.damped))}
        elif i.dissipates:
            knobs = {"dissipation": float(self.rng.uniform(0.0, 0.3))}
        elif f is not None and f.stabilised and self.rng.random() < 0.6:
            omega = float(self.rng.uniform(1.0, 20.0)) * self.case.more.get("omega", 10.0) / 10.0
            knobs = {"xi": float(self.rng.uniform(0.5, 1.5)), "omega": omega}
        other = MethodSpec(w.coordinates, w.formulation, w.integrator, tuple(knobs.items()))
        return w if other.refused() else other

    def controlled(self, w: MethodSpec, accuracy: float) -> list[Finding]:
        """By its tolerance, which is an error per step."""
        tolerance = accuracy or float(10.0 ** -self.rng.integers(5, 8 if INTEGRATORS[w.integrator].scipy else 11))
        self.accuracy = tolerance
        result = self.run(w, tolerance=tolerance)
        if result is None or result.status == Status.interrupted:
            return []
        if not done(result):
            return self.stopped(w, result)
        most = (MARGIN * tolerance * (result.trajectory.steps + 10) + ROUNDING) * (1 + self.grows)
        most += self.softness(w, result, tolerance=tolerance)
        return self.told(w, result, self.yard.track(result), most, f"tolerance {tolerance:g}")

    def softness(self, w: MethodSpec, result: Result, **options: Any) -> float:
        """What a penalty factor leaves: no more than a ten times larger one changes."""
        if w.formulation != "penalty" or result.system.m == 0:
            return 0.0
        firmer = self.run(w, alpha=10 * result.trajectory.alpha, **options)
        if firmer is None or not done(firmer):
            return COARSE
        return 2 * self.yard.off(self.yard.track(result), self.yard.track(firmer))

    def fixed(self, w: MethodSpec, steps: int) -> list[Finding]:
        """By halving its step: what is right converges, and is off by no more than the last halving moved it."""
        if not steps and INTEGRATORS[w.integrator].order > 1 and self.rng.random() < VARIABLE:
            return self.variable(w)
        self.accuracy = steps = steps or SAMPLES * int(self.rng.integers(7, 20))
        h = self.duration / steps
        coarse = self.run(w, step=h)
        if coarse is None:
            return []
        soft = w.formulation == "penalty" and coarse.system.m > 0
        more = {"alpha": 10 * coarse.trajectory.alpha} if soft else {}
        fine = self.run(w, step=h / 2, **more)
        if fine is None or not (done(coarse) and done(fine)):
            finer = self.run(w, step=h / 16) if fine is not None else None
            slow = finer is None or finer.status == Status.interrupted
            return self.stopped(w, finer) if finer is not None and not slow and not done(finer) else []
        track = self.yard.track(fine)
        moved = self.yard.off(self.yard.track(coarse), track)
        if not moved < COARSE:
            self.tally.add("coarse")
            return []
        most = 2 * moved + MARGIN * (ROUNDING + penalty_rounding(fine) * soft) * (1 + self.grows)
        if self.yard.off(track, self.truth) > most + self.unsure and self.converges(w, h / 2, track, more):
            most = np.inf  # its verdict is held to its word all the same
        return self.told(w, fine, track, most, f"{2 * steps} steps")

    def converges(self, w: MethodSpec, h: float, track: Track, more: dict[str, Any]) -> bool:
        """Whether a run that is farther off than its last halving says comes to the truth all the same: two errors of
        opposite signs make coarse steps seem too good. Of two more halvings each must be off by no more than it moved.
        What goes to another motion is not let off: it moves less and less, and stays where it is."""
        for finer in (h / 2, h / 4):
            result = self.run(w, step=finer, **more)
            if result is None or not done(result):
                return False
            before, track = track, self.yard.track(result)
            most = 2 * self.yard.off(before, track) + MARGIN * ROUNDING * (1 + self.grows)
            if self.yard.off(track, self.truth) > most + self.unsure:
                return False
        self.tally.add("halved again")
        return True

    def variable(self, w: MethodSpec) -> list[Finding]:
        """With steps of variable length: its tolerance is that of the whole run, and nothing but its verdict is held
        to it. (Methods of several steps refuse.)"""
        self.accuracy = 0
        most = 3 + INTEGRATORS[w.integrator].order  # methods of low order would take millions of steps
        result = self.run(w, adaptive=True, tolerance=float(10.0 ** -self.rng.integers(3, min(most, 8))))
        if result is None or not done(result):
            return []
        self.tally.add("compared")
        off = self.yard.off(self.yard.track(result), self.truth)
        return judge(w, result, off, self.grows, self.unsure, self.tally)

    def told(self, w: MethodSpec, result: Result, track: Track, most: float, how: str) -> list[Finding]:
        self.tally.add("compared")
        off, most = self.yard.off(track, self.truth), most + self.unsure
        out = judge(w, result, off, self.grows, self.unsure, self.tally)
        if not out and off <= most and self.looks > 0:
            self.looks -= 1
            out += self.outputs.compare(result, off + self.unsure, self.tally)
        soft = w.formulation == "penalty" and not one_factor_fits(result.system)
        if not off <= most and not soft:
            text = f"{w.name}, {how}: a sample is off by {off:.3g}"
            text += f" (allowed {most:.3g}; a nudge grows {self.grows:.3g} times)"
            f = "" if INTEGRATORS[w.integrator].direct else f" {w.formulation}"
            out.append(Finding(f"motion:{f} {w.integrator} in {w.coordinates}", f"{text}\n{result.quality()}"))
        return out

    def stopped(self, w: MethodSpec, result: Result) -> list[Finding]:
        """A regular motion that others finish must be finished. Two kinds of method cannot promise it, and a run that
        is bad says so: one penalty factor that cannot serve all rows lets go of some; Newmark's family without damping
        is weakly unstable at index 3 [D.20], whatever the step, and rho < 1 is the cure, which must cure it."""
        soft = w.formulation == "penalty" and not one_factor_fits(result.system)
        rings = INTEGRATORS[w.integrator].scheme == "alpha" and result.settings.rho == 1.0 and w.integrator != "ali3"
        if rings and INTEGRATORS[w.integrator].damped[0] < 1.0:
            damped = self.run(w, rho=0.8, step=result.settings.step)
            rings = damped is None or done(damped)
        if (soft or rings) and result.verdict.grade == "bad":
            self.tally.add("unjudged")
            return []
        text = f"{w.name}: {result.quality()}\n{result.message}"
        return [Finding(f"stopped: {w.integrator}, {result.status.name}", text)]
