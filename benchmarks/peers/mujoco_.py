"""mujoco: a tree of hinges, loops closed by `connect` equalities; all the steps in one call of `mj_step`.

Settings: contacts, sensors and other stages off. Loops are made as stiff as its soft constraints allow: time constant
2 h, impedance 0.9999, Newton's solver (mujoco's own limit: constraints are springs, so a gap is left).
"""

from __future__ import annotations

import mujoco
import numpy as np
from harness.case import Method
from harness.planar import GROUND, Planar
from harness.steps import ladder
from problems.heavy_top import MASS, Q0, SPIN, G, J, Top

PROGRAM = "mujoco"
OFF = ("CONTACT", "FRICTIONLOSS", "LIMIT", "SENSOR", "ACTUATION", "CLAMPCTRL", "FILTERPARENT")


def methods(problem, quick: bool = False) -> list[Method]:
    """Semi-implicit Euler and RK4."""
    c = problem.coarse
    loops = isinstance(problem, Planar) and bool(problem.tree()[2])
    words = "connect equalities, solref 2h, solimp 0.9999, Newton" if loops else "tree, no constraints"
    stiff = "stiff " if loops else ""
    return [
        Method(f"{stiff}Euler", ladder(c, c / 1024 if not loops else c / 128), words, options={"integrator": "EULER"}),
        Method(f"{stiff}RK4", ladder(c, c / 64), words, options={"integrator": "RK4"}),
    ]


def option(spec, problem, method: Method, h: float) -> None:
    """Common to all models."""
    spec.option.timestep = h
    spec.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{method.options['integrator']}")
    spec.option.solver = mujoco.mjtSolver.mjSOL_NEWTON
    for flag in OFF:
        spec.option.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}", 0))
    # the implicit damping of Euler has nothing to damp here
    spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_EULERDAMP)


class Run:
    """Common to planar problems and the top."""

    problem: object
    model: mujoco.MjModel
    start: np.ndarray
    steps: int

    def reset(self) -> None:
        mujoco.mj_resetData(self.model, self.data)
        self.data.qvel[:] = self.start
        mujoco.mj_forward(self.model, self.data)

    def run(self) -> None:
        mujoco.mj_step(self.model, self.data, nstep=self.steps)

    def record(self, samples: int) -> np.ndarray:
        self.reset()
        out, every = [], max(1, self.steps // samples)
        for k in range(1, self.steps + 1):
            mujoco.mj_step(self.model, self.data)
            if k % every == 0 or k == self.steps:
                out.append((self.data.qpos.copy(), self.data.qvel.copy()))
        q, v = (np.array(x) for x in zip(*out, strict=True))
        return self.motion(q, v)


class PlanarRun(Run):
    """Hinges about z."""

    def __init__(self, problem: Planar, method: Method, value: float):
        self.problem, self.order = problem, problem.order()
        self.steps = round(problem.duration / value)
        h = problem.duration / self.steps
        parent, hinge, loops = problem.tree()
        spec = mujoco.MjSpec()
        spec.compiler.degree = False
        spec.option.gravity = [0, -problem.gravity, 0]
        option(spec, problem, method, h)
        if not loops:
            spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
        bodies = {GROUND: spec.worldbody}
        origin = {GROUND: (0.0, 0.0)} | dict(enumerate(hinge))
        for b in self.order:
            o, before = hinge[b], origin[parent[b]]
            c, J = problem.center[b], problem.inertia[b]
            bodies[b] = bodies[parent[b]].add_body(
                name=f"b{b}",
                pos=[o[0] - before[0], o[1] - before[1], 0],
                mass=problem.mass[b],
                ipos=[c[0] - o[0], c[1] - o[1], 0],
                inertia=[J, J, J],
                explicitinertial=True,
            )
            bodies[b].add_joint(name=f"j{b}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1])
        for i, j, x, y in loops:
            e = spec.add_equality(type=mujoco.mjtEq.mjEQ_CONNECT, objtype=mujoco.mjtObj.mjOBJ_BODY)
            i, j = (j, i) if i == GROUND else (i, j)
            e.name1, e.name2 = f"b{i}", ("world" if j == GROUND else f"b{j}")
            e.data[:3] = [x - origin[i][0], y - origin[i][1], 0]
            e.solref[:2], e.solimp[:3] = [2 * h, 1.0], [0.9999, 0.9999, 0.001]
        for k, (body, here, there, stiffness, free) in enumerate(problem.springs):
            o = origin[body]
            bodies[body].add_site(name=f"s{k}", pos=[here[0] - o[0], here[1] - o[1], 0])
            spec.worldbody.add_site(name=f"g{k}", pos=[*there, 0])
            tendon = spec.add_tendon(name=f"t{k}", stiffness=[stiffness, 0, 0], springlength=[free, free])
            tendon.wrap_site(f"s{k}")
            tendon.wrap_site(f"g{k}")
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        # mujoco numbers bodies depth first
        self.address = [self.model.joint(f"j{b}").dofadr[0] for b in self.order]
        self.start = np.zeros(self.model.nv)
        self.start[self.address] = problem.relative_start(self.order)

    def reset(self) -> None:
        super().reset()
        for body, torque in self.problem.torques:
            self.data.xfrc_applied[self.model.body(f"b{body}").id, 5] = torque

    def motion(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return self.problem.from_relative(q[:, self.address], v[:, self.address], self.order)


class TopRun(Run):
    """A ball joint; mujoco's turning rates are in the body's axes."""

    def __init__(self, problem: Top, method: Method, value: float):
        self.problem, self.steps = problem, round(problem.duration / value)
        spec = mujoco.MjSpec()
        spec.option.gravity = [0, 0, -G]
        option(spec, problem, method, problem.duration / self.steps)
        spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
        body = spec.worldbody.add_body(name="top", mass=MASS, ipos=[0, 0, 1], inertia=list(J), explicitinertial=True)
        body.add_joint(name="pivot", type=mujoco.mjtJoint.mjJNT_BALL)
        self.model = spec.compile()
        self.data, self.start = mujoco.MjData(self.model), SPIN

    def reset(self) -> None:
        super().reset()
        self.data.qpos[:] = Q0
        mujoco.mj_forward(self.model, self.data)

    def motion(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        from scipy.spatial.transform import Rotation

        return Top.of_turn(Rotation.from_quat(q, scalar_first=True).as_matrix(), v)


def make(problem, method: Method, value: float):
    """A case."""
    if problem.name == "heavy_top":
        return TopRun(problem, method, value)
    return PlanarRun(problem, method, value)
