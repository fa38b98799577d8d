"""Where the time goes: `benchmarks/profile [MECHANISM] [--set N=40] [--coordinates C] [--integrator I] ...`.

Each piece of a step is called by itself in a compiled loop, at the initial state, and compared with the step. Pieces
that this biela does not have are left out. Around the loop: what a call costs before the first step (assembly,
mobility, settings, entering compiled code).
"""

from __future__ import annotations

import argparse
import json
from importlib import import_module
from pathlib import Path
from time import process_time

import numba
from numba import types

import biela
from biela.analysis.check.mobility import mobility
from biela.kernels.rows import normal_matrix
from biela.library import load
from biela.machine.array_table import unpack
from biela.machine.compiled import EVALUATE, HEADER, SETTLE, STEP
from biela.methods.evaluation import functions
from biela.methods.loops import loop_calls as m
from biela.methods.loops.stepper import sample_tables as _tables
from biela.methods.settings import apply, choose

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
_F, _SETTLE, _STEP = (types.FunctionType(kind) for kind in (EVALUATE, SETTLE, STEP))
# what it does, where it is, how it is called: h (header), ht (header, t), ha (header, alpha), ah and hr with the matrix
PIECES = [
    ("constraints and Jacobian", "system.rows.rows", "ht"),
    ("forces", "system.forces.forces", "ht"),
    ("tree: places and motions", "system.tree.motion.move_tree", "h"),
    ("tree: places of bodies", "system.tree.motion.place_bodies", "h"),
    ("tree: mass matrix", "system.tree.inertia.weigh_tree", "h"),
    ("tree: articulated bodies", "system.tree.articulated.articulated", "h"),
    ("M + alpha B'B", "system.rows.normal_matrix", "ha"),
    ("M + alpha B'B and factorisation", "methods.linear.static.factor_normal", "ah"),
    ("solution", "methods.linear.static.solve_normal", "hr"),
    ("projection of a state that is off by nothing", "methods.formulations.shared.project", "ht"),
    ("measure singularity", "methods.formulations.shared.measure_singularity", "h"),
    ("monitor: energy and violation", "methods.march.monitor", "ht"),
    ("keep the start of the step", "methods.integrators.step_vectors.keep_start", "h"),
]


def looped(function, kind: str):
    """A compiled loop around one piece."""
    if kind == "h":

        @numba.njit
        def loop(header, count):
            for _ in range(count):
                function(header)
    elif kind == "ht":

        @numba.njit
        def loop(header, count):
            for _ in range(count):
                function(header, 0.0)
    elif kind == "ha":

        @numba.njit
        def loop(header, count):
            for _ in range(count):
                function(header, 1e7)
    elif kind == "ah":

        @numba.njit
        def loop(header, count):
            for _ in range(count):
                normal_matrix(header, 1e7)
                function(header)
    else:

        @numba.njit
        def loop(header, count):
            s = unpack(header)
            for _ in range(count):
                function(header, s.w)

    return loop


@numba.njit(types.int64(HEADER, _F, types.int64))
def evaluations(header, f, count):
    """Evaluate again and again."""
    status = 0
    for _ in range(count):
        status += f(header, 0.0)
    return status


def per_call(call, seconds: float = 0.05) -> float:
    """CPU time of call(count) over count, best of five."""
    call(1)
    count = 1
    while True:
        begun = process_time()
        call(count)
        spent = process_time() - begun
        if spent > seconds / 5:
            break
        count *= 4
    best = spent / count
    for _ in range(4):
        begun = process_time()
        call(count)
        best = min(best, (process_time() - begun) / count)
    return best


