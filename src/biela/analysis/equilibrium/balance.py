"""Finding a position of rest: S^T Q = 0 with the joints closed (001 15.7), from far away.

At rest the minimal equations say that the forces do no work in any motion that the joints allow. There are two
searches: along the forces, as the mechanism would creep if let go in a thick fluid (it ends in stable positions); or to
the nearest position where they balance, stable or not.   [E.5]-[E.7]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...kernels.calls_from_python import count_turns
from ...system.system import System
from ..minimal.chart import Chart, local_chart

ITERATIONS = 200
FARTHEST = 1e6
"""times the size of the mechanism: a force that has not let go by then never will"""


@dataclass
class LocalStiffness:
    """The mechanism around a position: its force and its stiffness in coordinates y, in which lengths are those of the
    whole displacement in units of the mechanism."""

    chart: Chart
    q: np.ndarray
    S: np.ndarray
    r: np.ndarray
    K: np.ndarray
    to_x: np.ndarray
    """x = to_x y"""
    noise: float
    """of the force, by rounding"""

    def velocity(self, y: np.ndarray) -> np.ndarray:
        return self.S @ (self.to_x @ y)


def generalised_force(chart: Chart, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """S^T Q at rest, and S."""
    system = chart.system
    at = system.at(q, None, chart.t)
    S = chart.split(q, at.B).S()
    return S.T @ at.Q, S


def local_stiffness(system: System, q: np.ndarray, t: float, step: float = 1e-4) -> LocalStiffness:
    """Force and stiffness at a position, by differences along the closed mechanism."""
    chart = local_chart(system, q, t)
    r, S = generalised_force(chart, q)
    G = (S / system.unit[:, None]).T @ (S / system.unit[:, None])
    to_x = np.linalg.inv(np.linalg.cholesky(G)).T
    f = chart.freedom
    K = np.zeros((f, f))
    for k in range(f):
        h, ends = step, []
        while len(ends) < 2:
            places = [chart.position(sign * h * to_x[:, k]) for sign in (1, -1)]
            ends = [generalised_force(chart, p)[0] for p in places if p is not None]
            if len(ends) < 2:
                h *= 0.1
                if h < 1e-9:
                    return LocalStiffness(chart, q, S, to_x.T @ r, np.full((f, f), np.nan), to_x, 0.0)
        K[:, k] = -(ends[0] - ends[1]) / (2 * h)
    Q = np.abs(system.at(q, None, t).Q)
    noise = 1e-15 * float((np.abs(S @ to_x).T @ Q).max(initial=0.0) + np.abs(to_x.T @ K).max(initial=0.0))
    return LocalStiffness(chart, q, S, to_x.T @ r, to_x.T @ K, to_x, noise)


@dataclass
class Balance:
    """Where the search ended."""

    here: LocalStiffness
    converged: bool
    iterations: int
    distance: float
    """how far it went, in sizes of the mechanism"""
    escaped: bool = False
    """it started (or stopped on its path) in an unstable balance, and was pushed on"""


def find_balance(system: System, q: np.ndarray, t: float, stable: bool) -> Balance:
    """The search: trust-region steps, then Newton's to the last digit."""
    here, radius, distance, escaped = local_stiffness(system, q, t), 0.1, 0.0, False
    for k in range(ITERATIONS):
        if not np.isfinite(here.K).all() or not np.isfinite(here.r).all():
            return Balance(here, False, k, distance, escaped)
        if _balanced(here):
            push = _uphill(here) if stable else None
            if push is None:
                return Balance(_polished(system, here, t), True, k, distance, escaped)
            escaped = True
            moved = here.chart.position(here.to_x @ (1e-2 * push))
            if moved is None:
                return Balance(here, True, k, distance, escaped)
            here = _stiffness_at(system, moved, t)
            continue
        step = _step(here, radius, stable)
        length = float(np.linalg.norm(step))
        ratio, moved = _gain(here, step, stable)
        if moved is None or ratio < 0.05:
            radius = 0.3 * min(radius, length)
            if radius < 1e-13:
                return Balance(here, False, k, distance, escaped)
            continue
        if ratio > 0.7 and length > 0.9 * radius:
            radius *= 2.5
        elif ratio < 0.25:
            radius *= 0.4
        distance += length
        here = _stiffness_at(system, moved, t)
        if distance > FARTHEST:
            return Balance(here, False, k, distance, escaped)
    return Balance(here, False, ITERATIONS, distance, escaped)


