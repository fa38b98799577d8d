"""opensim (Simbody): pin joints about z, Simbody's Runge-Kutta-Merson with error control through `Manager`.

Settings: nothing recorded, no analyses, console quiet. `Manager.integrate` is timed.
"""

from __future__ import annotations

import numpy as np
import opensim as osim
from harness.case import Method
from harness.planar import GROUND, Planar

PROGRAM = "opensim"
osim.Logger.setLevelString("Off")


def methods(problem, quick: bool = False) -> list[Method]:
    """Open trees in the plane."""
    if not isinstance(problem, Planar) or problem.tree()[2]:
        return []
    tolerances = tuple(10.0**-k for k in range(3, 10))
    return [
        Method(
            "RK Merson",
            tolerances,
            "error-controlled",
            True,
            options={"scheme": osim.Manager.IntegratorMethod_RungeKuttaMerson},
        )
    ]


class PlanarRun:
    """PinJoint turns about z."""

    def __init__(self, problem: Planar, method: Method, value: float):
        self.problem, self.method, self.value, self.order, self.steps = problem, method, value, problem.order(), 0
        parent, hinge, _ = problem.tree()
        model = self.model = osim.Model()
        model.setUseVisualizer(False)
        model.setGravity(osim.Vec3(0, -problem.gravity, 0))
        bodies: dict = {GROUND: model.getGround()}
        self.joints = []
        for b in self.order:
            o, J = hinge[b], problem.inertia[b]
            c = osim.Vec3(problem.center[b][0] - o[0], problem.center[b][1] - o[1], 0)
            bodies[b] = osim.Body(f"b{b}", problem.mass[b], c, osim.Inertia(J, J, J))
            before = (0.0, 0.0) if parent[b] == GROUND else hinge[parent[b]]
            zero = osim.Vec3(0)
            joint = osim.PinJoint(
                f"j{b}",
                bodies[parent[b]],
                osim.Vec3(o[0] - before[0], o[1] - before[1], 0),
                zero,
                bodies[b],
                zero,
                zero,
            )
            model.addBody(bodies[b])
            model.addJoint(joint)
            self.joints.append(joint)
        self.bodies = bodies
        model.finalizeConnections()
        self.start = problem.relative_start(self.order)
        model.initSystem()

    def reset(self) -> None:
        state = self.model.initSystem()
        for joint, rate in zip(self.joints, self.start, strict=True):
            joint.getCoordinate().setSpeedValue(state, float(rate))
        self.manager = osim.Manager(self.model)
        self.manager.setIntegratorMethod(self.method.options["scheme"])
        self.manager.setIntegratorAccuracy(self.value)
        self.manager.setWriteToStorage(False)
        self.manager.setPerformAnalyses(False)
        state.setTime(0.0)
        self.manager.initialize(state)
        self.state = state

    def run(self) -> None:
        self.state = self.manager.integrate(self.problem.duration)

    def record(self, samples: int) -> np.ndarray:
        self.reset()
        out = []
        for t in np.linspace(0, self.problem.duration, samples + 1)[1:]:
            s = self.manager.integrate(float(t))
            coordinates = [j.getCoordinate() for j in self.joints]
            out.append(([c.getValue(s) for c in coordinates], [c.getSpeedValue(s) for c in coordinates]))
        q, v = (np.array(x) for x in zip(*out, strict=True))
        return self.problem.from_relative(q, v, self.order)


def make(problem, method: Method, value: float) -> PlanarRun:
    """A case."""
    return PlanarRun(problem, method, value)
