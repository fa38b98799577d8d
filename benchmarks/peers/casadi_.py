"""casadi: equations in symbols, generated C compiled with `cc -O3 -march=native`, RK4 in a loop of C; IDAS for loops.

Double pendulum: minimal equations M(q) a = f solved in symbols, RK4 step generated as C, looped in C.
Andrews: the seven angles of the test set, index 1 (accelerations and multipliers algebraic), IDAS, functions compiled.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import casadi as ca
import numpy as np
from harness.case import Method
from harness.planar import GROUND, Planar
from harness.steps import graded

PROGRAM = "casadi"
FLAGS = ["-O3", "-march=native", "-fno-math-errno"]
FOLDER = Path(tempfile.mkdtemp(prefix="biela-bench-"))


def methods(problem, quick: bool = False) -> list[Method]:
    """What suits the problem; nothing for loops with singular positions, where index 1 has no solution."""
    c = problem.coarse
    if problem.name == "double_pendulum" and shutil.which("cc"):
        words = "generated C, " + " ".join(FLAGS)
        return [Method("C RK4", graded(2 * c, c / 64), words)]
    if problem.name == "andrews":
        return [
            Method(
                "IDAS",
                tuple(10.0 ** (-k / 2) for k in range(8, 23)),
                "index 1, compiled functions, suppress_algebraic, init_xdot",
                True,
            )
        ]
    return []


def make(problem, method: Method, value: float):
    """A case."""
    return (TreeRun if method.name == "C RK4" else AndrewsRun)(problem, method, value)


LOOP = """
int rk4_of_tree(const double** arg, double** res, long long* iw, double* w, int mem);

void march(double* x, double h, long long steps) {
  const double* arg[8]; double* res[8]; long long iw[64]; double w[4096]; double y[%d];
  for (long long k = 0; k < steps; k++) {
    arg[0] = x; arg[1] = &h; res[0] = y;
    rk4_of_tree(arg, res, iw, w, 0);
    for (int i = 0; i < %d; i++) x[i] = y[i];
  }
}
"""


def accelerations(problem: Planar, q, v):
    """Of an open tree in relative angles, from Lagrange's equations with the place of each centre as a symbol."""
    parent, hinge, _ = problem.tree()
    order = problem.order()
    turn, rate, at, speed, T, V = {}, {}, {}, {}, 0, 0
    for k, b in enumerate(order):
        p = parent[b]
        turn[b] = q[k] + (turn[p] if p != GROUND else 0)
        rate[b] = v[k] + (rate[p] if p != GROUND else 0)

        def point(body, xy, turn=turn, at=at):
            if body == GROUND:
                return ca.vertcat(*xy)
            x, y = xy[0] - hinge[body][0], xy[1] - hinge[body][1]
            c, s = ca.cos(turn[body]), ca.sin(turn[body])
            return at[body] + ca.vertcat(c * x - s * y, s * x + c * y)

        at[b] = point(p, hinge[b])
        center = point(b, problem.center[b])
        speed[b] = ca.jacobian(center, q) @ v
        T += 0.5 * problem.mass[b] * ca.dot(speed[b], speed[b]) + 0.5 * problem.inertia[b] * rate[b] ** 2
        V += problem.mass[b] * problem.gravity * center[1]
    p = ca.gradient(T, v)
    M = ca.jacobian(p, v)
    f = ca.gradient(T - V, q) - ca.jacobian(p, q) @ v
    return ca.solve(M, f)


