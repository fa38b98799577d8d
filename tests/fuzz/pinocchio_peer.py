"""A mechanism in Pinocchio: a tree, and loops as constraints of contact."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from fuzz.peers import Loop, wrenches
from pinocchio_trees import Joint, Recipe, Twin


def has(joint: Joint) -> bool:
    """Whether Pinocchio has this joint: it has all of them."""
    return True


class PinocchioPeer:
    """At the start, where all coordinates are zero."""

    name = "Pinocchio"
    exact = 1e-8

    def __init__(self, recipe: Recipe, loops: list[Loop], across: dict[str, np.ndarray]):
        self.recipe, self.loops = recipe, loops
        self.twin = Twin(recipe, across)
        self.model, self.data = self.twin.model, self.twin.data
        self.q = pin.neutral(self.model)
        for piece in self.twin.pieces:
            if piece.kind == "free":  # Pinocchio's free flyer stands in the origin at zero
                body = next(b for b in recipe.bodies if piece.q[0].startswith(f"{b.name}."))
                at = pin.SE3(body.place.rotation, body.place.act(body.center))
                self.q[self.model.idx_qs[piece.index] :][:7] = pin.SE3ToXYZQUAT(at)

    def _bodies(self) -> list[tuple[int, np.ndarray]]:
        """Joint and centre of mass (in ground axes) of each body."""
        joint = self.twin._joint
        return [(joint[b.name][0], b.place.act(b.center)) for b in self.recipe.bodies]

    def jacobian(self) -> np.ndarray:
        pin.computeJointJacobians(self.model, self.data, self.q)
        rows = []
        for index, at in self._bodies():
            if index == 0:
                rows.append(np.zeros((6, self.model.nv)))
                continue
            J = pin.getJointJacobian(self.model, self.data, index, pin.LOCAL_WORLD_ALIGNED)
            J = J.reshape(6, self.model.nv)  # of one velocity it comes without a second dimension
            arm = at - self.data.oMi[index].translation
            rows += [J[:3] - pin.skew(arm) @ J[3:], J[3:]]
        return np.vstack(rows) if rows else np.zeros((0, self.model.nv))

    def accelerations(self, v: np.ndarray) -> np.ndarray:
        model, data, q = self.model, self.data, self.q
        pin.forwardKinematics(model, data, q, v)
        J, tau = self.jacobian(), np.zeros(model.nv)
        for k, (force, moment) in enumerate(wrenches(self.recipe).values()):
            tau += J[6 * k : 6 * k + 3].T @ force + J[6 * k + 3 : 6 * k + 6].T @ moment
        if self.loops:
            contacts, room = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
            for loop in self.loops:
                kind = pin.ContactType.CONTACT_6D if loop.welded else pin.ContactType.CONTACT_3D
                ends = [self.twin._joint[b][0] for b in loop.bodies]
                places = [data.oMi[k].inverse() * pin.SE3(np.eye(3), loop.at) for k in ends]
                contacts.append(
                    pin.RigidConstraintModel(kind, model, ends[0], places[0], ends[1], places[1], pin.LOCAL)
                )
            room.extend([c.createData() for c in contacts])
            pin.initConstraintDynamics(model, data, contacts, room)
            settings = pin.ProximalSettings(1e-14, 1e-12, 100)
            a = pin.constraintDynamics(model, data, q, v, tau, contacts, room, settings).copy()
        else:
            a = pin.aba(model, data, q, v, tau).copy()
        pin.forwardKinematics(model, data, q, v, a)
        out = []
        for index, at in self._bodies():
            if index == 0:
                out.append(np.zeros(6))
                continue
            R, arm = data.oMi[index].rotation, at - data.oMi[index].translation
            w, alpha = R @ data.v[index].angular, R @ data.a[index].angular
            linear = R @ (data.a[index].linear + np.cross(data.v[index].angular, data.v[index].linear))
            out += [linear + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm)), alpha]
        return np.concatenate(out)
