"""Energies of the jumps of the decaying schemes: what each step loses, and where.   002 (33), (35), (41)

The state j after the jump follows from the two ends of a step: with u the way of the step, (28) is
u = h v_n+1 + 3 y, v_j = v_n+1 + 6 y/h, and D y is the way from n to j. For turns u is that of the two turns D y and
h v_n+1 + (3 - D) y together. The energies are those of the jumps of the velocities and of the forces; that the run
loses as much is for its energy to show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...errors import Problem
from ...model.expression import evaluate
from ..motion import Motion
from .channel import Catalogue

if TYPE_CHECKING:
    from ..result import Result

JUMPS = ("energy.jump.kinetic", "energy.jump.potential", "energy.jump")
"""K_nj, V_nj and c^2"""
SETTLED = 60
"""iterations for the turns of a jump; each gains a digit or more where a step turns by less than a tenth"""


def missing(r: Result) -> Problem | None:
    """Why a run has no such channels, if it has none."""
    i, tr = r.settings.integrator, r.trajectory
    what = "there are no energies of jumps here"
    if not i.dissipates:
        return Problem(what, why=f"{i.name} has no jumps", cure="integrator='decaying' or 'decaying-002'")
    if not tr.step or r.events or tr.halved:
        why = "steps of other lengths are among them" if tr.halved or not tr.step else "the run is made of pieces"
        return Problem(what, why=f"{why}, and jumps follow from the two ends of a step", cure="a fixed, shorter step")
    if len(r.t) != tr.steps + 1:
        why = f"{len(r.t) - 1} samples of {tr.steps} steps are kept, and jumps follow from the two ends of a step"
        return Problem(what, why=why, cure=f"samples={tr.steps}")
    return None


def jump_channels(r: Result, out: Catalogue) -> None:
    """The channels, where there are any."""
    if missing(r) is not None:
        return

    def kinetic() -> np.ndarray:
        jump = _after(r)[1] - r.v[:-1]
        M = r.system.at(r.q[0], r.v[0]).M
        return np.concatenate([[0.0], 0.5 * np.einsum("ti,ij,tj->t", jump, M, jump)])

    def potential() -> np.ndarray:
        return np.concatenate([[0.0], _stresses(r)])

    out[JUMPS[0]] = (kinetic, "J")
    out[JUMPS[1]] = (potential, "J")
    out[JUMPS[2]] = (lambda: kinetic() + potential(), "J")


def _stresses(r: Result) -> np.ndarray:
    """V_nj of every step: half of what each force changes by from n to j, on the way there.   002 (35)"""
    system, h = r.system, float(r.trajectory.step or 1.0)
    q, v = _after(r)
    j = Motion(system, r.t[:-1], q, v, np.zeros_like(v), r.lam[:-1], r.work[:-1])
    total = np.zeros(len(q))
    for f in system.equations.forces:
        if f.kind == "load":  # it has no strain
            continue
        x, xj = np.asarray(r.force_motion(f)[0]), np.asarray(j.force_motion(f)[0])
        if f.kind == "angle":  # an instant after n: as many turns
            xj = xj + 2 * np.pi * np.round((x[:-1] - xj) / (2 * np.pi))
        rate = (x[1:] - xj) / h
        if f.law.strain is None:
            jump = j.law_value(f, xj, rate) - j.law_value(f, x[:-1], rate)
            total -= 0.5 * (xj - x[:-1]) * jump
        else:
            k, strain = f.law.strain
            e0, ej = (np.array([evaluate(strain, {"x": float(one)}) for one in at]) for at in (x[:-1], xj))
            total += 0.5 * float(k) * (ej - e0) ** 2
    return total


def _after(r: Result) -> tuple[np.ndarray, np.ndarray]:
    """q_j and v_j of every step."""
    s, h = r.system.arrays, float(r.trajectory.step or 1.0)
    D = 1.0 if r.settings.dissipation is None else r.settings.dissipation
    q0, q1, v1 = r.q[:-1], r.q[1:], r.v[1:]
    y, qj = np.zeros_like(v1), np.array(q0)
    turning: list[int] = []
    for p, j in zip(s.quat_q, s.quat_v, strict=True):
        three = slice(int(j), int(j) + 3)
        turned = _product(_conjugate(q0[:, p : p + 4]), q1[:, p : p + 4])
        y[:, three] = _jump(2.0 * turned[:, 1:] * np.sign(turned[:, :1]), h * v1[:, three], D)
        qj[:, p : p + 4] = _product(q0[:, p : p + 4], _quaternion(D * y[:, three]))
        turning += range(int(j), int(j) + 3)
    if len(s.tree_calls):
        for d in np.flatnonzero(s.tree_kind == 1):
            half = 0.5 * (q1[:, s.tree_q[d]] - q0[:, s.tree_q[d]])
            plane = np.zeros((len(half), 3))
            plane[:, 2] = 2.0 * np.sin(half)
            spin = np.zeros_like(plane)
            spin[:, 2] = h * v1[:, d]
            y[:, d] = _jump(plane, spin, D)[:, 2]
            qj[:, s.tree_q[d]] += 2.0 * np.arcsin(0.5 * D * y[:, d])
            turning.append(int(d))
    if len(s.quat_q):
        place = dict(zip(s.plain_v.tolist(), s.plain_q.tolist(), strict=True))
    else:
        place = {j: j for j in range(r.system.n)}
    for j in (j for j in range(r.system.n) if j not in turning):
        y[:, j] = (q1[:, place[j]] - q0[:, place[j]] - h * v1[:, j]) / 3.0
        qj[:, place[j]] += D * y[:, j]
    return qj, v1 + 6.0 * y / h


def _jump(whole: np.ndarray, ahead: np.ndarray, D: float) -> np.ndarray:
    """y of the turns D y and ahead + (3 - D) y that together make the turn `whole` (each twice the vector part)."""
    y = (whole - ahead) / 3.0
    for _ in range(SETTLED):
        both = _product(_quaternion(D * y), _quaternion(ahead + (3.0 - D) * y))
        change = (whole - 2.0 * both[:, 1:]) / 3.0
        y = y + change
        if np.abs(change).max(initial=0.0) < 1e-16:
            break
    return y


def _quaternion(u: np.ndarray) -> np.ndarray:
    e = 0.5 * u
    return np.concatenate([np.sqrt(np.maximum(0.0, 1.0 - (e * e).sum(axis=1)))[:, None], e], axis=1)


def _conjugate(p: np.ndarray) -> np.ndarray:
    return p * np.array([1.0, -1.0, -1.0, -1.0])


def _product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    scalar = p[:, 0] * q[:, 0] - (p[:, 1:] * q[:, 1:]).sum(axis=1)
    vector = p[:, :1] * q[:, 1:] + q[:, :1] * p[:, 1:] + np.cross(p[:, 1:], q[:, 1:])
    return np.concatenate([scalar[:, None], vector], axis=1)