class TreeRun:
    """Minimal equations of an open tree."""

    library: ctypes.CDLL | None = None

    def __init__(self, problem: Planar, method: Method, value: float):
        self.problem, n = problem, len(problem.mass)
        self.steps = round(problem.duration / value)
        self.h = problem.duration / self.steps
        if TreeRun.library is None:
            TreeRun.library = self.compile(n)
        self.x0 = np.concatenate([np.zeros(n), problem.relative_start()])

    def compile(self, n: int) -> ctypes.CDLL:
        x, h = ca.SX.sym("x", 2 * n), ca.SX.sym("h")
        q, v = ca.SX.sym("q", n), ca.SX.sym("v", n)
        f = ca.Function("f", [ca.vertcat(q, v)], [ca.vertcat(v, accelerations(self.problem, q, v))], {"cse": True})
        k1 = f(x)
        k2 = f(x + h / 2 * k1)
        k3 = f(x + h / 2 * k2)
        k4 = f(x + h * k3)
        step = ca.Function("rk4_of_tree", [x, h], [x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)], {"cse": True})
        assert step.sz_w() < 4096 and step.sz_iw() < 64
        here = Path.cwd()
        os.chdir(FOLDER)  # casadi writes where it is
        try:
            generator = ca.CodeGenerator("step.c", {"with_header": False})
            generator.add(step)
            generator.generate()
            text = (FOLDER / "step.c").read_text() + LOOP % (2 * n, 2 * n)
            (FOLDER / "march.c").write_text(text)
            subprocess.run(
                ["cc", *FLAGS, "-shared", "-fPIC", "-Wl,-Bsymbolic", "march.c", "-o", "march.so", "-lm"], check=True
            )
        finally:
            os.chdir(here)
        library = ctypes.CDLL(str(FOLDER / "march.so"))
        library.march.argtypes = [ctypes.c_void_p, ctypes.c_double, ctypes.c_longlong]
        return library

    def reset(self) -> None:
        self.x = self.x0.copy()

    def run(self) -> None:
        self.library.march(self.x.ctypes.data, self.h, self.steps)

    def record(self, samples: int) -> np.ndarray:
        self.reset()
        out, every, done, n = [], max(1, self.steps // samples), 0, len(self.problem.mass)
        while done < self.steps:
            count = min(every, self.steps - done)
            self.library.march(self.x.ctypes.data, self.h, count)
            done += count
            out.append(self.x.copy())
        x = np.array(out)
        return self.problem.from_relative(x[:, :n], x[:, n:])


class AndrewsRun:
    """q' = v, v' = w; M w = f - G'lam, G w = -(G v)_q v."""

    def __init__(self, problem: Planar, method: Method, value: float):
        from problems import andrews as s

        self.problem, self.steps = problem, 0
        q, v, w, lam = (ca.SX.sym(name, k) for name, k in (("q", 7), ("v", 7), ("w", 7), ("lam", 6)))
        *centers, D = [ca.vertcat(*c) for c in s.places(q, ca.cos, ca.sin)]
        rates = [v[0], v[0] + v[1], v[2], v[3] + v[4], v[4], v[5] + v[6], v[6]]
        T = sum(
            0.5 * m * ca.sumsqr(ca.jacobian(c, q) @ v) + 0.5 * J * r**2
            for m, J, c, r in zip(s.MASS, s.INERTIA, centers, rates, strict=True)
        )
        V = 0.5 * s.STIFFNESS * (ca.norm_2(D - ca.DM(s.C)) - s.FREE) ** 2 - s.MOTOR * q[0]
        p = ca.gradient(T, v)
        M = ca.jacobian(p, v)
        f = ca.gradient(T - V, q) - ca.jacobian(p, q) @ v
        Phi = ca.vertcat(*s.constraints(q, ca.cos, ca.sin))
        G = ca.jacobian(Phi, q)
        bias = ca.jacobian(G @ v, q) @ v
        residual = ca.vertcat(M @ w - f + G.T @ lam, G @ w + bias)
        dae = {"x": ca.vertcat(q, v), "z": ca.vertcat(w, lam), "ode": ca.vertcat(v, w), "alg": residual}
        # consistent accelerations at the start
        saddle = ca.Function("saddle", [q, v], [ca.blockcat([[M, G.T], [G, ca.SX(6, 6)]]), ca.vertcat(f, -bias)])
        A, b = (np.array(x) for x in saddle(s.START, np.zeros(7)))
        self.x0 = np.concatenate([s.START, np.zeros(7)])
        self.z0 = np.linalg.solve(A, b).ravel()
        # multipliers out of the error test and a consistent x' at the start: twice as fast as without
        options = {
            "abstol": value,
            "reltol": value,
            "max_num_steps": 100000,
            "suppress_algebraic": True,
            "init_xdot": [*self.x0[7:], *self.z0[:7]],
        }
        if shutil.which("cc"):
            options |= {
                "jit": True,
                "compiler": "shell",
                "jit_options": {"flags": FLAGS, "compiler": "cc", "verbose": False},
            }
        self.dae, self.options, self.start = dae, options, s.START
        here = Path.cwd()
        os.chdir(FOLDER)
        try:
            self.integrator = ca.integrator("andrews", "idas", dae, 0.0, problem.duration, options)
        finally:
            os.chdir(here)

    def reset(self) -> None:
        pass

    def run(self) -> None:
        self.x = np.array(self.integrator(x0=self.x0, z0=self.z0)["xf"]).ravel()
        self.steps = int(self.integrator.stats().get("nsteps", 0))

    def record(self, samples: int) -> np.ndarray:
        from problems import andrews as s

        self.run()
        here = Path.cwd()
        os.chdir(FOLDER)
        try:
            grid = list(np.linspace(0.0, self.problem.duration, samples + 1)[1:])
            many = ca.integrator("samples", "idas", self.dae, 0.0, grid, self.options)
        finally:
            os.chdir(here)
        x = np.array(many(x0=self.x0, z0=self.z0)["xf"]).T if samples > 1 else self.x[None]
        x[-1] = self.x
        q, v = x[:, :7], x[:, 7:]
        out = np.zeros((len(x), 7, 6))
        turn, rate = s.turns(q) - s.turns(s.START), s.turns(v)
        out[..., 2], out[..., 5] = turn, rate
        places = ca.Function(
            "places",
            [Q := ca.SX.sym("Q", 7), W := ca.SX.sym("W", 7)],
            [
                ca.vertcat(*[ca.vertcat(*c) for c in s.places(Q, ca.cos, ca.sin)[:7]]),
                ca.jacobian(ca.vertcat(*[ca.vertcat(*c) for c in s.places(Q, ca.cos, ca.sin)[:7]]), Q) @ W,
            ],
        )
        for k in range(len(x)):
            at, speed = (np.array(a).reshape(7, 2) for a in places(q[k], v[k]))
            out[k, :, :2], out[k, :, 3:5] = at, speed
        return out
