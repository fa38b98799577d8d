"""Integrators and formulations that other packages offer by entry points."""

import os
import subprocess
import sys
from pathlib import Path

FACTS = """
from biela.methods.registry import Integrator
LINE = Integrator("velocity-verlet", "verlet_steps", "velocity Verlet", "Verlet (1967)", 2)
TWICE = Integrator("rk4", "verlet_steps", "another rk4", "nowhere", 4)
"""
STEP = '''
from biela.machine.array_table import unpack
from biela.machine.compiled import STEP, compiled
from biela.methods.integrators.settled import settled
from biela.methods.status import OK


@compiled(STEP)
def step(header, f, settle, t, h):
    """Positions with the acceleration at the start, velocities with the mean of both ends."""
    s = unpack(header)
    n, size, slope = len(s.v), len(s.y), s.k[0]
    nq = size - 1 - n
    for i in range(size):
        slope[i] = s.ydot[i]
    for i in range(nq):
        s.y[i] += h * s.y[nq + i] + 0.5 * h * h * slope[nq + i]
    for i in range(nq, size):
        s.y[i] += h * slope[i]
    status = f(header, t + h)
    if status != OK:
        return status
    for i in range(nq, size):
        s.y[i] += 0.5 * h * (s.ydot[i] - slope[i])
    status = settled(header, settle, t + h)
    return f(header, t + h) if status == OK else status
'''
PROGRAM = """
import numpy as np
import biela
truth = biela.simulate("simple-pendulum", 1.0, integrator="dopri8", tolerance=1e-12)["P.x"][-1]
off = [abs(biela.simulate("simple-pendulum", 1.0, integrator="velocity-verlet", step=h)["P.x"][-1] - truth)
       for h in (2e-3, 1e-3)]
print(round(float(np.log2(off[0] / off[1])), 1))
for name in ("broken", "rk4-again"):
    try:
        biela.simulate("simple-pendulum", 1.0, integrator=name)
    except biela.MethodError as error:
        print(str(error).replace(chr(10), " "))
"""
POINTS = """[biela.integrators]
velocity-verlet = verlet_facts:LINE
broken = not_there:LINE
rk4-again = verlet_facts:TWICE
"""


def test_an_integrator_of_another_package(tmp_path: Path):
    """It runs, with its order; what cannot be loaded, or takes a name that is taken, is told to those who ask."""
    (tmp_path / "verlet_facts.py").write_text(FACTS)
    (tmp_path / "verlet_steps.py").write_text(STEP)
    info = tmp_path / "verlet-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: verlet\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    path = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(path)})  # fmt: skip
    assert done.returncode == 0, done.stderr
    order, broken, again = done.stdout.splitlines()
    assert float(order) == 2.0
    assert "not_there:LINE offers it, but: ModuleNotFoundError" in broken
    assert "there is a method 'rk4' already" in again
