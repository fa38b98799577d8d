"""The heavy top in exudyn: a rigid body on a spherical joint (generalized-alpha), or without a joint."""

from __future__ import annotations

import exudyn as exu
import exudyn.utilities as eu
import numpy as np
from harness.case import Method
from problems.heavy_top import J_PIVOT, MASS, R0, SPIN, G, J, Top

from . import exudyn_


class TopRun:
    """`lie`: rotation vectors instead of Euler parameters; `explicit`: about the pivot, Runge-Kutta on the group."""

    def __init__(self, problem: Top, method: Method, value: float):
        self.problem, self.method, self.value, self.steps = problem, method, value, 0

    def reset(self) -> None:
        self.SC = exu.SystemContainer()
        mbs = self.mbs = self.SC.AddSystem()
        explicit = self.method.options.get("explicit")
        ground = mbs.AddObject(eu.ObjectGround())
        if explicit:  # the reference point is the pivot, held by conditions on coordinates that are eliminated
            at, v, kind = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], exu.NodeType.RotationRotationVector
            # eliminated conditions do not see a coupling with the turn, so the inertia is put about the pivot
            inertia = eu.RigidBodyInertia(mass=MASS, inertiaTensor=np.diag(J_PIVOT), com=[0, 0, 0])
        else:
            at, v = list(R0[:, 2]), list(R0 @ np.cross(SPIN, [0.0, 0.0, 1.0]))
            kind = (
                exu.NodeType.RotationRotationVector
                if self.method.options.get("lie")
                else exu.NodeType.RotationEulerParameters
            )
            inertia = eu.RigidBodyInertia(mass=MASS, inertiaTensor=np.diag(J), com=[0, 0, 0])
        made = mbs.CreateRigidBody(
            inertia=inertia,
            referencePosition=at,
            initialVelocity=v,
            nodeType=kind,
            referenceRotationMatrix=R0,
            initialAngularVelocity=list(R0 @ SPIN),
            gravity=[0, 0, 0 if explicit else -G],
            returnDict=True,
        )
        self.node, body = made["nodeNumber"], made["bodyNumber"]
        if explicit:
            weight = mbs.AddMarker(eu.MarkerBodyPosition(bodyNumber=body, localPosition=[0, 0, 1]))
            mbs.AddLoad(eu.LoadForceVector(markerNumber=weight, loadVector=[0, 0, -MASS * G]))
            point = mbs.AddNode(eu.NodePointGround())
            fixed = mbs.AddMarker(eu.MarkerNodeCoordinate(nodeNumber=point, coordinate=0))
            for k in range(3):
                here = mbs.AddMarker(eu.MarkerNodeCoordinate(nodeNumber=self.node, coordinate=k))
                mbs.AddObject(eu.CoordinateConstraint(markerNumbers=[fixed, here]))
        else:
            here = mbs.AddMarker(eu.MarkerBodyRigid(bodyNumber=body, localPosition=[0, 0, -1]))
            there = mbs.AddMarker(eu.MarkerBodyRigid(bodyNumber=ground))
            mbs.AddObject(eu.SphericalJoint(markerNumbers=[there, here]))
        mbs.Assemble()
        self.settings, self.steps = exudyn_.settings(self.problem.duration, self.method, self.value, 0)
        self.settings.timeIntegration.explicitIntegration.eliminateConstraints = bool(explicit)

    def run(self) -> None:
        kind = (
            exu.DynamicSolverType.RK44
            if self.method.options.get("explicit")
            else exu.DynamicSolverType.GeneralizedAlpha
        )
        if self.mbs.SolveDynamic(self.settings, solverType=kind, showHints=False, showCausingItems=False) is False:
            raise RuntimeError("its solver gave up")

    def state(self) -> np.ndarray:
        out = exu.OutputVariableType
        get = self.mbs.GetNodeOutput
        x = np.array(get(self.node, out.Position))
        R = np.array(get(self.node, out.RotationMatrix)).reshape(3, 3)
        v = np.array(get(self.node, out.Velocity))
        W = np.array(get(self.node, out.AngularVelocityLocal))
        if self.method.options.get("explicit"):
            return np.concatenate([R[:, 2], R @ np.cross(W, [0.0, 0.0, 1.0]), W, [np.linalg.norm(x)]])
        return np.concatenate([x, v, W, [np.linalg.norm(x - R[:, 2])]])

    def record(self, samples: int) -> np.ndarray:
        self.reset()
        out, every, count = [], max(1, self.steps // samples), [0]

        def look(mbs, t):
            count[0] += 1
            if count[0] % every == 0:
                out.append(self.state())
            return True

        if samples > 1:
            self.mbs.SetPreStepUserFunction(look)
        self.run()
        return np.array([*out, self.state()])
