"""States of a mechanism in every set of coordinates, and what can be compared between them: bodies and points.

Nothing here trusts biela's way from one set of coordinates to another: velocities are matched by least squares to
the velocities of all bodies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import biela
from biela import Model
from biela.analysis.check.mobility import mobility, scaled_jacobian
from biela.coordinates.tree.from_poses import body_motion
from biela.methods.evaluation import functions
from biela.methods.loops import loop_calls
from biela.methods.settings import apply, choose
from biela.methods.status import Status
from biela.system.system import System

COORDINATES = ("natural", "mixed", "reference-point", "relative")


def size(x: np.ndarray) -> float:
    return float(np.abs(x).max(initial=0.0))


@dataclass(frozen=True)
class Snapshot:
    """Places and axes of all bodies and all named points, one after the other, and their derivatives."""

    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray


def snapshots(system: System, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> Snapshot:
    """Of one state or many: arrays (states, numbers)."""
    posture, resolved = system.posture(q, v, a), system.resolved
    parts: tuple[list, list, list] = ([], [], [])
    for name in resolved.bodies:
        motion = body_motion(posture, name)
        for k in range(3):
            parts[k].append(motion.p[k])
            parts[k].append(motion.R[k].reshape(len(posture.x), 9))
    for name in resolved.start:
        for k, value in enumerate(posture.place(resolved.place(name))):
            parts[k].append(value)
    return Snapshot(*(np.concatenate(part, axis=1) for part in parts))


def snapshot(system: System, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> Snapshot:
    """Of one state: plain arrays."""
    many = snapshots(system, q, v, a)
    return Snapshot(many.x[0], many.xd[0], many.xdd[0])


def random_velocity(system: System, seed: int, t: float = 0.0) -> np.ndarray:
    """A velocity of order one that satisfies B v = -Phi_t at the start."""
    at = system.at(system.q0, None, t)
    w = np.random.default_rng(seed).standard_normal(system.n)
    driven, held = (np.linalg.lstsq(at.B, f, rcond=1e-10)[0] for f in (-at.Phi_t, at.B @ w))
    free = w - held
    return driven + free * min(1.0, 3.0 / max(size(free), 1.0))


def matching_velocity(system: System, rates: np.ndarray, t: float = 0.0) -> np.ndarray:
    """The velocity with which bodies and points have these rates; there must be one."""
    many = np.tile(system.q0, (system.n, 1))
    J = snapshots(system, many, np.eye(system.n), np.zeros((system.n, system.n))).xd.T
    at = system.at(system.q0, None, t)
    A, f = np.vstack([J, at.B]), np.concatenate([rates, -at.Phi_t])
    v = np.linalg.lstsq(A, f, rcond=1e-12)[0]
    assert size(A @ v - f) < 1e-9 * max(size(f), 1.0), (system.coordinates, "cannot move like that")
    return v


def at_a_state(model: Model, seed: int, names: tuple[str, ...] = COORDINATES) -> dict[str, System]:
    """The mechanism in several sets of coordinates, where it was drawn, with one random velocity."""
    out: dict[str, System] = {}
    first = biela.assemble(model, "mixed")
    still = np.zeros(first.n)
    v = random_velocity(first, seed)
    goal = snapshot(first, first.q0, v, still)
    for name in names:
        system = first if name == "mixed" else biela.assemble(model, name)
        here = snapshot(system, system.q0, np.zeros(system.n), np.zeros(system.n))
        assert size(here.x - goal.x) < 1e-10 * max(size(goal.x), 1.0), (name, "starts elsewhere")
        system.v0 = v if name == "mixed" else matching_velocity(system, goal.xd)
        out[name] = system
    return out


def regular(system: System, least: float = 1e-3) -> bool:
    """Whether the start is no singular position, nor near one. Sets the rank."""
    found = mobility(system)
    system.rank = found.rank
    if found.singular:
        return False
    if not system.m:
        return True
    s = np.linalg.svd(scaled_jacobian(system, system.q0), compute_uv=False)
    return bool(s[: found.rank].min(initial=1.0) > least)


def accelerations(
    system: System, formulation: str, t: float = 0.0, recursive: bool = True, **options: float
) -> tuple[np.ndarray, np.ndarray]:
    """(v', lam) that a formulation gives at the system's start, taken to be at the time t."""
    chosen = choose(formulation, "rk4", **options)
    apply(chosen, system)
    f, settle = functions(chosen, system) if recursive else chosen.formulation.functions()
    s = system.arrays
    status = Status(loop_calls.begin(system.header, f, settle, t))
    assert status == Status.finished, (system.coordinates, formulation, status)
    np.testing.assert_allclose(s.q, system.q0, atol=1e-9, err_msg=f"{formulation} has moved away")
    return s.a.copy(), s.lam[: system.m].copy()


def by_least_squares(system: System, t: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """(v', B^T lam) from the whole system [M B^T; B 0] by NumPy's least squares."""
    return by_least_squares_with_rounding(system, t)[:2]


def by_least_squares_with_rounding(system: System, t: float = 0.0) -> tuple[np.ndarray, np.ndarray, float]:
    """The same, with the share of the accelerations that rounding may be, by the condition of that system."""
    at, n, m = system.at(system.q0, system.v0, t), system.n, system.m
    length = np.linalg.norm(at.B, axis=1)
    scale = 1.0 / np.where(length > 1e-9, length, 1.0)  # a row that says nothing here is left as it is
    B = at.B * scale[:, None]
    K = np.block([[at.M, B.T], [B, np.zeros((m, m))]])
    even = evened(K, n)
    right = even * np.concatenate([at.Q, at.gamma * scale])
    x, _, rank, s = np.linalg.lstsq(even[:, None] * K * even, right, rcond=1e-11)
    x = even * x
    return x[:n], B.T @ x[n:], float(np.finfo(float).eps * s[0] / s[rank - 1]) if rank else 0.0


def evened(K: np.ndarray, n: int) -> np.ndarray:
    """Factors of rows and columns that make the largest entries of each about one (Ruiz 2001): what a least-squares
    solver takes for zero then depends on no unit. Rows beyond n that hold nothing but rounding stay as they are."""
    even = np.ones(len(K))
    for _ in range(12):
        largest = np.abs(even[:, None] * K * even).max(axis=1, initial=0.0)
        silent = largest < 1e-9
        silent[:n] = largest[:n] == 0.0
        even /= np.sqrt(np.where(silent, 1.0, largest))
    return even


def active_rows(system: System) -> np.ndarray:
    """The rows that formulations weigh, at the start: sine and cosine of an angle count as one."""
    system.at(system.q0, system.v0)
    s = system.arrays
    B = np.zeros((len(s.active), system.n))
    for p, k in enumerate(s.active):
        entries = slice(int(s.jptr[k]), int(s.jptr[k + 1]))
        B[p, s.jcol[entries]] = s.J[entries]
    return B


def silent_rows(system: System) -> bool:
    """Whether one of them is nothing but round-off: the coordinates fulfil it by themselves."""
    return bool((np.linalg.norm(active_rows(system), axis=1) < 1e-9).any())


def body_energy(system: System) -> float:
    """sum of 1/2 m v_G^2 + 1/2 w . J w at the start, from places and axes of the bodies."""
    return energy_of_bodies(system, system.q0, system.v0)


def energy_of_bodies(system: System, q: np.ndarray, v: np.ndarray) -> float:
    """The same at any state."""
    posture, total = system.posture(q, v), 0.0
    for name, body in system.resolved.bodies.items():
        motion = body_motion(posture, name)
        v, R, Rd = motion.p[1][0], motion.R[0][0], motion.R[1][0]
        W = Rd @ R.T
        w = R.T @ np.array([W[2, 1], W[0, 2], W[1, 0]])
        J = np.array(body.inertia, dtype=float)
        total += float(body.mass) * float(v @ v) / 2
        if not body.particle:
            total += float(w @ J @ w if J.ndim else J * w[2] ** 2) / 2
    return total
