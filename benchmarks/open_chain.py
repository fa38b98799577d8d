"""Cost of one forward-dynamics evaluation of an open chain of n bars: `python benchmarks/open_chain.py`.

biela's articulated-body recursion in relative coordinates beside Pinocchio's (`pin.aba`) and MuJoCo's `mj_forward`
(composite inertia and a factorisation; contacts and constraints are off), n = 2, 4, ... 1024, for the library's `chain`
(in the plane) and `spatial-chain`. All get the same random state. The programs take turns; numbers are medians of CPU
time. biela is called in a compiled loop; Pinocchio from Python, call by call (in the axes of the bodies, and in those
of the ground: WORLD), and over a batch of states (`pin.abaInParallel` on one thread), which leaves Python out; MuJoCo
from Python. `relative_difference` in the file is that of the accelerations to biela's, at this state and with all the
bars in one line.

Prints a table and writes benchmarks/results/open_chain.json. What is not installed is left out (pip install
'biela[bench]').
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numba
import numpy as np
from numba import types

from biela.library import load
from biela.methods.formulations.recursive import evaluate
from biela.model.resolve import resolve
from biela.system.compiled import EVALUATE, HEADER
from biela.system.system import System, build

HERE = Path(__file__).resolve().parent
SIZES = [2**k for k in range(1, 11)]
LARGE = 16  # the exponent is that of the chains from here on
ROUNDS, SECONDS = 9, 0.02  # of each program and size, and about how long one of them takes
# Pinocchio's Data hold arrays of n^3 numbers, 1 GB here and 60 GB for n = 1024; MuJoCo takes no tree as deep as 1024
UP_TO = {"pinocchio": 256, "mujoco": 512}
CHAINS = ("chain", "spatial-chain")
Timed = Callable[[int], Any]
"""evaluates as many times as it is told"""


@numba.njit(types.int64(HEADER, types.FunctionType(EVALUATE), types.int64))
def again(header, f, count):
    """Evaluate `count` times."""
    status = 0
    for _ in range(count):
        status += f(header, 0.0)
    return status


def links(system: System) -> list[tuple]:
    """Of each bar: place and axis of its hinge in the bar before, centre, mass, inertia (all axes parallel at zero)."""
    s, out = system.arrays, []
    body = {int(d): b for b, d in enumerate(s.body_at)}
    assert list(s.tree_parent) == list(range(-1, system.n - 1)) and set(s.tree_kind) == {1}
    for d in range(system.n):
        b, three = body[d], slice(3 * d, 3 * d + 3)
        m, xx, yy, zz, xy, xz, yz = s.body_mass[7 * b : 7 * b + 7]
        if system.meaning.dimension == 2:  # about z alone
            xx = yy = zz
        A = s.body_turn[9 * b : 9 * b + 9].reshape(3, 3)
        J = A @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ A.T
        out.append((s.tree_offset[three], s.tree_axis[three], s.body_offset[3 * b : 3 * b + 3], m, J))
    return out


def gravity(system: System) -> np.ndarray:
    """In the ground's axes."""
    return np.array([*system.meaning.gravity, 0.0])[:3]


# ------------------------------------------------------------------------------------------- the programs
def in_biela(system: System, q: np.ndarray, v: np.ndarray) -> tuple[dict[str, Timed], np.ndarray]:
    """The recursion that every formulation takes on an open tree."""
    s, header = system.arrays, system.header
    s.q[:], s.v[:] = q, v
    assert again(header, evaluate, 1) == 0
    return {"biela": lambda count: again(header, evaluate, count)}, s.a.copy()


def in_pinocchio(system: System, q: np.ndarray, v: np.ndarray) -> tuple[dict[str, Timed], np.ndarray]:
    """Hinges about z, the quickest it has, in frames turned to suit."""
    import pinocchio as pin

    model = pin.Model()
    model.gravity.linear = gravity(system)
    before = np.eye(3)
    for k, (offset, axis, center, m, J) in enumerate(links(system)):
        z = axis / np.linalg.norm(axis)
        x = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
        x /= np.linalg.norm(x)
        here = np.eye(3) if z[2] == 1.0 else np.column_stack([x, np.cross(z, x), z])
        place = pin.SE3(before.T @ here, before.T @ offset)
        joint = model.addJoint(k, pin.JointModelRZ(), place, f"hinge{k}")
        inertia = pin.Inertia(float(m), here.T @ center, here.T @ J @ here)
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
        before = here
    data, none = model.createData(), np.zeros(model.nv)
    pool, batches = pin.ModelPool(model, 1), {}

    def one_by_one(count: int) -> None:
        for _ in range(count):
            pin.aba(model, data, q, v, none)

    def in_ground_axes(count: int) -> None:
        for _ in range(count):
            pin.aba(model, data, q, v, none, pin.Convention.WORLD)

    def batch(count: int) -> None:
        pin.abaInParallel(1, pool, *batches[count])

    def prepare(count: int) -> None:
        states = [np.asfortranarray(np.tile(x[:, None], count)) for x in (q, v, none, none)]
        batches.clear()
        batches[count] = states

    batch.prepare = prepare  # type: ignore[attr-defined]
    a = pin.aba(model, data, q, v, none).copy()
    return {"pinocchio": one_by_one, "its WORLD": in_ground_axes, "its batch": batch}, a


