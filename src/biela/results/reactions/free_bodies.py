"""The free bodies of a motion: what every element of a mechanism does to every body, as a force and a moment about its
centre of mass.

The motion is handed to reference-point coordinates, where each body has freedoms of its own and every joint is written
out as equations between free bodies. So the generalised force of anything, of a row of constraints, a driver or a
spring, is on each body a wrench, and nothing else:

    g_b = S_b (N, F),    S_b the twists of the body's freedoms at its centre                          [W.1]

What acts on a relative coordinate (a driver, a gear, the thread of a screw) reaches the bodies by the coordinate's own
gradient. The multipliers follow from the accelerations alone, with the inertia of Newton and Euler on the other side:
reactions do not depend on the coordinates or the formulation that made the motion.   [R.1]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...cached import forget
from ...coordinates.tree.from_poses import from_posture
from ...model.resolved import GROUND
from ...system.equations import ForceInfo
from ...system.system import System, build, hold_relations
from .applied import forces_on_variables, wrench_on

if TYPE_CHECKING:
    from ..motion import Motion

Wrench = tuple[np.ndarray, np.ndarray]
"""force, and moment about the body's centre of mass: (samples, 3) both"""
DENSE = 4_000_000
"""numbers in the dense matrices that are held at once; larger systems with independent rows are solved sparsely"""
LARGE = 60
"""rows from which on that is worth it"""


