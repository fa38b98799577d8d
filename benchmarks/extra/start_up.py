"""Start-up: imports beside those of NumPy, `biela --help`, the first result with machine code there and with none."""

from __future__ import annotations

import subprocess
import sys


def slow_imports(code: str, most: int = 8) -> list[dict]:
    """The modules whose own import takes longest, by `python -X importtime`, in milliseconds."""
    done = subprocess.run([sys.executable, "-X", "importtime", "-c", code], capture_output=True, text=True, check=True)
    rows = []
    for line in done.stderr.splitlines():
        parts = line.removeprefix("import time:").split("|")
        if len(parts) == 3 and parts[0].strip().isdigit():
            rows.append({"module": parts[2].strip(), "own_ms": int(parts[0]) / 1e3, "with_its_imports_ms": int(parts[1]) / 1e3})
    return sorted(rows, key=lambda r: -r["own_ms"])[:most]


def main(quick: bool) -> list[dict]:
    """Measure, save."""
    import foundation
    from main import machine, save

    if quick:  # compiling everything takes a minute and more
        original, foundation._seconds = foundation._seconds, None
        bare = original([sys.executable, "-c", "pass"], 3)
        first = [sys.executable, "-c", "import biela; print(biela.simulate('double-pendulum', 1.0).quality())"]
        found = {f"import_{n}_s": original([sys.executable, "-c", f"import {n}"], 3) - bare for n in ("numpy", "biela")}
        found |= {"help_s": original([sys.executable, "-m", "biela", "--help"], 3), "first_result_later_s": original(first, 3)}
        foundation._seconds = original
    else:
        found = foundation.start_up()
    slow = {"import biela": slow_imports("import biela"), "the command": slow_imports("import biela.cli.app")}
    save("start_up", {"machine": machine(), "quick": quick, "start_up": found, "slow_imports": slow})
    for k, v in found.items():
        print(f"  {k}: {v:.3g}")
    return []