def in_mujoco(system: System, q: np.ndarray, v: np.ndarray) -> tuple[dict[str, Timed], np.ndarray]:
    """A model without geometry; flags off that could find anything else to do."""
    import mujoco

    spec = mujoco.MjSpec()
    spec.option.gravity = gravity(system)
    for flag in ("CONSTRAINT", "CONTACT", "EQUALITY", "FRICTIONLOSS", "LIMIT", "ACTUATION", "SENSOR"):
        spec.option.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}", 0))
    body = spec.worldbody
    for k, (offset, axis, center, m, J) in enumerate(links(system)):
        full = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
        body = body.add_body(name=f"link{k}", pos=offset, mass=m, ipos=center, fullinertia=full, explicitinertial=True)
        body.add_joint(name=f"hinge{k}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis)
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = q, v

    def forward(count: int) -> None:
        for _ in range(count):
            mujoco.mj_forward(model, data)

    forward(1)
    return {"mujoco": forward}, data.qacc.copy()


PROGRAMS = {"biela": in_biela, "pinocchio": in_pinocchio, "mujoco": in_mujoco}


# ---------------------------------------------------------------------------------------------- measuring
def microseconds(timed: dict[str, Timed]) -> dict[str, float]:
    """Median CPU time of one evaluation by each program; they take turns."""
    counts = {}
    for name, f in timed.items():
        prepare = getattr(f, "prepare", lambda count: None)
        prepare(1)
        f(1)
        count, spent = 1, 0.0
        while spent < SECONDS / 4:
            prepare(count)
            begun = process_time()
            f(count)
            spent = process_time() - begun
            count = count if spent >= SECONDS / 4 else 2 * count
        counts[name] = max(1, round(count * SECONDS / spent))
        prepare(counts[name])
    times: dict[str, list[float]] = {name: [] for name in timed}
    for _ in range(ROUNDS):
        for name, f in timed.items():
            begun = process_time()
            f(counts[name])
            times[name].append((process_time() - begun) / counts[name])
    return {name: 1e6 * median(values) for name, values in times.items()}


def one_size(chain: str, n: int) -> dict:
    """All the programs on one chain, and how far their accelerations are from biela's."""
    begun = perf_counter()
    system = build(resolve(load(chain).with_parameters(n=n)), "relative")
    built = perf_counter() - begun
    rng = np.random.default_rng(n)
    v = rng.uniform(-1, 1, n)
    states = {"random": (rng.uniform(-1, 1, n), v), "straight": (np.zeros(n), v)}
    apart: dict[str, dict[str, float]] = {}
    timed: dict[str, Timed] = {}
    for state, (q, v) in states.items():
        found = {}
        for name, make in PROGRAMS.items():
            if find_spec(name) is not None and n <= UP_TO.get(name, n):
                functions, found[name] = make(system, q, v)
                timed |= functions if state == "random" else {}
        size = np.abs(found["biela"]).max()
        apart[state] = {
            name: float(np.abs(a - found["biela"]).max() / size) for name, a in found.items() if name != "biela"
        }
    in_biela(system, *states["random"])
    return {"n": n, "build_s": built, "us": microseconds(timed), "relative_difference": apart}


def exponent(rows: list[dict]) -> float:
    """p of cost = c n^p, by least squares over the large chains."""
    n, us = np.array([(r["n"], r["us"]["biela"]) for r in rows if r["n"] >= LARGE]).T
    return float(np.polyfit(np.log(n), np.log(us), 1)[0])


def table(rows: list[dict]) -> str:
    """Microseconds per evaluation, and the others' over biela's."""
    names = list(rows[0]["us"])
    others = [f"{name} / biela" for name in names[1:]]
    heads = ("n", *names, "biela, ns per bar", *others)
    lines = ["".join(f"{h:>{max(10, len(h) + 3)}}" for h in heads)]
    for r in rows:
        us = [r["us"].get(name, np.nan) for name in names]
        ratios = [f"{u / us[0]:.2f}" for u in us[1:]]
        cells = [str(r["n"]), *(f"{u:.3f}" for u in us), f"{1e3 * us[0] / r['n']:.0f}", *ratios]
        lines.append("".join(f"{c:>{max(10, len(h) + 3)}}" for c, h in zip(cells, heads, strict=True)))
    return "\n".join(lines).replace("nan", "  -")


def main() -> None:
    """Measure, print, save."""
    used = ["biela", "numba", *(p for p in ("pin", "mujoco") if find_spec({"pin": "pinocchio"}.get(p, p)))]
    results: dict[str, Any] = {
        "machine": platform.machine(),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in used},
    }
    for chain in CHAINS:
        rows = [one_size(chain, n) for n in SIZES]
        results[chain] = {"exponent": exponent(rows), "sizes": rows}
        print(f"\n{chain}: microseconds of CPU time per evaluation\n{table(rows)}")
        print(f"biela's cost grows as n^{results[chain]['exponent']:.3f} from n = {LARGE} on")
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    (folder / "open_chain.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
