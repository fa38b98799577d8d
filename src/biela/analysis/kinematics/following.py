"""Following a prescribed motion: positions, velocities and accelerations at given instants (003, sections 3-5).

The step from one instant to the next is `advance`, whoever solves the equations: `kinematics` where drivers determine
the motion, or `Follower`, for which there may be more prescriptions than freedoms: the joints hold exactly, the
prescriptions where they agree, else in the sense of least squares, and the gap that is left is reported.   [V.1]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from ...errors import AssemblyError, MethodError, Problem
from ...methods.positions.closing import close, row_lengths
from ...system.system import System
from ..assembly.transfer import largest_change
from ..check.mobility import count_above, driver_rows, regular_poses
from ..quantities import is_angular, turns_towards, value_of

DEPTH = 14
"""how often the interval from one instant to the next may be halved"""
State = tuple[np.ndarray, np.ndarray, np.ndarray]
"""q, v, v'"""


class Solver(Protocol):
    """Solves the equations of a prescribed motion at one instant."""

    system: System

    def position(self, guess: np.ndarray, t: float) -> np.ndarray | None:
        """The position at t near a guess; None where there is none."""
        ...

    def rates(self, q: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Velocities and accelerations there."""
        ...


def advance(solver: Solver, state: State, t0: float, t1: float, depth: int = 0) -> np.ndarray | None:
    """The position at t1 from the state at t0: Taylor prediction, Newton correction; halved where the correction is
    long, as another branch might be near. None where the mechanism cannot go on.   [K.8]"""
    (q, v, a), dt, system = state, t1 - t0, solver.system
    guess = system.displaced(q, dt * v + 0.5 * dt * dt * a)
    found = solver.position(guess, t1)
    if found is not None:
        stride, jump = largest_change(system, guess, q), largest_change(system, found, guess)
        if jump <= max(0.3 * stride, 1e-6):
            return found
    if depth == DEPTH:
        return _over_a_kink(solver, q, v, t0, t1)
    tm = 0.5 * (t0 + t1)
    middle = advance(solver, state, t0, tm, depth + 1)
    if middle is None:
        return None
    vm, am = solver.rates(middle, tm)
    if np.abs(vm / system.unit).max(initial=0.0) * abs(dt) > 50:  # racing towards a dead point
        return None
    return advance(solver, (middle, vm, am), tm, t1, depth + 1)


def _over_a_kink(solver: Solver, q: np.ndarray, v: np.ndarray, t0: float, t1: float) -> np.ndarray | None:
    """The position at t1, a moment later, where what is prescribed has a kink: between those that its velocities before
    and after lead to. None where it has none: then another branch is near."""
    dt, system = t1 - t0, solver.system
    after = solver.rates(q, t1)[0]
    strides = [abs(dt) * np.abs(x / system.unit).max(initial=0.0) for x in (v, after)]
    apart = abs(dt) * float(np.abs((after - v) / system.unit).max(initial=0.0))
    if apart < 0.3 * max(strides):
        return None
    guess = system.displaced(q, 0.5 * dt * (v + after))
    found = solver.position(guess, t1)
    near = found is not None and largest_change(system, found, guess) <= max(0.6 * apart, 1e-9)
    return found if near else None


@dataclass
class Followed:
    """Samples of the motion, and how far it misses what was asked."""

    q: list[np.ndarray] = field(default_factory=list)
    v: list[np.ndarray] = field(default_factory=list)
    a: list[np.ndarray] = field(default_factory=list)
    gap: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """largest gap of each prescription"""
    singular: list[float] = field(default_factory=list)
    """instants at which the prescriptions do not determine the velocity"""
    interrupted: bool = False


@dataclass
class _Rows:
    """The equations at one place: joints scaled to rows of length one and factored, prescriptions in units of the
    mechanism."""

    prescribed: np.ndarray
    scale: np.ndarray
    """lengths of the rows of the joints"""
    U: np.ndarray
    s: np.ndarray
    Vt: np.ndarray
    rank: int


class Follower:
    """A system whose drivers are the prescriptions, step by step."""

    def __init__(self, system: System, names: list[str], tolerance: float, joints: int, determined: int):
        self.system, self.names = system, names
        self.prescribed = driver_rows(system)
        angular = [is_angular(system.resolved, name) for name in names]
        self.units = ["rad" if x else "m" for x in angular]
        self.size = np.array([1.0 if x else system.size for x in angular])
        self.tolerance = tolerance
        self.joint_tolerance = max(1e-9, system.slack)
        """what may be left of the joints"""
        self.joints, self.determined = joints, determined
        """rank of the joints, and freedoms that the prescriptions determine, in a regular position"""
        self.notes: list[str] = []

    # ------------------------------------------------------------------------------------ linear algebra
    def _joint_rows(self, B: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The rows of the joints, of length one, and what they were divided by."""
        joints = B[~self.prescribed] * self.system.unit
        scale = row_lengths(self.system, joints, ~self.prescribed)
        return joints / scale[:, None], scale

    def _rows(self, B: np.ndarray) -> _Rows:
        unit = self.system.unit
        prescribed = B[self.prescribed] * unit / self.size[:, None]
        joints, scale = self._joint_rows(B)
        if not joints.size:
            return _Rows(prescribed, scale, np.zeros((len(joints),) * 2), np.zeros(0), np.eye(len(unit)), 0)
        U, s, Vt = np.linalg.svd(joints)
        rank = count_above(s, joints.shape, self.system.slack)
        return _Rows(prescribed, scale, U, s, Vt, min(rank, self.joints))

    def _solve(self, h: _Rows, f: np.ndarray) -> np.ndarray:
        """x with B x = f: the joints exactly, then the prescriptions."""
        fh, fg = f[~self.prescribed] / h.scale, f[self.prescribed] / self.size
        k = h.rank
        x = h.Vt[:k].T @ ((h.U[:, :k].T @ fh) / h.s[:k])
        N = h.Vt[k:].T
        y = np.linalg.lstsq(h.prescribed @ N, fg - h.prescribed @ x, rcond=1e-9)[0]
        return (x + N @ y) * self.system.unit

    def _determines(self, h: _Rows, margin: float) -> bool:
        """Whether the prescriptions determine the motion, and not by a hair's breadth."""
        if self.determined == 0:
            return True
        size = np.maximum(np.linalg.norm(h.prescribed, axis=1), 1e-300)
        s = np.linalg.svd((h.prescribed / size[:, None]) @ h.Vt[h.rank :].T, compute_uv=False)
        return bool(s[self.determined - 1] > margin)

    # ----------------------------------------------------------------------------------------- positions
    def solve(self, q: np.ndarray, t: float, shift: Any = 0.0, iterations: int = 40) -> tuple[np.ndarray, bool]:
        """The position near q that the prescriptions ask for at t; `shift` is added to what they ask."""
        system, unit, add = self.system, self.system.unit, np.zeros(len(self.prescribed))
        add[self.prescribed] = shift
        before = np.inf
        for _ in range(iterations):
            at = system.at(q, None, t)
            if not np.isfinite(at.Phi).all():
                raise self._no_value(at.Phi, t)
            step = self._solve(self._rows(at.B), -(at.Phi - add))
            size = float(np.abs(step / unit).max(initial=0.0))
            if size > 0.5:
                step = step * (0.5 / size)
            q = system.displaced(q, step)
            # at the level of rounding it no longer shrinks
            if size < 1e-10 or (size < 1e-7 and size > 0.5 * before):
                return q, True
            before = size
        return q, False

    def _no_value(self, Phi: np.ndarray, t: float) -> MethodError:
        bad = [n for n, f in zip(self.names, Phi[self.prescribed], strict=True) if not np.isfinite(f)]
        users = self.system.workspace.error
        what = f"the motion of {', '.join(bad) or 'the mechanism'} has no value at t = {t:.6g} s"
        return MethodError(Problem(what, where="motion", why=users or "", cure="correct the formula or the function"))

    def gaps(self, q: np.ndarray, t: float) -> np.ndarray:
        """How far each prescription is from being met."""
        return self.system.at(q, None, t).Phi[self.prescribed]

    def _joint_violation(self, q: np.ndarray, t: float) -> float:
        """What is left of the joints."""
        at = self.system.at(q, None, t)
        _, scale = self._joint_rows(at.B)
        return float(np.abs(at.Phi[~self.prescribed] / scale).max(initial=0.0))

    def fits(self, q: np.ndarray, t: float) -> bool:
        """Whether joints and prescriptions hold."""
        if self._joint_violation(q, t) >= self.joint_tolerance:
            return False
        return bool((np.abs(self.gaps(q, t)) <= self.tolerance * self.size).all())

    def first(self, q: np.ndarray, t: float) -> np.ndarray:
        """From where the model starts to where the motion starts, in small parts so as to stay on the branch."""
        q = self._whole_turns(q, t)
        found, last = self._approach(q, t)
        if found is not None:
            return found
        closed = close(self.system, q, t)
        if closed.converged and self.fits(closed.q, t):
            return closed.q
        if not self._determines(self._rows(self.system.at(q, None, t).B), 1e-6):
            for pose in regular_poses(self.system, q, t)[1:]:
                found, _ = self._approach(pose, t)
                if found is not None:
                    self.notes.append(
                        f"note: the model starts in a dead point of {', '.join(self.names)}, from which there are "
                        "several ways; give initial.position near the one you mean"
                    )
                    return found
        raise self.contradiction(last, t, t)

    def _approach(self, q: np.ndarray, t: float) -> tuple[np.ndarray | None, np.ndarray]:
        """Where the motion starts, if it can be reached, and the last position on the way at which the joints hold."""
        away = self.gaps(q, t)
        if not np.isfinite(away).all():
            raise self._no_value(self.system.at(q, None, t).Phi, t)
        parts = int(np.clip(np.ceil(np.abs(away / self.size).max(initial=0.0) / 0.1), 1, 500))
        last = q
        for k in range(parts - 1, -1, -1):
            q, _ = self.solve(q, t, away * (k / parts), iterations=40 if k == 0 else 6)
            if self._joint_violation(q, t) < 1e-6:
                last = q
        return (q if self.fits(q, t) else None), last

    def _nearest(self, q: np.ndarray, t: float) -> np.ndarray:
        """As far towards what is asked at t as the joints let it come, from q, where they are closed."""
        near, _ = self.solve(q, t, iterations=200)
        if self._joint_violation(near, t) < self.joint_tolerance:
            return near
        q, _ = self.solve(q, t, away := self.gaps(q, t))
        low, high = 0.0, 1.0
        for _ in range(25):
            share = 0.5 * (low + high)
            found, converged = self.solve(q, t, (1 - share) * away)
            if converged and self._joint_violation(found, t) < self.joint_tolerance:
                q, low = found, share
            else:
                high = share
        return q

    def _whole_turns(self, q: np.ndarray, t: float) -> np.ndarray:
        """Angles may be asked for some turns away: those cost no motion."""
        low, q = self.system.equations, q.copy()
        for name, gap in zip(self.names, self.gaps(q, t), strict=True):
            if name in low.variables and low.resolved.coordinates[name].type == "angle" and np.isfinite(gap):
                k, s = list(low.variables).index(name), self.system.arrays
                i, scale = (low.q_names.index(name), 1.0) if low.tree is None else (s.extra_q[k], s.extra_scale[k])
                q[int(i)] += turns_towards(gap, 0.0) / scale
        return q

    # -------------------------------------------------------------------------------- from instant to instant
    def position(self, guess: np.ndarray, t: float) -> np.ndarray | None:
        """The position at t near a guess; None where joints or prescriptions do not hold."""
        found, converged = self.solve(guess, t, iterations=12)
        return found if converged and self.fits(found, t) else None

    def rates(self, q: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Velocities [K.4] and accelerations [K.7]."""
        return self._rates(q, t)[:2]

    def _rates(self, q: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray, bool]:
        """The same, and whether the prescriptions determine them."""
        at = self.system.at(q, None, t)
        h = self._rows(at.B)
        v = self._solve(h, -at.Phi_t)
        gamma = self.system.at(q, v, t).gamma
        if not (np.isfinite(at.Phi_t).all() and np.isfinite(gamma).all()):
            raise self._no_value(gamma, t)
        return v, self._solve(h, gamma), self._determines(h, 1e-7)

    def follow(self, q: np.ndarray, times: np.ndarray, progress: Callable[[float, int], None] | None) -> Followed:
        """All instants, each from the one before; with Ctrl-C, as many as there are."""
        out = Followed(gap=np.zeros(len(self.names)))
        try:
            q = self.first(q, float(times[0]))
            for k, t in enumerate(times):
                t = float(t)
                if k:
                    before = float(times[k - 1])
                    moved = advance(self, (out.q[-1], out.v[-1], out.a[-1]), before, t)
                    if moved is None:
                        raise self.contradiction(out.q[-1], before, t)
                    q = moved
                v, a, fixed = self._rates(q, t)
                if not fixed:
                    out.singular.append(t)
                    if k:  # the joints do not determine it: keep what the motion brings along
                        v, a = out.v[-1] + (t - before) * out.a[-1], out.a[-1]
                out.gap = np.maximum(out.gap, np.abs(self.gaps(q, t)))
                for store, x in zip((out.q, out.v, out.a), (q, v, a), strict=True):
                    store.append(x)
                if progress and (k % 20 == 0 or k + 1 == len(times)):
                    progress(0.5 * (k + 1) / len(times), k + 1)
        except KeyboardInterrupt:
            if not out.q:
                raise
            out.interrupted = True
        done = min(len(x) for x in (out.q, out.v, out.a))
        out.q, out.v, out.a = out.q[:done], out.v[:done], out.a[:done]
        return out

    def contradiction(self, q: np.ndarray, before: float, t: float) -> AssemblyError:
        """What cannot be, in numbers: the nearest position, and the gaps that are left there."""
        near = self._nearest(q, t)
        gaps = self.gaps(near, t)
        jump = np.abs(self.gaps(q, t))
        worst = int(np.argmax(jump / self.size))
        if t > before and (self.fits(near, t) or jump[worst] > 3 * self.size[worst]):
            by = f"{jump[worst]:.4g} {self.units[worst]}"
            why = f"from t = {before:.6g} s to {t:.6g} s it moves by {by}, too suddenly"
            cure = "smooth the motion, or give more instants; if it passes a dead point, prescribe another coordinate"
            title = f"motion of {self.system.name!r}"
            return AssemblyError(Problem(f"{self.names[worst]} cannot be followed", "motion", why, cure), title=title)
        here = np.array([value_of(self.system, name, near) for name in self.names])
        asked = here - gaps
        bad = [k for k in np.argsort(-np.abs(gaps / self.size)) if abs(gaps[k]) > self.tolerance * self.size[k]]
        details = [
            f"{self.names[k]} should be {asked[k]:.6g} {self.units[k]} and comes to {here[k]:.6g}: a gap of "
            f"{abs(gaps[k]):.3g} {self.units[k]}"
            for k in bad[:4]
        ]
        too_many = len(self.names) > self.determined
        what = "the prescribed motions contradict one another" if too_many else "the motion cannot be reached"
        why = f"at t = {t:.6g} s the nearest that the joints allow: " + "; ".join(details)
        if not bad:
            why = f"at t = {t:.6g} s the joints cannot be closed: they miss by {self._joint_violation(near, t):.3g}"
        cure = "prescribe what the mechanism can do"
        if bad and not self._determines(self._rows(self.system.at(near, None, t).B), 0.05):
            why += "; it is near a dead point there, where these coordinates cannot move it on"
            cure = "stay away from the dead point, or prescribe another coordinate, such as the crank"
        if too_many:
            cure = f"it has {self.determined} freedoms, {len(self.names)} are prescribed; prescribe fewer, or allow a "
            cure += "larger gap with tolerance= (it is relative to the size of the mechanism)"
        where = ", ".join(self.names[k] for k in bad) or "motion"
        return AssemblyError(Problem(what, where, why, cure), title=f"motion of {self.system.name!r}")
