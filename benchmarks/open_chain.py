"""Cost of one forward-dynamics evaluation of open chains and trees: `python benchmarks/open_chain.py`.

biela's articulated-body recursion in relative coordinates (the whole evaluation that every formulation and integrator
calls: kinematics, forces, accelerations, q') beside Pinocchio's and MuJoCo's `mj_forward` (composite inertia and a
factorisation; contacts and constraints are off). All get the same mechanism and the same random state, and take turns;
numbers are the least CPU time of the rounds. biela is called in a compiled loop. Pinocchio is timed in every way that
the wheel offers, and the quickest counts: call by call from Python (in the axes of the bodies, and in those of the
ground: WORLD), over a batch of states (`pin.abaInParallel` on one thread), which leaves Python out, and with --cpp from
a loop in C++ (`pinocchio_loop.cpp`, whose head says how it is compiled). Its joints turn and slide along z of frames
turned to suit, the quickest it has. `relative_difference` in the file is that of the accelerations to biela's.

Families: planar (library `chain`), revolute (`spatial-chain`), prismatic, spherical, mixed, floating (six freedoms at
the root, then hinges) and branched (hinges, each body carries two). `scaling` goes on to n = 4096, where only biela is
left, and times `biela.assemble` as well; `step` is one step of the classical Runge-Kutta method with its monitors.

Prints tables and writes benchmarks/results/open_chain.json. What is not installed is left out (pip install
'biela[bench]').
"""

from __future__ import annotations

import argparse
import ctypes
import json
import platform
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numba
import numpy as np
from numba import types

import biela
from biela.coordinates.tree.links import BALL, SLIDE, TURN
from biela.kernels.tree.plane_links import PLANE_DATA
from biela.kernels.tree.space_links import LINK, SPACE_DATA
from biela.library import load
from biela.machine.compiled import EVALUATE, HEADER, SETTLE, STEP
from biela.methods.formulations.recursive import evaluate, settle_open
from biela.methods.integrators.explicit.rk4 import step as rk4_step
from biela.methods.loops.monitors_from_python import monitor_here
from biela.model.resolve import resolve
from biela.system.system import System, build

HERE = Path(__file__).resolve().parent
SIZES = [2**k for k in range(1, 10)]
LARGE_SIZES = [1024, 2048, 4096]
LARGE = 32  # the exponent is that of the chains from here on
ROUNDS, SECONDS = 9, 0.01  # of each program and size, and about how long one of them takes
# Pinocchio's Data hold arrays of n^3 numbers, 1 GB at 256 and 60 GB for n = 1024; MuJoCo takes no tree as deep as 1024
UP_TO = {"pinocchio": 512, "mujoco": 128}
SEVERAL = 128  # so far Pinocchio is timed in all the ways, each with Data of its own; then from Python alone
FAMILIES = ("planar", "revolute", "prismatic", "spherical", "mixed", "floating", "branched")
Timed = Callable[[int], Any]
"""evaluates as many times as it is told"""


@numba.njit(types.int64(HEADER, types.FunctionType(EVALUATE), types.int64))
def again(header, f, count):
    """Evaluate `count` times."""
    status = 0
    for _ in range(count):
        status += f(header, 0.0)
    return status


@numba.njit(
    types.int64(
        HEADER, types.FunctionType(STEP), types.FunctionType(EVALUATE), types.FunctionType(SETTLE),
        types.FunctionType(EVALUATE), types.float64, types.int64,
    )
)  # fmt: skip
def steps(header, step, f, settle, look, h, count):
    """Take `count` steps, and look at the energy after each."""
    status = 0
    for k in range(count):
        status += step(header, f, settle, k * h, h)
        status += look(header, k * h)
    return status


