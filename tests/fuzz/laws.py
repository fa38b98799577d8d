"""Laws that switch and bend, of time, position and speed, on a mass: against exact impulses, energies and times.

Nothing is integrated here but the law itself. With m x'' = F:

    F(t):   m (v - v0) = integral of F dt;     m (x - x0 - v0 t) = integral of (t - s) F(s) ds
    F(x):   m (v^2 - v0^2)/2 = integral of F dx;     and, where it never turns back, t = integral of dx/v(x)
    F(v):   t = integral of m dv/F(v)
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

import biela
from biela import BielaError
from biela.methods.registry import INTEGRATORS
from biela.results.quality.verdict import GOOD
from fuzz.bounds import MARGIN
from fuzz.case import FUNCTION, Case
from fuzz.features import FEATURES, Feature, integral
from fuzz.finding import Finding, Tally
from fuzz.motions import patience

OFF = 1e-5
"""of the motion, for tolerances of 1e-8 and a few hundred steps"""
METHODS: tuple[dict[str, Any], ...] = (
    {}, {"coordinates": "relative"}, {"coordinates": "reference-point"}, {"integrator": "dopri5"},
    {"integrator": "dopri8"}, {"tolerance": 1e-11}, {"integrator": "radau5"}, {"integrator": "rk4"},
    {"integrator": "gauss", "adaptive": True}, {"integrator": "dop853"},
)  # fmt: skip
MOST_STEPS = 2e4
"""fixed ones; what is too narrow for them is left to the others"""


def draw(kind: str, seed: int) -> Case:
    """One or two features on a mass of 1 kg, over 100 s or 100 m or some m/s."""
    rng = np.random.default_rng([seed, 7])
    of = str(rng.choice(["t", "x", "v"], p=[0.45, 0.4, 0.15]))
    v0, T = float(rng.uniform(0.5, 3)), float(rng.uniform(20, 100))
    reach = T if of == "t" else v0 * T if of == "x" else v0
    names = [n for n in FEATURES if of != "v" or n in ("ramp", "clipped", "switch")]
    parts = []
    for _ in range(1 if of == "v" else int(rng.integers(1, 3))):
        width = float(10 ** rng.uniform(-4, -0.5)) * reach
        a = float(rng.uniform(0.05, 0.9)) * (reach - width) + (1.0 if of == "x" else 0.0)
        size = float(rng.uniform(0.3, 1) * rng.choice([-1, 1]))
        # so large that it matters: an impulse of some of m v0, a work of some of m v0^2/2
        F = size * v0 / width if of == "t" else size * v0**2 / 4 / width if of == "x" else 0.5 * abs(size) * v0 / T
        parts.append([str(rng.choice(names)), a, a + width, F])
    way = str(rng.choice(["as it is", "as it is", "as it is", FUNCTION])) if of != "v" else "as it is"
    return Case(kind, seed, {}, {"of": of, "v0": v0, "duration": T, "features": parts, "way": way})


def models(case: Case) -> biela.Model:
    """A mass on a line; laws of x and v act along it from a fixed point, so that x is a distance."""
    of, v0 = case.more["of"], case.more["v0"]
    m = biela.Model(name="law", gravity=(0, 0)).add_ground("O", 0, 0).add_point("P", 1, 0).add_mass("p", "P", 1.0)
    for k, (name, a, b, F) in enumerate(case.more["features"]):
        said = FEATURES[name](of, a, b, F).said
        if case.more["way"] == FUNCTION and isinstance(said, str):
            from fuzz.case import python_function

            said = python_function(said)
        if of == "t":
            m.add_force(f"f{k}", "force", point="P", value=[said, 0])
        else:
            m.add_force(f"f{k}", "actuator", points=("O", "P"), value=said)
    if of == "v":  # friction beside it, so that the speed falls all the way
        m.add_force("c", "actuator", points=("O", "P"), value=f"-{0.6 * v0 / case.more['duration']!r}")
    return m.start(velocity={"P.x": v0, "P.y": 0})


def examine(case: Case, tally: Tally) -> list[Finding]:
    """All methods against what is exact."""
    out: list[Finding] = []
    T, of = case.more["duration"], case.more["of"]
    features = [FEATURES[name](of, a, b, F) for name, a, b, F in case.more["features"]]
    narrow = min(b - a for _, a, b, _ in case.more["features"])
    for method in METHODS:
        options = dict(method)
        i = INTEGRATORS.get(options.get("integrator", ""))
        if case.more["way"] == FUNCTION and i is not None and (i.scipy or not i.adaptive):
            continue  # thousands of calls of Python from Python, for nothing new
        if i is not None and not i.adaptive and not options.get("adaptive"):
            # fixed steps that see the narrowest feature by ten of them
            steps = 20 * T / narrow if of == "t" else 20 * T * case.more["v0"] / narrow
            if steps > MOST_STEPS:
                continue
            options["step"] = T / max(round(steps), 500)
        try:
            r = biela.simulate(models(case), T, samples=10, progress=patience(20.0), **options)
        except BielaError as error:
            tally.refused(error)
            continue
        tally.add("runs")
        if not r.ok:
            tally.add("stopped")
            continue
        tally.add("compared")
        tally.add(r.verdict.grade)
        off = error_of(case, features, float(r["P.x"][-1]), float(r["P.vx"][-1]))
        # steps of fixed length are good to the first power of themselves at a switch
        most = OFF if "step" not in options else 0.1
        if options.get("adaptive"):  # its tolerance, 1e-6 where nothing is said, is that of the whole run
            most = 100 * OFF
        false = r.verdict.grade == GOOD and off > MARGIN * max(r.verdict.error, OFF)
        # of a Python function nothing is known but what it gives: to miss a part of it and to say so is all there is
        told = case.more["way"] == FUNCTION and r.verdict.grade != GOOD
        if false or (not off <= most and not told):
            how = ", ".join(f"{k}={v}" for k, v in options.items()) or "auto"
            names = " and ".join(f[0] for f in case.more["features"])
            opaque = " in a Python function" if case.more["way"] == FUNCTION else ""
            text = f"{how}: off by {off:.3g} (allowed {most:g}), {names} of {of}{opaque}, narrowest {narrow:.3g}"
            said = ", called good" if r.verdict.grade == GOOD else ""
            out.append(Finding(f"law of {of}{opaque}: {case.more['features'][0][0]}{said}", f"{text}\n{r.quality()}"))
    return out


def error_of(case: Case, features: list[Feature], x: float, v: float) -> float:
    """How far the end of a run is from what is exact, as a share of the motion."""
    of, v0, T = case.more["of"], case.more["v0"], case.more["duration"]
    places = tuple(p for f in features for p in f.places)

    def F(s: float) -> float:
        return sum(f.of(s) for f in features)

    if of == "t":
        speed = v0 + integral(F, 0.0, T, places)
        place = 1.0 + v0 * T + integral(lambda s: (T - s) * F(s), 0.0, T, places)
        top = max(abs(v0), abs(speed))
        return max(abs(v - speed) / top, abs(x - place) / (top * T))
    if of == "v":
        drag = 0.6 * v0 / T

        def slowness(s: float) -> float:
            return 1.0 / (F(s) - drag)

        if any(F(s) - drag >= -1e-3 * drag for s in np.linspace(min(v, v0), max(v, v0), 400)):
            return 0.0  # it comes to rest at a speed: its time says nothing
        return abs(integral(slowness, v0, v, places) - T) / T

    def energy(s: float) -> float:
        return v0**2 / 2 + integral(F, 1.0, s, places)

    work = max(abs(energy(s)) for s in [1.0, x, *places])
    off = abs(v * v / 2 - energy(x)) / work
    way = [s for s in [1.0, *sorted(places), x] if 1.0 <= s <= x]
    if off < 1e-3 and v > 0 and min(energy(s) for s in np.linspace(1.0, x, 50).tolist() + way) > 0.05 * work:
        time = 0.0
        for a, b in pairwise(way):
            start = energy(a)
            time += integral(
                lambda s, a=a, start=start: 1 / math.sqrt(2 * max(start + integral(F, a, s, ()), 1e-12)), a, b, ()
            )
        off = max(off, abs(time - T) / T)
    return off
