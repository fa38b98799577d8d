"""A mechanism in MuJoCo: a tree of slides, hinges and balls; loops as `connect` and `weld`, which are stiff springs."""

from __future__ import annotations

import mujoco
import numpy as np
import pinocchio as pin

from fuzz.bounds import MARGIN
from fuzz.peers import Loop, wrenches
from pinocchio_trees import Joint, Recipe


def has(joint: Joint) -> bool:
    """Whether MuJoCo has this joint: screws it has only as soft equalities between coordinates; and within one body it
    takes slides before turns, so that a plane or a line of the outer body is not to be said."""
    mixed = joint.type in ("planar", "point-on-line", "point-on-plane")
    return joint.type != "screw" and not (mixed and joint.backwards)


class MujocoPeer:
    """At the start. Its constraints are soft: an impedance of 0.9999 leaves one part in ten thousand of what each row
    by itself would do; of rows that nearly imply one another, more."""

    name = "MuJoCo"

    def __init__(self, recipe: Recipe, loops: list[Loop], across: dict[str, np.ndarray]):
        self.recipe = recipe
        spec = mujoco.MjSpec()
        spec.option.gravity = recipe.gravity
        spec.option.timestep = 1e-3
        spec.option.solver, spec.option.jacobian = mujoco.mjtSolver.mjSOL_NEWTON, mujoco.mjtJacobian.mjJAC_DENSE
        spec.option.tolerance, spec.option.iterations = 1e-14, 200
        spec.compiler.degree = False
        spec.compiler.balanceinertia = False
        joints = {j.body: j for j in recipe.joints}
        made, places = {"ground": spec.worldbody}, {"ground": pin.SE3.Identity()}
        for b in recipe.bodies:
            j = joints.get(b.name)
            parent = j.parent if j else "ground"
            here = places[parent].inverse() * b.place
            x, y, z, w = pin.Quaternion(here.rotation).coeffs()
            I = b.inertia
            made[b.name] = made[parent].add_body(
                name=b.name, pos=here.translation, quat=[w, x, y, z], mass=b.mass, ipos=b.center,
                fullinertia=[I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]], explicitinertial=True,
            )  # fmt: skip
            places[b.name] = b.place
            if j is None:
                made[b.name].add_freejoint()
            else:
                self._hang(made[b.name], j, b.place, across.get(j.name))
        for loop in loops:
            kind = mujoco.mjtEq.mjEQ_WELD if loop.welded else mujoco.mjtEq.mjEQ_CONNECT
            e = spec.add_equality(type=kind, objtype=mujoco.mjtObj.mjOBJ_BODY)
            first, second = loop.bodies[::-1] if loop.bodies[0] == "ground" else loop.bodies
            e.name1, e.name2 = first, "world" if second == "ground" else second
            if not loop.welded:
                e.data[:3] = places[first].actInv(loop.at)
            e.solref[:2], e.solimp[:3] = [2e-3, 1.0], [0.9999, 0.9999, 0.001]
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        self.ids = [self.model.body(b.name).id for b in recipe.bodies]
        mujoco.mj_forward(self.model, self.data)
        self.exact = max(5e-3, MARGIN * self.softness()) if loops else 1e-8

    def softness(self) -> float:
        """The largest share of a constraint's acceleration that MuJoCo's own regularisation R leaves: of
        (J M^-1 J^T + R)^-1 R, by the values it has made of them."""
        model, data = self.model, self.data
        J = np.zeros((data.nefc, model.nv))
        J[:] = np.reshape(data.efc_J, J.shape)
        M = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, M)
        root = np.sqrt(data.efc_R)
        A = (J @ np.linalg.solve(M, J.T)) / root[:, None] / root
        return float(1.0 / (1.0 + max(np.linalg.eigvalsh(A)[0], 0.0)))

    @staticmethod
    def _hang(body, j: Joint, place: pin.SE3, across: np.ndarray | None) -> None:
        at, R = place.actInv(j.at), place.rotation
        slide, hinge, ball = mujoco.mjtJoint.mjJNT_SLIDE, mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_BALL
        first, second = j.axes
        e1, e2 = (first, first) if across is None else across
        steps = {
            "revolute": [(hinge, first)],
            "prismatic": [(slide, first)],
            "cylindrical": [(slide, first), (hinge, first)],
            "universal": [(hinge, first), (hinge, second)],
            "skew universal": [(hinge, first), (hinge, second)],
            "spherical": [(ball, first)],
            "planar": [(slide, e1), (slide, e2), (hinge, first)],
            "point-on-line": [(slide, first), (ball, first)],
            "point-on-plane": [(slide, e1), (slide, e2), (ball, first)],
            "fixed": [],
        }[j.type]
        for kind, axis in reversed(steps) if j.backwards else steps:
            body.add_joint(type=kind, pos=at, axis=R.T @ axis)

    def jacobian(self) -> np.ndarray:
        rows = []
        for k in self.ids:
            p, r = np.zeros((3, self.model.nv)), np.zeros((3, self.model.nv))
            mujoco.mj_jacBodyCom(self.model, self.data, p, r, k)
            rows += [p, r]
        return np.vstack(rows)

    def accelerations(self, v: np.ndarray) -> np.ndarray:
        model, data = self.model, self.data
        data.qvel[:] = v
        for k, (force, moment) in zip(self.ids, wrenches(self.recipe).values(), strict=True):
            data.xfrc_applied[k] = [*force, *moment]
        mujoco.mj_forward(model, data)
        J, out = self.jacobian(), []
        for i, k in enumerate(self.ids):
            p, r = np.zeros((3, model.nv)), np.zeros((3, model.nv))
            mujoco.mj_jacDot(model, data, p, r, data.xipos[k], k)
            out += [J[6 * i : 6 * i + 3] @ data.qacc + p @ v, J[6 * i + 3 : 6 * i + 6] @ data.qacc + r @ v]
        return np.concatenate(out)
