"""Instructions per step of the compiled loop, counted by valgrind (callgrind): free of the noise of a machine.

One process under valgrind runs every loop with n steps and with 2 n; the difference over n is one step (entering the
loop and all that is Python drops out). Counting is on only within a run, through a few lines of C. Valgrind knows no
AVX-512, so the code is compiled for a Haswell (AVX2): counts compare between versions of biela, and are not those of
the code that runs on a newer processor. The same file counts what the loop allocates.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
# mechanism, parameters, coordinates, formulation, integrator, step, n
LOOPS = [
    ("double-pendulum", {}, "natural", "penalty", "trapezoidal", 1e-3, 400),
    ("double-pendulum", {}, "natural", "augmented", "trapezoidal", 1e-3, 400),
    ("double-pendulum", {}, "relative", "augmented", "rk4", 1e-3, 400),
    ("double-pendulum", {}, "relative", "augmented", "abm4", 1e-3, 400),
    ("n-four-bar", {"N": 2}, "natural", "penalty", "abm4", 1e-3, 300),
    ("n-four-bar", {"N": 2}, "natural", None, "ali3", 1e-3, 200),
    ("n-four-bar", {"N": 40}, "natural", None, "ali3", 1e-3, 10),
    ("andrews", {}, "natural", "augmented", "abm4", 1e-5, 300),
    ("heavy-top", {}, "relative", "augmented", "rk4", 1e-4, 300),
    ("chain", {"n": 32}, "relative", "augmented", "rk4", 1e-4, 100),
]
SWITCH = """
#include <valgrind/callgrind.h>
void on(void) { CALLGRIND_START_INSTRUMENTATION; CALLGRIND_ZERO_STATS; }
void off(void) { CALLGRIND_DUMP_STATS; CALLGRIND_STOP_INSTRUMENTATION; }
"""
RUN = """
import ctypes, json, sys
import biela
from biela.library import load
from biela.methods.loops import loop_calls as m
from biela.methods.evaluation import functions
from biela.methods.loops.stepper import sample_tables as _tables
from biela.methods.settings import apply, choose
switch = ctypes.CDLL(sys.argv[1]) if len(sys.argv) > 1 else None
for mechanism, parameters, coordinates, f, i, h, n in json.loads(%r):
    model = load(mechanism)
    if parameters: model = model.with_parameters(**parameters)
    system = biela.assemble(model, coordinates)
    biela.simulate(system, 4 * h, formulation=f, integrator=i, step=h, samples=1)
    settings = choose(f, i, h)
    for steps in (n, 2 * n):
        apply(settings, system)
        q, step = functions(settings, system), settings.integrator.step()
        tables = _tables(system, 3)
        m.begin(system.header, *q, 0.0)
        if switch: switch.on()
        status, taken = m.march(system.header, step, *q, 0.0, h, 0, steps, steps, steps, *tables)
        if switch: switch.off()
        assert status == 0 and taken == steps, (mechanism, i, status, taken)
"""
THREADS = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "OPENBLAS_CORETYPE": "Haswell"}
ENVIRONMENT = THREADS | {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "", "PYTHONHASHSEED": "0"}


def count(loops: list[tuple]) -> list[float]:
    """Instructions per step of each loop."""
    code = RUN % json.dumps(loops)
    environment = os.environ | ENVIRONMENT
    with tempfile.TemporaryDirectory() as folder:
        source, switch = Path(folder) / "switch.c", Path(folder) / "switch.so"
        source.write_text(SWITCH)
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", str(source), "-o", str(switch)], check=True)
        native = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
        )
        if native.returncode:  # it also compiles what valgrind shall run
            raise RuntimeError((native.stderr.strip().splitlines() or ["nothing"])[-1])
        command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/out",
                   sys.executable, "-c", code, str(switch)]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        if done.returncode:
            raise RuntimeError((done.stderr.strip().splitlines() or ["nothing"])[-1])
        totals = []
        for k in range(1, 2 * len(loops) + 1):
            found = re.search(r"^(?:totals|summary):\s*(\d+)", (Path(folder) / f"out.{k}").read_text(), re.MULTILINE)
            assert found, f"no totals in dump {k}"
            totals.append(int(found.group(1)))
    return [(totals[2 * k + 1] - totals[2 * k]) / loop[6] for k, loop in enumerate(loops)]


def allocations(steps: int = 100_000) -> dict:
    """What Numba's runtime allocates in so many steps beyond what it allocates in a hundred."""
    from numba.core.runtime import _nrt_python, rtsys

    import biela
    from biela.methods.evaluation import functions
    from biela.methods.loops import loop_calls
    from biela.methods.loops.stepper import sample_tables as _tables
    from biela.methods.settings import apply, choose

    _nrt_python.memsys_enable_stats()
    system, settings, found = biela.assemble("double-pendulum"), choose("augmented", "trapezoidal", 1e-4), []
    for n in (100, 100, steps):
        apply(settings, system)
        q, step, tables = functions(settings, system), settings.integrator.step(), _tables(system, 3)
        loop_calls.begin(system.header, *q, 0.0)
        before = rtsys.get_allocation_stats().alloc
        status, taken = loop_calls.march(system.header, step, *q, 0.0, 1e-4, 0, n, n, n, *tables)
        assert status == 0 and taken == n
        found.append(rtsys.get_allocation_stats().alloc - before)
    _nrt_python.memsys_disable_stats()
    return {"steps": steps, "on_entering": found[1], "per_step": (found[2] - found[1]) / steps}


def main(quick: bool) -> list[dict]:
    """Count, save."""
    from main import machine, save

    memory = allocations()
    lines = [{"what": "allocations per step of the compiled loop", "wanted": "0", "value": memory["per_step"],
              "holds": memory["per_step"] == 0.0}]  # fmt: skip
    missing = [name for name in ("valgrind", "cc") if shutil.which(name) is None]
    loops, rows, note = LOOPS[:3] if quick else LOOPS, [], f"not installed: {', '.join(missing)}" if missing else ""
    names = [f"{mech}{f' {p}' if p else ''} {c} {f or ''}+{i} h = {h:g}" for mech, p, c, f, i, h, n in loops]
    if not missing:
        try:
            rows = [{"loop": a, "instructions_per_step": b} for a, b in zip(names, count(loops), strict=True)]
        except (RuntimeError, OSError, AssertionError, subprocess.SubprocessError) as error:
            note = str(error)[-200:]
    for r in rows:
        print(f"  {r['loop']}: {r['instructions_per_step']:.1f} instructions per step")
    save("instructions", {"machine": machine(), "quick": quick, "rows": rows, "allocations": memory})
    lines.append({"what": "loops whose instructions per step are recorded", "wanted": ">= 1", "value": len(rows),
                  "holds": bool(rows), "note": note})  # fmt: skip
    return lines
