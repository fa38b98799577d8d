"""Actions: what every element of a mechanism does to every body, as a force and a moment about its centre of mass.

The motion is handed to reference-point coordinates, where each body has freedoms of its own. So the generalised force
of anything, of a row of constraints, a driver or a spring, is on each body a wrench, and nothing else:

    g_b = S_b (N, F),    S_b the twists of the body's freedoms at its centre                          [W.1]

What acts on a relative coordinate (a driver, a gear, the thread of a screw) reaches the bodies by the coordinate's own
gradient. The multipliers are those of [R.1], with the inertia of Newton and Euler on the other side.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...cached import forget
from ...coordinates.tree.from_poses import BodyMotion, axial, body_motion, from_posture, three_components
from ...kernels.tree.calls import frames_and_accelerations
from ...model.resolved import GROUND
from ...system.system import System, build, hold_relations

if TYPE_CHECKING:
    from ..motion import Motion

Wrench = tuple[np.ndarray, np.ndarray]
"""force, and moment about the body's centre of mass: (samples, 3) both"""


class Actions:
    """Everything that acts in a motion, at all its samples or at some of them."""

    def __init__(self, r: Motion, samples: Iterable[int] | None = None):
        self.r = r
        self.which = np.arange(len(r.t)) if samples is None else np.array(list(samples), dtype=int)
        self.t = np.asarray(r.t)[self.which]
        self.system = build(r.system.resolved, "reference-point")
        self.system.slack = r.system.slack
        self.q, self.v, self.a = _companion_state(r, self.which, self.system)
        self.bodies = {name: k for k, name in enumerate(self.system.equations.exploded.bodies)}
        self.laws = self._laws()
        known = r.system.rank >= 0
        self.most_rows = self.system.n - (r.system.n - r.system.rank) if known else self.system.m
        """rows that can be independent: the freedom of the mechanism is the same in all coordinates. Where a run has
        left the constraints a little, redundant rows seem to say something of their own, as weighty as the violation"""

    # ------------------------------------------------------------------------------------ the state
    @cached_property
    def apart(self) -> Motion:
        """The motion in reference-point coordinates."""
        return _apart(self)

    def centre(self, body: str) -> np.ndarray:
        """Centre of mass over the samples, with three components; of the ground its origin."""
        return self.motion(body).p[0]

    def motion(self, body: str) -> BodyMotion:
        """Centre and axes of a body over the samples."""
        if body not in self.motions:
            self.motions[body] = body_motion(self.apart.posture, body)
        return self.motions[body]

    @cached_property
    def motions(self) -> dict[str, BodyMotion]:
        """Those of bodies that were asked for."""
        return {}

    def _laws(self) -> list[np.ndarray]:
        """What the law of each force element gives, with the whole turns that the motion itself has counted."""
        out = []
        for f in self.r.system.equations.forces:
            x, v = (None, None) if f.kind == "load" else self.r.force_motion(f)
            out.append(self.r.law_value(f, x, v)[self.which])
        return out

    @cached_property
    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """B at every sample, (samples, rows, velocities), and the twists of all freedoms, (samples, velocities, 6)."""
        s, low = self.system, self.system.equations
        B, S = np.zeros((len(self.t), s.m, s.n)), np.zeros((len(self.t), s.n, 6))
        for k in range(len(self.t)):
            B[k] = s.at(self.q[k], self.v[k], float(self.t[k])).B
            s.arrays.a[:] = 0.0
            frames_and_accelerations(s.header)
            S[k, : len(low.tree.freedoms)] = s.arrays.tree_S.reshape(-1, 6)  # type: ignore[union-attr]
        return B, S

    @cached_property
    def twists(self) -> dict[str, tuple[slice, np.ndarray]]:
        """Of each body: its velocities, and their twists (w, velocity of the centre): (samples, freedoms, 6)."""
        out = {}
        for limb in self.system.equations.tree.limbs:  # type: ignore[union-attr]
            part = slice(limb.first, limb.first + limb.freedom)
            S = self.rows[1][:, part].copy()
            S[:, :, 3:] += np.cross(S[:, :, :3], self.centre(limb.child)[:, None, :])
            out[limb.child] = part, S
        return out

    @cached_property
    def inverses(self) -> dict[str, tuple[slice, np.ndarray]]:
        """The inverse of each body's twists: they are independent, and those of a point mass leave out moments."""
        return {body: (part, np.linalg.pinv(S)) for body, (part, S) in self.twists.items()}

    @cached_property
    def slopes(self) -> dict[str, np.ndarray]:
        """Gradient of each relative coordinate that something acts through: (samples, velocities)."""
        s, low, B = self.system, self.system.equations, self.rows[0]
        out = {}
        for k, name in enumerate(low.variables):
            slope, column = np.zeros((len(self.t), s.n)), int(s.arrays.extra_v[k])
            if name not in low.carried:
                slope[:, column] = s.arrays.extra_scale[k]
            else:
                own = [i for i, row in enumerate(low.rows) if row.role == "coordinate" and row.owner == name]
                along = B[:, own, column]
                square = (along**2).sum(axis=1)
                rest = B[:, own, :].copy()
                rest[:, :, column] = 0.0
                scale = np.divide(-1.0, square, out=np.zeros_like(square), where=square > 1e-24)
                slope = scale[:, None] * np.einsum("ki,kij->kj", along, rest)
            out[name] = slope
        return out

    # --------------------------------------------------------------------------------- from generalised forces
    def handed_on(self, g: np.ndarray) -> np.ndarray:
        """Generalised forces without what they do to carried coordinates, which is done to the bodies instead."""
        low = self.system.equations
        g = g.copy()
        for k, name in reversed(list(enumerate(low.variables))):  # terms act on what they are made of, which is before
            if name in low.carried:
                column = int(self.system.arrays.extra_v[k])
                effort = g[:, column].copy()
                g[:, column] = 0.0
                g += effort[:, None] * self.slopes[name]
        return g

    def wrench(self, g: np.ndarray, body: str) -> Wrench:
        """Force and moment about its centre that generalised forces (samples, velocities) are on a body; [W.1].

        On the ground, about its origin: the opposite of what they do to all bodies together.
        """
        g = self.handed_on(g)
        if body == GROUND:
            parts = [(b, self.on(g, b)) for b in self.twists]
            force = -np.sum([f for _, (f, _) in parts], axis=0)
            return force, -np.sum([m + np.cross(self.centre(b), f) for b, (f, m) in parts], axis=0)
        return self.on(g, body)

    def on(self, g: np.ndarray, body: str) -> Wrench:
        """The wrench on a body of generalised forces that have been handed on."""
        part, inverse = self.inverses[body]
        W = np.einsum("kij,kj->ki", inverse, g[:, part])
        return W[:, 3:], W[:, :3]

    def generalised(self, wrenches: dict[str, Wrench]) -> np.ndarray:
        """The other way: wrenches on bodies as generalised forces."""
        g = np.zeros((len(self.t), self.system.n))
        for body, (force, moment) in wrenches.items():
            part, S = self.twists[body]
            g[:, part] = np.einsum("kij,kj->ki", S, np.concatenate([moment, force], axis=1))
        return g

    # ------------------------------------------------------------------------------------------- elements
    def row(self, k: int) -> np.ndarray:
        """Generalised force of a row: -lam_k times its gradient."""
        return -self.lam[:, k, None] * self.rows[0][:, k]

    def owned(self, owners: Iterable[str], role: str = "joint") -> np.ndarray:
        """Generalised force of all rows of some joints (or drivers)."""
        wanted, g = set(owners), np.zeros((len(self.t), self.system.n))
        for k, row in enumerate(self.system.equations.rows):
            if row.role == role and row.owner in wanted:
                g += self.row(k)
        return g

    def applied(self, k: int) -> np.ndarray:
        """Generalised force of the k-th force element."""
        s, f = self.system, self.system.equations.forces[k]
        if f.kind == "coordinate":
            l = f.column - len(s.equations.exploded.copies)
            g = np.zeros((len(self.t), s.n))
            g[:, int(s.arrays.extra_v[l])] = s.arrays.extra_scale[l] * self.laws[k]
            return g
        free = self.apart.free_bodies
        on, out = free.applied(f), {}
        for body in self.bodies:
            force, moment = free.wrench(on, body, self.centre(body)[:, : s.resolved.dimension])
            out[body] = (force, moment) if moment.ndim == 2 else (three_components(force), _upright(moment))
        return self.generalised(out)

    def weight(self, body: str) -> Wrench:
        """m g."""
        g = np.zeros((len(self.t), 3))
        g[:, : self.system.resolved.dimension] = [float(x) for x in self.system.resolved.gravity]
        return self._mass(body) * g, np.zeros_like(g)

    def _mass(self, body: str) -> float:
        own = self.system.resolved.bodies.get(body)
        return 0.0 if own is None else float(own.mass)

    def inertia(self, body: str) -> Wrench:
        """-m a and -(J alpha + w x J w): what d'Alembert adds so that all forces balance.   001 (9), (13)"""
        own, motion = self.system.resolved.bodies.get(body), self.motion(body)
        force = -self._mass(body) * np.asarray(motion.p[2])
        if own is None or own.particle:
            return force, np.zeros_like(force)
        R, Rd, Rdd = motion.R
        w, alpha = (axial(x @ np.swapaxes(R, 1, 2)) for x in (Rd, Rdd))
        if self.system.resolved.dimension == 2:
            return force, -float(own.inertia) * alpha
        J = R @ np.array(own.inertia, dtype=float) @ np.swapaxes(R, 1, 2)
        turn = np.einsum("kij,kj->ki", J, alpha) + np.cross(w, np.einsum("kij,kj->ki", J, w))
        return force, -turn

    @cached_property
    def rest(self) -> np.ndarray:
        """Generalised forces that are left for the joints and drivers to balance."""
        g = self.generalised({b: _sum(self.weight(b), self.inertia(b)) for b in self.bodies})
        for k in range(len(self.laws)):
            g += self.applied(k)
        return g

    def solve_accelerations(self) -> float:
        """Put the accelerations of the equations of motion, at these positions and velocities, in place of those of
        the motion; gives how far they were off, beside the largest."""
        s, before = self.system, self.a
        self.a = np.zeros_like(before)
        forget(self, "apart", "motions", "rest", "lam")
        points = [s.at(q, v, float(t)) for q, v, t in zip(self.q, self.v, self.t, strict=True)]
        merge = [self._merging(p.B) for p in points]
        self.a = np.array(
            [
                _solve(s, p.M, m @ p.B, Q, m @ p.gamma, self.most_rows)
                for p, m, Q in zip(points, merge, self.rest, strict=True)
            ]
        )
        forget(self, "apart", "motions", "rest", "lam")
        size = float(np.abs(self.a / s.unit).max(initial=0.0))
        return float(np.abs((self.a - before) / s.unit).max(initial=0.0)) / size if size else 0.0

    @cached_property
    def lam(self) -> np.ndarray:
        """Multipliers of least norm, each row in newtons: [R.1]. Carried coordinates feel nothing but through rows.

        Sine and cosine of an angle are one row, along the angle: what is across it says the same as a joint (that the
        axes of a Hooke joint keep their angle), and must not take part of that joint's load.
        """
        s, B = self.system, self.rows[0]
        out = np.zeros((len(self.t), s.m))
        weight = np.where(s.equations.angular, 1.0 / s.size, 1.0)
        for k in range(len(self.t)):
            merge = self._merging(B[k])
            rows = merge @ B[k] * weight
            size = np.linalg.norm(rows, axis=1)
            size[size < 1e-9 * size.max(initial=0.0)] = 1.0
            scaled = (rows / size[:, None]).T
            one = _of_least_norm(scaled, self.rest[k] * weight, max(1e-8, s.slack), self.most_rows) / size  # see [R.1]
            out[k] = merge.T @ one
        return out

    def _merging(self, B: np.ndarray) -> np.ndarray:
        """From all rows to those with sine and cosine made one."""
        s, low = self.system, self.system.equations
        out, columns = [], {name: int(s.arrays.extra_v[k]) for k, name in enumerate(low.variables)}
        for i, row in enumerate(low.rows):
            line = np.zeros(s.m)
            line[i] = 1.0
            if row.role == "coordinate" and row.name.endswith(".sine"):
                line[i : i + 2] = B[i : i + 2, columns[row.owner]]
                line /= np.linalg.norm(line)
            if not (row.role == "coordinate" and row.name.endswith(".cosine")):
                out.append(line)
        return np.array(out).reshape(len(out), s.m)