# ---------------------------------------------------------------------------------------------- mechanisms
def family(name: str, n: int) -> biela.Model:
    """A chain or tree of n bodies."""
    if name in ("planar", "revolute"):
        return load("chain" if name == "planar" else "spatial-chain").with_parameters(n=n)
    rng = np.random.default_rng(n)
    m = biela.Model(gravity=[0, 0, -9.81])
    places: list[np.ndarray] = []
    for k in range(n):
        parent = (k - 1) // 2 if name == "branched" else k - 1
        at = (places[parent] if parent >= 0 else np.zeros(3)) + rng.uniform(0.05, 0.15, 3)
        places.append(at)
        inertia = np.diag(rng.uniform(1e-4, 2e-4, 3))
        m.add_body(f"b{k}", mass=0.1, center=[0.05, 0.0, 0.01], inertia=inertia.tolist(), position=at.tolist())
        type = {"floating": "revolute", "branched": "revolute"}.get(name, name)
        if name == "mixed":
            type = ("revolute", "prismatic", "spherical")[k % 3]
        if name == "floating" and k == 0:
            continue
        axis = {} if type == "spherical" else {"axis": rng.normal(size=3).tolist()}
        bodies = (f"b{parent}" if parent >= 0 else "ground", f"b{k}")
        m.add_joint(f"J{k}", type, bodies=bodies, at=at.tolist(), **axis)
    return m


def system_of(name: str, n: int) -> System:
    """Its equations in relative coordinates, without a start."""
    return build(resolve(family(name, n)), "relative")


