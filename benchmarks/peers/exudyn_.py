"""exudyn: 2-D rigid bodies and revolute joints, generalized-alpha; and its kinematic tree with explicit Runge-Kutta.

Settings: `exudynFast` (no range checks), modified Newton, no files, no sensors, spectral radius 0.9, one thread;
Newton's tolerances as they come. The time is that of `SolveDynamic`.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
from harness.case import Method
from harness.planar import GROUND, Planar
from harness.steps import ladder

sys.exudynFast = True  # type: ignore[attr-defined]
warnings.filterwarnings("ignore")
import exudyn as exu  # noqa: E402
import exudyn.utilities as eu  # noqa: E402

PROGRAM = "exudyn"
SOLVER = exu.DynamicSolverType


def methods(problem, quick: bool = False) -> list[Method]:
    """Index-3 generalized-alpha for every problem; Runge-Kutta on the tree where there are no loops."""
    c = problem.coarse
    words = "revolute joints, modified Newton, rho 0.9, exudynFast"
    sparse = isinstance(problem, Planar) and len(problem.mass) > 12
    options = {"sparse": True} if sparse else {}
    words += ", EigenSparse" if sparse else ", EXUdense"
    out = [Method("generalized-alpha", ladder(2 * c, c / 128), words, options=options)]
    if isinstance(problem, Planar) and problem.name != "double_pendulum":
        return out
    if problem.name == "heavy_top":
        words = "spherical joint, modified Newton, rho 0.9, exudynFast"
        return [
            Method("generalized-alpha", ladder(c / 2, c / 256), f"Euler parameters, {words}"),
            Method("Lie generalized-alpha", ladder(c / 2, c / 256), f"rotation vector, {words}", options={"lie": 1}),
            Method(
                "Lie RK4",
                ladder(c, c / 64),
                "rotation vector about the pivot, RK44, constraints eliminated",
                options={"explicit": 1},
            ),
        ]
    out.append(Method("tree RK4", ladder(2 * c, c / 128), "kinematic tree, RK44", options={"tree": SOLVER.RK44}))
    out.append(
        Method(
            "tree DOPRI5",
            tuple(10.0**-k for k in range(3, 11)),
            "kinematic tree, adaptive",
            True,
            options={"tree": SOLVER.DOPRI5},
        )
    )
    return out


def settings(duration: float, method: Method, value: float, samples: int) -> tuple[exu.SimulationSettings, int]:
    """Of a run; and its number of steps."""
    s = exu.SimulationSettings()
    steps = max(1, round(duration / value)) if not method.tolerance else 100
    t = s.timeIntegration
    t.endTime, t.numberOfSteps, t.verboseMode = duration, steps, 0
    t.newton.useModifiedNewton = True
    t.generalizedAlpha.spectralRadius = 0.9
    s.linearSolverType = (
        exu.LinearSolverType.EigenSparse if method.options.get("sparse") else exu.LinearSolverType.EXUdense
    )
    if method.tolerance:
        t.explicitIntegration.dynamicSolverType = method.options["tree"]
        t.automaticStepSize, t.relativeTolerance, t.absoluteTolerance = True, value, value
        t.initialStepSize = 1e-4
    for attempt in (
        "s.solution.file.write = False; s.solution.sensors.active = False",
        "s.solutionSettings.writeSolutionToFile = False; s.solutionSettings.sensorsWriteFileHeader = False",
    ):
        try:
            exec(attempt, {"s": s})
            break
        except AttributeError:
            continue
    return s, steps


class PlanarRun:
    """Bodies of the plane with joints, or the same as a kinematic tree."""

    def __init__(self, problem: Planar, method: Method, value: float):
        self.problem, self.method, self.value = problem, method, value
        self.tree = method.options.get("tree")
        self.order = problem.order()
        self.steps = 0

    def build(self, watch: bool = False):
        """A fresh system."""
        self.SC = exu.SystemContainer()
        mbs = self.mbs = self.SC.AddSystem()
        if self.tree is not None:
            return self._tree(mbs)
        p, ground, bodies, self.nodes = self.problem, mbs.AddObject(eu.ObjectGround()), [], []
        for m, J, (x, y), v in zip(p.mass, p.inertia, p.center, p.velocity, strict=True):
            node = mbs.AddNode(eu.NodeRigidBody2D(referenceCoordinates=[x, y, 0], initialVelocities=list(v)))
            self.nodes.append(node)
            bodies.append(mbs.AddObject(eu.ObjectRigidBody2D(mass=m, inertia=J, nodeNumber=node)))
            if p.gravity:
                marker = mbs.AddMarker(eu.MarkerBodyMass(bodyNumber=bodies[-1]))
                mbs.AddLoad(eu.LoadMassProportional(markerNumber=marker, loadVector=[0, -p.gravity, 0]))

        def at(body: int, x: float, y: float) -> int:
            if body == GROUND:
                return mbs.AddMarker(eu.MarkerBodyPosition(bodyNumber=ground, localPosition=[x, y, 0]))
            c = p.center[body]
            return mbs.AddMarker(eu.MarkerBodyPosition(bodyNumber=bodies[body], localPosition=[x - c[0], y - c[1], 0]))

        for i, j, x, y in p.pins:
            mbs.AddObject(eu.ObjectJointRevolute2D(markerNumbers=[at(i, x, y), at(j, x, y)]))
        for body, here, there, k, free in p.springs:
            mbs.AddObject(
                eu.ObjectConnectorSpringDamper(
                    markerNumbers=[at(GROUND, *there), at(body, *here)], referenceLength=free, stiffness=k, damping=0
                )
            )
        for body, torque in p.torques:
            marker = mbs.AddMarker(eu.MarkerBodyRigid(bodyNumber=bodies[body]))
            mbs.AddLoad(eu.LoadTorqueVector(markerNumber=marker, loadVector=[0, 0, torque]))
        mbs.Assemble()
        return mbs

    def _tree(self, mbs):
        p = self.problem
        parent, hinge, loops = p.tree()
        assert not loops
        rank = {b: k for k, b in enumerate(self.order)}
        n = len(self.order)
        node = mbs.AddNode(
            eu.NodeGenericODE2(
                referenceCoordinates=[0.0] * n,
                initialCoordinates=[0.0] * n,
                initialCoordinates_t=list(p.relative_start(self.order)),
                numberOfODE2Coordinates=n,
            )
        )
        coms, offsets, transformations = exu.Vector3DList(), exu.Vector3DList(), exu.Matrix3DList()
        for b in self.order:
            h, q = hinge[b], parent[b]
            c = (p.center[b][0] - h[0], p.center[b][1] - h[1])
            before = (0.0, 0.0) if q == GROUND else hinge[q]
            coms.Append(np.array([*c, 0.0]))
            offsets.Append(np.array([h[0] - before[0], h[1] - before[1], 0.0]))
            transformations.Append(np.eye(3))
        mbs.AddObject(
            eu.ObjectKinematicTree(
                nodeNumber=node,
                jointTypes=[exu.JointType.RevoluteZ] * n,
                linkParents=np.array([rank[parent[b]] if parent[b] != GROUND else -1 for b in self.order]),
                jointTransformations=transformations,
                jointOffsets=offsets,
                linkInertiasCOM=self._about_com(),
                linkCOMs=coms,
                linkMasses=np.array([p.mass[b] for b in self.order]),
                baseOffset=[0, 0, 0],
                gravity=[0, -p.gravity, 0],
            )
        )
        mbs.Assemble()
        return mbs

    def _about_com(self):
        out = exu.Matrix3DList()
        for b in self.order:
            out.Append(np.diag([self.problem.inertia[b]] * 3))
        return out

    def reset(self) -> None:
        self.build()
        self.settings, self.steps = settings(self.problem.duration, self.method, self.value, 0)

    def solve(self) -> None:
        kind = SOLVER.GeneralizedAlpha if self.tree is None else self.tree
        ok = self.mbs.SolveDynamic(self.settings, solverType=kind, showHints=False, showCausingItems=False)
        if ok is False:
            raise RuntimeError("its solver gave up")

    def run(self) -> None:
        self.solve()

    def state(self) -> np.ndarray:
        """The present one, as a motion of one sample."""
        p = self.problem
        q = np.array(self.mbs.systemData.GetODE2Coordinates())
        v = np.array(self.mbs.systemData.GetODE2Coordinates_t())
        if self.tree is not None:
            return p.from_relative(q[None], v[None], self.order)
        out = np.zeros((1, len(p.mass), 6))
        out[0, :, :3], out[0, :, 3:] = q.reshape(-1, 3), v.reshape(-1, 3)
        out[0, :, :2] += np.array(p.center)
        return out

    def record(self, samples: int) -> np.ndarray:
        self.reset()
        out = []
        if samples > 1:  # states on the way, by a function that is called at every step
            every = max(1, self.steps // samples)
            count = [0]

            def look(mbs, t):
                count[0] += 1
                if count[0] % every == 0:
                    out.append(self.state()[0])
                return True

            self.mbs.SetPreStepUserFunction(look)
        self.solve()
        out.append(self.state()[0])
        return np.array(out)


def make(problem, method: Method, value: float):
    """A case."""
    if problem.name == "heavy_top":
        from .exudyn_top import TopRun

        return TopRun(problem, method, value)
    return PlanarRun(problem, method, value)