def _stiffness_at(system: System, q: np.ndarray, t: float) -> LocalStiffness:
    if len(system.arrays.wound):
        system.at(q, None, t)
        count_turns(system.header)
    return local_stiffness(system, q, t)


def _balanced(here: LocalStiffness) -> bool:
    """Newton's step is small, or the force is rounding. Directions without stiffness and without force are left."""
    if float(np.abs(here.r).max(initial=0.0)) <= 10 * here.noise:
        return True
    step, held = _newton(here)
    return held and float(np.linalg.norm(step)) < 1e-7


def _newton(here: LocalStiffness) -> tuple[np.ndarray, bool]:
    """K^+ r, and whether it balances all of the force."""
    U, s, Vt = np.linalg.svd(here.K)
    kept = s > 1e-9 * s.max(initial=0.0)
    inner = U.T @ here.r
    step = Vt[kept].T @ (inner[kept] / s[kept])
    left = float(np.abs(inner[~kept]).max(initial=0.0))
    return step, left <= 1e-6 * float(np.abs(here.r).max(initial=0.0)) + 10 * here.noise


def _polished(system: System, here: LocalStiffness, t: float) -> LocalStiffness:
    """Newton until rounding stops it."""
    for _ in range(8):
        size = float(np.abs(here.r).max(initial=0.0))
        if size <= 0.1 * here.noise:
            break
        step, _ = _newton(here)
        if not np.isfinite(step).all() or float(np.linalg.norm(step)) > 1e-5:
            break
        moved = here.chart.position(here.to_x @ step)
        if moved is None:
            break
        after = _stiffness_at(system, moved, t)
        if float(np.abs(after.r).max(initial=0.0)) >= size:
            break
        here = after
    return here


def _uphill(here: LocalStiffness) -> np.ndarray | None:
    """A direction in which the forces push away from a balance."""
    w, V = np.linalg.eigh(0.5 * (here.K + here.K.T))
    top = float(np.abs(w).max(initial=0.0))
    return V[:, 0] if len(w) and w[0] < -1e-6 * top and top > 0 else None


def _step(here: LocalStiffness, radius: float, stable: bool) -> np.ndarray:
    """The best step within the radius: of r - K y along the force, or towards r = K y."""
    if stable:
        A, g = 0.5 * (here.K + here.K.T), here.r
        w, V = np.linalg.eigh(A)
        if w[0] > 1e-9 * abs(w[-1]):
            step = np.linalg.solve(here.K, here.r)
            if float(np.linalg.norm(step)) <= radius:
                return step
    else:
        A, g = here.K.T @ here.K, here.K.T @ here.r
        w, V = np.linalg.eigh(A)
    inner = V.T @ g
    top = max(float(np.abs(w).max(initial=0.0)), 1e-300)
    free = np.abs(inner) <= 10 * here.noise  # nothing pushes there
    inner = np.where(free & (np.abs(w) < 1e-9 * top), 0.0, inner)

    def at(mu: float) -> np.ndarray:
        return inner / np.maximum(w + mu, 1e-14 * top)

    low = max(0.0, -float(w[0])) * (1 + 1e-12)
    active = np.abs(inner) > 0
    if low == 0.0 and (w[active] > 1e-12 * top).all() and float(np.linalg.norm(at(0.0)[active])) <= radius:
        return V @ np.where(active, at(0.0), 0.0)
    high = low + max(float(np.linalg.norm(inner)) / radius, 1e-14 * top)
    for _ in range(100):
        middle = 0.5 * (low + high)
        if float(np.linalg.norm(at(middle))) > radius:
            low = middle
        else:
            high = middle
    return V @ at(high)


def _gain(here: LocalStiffness, step: np.ndarray, stable: bool) -> tuple[float, np.ndarray | None]:
    """What a step brings over what it promised; the position it leads to."""
    x = here.to_x @ step
    ends = []
    q = here.q
    for share in (0.5, 1.0):
        reached = here.chart.position(share * x, near=None if share == 0.5 else q)
        if reached is None:
            return 0.0, None
        q = reached
        ends.append(here.to_x.T @ generalised_force(here.chart, q)[0])
    middle, end = ends
    if not (np.isfinite(middle).all() and np.isfinite(end).all()):
        return 0.0, None
    if stable:  # the work of the forces along the step, by Simpson's rule
        promised = float(here.r @ step - 0.5 * step @ here.K @ step)
        done = float((here.r + 4 * middle + end) @ step) / 6
    else:
        left = here.r - here.K @ step
        promised = float(here.r @ here.r - left @ left)
        done = float(here.r @ here.r - end @ end)
    return (done / promised if promised > 0 else 0.0), q
