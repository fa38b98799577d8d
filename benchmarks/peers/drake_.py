"""drake: MultibodyPlant with continuous integrators (closed loops need its discrete mode and are left out).

Settings: no scene graph, no publishing; RK3 and RK5 with error control, and RK5 with fixed steps (its own
`RungeKutta5Integrator`); the time is that of `AdvanceTo`.
"""

from __future__ import annotations

import numpy as np
from harness.case import Method
from harness.planar import GROUND, Planar
from harness.steps import ladder
from problems.heavy_top import MASS, R0, SPIN, TILT, G, J, Top
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BallRpyJoint, FixedOffsetFrame, RevoluteJoint, RotationalInertia, SpatialInertia
from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator

PROGRAM = "drake"


def methods(problem, quick: bool = False) -> list[Method]:
    """Trees only."""
    if isinstance(problem, Planar) and problem.tree()[2]:
        return []
    tolerances = tuple(10.0**-k for k in range(3, 11))
    return [
        Method("RK5", tolerances, "error-controlled", True, options={"scheme": "runge_kutta5"}),
        Method("RK3", tolerances[:6], "error-controlled", True, options={"scheme": "runge_kutta3"}),
        Method(
            "RK5 fixed", ladder(problem.coarse, problem.coarse / 32), "fixed steps", options={"scheme": "runge_kutta5"}
        ),
    ]


class Run:
    """Common to planar problems and the top."""

    def finish(self, problem, method: Method, value: float) -> None:
        self.problem, self.method, self.steps = problem, method, 0
        self.simulator = Simulator(self.plant)
        if method.tolerance:
            integrator = ResetIntegratorFromFlags(self.simulator, method.options["scheme"], 0.1)
            integrator.set_target_accuracy(value)
        else:
            steps = round(problem.duration / value)
            integrator = ResetIntegratorFromFlags(self.simulator, method.options["scheme"], problem.duration / steps)
            integrator.set_fixed_step_mode(True)
        self.integrator = integrator

    def reset(self) -> None:
        context = self.simulator.get_mutable_context()
        context.SetTime(0.0)
        self.plant.SetPositions(context, self.q0)
        self.plant.SetVelocities(context, self.v0)
        self.simulator.Initialize()
        self.integrator.ResetStatistics()

    def run(self) -> None:
        self.simulator.AdvanceTo(self.problem.duration)
        self.steps = self.integrator.get_num_steps_taken()

    def record(self, samples: int) -> np.ndarray:
        self.reset()
        context, out = self.simulator.get_context(), []

        def look(root) -> None:
            out.append((self.plant.GetPositions(root), self.plant.GetVelocities(root)))

        self.simulator.set_monitor(look)
        self.run()
        self.simulator.clear_monitor()
        out = out[:: max(1, len(out) // samples)]
        out.append((self.plant.GetPositions(context), self.plant.GetVelocities(context)))
        q, v = (np.array(x) for x in zip(*out, strict=True))
        return self.motion(q, v)


class PlanarRun(Run):
    """Hinges about z."""

    def __init__(self, problem: Planar, method: Method, value: float):
        plant = self.plant = MultibodyPlant(0.0)
        parent, hinge, _ = problem.tree()
        self.order = problem.order()
        plant.mutable_gravity_field().set_gravity_vector([0, -problem.gravity, 0])
        bodies, joints = {GROUND: plant.world_body()}, []
        for b in self.order:
            o, m = hinge[b], problem.mass[b]
            c = np.array([problem.center[b][0] - o[0], problem.center[b][1] - o[1], 0.0])
            J = RotationalInertia(*[problem.inertia[b]] * 3)
            inertia = SpatialInertia.MakeFromCentralInertia(mass=m, p_PScm_E=c, I_SScm_E=J)
            bodies[b] = plant.AddRigidBody(f"b{b}", inertia)
            before = (0.0, 0.0) if parent[b] == GROUND else hinge[parent[b]]
            frame = plant.AddFrame(
                FixedOffsetFrame(
                    f"f{b}", bodies[parent[b]].body_frame(), RigidTransform([o[0] - before[0], o[1] - before[1], 0.0])
                )
            )
            joints.append(plant.AddJoint(RevoluteJoint(f"j{b}", frame, bodies[b].body_frame(), [0, 0, 1])))
        plant.Finalize()
        self.address = [j.velocity_start() for j in joints]
        self.q0 = np.zeros(plant.num_positions())
        self.v0 = np.zeros(plant.num_velocities())
        self.v0[self.address] = problem.relative_start(self.order)
        self.finish(problem, method, value)

    def motion(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return self.problem.from_relative(q[:, self.address], v[:, self.address], self.order)


class TopRun(Run):
    """drake's ball joint has roll, pitch and yaw; the spin is made its roll, away from its singular pitch."""

    def __init__(self, problem: Top, method: Method, value: float):
        plant = self.plant = MultibodyPlant(0.0)
        plant.mutable_gravity_field().set_gravity_vector([0, 0, -G])
        inertia = SpatialInertia.MakeFromCentralInertia(
            mass=MASS, p_PScm_E=np.array([0.0, 0.0, 1.0]), I_SScm_E=RotationalInertia(*J)
        )
        body = plant.AddRigidBody("top", inertia)
        turn = RigidTransform(RotationMatrix(np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])))
        ground = plant.AddFrame(FixedOffsetFrame("pivot", plant.world_frame(), turn))
        there = plant.AddFrame(FixedOffsetFrame("tip", body.body_frame(), turn))
        self.joint = plant.AddJoint(BallRpyJoint("ball", ground, there))
        plant.Finalize()
        self.body, self.turn = body, turn.rotation().matrix()
        self.q0, self.v0 = np.array([0.0, TILT, 0.0]), self.turn.T @ R0 @ SPIN
        self.context = plant.CreateDefaultContext()
        self.finish(problem, method, value)

    def motion(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        R, W = [], []
        for qk, vk in zip(q, v, strict=True):
            self.plant.SetPositions(self.context, qk)
            turn = self.plant.EvalBodyPoseInWorld(self.context, self.body).rotation().matrix()
            R.append(turn)
            W.append(turn.T @ (self.turn @ vk))  # drake's rates are in the ground's frame of the joint
        return Top.of_turn(np.array(R), np.array(W))


def make(problem, method: Method, value: float) -> Run:
    """A case."""
    return (TopRun if problem.name == "heavy_top" else PlanarRun)(problem, method, value)
