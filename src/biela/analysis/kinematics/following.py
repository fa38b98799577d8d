"""Following a prescribed motion: positions, velocities and accelerations at given instants (003, sections 3-5).

The joints hold exactly; the prescriptions hold exactly where they agree, else in the sense of least squares, and the
gap that is left is told. So there may be more prescriptions than freedoms.   [V.1]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...errors import AssemblyError, MethodError, Problem
from ...methods.positions.closing import row_lengths
from ...system.system import System
from ..check.mobility import count_above, regular_poses

DEPTH = 14
"""how often the way from one instant to the next may be halved"""


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
class _Halves:
    """The equations at one place: joints scaled to rows of length one, prescriptions in units of the mechanism."""

    held: np.ndarray
    given: np.ndarray
    scale: np.ndarray
    U: np.ndarray
    s: np.ndarray
    Vt: np.ndarray
    rank: int


class Follower:
    """A system whose drivers are the prescriptions, step by step."""

    def __init__(self, system: System, names: list[str], tolerance: float, joints: int, determined: int):
        self.system, self.names = system, names
        rows = system.equations.rows
        self.is_given = np.array([r.role == "driver" for r in rows], dtype=bool)
        coordinates = system.resolved.coordinates
        angular = [name in coordinates and coordinates[name].type == "angle" for name in names]
        self.units = ["rad" if x else "m" for x in angular]
        self.size = np.array([1.0 if x else system.size for x in angular])
        lengths = {v for v, angle in zip(system.v_names, system.equations.angular, strict=True) if not angle}
        self.span = np.array([system.size if name in lengths else 1.0 for name in system.q_names])
        self.tolerance = tolerance
        self.firm = max(1e-9, system.slack)
        """what may be left of the joints"""
        self.joints, self.determined = joints, determined
        """rank of the joints, and freedoms that the prescriptions determine, in a regular position"""
        self.notes: list[str] = []

    # ------------------------------------------------------------------------------------ linear algebra
    def _held(self, B: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The rows of the joints, and their lengths."""
        held = B[~self.is_given] * self.system.unit
        scale = row_lengths(self.system, held, ~self.is_given)
        return held / scale[:, None], scale

    def _halves(self, B: np.ndarray) -> _Halves:
        unit = self.system.unit
        given = B[self.is_given] * unit / self.size[:, None]
        held, scale = self._held(B)
        U, s, Vt = np.linalg.svd(held) if held.size else (np.zeros((len(held),) * 2), np.zeros(0), np.eye(len(unit)))
        rank = count_above(s, held.shape, self.system.slack) if held.size else 0
        return _Halves(held, given, scale, U, s, Vt, min(rank, self.joints))

    def _solve(self, h: _Halves, f: np.ndarray) -> np.ndarray:
        """x with B x = f: the joints exactly, then the prescriptions."""
        fh, fg = f[~self.is_given] / h.scale, f[self.is_given] / self.size
        k = h.rank
        x = h.Vt[:k].T @ ((h.U[:, :k].T @ fh) / h.s[:k])
        N = h.Vt[k:].T
        y = np.linalg.lstsq(h.given @ N, fg - h.given @ x, rcond=1e-9)[0]
        return (x + N @ y) * self.system.unit

    def _determines(self, h: _Halves, margin: float) -> bool:
        """Whether the prescriptions determine the motion, and not by a hair's breadth."""
        if self.determined == 0:
            return True
        size = np.maximum(np.linalg.norm(h.given, axis=1), 1e-300)
        s = np.linalg.svd((h.given / size[:, None]) @ h.Vt[h.rank :].T, compute_uv=False)
        return bool(s[self.determined - 1] > margin)

    # ----------------------------------------------------------------------------------------- positions
    def reach(self, q: np.ndarray, t: float, shift: Any = 0.0, iterations: int = 40) -> tuple[np.ndarray, bool]:
        """The position near q that the prescriptions ask for at t; `shift` is added to what they ask."""
        system, unit, add = self.system, self.system.unit, np.zeros(len(self.is_given))
        add[self.is_given] = shift
        before = np.inf
        for _ in range(iterations):
            at = system.at(q, None, t)
            if not np.isfinite(at.Phi).all():
                raise self._no_value(at.Phi, t)
            step = self._solve(self._halves(at.B), -(at.Phi - add))
            reach = float(np.abs(step / unit).max(initial=0.0))
            if reach > 0.5:
                step = step * (0.5 / reach)
            q = system.displaced(q, step)
            # at the level of rounding it no longer shrinks
            if reach < 1e-10 or (reach < 1e-7 and reach > 0.5 * before):
                return q, True
            before = reach
        return q, False

    def _no_value(self, Phi: np.ndarray, t: float) -> MethodError:
        bad = [n for n, f in zip(self.names, Phi[self.is_given], strict=True) if not np.isfinite(f)]
        users = self.system.workspace.error
        what = f"the motion of {', '.join(bad) or 'the mechanism'} has no value at t = {t:.6g} s"
        return MethodError(Problem(what, where="motion", why=users or "", cure="correct the formula or the function"))

    def gaps(self, q: np.ndarray, t: float) -> np.ndarray:
        """How far each prescription is from being met."""
        return self.system.at(q, None, t).Phi[self.is_given]

    def _open(self, q: np.ndarray, t: float) -> float:
        """What is left of the joints."""
        at = self.system.at(q, None, t)
        _, scale = self._held(at.B)
        return float(np.abs(at.Phi[~self.is_given] / scale).max(initial=0.0))

    def fits(self, q: np.ndarray, t: float) -> bool:
        """Whether joints and prescriptions hold."""
        return self._open(q, t) < self.firm and bool((np.abs(self.gaps(q, t)) <= self.tolerance * self.size).all())

    def first(self, q: np.ndarray, t: float) -> np.ndarray:
        """From where the model starts to where the motion starts, in small parts so as to stay on the branch."""
        q = self._whole_turns(q, t)
        found, last = self._approach(q, t)
        if found is not None:
            return found
        from ...methods.positions.closing import close

        closed = close(self.system, q, t)
        if closed.converged and self.fits(closed.q, t):
            return closed.q
        if not self._determines(self._halves(self.system.at(q, None, t).B), 1e-6):
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
            q, _ = self.reach(q, t, away * (k / parts), iterations=40 if k == 0 else 6)
            if self._open(q, t) < 1e-6:
                last = q
        return (q if self.fits(q, t) else None), last

    def _nearest(self, q: np.ndarray, t: float) -> np.ndarray:
        """As far towards what is asked at t as the joints let it come, from q, where they are closed."""
        near, _ = self.reach(q, t, iterations=200)
        if self._open(near, t) < self.firm:
            return near
        q, _ = self.reach(q, t, away := self.gaps(q, t))
        low, high = 0.0, 1.0
        for _ in range(25):
            share = 0.5 * (low + high)
            found, converged = self.reach(q, t, (1 - share) * away)
            if converged and self._open(found, t) < self.firm:
                q, low = found, share
            else:
                high = share
        return q

    def _whole_turns(self, q: np.ndarray, t: float) -> np.ndarray:
        """Angles may be asked for some turns away: those cost no motion."""
        low, q = self.system.equations, q.copy()
        for name, gap in zip(self.names, self.gaps(q, t), strict=True):
            if name in low.variables and low.resolved.coordinates[name].type == "angle" and np.isfinite(gap):
                turns = np.round(gap / (2 * np.pi))
                if low.tree is None:
                    q[low.q_names.index(name)] -= 2 * np.pi * turns
                else:
                    k = list(low.variables).index(name)
                    scale = self.system.arrays.extra_scale[k]
                    q[int(self.system.arrays.extra_q[k])] -= 2 * np.pi * turns / scale
        return q

    # -------------------------------------------------------------------------------- from instant to instant
    def rates(self, q: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray, bool]:
        """Velocities [K.4], accelerations [K.7], and whether the prescriptions determine them."""
        at = self.system.at(q, None, t)
        h = self._halves(at.B)
        v = self._solve(h, -at.Phi_t)
        gamma = self.system.at(q, v, t).gamma
        if not (np.isfinite(at.Phi_t).all() and np.isfinite(gamma).all()):
            raise self._no_value(gamma, t)
        return v, self._solve(h, gamma), self._determines(h, 1e-7)

    def advance(self, q: np.ndarray, v: np.ndarray, a: np.ndarray, t0: float, t1: float, depth: int = 0) -> Any:
        """The position at t1; halved where the correction is long, as another branch might be near.   [K.8]"""
        dt, unit = t1 - t0, self.system.unit
        move = dt * v + 0.5 * dt * dt * a
        guess = self.system.displaced(q, move)
        found, converged = self.reach(guess, t1, iterations=12)
        if converged:
            stride = float(np.abs(move / unit).max(initial=0.0))
            jump = self._between(guess, found)
            if jump <= max(0.3 * stride, 1e-6) and self.fits(found, t1):
                return found
        if depth == DEPTH:
            return self._over_a_kink(q, v, t0, t1)
        tm = 0.5 * (t0 + t1)
        middle = self.advance(q, v, a, t0, tm, depth + 1)
        if middle is None:
            return None
        vm, am, _ = self.rates(middle, tm)
        if np.abs(vm / unit).max(initial=0.0) * abs(dt) > 50:  # racing towards a dead point
            return None
        return self.advance(middle, vm, am, tm, t1, depth + 1)

    def _over_a_kink(self, q: np.ndarray, v: np.ndarray, t0: float, t1: float) -> np.ndarray | None:
        """The position at t1, a moment later, where what is prescribed has a kink: between those that its velocities
        before and after lead to. None where it has none: then another branch is near."""
        dt, unit = t1 - t0, self.system.unit
        after = self.rates(q, t1)[0]
        strides = [dt * np.abs(x / unit).max(initial=0.0) for x in (v, after)]
        apart = dt * float(np.abs((after - v) / unit).max(initial=0.0))
        if apart < 0.3 * max(strides):
            return None
        guess = self.system.displaced(q, 0.5 * dt * (v + after))
        found, converged = self.reach(guess, t1, iterations=12)
        near = self._between(guess, found) <= max(0.6 * apart, 1e-9)
        return found if converged and near and self.fits(found, t1) else None

    def _between(self, p: np.ndarray, q: np.ndarray) -> float:
        return float(np.abs((q - p) / self.span).max(initial=0.0))

    def follow(self, q: np.ndarray, times: np.ndarray, progress: Callable[[float, int], None] | None) -> Followed:
        """All instants, each from the one before; with Ctrl-C, as many as there are."""
        out = Followed(gap=np.zeros(len(self.names)))
        try:
            q = self.first(q, float(times[0]))
            for k, t in enumerate(times):
                t = float(t)
                if k:
                    before = float(times[k - 1])
                    moved = self.advance(out.q[-1], out.v[-1], out.a[-1], before, t)
                    if moved is None:
                        raise self.contradiction(out.q[-1], before, t)
                    q = moved
                v, a, fixed = self.rates(q, t)
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
        here = self._values(near)
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
            why = f"at t = {t:.6g} s the joints cannot be closed: they miss by {self._open(near, t):.3g}"
        cure = "prescribe what the mechanism can do"
        if bad and not self._determines(self._halves(self.system.at(near, None, t).B), 0.05):
            why += "; it is near a dead point there, where these coordinates cannot move it on"
            cure = "stay away from the dead point, or prescribe another coordinate, such as the crank"
        if too_many:
            cure = f"it has {self.determined} freedoms, {len(self.names)} are prescribed; prescribe fewer, or allow a "
            cure += "larger gap with tolerance= (it is relative to the size of the mechanism)"
        where = ", ".join(self.names[k] for k in bad) or "motion"
        return AssemblyError(Problem(what, where, why, cure), title=f"motion of {self.system.name!r}")

    def _values(self, q: np.ndarray) -> np.ndarray:
        """The coordinates prescribed, as they are."""
        system, out = self.system, []
        here = system.posture(q)
        for name in self.names:
            if name in system.resolved.coordinates:
                out.append(float(np.asarray(system.value(name, q)[0])[0]))
            else:
                point, axis = name.rsplit(".", 1)
                out.append(float(here.place(system.resolved.place(point))[0][0]["xyz".index(axis)]))
        return np.array(out)
