"""Stops and locks on random mechanisms: limits hold, rebounds obey the law, energy is accounted for, all sets agree."""

from __future__ import annotations

from typing import Any

import numpy as np

import biela
from biela import BielaError
from biela.methods.registry import FORMULATIONS, INTEGRATORS
from biela.results.result import Result
from biela.system.system import COORDINATES
from fuzz import mechanisms_of
from fuzz.bounds import Yardstick
from fuzz.case import Case
from fuzz.finding import Finding, Tally
from fuzz.motions import patience

TIGHT, LOOSE = 1e-10, 1e-6
OWN = [name for name, i in INTEGRATORS.items() if i.adaptive and not i.scipy]
"""error-controlled ones that are biela's own"""
FIRM = [name for name in FORMULATIONS if name != "penalty"]
"""those whose joints do not give way"""


def draw(kind: str, seed: int) -> Case:
    """A mechanism whose points and coordinates move; a stop in the middle of the way of one, or a lock."""
    rng = np.random.default_rng([seed, 11])
    base = mechanisms_of.draw(str(rng.choice(["plane open", "plane loops", "space open", "space loops"])), seed)
    data, duration = base.model, 0.4
    free = biela.simulate(base.build(), duration, samples=40, progress=patience())
    moving = {n: np.asarray(free[n]) for n in candidates(data) if n in free and np.ptp(free[n]) > 0.02}
    if not moving or not free.ok:
        return Case(kind, seed, data, {"duration": duration})
    what = str(rng.choice(list(moving)))
    x = moving[what]
    more: dict[str, Any] = {"duration": duration, "what": what}
    if rng.random() < 0.65:
        rising = x[len(x) // 2] > x[0]
        limit = float(x[0] + rng.uniform(0.2, 0.8) * ((x.max() if rising else x.min()) - x[0]))
        if abs(limit - x[0]) > 1e-3:
            side = "upper" if rising else "lower"
            stop = {
                "coordinate": what,
                side: limit,
                "restitution": float(rng.choice([0.0, 1.0, rng.uniform(0.1, 0.9)])),
            }
            return Case(kind, seed, {**data, "stops": {"stop": stop}}, more)
    times = sorted(float(t) for t in rng.uniform(0.05, duration, 2))
    lock = {"hold": what, "closes": times[0]} | ({"opens": times[1]} if rng.random() < 0.5 else {})
    return Case(kind, seed, {**data, "locks": {"lock": lock}}, more)


def candidates(data: dict[str, Any]) -> list[str]:
    """What a stop or a lock can act on: points of the model, and its coordinates."""
    axes = "xyz" if data.get("dimension") == 3 else "xy"
    bodies = data.get("bodies", {}).values()
    points = {p for b in bodies for p in (*b.get("points", ()), *([b["point"]] if "point" in b else ()))}
    return [f"{p}.{c}" for p in sorted(points - set(data.get("ground", {}))) for c in axes] + list(
        data.get("coordinates", {})
    )


def examine(case: Case, tally: Tally) -> list[Finding]:
    """In every set of coordinates, by several integrators."""
    if not case.model.get("stops") and not case.model.get("locks"):
        return []
    out: list[Finding] = []
    ends: dict[str, Any] = {}
    yard = None
    rng, duration = case.rng(), float(case.more["duration"])
    model = case.build()
    for name in COORDINATES:
        try:
            system = biela.assemble(model, name)
        except BielaError as error:
            tally.refused(error)
            continue
        for integrator, formulation in ((OWN[0], None), (str(rng.choice(OWN)), str(rng.choice(FIRM)))):
            try:
                r = biela.simulate(system, duration, integrator=integrator, formulation=formulation, tolerance=TIGHT,
                                   samples=40, progress=patience(10.0))  # fmt: skip
            except BielaError as error:
                tally.refused(error)
                continue
            tally.add("runs")
            if not r.ok:
                tally.add("stopped")
                tally.sentences[f"stopped: {r.status.sentence}"] += 1
                continue
            tally.add("compared")
            tally.add(r.verdict.grade)
            out += held(case, r, how := f"{name}, {formulation or 'auto'} + {integrator}")
            yard = yard or Yardstick(r.system, duration)
            ends[how] = yard.track(r).end, strikes(r)
    if out or yard is None or len(ends) < 2:
        return out
    first, *rest = ends
    for other in rest:
        (end, events), (there, theirs) = ends[first], ends[other]
        yard.faster(end)
        if [k for k, _ in events] != [k for k, _ in theirs]:
            if _near_tie(events, theirs, duration):
                continue
            text = f"{first}: {events[:6]}\n{other}: {theirs[:6]}"
            return [Finding("events: not the same ones in all coordinates", text)]
        off = max([yard.off(end, there)] + [abs(a[1] - b[1]) / duration for a, b in zip(events, theirs, strict=True)])
        # a rebound turns an error of time into one of place, at most as the speeds are to one another: a few at most
        most = LOOSE * 10.0 ** min(len(events), 3)
        if off > most:
            text = f"{other} and {first} end {off:.3g} apart (allowed {most:g}) after {len(events)} events"
            return [Finding("events: other motions in other coordinates", text)]
    return out


def strikes(r: Result) -> list[tuple[str, float]]:
    """Events that change the motion, and their times. Whether what touches a stop without any force rests there or is
    about to leave it is for rounding to say, and changes nothing."""
    kinds = {"rest": "impact"}
    changing = [e for e in r.events if e.kind not in ("rest", "release") or abs(e.after - e.before) > LOOSE]
    return [(kinds.get(e.kind, e.kind), e.t) for e in changing if e.kind != "release"]


def _near_tie(events: list, theirs: list, duration: float) -> bool:
    """Whether the lists differ only in what comes at the very end, or in rebounds too close to be told apart."""
    short, long = sorted((events, theirs), key=len)
    same = all(a[0] == b[0] and abs(a[1] - b[1]) < LOOSE * duration for a, b in zip(short, long, strict=False))
    extra = long[len(short) :]
    return (same and all(duration - t < LOOSE * duration for _, t in extra)) or len(long) > 12


def held(case: Case, r: Result, how: str) -> list[Finding]:
    """What must be so of any run with stops and locks."""
    out: list[Finding] = []
    scale = max(r.energy_scale, 1e-300)
    x = np.asarray(r[case.more["what"]])
    for name, stop in case.model.get("stops", {}).items():
        beyond = max(
            float((x - stop["upper"]).max()) if "upper" in stop else -1.0,
            float((stop["lower"] - x).max()) if "lower" in stop else -1.0,
        )
        if beyond > LOOSE * max(1.0, float(np.abs(x).max())):
            out.append(Finding("stop: passed", f"{how}: {case.more['what']} is {beyond:.3g} beyond {name}"))
        for e in r.events.of(name, "impact"):
            if abs(e.after + stop["restitution"] * e.before) > 1e-6 * abs(e.before):
                out.append(Finding("stop: law of impact", f"{how}: {e.before:.6g} before, {e.after:.6g} after"))
            if e.loss < -1e-9 * scale:
                out.append(Finding("stop: energy from nothing", f"{how}: an impact gave {-e.loss:.3g} J"))
    for name, lock in case.model.get("locks", {}).items():
        t = np.asarray(r.t)
        closed = (t > lock["closes"] + 1e-9) & (t < lock.get("opens", np.inf) - 1e-9)
        if closed.any() and np.ptp(x[closed]) > LOOSE * max(1.0, float(np.abs(x).max())):
            out.append(Finding("lock: moves while closed", f"{how}: {name} moves by {np.ptp(x[closed]):.3g}"))
    off = float(np.abs(r["energy.error"]).max())
    if off > 1e-5 * scale:
        out.append(Finding("events: energy not accounted for", f"{how}: {off:.3g} J of {scale:.3g} J\n{r.explain()}"))
    return out