def _of_least_norm(A: np.ndarray, b: np.ndarray, few: float, most: int) -> np.ndarray:
    """The shortest x with A x next to b, where columns of A imply one another: at most so many are independent."""
    if not A.size:
        return np.zeros(A.shape[1])
    U, s, Vt = np.linalg.svd(A, full_matrices=False)
    rank = min(int((s > few * s[0]).sum()), most)
    return Vt[:rank].T @ ((U[:, :rank].T @ b) / s[:rank])


def _solve(
    system: System, M: np.ndarray, B: np.ndarray, Q: np.ndarray, gamma: np.ndarray, most: int
) -> np.ndarray:  # fmt: skip
    """M a + B^T lam = Q, B a = gamma, whatever rows are redundant or massless: along the freedoms N of B,
    N^T M (a_0 + N z) = N^T Q.

    Sine and cosine of an angle come as one row: beside a position where the constraints hold, both together would say
    something else besides, as weighty as the violation."""
    unit = system.unit
    B = B * unit
    size = np.linalg.norm(B, axis=1)
    size[size < 1e-9 * size.max(initial=0.0)] = 1.0  # the coordinates fulfil it by themselves
    B, gamma = B / size[:, None], gamma / size
    M, Q = M * unit[:, None] * unit, Q * unit
    if not len(B):
        return unit * np.linalg.lstsq(M, Q, rcond=1e-12)[0]
    U, s, Vt = np.linalg.svd(B)
    rank = min(int((s > max(1e-9, system.slack) * s[0]).sum()), most)
    a = Vt[:rank].T @ ((U[:, :rank].T @ gamma) / s[:rank])
    N = Vt[rank:].T
    return unit * (a + N @ np.linalg.lstsq(N.T @ M @ N, N.T @ (Q - M @ a), rcond=1e-12)[0])