class FreeBodies:
    """The mechanism taken apart: everything that acts in a motion, at all its samples or at some of them."""

    def __init__(self, r: Motion, samples: Iterable[int] | None = None):
        self.r = r
        self.which = np.arange(len(r.t)) if samples is None else np.array(list(samples), dtype=int)
        self.t = np.asarray(r.t)[self.which]
        self.system = build(r.system.resolved, "reference-point")
        self.system.slack = r.system.slack
        self.q, self.v, self.a = _in_reference_point(r, self.which, self.system)
        self.bodies = list(self.system.equations.exploded.bodies)
        self.laws = self._laws()
        known = r.system.rank >= 0
        self.most_rows = self.system.n - (r.system.n - r.system.rank) if known else self.system.m
        """rows that can be independent: the freedom of the mechanism is the same in all coordinates. Where a run has
        left the constraints a little, redundant rows seem to say something of their own, as weighty as the violation"""

    # ------------------------------------------------------------------------------------ the state
    @cached_property
    def motion(self) -> Motion:
        """The motion in reference-point coordinates, its laws as the original motion gives them."""
        from ..motion import Motion

        laws = self.laws

        class SameLaws(Motion):
            def law_value(self, f: Any, x: Any, v: Any) -> np.ndarray:
                return laws[f.name, f.part]

        return SameLaws(self.system, self.t, self.q, self.v, self.a, np.zeros((len(self.t), self.system.m)), None)

    def centre(self, body: str) -> np.ndarray:
        """Centre of mass over the samples, with three components; of the ground its origin."""
        return self.motion.body_motion(body).p[0]

    def _laws(self) -> dict[tuple[str, str], np.ndarray]:
        """What the law of each force element (and component) gives, with whole turns as the motion has counted them."""
        out = {}
        for f in self.r.system.equations.forces:
            x, v = (None, None) if f.kind == "load" else self.r.force_motion(f)
            out[f.name, f.part] = self.r.law_value(f, x, v)[self.which]
        return out

    @cached_property
    def _rows_and_twists(self) -> tuple[np.ndarray, np.ndarray]:
        """Non-zeros of B at every sample, in the system's pattern, and the twists of all freedoms (samples, n, 6)."""
        from ...kernels.tree.calls import frames_and_accelerations  # (compiled when it is first imported)

        s, freedoms = self.system, len(self.system.equations.tree.freedoms)  # type: ignore[union-attr]
        count = int(s.arrays.jptr[s.m]) if s.m else 0
        J, S = np.zeros((len(self.t), count)), np.zeros((len(self.t), s.n, 6))
        for k in range(len(self.t)):
            s.evaluate(self.q[k], self.v[k], float(self.t[k]))
            J[k] = s.arrays.J[:count]
            s.arrays.a[:] = 0.0
            frames_and_accelerations(s.header)
            S[k, :freedoms] = s.arrays.tree_S.reshape(-1, 6)
        return J, S

    def gradient(self, row: int) -> np.ndarray:
        """A row of B at every sample: (samples, velocities)."""
        s = self.system.arrays
        part = slice(int(s.jptr[row]), int(s.jptr[row + 1]))
        out = np.zeros((len(self.t), self.system.n))
        out[:, s.jcol[part].astype(int)] = self._rows_and_twists[0][:, part]
        return out

    @cached_property
    def twists(self) -> dict[str, tuple[slice, np.ndarray]]:
        """Of each body: its velocities, and their twists (w, velocity of the centre): (samples, freedoms, 6)."""
        out = {}
        for limb in self.system.equations.tree.limbs:  # type: ignore[union-attr]
            part = slice(limb.first, limb.first + limb.freedom)
            S = self._rows_and_twists[1][:, part].copy()
            S[:, :, 3:] += np.cross(S[:, :, :3], self.centre(limb.child)[:, None, :])
            out[limb.child] = part, S
        return out

    @cached_property
    def _inverse_twists(self) -> dict[str, tuple[slice, np.ndarray]]:
        """They are independent, and those of a point mass leave out moments."""
        return {body: (part, np.linalg.pinv(S)) for body, (part, S) in self.twists.items()}

    @cached_property
    def _coordinate_gradients(self) -> dict[str, np.ndarray]:
        """Gradient of each relative coordinate that something acts through: (samples, velocities)."""
        s, low = self.system, self.system.equations
        out = {}
        for k, name in enumerate(low.variables):
            gradient, column = np.zeros((len(self.t), s.n)), int(s.arrays.extra_v[k])
            if name not in low.carried:
                gradient[:, column] = s.arrays.extra_scale[k]
            else:
                own = [i for i, row in enumerate(low.rows) if row.role == "coordinate" and row.owner == name]
                rest = np.stack([self.gradient(i) for i in own], axis=1)
                along = rest[:, :, column].copy()
                square = (along**2).sum(axis=1)
                rest[:, :, column] = 0.0
                scale = np.divide(-1.0, square, out=np.zeros_like(square), where=square > 1e-24)
                gradient = scale[:, None] * np.einsum("ki,kij->kj", along, rest)
            out[name] = gradient
        return out

    # --------------------------------------------------------------------------------- from generalised forces
    def on_bodies(self, g: np.ndarray) -> np.ndarray:
        """Generalised forces without what they do to carried coordinates, which is done to the bodies instead."""
        low = self.system.equations
        g = g.copy()
        for k, name in reversed(list(enumerate(low.variables))):  # terms act on what they are made of, which is before
            if name in low.carried:
                column = int(self.system.arrays.extra_v[k])
                effort = g[:, column].copy()
                g[:, column] = 0.0
                g += effort[:, None] * self._coordinate_gradients[name]
        return g

    def wrench(self, g: np.ndarray, body: str) -> Wrench:
        """Force and moment about its centre that generalised forces (samples, velocities) are on a body; [W.1].

        On the ground, about its origin: the opposite of what they do to all bodies together.
        """
        g = self.on_bodies(g)
        if body != GROUND:
            return self._wrench(g, body)
        parts = [(b, self._wrench(g, b)) for b in self.twists]
        force = -np.sum([f for _, (f, _) in parts], axis=0)
        return force, -np.sum([m + np.cross(self.centre(b), f) for b, (f, m) in parts], axis=0)

    def _wrench(self, g: np.ndarray, body: str) -> Wrench:
        part, inverse = self._inverse_twists[body]
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
        return -self.lam[:, k, None] * self.gradient(k)

    def owned(self, owners: Iterable[str], role: str = "joint") -> np.ndarray:
        """Generalised force of all rows of some joints (or drivers)."""
        wanted, g = set(owners), np.zeros((len(self.t), self.system.n))
        for k, row in enumerate(self.system.equations.rows):
            if row.role == role and row.owner in wanted:
                g += self.row(k)
        return g

    def applied(self, f: ForceInfo) -> np.ndarray:
        """Generalised force of a force element."""
        s = self.system
        if f.kind == "coordinate":
            l = f.column - len(s.equations.exploded.copies)
            g = np.zeros((len(self.t), s.n))
            g[:, int(s.arrays.extra_v[l])] = s.arrays.extra_scale[l] * self.laws[f.name, f.part]
            return g
        forces = forces_on_variables(self.motion, f)
        return self.generalised({b: wrench_on(self.motion, forces, b, self.centre(b)) for b in self.bodies})

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
        force = -self._mass(body) * np.asarray(self.motion.body_motion(body).p[2])
        J, (w, alpha) = self.motion.inertia_tensor(body), self.motion.rotation(body)
        return force, -np.einsum("kij,kj->ki", J, alpha) - np.cross(w, np.einsum("kij,kj->ki", J, w))

    @cached_property
    def unbalanced(self) -> np.ndarray:
        """Generalised forces that are left for the joints and drivers to balance."""
        both = {b: (self.weight(b), self.inertia(b)) for b in self.bodies}
        g = self.generalised({b: (w[0] + i[0], w[1] + i[1]) for b, (w, i) in both.items()})
        for f in self.system.equations.forces:
            g += self.applied(f)
        return g

    @cached_property
    def left_over(self) -> np.ndarray:
        """Generalised forces that neither joints nor drivers balance: none, but for errors of the accelerations."""
        g = self.unbalanced.copy()
        for k in range(self.system.m):
            g += self.row(k)
        return g

    def balance(self, body: str) -> Wrench:
        """What is left over of the force, and of the moment about its centre of mass, of all that acts on a body and of
        its inertia: nothing. (samples, 3) both, in the plane (samples, 2) and (samples).   [R.6]"""
        force, moment = self.wrench(self.left_over, body)
        return (force, moment) if self.system.resolved.dimension == 3 else (force[:, :2], moment[:, 2])

    # ---------------------------------------------------------------------------------------- multipliers
    @cached_property
    def lam(self) -> np.ndarray:
        """Multipliers of least norm, each row in newtons: [R.1]. Carried coordinates feel nothing but through rows.

        Sine and cosine of an angle are one row, along the angle: what is across it says the same as a joint (that the
        axes of a Hooke joint keep their angle), and must not take part of that joint's load.
        """
        s = self.system
        out = np.zeros((len(self.t), s.m))
        unit = np.where(s.equations.angular, 1.0 / s.size, 1.0)
        independent = s.m - len(s.twins) == self.most_rows
        for part in self._parts(1 if independent and s.m > LARGE else DENSE // max(1, s.m * s.n)):
            B = np.stack([self.gradient_matrix(k) for k in part]) * unit
            merged = MergedAngles(s, B)
            rows = merged.rows(B)
            size = np.linalg.norm(rows, axis=2)
            size[size < 1e-9 * size.max(axis=1, initial=0.0)[:, None]] = 1.0
            rows /= size[:, :, None]
            rest = self.unbalanced[part] * unit
            if independent and s.m > LARGE:
                lam = _sparsely(rows[0], rest[0])[None]
            else:
                lam = _of_least_norm(rows, rest, max(1e-8, s.slack), self.most_rows)
            out[part] = merged.multipliers(lam / size)
        return out

    def _parts(self, count: int) -> Iterator[np.ndarray]:
        """The samples, so many at a time."""
        yield from np.array_split(np.arange(len(self.t)), max(1, -(-len(self.t) // max(1, count))))

    def gradient_matrix(self, sample: int) -> np.ndarray:
        """B at a sample."""
        s, B = self.system.arrays, np.zeros((self.system.m, self.system.n))
        if B.size:
            rows = np.repeat(np.arange(self.system.m), np.diff(s.jptr[: self.system.m + 1].astype(int)))
            B[rows, s.jcol[: len(rows)].astype(int)] = self._rows_and_twists[0][sample]
        return B

    def solve_accelerations(self) -> float:
        """Put the accelerations of the equations of motion, at these positions and velocities, in place of those of
        the motion; gives how far they were off, beside the largest."""
        s, before = self.system, self.a
        self.a = np.zeros_like(before)
        forget(self, "motion", "unbalanced", "lam", "left_over")
        solved = []
        for q, v, t, Q in zip(self.q, self.v, self.t, self.unbalanced, strict=True):
            p = s.at(q, v, float(t))
            merged = MergedAngles(s, p.B[None])
            rows, gamma = merged.rows(p.B[None])[0], merged.rows(p.gamma[None])[0]
            solved.append(_accelerations(s, p.M, rows, Q, gamma, self.most_rows))
        self.a = np.array(solved)
        forget(self, "motion", "unbalanced", "lam", "left_over")
        size = float(np.abs(self.a / s.unit).max(initial=0.0))
        return float(np.abs((self.a - before) / s.unit).max(initial=0.0)) / size if size else 0.0


class MergedAngles:
    """The sine and the cosine row of each angle among the coordinates as one row, along the angle, sample by sample."""

    def __init__(self, system: System, B: np.ndarray):
        low = system.equations
        columns = {name: int(system.arrays.extra_v[k]) for k, name in enumerate(low.variables)}
        self.sines = np.array(system.twins, dtype=int)
        self.kept = np.setdiff1d(np.arange(system.m), self.sines + 1)
        angle = np.array([columns[low.rows[i].owner] for i in self.sines], dtype=int)
        along = np.stack([B[:, self.sines, angle], B[:, self.sines + 1, angle]])
        self.sine, self.cosine = along / np.linalg.norm(along, axis=0)

    def rows(self, x: np.ndarray) -> np.ndarray:
        """Rows (samples, m, ...) with those of each angle made one."""
        x = x.copy()
        shape = (*self.sine.shape, *(1 for _ in x.shape[2:]))
        sine, cosine = self.sine.reshape(shape), self.cosine.reshape(shape)
        x[:, self.sines] = sine * x[:, self.sines] + cosine * x[:, self.sines + 1]
        return x[:, self.kept]

    def multipliers(self, lam: np.ndarray) -> np.ndarray:
        """Multipliers of all rows from those of the merged ones."""
        out = np.zeros((len(lam), len(self.kept) + len(self.sines)))
        out[:, self.kept] = lam
        out[:, self.sines + 1] = self.cosine * out[:, self.sines]
        out[:, self.sines] *= self.sine
        return out


def _of_least_norm(rows: np.ndarray, rest: np.ndarray, few: float, most: int) -> np.ndarray:
    """The shortest x with rows^T x next to rest, at every sample, where rows imply one another: at most so many are
    independent."""
    if not rows.size:
        return np.zeros(rows.shape[:2])
    U, s, Vt = np.linalg.svd(np.swapaxes(rows, 1, 2), full_matrices=False)
    used = (s > few * s[:, :1]) & (np.arange(s.shape[1]) < most)
    along = np.einsum("kij,ki->kj", U, rest) * np.divide(1.0, s, out=np.zeros_like(s), where=used)
    return np.einsum("kji,kj->ki", Vt, along)


def _sparsely(rows: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """x with rows^T x next to rest, of many independent rows with few non-zeros: by r + rows^T x = rest, rows r = 0."""
    from scipy.sparse import bmat, csr_matrix, identity
    from scipy.sparse.linalg import splu

    B = csr_matrix(rows)
    K = bmat([[identity(len(rest)), B.T], [B, None]], format="csc")
    return splu(K).solve(np.concatenate([rest, np.zeros(len(rows))]))[len(rest) :]


def _accelerations(
    system: System, M: np.ndarray, B: np.ndarray, Q: np.ndarray, gamma: np.ndarray, most: int
) -> np.ndarray:
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


def _in_reference_point(r: Motion, which: np.ndarray, system: System) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q, v, a in reference-point coordinates, with the values and whole turns of the relative coordinates in r."""
    q, v, a = from_posture(system, r.system.posture(r.q[which], r.v[which], r.a[which]))
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
