"""Pinocchio (pin): the articulated-body algorithm, or `constraintDynamics` with loops; RK4 in Python.

Pinocchio brings no integrators: a user writes the loop, with NumPy. Settings: hinges about z; loops as 3-D point
constraints (`CONTACT_3D`) with Baumgarte's terms, proximal iterations to 1e-12.
"""

from __future__ import annotations

import numpy as np
import pinocchio as pin
from harness.case import Method
from harness.planar import GROUND, Planar
from harness.steps import ladder

PROGRAM = "pinocchio"


def methods(problem, quick: bool = False) -> list[Method]:
    """RK4, and semi-implicit Euler for comparison of cost."""
    if not isinstance(problem, Planar):
        return []
    c = problem.coarse
    loops = bool(problem.tree()[2])
    words = "constraintDynamics, CONTACT_3D, proximal 1e-12, loop in Python" if loops else "aba, loop in Python"
    return [Method("RK4", ladder(c, c / 16), words)]


class PlanarRun:
    """Angles are added, so RK4 needs no `integrate`."""

    def __init__(self, problem: Planar, method: Method, value: float):
        self.problem, self.order = problem, problem.order()
        self.steps = round(problem.duration / value)
        self.h = problem.duration / self.steps
        parent, hinge, loops = problem.tree()
        model, joint = pin.Model(), {GROUND: 0}
        model.gravity.linear = np.array([0, -problem.gravity, 0.0])
        origin = {GROUND: (0.0, 0.0)} | dict(enumerate(hinge))
        for b in self.order:
            o, before = origin[b], origin[parent[b]]
            place = pin.SE3(np.eye(3), np.array([o[0] - before[0], o[1] - before[1], 0.0]))
            joint[b] = model.addJoint(joint[parent[b]], pin.JointModelRZ(), place, f"j{b}")
            c, J = problem.center[b], problem.inertia[b]
            inertia = pin.Inertia(problem.mass[b], np.array([c[0] - o[0], c[1] - o[1], 0.0]), np.diag([J, J, J]))
            model.appendBodyToJoint(joint[b], inertia, pin.SE3.Identity())
        self.model, self.data, self.joint, self.origin = model, model.createData(), joint, origin
        self.address = [model.idx_vs[joint[b]] for b in self.order]
        self.loops, self.loop_data = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for i, j, x, y in loops:
            places = [pin.SE3(np.eye(3), np.array([x - origin[b][0], y - origin[b][1], 0.0])) for b in (i, j)]
            loop = pin.RigidConstraintModel(
                pin.ContactType.CONTACT_3D, model, joint[i], places[0], joint[j], places[1], pin.LOCAL
            )
            k = 10.0 / max(problem.coarse, 1e-9) * 0.02
            loop.m_baumgarte_parameters.Kp, loop.m_baumgarte_parameters.Kd = k * k, 2 * k
            self.loops.append(loop)
        self.loop_data.extend([loop.createData() for loop in self.loops])
        if loops:
            pin.initConstraintDynamics(model, self.data, self.loops, self.loop_data)
        self.settings = pin.ProximalSettings(1e-12, 1e-8, 10)
        self.none = np.zeros(model.nv)
        self.v0 = np.zeros(model.nv)
        self.v0[self.address] = problem.relative_start(self.order)

    def torque(self, q: np.ndarray) -> np.ndarray:
        """Of motors and springs, on the hinges."""
        p = self.problem
        if not p.springs and not p.torques:
            return self.none
        tau = np.zeros(self.model.nv)
        for body, value in p.torques:  # against the ground; K1 hangs on it
            tau[self.model.idx_vs[self.joint[body]]] += value
        pin.forwardKinematics(self.model, self.data, q)
        for body, here, there, k, free in p.springs:
            o = self.origin[body]
            M = self.data.oMi[self.joint[body]]
            at = M.act(np.array([here[0] - o[0], here[1] - o[1], 0.0]))
            d = np.array([*there, 0.0]) - at
            length = np.sqrt(d @ d)
            f = k * (length - free) / length * d
            b = body
            parent = self._parent
            while b != GROUND:
                arm = at - self.data.oMi[self.joint[b]].translation
                tau[self.model.idx_vs[self.joint[b]]] += arm[0] * f[1] - arm[1] * f[0]
                b = parent[b]
        return tau

    @property
    def _parent(self) -> list[int]:
        if not hasattr(self, "_parents"):
            self._parents = self.problem.tree()[0]
        return self._parents

    def rate(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Accelerations (a copy: the answer lies in `data`)."""
        tau = self.torque(q)
        if not self.loops:
            return pin.aba(self.model, self.data, q, v, tau).copy()
        return pin.constraintDynamics(
            self.model, self.data, q, v, tau, self.loops, self.loop_data, self.settings
        ).copy()

    def reset(self) -> None:
        self.q, self.v = np.zeros(self.model.nq), self.v0.copy()

    def step(self) -> None:
        q, v, h, f = self.q, self.v, self.h, self.rate
        a1 = f(q, v)
        v2 = v + 0.5 * h * a1
        a2 = f(q + 0.5 * h * v, v2)
        v3 = v + 0.5 * h * a2
        a3 = f(q + 0.5 * h * v2, v3)
        v4 = v + h * a3
        a4 = f(q + h * v3, v4)
        self.q = q + h / 6 * (v + 2 * v2 + 2 * v3 + v4)
        self.v = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)

    def run(self) -> None:
        for _ in range(self.steps):
            self.step()

    def record(self, samples: int) -> np.ndarray:
        self.reset()
        out, every = [], max(1, self.steps // samples)
        for k in range(1, self.steps + 1):
            self.step()
            if k % every == 0 or k == self.steps:
                out.append((self.q[self.address], self.v[self.address]))
        q, v = (np.array(x) for x in zip(*out, strict=True))
        return self.problem.from_relative(q, v, self.order)


def make(problem, method: Method, value: float):
    """A case."""
    return PlanarRun(problem, method, value)
