"""Instructions per step of the compiled loop, counted by valgrind (callgrind): free of the noise of a machine.

A process with n steps and one with 2 n are counted; the difference over n is one step (start-up, assembly and the first
evaluation drop out). Valgrind knows no AVX-512, so the code is compiled for a Haswell (AVX2): counts compare between
versions of biela, and are not those of the code that runs on a newer processor.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
# mechanism, parameters, coordinates, formulation, integrator, step, n
LOOPS = [
    ("double-pendulum", {}, "natural", "penalty", "trapezoidal", 1e-3, 2000),
    ("double-pendulum", {}, "natural", "augmented", "trapezoidal", 1e-3, 2000),
    ("double-pendulum", {}, "relative", "augmented", "rk4", 1e-3, 2000),
    ("double-pendulum", {}, "relative", "augmented", "abm4", 1e-3, 2000),
    ("n-four-bar", {"N": 2}, "natural", "penalty", "abm4", 1e-2, 500),
    ("n-four-bar", {"N": 40}, "natural", None, "ali3", 1e-2, 20),
    ("andrews", {}, "natural", "augmented", "abm4", 1e-5, 1000),
    ("heavy-top", {}, "relative", "augmented", "rk4", 1e-3, 1000),
    ("chain", {"n": 32}, "relative", "augmented", "rk4", 1e-4, 200),
]
CODE = """
import biela
from biela.library import load
model = load({mechanism!r})
if {parameters!r}: model = model.with_parameters(**{parameters!r})
s = biela.assemble(model, {coordinates!r})
r = biela.simulate(s, {n} * {h}, formulation={f!r}, integrator={i!r}, step={h}, samples=1)
assert r.ok and r.trajectory.steps == {n}, r.explain()
"""
ENVIRONMENT = {
    "NUMBA_CPU_NAME": "haswell",
    "NUMBA_CPU_FEATURES": "",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OPENBLAS_CORETYPE": "Haswell",
    "PYTHONHASHSEED": "0",
    "MPLBACKEND": "Agg",
}
PATIENCE = 3000


def count(loop: tuple, factor: int, valgrind: str) -> int:
    """Instructions of one process (after a native one has compiled what it needs)."""
    mechanism, parameters, coordinates, f, i, h, n = loop
    code = CODE.format(mechanism=mechanism, parameters=parameters, coordinates=coordinates, f=f, i=i, h=h, n=n * factor)
    environment = os.environ | ENVIRONMENT
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, capture_output=True, timeout=PATIENCE)
    command = [
        valgrind,
        "--tool=callgrind",
        "--callgrind-out-file=/dev/null",
        "--vex-guest-max-insns=25",
        sys.executable,
        "-c",
        code,
    ]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE, check=False)
    found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    if done.returncode or not found:
        raise RuntimeError((done.stderr.strip().splitlines() or ["nothing"])[-1])
    return int(found.group(1))


def main(quick: bool) -> list[dict]:
    """Count, save."""
    from main import machine, save

    valgrind = shutil.which("valgrind")
    if valgrind is None:
        return [
            {
                "what": "instructions per step",
                "wanted": "recorded",
                "value": None,
                "holds": False,
                "note": "valgrind is not installed",
            }
        ]
    rows = []
    for loop in LOOPS[:2] if quick else LOOPS:
        mechanism, parameters, coordinates, f, i, h, n = loop
        name = f"{mechanism}{parameters or ''} {coordinates} {f or ''}+{i} h = {h:g}"
        try:
            one, two = (count(loop, k, valgrind) for k in (1, 2))
            rows.append({"loop": name, "instructions_per_step": (two - one) / n, "steps": n, "whole_process": one})
            print(f"  {name}: {(two - one) / n:.0f} instructions per step", flush=True)
        except (RuntimeError, subprocess.SubprocessError) as error:
            rows.append({"loop": name, "failed": str(error)[-200:]})
            print(f"  {name}: {rows[-1]['failed']}", flush=True)
    done = [r for r in rows if "instructions_per_step" in r]
    save("instructions", {"machine": machine(), "quick": quick, "rows": rows})
    return [
        {"what": "instructions per step recorded, loops", "wanted": ">= 1", "value": len(done), "holds": bool(done)}
    ]