def _apart(actions: Actions) -> Motion:
    """The motion in reference-point coordinates, its laws as the original motion gives them."""
    from ..motion import Motion

    class Apart(Motion):
        def law_value(self, f: Any, x: Any, v: Any) -> np.ndarray:
            return next(y for g, y in zip(self.system.equations.forces, actions.laws, strict=True) if g is f)

    nothing = np.zeros((len(actions.t), actions.system.m))
    return Apart(actions.system, actions.t, actions.q, actions.v, actions.a, nothing, None)


def _upright(x: np.ndarray) -> np.ndarray:
    """Moments of the plane as vectors."""
    return np.stack([0 * x, 0 * x, x], axis=1)


def _sum(a: Wrench, b: Wrench) -> Wrench:
    return a[0] + b[0], a[1] + b[1]


def _companion_state(r: Motion, which: np.ndarray, system: System) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q, v, a in reference-point coordinates, with the values and whole turns of the relative coordinates in r."""
    posture = r.system.posture(r.q[which], r.v[which], r.a[which])
    q, v, a = from_posture(system, posture)
    low, arrays = system.equations, system.arrays
    for k, name in enumerate(low.variables):
        i, j = int(arrays.extra_q[k]), int(arrays.extra_v[k])
        scale, offset = arrays.extra_scale[k], arrays.extra_offset[k]
        value, rate, second = (np.asarray(r[f"{name}{part}"])[which] for part in ("", ".rate", ".acceleration"))
        wanted = (value - offset) / scale
        if name in low.carried:
            q[:, i], v[:, j], a[:, j] = wanted, rate / scale, second / scale
        elif low.resolved.coordinates[name].type == "angle":
            q[:, i] += 2 * np.pi * np.round((wanted - q[:, i]) / (2 * np.pi))
    if len(q):
        hold_relations(system, q[0])
    return q, v, a
