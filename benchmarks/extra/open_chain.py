"""Open chains and trees: runs open_chain.py and judges it: not above Pinocchio's cost where that runs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]


def main(quick: bool) -> list[dict]:
    """Measure, judge."""
    command = [sys.executable, "open_chain.py"]
    if quick and "--largest" in (HERE / "open_chain.py").read_text():
        command += ["--largest", "128", "--only", "planar", "revolute"]
    subprocess.run(command, cwd=HERE, check=True)
    data = json.loads((HERE / "results" / "open_chain.json").read_text())
    lines = []
    for kind, found in data.items():
        if not (isinstance(found, dict) and "sizes" in found):
            continue
        rows, ratios = found["sizes"], []
        for r in rows:
            theirs = [us for name, us in r["us"].items() if name not in ("biela", "mujoco")]
            ratios += [(r["us"]["biela"] / min(theirs), r["n"])] if theirs else []
        if ratios:
            worst, n = max(ratios)
            line = {"what": f"open chain ({kind}): cost over Pinocchio's best, worst at n = {n} (to {ratios[-1][1]})"}
            line |= {"wanted": "<= 1.0", "value": worst, "holds": worst <= 1.0}
            lines.append(line | {"note": ", ".join(f"n = {m}: {x:.2f}" for x, m in ratios)})
        p, last = found["exponent"], rows[-1]["n"]
        line = {"what": f"open chain ({kind}): exponent of growth to n = {last}", "wanted": "<= 1.1"}
        lines.append(line | {"value": p, "holds": p <= 1.1})
    return lines