def random_state(system: System, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and velocities between -1 and 1 (quaternions of length one)."""
    rng = np.random.default_rng(seed)
    q, v = rng.uniform(-1, 1, system.nq), rng.uniform(-1, 1, system.n)
    for i in system.arrays.quat_q:
        q[i : i + 4] /= np.linalg.norm(q[i : i + 4])
    return q, v


def links(system: System) -> list[tuple]:
    """Of each link: parent, kind, axes and origin in the parent's (turning or sliding along z), m, centre, inertia."""
    s, plane, out = system.arrays, system.resolved.dimension == 2, []
    turned = [np.eye(3)]  # axes of these links in those of biela's, where they differ
    for l, (kind, _, parent, _, _) in enumerate(s.link.reshape(-1, LINK).astype(int)):
        if plane:
            ox, oy, ax, ay, m, hx, hy, J = s.link_data[PLANE_DATA * l : PLANE_DATA * (l + 1)]
            o, h = np.array([ox, oy, 0.0]), np.array([hx, hy, 0.0])
            z = np.array([0.0, 0.0, ax]) if kind == TURN else np.array([ax, ay, 0.0])
            K = np.eye(3) if kind == TURN else _frame(z)
            assert kind != TURN or ax == 1.0
            E, tensor = K, np.zeros((3, 3))
        else:
            data = s.link_data[SPACE_DATA * l : SPACE_DATA * (l + 1)]
            P, o, m, h = data[:9].reshape(3, 3), data[9:12], data[13], data[14:17]
            xx, yy, zz, xy, xz, yz = data[17:]
            tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            K = _frame(P[0]) if kind == SLIDE else np.eye(3)  # axes of this link in biela's of the same link
            E = K if kind == SLIDE else P
        before = turned[parent]
        turned.append(K)
        c = h / m if m else h
        central = tensor - m * (c @ c * np.eye(3) - np.outer(c, c))
        if plane:  # about z alone; a body that can exist has something about x and y
            central = (J - m * c @ c) * np.eye(3)
        out.append((parent, kind, before.T @ E, before.T @ o, m, K.T @ c, K.T @ central @ K))
    return out


def _frame(z: np.ndarray) -> np.ndarray:
    z = z / np.linalg.norm(z)
    x = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def gravity(system: System) -> np.ndarray:
    """In the ground's axes."""
    return np.array([*system.resolved.gravity, 0.0])[:3]


# ------------------------------------------------------------------------------------------- the programs
def in_biela(system: System, q: np.ndarray, v: np.ndarray) -> tuple[dict[str, Timed], np.ndarray]:
    """The recursion that every formulation takes on an open tree."""
    s, header = system.arrays, system.header
    s.q[:], s.v[:] = q, v
    assert again(header, evaluate, 1) == 0
    return {"biela": lambda count: again(header, evaluate, count)}, s.a.copy()


def _their_q(system: System, q: np.ndarray) -> np.ndarray:
    """Quaternions with the scalar last."""
    out = q.copy()
    for i in system.arrays.quat_q:
        out[i : i + 4] = q[[i + 1, i + 2, i + 3, i]]
    return out


def in_pinocchio(system: System, q: np.ndarray, v: np.ndarray) -> tuple[dict[str, Timed], np.ndarray]:
    """One of its own joints for each link; a floating root is its free flyer."""
    import pinocchio as pin

    model = pin.Model()
    model.gravity.linear = gravity(system)
    parts, joint_of = links(system), [0]
    kinds = [int(p[1]) for p in parts]
    floats = kinds[:4] == [SLIDE, SLIDE, SLIDE, BALL] and not any(p[4] for p in parts[:3])
    for k, (parent, kind, R, o, m, c, J) in enumerate(parts):
        if floats and k < 3:
            joint_of.append(0)
            continue
        if floats and k == 3:
            joint, place = pin.JointModelFreeFlyer(), pin.SE3.Identity()
        else:
            joint = {SLIDE: pin.JointModelPZ, BALL: pin.JointModelSpherical}.get(kind, pin.JointModelRZ)()
            place = pin.SE3(R, o)
        index = model.addJoint(joint_of[parent], joint, place, f"j{k}")
        model.appendBodyToJoint(index, pin.Inertia(float(m), c, J), pin.SE3.Identity())
        joint_of.append(index)
    their_q, their_v, bias = _their_q(system, q), v.copy(), np.zeros(system.n)
    turn = np.eye(3)
    if floats:  # its velocities are in the axes of the body; its origin is where biela's ball is
        turn = pin.Quaternion(*q[3:7]).toRotationMatrix()
        their_v[:3] = turn.T @ v[:3]
        bias[:3] = -np.cross(v[3:6], turn.T @ v[:3])
    data, none = model.createData(), np.zeros(model.nv)
    batches: dict[int, list[np.ndarray]] = {}

    def one_by_one(count: int) -> None:
        for _ in range(count):
            pin.aba(model, data, their_q, their_v, none)

    def in_ground_axes(count: int) -> None:
        for _ in range(count):
            pin.aba(model, data, their_q, their_v, none, pin.Convention.WORLD)

    def batch(count: int) -> None:
        pin.abaInParallel(1, pool, *batches[count])

    def prepare(count: int) -> None:
        states = [np.asfortranarray(np.tile(x[:, None], count)) for x in (their_q, their_v, none, none)]
        batches.clear()
        batches[count] = states

    batch.prepare = prepare  # type: ignore[attr-defined]
    a = pin.aba(model, data, their_q, their_v, none).copy()
    if floats:
        a -= bias
        a[:3] = turn @ a[:3]
    timed: dict[str, Timed] = {"pinocchio": one_by_one, "its WORLD": in_ground_axes}
    if len(parts) > SEVERAL:
        return timed, a
    pool = pin.ModelPool(model, 1)
    timed["its batch"] = batch
    if CPP and not floats:
        timed |= in_cpp(system, parts, their_q, their_v, a)
    return timed, a


CPP: dict[str, ctypes.CDLL] = {}
"""compiled loops around Pinocchio's C++ library, by name (--cpp NAME=FILE)"""


def in_cpp(system: System, parts: list[tuple], q: np.ndarray, v: np.ndarray, expected: np.ndarray) -> dict[str, Timed]:
    """The same model in C++, without any Python in the loop."""
    rows = [[parent, 0 if kind == TURN else 1 if kind == SLIDE else 2, *R.ravel(), *o, m, *c, *J.ravel()]
            for parent, kind, R, o, m, c, J in parts]  # fmt: skip
    table, g = np.ascontiguousarray(rows, dtype=float), np.ascontiguousarray(gravity(system), dtype=float)
    out, timed = np.zeros(system.n), {}

    def address(x: np.ndarray) -> ctypes.c_void_p:
        return ctypes.c_void_p(x.ctypes.data)

    for name, lib in CPP.items():
        lib.make.restype = ctypes.c_void_p
        model = ctypes.c_void_p(lib.make(len(rows), address(table), address(g)))
        lib.state(model, address(q), address(v))
        for world in (0, 1):

            def f(count: int, lib=lib, model=model, world=world) -> None:
                lib.evaluate(model, count, world, address(out))

            f(1)
            # (on long chains of balls WORLD loses all its digits)
            assert world or np.abs(out - expected).max() < 1e-6 * np.abs(expected).max()
            timed[f"{name}{' WORLD' if world else ''}"] = f
    return timed


def in_mujoco(system: System, q: np.ndarray, v: np.ndarray) -> tuple[dict[str, Timed], np.ndarray]:
    """A model without geometry; flags off that could find anything else to do."""
    import mujoco

    spec = mujoco.MjSpec()
    spec.option.gravity = gravity(system)
    for flag in ("CONSTRAINT", "CONTACT", "EQUALITY", "FRICTIONLOSS", "LIMIT", "ACTUATION", "SENSOR"):
        spec.option.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}", 0))
    bodies = [spec.worldbody]
    for k, (parent, _, R, o, m, c, J) in enumerate(links(system)):
        full = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, np.ascontiguousarray(R).ravel())
        body = bodies[parent].add_body(
            name=f"link{k}", pos=o, quat=quat, mass=m, ipos=c, fullinertia=full, explicitinertial=True
        )
        body.add_joint(name=f"hinge{k}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1])
        bodies.append(body)
    model = spec.compile()
    data = mujoco.MjData(model)
    at = [model.joint(f"hinge{k}").dofadr[0] for k in range(system.n)]  # it orders branch by branch
    data.qpos[at], data.qvel[at] = q, v

    def forward(count: int) -> None:
        for _ in range(count):
            mujoco.mj_forward(model, data)

    forward(1)
    return {"mujoco": forward}, data.qacc[at]


PROGRAMS = {"biela": in_biela, "pinocchio": in_pinocchio, "mujoco": in_mujoco}


# ---------------------------------------------------------------------------------------------- measuring
def microseconds(timed: dict[str, Timed], rounds: int = ROUNDS, seconds: float = SECONDS) -> dict[str, float]:
    """Least CPU time of one evaluation by each program; they take turns."""
    counts = {}
    for name, f in timed.items():
        prepare = getattr(f, "prepare", lambda count: None)
        prepare(1)
        f(1)
        count, spent = 1, 0.0
        while spent < seconds / 4:
            prepare(count)
            begun = process_time()
            f(count)
            spent = process_time() - begun
            count = count if spent >= seconds / 4 else 2 * count
        counts[name] = max(1, round(count * seconds / spent))
        prepare(counts[name])
    least = dict.fromkeys(timed, np.inf)
    for _ in range(rounds):
        for name, f in timed.items():
            begun = process_time()
            f(counts[name])
            least[name] = min(least[name], (process_time() - begun) / counts[name])
    return {name: 1e6 * value for name, value in least.items()}


def runs(program: str, name: str, n: int) -> bool:
    """Whether a program takes part."""
    if program == "mujoco" and name not in ("planar", "revolute", "branched"):
        return False
    return find_spec(program) is not None and n <= UP_TO.get(program, n)


def one_size(name: str, n: int, rounds: int = ROUNDS) -> dict:
    """All the programs on one chain or tree, and how far their accelerations are from biela's."""
    system = system_of(name, n)
    states = {"random": random_state(system, n)}
    if name in ("planar", "revolute") and n <= 256:  # where there is room for more of Pinocchio's Data
        states["straight"] = (np.zeros(system.n), states["random"][1])
    apart: dict[str, dict[str, float]] = {}
    timed: dict[str, Timed] = {}
    for state, (q, v) in states.items():
        found = {}
        for program, make in PROGRAMS.items():
            if runs(program, name, n):
                functions, found[program] = make(system, q, v)
                timed |= functions if state == "random" else {}
        size = np.abs(found["biela"]).max()
        apart[state] = {k: float(np.abs(a - found["biela"]).max() / size) for k, a in found.items() if k != "biela"}
    in_biela(system, *states["random"])
    us = microseconds(timed, rounds)
    theirs = [value for key, value in us.items() if key not in ("biela", "mujoco")]
    out = {"n": n, "freedoms": system.n, "us": us, "relative_difference": apart}
    return out | ({"biela_over_pinocchio": us["biela"] / min(theirs)} if theirs else {})


def one_step(name: str, n: int) -> float:
    """Microseconds of one Runge-Kutta step of order 4 (four evaluations), energy and turns looked at after it."""
    system = system_of(name, n)
    q, v = random_state(system, n)
    s = system.arrays

    def take(count: int) -> None:
        s.q[:], s.v[:] = q, 0.1 * v
        again(system.header, evaluate, 1)
        assert steps(system.header, rk4_step, evaluate, settle_open, monitor_here, 1e-5, count) == 0

    return microseconds({"step": take})["step"]


def assembly_seconds(name: str, n: int) -> float:
    """CPU time of `biela.assemble`."""
    begun = process_time()
    biela.assemble(family(name, n), "relative")
    return process_time() - begun


def exponent(rows: list[dict], key: Callable[[dict], float] = lambda r: r["us"]["biela"]) -> float:
    """p of cost = c n^p, by least squares over the large chains."""
    n, cost = np.array([(r["n"], key(r)) for r in rows if r["n"] >= LARGE]).T
    return float(np.polyfit(np.log(n), np.log(cost), 1)[0])


def table(rows: list[dict]) -> str:
    """Microseconds per evaluation, and biela's over Pinocchio's best."""
    names = list(dict.fromkeys(name for r in rows for name in r["us"]))
    heads = ("n", *names, "biela, ns per body", "biela / pinocchio's best")
    lines = ["".join(f"{h:>{max(10, len(h) + 3)}}" for h in heads)]
    for r in rows:
        us = [r["us"].get(name, np.nan) for name in names]
        ratio = f"{r['biela_over_pinocchio']:.3f}" if "biela_over_pinocchio" in r else "-"
        cells = [str(r["n"]), *(f"{u:.3f}" for u in us), f"{1e3 * us[0] / r['n']:.0f}", ratio]
        lines.append("".join(f"{c:>{max(10, len(h) + 3)}}" for c, h in zip(cells, heads, strict=True)))
    return "\n".join(lines).replace("nan", "  -")


def measure(families: tuple[str, ...] = FAMILIES, sizes: list[int] = SIZES, large: list[int] = LARGE_SIZES) -> dict:
    """Everything, as it goes into the file."""
    results: dict[str, Any] = {}
    for name in families:
        begun = perf_counter()
        mine = name in ("planar", "revolute")
        rows = [one_size(name, n) for n in ([*sizes, *large] if mine else [n for n in sizes if n <= SEVERAL])]
        results[name] = {"exponent": exponent(rows), "sizes": rows}
        print(f"\n{name}: microseconds of CPU time per evaluation\n{table(rows)}")
        print(f"biela's cost grows as n^{results[name]['exponent']:.3f} from n = {LARGE} on")
        if mine:
            results[name]["rk4_step_us"] = {n: one_step(name, n) for n in (2, 8, 128)}
            print("one step of RK4 with its monitors, us:", results[name]["rk4_step_us"])
            build_rows = [{"n": n, "s": assembly_seconds(name, n)} for n in (256, 1024, 4096)]
            results[name]["assembly"] = {
                "exponent": exponent(build_rows, lambda r: r["s"]), "sizes": build_rows
            }  # fmt: skip
            print("biela.assemble, s:", {r["n"]: round(r["s"], 2) for r in build_rows},
                  f"n^{results[name]['assembly']['exponent']:.2f}")  # fmt: skip
        print(f"({perf_counter() - begun:.0f} s)", flush=True)
    return results


def main() -> None:
    """Measure, print, save."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cpp", action="append", default=[], metavar="NAME=FILE", help="compiled pinocchio_loop.cpp")
    parser.add_argument("--only", nargs="*", default=list(FAMILIES))
    parser.add_argument("--largest", type=int, default=4096)
    arguments = parser.parse_args()
    for item in arguments.cpp:
        name, _, file = item.partition("=")
        CPP[name] = ctypes.CDLL(file)
    used = ["biela", "numba", *(p for p in ("pin", "mujoco") if find_spec({"pin": "pinocchio"}.get(p, p)))]
    results: dict[str, Any] = {
        "machine": platform.machine(),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in used},
    }
    small = [n for n in SIZES if n <= arguments.largest]
    large = [n for n in LARGE_SIZES if n <= arguments.largest]
    results |= measure(tuple(arguments.only), small, large)
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    (folder / "open_chain.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
