"""Random laws in random mechanisms: made of features of time, distance and speed, against fine fixed steps.

A law acts between a fixed point and a moving one. Its features are put where the mechanism, left alone, passes by, and
are as large as its weight. Runs that control their error are held against Runge's method with thousands of steps: at a
switch that is good to the first power of the step, and what halving it changes says how good.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import biela
from biela import BielaError
from biela.methods.registry import INTEGRATORS
from biela.methods.status import Status
from biela.results.result import Result
from biela.system.system import COORDINATES, System
from fuzz import mechanisms_of
from fuzz.bounds import MARGIN, Yardstick
from fuzz.case import FUNCTION, Case
from fuzz.features import FEATURES
from fuzz.finding import Finding, Tally
from fuzz.motions import is_regular, patience
from fuzz.stops import candidates

BASES = ("plane open", "plane loops", "space open", "drivers")
FINE, TOLERANCE = 3000, 1e-8
RUNS = 5
OFF = 1e-6
"""of the motion: a tolerance of 1e-8 in some hundred steps, grown on the way"""
OWN = [name for name, i in INTEGRATORS.items() if i.adaptive and not i.scipy]


def draw(kind: str, seed: int) -> Case:
    """A mechanism, and one or two laws along the way of its points."""
    rng = np.random.default_rng([seed, 29])
    base = mechanisms_of.draw(str(rng.choice(BASES)), seed)
    data, duration = base.model, float(base.more["duration"])
    free = biela.simulate(base.build(), duration, samples=60, progress=patience())
    points = sorted({name.rpartition(".")[0] for name in candidates(data) if "." in name})
    axes = "xyz" if data.get("dimension") == 3 else "xy"
    points = [p for p in points if f"{p}.x" in free]
    if not free.ok or not points:
        return Case(kind, seed, data, {"duration": duration})
    here = np.round(rng.normal(size=len(axes)), 3)
    forces = {}
    for k in range(int(rng.integers(1, 3))):
        point = str(rng.choice(points))
        x = np.linalg.norm(np.stack([np.asarray(free[f"{point}.{c}"]) for c in axes], axis=1) - here, axis=1)
        v = np.gradient(x, np.asarray(free.t))
        told = law(rng, {"t": (0.0, duration), "x": (x.min(), x.max()), "v": (v.min(), v.max())})
        forces[f"law{k}"] = {"type": "actuator", "points": ["FIXED", point], "value": told}
    model = {**data, "ground": {**data.get("ground", {}), "FIXED": here.tolist()},
             "forces": {**data.get("forces", {}), **forces}}  # fmt: skip
    return Case(kind, seed, model, {"duration": duration})


def law(rng: np.random.Generator, ranges: dict[str, tuple[float, float]]) -> Any:
    """One to three features added or multiplied; now and then a table, or a Python function."""
    terms = []
    for _ in range(int(rng.choice([1, 1, 2, 3]))):
        of = str(rng.choice(["t", "x", "v"]))
        low, high = (float(end) for end in ranges[of])
        reach = max(high - low, 1e-3)
        width = reach * float(10 ** rng.uniform(-2.5, -0.3))
        a = float(rng.uniform(low, max(high - width, low + 1e-6)))
        name = str(rng.choice(list(FEATURES)))
        said = FEATURES[name](of, a, a + width, float(rng.uniform(2, 20) * rng.choice([-1, 1]))).said
        if isinstance(said, dict):
            if of == "x" and not terms:
                return said
            said = FEATURES["tent"](of, a, a + width, 5.0).said
        terms.append(f"({said})")
    text = terms[0]
    for term in terms[1:]:
        text = f"{text} {rng.choice(['+', '-'])} {term}" if rng.random() < 0.7 else f"0.1*{text}*{term}"
    return {FUNCTION: text} if rng.random() < 0.15 else text


def examine(case: Case, tally: Tally) -> list[Finding]:
    """Error-controlled runs in all sets of coordinates against fixed steps in one."""
    if not any(name.startswith("law") for name in case.model.get("forces", {})):
        return []
    rng, duration, model = case.rng(), float(case.more["duration"]), case.build()
    systems = {name: biela.assemble(model, name) for name in COORDINATES}
    if not all([is_regular(s) for s in systems.values()]):
        tally.add("singular")
        return []
    yard = Yardstick(systems["natural"], duration)
    # (fixed steps find where a formula switches, but not where a Python function does: they are good to their length)
    told = biela.assemble(replace(case, model=as_formulas(case.model)).build(), "natural")
    exact, fine = [], FINE
    for steps in (fine, 2 * fine):
        r = run(told, duration, tally, integrator="rk4", formulation="lagrange", step=duration / steps)
        if r is None or r.status != Status.finished or r.trajectory.seen.hidden:
            tally.add("unjudged")
            return []  # (a step that is too long for a law says so, and is no judge)
        exact.append(yard.track(r))
    truth, moved = exact[1], yard.off(*exact)
    yard.faster(truth)
    out: list[Finding] = []
    for _ in range(RUNS):
        name, integrator = str(rng.choice(list(COORDINATES))), str(rng.choice(OWN))
        r = run(systems[name], duration, tally, integrator=integrator, tolerance=TOLERANCE)
        if r is None or r.status == Status.interrupted:
            continue
        if r.status != Status.finished:
            out.append(Finding(f"lawful: stopped, {integrator}", f"{name}: {r.quality()}\n{r.message}"))
            continue
        tally.add("compared")
        tally.add(r.verdict.grade)
        off, most = yard.off(yard.track(r), truth), MARGIN * moved + OFF
        if off > most:
            text = f"{name}, {integrator}: off by {off:.3g} of {2 * fine} steps of rk4 (allowed {most:.3g})"
            out.append(Finding(f"lawful: {integrator}, called {r.verdict.grade}", f"{text}\n{r.quality()}"))
    return out


def as_formulas(value: Any) -> Any:
    """The same data, with formulas in place of Python functions."""
    if isinstance(value, dict):
        return value[FUNCTION] if FUNCTION in value else {k: as_formulas(v) for k, v in value.items()}
    return [as_formulas(v) for v in value] if isinstance(value, list) else value


def run(system: System, duration: float, tally: Tally, **options: Any) -> Result | None:
    try:
        r = biela.simulate(system, duration, samples=6, progress=patience(), **options)
    except BielaError as error:
        tally.refused(error)
        return None
    tally.add("runs")
    return r