def profile(name: str, parameters: dict, coordinates, formulation, integrator, step) -> dict:
    """Times in microseconds."""
    out: dict = {"mechanism": name, "parameters": parameters}
    begun = process_time()
    model = load(name)
    if parameters:
        model = model.with_parameters(**parameters)
    system = biela.assemble(model, coordinates)
    out["assemble"] = 1e6 * (process_time() - begun)
    settings = choose(formulation, integrator, step)
    duration = 200 * step
    r = biela.simulate(system, duration, formulation=formulation, integrator=integrator, step=step, samples=1)
    begun = process_time()
    mobility(system)
    out["mobility"] = 1e6 * (process_time() - begun)
    begun = process_time()
    apply(settings, system)
    out["settings"] = 1e6 * (process_time() - begun)
    f, settle = functions(settings, system)
    advance, header = settings.integrator.step(), system.header
    tables = _tables(system, 3)
    out["enter begin"] = 1e6 * per_call(lambda c: [m.begin(header, f, settle, 0.0) for _ in range(c)], 0.02)
    out["enter march"] = 1e6 * per_call(
        lambda c: [m.march(header, advance, f, settle, 0.0, step, 0, 0, 1, 1, *tables) for _ in range(c)], 0.02
    )


    best = {}
    for steps in (2000, 10_000):  # the difference leaves the entering out

        def again(steps=steps):
            return biela.simulate(
                system, steps * step, formulation=formulation, integrator=integrator, step=step, samples=1
            )

        runs = [again() for _ in range(3)]
        if not all(x.ok for x in runs):
            break
        best[steps] = min(x.trajectory.cpu for x in runs)
        r = runs[0]
    if len(best) == 2:
        out["step"] = 1e6 * (best[10_000] - best[2000]) / 8000
    out["evaluations per step"] = r.trajectory.evaluations / r.trajectory.steps
    out["coordinates"], out["method"] = system.coordinates, r.method.split(" (")[0]
    out["n"], out["m"] = system.n, system.m
    apply(settings, system)
    m.begin(header, f, settle, 0.0)
    if not settings.integrator.direct:
        out["evaluate"] = 1e6 * per_call(lambda c: evaluations(header, f, c))
    pieces = {}
    for what, where, kind in PIECES:
        module, _, function = where.rpartition(".")
        try:
            piece = getattr(import_module(f"biela.{module}"), function)
            call = looped(piece, kind)
            if not system.is_tree and what.startswith("tree"):
                continue
            m.begin(header, f, settle, 0.0)
            pieces[what] = 1e6 * per_call(lambda c, call=call: call(header, c))
        except Exception:  # this biela has no such piece, or not with these arguments
            continue
    out["pieces"] = pieces
    return out


def show(p: dict) -> None:
    """A table."""
    print(f"\n{p['mechanism']} {p['parameters'] or ''}: {p['coordinates']}, {p['method']}; n = {p['n']}, m = {p['m']}")
    print(
        "before the first step, us:  "
        + ", ".join(f"{k} {p[k]:.0f}" for k in ("assemble", "mobility", "settings", "enter begin", "enter march"))
    )
    if "step" in p:
        print(
            f"one step {p['step']:.3f} us, with {p['evaluations per step']:.2f} evaluations"
            + (f" of {p['evaluate']:.3f} us" if "evaluate" in p else "")
        )
    whole = p.get("evaluate") or p.get("step") or 1.0
    for what, us in sorted(p["pieces"].items(), key=lambda x: -x[1]):
        print(f"  {what:<42}{us:10.3f} us  {100 * us / whole:5.0f} % of one evaluation")


def main() -> None:
    """The mechanism asked for, or those of the benchmarks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mechanism", nargs="?")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--coordinates")
    parser.add_argument("--formulation")
    parser.add_argument("--integrator", default="rk4")
    parser.add_argument("--step", type=float)
    a = parser.parse_args()
    if a.mechanism:
        parameters = {k: float(v) if "." in v else int(v) for k, v in (x.split("=") for x in a.set)}
        chosen = [(a.mechanism, parameters, a.coordinates, a.formulation, a.integrator, a.step or 1e-3)]
    else:
        chosen = [
            ("double-pendulum", {}, "natural", "augmented", "trapezoidal", 1e-3),
            ("double-pendulum", {}, "relative", "augmented", "rk4", 1e-3),
            ("n-four-bar", {"N": 2}, "natural", "penalty", "abm4", 1e-3),
            ("n-four-bar", {"N": 40}, "natural", "penalty", "abm4", 1e-3),
            ("andrews", {}, "natural", "augmented", "abm4", 1e-6),
            ("heavy-top", {}, "relative", "augmented", "rk4", 1e-5),
            ("chain", {"n": 32}, "relative", "augmented", "rk4", 1e-5),
        ]
    found = []
    for arguments in chosen:
        found.append(profile(*arguments))
        show(found[-1])
    if not a.mechanism:
        (RESULTS / "profile.json").write_text(json.dumps({"profiles": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
