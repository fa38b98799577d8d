"""One evaluation by the generic loops and by the mechanism's own machine code: nanoseconds of CPU time, in turns.

The rest of a step (the integrator, the monitors, samples) is the same code for both. Recording and compiling are timed
from an empty folder of machine code.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import process_time

import numba

CASES = [
    ("double-pendulum", "natural", "penalty"),
    ("double-pendulum", "natural", "augmented"),
    ("double-pendulum", "relative", "augmented"),
    ("slider-crank", "natural", "penalty"),
    ("four-bar", "natural", "lagrange"),
    ("n-four-bar", "natural", "penalty"),
    ("heavy-top", "natural", "penalty"),
    ("andrews", "mixed", "penalty"),
    ("bricard", "natural", "penalty"),
    ("bricard", "natural", "augmented"),
    ("puma560", "relative", "augmented"),
]
WANTED = {True: 2.2, False: 4.0}
"""times faster: up to six coordinates, and for more"""


def main(quick: bool) -> list[dict]:
    """Measure, save."""
    from main import machine, save

    from biela.analysis.assembly.assemble import as_model, assemble
    from biela.analysis.check.movability import checked_mobility
    from biela.machine.addresses import address, evaluate_at
    from biela.machine.tape import llvm
    from biela.methods.evaluation import functions
    from biela.methods.loops import loop_calls
    from biela.methods.recorded import own_code
    from biela.methods.settings import apply, choose

    @numba.njit
    def many(f, header, count):
        evaluate = evaluate_at(f)
        for _ in range(count):
            evaluate(header, 0.0)

    rounds, rows = 3 if quick else 9, []
    with tempfile.TemporaryDirectory() as folder:
        llvm.cache_folder = lambda: Path(folder)
        for name, coordinates, formulation in CASES:
            system = assemble(as_model(name), coordinates)
            checked_mobility(system)
            settings = choose(formulation, "rk4", 1e-3)
            apply(settings, system)
            f, settle = functions(settings, system)
            loop_calls.begin(system.header, f, settle, 0.0)
            begun = process_time()
            own = own_code(system, settings, f, settle)
            made = process_time() - begun
            if isinstance(own, str):
                print(f"  {name}, {coordinates}, {formulation}: {own}")
                continue
            best = {f: 1e9, own: 1e9}
            many(address(f), system.header, 1)
            for _ in range(rounds):
                for code in best:
                    begun = process_time()
                    many(address(code), system.header, 2000)
                    best[code] = min(best[code], (process_time() - begun) / 2000)
            rows.append({"mechanism": name, "coordinates": coordinates, "formulation": formulation, "n": system.n,
                         "generic_ns": 1e9 * best[f], "tape_ns": 1e9 * best[own], "ratio": best[f] / best[own],
                         "made_in_s": made})  # fmt: skip
            print(f"  {name}, {coordinates}, {formulation}: {1e9 * best[f]:.0f} ns generic, {1e9 * best[own]:.0f} ns "
                  f"of its own, {best[f] / best[own]:.2f} times; made in {made:.2f} s")  # fmt: skip
    save("tape", {"machine": machine(), "quick": quick, "rows": rows})
    return [{"what": f"{r['mechanism']}, {r['coordinates']}, {r['formulation']}: own code, an evaluation",
             "value": r["ratio"], "wanted": f"at least {WANTED[r['n'] <= 6]}",
             "holds": r["ratio"] >= WANTED[r["n"] <= 6]} for r in rows]  # fmt: skip
