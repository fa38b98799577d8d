"""Start-up: imports beside those of NumPy, `biela --help`, the first result with machine code there and with none.

CPU seconds of the process, the least of several; imports with those of bare Python taken off.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile

FIRST = "import biela; print(biela.simulate('double-pendulum', 1.0).quality())"


def cpu(arguments: list[str], times: int, **environment: str) -> float:
    """Of a process."""
    best = float("inf")
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env={**os.environ, **environment})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def slow_imports(code: str, most: int = 8) -> list[dict]:
    """The modules whose own import takes longest, by `python -X importtime`, in milliseconds."""
    done = subprocess.run([sys.executable, "-X", "importtime", "-c", code], capture_output=True, text=True, check=True)
    rows = []
    for line in done.stderr.splitlines():
        parts = line.removeprefix("import time:").split("|")
        if len(parts) == 3 and parts[0].strip().isdigit():
            rows.append(
                {"module": parts[2].strip(), "own_ms": int(parts[0]) / 1e3, "with_its_imports_ms": int(parts[1]) / 1e3}
            )
    return sorted(rows, key=lambda r: -r["own_ms"])[:most]


def main(quick: bool) -> list[dict]:
    """Measure, save."""
    from main import machine, save

    times = 3 if quick else 7
    bare = cpu(["-c", "pass"], times)
    found = {f"import_{name}_s": cpu(["-c", f"import {name}"], times) - bare for name in ("numpy", "biela", "numba")}
    found["biela_--help_s"] = cpu(["-m", "biela", "--help"], times)
    found["first_result_with_machine_code_there_s"] = cpu(["-c", FIRST], times)
    if not quick:  # a minute and more
        with tempfile.TemporaryDirectory() as cache:
            found["first_result_after_installation_s"] = cpu(["-c", FIRST], 1, BIELA_CACHE=cache)
    slow = {
        "import biela": slow_imports("import biela"),
        "biela --help": slow_imports("import biela.cli.app"),
        "a first result": slow_imports(FIRST),
    }
    save("start_up", {"machine": machine(), "quick": quick, "start_up": found, "slow_imports": slow})
    for k, v in found.items():
        print(f"  {k}: {v:.3g}")
    return []
