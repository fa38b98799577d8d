"""A02 from N = 2 to 10^5: CPU time per step, memory, errors, and the exponent of growth.

Which methods: the cheapest two at N = 40 that keep 1e-3 m over 1 s, and the cheapest of order four or more that is not
among them. All sizes from which the exponent is taken move for 1 s, through the first singular position; N = 10^5, of
which the memory is looked at, for 0.2 s. Every size is a process of its own, with a limit of time and memory; what does
not get through is told, with the reason.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
from harness import plots
from harness.programs import THREADS

HERE = Path(__file__).resolve().parents[1]
SIZES = (2, 10, 40, 200, 1000, 10_000, 100_000)
STEP, DURATION, GOOD = 1e-2, 1.0, 1e-3
MEMORY = 8 * 2**30
ONE = """
import json, resource, sys, time
sys.path.insert(0, {here!r})
from peers import biela_
from problems.n_four_bar import exact
import numpy as np
N, o, duration = {N}, json.loads({options!r}), {duration}
class P: mechanism, parameters = "n-four-bar", {{"N": N}}
P.duration = duration
begun = time.process_time()
system = biela_.system_of(P, o.pop("coordinates"))
built = time.process_time() - begun
import biela
cpu, whole = [], time.process_time()
for _ in range({repeats}):
    r = biela.simulate(system, duration, samples=1, step={step}, **o)
    if not r.ok: raise SystemExit(r.explain())
    cpu.append(r.trajectory.cpu / r.trajectory.steps)
whole = (time.process_time() - whole) / {repeats}
B = np.array([r["B0.x"][-1], r["B0.y"][-1]])
print(json.dumps(dict(N=N, build_s=built, call_s=whole, us_per_step=1e6 * min(cpu), steps=r.trajectory.steps,
    position=float(np.hypot(*(B - exact(N, duration)[:2]))), energy=r.trajectory.energy_error,
    gap=r.trajectory.violation,
    MiB=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)))
"""


def one(N: int, options: dict, patience: float, duration: float = DURATION, repeats: int = 3) -> dict:
    """One size in a process of its own."""
    code = ONE.format(here=str(HERE), N=N, options=json.dumps(options), duration=duration, step=STEP, repeats=repeats)

    def bounded() -> None:
        # address space: what Numba and BLAS reserve without using it comes on top
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY + 4 * 2**30, MEMORY + 4 * 2**30))

    try:
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            timeout=patience,
            cwd=HERE,
            env=os.environ | THREADS,
            preexec_fn=bounded,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"N": N, "failed": f"not done after {patience:g} s"}
    if done.returncode:
        return {"N": N, "failed": (done.stderr.strip().splitlines() or ["it ended without a word"])[-1][:200]}
    return json.loads(done.stdout.splitlines()[-1])


def candidates(quick: bool) -> list[dict]:
    """Cheapest at N = 40 with fixed steps that pass the singular position."""
    sys.path.insert(0, str(HERE))
    from peers import biela_

    from biela.methods.registry import FORMULATIONS, INTEGRATORS
    from problems import n_four_bar

    problem = n_four_bar.problem(40, DURATION)
    found = []
    for m in biela_.every_method(quick):
        f = m.options["formulation"]
        if m.tolerance or m.options["coordinates"] != "natural" or (f and not FORMULATIONS[f].passes_singular):
            continue  # other coordinates have full matrices; other formulations stop
        try:
            case = biela_.make(problem, m, STEP)
            seconds = min(case.run(), case.run())
            r = case.simulate(1)
        except Exception:
            continue
        error = float(np.hypot(*(np.array([r["B0.x"][-1], r["B0.y"][-1]]) - n_four_bar.exact(40, DURATION)[:2])))
        if error < GOOD:
            found.append((seconds, error, m))
    found.sort(key=lambda x: x[0])
    high = [x for x in found[2:] if INTEGRATORS[x[2].options["integrator"]].order >= 4]
    first = found[:2] + (high[:1] if all(INTEGRATORS[x[2].options["integrator"]].order < 4 for x in found[:2]) else [])
    return [{"name": m.name, "options": m.options} for _, _, m in first]


def exponent(rows: list[dict], low: int, high: int) -> float | None:
    """p of cost = c N^p between two sizes."""
    pairs = [(r["N"], r["us_per_step"]) for r in rows if "us_per_step" in r and low <= r["N"] <= high]
    if len(pairs) < 2:
        return None
    N, us = np.array(pairs).T
    return float(np.polyfit(np.log(N), np.log(us), 1)[0])


def main(quick: bool) -> list[dict]:
    """Measure, save, judge."""
    from main import RESULTS, machine, save

    sizes = SIZES[:4] if quick else SIZES
    methods, lines = candidates(quick), []
    for m in methods:
        m["rows"], patience = [], 60.0 if quick else 600.0
        for N in sizes:
            duration, repeats = (DURATION, 5 if N <= 1000 else 2) if N <= 10_000 else (0.2, 1)
            row = one(N, m["options"], patience, duration, repeats)
            m["rows"].append(row)
            print(f"  {m['name']}: {json.dumps(row)}", flush=True)
            if "failed" in row:
                break
        m["exponent"] = exponent(m["rows"], 40, 10_000)
        m["largest"] = max((r["N"] for r in m["rows"] if "us_per_step" in r), default=0)
    save("scaling", {"machine": machine(), "quick": quick, "step": STEP, "methods": methods})
    series = {
        f"biela: {m['name']}": [(r["N"], r["us_per_step"]) for r in m["rows"] if "us_per_step" in r] for m in methods
    }
    plots.scaling({k: v for k, v in series.items() if v}, RESULTS / "scaling.png", "A02: cost of a step", "us per step")
    best = min(methods, key=lambda m: (-m["largest"], m["exponent"] or 9.0), default=None)
    p = best and best["exponent"]
    reach = best["largest"] if best else 0
    lines.append(
        {
            "what": f"A02: exponent of growth from N = 40 to {min(reach, 10_000)}, the least of {len(methods)} methods",
            "wanted": "<= 1.1, to N = 10^4",
            "value": p,
            "holds": bool(p and p <= 1.1 and reach >= 10_000),
            "biela": "; ".join(f"{m['name']}: {m['exponent']:.2f}" for m in methods if m["exponent"]),
        }
    )
    last = next((r for m in methods for r in m["rows"] if r["N"] == 100_000), None)
    runs = last is not None and "MiB" in last
    lines.append(
        {
            "what": "A02, N = 10^5 (200 001 bars): memory in GiB",
            "wanted": "<= 8",
            "value": last["MiB"] / 1024 if runs else None,
            "holds": runs and last["MiB"] < 8192,
            "note": "" if runs else f"largest that runs: N = {reach}",
        }
    )
    return lines
