"""Impulses and contact forces: what rigid constraints and unilateral contacts do to velocities and accelerations.

    M (v+ - v-) = B^T (...) + L^T p_L + N^T p,   B v+ = B v-,   L v+ = 0,   0 <= N v+ + e N v-  complementary to  p >= 0

Everything is done in the motions R that the lasting constraints B leave free, scaled so that the kinetic energy is
half the sum of squares. There the problem is a projection onto a cone.   [X.1]-[X.5]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from ...system.system import Point

RANK = 1e-9


@dataclass
class Free:
    """The motions that constraint rows leave free, in the metric of the mass matrix."""

    at: Point
    base: np.ndarray
    """n x f: velocities of unit kinetic norm, orthogonal to one another in M"""
    bent: np.ndarray
    """v' that the rows ask for"""
    driven: np.ndarray
    """v that the rows ask for"""

    @staticmethod
    def of(at: Point, hard: np.ndarray, unit: np.ndarray, rank: int) -> Free:
        """`hard`: indexes of the rows that hold; `unit`: what counts as one in each velocity; `rank`: how many of the
        rows are independent (where positions have drifted, singular values do not tell)."""
        B = at.B[hard] * unit
        size = np.linalg.norm(B, axis=1)
        size[size < 1e-12 * size.max(initial=0.0)] = 1.0
        R, bent, driven = np.eye(len(unit)), np.zeros(len(unit)), np.zeros(len(unit))
        if len(B) and rank > 0:
            U, s, Vt = np.linalg.svd(B / size[:, None])
            inverse = (unit[:, None] * Vt[:rank].T) @ (U[:, :rank].T / np.maximum(s[:rank], RANK)[:, None]) / size
            bent, driven = inverse @ at.gamma[hard], inverse @ -at.Phi_t[hard]
            R = Vt[rank:].T
        R = R * unit[:, None]
        mass = R.T @ at.M @ R
        values, vectors = np.linalg.eigh(0.5 * (mass + mass.T))
        heavy = values > 1e-13 * values.max(initial=0.0)  # what moves without inertia takes no impulse
        return Free(at, R @ vectors[:, heavy] / np.sqrt(values[heavy]), bent, driven)

    def consistent(self, v: np.ndarray) -> np.ndarray:
        """The velocities nearest to v, in M, that the rows allow."""
        return self.driven + self.base @ (self.base.T @ (self.at.M @ (v - self.driven)))

    def rows(self, which: np.ndarray, signs: np.ndarray | float = 1.0) -> np.ndarray:
        """Rows of constraints on these motions."""
        return (self.at.B[which] * np.reshape(signs, (-1, 1)) if np.ndim(signs) else self.at.B[which]) @ self.base

    def accelerations(self, which: np.ndarray, signs: np.ndarray) -> np.ndarray:
        """Second rates of other rows, if nothing but the hard ones hold."""
        return signs * (self.at.B[which] @ self.acceleration() - self.at.gamma[which])

    def acceleration(self) -> np.ndarray:
        """v' under the applied forces and the hard rows: M v' + B^T lam = Q, B v' = gamma."""
        return self.bent + self.base @ (self.base.T @ (self.at.Q - self.at.M @ self.bent))


def pushed(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """p >= 0 with A A^T p + b >= 0, one of both zero for each contact (a linear complementarity problem).

    b lies in the range of A, up to what contradicts itself; then it is a non-negative least-squares problem.   [X.4]
    """
    if not A.shape[1]:
        return np.zeros(len(b))
    y = np.linalg.lstsq(A, b, rcond=RANK)[0]
    scale = np.linalg.norm(A, axis=1)
    scale[scale == 0.0] = 1.0
    return nnls((A / scale[:, None]).T, -y, maxiter=100 * (len(b) + 1))[0] / scale


@dataclass(frozen=True)
class Jolt:
    """What an instant does to the velocities."""

    change: np.ndarray
    """v+ - v-"""
    locks: np.ndarray
    """impulse of each row that closes"""
    contacts: np.ndarray
    """impulse of each contact, not negative"""
    before: np.ndarray
    """rate of each contact's gap before"""
    after: np.ndarray
    loss: float
    """kinetic energy before less kinetic energy after"""


def jolt(free: Free, v: np.ndarray, closing: np.ndarray, contacts: np.ndarray, signs: np.ndarray,
         e: np.ndarray) -> Jolt:  # fmt: skip
    """Rows that close (their rates become zero), then contacts that touch (Newton's restitution), at once.

    Several contacts are struck at the same instant as one: no order is chosen among them.   [X.1]-[X.4]
    """
    at = free.at
    L, N = free.rows(closing), free.rows(contacts, signs)
    before = signs * at.Phi_dot[contacts]
    x = np.zeros(free.base.shape[1])
    flat = np.eye(len(x))
    if len(closing):
        inverse = np.linalg.pinv(L, rcond=RANK)
        x = -inverse @ at.Phi_dot[closing]
        flat = flat - inverse @ L
    impulses = np.zeros(len(contacts))
    if len(contacts):
        A = N @ flat
        start = before + N @ x
        rebound = np.minimum(before, 0.0)
        impulses = pushed(A, start + e * rebound)
        if (A @ (A.T @ impulses) + start + e * rebound).min() < -1e-9 * np.abs(before).max(initial=0.0):
            # contacts that depend on one another with different restitutions: the smallest holds for all   [X.5]
            impulses = pushed(A, start + e.min() * rebound)
        x = x + flat @ (N.T @ impulses)
    held = np.zeros(len(closing))
    if len(closing) and len(x):
        held = np.linalg.lstsq(L.T, x - N.T @ impulses, rcond=RANK)[0]
    change = free.base @ x
    loss = -float(change @ at.M @ (v + 0.5 * change))
    return Jolt(change, held, impulses, before, before + N @ x, loss)


def contact_forces(free: Free, contacts: np.ndarray, signs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Force of each contact if all of them are kept closed (of least norm where not unique), and what counts as
    little for it."""
    N = free.rows(contacts, signs)
    if not N.shape[1]:
        return _of_structure(free, contacts, signs)
    w = free.accelerations(contacts, signs)
    size = np.maximum(np.linalg.norm(N, axis=1), 1e-300)
    push = np.linalg.lstsq(N.T / size, np.linalg.lstsq(N, -w, rcond=RANK)[0], rcond=RANK)[0] / size
    little = 1e-9 * (np.linalg.norm(free.base.T @ free.at.Q) + np.abs(w).max(initial=0.0) / size.min()) / size
    return push, little


def _of_structure(free: Free, contacts: np.ndarray, signs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.zeros(len(contacts)), np.full(len(contacts), np.inf)


def staying(free: Free, contacts: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """Which contacts that neither part nor approach press, and so stay closed: the same problem for accelerations."""
    if not len(contacts):
        return np.zeros(0, dtype=bool)
    N, w = free.rows(contacts, signs), free.accelerations(contacts, signs)
    push = pushed(N, w)
    little = 1e-10 * np.linalg.norm(free.base.T @ free.at.Q) / np.maximum(np.linalg.norm(N, axis=1), 1e-300)
    return push > little
