"""The programs that take part: which are installed here, and a process for each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from select import select

HERE = Path(__file__).resolve().parents[1]
PEERS = {
    "biela_": "biela",
    "exudyn_": "exudyn",
    "mujoco_": "mujoco",
    "pinocchio_": "pin",
    "casadi_": "casadi",
    "drake_": "drake",
    "opensim_": "opensim",
    "sympy_scipy": "sympy",
}
"""adapter: package on PyPI"""
THREADS = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA", "VECLIB", "BLIS")}


def installed() -> tuple[dict[str, str], list[str]]:
    """Adapter: version, of what is here; and the packages that are not."""
    have, missing = {}, []
    for adapter, package in PEERS.items():
        try:
            have[adapter] = metadata.version(package)
        except metadata.PackageNotFoundError:
            missing.append(package)
    return have, missing


class Program:
    """A worker. A crash or a hang ends it, and it says so."""

    def __init__(self, adapter: str):
        self.adapter, self.dead = adapter, ""
        environment = os.environ | THREADS | {"MPLBACKEND": "Agg"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "harness.worker", adapter],
            cwd=HERE,
            env=environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def ask(self, patience: float = 600.0, **request) -> dict:
        """An answer, or {"error": ...}."""
        if self.dead:
            return {"error": self.dead}
        assert self.process.stdin and self.process.stdout
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            ready, _, _ = select([self.process.stdout], [], [], patience)
            line = self.process.stdout.readline() if ready else ""
        except (BrokenPipeError, OSError):
            line, ready = "", True
        if not line:
            self.dead = "it crashed" if ready else f"it did not answer within {patience:g} s"
            self.process.kill()
            return {"error": self.dead}
        return json.loads(line)

    def close(self) -> None:
        """End the process."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
