"""How fast biela is, as ratios measured in one run: `python benchmarks/foundation.py`.

1. the compiled time loop against hand-written C (-O3) of the same algorithm (double pendulum of 000, penalty +
   trapezoidal, h = 1e-3, 1e5 steps), the two taking turns;
2. start-up: `import biela` beside `import numpy`, `biela --help`, a process from start to first result, and the first
   call after installation (compilation, into an empty cache);
3. memory: ten times the steps must not need more of it.

Prints a table and writes benchmarks/results/foundation.json. Needs a C compiler (cc) for the first part.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
STEP, DURATION, TOLERANCE, SAMPLES = 1e-3, 100.0, 1e-5, 1000
AGREEMENT = 10.0  # seconds over which the two must give the same motion; it is chaotic later


def against_c(rounds: int = 12) -> dict:
    """Best time per step of both programs over several rounds, taken in turns."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        return {"skipped": "no C compiler"}
    import biela

    def ours(duration: float = DURATION) -> tuple[float, float, float]:
        r = biela.simulate(
            system, duration, formulation="penalty", integrator="trapezoidal", step=STEP, samples=SAMPLES
        )
        return r.trajectory.cpu / r.trajectory.steps, r.trajectory.energy_error, float(r["P2.y"][-1])

    system = biela.assemble("double-pendulum")
    with tempfile.TemporaryDirectory() as folder:
        times: dict[str, list[float]] = {"biela": [], "c": [], "c_native": []}
        programs = {}
        for name, flags in (("c", ["-O3"]), ("c_native", ["-O3", "-march=native"])):
            programs[name] = str(Path(folder) / name)
            subprocess.run([compiler, *flags, str(HERE / "double_pendulum.c"), "-o", programs[name], "-lm"], check=True)
        ours()  # compile
        stride = round(DURATION / STEP) // SAMPLES
        # biela's tolerance is relative to the size of the mechanism, the mean span of its bodies
        arguments = [str(STEP), str(DURATION), str(TOLERANCE * system.size), "5", str(stride)]
        for _ in range(rounds):
            for name, program in programs.items():
                out = json.loads(subprocess.run([program, *arguments], capture_output=True, check=True).stdout)
                times[name].append(out["seconds_per_step"])
            times["biela"].append(min(ours()[0] for _ in range(5)))
        arguments[1] = str(AGREEMENT)
        theirs = json.loads(subprocess.run([programs["c"], *arguments], capture_output=True, check=True).stdout)
        mine = ours(AGREEMENT)
    best = {name: min(values) for name, values in times.items()}
    return {
        "us_per_step": {name: 1e6 * value for name, value in best.items()},
        "ratio_to_c": best["biela"] / best["c"],
        "ratio_to_c_native": best["biela"] / best["c_native"],
        "ratio_each_round": [b / c for b, c in zip(times["biela"], times["c"], strict=True)],
        "energy_error": {"biela": mine[1], "c": theirs["energy_error"]},
        "y2": {"biela": mine[2], "c": theirs["y2"]},
    }


def _seconds(arguments: list[str], times: int = 5, **environment: str) -> float:
    best = 1e9
    for _ in range(times):
        begun = time.perf_counter()
        subprocess.run(arguments, check=True, capture_output=True, env={**os.environ, **environment})
        best = min(best, time.perf_counter() - begun)
    return best


def start_up() -> dict:
    """Seconds from the start of a process; imports with those of bare Python taken off."""
    python = sys.executable
    first_result = [python, "-c", "import biela; print(biela.simulate('double-pendulum', 1.0).quality())"]
    bare = _seconds([python, "-c", "pass"])
    numpy, biela = (_seconds([python, "-c", f"import {name}"]) - bare for name in ("numpy", "biela"))
    with tempfile.TemporaryDirectory() as cache:
        compilation = _seconds(first_result, 1, BIELA_CACHE=cache)
    return {
        "import_numpy_s": numpy,
        "import_biela_s": biela,
        "import_ratio": biela / numpy,
        "help_s": _seconds([python, "-m", "biela", "--help"]),
        "first_result_after_installation_s": compilation,
        "first_result_later_s": _seconds(first_result),
    }


def memory() -> dict:
    """Peak memory of two processes, the second with ten times the steps and the same number of samples."""
    code = (
        "import biela, resource; biela.simulate('double-pendulum', {t}, formulation='penalty', "
        "integrator='trapezoidal', step=1e-3, samples=100); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    peaks = {}
    for steps, t in (("1e5", 100.0), ("1e6", 1000.0)):
        out = subprocess.run([sys.executable, "-c", code.format(t=t)], capture_output=True, check=True, text=True)
        peaks[steps] = int(out.stdout) / 1024
    return {"peak_MiB": peaks, "growth_MiB": peaks["1e6"] - peaks["1e5"]}


def main() -> None:
    """Measure, print, save."""
    results = {"machine": platform.machine(), "python": platform.python_version()}
    results |= {"loop": against_c(), "start_up": start_up(), "memory": memory()}
    print(json.dumps(results, indent=2))
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    (folder / "foundation.json").write_text(json.dumps(results, indent=2) + "\n")
    loop = results["loop"]
    if "ratio_to_c" in loop:
        print(f"\nbiela {loop['us_per_step']['biela']:.3f} us per step, hand-written C {loop['us_per_step']['c']:.3f}: "
              f"ratio {loop['ratio_to_c']:.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
